//! Count: learn from sums over a pile that may lie on many machines, and get what `find` learns from the same rows.
//!
//! [`Counting`] has the examples and says what is to be counted, [`Plan`] goes to whoever has a part of the pile,
//! [`PileSums`] come back, as bytes if need be, and add up in any order. Only methods to which a pile is nothing but sums
//! can be asked ([`crate::method::CountMethod`]). The cut is the method's own: where positives hidden in the pile would
//! place it, only the rows could tell.

use serde::{Deserialize, Serialize};

use super::columns::ColumnChoice;
use super::copies::{Contents, copies_of_examples, nothing_but_copies};
use super::problem::{Content, Problem};
use super::sample::KnownExamples;
use crate::codes;
use crate::data::{PuData, Table, check_labels};
use crate::error::{Error, Result};
use crate::features::words::{Documents, TermCounts, WordOptions};
use crate::features::{Features, Input};
use crate::message::{Message, Setting};
use crate::method::{Entry, Parameters};
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::registry;
use crate::run::Run;
use crate::trained::{Trained, learn_from_sums};

/// Examples, a method, and what is to be counted for it.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::method::Parameters;
/// use likewise::questions::count::{Counting, PileSums};
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let parts = [["late parcel", "want my money back"], ["a refund please", "parcel lost"]];
/// let counting = Counting::new("nb", Parameters::new(), WordOptions::default(), like, &ColumnChoice::default())?;
/// let run = Run::new(0);
/// let mut all = PileSums::default();
/// for part in parts {
///     let mut counts = PileSums::default();
///     counts.batch(counting.plan(), &Table::from_texts("text", part), &run)?;
///     all.merge(&PileSums::from_bytes(counts.to_bytes()?)?);
/// }
/// let counted = counting.finish(all, &run)?;
/// assert_eq!((counted.rows, counted.copies), (3, 1)); // one says what an example says
/// let (scores, _) = counted.trained.score(&Table::from_texts("text", ["money", "parcel"]), &run)?;
/// assert!(scores[0] > scores[1]);
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Counting {
    method: &'static dyn Entry,
    parameters: Parameters,
    problem: Problem,
    plan: Plan,
}

/// What whoever has a part of the pile must know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    examples: KnownExamples,
    words: WordOptions,
}

/// What a part of the pile adds up to.
#[derive(Default)]
pub struct PileSums {
    words: TermCounts,
    /// Rows of the pile that say what an example says, also where they are counted all the same.
    copies: u64,
}

/// What was learned.
pub struct Counted {
    /// What scores, explains and is kept.
    pub trained: Trained,
    /// How many examples it was learned from.
    pub examples: usize,
    /// Rows of the pile that were learned from.
    pub rows: u64,
    /// Rows of the pile that say what an example says.
    pub copies: u64,
    /// What the user should know.
    pub notes: Vec<Note>,
}

impl Counting {
    /// Refuses at once what could not be finished after the pile was counted.
    pub fn new(
        method: &str,
        parameters: Parameters,
        words: WordOptions,
        like: Table,
        choice: &ColumnChoice,
    ) -> Result<Self> {
        let method = registry::find(method)?;
        if method.counted().is_none() {
            return Err(needs_rows(method.spec().name));
        }
        let parameters = method.resolve(&parameters)?;
        method.check_counted(&parameters)?;
        words.check_parts(method.spec().weights)?;
        let positive = vec![true; like.rows()];
        check_labels(&[&positive[..], &[false]].concat())?;
        let input = words_of(&like, choice)?;
        let problem = Problem::of_input(like, input.clone(), positive, choice.keep_positives)?;
        let examples = KnownExamples {
            input,
            known: Contents::of_examples(&problem)?,
            label: None,
            id: None,
            keep_positives: choice.keep_positives,
            alike: problem.alike,
        };
        Ok(Counting { method, parameters, problem, plan: Plan { examples, words } })
    }

