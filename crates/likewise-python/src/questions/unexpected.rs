//! `likewise.unexpected`.

use likewise::questions::unexpected::{Classes, Unexpected};
use likewise::registry;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Reading;
use crate::errors::to_python;
use crate::model::parameters;
use crate::only_text::agree;
use crate::rows::table_of;
use crate::running::{Settings, run};
use crate::wording::{Told, notes};

/// Scores, which rows are unexpected, the classes of the others, notes, what was done in a line, and in figures.
type Judged<'py> = (Bound<'py, PyArray1<f64>>, Vec<bool>, Vec<Option<String>>, Vec<Told>, String, String);

/// Known rows with their classes (the name of a column, or one for each row), then new rows.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn unexpected<'py>(
    py: Python<'py>,
    method: &str,
    given: &str,
    known: &Bound<'py, PyAny>,
    label: Option<&str>,
    classes: Option<Vec<String>>,
    new: &Bound<'py, PyAny>,
    reading: Reading,
    settings: &Settings,
) -> PyResult<Judged<'py>> {
    let mut question = Unexpected {
        method: registry::find(method).map_err(|e| to_python(py, e))?,
        parameters: parameters(given)?,
        columns: reading.choice(py)?,
        words: reading.words(py)?,
    };
    let mut known = table_of(known, "known")?;
    let mut new = table_of(new, "new")?;
    let judged = run(py, settings, |run| {
        agree(&mut [&mut known, &mut new], &mut question.columns, label);
        let classes = match (label, classes) {
            (Some(label), _) => Classes::Column(label),
            (None, classes) => Classes::Given(classes.unwrap_or_default()),
        };
        question.ask(known, classes, new, run)
    })?;
    let line = judged.line();
    let figures =
        serde_json::to_string(&judged.summary()).map_err(|e| PyValueError::new_err(e.to_string()))?;
    let scores: Vec<f64> = judged.verdicts.iter().map(|v| v.score).collect();
    let marks = judged.verdicts.iter().map(|v| v.unexpected).collect();
    let classes = judged.verdicts.into_iter().map(|v| v.class).collect();
    Ok((scores.into_pyarray(py), marks, classes, notes(&judged.notes), line, figures))
}
