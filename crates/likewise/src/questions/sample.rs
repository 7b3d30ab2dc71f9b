//! The first pass over a pile that does not fit into memory: which of its rows are learned from.
//!
//! Every row has a key, a hash of the seed and of what the row is called (its id, or its number where it has none). The
//! rows of least key are the sample, in the order of their keys. So the sample is the same however the rows are cut into
//! files and batches and, where they have ids, whatever their order. Samples of parts merge into that of the whole.
//!
//! Rows that a label marks are examples and all kept. [`super::whole_pile`] is the second pass.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::columns::{ColumnChoice, ids, repeated_ids};
use super::copies::Contents;
use super::label::{Label, Marked, is_marked};
use super::problem::{Problem, columns_of_some};
use crate::codes;
use crate::data::{Table, Texts};
use crate::error::{Error, Result};
use crate::features::Input;
use crate::figures::count;
use crate::message::{Message, Setting};
use crate::note::Note;
use crate::run::spread_hash;

/// As many as are learned from where nobody says how many.
pub const USUAL_SAMPLE: usize = 100_000;
/// With fewer rows than this the cut fails on rows that were not among them.
pub const LEAST_SAMPLE: usize = 2_000;

const SAMPLE: Setting = Setting::with("sample", "N");

/// Where a row stands in the order of the sample: hash(seed, id), and hash(seed, content) for rows of one id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(pub u64, pub u64);

impl Key {
    /// The same on every machine and in every version: samples are compared and merged by it.
    pub fn of(seed: u64, id: &str, content: &[u8]) -> Self {
        Key(spread_hash(seed, id.bytes()), spread_hash(seed, content.iter().copied()))
    }

    /// In an order of bytes that is the order of keys.
    pub fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.0.to_be_bytes());
        bytes[8..].copy_from_slice(&self.1.to_be_bytes());
        bytes
    }
}

/// The keys of the rows of a table, which tell others which of them to sample.
pub fn keys(table: &Table, choice: &ColumnChoice, seed: u64) -> Result<Vec<Key>> {
    let contents = Contents::of(table, &choice.compared(table, None)?)?;
    let mut content = Vec::new();
    let key = |(row, id): (usize, &str)| {
        contents.write_as_is(row, &mut content);
        Key::of(seed, id, &content)
    };
    Ok(ids(table, choice.id.as_deref(), 0)?.iter().enumerate().map(key).collect())
}

/// The rows of least key among those that came by so far.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::sample::Sampling;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "want my money back", "parcel lost", "no parcel"]);
/// let mut sampling = Sampling::new(3, &ColumnChoice::default(), 0)?;
/// sampling.batch(&pile)?;
/// let sampled = sampling.problem(Some(like))?;
/// assert_eq!((sampled.problem.pile().len(), sampled.pile), (3, 4));
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Sampling {
    rows: usize,
    seed: u64,
    choice: ColumnChoice,
    label: Option<Label>,
    sample: Kept,
    marked: Kept,
    /// Rows whose label is one of the values only if a value with a comma is a list; the last row can still tell.
    undecided: Kept,
    /// Rows that came by, marked ones too.
    read: usize,
}

/// Rows that are kept for now.
#[derive(Default)]
struct Kept {
    table: Table,
    keys: Vec<Key>,
    ids: Texts,
    positions: Vec<usize>,
    /// Rows of a larger key are not among the least any more.
    bound: Option<Key>,
}

impl Kept {
    fn add(&mut self, batch: &Table, rows: Vec<Chosen>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let places: Vec<usize> = rows.iter().map(|row| row.row).collect();
        // Texts of their own, or a single row would keep the whole batch in memory.
        self.table.append(batch.copied(&places))?;
        for row in rows {
            self.keys.push(row.key);
            self.ids.push(&row.id);
            self.positions.push(row.position);
        }
        Ok(())
    }

    fn merge(&mut self, other: Kept) -> Result<()> {
        self.table.append(other.table)?;
        self.keys.extend(other.keys);
        self.ids.append(other.ids);
        self.positions.extend(other.positions);
        Ok(())
    }

