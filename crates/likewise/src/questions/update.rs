//! Update: a kept model and new marks, with or without a pile.
//!
//! A model does not keep the examples it was learned from. Without a pile it is corrected: what it has learned is the
//! anchor, and the new marks move it ([`crate::correction`]). With a pile it learns again, with the settings that it
//! keeps, from the marks that are given, so the old ones are to be given again beside the new.

use serde::Serialize;

use super::columns::ColumnChoice;
use super::find::{Find, Found};
use super::problem::Problem;
use crate::codes;
use crate::correction::Correction;
use crate::data::Table;
use crate::decide::is_positive;
use crate::drift::Baseline;
use crate::error::{Error, Result};
use crate::features::{Features, words::WordOptions};
use crate::figures::count;
use crate::message::{Message, Setting};
use crate::note::Note;
use crate::registry;
use crate::run::Run;
use crate::trained::Trained;

/// New marks of a kept model.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::update::Update;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund please", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// let trained = Find::new(Some("nb"), false)?.ask(&problem, &Run::new(0))?.trained;
/// let marks = Update { like: Some(Table::from_texts("text", ["the parcel is lost"])), ..Update::default() };
/// let updated = marks.correct(trained, &Run::new(0))?;
/// assert_eq!((updated.examples, updated.right), (1, 1));
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Default)]
pub struct Update {
    /// Rows that are wanted.
    pub like: Option<Table>,
    /// Rows that are not.
    pub unlike: Option<Table>,
    /// What to call a row, where it learns again.
    pub id: Option<String>,
    /// The seed to learn again with; none is that of the model.
    pub seed: Option<u64>,
}

/// A model that was corrected.
#[derive(Serialize)]
pub struct Updated {
    /// New examples.
    pub examples: usize,
    /// New rows known not to be wanted.
    pub unwanted: usize,
    /// Of both, how many were on their side of the cut.
    pub right_before: usize,
    /// How many are now.
    pub right: usize,
    /// What the user should know.
    pub notes: Vec<Note>,
    /// The model.
    #[serde(skip)]
    pub trained: Trained,
}

impl Update {
    /// Corrects the model by the marks alone.
    pub fn correct(self, mut trained: Trained, run: &Run) -> Result<Updated> {
        if let Features::Related { target, .. } = &trained.features {
            return Err(Error::data(format!(
                "the model is of `{target}`, about related tables, and cannot be corrected by marks alone; learn it again"
            )));
        }
        let examples = self.like.as_ref().map_or(0, Table::rows);
        let table = match (self.like, self.unlike) {
            (Some(mut like), Some(unlike)) => {
                like.append(unlike)?;
                like
            }
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Table::default(),
        };
        let (x, mut notes) = match table.rows() {
            0 => return Err(no_mark()),
            _ => trained.features.transform(&table, run)?,
        };
        let blank = trained.features.blank_rows(&x);
        let told: Vec<usize> = (0..x.rows()).filter(|row| blank.binary_search(row).is_err()).collect();
        if told.is_empty() {
            return Err(no_mark());
        }
        if !blank.is_empty() {
            let text = format!(
                "{} marked rows hold nothing that the model knows and teach nothing",
                count(blank.len())
            );
            notes.push(Note::warning(&codes::BLANK_EXAMPLES, text).field("rows", blank.len()));
        }
        let (x, wanted) = (x.select(&told), told.iter().map(|&row| row < examples).collect::<Vec<bool>>());
        let right =
            |scores: &[f64]| scores.iter().zip(&wanted).filter(|(s, w)| is_positive(**s) == **w).count();
        let before = trained.score_placed(&x, run)?;
        let mean = trained.baseline.as_ref().map_or(&[][..], Baseline::mean_row);
        let more = Correction::learn(&x, &wanted, &before, mean, run)?;
        trained.correction = Some(more.and(trained.correction.as_ref()));
        // What new rows were compared with, and how probable they are, was said of the scores before.
        trained.baseline = None;
        trained.probabilities = None;
        let after = trained.score_placed(&x, run)?;
        let examples = wanted.iter().filter(|wanted| **wanted).count();
        let unwanted = wanted.len() - examples;
        Ok(Updated { examples, unwanted, right_before: right(&before), right: right(&after), notes, trained })
    }

    /// Learns again with the settings of the model, from the marks and this pile.
    pub fn learn(self, trained: &Trained, pile: Table, run: &Run) -> Result<Found> {
        let mut choice = ColumnChoice { id: self.id, ..ColumnChoice::default() };
        let mut words = WordOptions::default();
        for block in trained.features.blocks() {
            match block {
                Features::Words { columns, words: own } => {
                    choice.text = Some(columns.clone());
                    words = own.options().clone();
                }
                Features::Columns(columns) => choice.features = Some(columns.names()),
                Features::Vectors(vectors) => match vectors.made() {
                    Some(made) => choice.embedding = Some(made.needed()?.clone()),
                    None => choice.vectors = Some(vectors.names().to_vec()),
                },
                Features::Matrix(_) if pile.sparse.is_some() => {}
                Features::Matrix(rows) => choice.features = Some(rows.columns()),
                Features::Joined(_) => {}
                Features::Related { target, .. } => {
                    return Err(Error::data(format!(
                        "the model is of `{target}`, about related tables; learn it again from those"
                    )));
                }
            }
        }
        let Some(like) = self.like else {
            let message = Message::new(
                &codes::NO_POSITIVE,
                "learning again needs examples, old ones too: give them with ",
            );
            return Err(Error::data(message.setting(Setting::with("like", "FILE"))));
        };
        let problem = Problem::of_three(like, self.unlike, pile, &choice)?;
        let find = Find {
            method: registry::find(&trained.method)?,
            parameters: trained.parameters.clone(),
            words,
            ends: trained.ends,
            certainty: false,
            baseline: true,
            probabilities: trained.probabilities().is_some(),
        };
        let mut found = find.ask(&problem, &run.with_seed(self.seed.unwrap_or(trained.seed)))?;
        found.trained.labels = trained.labels.clone();
        found.trained.calibrated = trained.calibrated;
        if let Some(before) = trained.examples().filter(|before| found.examples < *before) {
            let text = format!(
                "learned from {} examples, and the model before from {}, which it does not keep: give those too, or leave the pile out to keep what it has learned",
                count(found.examples),
                count(before)
            );
            found.notes.push(Note::warning(&codes::EXAMPLES_FORGOTTEN, text).field("before", before));
        }
        Ok(found)
    }
}

fn no_mark() -> Error {
    let message =
        Message::new(&codes::NO_POSITIVE, "there is no new mark that teaches anything; give rows with ");
    let message = message.setting(Setting::with("like", "FILE")).text(" or ");
    Error::data(message.setting(Setting::with("unlike", "FILE")))
}

impl Updated {
    /// What was done, in a plain line.
    pub fn line(&self) -> String {
        let all = self.examples + self.unwanted;
        format!(
            "Corrected by {} examples and {} rows known not to be wanted: {} of these {} are on their side of the cut, {} were before.",
            count(self.examples),
            count(self.unwanted),
            count(self.right),
            count(all),
            count(self.right_before)
        )
    }
}
