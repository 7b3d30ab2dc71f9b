//! `likewise.rehearse`.

use likewise::questions::rehearse::Rehearse;
use likewise::reading::Pick;
use likewise::reading::rehearse::{Request, StopRule};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Reading;
use crate::only_text::agree;
use crate::rows::with_labels;
use crate::running::{Settings, run};
use crate::wording::{Told, notes};

/// When to stop: a rule, the share to find, the chance to stop too early, and marks at most.
type Stopping = (String, f64, f64, Option<usize>);

/// How a reading of labelled rows goes: the answer as JSON, in plain lines, and notes. `rule` is a rule by name, and for
/// `in-a-row` how many rows that is. `label` is a column, or what to call `labels`.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn rehearse<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
    label: &str,
    labels: Option<Vec<String>>,
    positive: String,
    examples: usize,
    stopping: Stopping,
    row: usize,
    next: &str,
    reading: Reading,
    settings: &Settings,
) -> PyResult<(String, Vec<String>, Vec<Told>)> {
    let (rule, target, alpha, most) = stopping;
    let wrong = |e: serde_json::Error| PyValueError::new_err(e.to_string());
    let rule = match rule.as_str() {
        "in-a-row" => StopRule::InARow(row),
        rule => serde_json::from_value(rule.into()).map_err(wrong)?,
    };
    let pick: Pick = serde_json::from_value(next.into()).map_err(wrong)?;
    let request = Request { rule, target, alpha, examples, most, pick, ..Request::default() };
    let (mut table, label) = with_labels(rows, label, labels)?;
    let mut columns = reading.choice(py)?;
    agree(&mut [&mut table], &mut columns, Some(&label));
    let question =
        Rehearse { columns, words: reading.words(py)?, ..Rehearse::new(&label, &[positive], request) };
    let (answer, said) = run(py, settings, |run| question.ask(&table, run))?;
    let json = serde_json::to_string(&answer).map_err(wrong)?;
    Ok((json, question.lines(&answer), notes(&said)))
}
