//! ARFF, dense and sparse.
//!
//! Dense rows become columns: numeric attributes numbers, all others text. In a sparse file (`{index value, …}`,
//! indices from 0) numeric attributes become sparse features with names, unless the options name them; nominal
//! and string attributes become columns all the same.

mod header;
mod rows;
mod tokens;

use std::collections::HashSet;

use likewise::data::{NamedSparse, Table};

use crate::error::Result;
use crate::input::Input;
use crate::lines::Lines;
use crate::read::{Reading, RowReader};
use header::{Attribute, AttributeKind, Declaration, declaration};
use rows::RowBuilder;
use tokens::Tokens;

pub(crate) struct Arff {
    lines: Lines,
    attributes: Vec<Attribute>,
    /// Known from the first row on.
    layout: Option<Layout>,
}

/// Where the value of each attribute goes.
struct Layout {
    sparse: bool,
    targets: Vec<Target>,
    /// The names of the sparse features.
    features: Vec<String>,
    /// The attributes that become columns, in that order.
    column_attributes: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Target {
    /// The column of a batch.
    Column(usize),
    /// The column of the sparse matrix.
    Feature(u32),
    Nowhere,
}

impl Arff {
    pub fn open(input: Input, reading: &mut Reading) -> Result<Self> {
        let mut lines = Lines::new(input);
        let mut attributes: Vec<Attribute> = Vec::new();
        let mut names = HashSet::new();
        loop {
            let number = lines.number() + 1;
            let Some(line) = lines.next()? else {
                let problem = "the file ends before a line @data; is it an ARFF file?";
                return Err(reading.malformed(number.saturating_sub(1).max(1), problem));
            };
            let line = reading.text(line, number);
            match declaration(&line).map_err(|problem| reading.malformed(number, problem))? {
                Declaration::Nothing => {}
                Declaration::Attribute(attribute) => {
                    if !names.insert(attribute.name.clone()) {
                        let problem = format!("a second attribute `{}`; rename one of them", attribute.name);
                        return Err(reading.malformed(number, problem));
                    }
                    attributes.push(attribute);
                }
                Declaration::Data if attributes.is_empty() => {
                    return Err(reading.malformed(number, "@data without any @attribute before it"));
                }
                Declaration::Data => break,
            }
        }
        let names: Vec<_> = attributes.iter().map(|a| a.name.clone()).collect();
        reading.check_required(&names)?;
        Ok(Arff { lines, attributes, layout: None })
    }
}

impl RowReader for Arff {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut table = reading.table();
        let mut rows = None;
        let mut bytes = 0;
        while !reading.batch_is_full(table.rows(), bytes) {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.next()? else { break };
            bytes += line.len();
            let line = reading.text(line, number);
            let mut tokens = Tokens::new(&line);
            if tokens.at_end() {
                continue;
            }
            let attributes = &self.attributes;
            let layout =
                self.layout.get_or_insert_with(|| Layout::new(attributes, tokens.starts_with('{'), reading));
            let rows = rows.get_or_insert_with(|| RowBuilder::new(attributes, layout));
            match rows.push(attributes, layout, tokens) {
                Err(problem) => {
                    rows.truncate(table.rows());
                    reading.bad_row(number, problem)?;
                }
                Ok(()) => table.origins.push((0, number)),
            }
            if std::mem::take(&mut rows.missing_as_zero) {
                reading.warnings.missing_as_zero.add(|| format!("{}:{number}", reading.name));
            }
        }
        let (Some(rows), Some(layout)) = (rows, &self.layout) else { return Ok(None) };
        if table.rows() == 0 {
            return Ok(None);
        }
        for (&attribute, column) in layout.column_attributes.iter().zip(rows.columns) {
            table.push_column(&self.attributes[attribute].name, column);
        }
        if layout.sparse && !layout.features.is_empty() {
            table.sparse = Some(NamedSparse { names: layout.features.clone(), x: rows.x });
        }
        Ok(Some(table))
    }
}

