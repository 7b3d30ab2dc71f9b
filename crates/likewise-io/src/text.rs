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
    pub fn open(input: Input, reading: &Reading) -> Result<Self> {
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
