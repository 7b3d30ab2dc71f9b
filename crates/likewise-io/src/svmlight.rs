//! svmlight and LIBSVM: `label index:value index:value … # comment`, indices ascending from 1.
//!
//! The label becomes the text column `label`, the rest sparse features without names.

use likewise::data::{Column, Csr, NamedSparse, Table, Texts};

use crate::error::Result;
use crate::input::Input;
use crate::lines::Lines;
use crate::read::{Reading, RowReader};

/// A model has a weight for every index up to the largest, so a slip of the hand must not ask for gigabytes.
const LARGEST_INDEX: u32 = 1 << 27;

pub(crate) struct Svmlight {
    lines: Lines,
    /// The largest index so far.
    cols: usize,
}

impl Svmlight {
    pub fn open(input: Input, reading: &mut Reading) -> Result<Self> {
        reading.check_required(&["label".into()])?;
        Ok(Svmlight { lines: Lines::new(input), cols: 0 })
    }
}

impl RowReader for Svmlight {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut table = reading.table();
        let mut labels = Texts::new();
        let mut x = Csr::empty(0);
        let mut bytes = 0;
        while !reading.batch_is_full(table.rows(), bytes) {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.next()? else { break };
            bytes += line.len();
            let line = reading.text(line, number);
            let content = line.split('#').next().unwrap_or_default();
            let mut tokens = content.split_ascii_whitespace();
            let Some(label) = tokens.next() else { continue };
            if let Err(problem) = push_features(label, tokens, &mut x) {
                let end = x.indptr[table.rows()];
                x.indices.to_mut().truncate(end);
                x.values.to_mut().truncate(end);
                reading.bad_row(number, problem)?;
                continue;
            }
            x.indptr.push(x.indices.len());
            labels.push(label);
            table.origins.push((0, number));
        }
        if table.rows() == 0 {
            return Ok(None);
        }
        let largest = x.indices.iter().max().map_or(0, |j| *j as usize + 1);
        self.cols = self.cols.max(largest);
        x.cols = self.cols;
        if reading.wants("label") {
            table.push_column("label", Column::Text(labels));
        }
        table.sparse = Some(NamedSparse { names: Vec::new(), x });
        Ok(Some(table))
    }
}

/// Adds the entries of a row, all but zeros; what is wrong with them otherwise.
fn push_features<'a>(label: &str, tokens: impl Iterator<Item = &'a str>, x: &mut Csr) -> Result<(), String> {
    if label.contains(':') {
        return Err(format!("the label is missing: the line starts with the feature `{label}`"));
    }
    let mut last = 0;
    for token in tokens {
        let Some((index, value)) = token.split_once(':') else {
            return Err(format!("`{token}` is not index:value"));
        };
        if index == "qid" {
            continue;
        }
        let Ok(index) = index.parse::<u32>() else {
            return Err(format!("`{index}` is not an index in `{token}`"));
        };
        match index {
            0 => return Err("index 0: indices are counted from 1".into()),
            index if index > LARGEST_INDEX => {
                return Err(format!(
                    "index {index} is larger than {LARGEST_INDEX}, the largest that can be read"
                ));
            }
            index if index == last => return Err(format!("index {index} stands twice")),
            index if index < last => {
                return Err(format!("index {index} comes after {last}; indices must ascend"));
            }
            index => last = index,
        }
        match value.parse::<f32>() {
            Ok(value) if value.is_finite() => {
                if value != 0.0 {
                    x.indices.to_mut().push(index - 1);
                    x.values.to_mut().push(value);
                }
            }
            Ok(_) => return Err(format!("the value of `{token}` is not a finite number")),
            Err(_) => return Err(format!("`{value}` is not a number in `{token}`")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::Format::Svmlight;
    use crate::testing::{cells, failure, lines, only, parse, requiring, skipping, table};
    use likewise::data::Csr;

    #[test]
    fn labels_features_comments_and_empty_rows() {
        let read = table(Svmlight, "# made by hand\n+1 1:0.5 3:-2e1 # good\n\n-1\r\n2,3 qid:7 2:1 4:0\n");
        assert_eq!(cells(&read), [["label", "+1", "-1", "2,3"]]);
        assert_eq!(lines(&read), [2, 4, 5]);
        let expected = Csr::new(3, vec![0, 2, 2, 3], vec![0, 2, 1], vec![0.5, -20.0, 1.0]).unwrap();
        assert_eq!(read.sparse.unwrap().x, expected);
    }

    #[test]
    fn the_matrix_is_as_wide_as_the_largest_index_that_is_not_zero() {
        let options = crate::ReadOptions { batch_rows: 1, ..Default::default() };
        let source = crate::Source::from_bytes("in", "1 5:1\n1 2:1\n".as_bytes(), Svmlight);
        let widths: Vec<_> =
            crate::read(&source, &options).unwrap().map(|b| b.unwrap().sparse.unwrap().x.cols).collect();
        assert_eq!(widths, [5, 5]);
    }

    #[test]
    fn a_bad_row_is_told_by_its_line_or_left_out() {
        for (row, problem) in [
            ("1 2:1 1:1", "index 1 comes after 2; indices must ascend"),
            ("1 2:1 2:1", "index 2 stands twice"),
            ("1 0:1", "index 0: indices are counted from 1"),
            ("1 999999999:1", "index 999999999 is larger than 134217728"),
            ("1 x:1", "`x` is not an index in `x:1`"),
            ("1 -3:1", "`-3` is not an index in `-3:1`"),
            ("1 3:x", "`x` is not a number in `3:x`"),
            ("1 3:nan", "the value of `3:nan` is not a finite number"),
            ("1 3:1e39", "the value of `3:1e39` is not a finite number"),
            ("1 3", "`3` is not index:value"),
            ("1:1 2:1", "the label is missing"),
        ] {
            let text = format!("1 1:1\n{row}\n1 3:3\n");
            let message = failure(Svmlight, &text);
            assert!(message.starts_with(&format!("in:2: {problem}")), "{row}: {message}");
            let (read, warnings) = parse(Svmlight, &text, &skipping()).unwrap();
            assert_eq!(warnings.skipped.rows, 1);
            let expected = Csr::new(3, vec![0, 1, 2], vec![0, 2], vec![1.0, 3.0]).unwrap();
            assert_eq!(read.sparse.unwrap().x, expected);
        }
    }

    #[test]
    fn features_come_along_whatever_columns_are_wanted() {
        let (read, _) = parse(Svmlight, "1 1:1\n", &only(&["id"])).unwrap();
        assert!(read.column_names().is_empty());
        assert_eq!(read.sparse.unwrap().x.nnz(), 1);
        let message = parse(Svmlight, "1 1:1\n", &requiring(&["class"])).unwrap_err().to_string();
        assert!(message.contains("no column `class`"), "{message}");
    }
}
