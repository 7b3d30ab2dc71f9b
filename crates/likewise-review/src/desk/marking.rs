//! Marks, undo, settings: what is said of rows and of the reading.

use std::time::Instant;

use likewise::figures::count;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Desk, Inner, Reader};
use crate::clock;
use crate::error::{Error, Result};
use crate::project::Settings;
use crate::project::writer::Order;
use crate::session::Session;
use crate::session::log::{Act, Entry, Origin, Verdict};
use crate::trainer::locked;

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

/// What undo or redo did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Turned {
    pub seq: u64,
    /// The row whose mark it was; none where there was nothing left, or where it was about examples.
    pub row: Option<u32>,
    /// Examples from outside the pile that it was about.
    pub examples: usize,
}

const LONGEST_KEY: usize = 100;
const MOST_MARKS: usize = 1000;

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
        self.tell_of_marks(reader, seq, &rows);
        Ok(seq)
    }

    /// Every tab hears who marked what. Whoever looks at a row that a program marked goes on looking.
    pub(super) fn tell_of_marks(&self, reader: &Reader, seq: u64, rows: &[u32]) {
        let Reader { name, tab, program } = reader;
        self.tell("mark", &json!({ "seq": seq, "rows": rows, "by": name, "tab": tab, "program": program }));
        self.trainer.nudge();
        self.looking.nudge();
    }

    /// Takes back the reader's last mark, or the examples that were added last.
    pub fn undo(&self, reader: &Reader, key: &str) -> Result<Turned> {
        self.turn(reader, key, |session, by| session.undoable(by).into_iter().map(Act::Undo).collect())
    }

    pub fn redo(&self, reader: &Reader, key: &str) -> Result<Turned> {
        self.turn(reader, key, |session, by| session.redoable(by).into_iter().map(Act::Redo).collect())
    }

    fn turn(
        &self,
        reader: &Reader,
        key: &str,
        acts: impl FnOnce(&Session, &str) -> Vec<Act>,
    ) -> Result<Turned> {
        check_key(key)?;
        let (pending, turned) = {
            let mut inner = locked(&self.inner);
            if let Some(seq) = inner.session.seq_of_key(key) {
                let log = inner.session.log();
                let entry = log.binary_search_by_key(&seq, |entry| entry.seq).ok().map(|at| log[at].act);
                return Ok(inner.turned(seq, entry.as_slice()));
            }
            let acts = acts(&inner.session, &reader.name);
            let entries: Vec<_> = (acts.iter().enumerate())
                .map(|(at, &act)| {
                    let key = if at == 0 { key.to_string() } else { format!("{key}/{at}") };
                    let entry = inner.entry(reader, key, act, 0, 0);
                    inner.session.apply(entry.clone());
                    (entry, None)
                })
                .collect();
            let turned = inner.turned(inner.session.seq(), &acts);
            if entries.is_empty() {
                return Ok(turned);
            }
            if let (Some(Act::Undo(_)), Some(row)) = (acts.first(), turned.row) {
                // It is on this reader's page again, and comes to nobody else meanwhile.
                let kind = if inner.session.is_drawn(row) { Origin::Random } else { Origin::Best };
                inner.leases.take(row, &reader.tab, kind, Instant::now());
            }
            (self.writer.send(Order::Marks(entries)), turned)
        };
        self.committed(pending.wait())?;
        self.tell_of_marks(reader, turned.seq, turned.row.as_slice());
        Ok(turned)
    }

    /// Where the disk refused, memory must not know more than the file.
    pub(super) fn committed(&self, written: Result<()>) -> Result<()> {
        if written.is_err() {
            let log = crate::project::read_log(&locked(&self.rows))?;
            locked(&self.inner).session.start_again(log);
        }
        written
    }

    /// What one reader changes must not undo what another changed meanwhile.
    pub fn change_settings(&self, changes: Map<String, Value>) -> Result<Settings> {
        let known = serde_json::to_value(self.settings()).map_err(|e| Error::request(500, e.to_string()))?;
        let mut all = known.as_object().cloned().unwrap_or_default();
        if let Some(name) = changes.keys().find(|name| !all.contains_key(*name)) {
            return Err(Error::request(400, format!("there is no setting `{name}`")));
        }
        all.extend(changes);
        let settings: Settings = serde_json::from_value(all.into())
            .map_err(|e| Error::request(400, format!("these settings are not what is expected here: {e}")))?;
        self.set_settings(settings.clone())?;
        Ok(settings)
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
}

impl Inner {
    /// What undo or redo did. An example from outside is no row that can be shown and marked again.
    fn turned(&self, seq: u64, acts: &[Act]) -> Turned {
        let rows: Vec<u32> = acts.iter().filter_map(|act| self.session.row_about(*act)).collect();
        let row = rows.iter().copied().find(|&row| self.session.is_own_row(row));
        Turned { seq, row, examples: rows.len() - usize::from(row.is_some()) }
    }

    pub(super) fn entry(&self, reader: &Reader, key: String, act: Act, model: u64, ms: u32) -> Entry {
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