impl Layout {
    fn new(attributes: &[Attribute], sparse: bool, reading: &Reading) -> Layout {
        let named = reading.options.columns.iter().flatten().chain(&reading.options.required);
        let named: HashSet<_> = named.collect();
        let mut column_attributes = Vec::new();
        let mut features = Vec::new();
        let targets = (attributes.iter().enumerate())
            .map(|(i, attribute)| {
                let is_feature = sparse
                    && matches!(attribute.kind, AttributeKind::Numeric)
                    && !named.contains(&attribute.name);
                if is_feature {
                    features.push(attribute.name.clone());
                    Target::Feature(features.len() as u32 - 1)
                } else if reading.wants(&attribute.name) {
                    column_attributes.push(i);
                    Target::Column(column_attributes.len() - 1)
                } else {
                    Target::Nowhere
                }
            })
            .collect();
        Layout { sparse, targets, features, column_attributes }
    }
}

#[cfg(test)]
mod tests {
    use likewise::data::{Column, Csr};

    use crate::Format::Arff;
    use crate::testing::{cells, failure, lines, parse, requiring, skipping, table};

    const HEADER: &str = "% about flowers
@RELATION 'iris plants'

@Attribute \"sepal length\"\treal % in cm
@ATTRIBUTE class {setosa, 'not setosa'}
@attribute note STRING
@attribute 'when' date \"yyyy-MM-dd\"
@attribute n{1,2}
@DATA
";

    #[test]
    fn dense_rows_in_any_case_with_quotes_comments_and_missing_values() {
        let rows = "5.1, setosa, 'it\\'s', \"2001-02-03\",1\n% aside\n\n?,'not setosa',?,?,2\r\n-1e2\tsetosa\t?\t?\t?, {0.5}\n";
        let read = table(Arff, format!("{HEADER}{rows}"));
        let expected = [
            ["sepal length", "5.1", "", "-100"],
            ["class", "setosa", "not setosa", "setosa"],
            ["note", "it's", "", ""],
            ["when", "2001-02-03", "", ""],
            ["n", "1", "2", ""],
        ];
        assert_eq!(cells(&read), expected);
        assert_eq!(lines(&read), [10, 13, 14]);
        assert!(matches!(read.column("sepal length").unwrap(), Column::Number(_)));
        assert!(read.sparse.is_none());
    }

    const SPARSE: &str = "@relation words\n@attribute a numeric\n@attribute class {no,yes}\n@attribute b numeric\n@attribute note string\n@data\n";

    #[test]
    fn sparse_rows_become_named_features_and_columns() {
        let read = table(
            Arff,
            format!("{SPARSE}{{0 2, 1 yes, 2 0.5}}\n{{}}\n{{ 2 0, 3 'x, y' }} % z\n{{3 q}},{{2}}\n"),
        );
        assert_eq!(cells(&read), [["class", "yes", "no", "no", "no"], ["note", "", "", "x, y", "q"]]);
        let sparse = read.sparse.unwrap();
        assert_eq!(sparse.names, ["a", "b"]);
        assert_eq!(sparse.x, Csr::new(2, vec![0, 2, 2, 2, 2], vec![0, 1], vec![2.0, 0.5]).unwrap());
    }

    #[test]
    fn a_number_that_is_asked_for_by_name_is_a_column() {
        let (read, _) = parse(Arff, format!("{SPARSE}{{0 2, 2 3}}\n{{2 1}}\n"), &requiring(&["a"])).unwrap();
        assert_eq!(cells(&read), [["a", "2", "0"]]);
        assert_eq!(read.sparse.unwrap().names, ["b"]);
    }

    #[test]
    fn a_missing_number_in_a_sparse_row_is_zero_and_counted() {
        let (read, warnings) = parse(Arff, format!("{SPARSE}{{0 ?, 1 ?, 2 3}}\n"), &skipping()).unwrap();
        assert_eq!(cells(&read), [["class", ""], ["note", ""]]);
        assert_eq!(read.sparse.unwrap().x.values, [3.0]);
        assert_eq!(
            warnings.messages(),
            ["1 row with missing numbers in sparse data, read as 0 (first at in:7)"]
        );
    }

