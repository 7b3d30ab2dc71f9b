//! The second pass over a pile that does not fit into memory: what the model that was learned from its sample says of
//! every row, batch by batch.

use serde::Serialize;

use super::columns::ids;
use super::copies::{Contents, copies_of_examples};
use super::find::Found;
use super::label::is_marked;
use super::problem::glance;
use super::sample::KnownExamples;
use super::score::add_note;
use crate::automatic::whole_pile::of_sample;
use crate::codes;
use crate::data::{Table, Texts};
use crate::decide::is_positive;
use crate::error::Result;
use crate::figures::count;
use crate::method::Summary;
use crate::note::Note;
use crate::probability::Probabilities;
use crate::run::Run;
use crate::trained::Trained;

/// Rows of a batch that take part in the ranking, in their order. All lists are of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankedRows {
    /// Rows of the batch.
    pub rows: Vec<usize>,
    /// What the user calls them.
    pub ids: Texts,
    /// Where they stand in the whole pile, counted from 0.
    pub positions: Vec<usize>,
    /// Within [0, 1], larger is more likely positive.
    pub scores: Vec<f64>,
    /// Whether they are marked: a score of 0.5 or more.
    pub positive: Vec<bool>,
}

/// All rows under a model that was learned from a sample of them.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::{sample::Sampling, whole_pile::WholePile};
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "want my money back", "a refund please", "no parcel"]);
/// let mut sampling = Sampling::new(3, &ColumnChoice::default(), 0)?;
/// sampling.batch(&pile)?;
/// let sampled = sampling.problem(Some(like))?;
/// let run = Run::new(0);
/// let found = Find::new(Some("nb"), false)?.ask(&sampled.problem, &run)?;
/// let mut whole = WholePile::new(&sampled.examples, &found.trained);
/// let ranked = whole.batch(&pile, &run)?;
/// assert_eq!(ranked.ids, ["1", "2", "4"]); // row 3 says what an example says
/// assert!(ranked.scores[1] > ranked.scores[0]);
/// assert_eq!(whole.answer(&found).pile, 3);
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct WholePile<'a> {
    examples: &'a KnownExamples,
    trained: &'a Trained,
    read: usize,
    counts: RankedCounts,
    notes: Vec<Note>,
}

/// What is added up over all rows. Counts of parts add up to those of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RankedCounts {
    /// Rows that take part in the ranking.
    pub ranked: usize,
    /// Those of them that are marked.
    pub positive: usize,
    /// Rows of the pile that say what an example says.
    pub copies: usize,
}

/// What is known of the whole pile.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// How many examples it was learned from.
    pub examples: usize,
    /// With which method.
    pub method: String,
    /// Rows that were ranked.
    pub pile: usize,
    /// Rows that are marked.
    pub positive: usize,
    /// Rows of the pile that were learned from.
    pub sampled: usize,
    /// How many there are and how sure that is, with what the sample adds to the doubt; where the method can say.
    pub summary: Option<Summary>,
    /// What the user should know.
    pub notes: Vec<Note>,
}

impl<'a> WholePile<'a> {
    /// No row yet.
    pub fn new(examples: &'a KnownExamples, trained: &'a Trained) -> Self {
        WholePile { examples, trained, read: 0, counts: RankedCounts::default(), notes: Vec::new() }
    }

    /// The next rows: those that are marked already and, unless they are kept, copies of examples take no part.
    pub fn batch(&mut self, batch: &Table, run: &Run) -> Result<RankedRows> {
        let (scores, notes) = self.trained.score(batch, run)?;
        notes.into_iter().for_each(|note| add_note(&mut self.notes, note));
        let contents = Contents::of(batch, &self.examples.input)?;
        let names = ids(batch, self.examples.id.as_deref(), self.read)?;
        let mut ranked = RankedRows::default();
        let mut content = Vec::new();
        for (row, (id, score)) in names.iter().zip(scores).enumerate() {
            if let Some((column, wanted)) = &self.examples.label
                && is_marked(batch, column, wanted, row)
            {
                continue;
            }
            if contents.write(row, &mut content) && self.examples.known.contains(&content) {
                self.counts.copies += 1;
                if !self.examples.keep_positives && !self.examples.alike {
                    continue;
                }
            }
            ranked.rows.push(row);
            ranked.ids.push(id);
            ranked.positions.push(self.read + row);
            ranked.scores.push(score);
            ranked.positive.push(is_positive(score));
        }
        self.read += batch.rows();
        self.counts.ranked += ranked.rows.len();
        self.counts.positive += ranked.positive.iter().filter(|positive| **positive).count();
        Ok(ranked)
    }

    /// A row of a batch at a glance: its text, or its features.
    pub fn glance(&self, batch: &Table, row: usize) -> String {
        glance(batch, &self.examples.input, row)
    }

    /// How probable rows of a score are, where the model knows.
    pub fn probabilities(&self) -> Option<&'a Probabilities> {
        self.trained.probabilities()
    }

    /// What was counted so far.
    pub fn counts(&self) -> RankedCounts {
        self.counts
    }

    /// What is known after the last row.
    pub fn answer(self, found: &Found) -> Answer {
        answer(found, self.examples, self.counts, self.notes)
    }
}

/// What is known of a pile of which so much was counted.
pub fn answer(found: &Found, examples: &KnownExamples, counts: RankedCounts, more: Vec<Note>) -> Answer {
    let before = found.summary.as_ref();
    let summary = before.map(|summary| of_sample(summary, counts.ranked, counts.positive));
    let learned_from = found.ranking.len();
    // What was said of the sample is said of the pile instead.
    let said_anew = |note: &&Note| {
        let code = note.message.code;
        let warned = before.is_some_and(|summary| summary.warnings.contains(&note.message));
        !(code == &codes::COPIES_OF_EXAMPLES || code == &codes::BLANK_ROWS || warned)
    };
    let mut notes: Vec<Note> = found.notes.iter().filter(said_anew).cloned().collect();
    if counts.copies > 0 {
        notes.push(copies_of_examples(counts.copies, examples.keep_positives, examples.alike));
    }
    notes.extend(summary.iter().flat_map(|summary| &summary.warnings).cloned().map(Note::warn));
    notes.extend(more);
    Answer {
        examples: found.examples,
        method: found.trained.method.clone(),
        pile: counts.ranked,
        positive: counts.positive,
        sampled: learned_from,
        summary,
        notes,
    }
}

impl Answer {
    /// What was done, in a few plain lines.
    pub fn lines(&self) -> Vec<String> {
        if let Some(summary) = &self.summary {
            return summary.lines();
        }
        vec![format!(
            "Learned from {} examples and {} rows of the pile with method `{}`; ranked {} rows and marked {} as positive (score 0.5 or more).",
            count(self.examples),
            count(self.sampled),
            self.method,
            count(self.pile),
            count(self.positive)
        )]
    }
}
