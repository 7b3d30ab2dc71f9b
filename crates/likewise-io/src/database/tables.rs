//! What every holder of tables can do: say what it has, and stream it.

use likewise::Run;
use likewise::data::Table;
use likewise::note::Note;
use likewise::relations::FactsBuilder;
use likewise::relations::schema::{ColumnKind, ColumnSchema, Declared, Schema, TableSchema};
use likewise::relations::tables::TableFacts;

use super::profile::Profile;
use super::schema_file::Said;
use crate::error::Result;

/// A table as its holder declares it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundTable {
    pub name: String,
    pub columns: Vec<String>,
    /// Empty where none is declared.
    pub key: Vec<String>,
    /// The last column is where the database keeps the row, and the key only for want of another.
    pub row_name: bool,
    /// Column and the table it refers to.
    pub references: Vec<(String, String)>,
    /// By column, what it is declared to hold; files declare nothing.
    pub types: Vec<Option<Declared>>,
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

    /// Whether keys and references are declared, so that none need be guessed.
    fn is_declared(&self) -> bool {
        self.tables().iter().any(|t| !t.references.is_empty())
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

/// Tables with everything known about them that rules can use.
pub(crate) struct Understood {
    pub schema: Schema,
    /// By table and column, for people to look at.
    pub profiles: Vec<Profile>,
    pub notes: Vec<Note>,
}

/// Finds out what each column is: declared, said by the user, or seen from names and values.
pub(crate) fn understand(source: &dyn TableSource, said: &Said, run: &Run) -> Result<Understood> {
    said.check(source)?;
    let mut tables: Vec<TableSchema> = Vec::new();
    let mut profiles = Vec::new();
    let mut notes = Vec::new();
    let total = source.tables().len() as u64;
    for (number, found) in source.tables().iter().enumerate() {
        run.step("looking at tables", number as u64, total)?;
        let mut profile = Profile::new(found.columns.len());
        source.stream(number, &found.columns, &mut |batch| {
            profile.add(batch, &found.columns);
            Ok(())
        })?;
        let said = said.of(&found.name);
        let said_key = said.and_then(|s| s.key.clone());
        let nothing_declared = found.row_name || found.key.is_empty();
        let guessed = (said_key.is_none() && nothing_declared)
            .then(|| profile.guess_key(found, source.tables()))
            .flatten()
            .filter(|name| !found.references.iter().any(|(column, _)| column == name));
        let key = said_key.or(guessed.map(|name| vec![name])).unwrap_or_else(|| found.key.clone());
        let is_used = |name: &String| {
            !found.row_name
                || Some(name) != found.columns.last()
                || key.iter().any(|k| k.eq_ignore_ascii_case(name))
                || said.is_some_and(|s| s.kind(name).is_some())
        };
        // The place of a row says nothing of it.
        let columns = (found.columns.iter().enumerate().filter(|(_, name)| is_used(name)))
            .map(|(at, name)| {
                let kind = match said.and_then(|s| s.kind(name)) {
                    Some(kind) => kind.clone(),
                    None => match found.references.iter().find(|(c, _)| c == name) {
                        Some((_, to)) => ColumnKind::Reference(to.clone()),
                        None if key.iter().any(|k| k.eq_ignore_ascii_case(name)) => ColumnKind::Key,
                        None => profile.columns[at].kind(found.declared(at)),
                    },
                };
                ColumnSchema { name: name.clone(), kind, declared: found.declared(at) }
            })
            .collect();
        tables.push(TableSchema { name: found.name.clone(), columns, key });
        profiles.push(profile);
    }
    let mut schema = Schema { tables };
    if !source.is_declared() {
        super::profile::guess_references(source, &mut schema, &profiles, said, &mut notes)?;
    }
    schema.check()?;
    Ok(Understood { schema, profiles, notes })
}

/// Where the tables of a schema stand in a source that it was made for: each in its own place, with all its columns.
pub(crate) fn all_places(schema: &Schema) -> Vec<Option<(usize, Vec<String>)>> {
    let columns = |table: &TableSchema| table.columns.iter().map(|c| c.name.clone()).collect();
    schema.tables.iter().enumerate().map(|(at, table)| Some((at, columns(table)))).collect()
}

/// Reads all tables as facts. `places` says where each stands in the source, and which columns it has there.
pub(crate) fn load(
    source: &dyn TableSource,
    mut facts: TableFacts,
    places: &[Option<(usize, Vec<String>)>],
    builder: &mut FactsBuilder,
    run: &Run,
) -> Result<(TableFacts, Vec<Note>)> {
    let total = places.len() as u64;
    for (table, place) in places.iter().enumerate() {
        run.step("reading tables", table as u64, total)?;
        let Some((number, columns)) = place else { continue };
        source.stream(*number, columns, &mut |batch| Ok(facts.add(table, batch, builder)?))?;
        for column in columns.iter().filter(|column| source.has_words(*number, column)) {
            facts.has_words(table, column, builder);
        }
    }
    let notes = facts.notes(builder);
    Ok((facts, notes))
}
