//! `likewise.evaluate`: without the truth, with it, and with rows of the answer that were read.

use likewise::measure::{Labelled, report_labelled};
use likewise::questions::evaluate::ask;
use likewise::questions::read_sample;
use likewise::questions::truth::Truth;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
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

/// Places in a ranking to be read: so many of the marked rows and of the others, drawn at random.
#[pyfunction]
pub fn draw_to_read<'py>(
    py: Python<'py>,
    positive: PyReadonlyArray1<'py, bool>,
    each: usize,
    settings: &Settings,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let positive = positive.as_slice()?;
    let drawn = run(py, settings, |run| Ok(read_sample::draw(positive, each, run)))?;
    Ok(drawn.into_iter().map(|at| at as i64).collect::<Vec<_>>().into_pyarray(py))
}

/// An answer (id, score, positive) and rows of it that were read, matched by id: what that says as JSON, and notes.
#[pyfunction]
pub fn evaluate_marks<'py>(
    py: Python<'py>,
    answer: &Bound<'py, PyAny>,
    marks: &Bound<'py, PyAny>,
    id: Option<&str>,
    label: &str,
    settings: &Settings,
) -> PyResult<(String, Vec<Told>)> {
    let (answer, marks) = (table_of(answer, "the answer")?, table_of(marks, "marks")?);
    let measured = run(py, settings, |_| read_sample::ask(&answer, &marks, id, label))?;
    let json = serde_json::to_string(&measured).map_err(|e| PyRuntimeError::new_err(e.to_string()))?;
    Ok((json, notes(&measured.notes)))
}
