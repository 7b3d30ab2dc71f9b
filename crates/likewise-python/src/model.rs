//! A trained recipe in Python's hands.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use likewise::Run;
use likewise::data::{Data, PuData, Table, check_labels};
use likewise::decide;
use likewise::drift::share::Share;
use likewise::ends::Moved;
use likewise::features::{Features, embedding::Embedded, rows::MatrixFeatures, words::WordOptions};
use likewise::method::{Entry, Parameters, Spec, Summary as Said};
use likewise::probability::Probability;
use likewise::questions::ColumnChoice;
use likewise::questions::explain::{self, Explained};
use likewise::questions::score::Score;
use likewise::registry;
use likewise::trained::{Asked, Outcome, Trained, fit_marks, learn};
use likewise_io::embedding::read_embedding;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;

use crate::errors::to_python;
use crate::kept;
use crate::only_text::{agree, call, only_text};
use crate::questions::{Ending, Reading, ends};
use crate::rows::{PyRows, THE_ROWS, View, table_of};
use crate::running::{Settings, run};
use crate::summary::Summary;
use crate::wording::{Told, notes};

/// A trained model. It never changes.
#[pyclass(frozen, module = "likewise._native")]
pub struct Model {
    trained: Arc<Trained>,
}

/// The parameters of a method as JSON.
pub fn parameters(json: &str) -> PyResult<Parameters> {
    serde_json::from_str(json).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// Word options as JSON; what is left out has its default.
pub fn word_options(py: Python<'_>, json: Option<&str>) -> PyResult<WordOptions> {
    let Some(json) = json else { return Ok(WordOptions::default()) };
    let given = parameters(json)?;
    let wrong = |name: &str, problem: String| to_python(py, likewise::Error::parameter(name, problem));
    let defaults = serde_json::to_value(WordOptions::default());
    let Ok(Value::Object(mut options)) = defaults else { unreachable!("options are a struct") };
    for (name, value) in given {
        let Some(option) = options.get_mut(&name) else {
            let known: Vec<_> = options.keys().map(String::as_str).collect();
            return Err(wrong(
                &name,
                format!("there is no such word option; there are {}", known.join(", ")),
            ));
        };
        let before = std::mem::replace(option, value);
        let changed = Value::Object(options.clone());
        if let Err(error) = serde_json::from_value::<WordOptions>(changed) {
            return Err(wrong(&name, format!("{error} (the default is {before})")));
        }
    }
    serde_json::from_value(Value::Object(options)).map_err(|e| wrong("words", e.to_string()))
}

/// The model, a score for each row, what hidden positives say of them where they were asked, and notes.
type Learned<'py> = (Model, Bound<'py, PyArray1<f64>>, Option<Summary>, Vec<Told>);

/// Trains a method on rows (documents or a matrix).
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit<'py>(
    py: Python<'py>,
    method: &str,
    given: &str,
    rows: &Bound<'py, PyAny>,
    names: Vec<String>,
    positive: PyReadonlyArray1<'py, bool>,
    unwanted: Option<PyReadonlyArray1<'py, bool>>,
    reading: Reading,
    labels: Option<&str>,
    ending: Ending,
    calibrated: bool,
    settings: &Settings,
) -> PyResult<Learned<'py>> {
    let ends = ends(py, ending)?;
    // Whoever says nothing of the cut reads no more of the answer than where it is.
    let cut_alone = ends.is_none() && !calibrated;
    let asked = Asked { ends, probabilities: calibrated, certainty: false, cut_alone };
    let method = registry::find(method).map_err(|e| to_python(py, e))?;
    let parameters = parameters(given)?;
    let (words, mut choice) = (reading.words(py)?, reading.choice(py)?);
    let labels = labels.map(serde_json::from_str).transpose();
    let labels = labels.map_err(|e| PyValueError::new_err(e.to_string()))?;
    let positive = positive.as_slice()?.to_vec();
    let unwanted = match unwanted {
        Some(unwanted) => unwanted.as_slice()?.to_vec(),
        None => vec![false; positive.len()],
    };
    let mut rows = PyRows::read(rows)?;
    if let PyRows::Table(table) = &mut rows {
        agree(&mut [table], &mut choice, None);
    }
    let rows = rows.view()?;
    let (Outcome { mut trained, scores, notes: told }, said) =
        run(py, settings, |run| match (run.install(|| rows.data())?, rows) {
            (Some(x), _) => {
                let view = |spec: &Spec| {
                    let (_, x) = MatrixFeatures::fit(x.clone(), names.clone(), spec)?;
                    PuData::new(x, positive.clone())?.with_unwanted(unwanted.clone())
                };
                let (names, marks) = (names.clone(), (positive.clone(), unwanted.clone()));
                let mut outcome = fit_marks(method, &parameters, x.clone(), names, marks.0, marks.1, run)?;
                let said = outcome.end_rows(method, &asked, &view, run)?;
                Ok((outcome, said))
            }
            (None, View::Table(table)) => {
                let documents =
                    Documents { table, choice: &choice, words: &words, positive, unwanted, asked };
                documents.fit(method, &parameters, run)
            }
            (None, _) => unreachable!("a matrix is data"),
        })?;
    (trained.labels, trained.calibrated) = (labels, calibrated);
    let said = said.map(|said| Summary::new(said, None));
    Ok((Model::new(trained), scores.into_pyarray(py), said, notes(&told)))
}