    /// Sorts by key and keeps the least.
    fn keep(&mut self, most: usize) {
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        order.sort_by_key(|&row| (self.keys[row], self.positions[row]));
        if order.len() > most {
            order.truncate(most);
            self.bound = order.last().map(|&row| self.keys[row]);
        }
        self.table = self.table.copied(&order);
        self.keys = order.iter().map(|&row| self.keys[row]).collect();
        // Texts of their own here too.
        self.ids = order.iter().map(|&row| &self.ids[row]).collect();
        self.positions = order.iter().map(|&row| self.positions[row]).collect();
    }

    /// Takes the rows out for which this holds, in their order.
    fn take(&mut self, chosen: impl Fn(&Table, usize) -> bool) -> Kept {
        let (out, rest): (Vec<usize>, Vec<usize>) =
            (0..self.keys.len()).partition(|&row| chosen(&self.table, row));
        let part = |rows: &[usize]| Kept {
            table: self.table.copied(rows),
            keys: rows.iter().map(|&row| self.keys[row]).collect(),
            ids: rows.iter().map(|&row| &self.ids[row]).collect(),
            positions: rows.iter().map(|&row| self.positions[row]).collect(),
            bound: self.bound,
        };
        let (out, rest) = (part(&out), part(&rest));
        *self = rest;
        out
    }
}

struct Chosen {
    row: usize,
    key: Key,
    id: String,
    position: usize,
}

impl Sampling {
    /// Keeps so many rows of the pile.
    pub fn new(rows: usize, choice: &ColumnChoice, seed: u64) -> Result<Self> {
        if rows == 0 {
            return Err(Error::parameter("sample", "a sample has one row or more; 100000 is a good size"));
        }
        Ok(Sampling {
            rows,
            seed,
            choice: choice.clone(),
            label: None,
            sample: Kept::default(),
            marked: Kept::default(),
            undecided: Kept::default(),
            read: 0,
        })
    }

    /// Rows whose label has one of the values are examples.
    pub fn with_label<S: AsRef<str>>(mut self, column: &str, values: &[S]) -> Self {
        self.label = Some(Label::new(column, values));
        self
    }

    /// The next rows.
    pub fn batch(&mut self, batch: &Table) -> Result<()> {
        let label = self.label.as_ref().map(|label| label.column.as_str());
        let contents = Contents::of(batch, &self.choice.compared(batch, label)?)?;
        let ids = ids(batch, self.choice.id.as_deref(), self.read)?;
        let column = self.label.as_ref().and_then(|label| batch.get(&label.column));
        let (mut sample, mut marked, mut undecided) = (Vec::new(), Vec::new(), Vec::new());
        let mut content = Vec::new();
        for (row, id) in ids.iter().enumerate() {
            // Not every batch of JSON lines has a row with the label.
            let mark = match (&mut self.label, column) {
                (Some(label), Some(column)) => label.look(&column.cell(row)),
                _ => Marked::No,
            };
            let first = spread_hash(self.seed, id.bytes());
            if mark == Marked::No && self.sample.bound.is_some_and(|bound| first > bound.0) {
                continue;
            }
            contents.write_as_is(row, &mut content);
            let key = Key(first, spread_hash(self.seed, content.iter().copied()));
            let chosen = Chosen { row, key, id: id.to_string(), position: self.read + row };
            match mark {
                Marked::Yes => marked.push(chosen),
                Marked::IfAList => undecided.push(chosen),
                Marked::No if self.sample.bound.is_some_and(|bound| key > bound) => {}
                Marked::No => sample.push(chosen),
            }
        }
        self.read += batch.rows();
        self.sample.add(batch, sample)?;
        self.marked.add(batch, marked)?;
        self.undecided.add(batch, undecided)?;
        if self.sample.keys.len() / 2 >= self.rows {
            self.sample.keep(self.rows);
        }
        Ok(())
    }

    /// Adds the rows of another part of the pile, sampled with the same settings.
    pub fn merge(&mut self, other: Sampling) -> Result<()> {
        self.sample.merge(other.sample)?;
        self.marked.merge(other.marked)?;
        self.undecided.merge(other.undecided)?;
        if let (Some(ours), Some(theirs)) = (&mut self.label, other.label) {
            ours.merge(theirs);
        }
        self.read += other.read;
        self.sample.keep(self.rows);
        Ok(())
    }

