//! Examples among related tables: data frames, files and databases.

use likewise::features::Features;
use likewise::questions::find::Find;
use likewise::questions::{Content, Problem};
use likewise::trained::{RuleReason, Trained};
use likewise_io::database::{Argument, Database, ExampleList, Examples, GivenTables, Request};
use numpy::{IntoPyArray, PyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::errors::of_related;
use crate::model::{Model, parameters};
use crate::questions::find::Answer;
use crate::questions::{Ending, ends};
use crate::rows::table_of;
use crate::running::{Settings, run_reading};
use crate::wording::{Told, notes_of_related};

/// Where facts come from: tables in memory, or the paths or address that the command line takes.
#[pyclass(frozen, module = "likewise._native")]
pub struct Related {
    holder: Holder,
    /// Modes of facts, where they do not lie with the facts.
    modes: Option<std::path::PathBuf>,
}

enum Holder {
    Tables(GivenTables),
    /// Paths, and what is said of the tables there: a schema in JSON, and references.
    Paths {
        paths: Vec<String>,
        schema: Option<String>,
        references: Vec<String>,
    },
}

#[pymethods]
impl Related {
    /// Tables as dictionaries of columns; what is said of them as JSON, and references.
    #[staticmethod]
    fn of_tables(
        py: Python<'_>,
        tables: &Bound<'_, PyDict>,
        schema: Option<&str>,
        references: Vec<String>,
    ) -> PyResult<Self> {
        let mut named = Vec::new();
        for (name, columns) in tables.iter() {
            let name: String = name.extract()?;
            let table = table_of(&columns, &name)?;
            named.push((name, table));
        }
        let tables = GivenTables::new(named, schema, &references).map_err(|e| of_related(py, e))?;
        Ok(Related { holder: Holder::Tables(tables), modes: None })
    }

    #[staticmethod]
    fn of_paths(
        paths: Vec<String>,
        modes: Option<std::path::PathBuf>,
        schema: Option<String>,
        references: Vec<String>,
    ) -> Self {
        Related { holder: Holder::Paths { paths, schema, references }, modes }
    }

    /// What was understood of it: the schema of tables, types with their constants, literals with their facts.
    fn describe(&self, py: Python<'_>, settings: &Settings) -> PyResult<(Description, Vec<Told>)> {
        let found = run_reading(py, settings, |run| self.open()?.describe(self.modes.as_deref(), run))?;
        Ok(((found.schema, found.types, found.modes), notes_of_related(&found.notes)))
    }
}

/// A schema file, types with the number of their constants, literals with the number of their facts.
type Description = (Option<String>, Vec<(String, usize)>, Vec<(String, usize)>);

impl Related {
    fn open(&self) -> likewise_io::Result<Database> {
        match &self.holder {
            Holder::Tables(tables) => Ok(Database::given(tables)),
            Holder::Paths { paths, schema, references } => {
                let database = Database::open(paths)?;
                if schema.is_none() && references.is_empty() {
                    return Ok(database);
                }
                database.with_said(schema.as_deref(), references)
            }
        }
    }

    fn request(&self, target: &str, like: Vec<ExampleList>, pile: Vec<ExampleList>, draw: usize) -> Request {
        let modes = self.modes.clone();
        Request { target: target.into(), modes, like, pile, draw, ..Request::default() }
    }

    /// The listed examples, or all that are possible.
    fn examples(
        &self,
        trained: &Trained,
        list: Vec<ExampleList>,
        draw: usize,
        run: &likewise::Run,
    ) -> likewise_io::Result<Examples> {
        let Features::Related { target, schema } = &trained.features else {
            return Err(likewise::Error::data("this model is not about related tables").into());
        };
        let database = self.open()?.under(schema.as_ref());
        database.examples(&self.request(target, Vec::new(), list, draw), run)
    }
}

/// What an argument of the target is: its type, and the column that holds its constants in the table of that
/// name.
type Named = (String, Option<String>);

/// Examples in columns, one for each argument.
type Constants = Vec<Vec<String>>;

type Scores<'py> = Bound<'py, PyArray1<f64>>;

fn named(arguments: Vec<Argument>) -> Vec<Named> {
    arguments.into_iter().map(|argument| (argument.of, argument.key)).collect()
}

fn constants(x: &likewise::relations::Relational, rows: &[usize]) -> Constants {
    let mut columns = vec![Vec::with_capacity(rows.len()); x.arguments().len()];
    for &row in rows {
        columns.iter_mut().zip(x.constants(row)).for_each(|(column, name)| column.push(name.to_string()));
    }
    columns
}

/// A name, a list of keys or a dictionary of columns.
fn list(given: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<Vec<ExampleList>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    Ok(vec![match given.cast::<PyString>() {
        Ok(name) => ExampleList::Named(name.to_string()),
        Err(_) => ExampleList::Rows(Box::new(table_of(given, what)?)),
    }])
}

/// What came of learning: the pile best first in columns and what these are, its scores, and all else that is known.
type Ranked<'py> = (Constants, Vec<Named>, Scores<'py>, Answer);