/// Documents, or what was said of the columns of a table, as they stand: an estimator answers for each row that
/// it is given.
struct Documents<'a> {
    table: &'a Table,
    choice: &'a ColumnChoice,
    words: &'a WordOptions,
    positive: Vec<bool>,
    unwanted: Vec<bool>,
    asked: Asked,
}

impl Documents<'_> {
    fn fit(
        &self,
        method: &'static dyn Entry,
        parameters: &Parameters,
        run: &Run,
    ) -> likewise::Result<(Outcome, Option<Said>)> {
        check_labels(&self.positive)?;
        let parameters = method.resolve(parameters)?;
        let (input, taken) = self.choice.looked(self.table, None)?;
        let marked = |x: Data| PuData::new(x, self.positive.clone())?.with_unwanted(self.unwanted.clone());
        let (features, x, mut notes) = Features::fit(self.table, &input, self.words, &method.spec(), run)?;
        notes.extend(taken);
        let mut outcome = learn(method, parameters, features, marked(x)?, notes, run)?;
        let view = |spec: &Spec| marked(Features::fit(self.table, &input, self.words, spec, run)?.1);
        let said = outcome.end_rows(method, &self.asked, &view, run)?;
        Ok((outcome, said))
    }
}

/// Reads a model file.
#[pyfunction]
pub fn load(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Model> {
    let trained = py.detach(|| Trained::from_bytes(bytes)).map_err(|e| to_python(py, e))?;
    Ok(Model::new(trained))
}

/// Gives a model the embedding that it was learned with, which its file does not hold.
pub fn give_embedding(py: Python<'_>, trained: &mut Trained, path: PathBuf) -> PyResult<()> {
    let embedding = py.detach(|| read_embedding(path)).map_err(|e| to_python(py, e))?;
    trained.features.give_embedding(embedding).map_err(|e| to_python(py, e))
}

/// Three numbers a row.
pub fn table_of_three(py: Python<'_>, cells: Vec<f64>) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = cells.len() / 3;
    cells.into_pyarray(py).reshape([rows, 3])
}

/// What is called so, its score, whether it is positive, and names of features with their pushes.
type Reasons = (String, f64, bool, Vec<(String, f64)>);

#[pymethods]
impl Model {
    /// The scores of new rows, and notes.
    fn score<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        settings: &Settings,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Vec<Told>)> {
        let rows = self.read(rows)?;
        let rows = rows.view()?;
        let (scores, said) = run(py, settings, |run| match (run.install(|| rows.data())?, rows) {
            (Some(x), _) => Ok((self.trained.score_rows(x, run)?, Vec::new())),
            (None, View::Table(table)) => {
                let mut question = Score::new(&self.trained, None);
                let scored = question.batch(&self.renamed(table), run)?;
                Ok((scored.scores, question.notes))
            }
            (None, _) => unreachable!("a matrix is data"),
        })?;
        Ok((scores.into_pyarray(py), notes(&said)))
    }

    /// How probable rows of these scores are: probability, low and high of each. None where the model does not know.
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        scores: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let Some(known) = self.trained.probabilities() else { return Ok(None) };
        let cells = scores.as_slice()?.iter().flat_map(|score| known.at(*score).cells()).collect::<Vec<_>>();
        table_of_three(py, cells).map(Some)
    }

    /// The scores of new rows beside those that were learned from: scores, notes, what the comparison says, the figures
    /// as JSON, and how probable the rows are where that is asked for. With `recut` the cut is placed for the share of
    /// positives that the rows are believed to have.
    #[allow(clippy::type_complexity)]
    fn score_and_compare<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        recut: bool,
        probabilities: bool,
        settings: &Settings,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Vec<Told>, Vec<Told>, String, Option<Bound<'py, PyArray2<f64>>>)>
    {
        let rows = self.read(rows)?;
        let rows = rows.view()?;
        let (scored, said, compared, summary) = run(py, settings, |run| {
            let x = run.install(|| rows.data())?;
            let ask = |cut: Option<Moved>, share: Option<Share>| -> likewise::Result<_> {
                let question = if recut { Score::looking } else { Score::new };
                let mut question = question(&self.trained, None).with_cut(cut);
                if probabilities {
                    question = question.with_probabilities(share)?;
                }
                let scored = match (&x, &rows) {
                    (Some(x), _) => question.matrix(x.clone(), run)?,
                    (None, View::Table(table)) => question.batch(&self.renamed(table), run)?,
                    (None, _) => unreachable!("a matrix is data"),
                };
                Ok((question, scored))
            };
            let (mut question, mut scored) = ask(None, None)?;
            if recut {
                match question.recut(run) {
                    Ok(cut) => (question, scored) = ask(Some(cut), question.share(run))?,
                    Err(note) => question.notes.insert(0, note),
                }
            }
            let summary = question.summary(run);
            let compared = question.alarms(run);
            Ok((scored, question.notes, compared, serde_json::to_string(&summary)))
        })?;
        let summary = summary.map_err(|e| PyValueError::new_err(e.to_string()))?;
        let cells = |rows: &Vec<Probability>| rows.iter().flat_map(Probability::cells).collect();
        let probable = scored.probabilities.as_ref().map(cells);
        let probable = probable.map(|cells| table_of_three(py, cells)).transpose()?;
        Ok((scored.scores.into_pyarray(py), notes(&said), notes(&compared), summary, probable))
    }

    /// Why a row has its score. The row is the one at a position, or the first that is called so.
    #[allow(clippy::too_many_arguments)]
    fn explain(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        row: Option<usize>,
        id: Option<&str>,
        id_column: Option<&str>,
        top: usize,
        settings: &Settings,
    ) -> PyResult<Reasons> {
        let rows = self.read(rows)?;
        let rows = rows.view()?;
        if let Some(row) = row.filter(|&row| row >= rows.len()) {
            return Err(PyIndexError::new_err(format!("there are {} rows, no row {row}", rows.len())));
        }
        if rows.len() == 0 {
            return Err(PyIndexError::new_err("there are no rows; give the row that is to be explained"));
        }
        let explained = run(py, settings, |run| match (run.install(|| rows.data())?, rows) {
            (Some(x), _) => {
                let row = row.unwrap_or(0);
                let score = self.trained.score_rows(x.select(&[row]), run)?[0];
                let reasons = self.trained.explain_rows(x, row, top)?;
                Ok((row.to_string(), score, decide::is_positive(score), reasons))
            }
            (None, View::Table(table)) => {
                let table = self.renamed(table);
                let found = match (row, id) {
                    (Some(row), _) => Some(row),
                    (None, Some(id)) => explain::position(&table, id, id_column, 0)?,
                    (None, None) => Some(0),
                };
                let row = found.ok_or_else(|| explain::no_such_row(id.unwrap_or_default()))?;
                let name = id.map_or_else(|| row.to_string(), str::to_string);
                let Explained { id, score, positive, reasons } =
                    explain::row(&self.trained, &table, row, name, top, run)?;
                Ok((id, score, positive, reasons.into_iter().map(|why| (why.reason, why.push)).collect()))
            }
            (None, _) => unreachable!("a matrix is data"),
        })?;
        Ok(explained)
    }

    /// The same model with the embedding that it was learned with, which its file does not hold.
    fn with_embedding(&self, py: Python<'_>, path: PathBuf) -> PyResult<Model> {
        let mut again = py.detach(|| self.again()).map_err(|e| to_python(py, e))?;
        give_embedding(py, &mut again, path)?;
        Ok(Model::new(again))
    }

    /// What counts most in any row.
    fn counts_most(&self, top: usize) -> Vec<(String, f64)> {
        explain::model(&self.trained, top).into_iter().map(|why| (why.reason, why.push)).collect()
    }

    /// What an automatic choice says of itself; the scores are those of the pile, where they are known.
    #[pyo3(signature = (scores=None))]
    fn summary(&self, scores: Option<PyReadonlyArray1<'_, f64>>) -> PyResult<Option<Summary>> {
        let scores = scores.map(|scores| scores.as_slice().map(<[f64]>::to_vec)).transpose()?;
        Ok(self.trained.summary().map(|summary| Summary::new(summary.clone(), scores)))
    }

    /// The bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.trained.to_bytes()).map_err(|e| to_python(py, e))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let load = py.import("likewise._native")?.getattr("load")?;
        Ok((load, (self.to_bytes(py)?,)))
    }

    #[getter]
    fn method(&self) -> &str {
        &self.trained.method
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.trained.seed
    }

    /// All parameters as JSON.
    #[getter]
    fn parameters(&self) -> String {
        Value::Object(self.trained.parameters.clone()).to_string()
    }

    /// What an estimator is given to learn the same again, as JSON.
    fn settings(&self, py: Python<'_>) -> PyResult<String> {
        let settings = kept::settings(&self.trained).map_err(|e| to_python(py, e))?;
        Ok(Value::Object(settings).to_string())
    }

    /// The two labels as JSON, where they have names of their own.
    #[getter]
    fn labels(&self) -> Option<String> {
        self.trained.labels.as_ref().map(|labels| Value::Array(labels.to_vec()).to_string())
    }

    /// What it reads: `words`, `columns`, `vectors`, `blocks` of several of these, `rows` or `related`.
    #[getter]
    fn reads(&self) -> &'static str {
        match &self.trained.features {
            Features::Words { .. } => "words",
            Features::Columns(_) => "columns",
            Features::Vectors(_) => "vectors",
            Features::Joined(_) => "blocks",
            Features::Matrix(_) => "rows",
            Features::Related { .. } => "related",
        }
    }

    /// What its examples are, where they are among related tables: `refund(orders)`.
    #[getter]
    fn target(&self) -> Option<&str> {
        match &self.trained.features {
            Features::Related { target, .. } => Some(target),
            _ => None,
        }
    }

    /// The columns of a table that it reads; those of a matrix, where they have names.
    #[getter]
    fn columns(&self) -> Vec<String> {
        match &self.trained.features {
            Features::Matrix(rows) => rows.names.clone(),
            features => features.columns_read(),
        }
    }

    /// How many columns a matrix must have.
    #[getter]
    fn width(&self) -> Option<usize> {
        match &self.trained.features {
            Features::Matrix(rows) => Some(rows.cols),
            _ => None,
        }
    }

    /// The words it knows.
    #[getter]
    fn terms(&self) -> Option<Vec<&str>> {
        match &self.trained.features {
            Features::Words { words, .. } => Some(words.terms().iter().collect()),
            _ => None,
        }
    }
}

