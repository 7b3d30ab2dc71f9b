//! What an automatic choice says of its answer, in Python's hands.

use likewise::method::Summary as Said;
use likewise_report::find::fragment;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::wording::{self, Told};

/// A summary, and the scores of the pile where they are known.
#[pyclass(frozen, module = "likewise._native")]
pub struct Summary {
    said: Said,
    scores: Option<Vec<f64>>,
}

impl Summary {
    pub fn new(said: Said, scores: Option<Vec<f64>>) -> Self {
        Summary { said, scores }
    }
}

#[pymethods]
impl Summary {
    /// From what `json` gives.
    #[new]
    #[pyo3(signature = (json, scores=None))]
    fn read(json: &str, scores: Option<Vec<f64>>) -> PyResult<Self> {
        let said = serde_json::from_str(json).map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(Summary { said, scores })
    }

    /// As `--summary` of the command line writes it.
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&self.said).map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// A few plain lines.
    fn lines(&self) -> Vec<String> {
        self.said.lines()
    }

    /// What makes the answer worth less.
    fn warnings(&self) -> Vec<Told> {
        wording::warnings(&self.said.warnings)
    }

    /// Lines and charts as HTML.
    fn html(&self) -> String {
        fragment(&self.said, self.scores.as_deref().unwrap_or_default(), &wording::parameter)
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, Option<Vec<f64>>))> {
        let class = py.import("likewise._native")?.getattr("Summary")?;
        Ok((class, (self.json()?, self.scores.clone())))
    }
}