    /// What is learned from: the examples, and the sample. Without `like`, the rows that the label marks are the
    /// examples, in the order of their keys.
    pub fn problem(mut self, like: Option<Table>) -> Result<Sampled> {
        let label = match &self.label {
            Some(label) => Some((label.column.clone(), label.wanted()?)),
            None => None,
        };
        if let Some((column, wanted)) = &label {
            let listed = self.undecided.take(|table, row| is_marked(table, column, wanted, row));
            self.marked.merge(listed)?;
            self.sample.merge(std::mem::take(&mut self.undecided))?;
        }
        self.marked.keep(usize::MAX);
        self.sample.keep(self.rows);
        let (pile, sampled) = (self.read - self.marked.keys.len(), self.sample.keys.len());
        let named = label.as_ref().map(|(column, _)| column.as_str());
        let mut notes: Vec<Note> = Vec::new();
        notes.extend(repeated_ids(&self.sample.table, &self.sample.ids, self.choice.id.as_deref()));
        notes.extend(self.said_of_the_size(pile));
        let mut one_sided = None;
        let (mut table, mut names, mut positions) = match like {
            Some(like) => {
                let names = ids(&like, self.choice.id.as_deref(), 0)?;
                let pile = Some(&self.sample.table).filter(|_| sampled > 0);
                one_sided = columns_of_some([Some(&like), pile].into_iter().flatten(), &self.choice)?;
                let positions = (0..like.rows()).collect();
                (like, names, positions)
            }
            None => (self.marked.table, self.marked.ids, self.marked.positions),
        };
        let examples = table.rows();
        table.append(self.sample.table)?;
        let (input, taken) = match one_sided {
            Some(one_sided) => {
                self.choice.look(&table, named, &one_sided).map(|(i, note)| (i, Some(note)))?
            }
            None => self.choice.looked(&table, named)?,
        };
        notes.extend(taken);
        names.append(self.sample.ids);
        positions.extend(self.sample.positions);
        let positive = (0..table.rows()).map(|row| row < examples).collect();
        let keep = self.choice.keep_positives;
        let problem = Problem::of_sample(table, input.clone(), positive, names, positions, notes, keep)?;
        let known = Contents::of_examples(&problem)?;
        let (id, alike) = (self.choice.id, problem.alike);
        let examples = KnownExamples { input, known, label, id, keep_positives: keep, alike };
        Ok(Sampled { problem, sampled, pile, examples })
    }

    fn said_of_the_size(&self, pile: usize) -> Option<Note> {
        let sampled = self.sample.keys.len();
        if sampled >= LEAST_SAMPLE || sampled >= pile {
            return None;
        }
        let text = format!(
            "only {} of {} rows of the pile are learned from: below {} the cut often fails on the others, so trust the ranking more than the marks, or take more with ",
            count(sampled),
            count(pile),
            count(LEAST_SAMPLE)
        );
        let message = Message::new(&codes::SMALL_SAMPLE, text).setting(SAMPLE);
        Some(Note::warn(message.field("sampled", sampled).field("pile", pile).field("least", LEAST_SAMPLE)))
    }
}

/// What the first pass found.
pub struct Sampled {
    /// Examples and sample, to be learned from.
    pub problem: Problem,
    /// Rows of the sample, copies of examples among them, which are left out of the problem.
    pub sampled: usize,
    /// Rows of the whole pile, without those that are marked.
    pub pile: usize,
    /// What the second pass must know, wherever it runs.
    pub examples: KnownExamples,
}

/// What tells the rows that are ranked from those that are examples or say what one says. It can be sent to others, who
/// rank a part of the pile.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KnownExamples {
    pub(super) input: Input,
    /// Their contents.
    pub(super) known: BTreeSet<Vec<u8>>,
    /// The column that marks them, and its values.
    pub(super) label: Option<(String, Vec<String>)>,
    pub(super) id: Option<String>,
    pub(super) keep_positives: bool,
    /// Rows that say what an example says are ordinary in this pile, and stay.
    pub(super) alike: bool,
}