    /// What to count by.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Learns from what all parts of the pile add up to.
    pub fn finish(&self, pile: PileSums, run: &Run) -> Result<Counted> {
        let (rows, copies, keep) = (pile.rows(), pile.copies, self.plan.examples.keep_positives);
        if rows == 0 && copies > 0 {
            return Err(nothing_but_copies());
        }
        let n = self.problem.examples();
        check_labels(&[vec![true; n], vec![false; usize::from(rows > 0)]].concat())?;
        let Content::Table { table, input } = &self.problem.content else {
            unreachable!("a table was given")
        };
        let (words, spec) = (&self.plan.words, self.method.spec());
        let (features, x, sums) =
            Features::with_counted(table, input.text_names(), pile.words, words, &spec, run)?;
        let (positive, unwanted) = (vec![true; n], vec![false; n]);
        let marked = PuData { x, positive, unwanted, truth: None, parts: Vec::new() };
        let (trained, more) =
            learn_from_sums(self.method, self.parameters.clone(), features, &marked, &sums, run)?;
        let mut notes = self.problem.notes.clone();
        if copies > 0 {
            notes.push(copies_of_examples(usize::try_from(copies).unwrap_or(usize::MAX), keep, false));
        }
        notes.extend(more);
        Ok(Counted { trained, examples: n, rows, copies, notes })
    }
}

impl Plan {
    /// The columns that are read.
    pub fn columns(&self) -> &[String] {
        self.examples.input.text_names()
    }
}

impl PileSums {
    /// Adds rows of the pile. Those that say what an example says leave it, unless they are to be kept.
    pub fn batch(&mut self, plan: &Plan, batch: &Table, run: &Run) -> Result<()> {
        let contents = Contents::of(batch, &plan.examples.input)?;
        let mut content = Vec::new();
        let copy = |row: &usize| contents.write(*row, &mut content) && plan.examples.known.contains(&content);
        let copies: Vec<usize> = (0..batch.rows()).filter(copy).collect();
        let mut documents = Documents::of(batch, plan.columns(), &plan.words.times)?;
        if !copies.is_empty() && !plan.examples.keep_positives {
            let others: Vec<usize> =
                (0..batch.rows()).filter(|row| copies.binary_search(row).is_err()).collect();
            documents = documents.select(&others);
        }
        self.copies += copies.len() as u64;
        run.install(|| self.words.batch(documents, &plan.words, run))
    }

    /// Adds what another part adds up to.
    pub fn merge(&mut self, other: &PileSums) {
        self.copies = self.copies.saturating_add(other.copies);
        self.words.merge(&other.words);
    }

    /// Rows that were counted.
    pub fn rows(&self) -> u64 {
        self.words.documents()
    }

    /// Equal sums are equal bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = Writer::default();
        out.u64s("copies", &[1], &[self.copies]);
        self.words.save(&mut out);
        out.finish()
    }

    /// Reads what `to_bytes` gave.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        let file = Reader::new(bytes)?;
        let [copies] = file.read_u64s("copies")?[..] else {
            return Err(Error::model_file("`copies` is not one number"));
        };
        Ok(PileSums { words: TermCounts::load(&file)?, copies })
    }
}

fn needs_rows(name: &str) -> Error {
    let can = registry::all().filter(|entry| entry.counted().is_some()).map(|entry| entry.spec().name);
    let can = can.collect::<Vec<_>>().join(", ");
    let problem = format!(
        "`{name}` needs the rows of the pile, not only their sums; those that learn from sums are {can}"
    );
    Error::parameter("method", problem)
}

/// The text columns. What the columns look like is no question here, since nobody sees the whole pile.
fn words_of(like: &Table, choice: &ColumnChoice) -> Result<Input> {
    if !choice.looks_at(like)
        && let input @ Input::Text(_) = choice.input(like, None)?
    {
        return Ok(input);
    }
    let message =
        Message::new(&codes::WHAT_TO_LEARN_FROM, "words alone are counted; name their columns with ");
    Err(Error::data(message.setting(Setting::with("text", "COLUMN"))))
}
