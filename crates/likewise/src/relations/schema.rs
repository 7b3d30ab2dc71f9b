//! What tables are: their columns, keys and references, as declared, guessed or said by the user.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, nearest_name};

/// What a column is to the learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Part of what names a row.
    Key,
    /// The key of another table.
    Reference(String),
    /// Few distinct values: each may stand in a rule.
    Category,
    /// Compared with thresholds.
    Number,
    /// Words: not used in rules, but by methods for text.
    Text,
    /// A date or time: not used in rules.
    Time,
    /// Not used.
    Ignored,
}

/// What a database declares the cells of a column to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Declared {
    Integer,
    Number,
    Text,
    /// Text under a collation that takes different texts for equal, as one without letter case does.
    Collated,
    Boolean,
    Time,
    /// Bytes and the like, which nothing here reads.
    Opaque,
    /// Nothing: a cell is a number or a text as it comes.
    Any,
}

/// A column, what it is to the learner, and what its database says it is; files say nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnSchema {
    pub name: String,
    pub kind: ColumnKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<Declared>,
    /// Of a key: `1.0` and `1` name the same row, as programs write whole numbers beside a missing one with a point.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_value: bool,
    /// Of a key: what elsewhere says that a value is missing, such as `NA`, and here names a row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_missing: Vec<String>,
    /// New tables under the schema of a model lack the column.
    #[serde(skip)]
    pub absent: bool,
}

impl ColumnSchema {
    /// A column of which nothing is declared.
    pub fn new(name: impl Into<String>, kind: ColumnKind) -> Self {
        ColumnSchema {
            name: name.into(),
            kind,
            declared: None,
            by_value: false,
            not_missing: Vec::new(),
            absent: false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableSchema {
    pub name: String,
    pub columns: Vec<ColumnSchema>,
    /// The columns that together name a row; empty where none do.
    pub key: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    pub tables: Vec<TableSchema>,
}

impl TableSchema {
    pub fn column(&self, name: &str) -> Option<&ColumnSchema> {
        self.columns.iter().find(|c| c.name.eq_ignore_ascii_case(name))
    }

    /// Its key, where that is one column.
    pub fn single_key(&self) -> Option<&str> {
        match &self.key[..] {
            [key] => Some(key),
            _ => None,
        }
    }

    /// The column that alone names a row, where one does.
    pub fn key_column(&self) -> Option<&ColumnSchema> {
        self.single_key().and_then(|key| self.column(key))
    }

    pub(super) fn references(&self) -> impl Iterator<Item = (usize, &str)> {
        self.columns.iter().enumerate().filter_map(|(i, c)| match &c.kind {
            ColumnKind::Reference(to) => Some((i, to.as_str())),
            _ => None,
        })
    }

    /// Rows are named by their references together, not by a key of their own.
    pub(super) fn is_link(&self) -> bool {
        self.single_key().is_none() && self.references().count() > 1
    }
}

impl Schema {
    pub fn table(&self, name: &str) -> Option<&TableSchema> {
        self.tables.iter().find(|t| t.name.eq_ignore_ascii_case(name))
    }

    /// Refuses references that lead nowhere and keys that refer to each other in a circle.
    pub fn check(&self) -> Result<()> {
        for table in &self.tables {
            for key in &table.key {
                if table.column(key).is_none() {
                    let known = table.columns.iter().map(|c| c.name.as_str());
                    let hint =
                        nearest_name(key, known).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
                    return Err(Error::data(format!(
                        "the key `{key}` of table `{}` is not a column{hint}",
                        table.name
                    )));
                }
            }
            for (column, to) in table.references() {
                let column = &table.columns[column].name;
                let place = format!("`{}.{column}` refers to `{to}`", table.name);
                let Some(other) = self.table(to) else {
                    let known = self.tables.iter().map(|t| t.name.as_str());
                    let hint =
                        nearest_name(to, known).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
                    return Err(Error::data(format!("{place}, but there is no such table{hint}")));
                };
                if other.single_key().is_none() {
                    return Err(Error::data(format!(
                        "{place}, which has no key of one column; give it one, or make this column a category"
                    )));
                }
            }
            self.type_of(table)?;
        }
        Ok(())
    }

    /// The name of the type of a table's key: the table itself, or what its key refers to, to the end.
    pub fn type_of<'a>(&'a self, table: &'a TableSchema) -> Result<&'a str> {
        let mut seen = vec![table.name.as_str()];
        let mut current = table;
        loop {
            match current.key_column().map(|k| &k.kind) {
                Some(ColumnKind::Reference(to)) => {
                    let Some(next) = self.table(to) else { return Ok(to) };
                    if seen.iter().any(|s| s.eq_ignore_ascii_case(&next.name)) {
                        return Err(Error::data(format!(
                            "the keys of {} refer to each other in a circle, so none of them says what a row is; make one of them a plain key",
                            seen.iter().map(|s| format!("`{s}`")).collect::<Vec<_>>().join(", ")
                        )));
                    }
                    seen.push(&next.name);
                    current = next;
                }
                _ => return Ok(&current.name),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, key: &[&str], columns: &[(&str, ColumnKind)]) -> TableSchema {
        TableSchema {
            name: name.into(),
            key: key.iter().map(|k| k.to_string()).collect(),
            columns: columns.iter().map(|(n, k)| ColumnSchema::new(*n, k.clone())).collect(),
        }
    }

    fn to(table: &str) -> ColumnKind {
        ColumnKind::Reference(table.into())
    }

    #[test]
    fn schemas_that_make_no_sense_are_refused() {
        use ColumnKind::Key;
        let check = |tables: Vec<TableSchema>| Schema { tables }.check().unwrap_err().to_string();
        let message = check(vec![
            table("orders", &["id"], &[("id", Key), ("who", to("custmers"))]),
            table("customers", &["id"], &[("id", Key)]),
        ]);
        assert_eq!(
            message,
            "`orders.who` refers to `custmers`, but there is no such table (did you mean `customers`?)"
        );
        let message =
            check(vec![table("a", &["id"], &[("id", to("b"))]), table("b", &["id"], &[("id", to("a"))])]);
        assert!(message.starts_with("the keys of `a`, `b` refer to each other in a circle"), "{message}");
        let message = check(vec![table("a", &["nr"], &[("id", Key)])]);
        assert!(message.contains("the key `nr` of table `a` is not a column"), "{message}");
        let message = check(vec![table("a", &[], &[("b", to("b"))]), table("b", &[], &[("x", Key)])]);
        assert!(message.contains("has no key of one column"), "{message}");
        // Tables that refer to each other are no circle of keys.
        let mutual = vec![
            table("a", &["id"], &[("id", Key), ("b", to("b"))]),
            table("b", &["id"], &[("id", Key), ("a", to("a"))]),
        ];
        assert!(Schema { tables: mutual }.check().is_ok());
    }
}
