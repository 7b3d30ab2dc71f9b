//! Which columns are learned from, what rows are called, and which of them are marked.

use std::sync::Arc;

use hashbrown::HashMap;

use super::look::{self, Roles, TakenFor};
use crate::codes;
use crate::data::{Column, Table, Texts};
use crate::error::{Error, Result};
use crate::features::{Input, embedding::Embedding};
use crate::figures::{count, rows};
use crate::message::{Message, Setting};
use crate::note::Note;

/// What the user says of the columns.
///
/// ```
/// use likewise::prelude::*;
/// let columns = vec![("amount".to_string(), Column::Number(vec![1.0])), ("note".into(), Column::Text(["x"].iter().collect()))];
/// let table = Table::from_columns(columns)?;
/// let choice = ColumnChoice { text: Some(vec!["note".into()]), ..ColumnChoice::default() };
/// assert!(choice.check(&table, None).is_ok() && choice.check(&table, Some("label")).is_err());
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ColumnChoice {
    /// Text columns. Without text, features and vectors it is the column `text`, or, where there is none, what the
    /// columns look like ([`super::look`]).
    pub text: Option<Vec<String>>,
    /// Numbers, categories and dates; `all` is every column but id, label, vectors and text that is named.
    pub features: Option<Vec<String>>,
    /// Columns of embeddings.
    pub vectors: Option<Vec<String>>,
    /// What makes vectors of the text columns, beside their words.
    pub embedding: Option<Arc<dyn Embedding>>,
    /// Columns that are not learned from, where they are not named one by one. Where nothing else is said, it is all
    /// that carry something but these, also where there is a column `text`.
    pub except: Vec<String>,
    /// Where nothing is named, learn from all that carry something, also where there is a column `text`: whoever put blocks
    /// together has named them all.
    pub every: bool,
    /// Left out: `id` where that exists, else the row number.
    pub id: Option<String>,
    /// Rows whose content is that of another positive stay where they are.
    pub keep_positives: bool,
}

/// The word for every column but id and label.
const ALL: &str = "all";
const DEFAULT_TEXT: &str = "text";
const DEFAULT_ID: &str = "id";

/// Columns that are not used and named one by one.
const MOST_SHOWN: usize = 8;

const EXCEPT: Setting = Setting::with("except", "COLUMN");
const ID: Setting = Setting::with("id", "COLUMN");
const TEXT: Setting = Setting::with("text", "COLUMN");
const FEATURES: Setting = Setting::with("features", "COLUMN[,COLUMN]");

impl ColumnChoice {
    /// Whether one of several files, which are read as one table, has all the columns that are asked for: a column
    /// that only the others have would be blank in its rows.
    pub fn check(&self, table: &Table, label: Option<&str>) -> Result<()> {
        if !self.looks_at(table) {
            self.input(table, label)?;
        }
        let mut named = self.id.as_deref().into_iter().chain(label);
        named.try_for_each(|name| table.column(name).map(|_| ()))
    }

    /// Whether nobody names what to learn from.
    pub fn names_nothing(&self) -> bool {
        self.text.is_none() && self.features.is_none() && self.vectors.is_none()
    }

    /// Whether the columns of this table have to be looked at to know what to learn from.
    pub fn looks_at(&self, table: &Table) -> bool {
        let alone = self.except.is_empty() && !self.every;
        let told = table.sparse.is_some() || (alone && table.get(DEFAULT_TEXT).is_some());
        self.names_nothing() && !told
    }

    /// The columns that an answer needs of a file, so that no others are read; none: all of them. Where nobody names
    /// any, it is the text; a file without it has to be looked at.
    pub fn columns(&self, label: Option<&str>) -> Option<Vec<String>> {
        let named: Vec<String> = match &self.features {
            Some(names) if names[..] == [ALL] => return None,
            _ if self.names_nothing() && (self.every || !self.except.is_empty()) => return None,
            _ if self.names_nothing() => vec![DEFAULT_TEXT.into()],
            features => self.text.iter().chain(features).chain(&self.vectors).flatten().cloned().collect(),
        };
        let id = self.id.as_deref().unwrap_or(DEFAULT_ID);
        Some(named.into_iter().chain([id.to_string()]).chain(label.map(String::from)).collect())
    }

