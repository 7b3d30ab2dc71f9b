//! Examples of what is wanted, from outside the pile. One that is known already is not counted twice.

use std::collections::HashMap;

use likewise_io::{Format, ReadOptions, Source};

use super::{Desk, Reader, table_of_cells};
use crate::error::{Error, Result};
use crate::project::import::{FROM_FILE, cells_of};
use crate::project::sameness;
use crate::project::writer::Order;
use crate::session::Standing;
use crate::session::log::{Act, Origin, Verdict};
use crate::trainer::locked;

impl Desk {
    /// A text as an example. How many were added: none where it is known.
    pub fn add_text(&self, reader: &Reader, text: &str) -> Result<usize> {
        let names = self.made.input.text_names();
        if names.is_empty() {
            return Err(Error::request(400, "this project reads columns; mark rows of the pile instead"));
        }
        if text.trim().is_empty() {
            return Err(Error::request(400, "an example must say something"));
        }
        let first = names.first().map(String::as_str).unwrap_or_default();
        let cell = |name: &String| if name == first { text.to_string() } else { String::new() };
        self.add_examples(reader, vec![self.made.columns.iter().map(cell).collect()])
    }

    /// Every row of a file as an example. Its name tells what it holds; it is not looked for anywhere.
    pub fn add_file(&self, reader: &Reader, name: &str, content: String) -> Result<usize> {
        let extension = name.rsplit('.').next().unwrap_or_default();
        let format: Format = extension.parse()?;
        let source = Source::from_bytes(name, content.into_bytes(), format);
        let (table, _) = likewise_io::read_all(&[source], &ReadOptions::default())?;
        self.made.input.names().into_iter().try_for_each(|name| table.column(name).map(|_| ()))?;
        let all = (0..table.rows()).map(|row| cells_of(&table, row, &self.made.columns)).collect();
        self.add_examples(reader, all)
    }

    /// After all rows there are. What was taken back before counts again.
    pub(super) fn add_examples(&self, reader: &Reader, all: Vec<Vec<String>>) -> Result<usize> {
        let content = |cells: &[String]| sameness::content(&self.made.input, &self.made.columns, cells);
        let mut known = HashMap::new();
        for (row, cells) in crate::project::outside(&locked(&self.rows))? {
            known.insert(content(&cells), row);
        }
        let (mut pending, mut added) = (Vec::new(), 0);
        let seq = {
            let mut inner = locked(&self.inner);
            let request = inner.session.seq() + 1;
            for cells in all {
                let said = content(&cells);
                if said.is_empty() {
                    continue;
                }
                let before = known.get(&said).copied();
                // The same command given again does not bring back what was taken back on the page.
                let counts = |row| {
                    reader.name == FROM_FILE || inner.session.standing(row) == Standing::Decided(Verdict::Yes)
                };
                if before.is_some_and(counts) {
                    continue;
                }
                let row = before.unwrap_or_else(|| inner.session.rows_known());
                if before.is_none() {
                    inner.session.add_outside_row();
                }
                known.insert(said, row);
                let act = Act::Mark { row, verdict: Verdict::Yes, kind: Origin::Seed };
                let mark = inner.entry(reader, format!("example {request}/{added}"), act, 0, 0);
                inner.session.apply(mark.clone());
                added += 1;
                pending.push(self.writer.send(match before {
                    Some(_) => Order::Marks(vec![(mark, None)]),
                    None => {
                        self.trainer.add_example(row, table_of_cells(&self.made.columns, &cells));
                        Order::Example { row, id: format!("example {}", row + 1), cells, mark }
                    }
                }));
            }
            inner.session.seq()
        };
        // All are waited for, whatever became of the first.
        let written: Vec<Result<()>> = pending.into_iter().map(|pending| pending.wait()).collect();
        self.committed(written.into_iter().collect())?;
        if added > 0 {
            self.tell_of_marks(reader, seq, &[]);
        }
        Ok(added)
    }
}
