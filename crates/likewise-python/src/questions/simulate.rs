//! `likewise.simulate`.

use likewise::questions::simulate::{Bias, Simulate};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use super::Reading;
use crate::only_text::agree;
use crate::rows::with_labels;
use crate::running::{Settings, run};
use crate::wording::{Told, notes};

/// The rows that are marked, those of the pile, what these are in truth, what was done in a line, and notes.
type Drawn<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Vec<bool>, String, Vec<Told>);

/// A problem with a known truth out of a labelled table. `bias` is a column of numbers or none, and a strength. `label` is a
/// column, or what to call `labels`.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn simulate<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
    label: &str,
    labels: Option<Vec<String>>,
    positive: String,
    labelled: usize,
    bias: Option<(Option<String>, f64)>,
    alpha: Option<f64>,
    reading: Reading,
    settings: &Settings,
) -> PyResult<Drawn<'py>> {
    let (mut table, label) = with_labels(rows, label, labels)?;
    let bias = bias.map(|(by, strength)| Bias { by, strength });
    let mut columns = reading.choice(py)?;
    agree(&mut [&mut table], &mut columns, Some(&label));
    let question = Simulate { label, positive: vec![positive], labelled, bias, alpha, columns };
    let found = run(py, settings, |run| question.ask(&table, run))?;
    let numbers = |rows: &[usize]| rows.iter().map(|&row| row as i64).collect::<Vec<i64>>().into_pyarray(py);
    let line = found.line();
    Ok((numbers(&found.drawn.like), numbers(&found.drawn.pile), found.truth, line, notes(&found.notes)))
}
