//! What every holder of tables can do: say what it has, and stream it.

use likewise::Run;
use likewise::data::Table;
use likewise::note::Note;
use likewise::relations::FactsBuilder;
use likewise::relations::schema::{Declared, Schema};
use likewise::relations::tables::TableFacts;

use super::missing::without_markers;
use crate::error::{Error, Result};

/// A table as its holder declares it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundTable {
    pub name: String,
    pub columns: Vec<String>,
    /// Empty where none is declared.
    pub key: Vec<String>,
    /// The last column is where the database keeps the row, and the key only for want of another.
    pub row_name: bool,
    /// The columns of a declared key of several, whose rows have another name here.
    pub parts: Vec<String>,
    pub references: Vec<FoundReference>,
    /// By column, what it is declared to hold; files declare nothing.
    pub types: Vec<Option<Declared>>,
}

/// A declared reference of one column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FoundReference {
    pub column: String,
    pub to: String,
    /// The column it leads to; none where it is the key, whatever that is.
    pub key: Option<String>,
}

/// A table that takes no part.
#[derive(Clone, Debug)]
pub(crate) struct LeftOut {
    pub table: String,
    pub why: String,
}

impl FoundTable {
    pub fn declared(&self, column: usize) -> Option<Declared> {
        self.types.get(column).copied().flatten()
    }
}

pub(crate) trait TableSource {
    /// What messages call it.
    fn name(&self) -> String;

    fn tables(&self) -> &[FoundTable];

    /// Tables that are there and cannot be read.
    fn unreadable(&self) -> &[LeftOut] {
        &[]
    }

    /// Whether nobody asked for this table by name, so that it may be left out where it cannot be read.
    fn is_beside(&self, _table: usize) -> bool {
        false
    }

    /// Whether people write words such as `NA` there where they have no value.
    fn has_markers(&self) -> bool {
        false
    }

    /// Gives the rows of a table with these columns, batch by batch, perhaps among others; a missing cell is
    /// empty.
    fn stream(
        &self,
        table: usize,
        columns: &[String],
        visit: &mut dyn FnMut(&Table) -> Result<()>,
    ) -> Result<()>;

    /// The rows that a `SELECT` gives.
    fn query(&self, sql: &str) -> Result<Table>;

    /// Whether a view is called so. Views are no facts, since they repeat what tables say, but they may name examples.
    fn is_view(&self, _name: &str) -> Result<bool> {
        Ok(false)
    }

    /// Whether words were met in a column that is declared to hold numbers, once it was read.
    fn has_words(&self, _table: usize, _column: &str) -> bool {
        false
    }
}

/// The number of the table in the source.
pub(crate) fn place_in(source: &dyn TableSource, table: &str) -> Result<usize> {
    source
        .tables()
        .iter()
        .position(|found| found.name.eq_ignore_ascii_case(table))
        .ok_or_else(|| Error::usage(format!("there is no table `{table}` in {}", source.name())))
}

/// Gives rows of the table of a schema with these columns; what stands for a missing value is empty.
pub(crate) fn stream(
    source: &dyn TableSource,
    schema: &Schema,
    table: &str,
    columns: &[String],
    visit: &mut dyn FnMut(&Table) -> Result<()>,
) -> Result<()> {
    let own = schema.table(table).filter(|_| source.has_markers());
    source.stream(place_in(source, table)?, columns, &mut |batch| match own {
        Some(own) => visit(&without_markers(batch, own, schema)),
        None => visit(batch),
    })
}

/// Where the tables of a schema stand in a source that it was made for: with all their columns.
pub(crate) fn all_places(source: &dyn TableSource, schema: &Schema) -> Result<Vec<Place>> {
    let place = |name: &str| place_in(source, name);
    let tables = schema.tables.iter().map(|table| {
        let columns = table.columns.iter().map(|c| c.name.clone()).collect();
        Ok(Some((place(&table.name)?, columns)))
    });
    tables.collect()
}

/// The number of a table in its source, and the columns that it has there.
pub(crate) type Place = Option<(usize, Vec<String>)>;

/// Reads all tables as facts. `places` says where each stands in the source, and which columns it has there.
pub(crate) fn load(
    source: &dyn TableSource,
    mut facts: TableFacts,
    places: &[Place],
    builder: &mut FactsBuilder,
    run: &Run,
) -> Result<(TableFacts, Vec<Note>)> {
    let (total, schema) = (places.len() as u64, facts.schema().clone());
    for (table, place) in places.iter().enumerate() {
        run.step("reading tables", table as u64, total)?;
        let Some((number, columns)) = place else { continue };
        source.stream(*number, columns, &mut |batch| {
            if source.has_markers() {
                let clean = without_markers(batch, &schema.tables[table], &schema);
                return Ok(facts.add(table, &clean, builder)?);
            }
            Ok(facts.add(table, batch, builder)?)
        })?;
        for column in columns.iter().filter(|column| source.has_words(*number, column)) {
            facts.has_words(table, column, builder);
        }
    }
    let notes = facts.notes(builder);
    Ok((facts, notes))
}