impl KnownExamples {
    /// The same for rows of which nobody asks what they are called.
    pub fn without_id(&self) -> Self {
        KnownExamples { id: None, ..self.clone() }
    }

    /// The columns that the second pass reads, besides those of the model.
    pub fn columns(&self) -> Vec<String> {
        self.input
            .names()
            .into_iter()
            .cloned()
            .chain(self.label.iter().map(|(column, _)| column.clone()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use proptest::prelude::*;

    fn table(rows: &[(String, String, &str)]) -> Table {
        let mut table = Table::from_source("pile");
        table.push_column("id", Column::Text(rows.iter().map(|row| &row.0).collect()));
        table.push_column("text", Column::Text(rows.iter().map(|row| &row.1).collect()));
        table.push_column("about", Column::Text(rows.iter().map(|row| row.2).collect()));
        table.origins = (0..rows.len()).map(|row| (0, row as u64 + 1)).collect();
        table
    }

    /// Some ids stand for several rows, and some texts say what an example says.
    fn rows(count: usize) -> Vec<(String, String, &'static str)> {
        let row = |i: usize| {
            (format!("r{}", i % 50), format!("word{} word{}", i % 13, i), if i % 9 == 4 { "yes" } else { "" })
        };
        (0..count).map(row).collect()
    }

    fn sampled(parts: &[Table], merged: bool) -> (Texts, Vec<String>, Vec<bool>, usize) {
        let new = || Sampling::new(20, &ColumnChoice::default(), 3).unwrap().with_label("about", &["yes"]);
        let mut sampling = new();
        for part in parts {
            if merged {
                let mut own = new();
                own.batch(part).unwrap();
                sampling.merge(own).unwrap();
            } else {
                sampling.batch(part).unwrap();
            }
        }
        let found = sampling.problem(None).unwrap();
        let table = found.problem.table().unwrap();
        let texts =
            (0..table.rows()).map(|row| table.column("text").unwrap().cell(row).into_owned()).collect();
        (found.problem.ids.clone(), texts, found.problem.positive.clone(), found.pile)
    }

    proptest! {
        #[test]
        fn neither_order_nor_parts_change_the_sample(
            cuts in proptest::collection::vec(0..120usize, 0..6),
            turn in 0..120usize,
        ) {
            let all = rows(120);
            let whole = sampled(&[table(&all)], false);
            prop_assert_eq!(whole.0.len(), 20 + 13);
            let turned: Vec<_> = all[turn..].iter().chain(&all[..turn]).cloned().collect();
            let mut cuts = cuts;
            cuts.extend([0, 120]);
            cuts.sort();
            let parts: Vec<Table> = cuts.windows(2).filter(|w| w[0] < w[1]).map(|w| table(&turned[w[0]..w[1]])).collect();
            prop_assert_eq!(&sampled(&parts, false), &whole);
            prop_assert_eq!(&sampled(&parts, true), &whole);
        }
    }

    #[test]
    fn keys_are_those_of_every_version() {
        assert_eq!(Key::of(0, "m1", b"").0, 0xab23_14a6_1886_4814);
        assert_eq!(Key::of(7, "m1", b"").0, 0x4d67_f84a_0567_96a7);
        assert_eq!(Key::of(0, "m1", b"").1, 0x7bd3_144f_29c0_cc9e);
        let (a, b) = (Key(1, u64::MAX), Key(2, 0));
        assert!(a < b && a.bytes() < b.bytes());
    }

    #[test]
    fn each_row_is_as_likely_as_the_others() {
        // 2,000 of 10,000 numbers: each tenth of them holds 200, give or take 4 deviations of 12.6.
        let mut keys: Vec<(Key, usize)> = (0..10_000).map(|i| (Key::of(0, &i.to_string(), b""), i)).collect();
        keys.sort();
        let mut tenths = [0usize; 10];
        keys[..2_000].iter().for_each(|(_, i)| tenths[i / 1_000] += 1);
        assert!(tenths.iter().all(|count| (150..=250).contains(count)), "{tenths:?}");
    }
}
