//! Both passes over a pile that lies elsewhere: keys to sample it by, what is learned from the sample, and what a task
//! says of its part of the pile.

use std::path::PathBuf;

use likewise::data::Table;
use likewise::questions::find::Found;
use likewise::questions::sample::{KnownExamples, Sampling, keys};
use likewise::questions::whole_pile::{RankedCounts, WholePile, answer};
use likewise::trained::Trained;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Reading, question};
use crate::errors::to_python;
use crate::model::give_embedding;
use crate::rows::table_of;
use crate::running::{Settings, run};
use crate::summary::Summary;
use crate::wording::{self, Told};

/// The keys of rows, sixteen bytes each: those of least key are the sample.
#[pyfunction]
pub fn sample_keys<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
    reading: Reading,
    seed: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let table = table_of(rows, "the pile")?;
    let choice = reading.choice(py)?;
    let keys = py.detach(|| keys(&table, &choice, seed)).map_err(|e| to_python(py, e))?;
    let bytes: Vec<u8> = keys.into_iter().flat_map(|key| key.bytes()).collect();
    Ok(PyBytes::new(py, &bytes))
}

/// What was learned from a sample of a pile.
#[pyclass(frozen, module = "likewise._native")]
pub struct Learned {
    found: Found,
    examples: KnownExamples,
}

/// Learns from examples and from the `rows` of least key among those of a pile.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn learn_from_sample<'py>(
    py: Python<'py>,
    method: &str,
    given: &str,
    positives: &Bound<'py, PyAny>,
    pile: &Bound<'py, PyAny>,
    rows: usize,
    reading: Reading,
    certainty: bool,
    settings: &Settings,
) -> PyResult<Learned> {
    let mut question = question(py, method, given, None, &reading)?;
    question.certainty = certainty;
    let (like, pile): (Table, Table) = (table_of(positives, "positives")?, table_of(pile, "the pile")?);
    let choice = reading.choice(py)?;
    run(py, settings, |run| {
        let mut sampling = Sampling::new(rows, &choice, run.seed())?;
        sampling.batch(&pile)?;
        let sampled = sampling.problem(Some(like))?;
        let found = question.ask(&sampled.problem, run)?;
        Ok(Learned { found, examples: sampled.examples })
    })
}

#[pymethods]
impl Learned {
    /// The bytes of the model's file.
    fn model<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.found.trained.to_bytes().map_err(|e| to_python(py, e))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// What a task must know besides the model.
    fn examples(&self) -> PyResult<String> {
        serde_json::to_string(&self.examples).map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// What is known of a pile of which so much was counted: how sure it is, lines, and notes.
    fn answer(
        &self,
        ranked: usize,
        positive: usize,
        copies: usize,
    ) -> (Option<Summary>, Vec<String>, Vec<Told>) {
        let counts = RankedCounts { ranked, positive, copies };
        let answer = answer(&self.found, &self.examples, counts, Vec::new());
        let summary = answer.summary.clone().map(|said| Summary::new(said, None));
        (summary, answer.lines(), wording::notes(&answer.notes))
    }
}

/// Ranks parts of a pile.
#[pyclass(frozen, module = "likewise._native")]
pub struct PartRanker {
    trained: Trained,
    examples: KnownExamples,
}

#[pymethods]
impl PartRanker {
    /// From the bytes of a model's file, what `Learned.examples` gave, and the embedding that was learned with.
    #[new]
    fn new(py: Python<'_>, model: Vec<u8>, examples: &str, embed: Option<PathBuf>) -> PyResult<Self> {
        let mut trained = Trained::from_bytes(model).map_err(|e| to_python(py, e))?;
        if let Some(path) = embed {
            give_embedding(py, &mut trained, path)?;
        }
        let read = serde_json::from_str::<KnownExamples>(examples);
        let examples = read.map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(PartRanker { trained, examples: examples.without_id() })
    }

    /// The columns that are read.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let mut columns = self.trained.features.columns_read();
        columns.extend(self.examples.columns());
        columns.sort();
        columns.dedup();
        columns
    }

    /// The rows that take part in the ranking, their scores, and how many others say what an example says.
    #[allow(clippy::type_complexity)]
    fn batch<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        settings: &Settings,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, usize)> {
        let table = table_of(rows, "the pile")?;
        let (ranked, copies) = run(py, settings, |run| {
            let mut part = WholePile::new(&self.examples, &self.trained);
            let ranked = part.batch(&table, run)?;
            Ok((ranked, part.counts().copies))
        })?;
        let places: Vec<i64> = ranked.rows.iter().map(|&row| row as i64).collect();
        Ok((places.into_pyarray(py), ranked.scores.into_pyarray(py), copies))
    }
}
