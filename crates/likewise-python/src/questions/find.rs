//! `likewise.find`.

use std::sync::Arc;

use likewise::data::Table;
use likewise::features::Features;
use likewise::method::Summary as Said;
use likewise::note::Note;
use likewise::probability::Probability;
use likewise::questions::LeftOut;
use likewise::questions::Problem;
use likewise::questions::find::{FEATURES, Found};
use likewise::trained::Trained;
use likewise_report::find::{self as report, Row};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

use super::{Ending, Reading, Sides, question};
use crate::errors::Word;
use crate::model::{Model, table_of_three};
use crate::running::{Settings, run};
use crate::summary::Summary;
use crate::wording::{self, Told};

/// Positives and pile as tables: returns the positions of the pile's rows best first, their scores, and all else
/// that is known of the answer. `asked` is
/// whether rows are to have probabilities, and whether to say how sure the answer is.
#[pyfunction]
#[allow(clippy::type_complexity, clippy::too_many_arguments)]
pub fn find<'py>(
    py: Python<'py>,
    method: &str,
    given: &str,
    positives: &Bound<'py, PyAny>,
    pile: &Bound<'py, PyAny>,
    unlike: Option<&Bound<'py, PyAny>>,
    ending: Ending,
    asked: (bool, bool),
    reading: Reading,
    settings: &Settings,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, Answer)> {
    let mut question = question(py, method, given, ending, &reading)?;
    (question.probabilities, question.certainty) = asked;
    let sides = Sides::read(positives, pile, unlike, &reading)?;
    let have_ids = sides.have_ids();
    let (positions, scores, answer) = run(py, settings, |run| {
        let problem = sides.problem()?;
        let found = question.ask(&problem, run)?;
        let positions: Vec<i64> = found.ranking.positions.iter().map(|&row| row as i64).collect();
        let scores = found.ranking.scores.clone();
        Ok((positions, scores, Answer::new(found, &problem, have_ids)?))
    })?;
    Ok((positions.into_pyarray(py), scores.into_pyarray(py), answer))
}

/// What is known of an answer besides the ranking, and what a report of it needs.
#[pyclass(frozen, module = "likewise._native")]
pub struct Answer {
    trained: Arc<Trained>,
    lines: Vec<String>,
    summary: Option<Said>,
    left_out: Vec<LeftOut>,
    have_ids: bool,
    notes: Vec<Note>,
    scores: Vec<f64>,
    probabilities: Option<Vec<Probability>>,
    /// The rows that a report lists, by place in the ranking.
    listed: Vec<(usize, Row)>,
    /// The rows whose reasons a report adds up.
    telling: Table,
    /// How settings are called where it was asked.
    word: Word,
}

/// Position, id where rows have one, whether it was an example, and why it takes no part.
pub type Left = (usize, Option<String>, bool, String);

/// What takes no part, as Python tells it.
pub fn left(left_out: &[LeftOut], have_ids: bool) -> Vec<Left> {
    let reason = |left: &LeftOut| match serde_json::to_value(left.reason) {
        Ok(serde_json::Value::String(reason)) => reason,
        _ => unreachable!("a reason is a word"),
    };
    let left =
        |left: &LeftOut| (left.position, have_ids.then(|| left.id.clone()), left.example, reason(left));
    left_out.iter().map(left).collect()
}

impl Answer {
    fn new(found: Found, problem: &Problem, have_ids: bool) -> likewise::Result<Self> {
        let Found { ranking, summary, left_out, notes, .. } = &found;
        let listed = report::listed(&ranking.scores).into_iter().flatten();
        let listed = listed.map(|at| (at, Row::of(ranking, problem, at))).collect();
        let telling = problem.table().map(|table| table.select(found.telling_rows())).unwrap_or_default();
        Ok(Answer {
            lines: found.lines(),
            summary: summary.clone(),
            left_out: left_out.clone(),
            have_ids,
            notes: notes.clone(),
            scores: ranking.scores.clone(),
            probabilities: ranking.probabilities.clone(),
            listed,
            telling,
            word: wording::parameter,
            trained: Arc::new(found.trained),
        })
    }

    /// The same of examples among related tables, which are called by their keys.
    pub fn of_related(found: Found, problem: &Problem) -> likewise::Result<Self> {
        Ok(Answer { word: wording::of_related, ..Answer::new(found, problem, true)? })
    }
}

#[pymethods]
impl Answer {
    fn model(&self) -> Model {
        Model::shared(self.trained.clone())
    }

    fn summary(&self) -> Option<Summary> {
        self.summary.clone().map(|said| Summary::new(said, Some(self.scores.clone())))
    }

    /// What was done, in a few plain lines.
    fn lines(&self) -> Vec<String> {
        self.lines.clone()
    }

    fn notes(&self) -> Vec<Told> {
        wording::notes_in(&self.notes, self.word)
    }

    /// How probable each row is, best first: probability, low and high; none where nobody asked or nobody knows.
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let cells = |rows: &Vec<Probability>| rows.iter().flat_map(Probability::cells).collect();
        self.probabilities.as_ref().map(|rows| table_of_three(py, cells(rows))).transpose()
    }

    fn left_out(&self) -> Vec<Left> {
        left(&self.left_out, self.have_ids)
    }

    /// The page that `--report` of the command line writes; none where the method says nothing of its answer.
    fn report(&self, py: Python<'_>, settings: &Settings) -> PyResult<Option<String>> {
        let Some(summary) = &self.summary else { return Ok(None) };
        let rows: Vec<usize> = (0..self.telling.rows()).collect();
        let features = match &self.trained.features {
            Features::Related { .. } => Vec::new(),
            _ => run(py, settings, |run| self.trained.telling_features(&self.telling, &rows, FEATURES, run))?,
        };
        let row = |at: usize| match self.listed.binary_search_by_key(&at, |(place, _)| *place) {
            Ok(place) => {
                let Row { id, score, probability, text } = &self.listed[place].1;
                Row { id: id.clone(), score: *score, probability: *probability, text: text.clone() }
            }
            Err(_) => {
                Row { id: String::new(), score: self.scores[at], probability: None, text: String::new() }
            }
        };
        let rows: Vec<Row> = (0..self.scores.len()).map(row).collect();
        let shown = report::Found { rows: &rows, features: &features, summary, word: &self.word };
        Ok(Some(report::page(&shown)))
    }
}
