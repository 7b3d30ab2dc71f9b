//! Everything that is known of a reading, as a function of the log of marks.
//!
//! Nothing here is stored but the log: a project that is opened again replays it and is where it was. Marks of
//! persons and of a program are kept apart, since what is proved rests on the persons' alone.

mod history;
pub mod log;
mod steps;

use hashbrown::{HashMap, HashSet};

pub use history::Change;
use log::{Act, Entry, Origin, Verdict};
pub use steps::{Agreement, Steps};

use crate::order::RandomOrder;

/// One mark of one row.
#[derive(Clone, Copy, Debug)]
struct RowMark {
    seq: u64,
    verdict: Verdict,
    kind: Origin,
    undone: bool,
}

/// What was ever said of a row.
#[derive(Clone, Debug, Default)]
struct RowMarks {
    person: Vec<RowMark>,
    program: Vec<RowMark>,
}

/// What a row is at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Never marked by a person.
    Unread,
    /// Marked, then undone, or put off: seen, but to be decided.
    Open(Option<Verdict>),
    Decided(Verdict),
}

/// Rows of the pile by standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub yes: u64,
    pub no: u64,
    pub unsure: u64,
    /// Undone and not marked again.
    pub undone: u64,
    /// What a program said of rows that no person marked.
    pub program_yes: u64,
    pub program_no: u64,
}

pub struct Session {
    order: RandomOrder,
    log: Vec<Entry>,
    keys: HashMap<String, u64>,
    rows: HashMap<u32, RowMarks>,
    /// Rows of the pile in the order of their first mark by a person.
    seen: Vec<u32>,
    /// One past the position of the last row drawn at random.
    frontier: u32,
    counts: Counts,
    /// The names under which programs marked.
    programs: HashSet<String>,
    /// Whether a program's marks count as the reader's own: where it reads alone.
    program_alone: bool,
}

impl Session {
    pub fn new(order: RandomOrder, program_alone: bool) -> Self {
        Session {
            order,
            log: Vec::new(),
            keys: HashMap::new(),
            rows: HashMap::new(),
            seen: Vec::new(),
            frontier: 0,
            counts: Counts::default(),
            programs: HashSet::new(),
            program_alone,
        }
    }

    pub fn replay(&mut self, log: impl IntoIterator<Item = Entry>) {
        log.into_iter().for_each(|entry| self.apply(entry));
    }

    pub fn seq(&self) -> u64 {
        self.log.last().map_or(0, |entry| entry.seq)
    }

    /// Rows of the pile that are to be read: one for each content.
    pub fn distinct(&self) -> u64 {
        self.order.rows.len() as u64
    }