    /// Those of them that the user names, so that they must be there.
    pub fn named_columns(&self, label: Option<&str>) -> Vec<String> {
        let all = |names: &&Vec<String>| names[..] != [ALL];
        let named = self.text.iter().chain(self.features.iter().filter(all)).chain(&self.vectors).flatten();
        let named = named.filter(|name| !self.except.contains(name));
        named.map(String::as_str).chain(self.id.as_deref()).chain(label).map(String::from).collect()
    }

    /// What is learned from, checked against the table.
    pub fn input(&self, table: &Table, label: Option<&str>) -> Result<Input> {
        self.looked(table, label).map(|(input, _)| input)
    }

    /// The same, and what the columns were taken for where they had to be looked at.
    pub fn looked(&self, table: &Table, label: Option<&str>) -> Result<(Input, Option<Note>)> {
        self.check_except(&[table])?;
        if self.looks_at(table) {
            return self.look(table, label, &[]).map(|(input, note)| (input, Some(note)));
        }
        let note = self.unused(&[table], label).or_else(|| self.left_out_of_all(table, label));
        Ok((self.embedded(self.named_input(table, label)?)?, note))
    }

    /// Columns of vectors and of text where every column is asked for as a number or a category, which they are not.
    pub(super) fn left_out_of_all(&self, table: &Table, label: Option<&str>) -> Option<Note> {
        let all = self.features.as_ref().is_some_and(|names| names[..] == [ALL]);
        let id = self.id.as_deref().unwrap_or(DEFAULT_ID);
        let named = || self.text.iter().chain(&self.vectors).flatten().chain(&self.except);
        let free = |name: &str| name != id && Some(name) != label && !named().any(|other| other == name);
        let left = table.columns().filter(|(name, _)| all && free(name));
        let left: Vec<(&str, TakenFor)> =
            left.filter_map(|(name, column)| Some((name, no_cells(table, name, column)?))).collect();
        let mut message: Option<Message> = None;
        for (kind, setting) in
            [(TakenFor::Text, TEXT), (TakenFor::Vectors, Setting::with("vectors", "COLUMN"))]
        {
            let of_kind = left.iter().filter(|(_, own)| *own == kind);
            let names: Vec<String> = of_kind.map(|(name, _)| format!("`{name}`")).collect();
            if !names.is_empty() {
                let text =
                    format!("not learned from, being {}: {}; add them with ", kind.name(), names.join(", "));
                message = Some(match message {
                    None => Message::new(&codes::COLUMNS_NOT_USED, text),
                    Some(message) => message.text("; ").text(text),
                });
                message = message.map(|message| message.setting(setting));
            }
        }
        message.map(Note::inform)
    }

    /// A column that is to be left out must be one of some input: a misspelt one would be learned from.
    pub(super) fn check_except(&self, tables: &[&Table]) -> Result<()> {
        self.except.iter().try_for_each(|name| {
            let known = tables.iter().any(|table| table.known_names().contains(name));
            match tables.last() {
                Some(table) if !known => table.column(name).map(|_| ()),
                _ => Ok(()),
            }
        })
    }

    /// Whether the column `text` is learned from alone since nobody says otherwise.
    fn takes_text_alone(&self, table: &Table) -> bool {
        self.names_nothing() && table.sparse.is_none() && !self.looks_at(table)
    }

    /// What the columns of one table are taken for, as [`ColumnChoice::looked`] takes them where nobody names any.
    pub fn seen(&self, table: &Table, label: Option<&str>) -> Vec<look::SeenColumn> {
        let alone = self.takes_text_alone(table).then_some(DEFAULT_TEXT);
        let id = Some(self.id.as_deref().unwrap_or(DEFAULT_ID));
        look::at(table, Roles { id, label, except: &self.except, alone, ..Roles::default() })
    }

