//! `likewise.look`.

use likewise::questions::look::line;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Reading;
use crate::errors::to_python;
use crate::rows::table_of;
use crate::running::{Settings, run};
use crate::wording::{Told, notes};

/// What each column is taken for as JSON, the same in one line, and notes.
#[pyfunction]
pub fn look<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
    label: Option<&str>,
    reading: Reading,
    settings: &Settings,
) -> PyResult<(String, String, Vec<Told>)> {
    let table = table_of(rows, "the table")?;
    let choice = reading.choice(py)?;
    let named = choice.id.as_deref().into_iter().chain(label).chain(choice.except.iter().map(String::as_str));
    for name in named {
        table.column(name).map_err(|e| to_python(py, e))?;
    }
    let (seen, unused) = run(py, settings, |run| {
        Ok(run.install(|| (choice.seen(&table, label), choice.unused(&[&table], label))))
    })?;
    let json = serde_json::to_string(&seen).map_err(|e| PyValueError::new_err(e.to_string()))?;
    Ok((json, line(&seen), notes(unused.as_slice())))
}
