//! The registry as JSON, for the Python side to make classes of.

use likewise::method::{Entry, Parameter, Parameters, Spec};
use likewise::registry::{all, find};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::to_python;

#[derive(Serialize)]
struct Description {
    #[serde(flatten)]
    spec: Spec,
    non_negative: bool,
    parameters: Vec<Parameter>,
    /// The values of all parameters under each reading; empty where a method has only one.
    readings: Vec<Parameters>,
}

impl Description {
    fn of(entry: &dyn Entry) -> Self {
        use likewise::method::ParameterKind::Choice;
        let parameters = entry.parameters();
        let choices = parameters.iter().find(|p| p.name == "reading").map(|p| &p.kind);
        let readings = match choices {
            Some(Choice { choices }) => choices.iter().filter_map(|c| reading(entry, &c.name)).collect(),
            _ => Vec::new(),
        };
        Description { spec: entry.spec(), non_negative: entry.spec().non_negative(), parameters, readings }
    }
}

fn reading(entry: &dyn Entry, name: &str) -> Option<Parameters> {
    entry.resolve(&Parameters::from_iter([("reading".to_string(), name.into())])).ok()
}

/// Every registered method: what it is, its parameters, and what each reading sets them to.
#[pyfunction]
pub fn methods() -> PyResult<String> {
    let descriptions: Vec<_> = all().map(Description::of).collect();
    serde_json::to_string(&descriptions).map_err(|e| PyRuntimeError::new_err(e.to_string()))
}

/// Says what is wrong with the name of a method, if anything is.
#[pyfunction]
pub fn check_method(py: Python<'_>, name: &str) -> PyResult<()> {
    find(name).map(|_| ()).map_err(|e| to_python(py, e))
}
