//! `likewise.compare`.

use likewise::codes;
use likewise::data::Table;
use likewise::features::words::WordOptions;
use likewise::questions::compare::{Compare, Comparison, Line};
use likewise::questions::label::marked;
use likewise::questions::truth::Truth;
use pyo3::prelude::*;

use super::{Reading, Sides};
use crate::errors::{Word, to_python};
use crate::related::{Asked, RelatedExamples};
use crate::rows::table_of;
use crate::running::{Settings, run, run_reading};
use crate::wording::{self, Told, notes_in};

/// What rows of the pile are in truth.
#[derive(FromPyObject)]
pub enum Known<'py> {
    /// The label of each row, in their order, and the one that means positive.
    Rows(Vec<String>, String),
    /// A table, the column of its labels, and the label that means positive.
    Table(Bound<'py, PyAny>, String, String),
}

impl Known<'_> {
    fn truth(
        self,
        py: Python<'_>,
        sides: &Sides,
    ) -> PyResult<impl FnOnce() -> likewise::Result<Truth> + Send + use<>> {
        let (table, column, value) = match self {
            Known::Rows(labels, _) if labels.len() != sides.pile.rows() => {
                let (labels, rows) = (labels.len(), sides.pile.rows());
                let text =
                    format!("the truth has {labels} labels and the pile has {rows} rows; give one for each");
                return Err(to_python(py, likewise::Error::of(&codes::INPUTS_DIFFER, text)));
            }
            Known::Rows(labels, value) => (Table::from_texts("label", labels), None, value),
            Known::Table(table, label, value) => (table_of(&table, "the truth")?, Some(label), value),
        };
        let id = sides.choice.id.clone().filter(|id| table.get(id).is_some());
        Ok(move || match column {
            None => Ok(Truth::of_positions(marked(&table, "label", &[value])?)),
            Some(label) => Truth::of_label(&table, id.as_deref(), &label, &[value]),
        })
    }
}

/// The lines as JSON, the believed prior, what the estimates rest on, and notes.
type Lines = (String, Option<f64>, Option<String>, Vec<Told>);

/// Several methods on one problem.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn compare<'py>(
    py: Python<'py>,
    positives: &Bound<'py, PyAny>,
    pile: &Bound<'py, PyAny>,
    unlike: Option<&Bound<'py, PyAny>>,
    reading: Reading,
    methods: Option<Vec<String>>,
    folds: usize,
    truth: Option<Known<'py>>,
    settings: &Settings,
) -> PyResult<Lines> {
    let question = Compare { methods, folds, words: reading.words(py)?, meter: None };
    let sides = Sides::read(positives, pile, unlike, &reading)?;
    let truth = truth.map(|truth| truth.truth(py, &sides)).transpose()?;
    let comparison = run(py, settings, |run| {
        let truth = truth.map(|truth| truth()).transpose()?;
        question.ask(&sides.problem()?, truth.as_ref(), run)
    })?;
    lines(comparison, folds, wording::parameter)
}

/// The same among related tables.
#[pyfunction]
pub fn compare_related<'py>(
    py: Python<'py>,
    examples: RelatedExamples<'py>,
    methods: Option<Vec<String>>,
    folds: usize,
    settings: &Settings,
) -> PyResult<Lines> {
    let question = Compare { methods, folds, words: WordOptions::default(), meter: None };
    let asked = Asked::read(&examples)?;
    let comparison = run_reading(py, settings, |run| Ok(question.ask(&asked.problem(run)?.0, None, run)?))?;
    lines(comparison, folds, wording::of_related)
}

fn lines(comparison: Comparison, folds: usize, word: Word) -> PyResult<Lines> {
    let written = |line: &Line| {
        let mut value = serde_json::to_value(line)?;
        if let (Line::Failed { error, .. }, Some(fields)) = (line, value.as_object_mut()) {
            fields.insert("error".into(), error.render(word).into());
        }
        Ok(value)
    };
    let json = comparison.lines.iter().map(written).collect::<Result<Vec<_>, serde_json::Error>>();
    let json = json.and_then(|lines| serde_json::to_string(&lines));
    let json = json.map_err(|e| pyo3::exceptions::PyRuntimeError::new_err(e.to_string()))?;
    let line = comparison.line(folds);
    Ok((json, comparison.prior, line, notes_in(&comparison.notes, word)))
}
