//! `likewise.evaluate`: with and without the truth.

use likewise::measure::{Labelled, report_labelled};
use likewise::questions::evaluate::ask;
use likewise::questions::truth::Truth;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::rows::table_of;
use crate::running::{Settings, run};
use crate::wording::{Told, notes};

/// Measures of scores beside labels: name, value, and the ends of its interval. The prior is a share and the ends of
/// its own interval.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
    labelled: PyReadonlyArray1<'py, bool>,
    prior: (f64, f64, f64),
    resamples: usize,
    settings: &Settings,
) -> PyResult<Vec<(&'static str, f64, f64, f64)>> {
    let (scores, labelled) = (scores.as_slice()?, labelled.as_slice()?);
    let (prior, low, high) = prior;
    let given = Labelled { scores, labelled, prior };
    let report = run(py, settings, |run| report_labelled(given, low..=high, resamples, run))?;
    Ok(report.into_iter().map(|m| (m.measure, m.value, m.low, m.high)).collect())
}

/// An answer (id, score, positive) beside a table of true labels, matched by id: the evaluation as JSON, and notes.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn evaluate_beside_truth<'py>(
    py: Python<'py>,
    answer: &Bound<'py, PyAny>,
    truth: &Bound<'py, PyAny>,
    id: Option<&str>,
    label: &str,
    positive: &str,
    settings: &Settings,
) -> PyResult<(String, Vec<Told>)> {
    let answer = table_of(answer, "the answer")?;
    let truth = table_of(truth, "the truth")?;
    let evaluation = run(py, settings, |_| ask(&answer, &Truth::of_label(&truth, id, label, &[positive])?))?;
    let json = serde_json::to_string(&evaluation).map_err(|e| PyRuntimeError::new_err(e.to_string()))?;
    Ok((json, notes(&evaluation.notes)))
}
