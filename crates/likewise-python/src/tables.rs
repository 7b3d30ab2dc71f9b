//! The questions asked of whole tables: find, unexpected, prior; and what can be said of scores alone.

use likewise::data::{Data, PuData};
use likewise::decide;
use likewise::measure::{Labelled, report_labelled};
use likewise::prior::{self, Options, PriorReport, Ranker, Ranks};
use likewise::problem::{Choice, Problem};
use likewise::recipe::{Outcome, Recipe};
use likewise::registry;
use likewise::unexpected::{Search, method as unexpected_method};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::to_python;
use crate::model::{Model, Told, notes, parameters, word_options};
use crate::rows::{Rows, table_of};
use crate::running::{Settings, run};

/// Which columns are read, and how words are made of them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Reading {
    text: Option<Vec<String>>,
    features: Option<Vec<String>>,
    id: Option<String>,
    keep_positives: bool,
    words: Option<String>,
}

impl Reading {
    fn choice(&self) -> Choice {
        Choice {
            text: self.text.clone(),
            features: self.features.clone(),
            id: self.id.clone(),
            keep_positives: self.keep_positives,
        }
    }
}

type Scores<'py> = Bound<'py, PyArray1<f64>>;
/// Rows best first, their scores, the model, notes.
type Ranked<'py> = (Bound<'py, PyArray1<u64>>, Scores<'py>, Model, Vec<Told>);
/// Scores, which rows are unexpected, the classes of the others, notes.
type Judged<'py> = (Scores<'py>, Vec<bool>, Vec<Option<String>>, Vec<Told>);

/// Positives and pile as tables: returns the rows of the pile best first, their scores, the model, and notes.
#[pyfunction]
pub fn find<'py>(
    py: Python<'py>,
    method: &str,
    given: &str,
    positives: &Bound<'py, PyAny>,
    pile: &Bound<'py, PyAny>,
    reading: Reading,
    settings: &Settings,
) -> PyResult<Ranked<'py>> {
    let method = registry::find(method).map_err(|e| to_python(py, e))?;
    let parameters = parameters(given)?;
    let words = word_options(py, reading.words.as_deref())?;
    let like = table_of(positives, "the positives")?;
    let pile = table_of(pile, "the pile")?;
    let (order, scores, trained, told) = run(py, settings, |run| {
        let problem = Problem::of_two(like, pile, &reading.choice())?;
        let recipe = Recipe { method, parameters, input: problem.input.clone(), words };
        let Outcome { trained, scores, notes } = recipe.fit(&problem.table, problem.positive.clone(), run)?;
        let rows = problem.pile();
        let of_pile: Vec<f64> = rows.iter().map(|&row| scores[row]).collect();
        let ranking = decide::ranking(&of_pile);
        let order: Vec<u64> = ranking.iter().map(|&at| problem.table.origins[rows[at]].1 - 1).collect();
        let scores: Vec<f64> = ranking.iter().map(|&at| of_pile[at]).collect();
        Ok((order, scores, trained, [problem.notes, notes].concat()))
    })?;
    Ok((order.into_pyarray(py), scores.into_pyarray(py), Model::new(trained), notes(told)))
}

/// Known rows with their classes, then new rows: returns for each new row its score, whether it is unexpected,
/// and its class where it is not; and notes.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn unexpected<'py>(
    py: Python<'py>,
    method: &str,
    given: &str,
    known: &Bound<'py, PyAny>,
    classes: Vec<String>,
    label: Option<&str>,
    new: &Bound<'py, PyAny>,
    reading: Reading,
    settings: &Settings,
) -> PyResult<Judged<'py>> {
    let method = unexpected_method(method).map_err(|e| to_python(py, e))?;
    let parameters = parameters(given)?;
    let words = word_options(py, reading.words.as_deref())?;
    let mut table = table_of(known, "the known rows")?;
    let new = table_of(new, "the new rows")?;
    let (verdicts, told) = run(py, settings, |run| {
        let parameters = method.resolve(&parameters)?;
        let input = reading.choice().input(&table, label)?;
        reading.choice().input(&new, label)?;
        table.append(new)?;
        Search { method, parameters, input, words }.run(&table, &classes, run)
    })?;
    let scores: Vec<f64> = verdicts.iter().map(|v| v.score).collect();
    let marks = verdicts.iter().map(|v| v.unexpected).collect();
    let classes = verdicts.into_iter().map(|v| v.class).collect();
    Ok((scores.into_pyarray(py), marks, classes, notes(told)))
}

