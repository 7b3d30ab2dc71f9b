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

/// Entries of one request have one key, and a number each.
fn together(one: &Entry, other: &Entry) -> bool {
    let request = |entry: &Entry| entry.key.split_once('/').map_or(entry.key.len(), |(key, _)| key.len());
    one.key[..request(one)] == other.key[..request(other)]
}

fn is_example(entry: &Entry) -> bool {
    matches!(entry.act, Act::Mark { kind: Origin::Seed, .. })
}

impl Session {
    /// The last mark of this reader that stands, and the examples that came with it.
    pub fn undoable(&self, by: &str) -> Vec<u64> {
        let own = self.log.iter().rev().filter(|entry| entry.by == by && !entry.program);
        let mut marks = own.filter(|entry| matches!(entry.act, Act::Mark { .. }) && self.stands(entry.seq));
        let Some(last) = marks.next() else { return Vec::new() };
        let more = marks.take_while(|entry| is_example(entry) && together(entry, last));
        std::iter::once(last).chain(more).map(|entry| entry.seq).collect()
    }

    /// What was taken back last, if nothing was marked since.
    pub fn redoable(&self, by: &str) -> Vec<u64> {
        let (mut redone, mut found): (usize, Vec<u64>) = (0, Vec::new());
        let mut first: Option<&Entry> = None;
        for entry in self.log.iter().rev().filter(|entry| entry.by == by && !entry.program) {
            match entry.act {
                Act::Undo(seq) if redone == 0 && first.is_none_or(|first| together(entry, first)) => {
                    first = Some(entry);
                    found.push(seq);
                }
                _ if first.is_some() => break,
                Act::Mark { .. } => break,
                Act::Redo(_) => redone += 1,
                Act::Undo(_) => redone -= 1,
            }
        }
        found.reverse();
        found
    }

    fn stands(&self, seq: u64) -> bool {
        let Ok(at) = self.log.binary_search_by_key(&seq, |entry| entry.seq) else { return false };
        let Act::Mark { row, .. } = self.log[at].act else { return false };
        self.rows.get(&row).is_some_and(|marks| {
            let mut all = marks.person.iter().chain(&marks.program);
            all.any(|mark| mark.seq == seq && !mark.undone)
        })
    }

    /// The row that is marked, or whose mark is taken back.
    pub fn row_about(&self, act: Act) -> Option<u32> {
        let seq = match act {
            Act::Mark { row, .. } => return Some(row),
            Act::Undo(seq) | Act::Redo(seq) => seq,
        };
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
