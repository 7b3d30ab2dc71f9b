//! The questions asked of whole tables, one file each: arguments to requests, answers to what Python takes.

pub mod audit;
pub mod classes;
pub mod compare;
pub mod count;
pub mod evaluate;
pub mod find;
pub mod look;
pub mod prior;
pub mod rehearse;
pub mod sampled;
pub mod simulate;
pub mod unexpected;
pub mod update;

use std::path::PathBuf;

use likewise::data::Table;
use likewise::features::words::WordOptions;
use likewise::questions::find::Find;
use likewise::questions::{ColumnChoice, Ends, Problem};
use likewise_io::embedding::read_embedding;
use pyo3::prelude::*;

use crate::errors::to_python;
use crate::model::{parameters, word_options};
use crate::only_text::agree;
use crate::rows::table_of;

/// Which columns are read, and how words are made of them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Reading {
    text: Option<Vec<String>>,
    features: Option<Vec<String>>,
    vectors: Option<Vec<String>>,
    embed: Option<PathBuf>,
    leave_out: Vec<String>,
    every: bool,
    id: Option<String>,
    keep_positives: bool,
    words: Option<String>,
}

impl Reading {
    pub fn choice(&self, py: Python<'_>) -> PyResult<ColumnChoice> {
        let embedding = py.detach(|| self.embed.as_ref().map(read_embedding).transpose());
        Ok(ColumnChoice {
            text: self.text.clone(),
            features: self.features.clone(),
            vectors: self.vectors.clone(),
            embedding: embedding.map_err(|e| to_python(py, e))?,
            except: self.leave_out.clone(),
            every: self.every,
            id: self.id.clone(),
            keep_positives: self.keep_positives,
        })
    }

    pub fn words(&self, py: Python<'_>) -> PyResult<WordOptions> {
        word_options(py, self.words.as_deref())
    }
}

/// Where the class ends: a name and, for most, a number.
pub type Ending = Option<(String, Option<f64>)>;

/// What is asked of positives and pile. The model that comes of it keeps what new rows are compared with.
pub fn question(
    py: Python<'_>,
    method: &str,
    given: &str,
    ending: Ending,
    reading: &Reading,
) -> PyResult<Find> {
    let mut question = Find::new(Some(method), false).map_err(|e| to_python(py, e))?;
    question.parameters = parameters(given)?;
    question.words = reading.words(py)?;
    question.baseline = true;
    question.ends = ends(py, ending)?;
    Ok(question)
}

/// Where the class ends, if there is such a place.
pub fn ends(py: Python<'_>, ending: Ending) -> PyResult<Option<Ends>> {
    let ends = ending.map(|(name, value)| Ends::parse(&name, value)).transpose();
    ends.map_err(|e| to_python(py, e))
}

/// Whether these rows are called by a column, and not by their number.
pub fn has_ids(pile: &Table, choice: &ColumnChoice) -> bool {
    choice.id.is_some() || pile.get("id").is_some()
}

/// Positives and pile, read but not yet brought together, which is work for another thread.
pub struct Sides {
    like: Table,
    unlike: Option<Table>,
    pile: Table,
    choice: ColumnChoice,
}

impl Sides {
    pub fn read(
        positives: &Bound<'_, PyAny>,
        pile: &Bound<'_, PyAny>,
        unlike: Option<&Bound<'_, PyAny>>,
        reading: &Reading,
    ) -> PyResult<Self> {
        let like = table_of(positives, "positives")?;
        let pile = table_of(pile, "the pile")?;
        let unlike = unlike.map(|rows| table_of(rows, "unlike")).transpose()?;
        Ok(Sides { like, unlike, pile, choice: reading.choice(positives.py())? })
    }

    /// Whether rows are called by a column, and not by their number.
    pub fn have_ids(&self) -> bool {
        has_ids(&self.pile, &self.choice)
    }

    pub fn problem(mut self) -> likewise::Result<Problem> {
        let mut tables = vec![&mut self.like];
        tables.extend(self.unlike.as_mut());
        tables.push(&mut self.pile);
        agree(&mut tables, &mut self.choice, None);
        Problem::of_three(self.like, self.unlike, self.pile, &self.choice)
    }
}