/// Estimators with their estimates and the ends of their intervals; the last is the default.
pub type Estimates = (Vec<(&'static str, f64, f64, f64)>, Vec<Told>);

/// The share of positives in a pile, from tables.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn prior_of_tables<'py>(
    py: Python<'py>,
    positives: &Bound<'py, PyAny>,
    pile: &Bound<'py, PyAny>,
    reading: Reading,
    rankers: Option<Vec<String>>,
    folds: usize,
    resamples: usize,
    settings: &Settings,
) -> PyResult<Estimates> {
    let words = word_options(py, reading.words.as_deref())?;
    let like = table_of(positives, "the positives")?;
    let pile = table_of(pile, "the pile")?;
    let options = options(py, rankers, folds, resamples)?;
    let (report, before) = run(py, settings, |run| {
        let problem = Problem::of_two(like, pile, &reading.choice())?;
        let report = problem.prior(&words, &options, run)?;
        Ok((report, problem.notes))
    })?;
    Ok(estimates(report, before))
}

/// The share of positives in a pile, from a matrix and which of its rows are positives.
#[pyfunction]
pub fn prior_of_rows<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
    positive: PyReadonlyArray1<'py, bool>,
    rankers: Option<Vec<String>>,
    folds: usize,
    resamples: usize,
    settings: &Settings,
) -> PyResult<Estimates> {
    let positive = positive.as_slice()?.to_vec();
    let options = options(py, rankers, folds, resamples)?;
    let rows = Rows::read(rows)?;
    let rows = rows.view()?;
    let report = run(py, settings, |run| {
        let Some(x) = run.install(|| rows.data())? else {
            return Err(likewise::Error::data("these rows are not numbers"));
        };
        let kinds = [likewise::data::Kind::Dense, likewise::data::Kind::Sparse];
        let x: Data = x.suited(&kinds)?;
        let kind = x.kind();
        prior::estimate(&PuData::new(x, positive)?, kind, &options, run)
    })?;
    Ok(estimates(report, Vec::new()))
}

/// The share of positives in a pile, from scores of both by a model that saw neither.
#[pyfunction]
pub fn prior_of_scores<'py>(
    py: Python<'py>,
    positives: PyReadonlyArray1<'py, f64>,
    pile: PyReadonlyArray1<'py, f64>,
    resamples: usize,
    settings: &Settings,
) -> PyResult<Estimates> {
    let (positives, pile) = (positives.as_slice()?, pile.as_slice()?);
    let options = Options { resamples, ..Options::default() };
    let report = run(py, settings, |run| {
        let ranks = Ranks::of_scores(positives, pile)?;
        run.install(|| prior::of_ranks(vec![("scores".into(), ranks)], &options, run))
    })?;
    Ok(estimates(report, Vec::new()))
}

fn options(
    py: Python<'_>,
    rankers: Option<Vec<String>>,
    folds: usize,
    resamples: usize,
) -> PyResult<Options> {
    let ranker = |name: &String| Ranker::method(name, likewise::method::Parameters::new());
    let rankers = rankers.map(|names| names.iter().map(ranker).collect::<likewise::Result<_>>());
    Ok(Options { rankers: rankers.transpose().map_err(|e| to_python(py, e))?, folds, resamples })
}

fn estimates(report: PriorReport, mut told: Vec<likewise::note::Note>) -> Estimates {
    let lines = report.estimates.iter().map(|e| (e.estimator, e.estimate, e.low, e.high)).collect();
    told.extend(report.notes);
    (lines, notes(told))
}

/// Measures of scores beside labels: name, value, and the ends of its interval. The prior is a share and the ends of
/// its own interval.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
    labelled: PyReadonlyArray1<'py, bool>,
    prior: (f64, f64, f64),
    resamples: usize,
    settings: &Settings,
) -> PyResult<Vec<(&'static str, f64, f64, f64)>> {
    let (scores, labelled) = (scores.as_slice()?, labelled.as_slice()?);
    let (prior, low, high) = prior;
    let given = Labelled { scores, labelled, prior };
    let report = run(py, settings, |run| report_labelled(given, low..=high, resamples, run))?;
    Ok(report.into_iter().map(|m| (m.measure, m.value, m.low, m.high)).collect())
}
