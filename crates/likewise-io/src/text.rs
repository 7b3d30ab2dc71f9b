//! Plain text: one document a line, in the column `text`.

use likewise::data::{Column, Table, Texts};

use crate::error::Result;
use crate::input::Input;
use crate::lines::Lines;
use crate::read::{Reading, RowReader};

pub(crate) struct TextLines {
    lines: Lines,
}

impl TextLines {
    pub fn open(input: Input, reading: &mut Reading) -> Result<Self> {
        reading.check_required(&["text".into()])?;
        Ok(TextLines { lines: Lines::new(input) })
    }
}

impl RowReader for TextLines {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut table = reading.table();
        let mut texts = Texts::new();
        let mut bytes = 0;
        while !reading.batch_is_full(table.rows(), bytes) {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.next()? else { break };
            bytes += line.len();
            texts.push(&reading.text(line, number));
            table.origins.push((0, number));
        }
        if table.rows() == 0 {
            return Ok(None);
        }
        if reading.wants("text") {
            table.push_column("text", Column::Text(texts));
        }
        Ok(Some(table))
    }
}

#[cfg(test)]
mod tests {
    use crate::Format::Text;
    use crate::testing::{cells, failure, lines, only, parse, requiring, skipping, table};

    #[test]
    fn a_line_is_a_document_even_an_empty_one() {
        let read = table(Text, "\u{feff}one, \"two\"\r\n\nthree");
        assert_eq!(cells(&read), [["text", "one, \"two\"", "", "three"]]);
        assert_eq!(lines(&read), [1, 2, 3]);
        assert_eq!(failure(Text, ""), "in: there are no rows in it; give a file with data");
    }

    #[test]
    fn there_is_no_column_but_the_text() {
        assert!(parse(Text, "x\n", &only(&["id"])).unwrap().0.column_names().is_empty());
        let message = parse(Text, "x\n", &requiring(&["label"])).unwrap_err().to_string();
        assert_eq!(message, "in has no column `label`; it has `text`");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced_and_counted() {
        let (read, warnings) = parse(Text, b"ok\ncaf\xe9 \xff\n", &skipping()).unwrap();
        assert_eq!(cells(&read), [["text", "ok", "caf\u{fffd} \u{fffd}"]]);
        assert_eq!((warnings.not_utf8.rows, warnings.not_utf8.first.as_deref()), (1, Some("in:2")));
    }
}