impl Model {
    pub fn new(trained: Trained) -> Self {
        Model { trained: Arc::new(trained) }
    }

    pub fn shared(trained: Arc<Trained>) -> Self {
        Model { trained }
    }

    /// Rows as the model takes them: a matrix is a table of its columns where the model was trained on columns.
    fn read<'py>(&self, rows: &Bound<'py, PyAny>) -> PyResult<PyRows<'py>> {
        match self.trained.features {
            Features::Columns(_) | Features::Vectors(_) | Features::Joined(_) => {
                Ok(PyRows::Table(Box::new(table_of(rows, THE_ROWS)?)))
            }
            _ => PyRows::read(rows),
        }
    }

    /// The same model once more, to be changed.
    pub fn again(&self) -> likewise::Result<Trained> {
        let mut again = Trained::from_bytes(self.trained.to_bytes()?)?;
        if let Some(embedding) = self.trained.features.embedded().and_then(Embedded::embedding) {
            again.features.give_embedding(embedding.clone())?;
        }
        Ok(again)
    }

    /// Rows as a table that the model reads.
    pub fn table(&self, rows: &Bound<'_, PyAny>, called: &str) -> PyResult<Table> {
        Ok(self.renamed(&table_of(rows, called)?).into_owned())
    }

    pub fn trained(&self) -> &Trained {
        &self.trained
    }

    /// Documents without a table, and the only column of one, stand for the text of the model, where that is one column.
    fn renamed<'a>(&self, table: &'a Table) -> Cow<'a, Table> {
        let features = &self.trained.features;
        if !matches!(features, Features::Words { .. } | Features::Joined(_)) {
            return Cow::Borrowed(table);
        }
        match (&features.columns_read()[..], only_text(table, None, None)) {
            ([wanted], Some(column)) if wanted != column && table.get(wanted).is_none() => {
                let mut renamed = table.clone();
                call(&mut renamed, column, wanted);
                Cow::Owned(renamed)
            }
            _ => Cow::Borrowed(table),
        }
    }
}

/// Scores as margins: above 0 where the score is positive, in the same order.
#[pyfunction]
pub fn margins<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let margins: Vec<f64> = scores.as_slice()?.iter().map(|score| decide::margin(*score)).collect();
    Ok(margins.into_pyarray(py))
}
