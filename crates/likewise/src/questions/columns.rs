//! Which columns are learned from, what rows are called, and which of them are marked.

use hashbrown::HashMap;

use crate::codes;
use crate::data::{Column, Table};
use crate::error::{Error, Result};
use crate::features::Input;
use crate::figures::count;
use crate::message::{Message, Setting};
use crate::note::Note;

/// What the user says of the columns.
///
/// ```
/// use likewise::prelude::*;
/// let columns = vec![("amount".to_string(), Column::Number(vec![1.0])), ("note".into(), Column::Text(["x"].iter().collect()))];
/// let table = Table::from_columns(columns)?;
/// let choice = ColumnChoice { text: Some(vec!["note".into()]), ..ColumnChoice::default() };
/// assert!(choice.check(&table, None).is_ok() && ColumnChoice::default().check(&table, None).is_err());
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ColumnChoice {
    /// Text columns; left out, the column `text`.
    pub text: Option<Vec<String>>,
    /// Numbers and categories instead of text; `all` is every column but id and label.
    pub features: Option<Vec<String>>,
    /// Left out: `id` where that exists, else the row number.
    pub id: Option<String>,
    /// Rows whose content is that of another positive stay where they are.
    pub keep_positives: bool,
}

/// The word for every column but id and label.
const ALL: &str = "all";
const DEFAULT_TEXT: &str = "text";
const DEFAULT_ID: &str = "id";

const ID: Setting = Setting::with("id", "COLUMN");
const TEXT: Setting = Setting::with("text", "COLUMN");
const FEATURES: Setting = Setting::with("features", "COLUMN[,COLUMN]");

impl ColumnChoice {
    /// Whether one of several files, which are read as one table, has all the columns that are asked for: a column
    /// that only the others have would be blank in its rows.
    pub fn check(&self, table: &Table, label: Option<&str>) -> Result<()> {
        self.input(table, label)?;
        let mut named = self.id.as_deref().into_iter().chain(label);
        named.try_for_each(|name| table.column(name).map(|_| ()))
    }

    /// The columns that an answer needs of a file, so that no others are read; none: all of them.
    pub fn columns(&self, label: Option<&str>) -> Option<Vec<String>> {
        let named: Vec<String> = match (&self.text, &self.features) {
            (_, Some(names)) if names[..] == [ALL] => return None,
            (None, None) => vec![DEFAULT_TEXT.into()],
            (text, features) => text.iter().chain(features).flatten().cloned().collect(),
        };
        let id = self.id.as_deref().unwrap_or(DEFAULT_ID);
        Some(named.into_iter().chain([id.to_string()]).chain(label.map(String::from)).collect())
    }

    /// Those of them that the user names, so that they must be there.
    pub fn named_columns(&self, label: Option<&str>) -> Vec<String> {
        let all = |names: &&Vec<String>| names[..] != [ALL];
        let named = self.text.iter().chain(self.features.iter().filter(all)).flatten();
        named.map(String::as_str).chain(self.id.as_deref()).chain(label).map(String::from).collect()
    }

    /// What is learned from, checked against the table.
    pub fn input(&self, table: &Table, label: Option<&str>) -> Result<Input> {
        match (&self.text, &self.features) {
            (Some(_), Some(_)) => Err(Error::parameter(
                "features",
                "a model learns from text or from features, not from both; name one of them",
            )),
            (Some(text), None) => {
                text.iter().try_for_each(|name| table.column(name).map(|_| ()))?;
                Ok(Input::Text(text.clone()))
            }
            (None, Some(names)) if names[..] == [ALL] => {
                if table.sparse.is_some() {
                    return Ok(Input::Sparse);
                }
                let id = self.id.as_deref().unwrap_or(DEFAULT_ID);
                let cells = |column: &Column| !matches!(column, Column::Vectors(_));
                let names = (table.columns())
                    .filter(|(name, column)| *name != id && Some(*name) != label && cells(column));
                Ok(Input::Columns(names.map(|(name, _)| name.to_string()).collect()))
            }
            (None, Some(names)) => {
                names.iter().try_for_each(|name| table.column(name).map(|_| ()))?;
                Ok(Input::Columns(names.clone()))
            }
            (None, None) if table.sparse.is_some() => Ok(Input::Sparse),
            (None, None) if table.get(DEFAULT_TEXT).is_some() => Ok(Input::Text(vec![DEFAULT_TEXT.into()])),
            (None, None) => {
                let source = table.sources.first().map_or("the input", String::as_str);
                let text = format!(
                    "{source} has no column `text` (it has {}); name the text with ",
                    table.list_names()
                );
                let message = Message::new(&codes::WHAT_TO_LEARN_FROM, text).setting(TEXT);
                let message = message.text(", or numbers and categories with ").setting(FEATURES);
                Err(Error::data(message.text(" or ").setting(Setting::with("features", ALL))))
            }
        }
    }
}

/// What the user calls each row: the id column, or, where there is none or it is blank, the row number, counted on
/// from the rows `before`.
pub fn ids(table: &Table, column: Option<&str>, before: usize) -> Result<Vec<String>> {
    let column = match column {
        Some(name) => Some(table.column(name)?),
        None => table.get(DEFAULT_ID),
    };
    let number = |row: usize| (before + row + 1).to_string();
    let Some(column) = column else {
        return Ok((0..table.rows()).map(number).collect());
    };
    let called = |row: usize| match column.cell(row) {
        blank if blank.is_empty() => number(row),
        id => id.into_owned(),
    };
    Ok((0..table.rows()).map(called).collect())
}

/// Which of the `ids` from that column stand for several rows, and what to do about it.
pub fn repeated_ids(table: &Table, ids: &[String], column: Option<&str>) -> Option<Note> {
    let name = column.unwrap_or(DEFAULT_ID);
    let mut first: HashMap<&str, usize, foldhash::fast::FixedState> = HashMap::default();
    let mut repeated = Vec::new();
    for (row, id) in ids.iter().enumerate() {
        if let Some(before) = first.insert(id.as_str(), row) {
            repeated.push((before, row));
        }
    }
    let &(before, row) = repeated.first()?;
    let text = format!(
        "{} rows repeat an id (first `{}`: {} and {}); the answer cannot tell them apart: name another column than `{name}` with ",
        count(repeated.len()),
        ids[row],
        table.place(before),
        table.place(row),
    );
    let message = Message::new(&codes::REPEATED_IDS, text).setting(ID);
    Some(Note::warn(message.field("rows", repeated.len()).field("id", ids[row].clone())))
}

/// A column of numbers; what is none is named with its place.
pub fn numbers(table: &Table, name: &str) -> Result<Vec<f64>> {
    let column = table.column(name)?;
    let number = |row: usize| match column.number(row) {
        value if value.is_nan() => {
            let (place, cell) = (table.place(row), column.cell(row));
            let text = format!("{place}: `{cell}` in column `{name}` is not a number; every row needs one");
            Err(Error::of(&codes::NOT_A_NUMBER, text))
        }
        value => Ok(value),
    };
    (0..table.rows()).map(number).collect()
}