    /// Where the column `text` is learned from alone: which others all of the inputs have, and how to use them.
    pub fn unused(&self, tables: &[&Table], label: Option<&str>) -> Option<Note> {
        let (first, others) = tables.split_first()?;
        if !tables.iter().all(|table| self.takes_text_alone(table)) {
            return None;
        }
        let known = [self.id.as_deref().unwrap_or(DEFAULT_ID), DEFAULT_TEXT];
        let free = |name: &&String| !known.contains(&name.as_str()) && Some(name.as_str()) != label;
        let shared = |name: &&String| others.iter().all(|table| table.known_names().contains(name));
        let names: Vec<&String> = first.known_names().iter().filter(free).filter(shared).collect();
        if names.is_empty() {
            return None;
        }
        let shown: Vec<String> = names.iter().take(MOST_SHOWN).map(|name| format!("`{name}`")).collect();
        let more = match names.len().saturating_sub(MOST_SHOWN) {
            0 => String::new(),
            more => format!(" and {} more", count(more)),
        };
        let text = format!(
            "column `{DEFAULT_TEXT}` is learned from alone, not {}{more}; to learn from some of them too, name them with ",
            shown.join(", ")
        );
        let message = Message::new(&codes::COLUMNS_NOT_USED, text).setting(FEATURES).text(" beside ");
        let message = message.setting(Setting::with("text", DEFAULT_TEXT)).text("; ");
        let message = message.setting(EXCEPT).text(" is to learn from all that carry something but that one");
        Some(Note::inform(message.field("columns", names.into_iter().cloned().collect::<Vec<_>>())))
    }

    fn embedded(&self, input: Input) -> Result<Input> {
        match &self.embedding {
            Some(embedding) => input.with_embedding(embedding.clone()),
            None => Ok(input),
        }
    }

    fn named_input(&self, table: &Table, label: Option<&str>) -> Result<Input> {
        if self.names_nothing() {
            let text = || Input::Text(vec![DEFAULT_TEXT.into()]);
            return Ok(table.sparse.as_ref().map_or_else(text, |_| Input::Sparse));
        }
        let named = |names: &Option<Vec<String>>| -> Result<Vec<String>> {
            let names = names.iter().flatten().filter(|name| !self.except.contains(name));
            let one = |name: &String| match label == Some(name) {
                true => Err(Error::data(format!(
                    "column `{name}` says which rows are examples, so what is learned from it is what it says; leave it out of the columns to learn from"
                ))),
                false => table.column(name).map(|_| name.clone()),
            };
            names.map(one).collect()
        };
        let (text, vectors) = (named(&self.text)?, named(&self.vectors)?);
        let features = match &self.features {
            Some(names) if names[..] == [ALL] => {
                if table.sparse.is_some() && text.is_empty() && vectors.is_empty() {
                    return Ok(Input::Sparse);
                }
                let id = self.id.as_deref().unwrap_or(DEFAULT_ID);
                let taken = |name: &str| {
                    let otherwise = text.iter().chain(&vectors).chain(&self.except);
                    name == id || Some(name) == label || otherwise.into_iter().any(|other| other == name)
                };
                let left = table.columns().filter(|(name, _)| !taken(name));
                left.filter(|(name, column)| no_cells(table, name, column).is_none())
                    .map(|(name, _)| name.to_string())
                    .collect()
            }
            features => named(features)?,
        };
        if let Some(twice) = features.iter().chain(&vectors).find(|name| text.contains(name)) {
            let problem = format!("column `{twice}` is named as text and as something else; name it once");
            return Err(Error::parameter("text", problem));
        }
        if text.is_empty() && vectors.is_empty() {
            return Ok(Input::Columns(features));
        }
        Ok(Input::blocks(text, features, vectors))
    }
}

