//! Tables that a program holds in memory as one database.

use std::sync::Arc;

use likewise::data::Table;

use super::schema_file::Said;
use super::tables::{FoundTable, TableSource};
use crate::error::{Error, Result};

/// Tables in memory, and what the caller says of them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct GivenTables {
    tables: Arc<Vec<Table>>,
    found: Vec<FoundTable>,
    pub(super) said: Said,
}

impl GivenTables {
    /// Tables by name. `schema` says of them in JSON what `schema.toml` says of a folder; `references` are such
    /// as `orders.customer -> customers` or `orders.customer -> customers.id`.
    pub fn new(
        mut named: Vec<(String, Table)>,
        schema: Option<&str>,
        references: &[String],
    ) -> Result<GivenTables> {
        if named.is_empty() {
            return Err(Error::usage("there are no tables"));
        }
        // The order in which a folder lists files of these names, so that both give the same answer.
        named.sort_by_cached_key(|(name, _)| format!("{name}."));
        for (at, (name, _)) in named.iter().enumerate() {
            if let Some((other, _)) = named[..at].iter().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
                return Err(Error::usage(format!(
                    "`{other}` and `{name}` are one name for two tables; rename one of them"
                )));
            }
        }
        let found = (named.iter())
            .map(|(name, table)| FoundTable {
                name: name.clone(),
                columns: table.column_names().to_vec(),
                ..FoundTable::default()
            })
            .collect();
        let mut said = schema.map(|json| Said::from_json(json, SCHEMA)).transpose()?.unwrap_or_default();
        for reference in references {
            said.add_reference(reference)?;
        }
        let tables = Arc::new(named.into_iter().map(|(_, table)| table).collect());
        Ok(GivenTables { tables, found, said })
    }
}

/// What messages call the schema of given tables.
const SCHEMA: &str = "the schema";

impl TableSource for GivenTables {
    fn name(&self) -> String {
        "the tables".into()
    }

    fn tables(&self) -> &[FoundTable] {
        &self.found
    }

    fn has_markers(&self) -> bool {
        true
    }

    fn stream(&self, table: usize, _: &[String], visit: &mut dyn FnMut(&Table) -> Result<()>) -> Result<()> {
        visit(&self.tables[table])
    }

    fn query(&self, sql: &str) -> Result<Table> {
        Err(Error::usage(format!(
            "`{sql}` needs a database that understands SQL; these are tables in memory"
        )))
    }
}
