//! Marks, undo, notes, examples: everything that is written.

use std::time::Instant;

use likewise::figures::count;
use serde::Deserialize;
use serde_json::json;

use super::{Desk, Inner, Reader, table_of_cells};
use crate::clock;
use crate::error::{Error, Result};
use crate::project::Settings;
use crate::project::import::cells_of;
use crate::project::writer::Order;
use crate::session::log::{Act, Entry, Origin, Verdict};
use crate::trainer::locked;
use likewise_io::{Format, ReadOptions, Source};

/// One row marked.
#[derive(Clone, Debug, Deserialize)]
pub struct Mark {
    pub row: u32,
    pub verdict: Verdict,
    /// How long it was looked at.
    #[serde(default)]
    pub ms: u32,
    /// The model whose ranking was shown.
    #[serde(default)]
    pub shown_model: u64,
}

/// Marks that are made together.
#[derive(Clone, Debug, Deserialize)]
pub struct Marks {
    /// The last event that the tab has heard of.
    pub base: u64,
    /// Chosen by the tab: the same key is the same request.
    pub key: String,
    pub marks: Vec<Mark>,
}

const LONGEST_KEY: usize = 100;
const MOST_MARKS: usize = 1000;
const LONGEST_NOTE: usize = 10_000;
const MOST_TAGS: usize = 50;

impl Desk {
    /// Answers after the marks are in the file, with the number of the last.
    pub fn mark(&self, reader: &Reader, order: &Marks) -> Result<u64> {
        check_key(&order.key)?;
        if order.marks.is_empty() || order.marks.len() > MOST_MARKS {
            return Err(Error::request(400, format!("give 1 to {} marks", count(MOST_MARKS))));
        }
        let (pending, seq) = {
            let mut inner = locked(&self.inner);
            if let Some(seq) = inner.session.seq_of_key(&order.key) {
                return Ok(seq);
            }
            if let Some(mark) = order.marks.iter().find(|mark| !inner.session.is_own_row(mark.row)) {
                return Err(Error::request(404, format!("there is no row {} to mark", mark.row)));
            }
            let taken = |mark: &&Mark| !reader.program && inner.session.last_seq(mark.row) > order.base;
            let rows: Vec<u32> = order.marks.iter().filter(taken).map(|mark| mark.row).collect();
            if !rows.is_empty() {
                return Err(Error::Taken { seq: inner.session.seq(), rows });
            }
            let entries: Vec<_> = (order.marks.iter().enumerate())
                .map(|(at, mark)| {
                    let key = if at == 0 { order.key.clone() } else { format!("{}/{at}", order.key) };
                    let kind = inner.kind_of(mark.row, reader);
                    let act = Act::Mark { row: mark.row, verdict: mark.verdict, kind };
                    let counts = inner.session.counts();
                    let before = (kind == Origin::Random).then(|| (counts.yes, counts.read()));
                    let entry = inner.entry(reader, key, act, mark.shown_model, mark.ms);
                    inner.session.apply(entry.clone());
                    if inner.is_judge(reader) {
                        inner.leases.end(mark.row);
                    }
                    (entry, before)
                })
                .collect();
            (self.writer.send(Order::Marks(entries)), inner.session.seq())
        };
        self.committed(pending.wait())?;
        let rows: Vec<u32> = order.marks.iter().map(|mark| mark.row).collect();
        self.tell("mark", &json!({ "seq": seq, "rows": rows, "by": reader.name, "tab": reader.tab }));
        self.trainer.nudge();
        self.looking.nudge();
        Ok(seq)
    }

    /// Takes the reader's last mark back and says which row it was; none where there is none left.
    pub fn undo(&self, reader: &Reader, key: &str) -> Result<(u64, Option<u32>)> {
        self.turn(reader, key, |inner| inner.session.undoable(&reader.name).map(Act::Undo))
    }

    pub fn redo(&self, reader: &Reader, key: &str) -> Result<(u64, Option<u32>)> {
        self.turn(reader, key, |inner| inner.session.redoable(&reader.name).map(Act::Redo))
    }

    fn turn(
        &self,
        reader: &Reader,
        key: &str,
        act: impl FnOnce(&Inner) -> Option<Act>,
    ) -> Result<(u64, Option<u32>)> {
        check_key(key)?;
        let (pending, seq, row) = {
            let mut inner = locked(&self.inner);
            let about = |inner: &Inner, act: Act| match act {
                Act::Undo(seq) | Act::Redo(seq) => inner.session.row_of(seq),
                Act::Mark { row, .. } => Some(row),
            };
            if let Some(seq) = inner.session.seq_of_key(key) {
                let entry = inner.session.log().iter().rev().find(|entry| entry.seq == seq);
                return Ok((seq, entry.and_then(|entry| about(&inner, entry.act))));
            }
            let Some(act) = act(&inner) else { return Ok((inner.session.seq(), None)) };
            let row = about(&inner, act);
            let entry = inner.entry(reader, key.into(), act, 0, 0);
            inner.session.apply(entry.clone());
            if let (Act::Undo(_), Some(row)) = (act, row) {
                // It is on this reader's page again, and comes to nobody else meanwhile.
                let kind = if inner.session.is_drawn(row) { Origin::Random } else { Origin::Best };
                inner.leases.take(row, &reader.tab, kind, Instant::now());
            }
            (self.writer.send(Order::Marks(vec![(entry, None)])), inner.session.seq(), row)
        };
        self.committed(pending.wait())?;
        self.tell("mark", &json!({ "seq": seq, "rows": row, "by": reader.name, "tab": reader.tab }));
        self.trainer.nudge();
        self.looking.nudge();
        Ok((seq, row))
    }

