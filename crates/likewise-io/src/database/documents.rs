//! A text column of a table as documents.

use std::collections::{BTreeSet, HashSet};

use likewise::Run;
use likewise::data::{Column, Table, Texts};
use likewise::error::nearest_name;
use likewise::note::Note;
use likewise::relations::Target;
use likewise::trained::Trained;

use super::strangers::{Place, none_known, some_unknown};
use super::{Database, Holder, tables};
use crate::error::{Error, Result};

/// Documents of a table and which of them are marked.
pub struct Documents {
    /// With the columns `id` and that of the texts.
    pub table: Table,
    /// What the column of the texts is called.
    pub column: String,
    /// By row; empty where nothing was marked.
    pub positive: Vec<bool>,
    /// Which are known not to be wanted.
    pub unwanted: Vec<bool>,
    pub notes: Vec<Note>,
}

impl Database {
    /// The column `table.column` as documents, named by the table's key. `like` names the marked ones, `unlike`
    /// those known not to be wanted, `pile` those to be ranked (all, where it is empty), each as a file of keys, a table
    /// or a `SELECT`.
    pub fn documents(
        &self,
        place: &str,
        like: &[String],
        unlike: &[String],
        pile: &[String],
        run: &Run,
    ) -> Result<Documents> {
        let Holder::Tables { source, .. } = &self.holder else {
            return Err(Error::usage("facts have no text columns; name tables to read `table.column` from"));
        };
        let mut base = self.load(None, run)?;
        let schema = base.schema.clone().unwrap_or_default();
        let (table_name, column) = place.split_once('.').ok_or_else(|| {
            Error::usage(format!("text {place}: write it like `reviews.body`, the table and its column"))
        })?;
        let Some(table) = schema.table(table_name) else {
            base.refuse_left_out(table_name)?;
            let known = schema.tables.iter().map(|t| t.name.as_str());
            let hint =
                nearest_name(table_name, known).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
            return Err(Error::usage(format!("there is no table `{table_name}` in {}{hint}", source.name())));
        };
        let found = table.column(column).ok_or_else(|| Error::NoColumn {
            source_name: format!("table `{}`", table.name),
            name: column.into(),
            known: table.columns.iter().map(|c| c.name.clone()).collect(),
        })?;
        base.refuse_flawed_key(&table.name)?;
        let key = table.single_key().ok_or_else(|| {
            Error::usage(format!(
                "table `{}` has no key of one column, so its rows have no names",
                table.name
            ))
        })?;
        let type_number =
            base.type_number(schema.type_of(table)?).ok_or_else(|| Error::usage("no such type"))?;
        let target = Target { name: table.name.clone(), types: vec![type_number] };
        let mut names = |texts: &[String]| -> Result<HashSet<u32>> {
            let mut columns = vec![Vec::new()];
            for text in texts {
                self.read_examples(text, &target, &mut base, &mut columns, run)?;
            }
            Ok(columns.remove(0).into_iter().collect())
        };
        let (marked, refused, wanted) = (names(like)?, names(unlike)?, names(pile)?);
        let mut real = None;
        let (mut ids, mut texts) = (Texts::new(), Texts::new());
        let (mut positive, mut unwanted) = (Vec::new(), Vec::new());
        let mut missing: BTreeSet<u32> =
            [&marked, &refused, &wanted].into_iter().flatten().copied().collect();
        let columns = [key.to_string(), found.name.clone()];
        tables::stream(source.as_ref(), &schema, &table.name, &columns, &mut |batch| {
            let (keys, cells) = (batch.column(key)?, batch.column(&found.name)?);
            for row in 0..batch.rows() {
                let id = keys.cell(row);
                real.get_or_insert_with(|| id.to_string());
                let number = base.builder.intern(type_number, &id);
                let (is_marked, is_refused) = (marked.contains(&number), refused.contains(&number));
                missing.remove(&number);
                if is_marked || is_refused || pile.is_empty() || wanted.contains(&number) {
                    ids.push(&id);
                    texts.push(&cells.cell(row));
                    positive.push(is_marked);
                    // As for rows of equal content, an example that is marked both ways counts as wanted.
                    unwanted.push(is_refused && !is_marked);
                }
            }
            Ok(())
        })?;
        let mut out = Table::from_source(format!("{} ({place})", source.name()));
        out.origins = (0..ids.len()).map(|row| (0, row as u64 + 1)).collect();
        out.push_column("id", Column::Text(ids));
        let text = if found.name.eq_ignore_ascii_case("id") { "text".into() } else { found.name.clone() };
        out.push_column(&text, Column::Text(texts));
        let place = Place { table: &table.name, key, real: real.as_deref() };
        let name = |number: &u32| base.builder.constants(type_number).name(*number).to_string();
        let lists = [
            (&marked, "examples"),
            (&refused, "examples known not to be wanted"),
            (&wanted, "rows to search"),
        ];
        let notes = lists.into_iter().map(|(named, what)| {
            let unknown: Vec<&u32> = named.iter().filter(|number| missing.contains(number)).collect();
            let Some(first) = unknown.iter().min().map(|number| name(number)) else { return Ok(None) };
            match unknown.len() == named.len() {
                true => Err(none_known(named.len(), what, &first, &place)),
                false => Ok(Some(some_unknown(unknown.len(), named.len(), what, &first, &place))),
            }
        });
        let notes = notes.collect::<Result<Vec<Option<Note>>>>()?.into_iter().flatten().collect();
        Ok(Documents { table: out, column: text, positive, unwanted, notes })
    }
}

impl Documents {
    /// The same with the texts under the name that a model of one column knows them by. Somebody said that they are what
    /// it is asked about, whatever their column was called where it learned.
    pub fn read_by(mut self, model: &Trained) -> Documents {
        if let [name] = &model.features.columns_read()[..]
            && *name != self.column
            && let Some(texts) = self.table.get(&self.column).cloned()
        {
            let before = std::mem::replace(&mut self.column, name.clone());
            self.table = self.table.only_columns(|column| column != before);
            self.table.push_column(name, texts);
        }
        self
    }
}