/// Learns from examples among related tables, and ranks the pile.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_related<'py>(
    py: Python<'py>,
    method: &str,
    given: &str,
    examples: RelatedExamples<'py>,
    ending: Ending,
    certainty: bool,
    probabilities: bool,
    settings: &Settings,
) -> PyResult<Ranked<'py>> {
    let mut question = Find::new(Some(method), true).map_err(|e| of_related(py, e))?;
    question.parameters = parameters(given)?;
    question.ends = ends(py, ending)?;
    question.certainty = certainty;
    question.probabilities = probabilities;
    let asked = Asked::read(&examples)?;
    let (columns, arguments, scores, answer) = run_reading(py, settings, |run| {
        let (problem, arguments) = asked.problem(run)?;
        let found = question.ask(&problem, run)?;
        let Content::Related(x) = &problem.content else { unreachable!("a problem of related tables") };
        let (columns, scores) = (constants(x, &found.ranking.rows), found.ranking.scores.clone());
        Ok((columns, arguments, scores, Answer::of_related(found, &problem)?))
    })?;
    Ok((columns, named(arguments), scores.into_pyarray(py), answer))
}

/// Facts, target, wanted, unwanted and other examples, and how many of the possible ones are drawn.
pub type RelatedExamples<'py> = (
    Bound<'py, Related>,
    String,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    usize,
);

/// Examples among related tables, read but not yet looked up, which is work for another thread.
pub struct Asked<'a> {
    related: &'a Related,
    request: Request,
}

impl<'a> Asked<'a> {
    pub fn read(given: &'a RelatedExamples<'_>) -> PyResult<Self> {
        let (related, target, positives, negatives, pile, draw) = given;
        let related = related.get();
        let like = list(positives.as_ref(), "positives")?;
        let unlike = list(negatives.as_ref(), "negatives")?;
        let pile = list(pile.as_ref(), "the pile")?;
        Ok(Asked { related, request: Request { unlike, ..related.request(target, like, pile, *draw) } })
    }

    pub fn problem(&self, run: &likewise::Run) -> likewise_io::Result<(Problem, Vec<Argument>)> {
        let found = self.related.open()?.problem(&self.request, run)?;
        let problem = Problem::of_related(found.x, found.positive, found.ids, found.notes)
            .with_unwanted(found.unwanted);
        Ok((problem, found.arguments))
    }
}

/// The scores of examples, what they are, and notes.
#[pyfunction]
pub fn score_related<'py>(
    py: Python<'py>,
    model: &Model,
    related: &Related,
    examples: Option<&Bound<'py, PyAny>>,
    draw: usize,
    settings: &Settings,
) -> PyResult<(Constants, Vec<Named>, Scores<'py>, Vec<Told>)> {
    let wanted = list(examples, "examples")?;
    let (columns, arguments, scores, told) = run_reading(py, settings, |run| {
        let found = related.examples(model.trained(), wanted, draw, run)?;
        let scores = model.trained().score_related(&found.x, run)?;
        let rows: Vec<usize> = (0..scores.len()).collect();
        Ok((constants(&found.x, &rows), found.arguments, scores, found.notes))
    })?;
    Ok((columns, named(arguments), scores.into_pyarray(py), notes_of_related(&told)))
}

/// Clause, SQL and push of each.
type Rules = Vec<(String, String, f64)>;

/// The rules that an example satisfies, strongest first.
#[pyfunction]
pub fn explain_related<'py>(
    py: Python<'py>,
    model: &Model,
    related: &Related,
    example: &Bound<'py, PyAny>,
    top: usize,
    settings: &Settings,
) -> PyResult<(Rules, Vec<Told>)> {
    let wanted = list(Some(example), "the example")?;
    let (reasons, told) = run_reading(py, settings, |run| {
        let found = related.examples(model.trained(), wanted, 0, run)?;
        if found.x.rows() != 1 {
            let message = format!("one example can be explained at a time, not {}", found.x.rows());
            return Err(likewise::Error::data(message).into());
        }
        let reasons = model.trained().explain_related(&found.x, 0, top)?;
        Ok((reasons, found.notes))
    })?;
    let rule = |RuleReason { clause, query, push }| (clause, query.unwrap_or_default(), push);
    Ok((reasons.into_iter().map(rule).collect(), notes_of_related(&told)))
}

/// Which paths of the model's trees examples take, as the arrays of compressed rows, and the rule of each path.
type Paths<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>, Vec<String>, Vec<Told>);

/// The examples under the paths of the model's trees.
#[pyfunction]
pub fn paths_related<'py>(
    py: Python<'py>,
    model: &Model,
    related: &Related,
    examples: Option<&Bound<'py, PyAny>>,
    draw: usize,
    settings: &Settings,
) -> PyResult<Paths<'py>> {
    let wanted = list(examples, "examples")?;
    let (paths, rules, told) = run_reading(py, settings, |run| {
        let found = related.examples(model.trained(), wanted, draw, run)?;
        let (paths, rules) = model.trained().path_features(&found.x, run)?;
        Ok((paths, rules, found.notes))
    })?;
    let ends: Vec<i64> = paths.indptr.iter().map(|&end| end as i64).collect();
    Ok((ends.into_pyarray(py), paths.indices.to_pyarray(py), rules, notes_of_related(&told)))
}