    /// Where the disk refused, memory must not know more than the file.
    fn committed(&self, written: Result<()>) -> Result<()> {
        if written.is_err() {
            let log = crate::project::read_log(&locked(&self.rows))?;
            locked(&self.inner).session.start_again(log);
        }
        written
    }

    pub fn set_note(&self, reader: &Reader, row: u32, text: String, tags: Vec<String>) -> Result<()> {
        if !locked(&self.inner).session.has_row(row) {
            return Err(Error::request(404, format!("there is no row {row}")));
        }
        if text.len() > LONGEST_NOTE
            || tags.len() > MOST_TAGS
            || tags.iter().any(|tag| tag.len() > LONGEST_KEY)
        {
            return Err(Error::request(
                400,
                "the note or its tags are too long; keep them below 10,000 letters",
            ));
        }
        let (by, at) = (reader.name.clone(), clock::now());
        self.writer.send(Order::Note { row, by, at, text, tags }).wait()
    }

    pub fn set_settings(&self, settings: Settings) -> Result<()> {
        if !(settings.target > 0.0 && settings.target < 1.0 && settings.alpha > 0.0 && settings.alpha < 1.0) {
            return Err(Error::request(
                400,
                "target and error are shares between 0 and 1, such as 0.95 and 0.05",
            ));
        }
        self.writer.send(Order::Settings(settings.clone())).wait()?;
        locked(&self.inner).settings = settings;
        self.trainer.nudge();
        self.looking.nudge();
        Ok(())
    }

    /// A text as an example of what is wanted.
    pub fn add_text(&self, reader: &Reader, text: &str) -> Result<u32> {
        let names = self.made.input.text_names();
        if names.is_empty() {
            return Err(Error::request(400, "this project reads columns; mark rows of the pile instead"));
        }
        if text.trim().is_empty() {
            return Err(Error::request(400, "an example must say something"));
        }
        let first = names.first().map(String::as_str).unwrap_or_default();
        let cell = |name: &String| if name == first { text.to_string() } else { String::new() };
        self.add_example(reader, self.made.columns.iter().map(cell).collect())
    }

    /// Every row of a file as an example. Its name tells what it holds; it is not looked for anywhere.
    pub fn add_file(&self, reader: &Reader, name: &str, content: String) -> Result<usize> {
        let extension = name.rsplit('.').next().unwrap_or_default();
        let format: Format = extension.parse()?;
        let source = Source::from_bytes(name, content.into_bytes(), format);
        let (table, _) = likewise_io::read_all(&[source], &ReadOptions::default())?;
        self.made.input.names().into_iter().try_for_each(|name| table.column(name).map(|_| ()))?;
        for row in 0..table.rows() {
            self.add_example(reader, cells_of(&table, row, &self.made.columns))?;
        }
        Ok(table.rows())
    }

    /// An example from outside the pile, after all rows there are.
    pub(super) fn add_example(&self, reader: &Reader, cells: Vec<String>) -> Result<u32> {
        let table = table_of_cells(&self.made.columns, &cells);
        let (pending, row, seq) = {
            let mut inner = locked(&self.inner);
            let row = inner.session.rows_known();
            inner.session.add_outside_row();
            let act = Act::Mark { row, verdict: Verdict::Yes, kind: Origin::Seed };
            let key = format!("example {row}");
            let mark = inner.entry(reader, key, act, 0, 0);
            inner.session.apply(mark.clone());
            self.trainer.add_example(row, table);
            let id = format!("example {}", row + 1);
            (self.writer.send(Order::Example { row, id, cells, mark }), row, inner.session.seq())
        };
        self.committed(pending.wait())?;
        self.tell("mark", &json!({ "seq": seq, "rows": [], "by": reader.name, "tab": reader.tab }));
        self.looking.nudge();
        Ok(row)
    }
}

impl Inner {
    fn entry(&self, reader: &Reader, key: String, act: Act, model: u64, ms: u32) -> Entry {
        let (seq, at) = (self.session.seq() + 1, clock::now());
        Entry { seq, key, at, by: reader.name.clone(), program: reader.program, act, model, ms }
    }

    /// How the row came before the reader. A row that was drawn is a check, by whatever way it is marked.
    fn kind_of(&self, row: u32, reader: &Reader) -> Origin {
        if !self.is_judge(reader) {
            return Origin::Best;
        }
        if self.session.is_drawn(row) {
            return Origin::Random;
        }
        self.leases.kind(row).unwrap_or(Origin::Search)
    }
}

fn check_key(key: &str) -> Result<()> {
    if key.is_empty() || key.len() > LONGEST_KEY {
        return Err(Error::request(400, "a request has a key of 1 to 100 letters, another one for each"));
    }
    Ok(())
}
