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

impl KeepArguments {
    /// The columns that are kept beside those of the answer itself, which they must not repeat.
    pub fn kept(&self, own: &[Field]) -> Result<Kept, Usage> {
        let mut named: Vec<String> = Vec::new();
        match self.keep_columns.as_deref() {
            None => return Ok(Kept::Nothing),
            Some("") => return Ok(Kept::All),
            Some(names) => {
                for name in names.split(',') {
                    check(name, own)?;
                    if !named.iter().any(|known| known == name) {
                        named.push(name.into());
                    }
                }
            }
        }
        Ok(Kept::Named(named))
    }
}

impl Kept {
    /// The columns of this table that are kept beside those of the answer itself. Of all, the id stands there already.
    pub fn of(&self, table: &Table, id: Option<&str>, own: &[Field]) -> anyhow::Result<Vec<String>> {
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
                names.iter().try_for_each(|name| check(name, own))?;
                Ok(names)
            }
        }
    }

    /// The columns that are kept, in the kinds that the first rows have.
    pub fn fields(&self, first: &Table, id: Option<&str>, own: &[Field]) -> anyhow::Result<Vec<Field>> {
        let field = |name: String| Ok(Field::new(name.clone(), Cells::from(first.column(&name)?).kind()));
        self.of(first, id, own)?.into_iter().map(field).collect()
    }
}

/// Whether a column of that name can stand beside the answer.
fn check(name: &str, own: &[Field]) -> Result<(), Usage> {
    match own.iter().any(|field| field.name == name) {
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
        let own = [Field::new("score", CellKind::Number)];
        assert_eq!(Kept::All.of(&table(), Some("key"), &own).unwrap(), ["text", "size"]);
        assert_eq!(Kept::All.of(&table(), None, &own).unwrap(), ["key", "text", "size"]);
        assert!(Kept::Named(vec!["x".into()]).of(&table(), None, &own).is_err());
        let mut scored = table();
        scored.push_column("score", Column::Number(vec![1.0]));
        assert!(Kept::All.of(&scored, None, &own).is_err());
        let kept = |names: &str| KeepArguments { keep_columns: Some(names.into()) }.kept(&own);
        assert!(kept("text,score").is_err());
        // The rank is no column of this answer, and what is named twice is kept once.
        assert_eq!(kept("text,rank,text").unwrap(), Kept::Named(vec!["text".into(), "rank".into()]));
    }

    #[test]
    fn later_batches_are_written_like_the_first() {
        assert_eq!(*as_kind(&table(), "text", CellKind::Number), Column::Number(vec![1.0]));
        assert_eq!(as_kind(&table(), "gone", CellKind::Text).cell(0), "");
    }
}
