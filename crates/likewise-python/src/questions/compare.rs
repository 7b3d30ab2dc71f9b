//! `likewise.compare`.

use likewise::questions::compare::Compare;
use likewise::questions::truth::Truth;
use pyo3::prelude::*;

use super::{Reading, Sides};
use crate::rows::table_of;
use crate::running::{Settings, run};
use crate::wording::{Told, notes};

/// What rows of the pile are in truth.
#[derive(FromPyObject)]
pub enum Known<'py> {
    /// One for each row, in their order.
    Rows(Vec<bool>),
    /// A table, its id column, its label, and the value that means positive.
    Table(Bound<'py, PyAny>, Option<String>, String, String),
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
    reading: Reading,
    methods: Option<Vec<String>>,
    folds: usize,
    truth: Option<Known<'py>>,
    settings: &Settings,
) -> PyResult<Lines> {
    let question = Compare { methods, folds, words: reading.words(py)?, meter: None };
    let sides = Sides::read(positives, pile, &reading)?;
    let truth = match truth {
        Some(Known::Rows(positive)) => Some((None, positive)),
        Some(Known::Table(table, id, label, value)) => {
            Some((Some((table_of(&table, "the truth")?, id, label, value)), Vec::new()))
        }
        None => None,
    };
    let comparison = run(py, settings, |run| {
        let truth = match truth {
            Some((Some((table, id, label, value)), _)) => {
                Some(Truth::of_label(&table, id.as_deref(), &label, &[value])?)
            }
            Some((None, positive)) => Some(Truth::of_positions(positive)),
            None => None,
        };
        question.ask(&sides.problem()?, truth.as_ref(), run)
    })?;
    let json = serde_json::to_string(&comparison.lines)
        .map_err(|e| pyo3::exceptions::PyRuntimeError::new_err(e.to_string()))?;
    let line = comparison.line(folds);
    Ok((json, comparison.prior, line, notes(&comparison.notes)))
}
