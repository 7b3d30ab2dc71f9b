//! `likewise.prior`.

use likewise::features::words::WordOptions;
use likewise::prior::{PriorOptions, PriorReport};
use likewise::questions::prior::{ask, of_scores, rankers};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use super::{Reading, Sides};
use crate::errors::to_python;
use crate::related::{Asked, RelatedExamples};
use crate::running::{Settings, run, run_reading};
use crate::wording::{Told, notes};

/// Estimators with their estimates and the ends of their intervals; the last is the default. Then notes.
pub type Estimates = (Vec<(&'static str, f64, f64, f64)>, Vec<Told>);

/// The share of positives in a pile, from tables.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn prior_of_tables<'py>(
    py: Python<'py>,
    positives: &Bound<'py, PyAny>,
    pile: &Bound<'py, PyAny>,
    unlike: Option<&Bound<'py, PyAny>>,
    reading: Reading,
    methods: Option<Vec<String>>,
    folds: usize,
    resamples: usize,
    settings: &Settings,
) -> PyResult<Estimates> {
    let words = reading.words(py)?;
    let sides = Sides::read(positives, pile, unlike, &reading)?;
    let rankers = methods.map(|names| rankers(&names)).transpose().map_err(|e| to_python(py, e))?;
    let options = PriorOptions { rankers, folds, resamples };
    Ok(estimates(run(py, settings, |run| ask(&sides.problem()?, &words, &options, run))?))
}

/// The share of positives among the other examples of related tables.
#[pyfunction]
pub fn prior_related<'py>(
    py: Python<'py>,
    examples: RelatedExamples<'py>,
    folds: usize,
    resamples: usize,
    settings: &Settings,
) -> PyResult<Estimates> {
    let asked = Asked::read(&examples)?;
    let options = PriorOptions { folds, resamples, ..PriorOptions::default() };
    let words = WordOptions::default();
    let report = run_reading(py, settings, |run| Ok(ask(&asked.problem(run)?.0, &words, &options, run)?))?;
    Ok(estimates(report))
}

/// The share of positives in a pile, from scores of both by a model that saw neither.
#[pyfunction]
pub fn prior_of_scores<'py>(
    py: Python<'py>,
    positives: PyReadonlyArray1<'py, f64>,
    pile: PyReadonlyArray1<'py, f64>,
    resamples: usize,
    settings: &Settings,
) -> PyResult<Estimates> {
    let (positives, pile) = (positives.as_slice()?, pile.as_slice()?);
    let options = PriorOptions { resamples, ..PriorOptions::default() };
    Ok(estimates(run(py, settings, |run| of_scores(positives, pile, &options, run))?))
}

fn estimates(report: PriorReport) -> Estimates {
    let lines = report.estimates.iter().map(|e| (e.estimator, e.estimate, e.low, e.high)).collect();
    (lines, notes(&report.notes))
}
