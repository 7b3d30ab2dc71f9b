//! Errors of the library as Python's own, with their code and fields.

use likewise::Error;
use likewise::message::Setting;
use pyo3::exceptions::{PyFileNotFoundError, PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use serde_json::{Map, Value};

use crate::wording::{self, parameter};

/// Both a `ValueError` and a `TypeError`, which only Python can define.
static PARAMETER_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
/// A `ValueError` with a code.
static DATA_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// An error whose words are for the person who can mend it.
pub trait Told: Send {
    fn told(self, py: Python<'_>, word: Word) -> PyErr;
}

/// How settings are called where it went wrong.
pub type Word = fn(&Setting) -> String;

pub fn to_python(py: Python<'_>, error: impl Told) -> PyErr {
    error.told(py, parameter)
}

/// The same where examples are among related tables.
pub fn of_related(py: Python<'_>, error: impl Told) -> PyErr {
    error.told(py, wording::of_related)
}

impl Told for likewise::Error {
    fn told(self, py: Python<'_>, word: Word) -> PyErr {
        let text = self.render(word);
        let class = match self {
            Error::Cancelled => return PyKeyboardInterrupt::new_err(text),
            Error::Parameter { .. } => PARAMETER_ERROR.import(py, "likewise._errors", "ParameterError"),
            Error::Data(_) | Error::UnknownMethod { .. } | Error::ModelFile(_) => {
                DATA_ERROR.import(py, "likewise._errors", "DataError")
            }
        };
        let error = class.map(|class| PyErr::from_type(class.clone(), (text,)));
        coded(py, error.unwrap_or_else(|failed| failed), self.code().name, self.fields())
    }
}

impl Told for likewise_io::Error {
    fn told(self, py: Python<'_>, word: Word) -> PyErr {
        use likewise_io::Error as Io;
        let (text, code) = (self.render(word), self.code().name);
        let (error, fields) = match self {
            Io::Data(error) => return error.told(py, word),
            Io::NotFound { path, .. } => (PyFileNotFoundError::new_err(text), fields([("path", path)])),
            Io::Io { name, .. } => (PyOSError::new_err(text), fields([("path", name)])),
            Io::BrokenPipe => (PyOSError::new_err(text), Map::new()),
            Io::Usage(message) => (data_error(py, text), message.fields),
            Io::Empty { source_name, .. } | Io::Malformed { source_name, .. } => {
                (data_error(py, text), fields([("source", source_name)]))
            }
            Io::BadRow { source_name, line, .. } => {
                let mut fields = fields([("source", source_name)]);
                fields.insert("line".into(), line.into());
                (data_error(py, text), fields)
            }
            Io::NoColumn { source_name, name, .. } => {
                (data_error(py, text), fields([("source", source_name), ("column", name)]))
            }
        };
        coded(py, error, code, fields)
    }
}

fn fields<const N: usize>(pairs: [(&str, String); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(name, value)| (name.to_string(), value.into())).collect()
}

fn data_error(py: Python<'_>, text: String) -> PyErr {
    match DATA_ERROR.import(py, "likewise._errors", "DataError") {
        Ok(class) => PyErr::from_type(class.clone(), (text,)),
        Err(failed) => failed,
    }
}

/// The same error with what programs look at.
fn coded(py: Python<'_>, error: PyErr, code: &str, fields: Map<String, Value>) -> PyErr {
    let mark = || -> PyResult<()> {
        let fields = py.import("json")?.call_method1("loads", (Value::Object(fields).to_string(),))?;
        error.value(py).setattr("code", code)?;
        error.value(py).setattr("fields", fields)
    };
    match mark() {
        Ok(()) => error,
        Err(failed) => failed,
    }
}
