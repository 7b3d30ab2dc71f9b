//! Columns of the input that are written beside the answer.

use std::borrow::Cow;

use clap::Args;
use likewise::data::{Column, Table};
use likewise_io::Kind;

use crate::arguments::Usage;
use crate::terminal::say;

#[derive(Args)]
pub struct KeepArguments {
    /// Write columns of the input too: all of them, or those that are named
    #[arg(
        long,
        value_name = "COL[,COL]",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
    )]
    keep_columns: Option<String>,
}

/// Which columns are written beside the answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    Nothing,
    All,
    Named(Vec<String>),
}

/// What every answer has; a column of the input that is kept cannot have the same name.
const OWN_COLUMNS: [&str; 4] = ["rank", "id", "score", "positive"];

impl KeepArguments {
    pub fn kept(&self) -> Result<Kept, Usage> {
        let kept = match self.keep_columns.as_deref() {
            None => Kept::Nothing,
            Some("") => Kept::All,
            Some(names) => Kept::Named(names.split(',').map(String::from).collect()),
        };
        if let Kept::Named(names) = &kept
            && let Some(name) = names.iter().find(|name| OWN_COLUMNS.contains(&name.as_str()))
        {
            return Err(Usage(format!(
                "--keep-columns: the answer has a column `{name}` of its own; rename that of the input, or leave it out"
            )));
        }
        Ok(kept)
    }
}

impl Kept {
    /// The columns of this table that are kept. Of all, the id stands in the answer already.
    pub fn of(&self, table: &Table, id: Option<&str>, quiet: bool) -> likewise::Result<Vec<String>> {
        let id = id.unwrap_or("id");
        match self {
            Kept::Nothing => Ok(Vec::new()),
            Kept::Named(names) => {
                names.iter().try_for_each(|name| table.column(name).map(|_| ()))?;
                Ok(names.clone())
            }
            Kept::All => {
                let own = |name: &&String| OWN_COLUMNS.contains(&name.as_str());
                for name in table.column_names().iter().filter(own).filter(|name| *name != id) {
                    say(
                        &format!(
                            "note: the column `{name}` of the input is not kept: the answer has one of that name"
                        ),
                        quiet,
                    );
                }
                let names = table.column_names().iter().filter(|name| !own(name) && *name != id);
                Ok(names.cloned().collect())
            }
        }
    }
}

/// A column of a later batch in the kind of the first; missing cells where it is not there.
pub fn as_kind<'a>(table: &'a Table, name: &str, kind: Kind) -> Cow<'a, Column> {
    let rows = 0..table.rows();
    match (table.get(name), kind) {
        (Some(column @ Column::Text(_)), Kind::Text)
        | (Some(column @ Column::Number(_)), Kind::Number)
        | (Some(column @ Column::Vectors(_)), Kind::Vectors) => Cow::Borrowed(column),
        (Some(column), Kind::Number) => {
            Cow::Owned(Column::Number(rows.map(|row| column.number(row)).collect()))
        }
        (Some(column), _) => Cow::Owned(Column::Text(rows.map(|row| column.cell(row)).collect())),
        (None, Kind::Number) => Cow::Owned(Column::Number(vec![f64::NAN; table.rows()])),
        (None, _) => Cow::Owned(Column::Text(rows.map(|_| "").collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::from_source("a");
        for name in ["key", "text", "score"] {
            table.push_column(name, Column::Text(["1"].into_iter().collect()));
        }
        table.origins = vec![(0, 1)];
        table
    }

    #[test]
    fn all_are_those_that_the_answer_has_not() {
        assert_eq!(Kept::All.of(&table(), Some("key"), true).unwrap(), ["text"]);
        assert_eq!(Kept::All.of(&table(), None, true).unwrap(), ["key", "text"]);
        assert!(Kept::Named(vec!["x".into()]).of(&table(), None, true).is_err());
        assert!(KeepArguments { keep_columns: Some("text,rank".into()) }.kept().is_err());
    }

    #[test]
    fn later_batches_are_written_like_the_first() {
        assert_eq!(*as_kind(&table(), "text", Kind::Number), Column::Number(vec![1.0]));
        assert_eq!(as_kind(&table(), "gone", Kind::Text).cell(0), "");
    }
}