    /// The rows in the order in which they are drawn.
    pub fn order(&self) -> &[u32] {
        &self.order.rows
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// The answer to a request that was answered before.
    pub fn seq_of_key(&self, key: &str) -> Option<u64> {
        self.keys.get(key).copied()
    }

    /// A row of the pile that is read by itself: no copy, and no example from outside.
    pub fn is_own_row(&self, row: u32) -> bool {
        self.order.position.get(row as usize).is_some_and(|at| *at != u32::MAX)
    }

    /// Whether the row is known at all.
    pub fn has_row(&self, row: u32) -> bool {
        (row as usize) < self.order.position.len()
    }

    /// An example that was added to the project after it was made.
    pub fn add_outside_row(&mut self) {
        self.order.position.push(u32::MAX);
    }

    pub fn program_alone(&self) -> bool {
        self.program_alone
    }

    /// How many rows there are, examples and copies among them.
    pub fn rows_known(&self) -> u32 {
        self.order.position.len() as u32
    }

    /// Examples from outside the pile that nobody took back.
    pub fn examples(&self) -> u64 {
        let outside = self.rows.keys().filter(|&&row| !self.is_own_row(row));
        outside.filter(|&&row| self.standing(row) == Standing::Decided(Verdict::Yes)).count() as u64
    }

    /// Whether marks were made by a program of this name.
    pub fn is_program(&self, name: &str) -> bool {
        self.programs.contains(name)
    }

    /// Rows that were seen and stand like this, in the order in which they were seen.
    pub fn seen_rows(&self, standing: Standing) -> impl Iterator<Item = u32> {
        self.seen.iter().copied().filter(move |&row| self.standing(row) == standing)
    }

    /// Forgets everything and replays this log instead.
    pub fn start_again(&mut self, log: Vec<Entry>) {
        let order = std::mem::take(&mut self.order);
        *self = Session::new(order, self.program_alone);
        self.replay(log);
    }

    pub fn standing(&self, row: u32) -> Standing {
        self.rows.get(&row).map_or(Standing::Unread, |marks| marks.standing())
    }

    /// What the program said.
    pub fn program_verdict(&self, row: u32) -> Option<Verdict> {
        self.rows.get(&row)?.program.iter().rev().find(|mark| !mark.undone).map(|mark| mark.verdict)
    }

    /// The number of the last event about the row.
    pub fn last_seq(&self, row: u32) -> u64 {
        let last = |marks: &RowMarks| marks.person.iter().map(|mark| mark.seq).max();
        self.rows.get(&row).and_then(last).unwrap_or(0)
    }

    /// A row that was drawn stays drawn, whatever becomes of its mark. One that the random order has passed was drawn
    /// too, though nobody marked it yet.
    pub fn is_drawn(&self, row: u32) -> bool {
        let at = self.order.position.get(row as usize).copied().unwrap_or(u32::MAX);
        let passed = at < self.frontier && self.standing(row) == Standing::Unread;
        let marked = |marks: &RowMarks| marks.person.iter().any(|mark| mark.kind == Origin::Random);
        passed || self.rows.get(&row).is_some_and(marked)
    }

    /// The rows to learn from: wanted and not wanted. A person's word goes before a program's.
    pub fn taught(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
        for (&row, marks) in &self.rows {
            let said = match marks.standing() {
                Standing::Decided(verdict) => Some(verdict),
                Standing::Open(_) => None,
                Standing::Unread => self.program_verdict(row),
            };
            match said {
                Some(Verdict::Yes) => wanted.push(row as usize),
                Some(Verdict::No) => unwanted.push(row as usize),
                Some(Verdict::Unsure) | None => {}
            }
        }
        wanted.sort_unstable();
        unwanted.sort_unstable();
        (wanted, unwanted)
    }

    pub fn apply(&mut self, entry: Entry) {
        match entry.act {
            Act::Mark { row, verdict, kind } => {
                let mark = RowMark { seq: entry.seq, verdict, kind, undone: false };
                let as_person = !entry.program || self.program_alone;
                let first = as_person && self.rows.get(&row).is_none_or(|marks| marks.person.is_empty());
                self.changing(row, |marks| match as_person {
                    true => marks.person.push(mark),
                    false => marks.program.push(mark),
                });
                if first && self.is_own_row(row) {
                    self.seen.push(row);
                }
                if as_person && kind == Origin::Random && self.is_own_row(row) {
                    self.frontier = self.frontier.max(self.order.position[row as usize] + 1);
                }
            }
            Act::Undo(seq) => self.set_undone(seq, true),
            Act::Redo(seq) => self.set_undone(seq, false),
        }
        if entry.program && !self.programs.contains(&entry.by) {
            self.programs.insert(entry.by.clone());
        }
        self.keys.insert(entry.key.clone(), entry.seq);
        self.log.push(entry);
    }

    fn set_undone(&mut self, seq: u64, undone: bool) {
        let Ok(at) = self.log.binary_search_by_key(&seq, |entry| entry.seq) else { return };
        let Act::Mark { row, .. } = self.log[at].act else { return };
        self.changing(row, |marks| {
            let all = marks.person.iter_mut().chain(&mut marks.program);
            all.filter(|mark| mark.seq == seq).for_each(|mark| mark.undone = undone);
        });
    }

    /// Changes what is said of a row and keeps the counts right.
    fn changing(&mut self, row: u32, change: impl FnOnce(&mut RowMarks)) {
        let own = self.is_own_row(row);
        let marks = self.rows.entry(row).or_default();
        if own {
            self.counts.add(marks, -1);
        }
        change(marks);
        if own {
            self.counts.add(marks, 1);
        }
    }
}

impl RowMarks {
    fn standing(&self) -> Standing {
        match self.person.iter().rev().find(|mark| !mark.undone).map(|mark| mark.verdict) {
            Some(Verdict::Unsure) => Standing::Open(Some(Verdict::Unsure)),
            Some(verdict) => Standing::Decided(verdict),
            None if self.person.is_empty() => Standing::Unread,
            None => Standing::Open(None),
        }
    }
}

impl Counts {
    fn add(&mut self, marks: &RowMarks, by: i64) {
        let program = marks.program.iter().rev().find(|mark| !mark.undone).map(|mark| mark.verdict);
        let count = match (marks.standing(), program) {
            (Standing::Decided(Verdict::Yes), _) => &mut self.yes,
            (Standing::Decided(_), _) => &mut self.no,
            (Standing::Open(Some(_)), _) => &mut self.unsure,
            (Standing::Open(None), _) => &mut self.undone,
            (Standing::Unread, Some(Verdict::Yes)) => &mut self.program_yes,
            (Standing::Unread, Some(Verdict::No)) => &mut self.program_no,
            (Standing::Unread, _) => return,
        };
        *count = count.saturating_add_signed(by);
    }

    pub fn read(&self) -> u64 {
        self.yes + self.no
    }
}

#[cfg(test)]
mod tests;
