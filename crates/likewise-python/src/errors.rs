//! Errors of the library as Python's own, with the same words.

use likewise::Error;
use pyo3::exceptions::{PyFileNotFoundError, PyKeyboardInterrupt, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Both a `ValueError` and a `TypeError`, which only Python can define.
static PARAMETER_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// An error whose words are for the person who can mend it.
pub trait Told: Send {
    fn told(self, py: Python<'_>) -> PyErr;
}

pub fn to_python(py: Python<'_>, error: impl Told) -> PyErr {
    error.told(py)
}

impl Told for likewise::Error {
    fn told(self, py: Python<'_>) -> PyErr {
        let text = in_python(&self.to_string());
        match self {
            Error::Parameter { .. } => {
                match PARAMETER_ERROR.import(py, "likewise._errors", "ParameterError") {
                    Ok(class) => PyErr::from_type(class.clone(), (text,)),
                    Err(failed) => failed,
                }
            }
            Error::Cancelled => PyKeyboardInterrupt::new_err(text),
            Error::Data(_) | Error::UnknownMethod { .. } | Error::ModelFile(_) => PyValueError::new_err(text),
        }
    }
}

impl Told for likewise_io::Error {
    fn told(self, py: Python<'_>) -> PyErr {
        use likewise_io::Error as Io;
        let text = in_python(&self.to_string());
        match self {
            Io::Data(error) => error.told(py),
            Io::NotFound { .. } => PyFileNotFoundError::new_err(text),
            Io::Io { .. } | Io::BrokenPipe => PyOSError::new_err(text),
            Io::Usage(_)
            | Io::Empty { .. }
            | Io::BadRow { .. }
            | Io::Malformed { .. }
            | Io::NoColumn { .. } => PyValueError::new_err(text),
        }
    }
}

/// Options of the command line that have another name here.
const OTHER_NAMES: [(&str, &str); 2] = [("like", "positives"), ("in", "pile")];

/// What the command line calls `--keep-positives` is `keep_positives` here.
pub fn in_python(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("--") {
        let end = after.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(after.len());
        let (option, following) = after.split_at(end);
        out.push_str(before);
        out.push_str(&match OTHER_NAMES.iter().find(|(name, _)| *name == option) {
            Some((_, here)) => here.to_string(),
            None if option.is_empty() => "--".into(),
            None => option.replace('-', "_"),
        });
        rest = following;
    }
    out + rest
}
