//! Undo and redo of any depth, and the marks in the order in which they were made.

use super::log::{Act, Entry, Origin, Verdict};
use super::{Session, Standing};

/// A line of the history that a reader sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub seq: u64,
    pub row: u32,
    pub by: String,
    /// What the row is now, whatever it was then.
    pub now: Option<Verdict>,
    pub drawn: bool,
}

impl Session {
    /// The last mark of this reader that stands, and is no example from a file.
    pub fn undoable(&self, by: &str) -> Option<u64> {
        let marks = self.log.iter().rev().filter(|entry| entry.by == by && !entry.program);
        let mut marks = marks.filter(|entry| match entry.act {
            Act::Mark { kind, .. } => kind != Origin::Seed && kind != Origin::Import,
            Act::Undo(_) | Act::Redo(_) => false,
        });
        marks.find(|entry| self.stands(entry.seq)).map(|entry| entry.seq)
    }

    /// The mark that was taken back last, if nothing was marked since.
    pub fn redoable(&self, by: &str) -> Option<u64> {
        let mut redone = 0usize;
        for entry in self.log.iter().rev().filter(|entry| entry.by == by && !entry.program) {
            match entry.act {
                Act::Mark { .. } => return None,
                Act::Redo(_) => redone += 1,
                Act::Undo(seq) if redone == 0 => return Some(seq),
                Act::Undo(_) => redone -= 1,
            }
        }
        None
    }

    fn stands(&self, seq: u64) -> bool {
        let Ok(at) = self.log.binary_search_by_key(&seq, |entry| entry.seq) else { return false };
        let Act::Mark { row, .. } = self.log[at].act else { return false };
        self.rows.get(&row).is_some_and(|marks| {
            let mut all = marks.person.iter().chain(&marks.program);
            all.any(|mark| mark.seq == seq && !mark.undone)
        })
    }

    /// The row that a mark is about.
    pub fn row_of(&self, seq: u64) -> Option<u32> {
        let at = self.log.binary_search_by_key(&seq, |entry| entry.seq).ok()?;
        match self.log[at].act {
            Act::Mark { row, .. } => Some(row),
            Act::Undo(_) | Act::Redo(_) => None,
        }
    }

    /// Marks of persons, newest first, each row once; those before `before`.
    pub fn history(&self, before: u64, most: usize) -> Vec<Change> {
        let mut seen = std::collections::HashSet::new();
        let newest = self.log.iter().rev().filter(|entry| !entry.program || self.program_alone);
        newest
            .filter_map(|entry| self.change(entry))
            .filter(|change| seen.insert(change.row) && change.seq < before)
            .take(most)
            .collect()
    }

    fn change(&self, entry: &Entry) -> Option<Change> {
        let Act::Mark { row, kind, .. } = entry.act else { return None };
        if kind == Origin::Seed {
            return None;
        }
        let now = match self.standing(row) {
            Standing::Decided(verdict) => Some(verdict),
            Standing::Open(verdict) => verdict,
            Standing::Unread => None,
        };
        Some(Change { seq: entry.seq, row, by: entry.by.clone(), now, drawn: self.is_drawn(row) })
    }
}
