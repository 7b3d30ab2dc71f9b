//! Sums over a pile that lies elsewhere: what a task counts of its part, and what is learned from all of them.

use likewise::questions::count::{Counting as Question, PileSums, Plan};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use super::Reading;
use crate::errors::to_python;
use crate::model::parameters;
use crate::rows::table_of;
use crate::running::{Settings, run};
use crate::wording::{self, Told};

/// Examples, and a method that learns from sums over a pile.
#[pyclass(frozen, module = "likewise._native")]
pub struct Counting(Question);

#[pymethods]
impl Counting {
    #[new]
    fn new(
        py: Python<'_>,
        method: &str,
        given: &str,
        positives: &Bound<'_, PyAny>,
        reading: Reading,
    ) -> PyResult<Self> {
        let (parameters, words) = (parameters(given)?, reading.words(py)?);
        let like = table_of(positives, "positives")?;
        let question = Question::new(method, parameters, words, like, &reading.choice(py)?);
        question.map(Counting).map_err(|e| to_python(py, e))
    }

    /// What a task must know.
    fn plan(&self) -> PyResult<String> {
        serde_json::to_string(self.0.plan()).map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// Learns from the sums of all parts: the bytes of the model's file, and what there is to say.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        parts: Vec<PyBackedBytes>,
        settings: &Settings,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<Told>)> {
        let (bytes, notes) = run(py, settings, |run| {
            let counted = self.0.finish(sum(&parts)?, run)?;
            Ok((counted.trained.to_bytes()?, counted.notes))
        })?;
        Ok((PyBytes::new(py, &bytes), wording::notes(&notes)))
    }
}

/// What a part of a pile adds up to.
#[pyclass(module = "likewise._native")]
pub struct PartCounts {
    plan: Plan,
    counts: PileSums,
}

#[pymethods]
impl PartCounts {
    /// From what `Counting.plan` gave.
    #[new]
    fn new(plan: &str) -> PyResult<Self> {
        let plan = serde_json::from_str(plan).map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(PartCounts { plan, counts: PileSums::default() })
    }

    /// The columns that are read.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.plan.columns().to_vec()
    }

    /// Adds rows.
    fn batch(&mut self, py: Python<'_>, rows: &Bound<'_, PyAny>, settings: &Settings) -> PyResult<()> {
        let table = table_of(rows, "the pile")?;
        let PartCounts { plan, counts } = self;
        run(py, settings, |run| counts.batch(plan, &table, run))
    }

    /// The sums, to be sent to others.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.counts.to_bytes().map_err(|e| to_python(py, e))?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// The sums of several parts as those of one.
#[pyfunction]
pub fn merge_counts<'py>(py: Python<'py>, parts: Vec<PyBackedBytes>) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| sum(&parts)?.to_bytes()).map_err(|e| to_python(py, e))?;
    Ok(PyBytes::new(py, &bytes))
}

fn sum(parts: &[PyBackedBytes]) -> likewise::Result<PileSums> {
    let mut all = PileSums::default();
    for part in parts {
        all.merge(&PileSums::from_bytes(part.to_vec())?);
    }
    Ok(all)
}