impl ColumnChoice {
    /// What rows are compared by before all of them were seen: what is learned from, or, where the columns have yet to
    /// be looked at, every column.
    pub(super) fn compared(&self, table: &Table, label: Option<&str>) -> Result<Input> {
        if !self.looks_at(table) {
            return self.input(table, label);
        }
        let id = self.id.as_deref().unwrap_or(DEFAULT_ID);
        let taken = |name: &str| name == id || Some(name) == label || self.except.iter().any(|no| no == name);
        let names = table.column_names().iter().filter(|name| !taken(name));
        Ok(Input::Columns(names.cloned().collect()))
    }

    /// All columns that carry something, but those that only one of several inputs has.
    pub(super) fn look(
        &self,
        table: &Table,
        label: Option<&str>,
        one_sided: &[String],
    ) -> Result<(Input, Note)> {
        let id = Some(self.id.as_deref().unwrap_or(DEFAULT_ID));
        let roles = Roles { id, label, except: &self.except, one_sided, alone: None };
        if let Some(odd) = look::odd_cell(table, roles) {
            return Err(odd);
        }
        let seen = look::at(table, roles);
        let input = look::input(&seen);
        match input.names().is_empty() {
            true => Err(nothing_carries(table, &seen)),
            false => Ok((self.embedded(input)?, look::note(&seen))),
        }
    }
}

/// What a column holds that is neither a number nor a category; none of one that is.
fn no_cells(table: &Table, name: &str, column: &Column) -> Option<TakenFor> {
    match column {
        Column::Vectors(_) => Some(TakenFor::Vectors),
        Column::Text(_) => look::is_text(table, name, column).then_some(TakenFor::Text),
        Column::Number(_) => None,
    }
}

fn nothing_carries(table: &Table, seen: &[look::SeenColumn]) -> Error {
    let source = table.sources.first().map_or("the input", String::as_str);
    let found = if seen.is_empty() { "no column".to_string() } else { look::line(seen) };
    let text = format!("{source} has nothing to learn from ({found}); name the text with ");
    let message = Message::new(&codes::WHAT_TO_LEARN_FROM, text).setting(TEXT);
    let message = message.text(", or numbers and categories with ").setting(FEATURES);
    Error::data(message.text(" or ").setting(Setting::with("features", ALL)))
}

/// What the user calls each row: the id column, or, where there is none or it is blank, the row number, counted on
/// from the rows `before`.
pub fn ids(table: &Table, column: Option<&str>, before: usize) -> Result<Texts> {
    let column = match column {
        Some(name) => Some(table.column(name)?),
        None => table.get(DEFAULT_ID),
    };
    let number = |row: usize| (before + row + 1).to_string();
    let Some(column) = column else {
        return Ok((0..table.rows()).map(number).collect());
    };
    match column {
        Column::Text(cells) if cells.iter().all(|cell| !cell.is_empty()) => Ok(cells.clone()),
        _ => Ok((0..table.rows())
            .map(|row| match column.cell(row) {
                blank if blank.is_empty() => number(row).into(),
                id => id,
            })
            .collect()),
    }
}

/// Which of the `ids` from that column stand for several rows, and what to do about it.
pub fn repeated_ids(table: &Table, ids: &Texts, column: Option<&str>) -> Option<Note> {
    let name = column.unwrap_or(DEFAULT_ID);
    let mut first: HashMap<&str, usize, foldhash::fast::FixedState> = HashMap::default();
    let mut repeated = Vec::new();
    for (row, id) in ids.iter().enumerate() {
        if let Some(before) = first.insert(id, row) {
            repeated.push((before, row));
        }
    }
    let &(before, row) = repeated.first()?;
    let text = format!(
        "{} repeat{} an id (first `{}`: {} and {}); the answer cannot tell them apart: name another column than `{name}` with ",
        rows(repeated.len()),
        if repeated.len() == 1 { "s" } else { "" },
        &ids[row],
        table.place(before),
        table.place(row),
    );
    let message = Message::new(&codes::REPEATED_IDS, text).setting(ID);
    Some(Note::warn(message.field("rows", repeated.len()).field("id", ids[row].to_string())))
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
