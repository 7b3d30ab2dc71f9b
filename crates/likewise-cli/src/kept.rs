//! Columns of the input that are written beside the answer.

use std::borrow::Cow;

use clap::Args;
use likewise::data::{Column, Table};
use likewise_io::{CellKind, Cells, Field};

use crate::arguments::Usage;

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
        if let Kept::Named(names) = &kept {
            names.iter().try_for_each(|name| check(name))?;
        }
        Ok(kept)
    }
}

impl Kept {
    /// The columns of this table that are kept. Of all, the id stands in the answer already.
    pub fn of(&self, table: &Table, id: Option<&str>) -> anyhow::Result<Vec<String>> {
        let id = id.unwrap_or("id");
        match self {
            Kept::Nothing => Ok(Vec::new()),
            Kept::Named(names) => {
                names.iter().try_for_each(|name| table.column(name).map(|_| ()))?;
                Ok(names.clone())
            }
            Kept::All => {
                let names: Vec<String> =
                    table.column_names().iter().filter(|name| *name != id).cloned().collect();
                names.iter().try_for_each(|name| check(name))?;
                Ok(names)
            }
        }
    }
}

impl Kept {
    /// The columns that are kept, in the kinds that the first rows have.
    pub fn fields(&self, first: &Table, id: Option<&str>) -> anyhow::Result<Vec<Field>> {
        let field = |name: String| Ok(Field::new(name.clone(), Cells::from(first.column(&name)?).kind()));
        self.of(first, id)?.into_iter().map(field).collect()
    }
}

/// Whether a column of that name can stand beside the answer.
fn check(name: &str) -> Result<(), Usage> {
    match OWN_COLUMNS.contains(&name) {
        true => Err(Usage(format!(
            "--keep-columns: the answer has a column `{name}` of its own; rename that of the input, or name the columns to keep: --keep-columns=COL,COL"
        ))),
        false => Ok(()),
    }
}

/// A column of a later batch in the kind of the first; missing cells where it is not there.
pub fn as_kind<'a>(table: &'a Table, name: &str, kind: CellKind) -> Cow<'a, Column> {
    let rows = 0..table.rows();
    match (table.get(name), kind) {
        (Some(column @ Column::Text(_)), CellKind::Text)
        | (Some(column @ Column::Number(_)), CellKind::Number)
        | (Some(column @ Column::Vectors(_)), CellKind::Vectors) => Cow::Borrowed(column),
        (Some(column), CellKind::Number) => {
            Cow::Owned(Column::Number(rows.map(|row| column.number(row)).collect()))
        }
        (Some(column), _) => Cow::Owned(Column::Text(rows.map(|row| column.cell(row)).collect())),
        (None, CellKind::Number) => Cow::Owned(Column::Number(vec![f64::NAN; table.rows()])),
        (None, _) => Cow::Owned(Column::Text(rows.map(|_| "").collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::from_source("a");
        for name in ["key", "text", "size"] {
            table.push_column(name, Column::Text(["1"].into_iter().collect()));
        }
        table.origins = vec![(0, 1)];
        table
    }

    #[test]
    fn all_are_those_that_the_answer_has_not() {
        assert_eq!(Kept::All.of(&table(), Some("key")).unwrap(), ["text", "size"]);
        assert_eq!(Kept::All.of(&table(), None).unwrap(), ["key", "text", "size"]);
        assert!(Kept::Named(vec!["x".into()]).of(&table(), None).is_err());
        let mut scored = table();
        scored.push_column("score", Column::Number(vec![1.0]));
        assert!(Kept::All.of(&scored, None).is_err());
        assert!(KeepArguments { keep_columns: Some("text,rank".into()) }.kept().is_err());
    }

    #[test]
    fn later_batches_are_written_like_the_first() {
        assert_eq!(*as_kind(&table(), "text", CellKind::Number), Column::Number(vec![1.0]));
        assert_eq!(as_kind(&table(), "gone", CellKind::Text).cell(0), "");
    }
}
