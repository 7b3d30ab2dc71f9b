//! One name for the text where nobody names it: documents that come without a table are called `text`, and of a table with
//! one column of texts that column is meant.

use likewise::data::{Column, Table};
use likewise::questions::ColumnChoice;
use likewise::questions::look::{self, Roles, TakenFor};

use crate::rows::DOCUMENT;

/// Lets tables whose only column is text call it alike, and takes it for the text. Dates and numbers that are written as
/// text stay what they are.
pub fn agree(tables: &mut [&mut Table], choice: &mut ColumnChoice, label: Option<&str>) {
    if !choice.names_nothing() || choice.every || !choice.except.is_empty() {
        return;
    }
    let only = |table: &&mut Table| only_text(table, choice.id.as_deref(), label).map(String::from);
    let Some(names) = tables.iter().map(only).collect::<Option<Vec<String>>>() else { return };
    let mut given = names.iter().filter(|name| *name != DOCUMENT);
    let Some(first) = given.next() else { return };
    if given.any(|name| name != first) {
        for (table, name) in tables.iter_mut().zip(&names) {
            call(table, name, DOCUMENT);
        }
        return;
    }
    let documents = names.iter().any(|name| name == DOCUMENT);
    if !documents && tables.last().is_some_and(|table| is_no_text(table, first)) {
        return;
    }
    for table in tables {
        call(table, DOCUMENT, first);
    }
    choice.text = Some(vec![first.clone()]);
}

/// The only column, if it holds texts.
pub fn only_text<'a>(table: &'a Table, id: Option<&str>, label: Option<&str>) -> Option<&'a str> {
    if table.sparse.is_some() {
        return None;
    }
    let mut own = table.columns().filter(|(name, _)| *name != id.unwrap_or("id") && Some(*name) != label);
    match (own.next(), own.next()) {
        (Some((name, Column::Text(_))), None) => Some(name),
        _ => None,
    }
}

fn is_no_text(table: &Table, name: &str) -> bool {
    let seen = look::at(table, Roles::default());
    let kind = seen.iter().find(|seen| seen.column == name).map(|seen| seen.kind);
    matches!(kind, Some(TakenFor::Date | TakenFor::Number))
}

/// The column under another name, where that one is free.
pub fn call(table: &mut Table, from: &str, to: &str) {
    if table.get(to).is_none()
        && let Some(column) = table.get(from).cloned()
    {
        *table = std::mem::take(table).without_column(from);
        table.push_column(to, column);
    }
}
