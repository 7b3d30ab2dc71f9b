//! Evaluate: how good is an answer, beside the truth?

use serde::Serialize;

use super::columns::{ids, numbers, repeated_ids};
use super::truth::Truth;
use crate::codes;
use crate::data::Table;
use crate::error::{Error, Result};
use crate::figures::{are, rows};
use crate::measure::{TruthReport, constant_answers, report};
use crate::note::Note;

/// The answer beside the two that need no learning.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::{evaluate::ask, truth::Truth};
/// let column = |cells: &[&str]| Column::Text(cells.iter().collect());
/// let answer = Table::from_columns(vec![
///     ("id".into(), column(&["1", "2"])),
///     ("score".into(), column(&["0.9", "0.2"])),
///     ("positive".into(), column(&["true", "false"])),
/// ])?;
/// let truth = Truth::of_label(&Table::from_texts("class", ["spam", "ham"]), None, "class", &["spam"])?;
/// assert_eq!(ask(&answer, &truth)?.answer.f1, 1.0);
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// The answer that was given.
    pub answer: TruthReport,
    /// Everything positive.
    pub all_positive: TruthReport,
    /// Everything negative.
    pub all_negative: TruthReport,
    /// What the user should know.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

/// An answer of `find` or `score` (id, score, positive) beside the truth; rows are matched by id.
pub fn ask(predictions: &Table, truth: &Truth) -> Result<Evaluation> {
    let ids = ids(predictions, None, 0)?;
    if let Some(note) = repeated_ids(predictions, &ids, None) {
        return Err(Error::data(note.message));
    }
    let scores = numbers(predictions, "score")?;
    let answers = answers(predictions)?;
    let matched = (ids.iter().enumerate())
        .map(|(row, id)| truth.of_row(id, || predictions.place(row)))
        .collect::<Result<Vec<bool>>>()?;
    let mut notes = Vec::new();
    let left = truth.len().saturating_sub(ids.len());
    if left > 0 {
        let text = format!(
            "{} of the truth {} not in the answer, which is judged without (such as the marked examples)",
            rows(left),
            are(left)
        );
        notes.push(Note::info(&codes::TRUTH_UNUSED, text).field("rows", left));
    }
    let (all_positive, all_negative) = constant_answers(&matched);
    Ok(Evaluation { answer: report(&scores, &answers, &matched), all_positive, all_negative, notes })
}

pub(super) fn answers(predictions: &Table) -> Result<Vec<bool>> {
    let column = predictions.column("positive")?;
    let answer = |row| {
        let cell = column.cell(row);
        yes_or_no(&cell).ok_or_else(|| {
            let place = predictions.place(row);
            Error::of(
                &codes::NOT_YES_OR_NO,
                format!("{place}: `{cell}` in column `positive` is neither true nor false"),
            )
        })
    };
    (0..predictions.rows()).map(answer).collect()
}

/// What people and programs write for yes and for no.
const YES: [&str; 5] = ["yes", "y", "true", "1", "wanted"];
const NO: [&str; 6] = ["no", "n", "false", "0", "-1", "unwanted"];

/// Whether a cell says yes or no; none where it says neither.
pub(super) fn yes_or_no(cell: &str) -> Option<bool> {
    let cell = cell.trim().to_lowercase();
    let said = |words: &[&str]| words.contains(&cell.as_str());
    if said(&YES) { Some(true) } else { said(&NO).then_some(false) }
}
