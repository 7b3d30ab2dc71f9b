//! Which rows a label marks, read row by row: numbers and truth values whatever their spelling, and a list of labels
//! (`["acq", "crude"]`) by each of its members. A value that no row has may be several, separated by commas, which only
//! the last row can tell.

use std::collections::BTreeSet;

use crate::codes;
use crate::data::Table;
use crate::data::value::same_value;
use crate::error::{Error, Result};
use crate::message::Message;

/// Which rows have one of the values in the column; each value must be that of some row.
pub fn marked<S: AsRef<str>>(table: &Table, column: &str, values: &[S]) -> Result<Vec<bool>> {
    let cells = table.column(column)?;
    let mut label = Label::new(column, values);
    (0..table.rows()).for_each(|row| _ = label.look(&cells.cell(row)));
    let wanted = label.wanted()?;
    Ok((0..table.rows()).map(|row| is_marked(table, column, &wanted, row)).collect())
}

pub(super) fn is_marked(table: &Table, column: &str, wanted: &[String], row: usize) -> bool {
    table.get(column).is_some_and(|column| {
        let cell = column.cell(row);
        let members = members(&cell);
        wanted.iter().any(|value| has_value(&cell, &members, value))
    })
}

/// Whether the cell, or a member of the list that it is, has this value.
fn has_value(cell: &str, members: &Option<Vec<String>>, value: &str) -> bool {
    same_value(cell, value) || members.iter().flatten().any(|label| same_value(label, value))
}

/// The labels of a cell that is a list of them, as JSON writes it.
fn members(cell: &str) -> Option<Vec<String>> {
    let list = cell.trim();
    if !(list.starts_with('[') && list.ends_with(']')) {
        return None;
    }
    let labels: Vec<serde_json::Value> = serde_json::from_str(list).ok()?;
    let label = |label: serde_json::Value| match label {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    Some(labels.into_iter().map(label).collect())
}

/// The values that mark examples, and what was seen of them.
pub(super) struct Label {
    pub column: String,
    values: Vec<Value>,
    /// The first values in the order of their names, to answer with where one is not found.
    others: BTreeSet<String>,
}

struct Value {
    name: String,
    seen: bool,
    /// What a list names; empty where there is no comma in it.
    parts: Vec<(String, bool)>,
}

/// More values than anybody reads; one more says that there are more.
const VALUES_SHOWN: usize = 11;

impl Label {
    pub fn new<S: AsRef<str>>(column: &str, values: &[S]) -> Self {
        let value = |name: &S| {
            let name = name.as_ref().to_string();
            let parts = if name.contains(',') {
                name.split(',').map(|p| (p.into(), false)).collect()
            } else {
                vec![]
            };
            Value { name, seen: false, parts }
        };
        Label { column: column.into(), values: values.iter().map(value).collect(), others: BTreeSet::new() }
    }

    /// Whether a row with this cell is marked, as far as it can be told by now.
    pub fn look(&mut self, cell: &str) -> Marked {
        let mut marked = Marked::No;
        let members = members(cell);
        for value in &mut self.values {
            if has_value(cell, &members, &value.name) {
                value.seen = true;
                marked = Marked::Yes;
            }
            for (_, seen) in value.parts.iter_mut().filter(|(part, _)| has_value(cell, &members, part)) {
                *seen = true;
                marked = if marked == Marked::Yes { Marked::Yes } else { Marked::IfAList };
            }
        }
        if marked == Marked::No {
            match members {
                Some(labels) => labels.iter().for_each(|label| self.remember(label)),
                None => self.remember(cell),
            }
        }
        marked
    }

    fn remember(&mut self, other: &str) {
        let room = self.others.len() < VALUES_SHOWN;
        let earlier = || self.others.last().is_some_and(|last| other < last.as_str());
        if (room || earlier()) && !self.others.contains(other) {
            self.others.insert(other.to_string());
            if self.others.len() > VALUES_SHOWN {
                self.others.pop_last();
            }
        }
    }

    pub fn merge(&mut self, other: Label) {
        for (ours, theirs) in self.values.iter_mut().zip(other.values) {
            ours.seen |= theirs.seen;
            ours.parts.iter_mut().zip(theirs.parts).for_each(|(ours, theirs)| ours.1 |= theirs.1);
        }
        self.others.extend(other.others);
    }

    /// The values that mark, after all rows: one that no row has is a list. Some row must have each.
    pub fn wanted(&self) -> Result<Vec<String>> {
        let mut wanted: Vec<(&str, bool)> = Vec::new();
        for value in &self.values {
            match value.seen || value.parts.is_empty() {
                true => wanted.push((&value.name, value.seen)),
                false => wanted.extend(value.parts.iter().map(|(part, seen)| (part.as_str(), *seen))),
            }
        }
        if let Some((missing, _)) = wanted.iter().find(|(_, seen)| !seen) {
            let found = wanted.iter().filter(|(_, seen)| *seen).map(|(value, _)| value.to_string());
            let known = self.others.iter().cloned().chain(found).collect();
            return Err(unknown_value(&self.column, missing, known, wanted.len() == 1));
        }
        Ok(wanted.into_iter().map(|(value, _)| value.to_string()).collect())
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Marked {
    Yes,
    No,
    IfAList,
}

/// No row has a value that marks examples; `values` are those there are.
fn unknown_value(label: &str, value: &str, mut values: Vec<String>, only: bool) -> Error {
    values.sort();
    values.dedup();
    let named = |value: &String| if value.is_empty() { "nothing".into() } else { format!("`{value}`") };
    let shown: Vec<String> = values.iter().take(10).map(named).collect();
    let more = if values.len() > 10 { ", …" } else { "" };
    let missing = if only { ", so no row is marked by it" } else { "" };
    let text = format!(
        "no row has `{value}` in column `{label}`{missing}; its values are {}{more}",
        shown.join(", ")
    );
    let message = Message::new(&codes::VALUE_NOT_FOUND, text);
    Error::data(message.field("column", label).field("value", value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    fn table(cells: &[&str]) -> Table {
        let mut table = Table::from_texts("text", vec!["a"; cells.len()]);
        table.push_column("labels", Column::Text(cells.iter().copied().collect()));
        table
    }

    #[test]
    fn a_list_of_labels_is_marked_by_each_of_them() {
        let table = table(&["[\"acq\", \"crude\"]", "[\"earn\"]", "crude", "[]", "[1, true]", "[crude"]);
        let rows = |values: &[&str]| marked(&table, "labels", values).unwrap();
        assert_eq!(rows(&["crude"]), [true, false, true, false, false, false]);
        assert_eq!(rows(&["acq,earn"]), [true, true, false, false, false, false]);
        assert_eq!(rows(&["1.0", "[crude"]), [false, false, false, false, true, true]);
        assert_eq!(rows(&["[\"earn\"]"]), [false, true, false, false, false, false]);
        let message = marked(&table, "labels", &["coffee"]).unwrap_err().to_string();
        assert!(message.contains("`acq`, `crude`, `earn`"), "{message}");
    }
}