    #[test]
    fn bad_rows_are_told_by_their_line_or_left_out() {
        let dense = "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n";
        for (header, good, row, problem) in [
            (dense, "2,y", "1", "1 value where 2 attributes are declared"),
            (dense, "2,y", "1,x,3", "3 values where 2 attributes are declared"),
            (dense, "2,y", "one,x", "`one` is not a number, as the attribute `a` asks"),
            (dense, "2,y", "1,z", "`z` is not one of the declared values, as the attribute `c` asks"),
            (dense, "2,y", "1,'x", "a quote ' is not closed"),
            (dense, "2,y", "{0 1}", "a sparse row in a file that began with dense ones"),
            (dense, "2,y", "1,x,{2", "something stands after the last value"),
            (SPARSE, "{0 1}", "1,x", "a dense row in a file that began with sparse ones"),
            (SPARSE, "{0 1}", "{0 1, 1 maybe}", "`maybe` is not one of the declared values"),
            (SPARSE, "{0 1}", "{3 a, 0 1}", "index 0 comes after 3; indices must ascend"),
            (SPARSE, "{0 1}", "{0 1, 0 1}", "index 0 comes after 0; indices must ascend"),
            (SPARSE, "{0 1}", "{0 1, 4 1}", "index 4, but the last attribute has index 3"),
            (SPARSE, "{0 1}", "{x 1}", "`x` is not the index of an attribute"),
            (SPARSE, "{0 1}", "{0 inf}", "`inf` is not a finite number, as the attribute `a` asks"),
            (SPARSE, "{0 1}", "{0 1, 3 'a'", "the sparse row is not closed by `}`"),
            (SPARSE, "{0 1}", "{0 1} 2", "something stands after the closing `}`"),
        ] {
            let text = format!("{header}{good}\n{row}\n{good}\n");
            let line = header.lines().count() + 2;
            let message = failure(Arff, &text);
            assert!(message.starts_with(&format!("in:{line}: {problem}")), "{row}: {message}");
            let (read, warnings) = parse(Arff, &text, &skipping()).unwrap();
            assert_eq!(warnings.skipped.rows, 1, "{row}");
            let without = table(Arff, format!("{header}{good}\n{good}\n"));
            assert_eq!((cells(&read), &read.sparse), (cells(&without), &without.sparse), "{row}");
        }
    }

    #[test]
    fn a_bad_header_is_told_by_its_line() {
        for (text, message) in [
            ("", "in:1: the file ends before a line @data; is it an ARFF file?"),
            (
                "a,b\n1,2\n",
                "in:1: `a,b` where @relation, @attribute or @data should stand; is this an ARFF file?",
            ),
            ("@relation r\n@data\n1\n", "in:2: @data without any @attribute before it"),
            ("@attribute\n", "in:1: @attribute without a name"),
            (
                "@attribute a\n",
                "in:1: attribute `a` has no type; write numeric, string or {value,…} after it",
            ),
            ("@attribute a {x,y\n", "in:1: attribute `a`: the list of values is not closed by `}`"),
            ("@attribute a {}\n", "in:1: attribute `a`: the list of values is empty"),
            (
                "@attribute a relational\n",
                "in:1: attribute `a` is relational, which is not supported; take it out of the file",
            ),
            (
                "@attribute a numeric\n@attribute a numeric\n",
                "in:2: a second attribute `a`; rename one of them",
            ),
            (
                "@attribute a numeric\n@data\n% nothing\n",
                "in: there are no rows in it; give a file with data",
            ),
        ] {
            assert_eq!(failure(Arff, text), message);
        }
        assert!(
            failure(Arff, "@attribute a complex\n").contains("unknown type `complex`; known are numeric")
        );
        let message = parse(Arff, HEADER, &requiring(&["klass"])).unwrap_err().to_string();
        assert!(message.contains("no column `klass` (did you mean `class`?)"), "{message}");
    }
}
