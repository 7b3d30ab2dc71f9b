//! Errors of the library as Python's own, with the same words.

use likewise::Error;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Both a `ValueError` and a `TypeError`, which only Python can define.
static PARAMETER_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

pub fn to_python(py: Python<'_>, error: Error) -> PyErr {
    let text = in_python(&error.to_string());
    match error {
        Error::Parameter { .. } => match PARAMETER_ERROR.import(py, "likewise._errors", "ParameterError") {
            Ok(class) => PyErr::from_type(class.clone(), (text,)),
            Err(failed) => failed,
        },
        Error::Cancelled => PyKeyboardInterrupt::new_err(text),
        Error::Data(_) | Error::UnknownMethod { .. } | Error::ModelFile(_) => PyValueError::new_err(text),
    }
}

/// What the command line calls `--keep-positives` is `keep_positives` here.
pub fn in_python(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("--") {
        let end = after.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(after.len());
        let (option, following) = after.split_at(end);
        out.push_str(before);
        out.push_str(&if option.is_empty() { "--".into() } else { option.replace('-', "_") });
        rest = following;
    }
    out + rest
}
