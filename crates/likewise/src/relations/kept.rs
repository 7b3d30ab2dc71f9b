//! The schema that a model was trained under, with what was seen of it: kept in the model, so that new data are read
//! the same way however many rows, towns or tables they have.

use serde::{Deserialize, Serialize};

use super::facts::{Domain, Facts};
use super::schema::{ColumnKind, Schema, TableSchema};
use crate::error::{Error, Result};

/// A schema as it was fitted at training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptSchema {
    pub schema: Schema,
    /// What was seen of the columns that rules can use.
    pub columns: Vec<KeptColumn>,
    /// Tables that held the examples: no rule uses them, so new data may lack them.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// What was seen of a column at training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptColumn {
    pub table: String,
    pub column: String,
    pub seen: SeenCells,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeenCells {
    /// The values of a category, in the order in which they were met.
    Values(Vec<String>),
    /// The thresholds that numbers are compared with, ascending.
    Cuts(Vec<f64>),
}

impl KeptSchema {
    /// The schema with what the facts read under it say. `examples` are the tables that examples were in.
    pub fn new(schema: Schema, facts: &Facts, examples: Vec<String>) -> Self {
        let mut columns = Vec::new();
        for table in &schema.tables {
            for column in &table.columns {
                let seen = match column.kind {
                    ColumnKind::Category => values(facts, table, &column.name).map(SeenCells::Values),
                    ColumnKind::Number => cuts(facts, table, &column.name).map(SeenCells::Cuts),
                    _ => None,
                };
                columns.extend(seen.map(|seen| KeptColumn {
                    table: table.name.clone(),
                    column: column.name.clone(),
                    seen,
                }));
            }
        }
        KeptSchema { schema, columns, examples }
    }

    /// What was seen of a column.
    pub fn seen(&self, table: &str, column: &str) -> Option<&SeenCells> {
        let same = |known: &&KeptColumn| {
            known.table.eq_ignore_ascii_case(table) && known.column.eq_ignore_ascii_case(column)
        };
        self.columns.iter().find(same).map(|known| &known.seen)
    }

    /// Refuses what cannot have been a schema. A file may say anything.
    pub fn check(&self) -> Result<()> {
        self.schema.check().map_err(|e| Error::model_file(format!("its schema makes no sense: {e}")))?;
        let sound = |column: &KeptColumn| match &column.seen {
            SeenCells::Values(_) => true,
            SeenCells::Cuts(cuts) => {
                cuts.iter().all(|cut| cut.is_finite()) && cuts.windows(2).all(|pair| pair[0] < pair[1])
            }
        };
        if self.columns.iter().all(sound) {
            Ok(())
        } else {
            Err(Error::model_file("the thresholds of its schema are not ascending numbers"))
        }
    }
}

fn values(facts: &Facts, table: &TableSchema, column: &str) -> Option<Vec<String>> {
    let constants = facts.constants(facts.type_named(&format!("{}.{column}", table.name)).ok()?);
    Some((0..constants.len() as u32).map(|number| constants.name(number).to_string()).collect())
}

fn cuts(facts: &Facts, table: &TableSchema, column: &str) -> Option<Vec<f64>> {
    let own = facts.relations().iter().find(|relation| {
        let source = relation.source.as_ref().filter(|source| source.table == table.name);
        let last = source.and_then(|source| source.columns.last());
        relation.domains.last() == Some(&Domain::Number) && last.is_some_and(|last| last.name == column)
    });
    own.map(|relation| relation.cuts().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::FactsBuilder;
    use crate::relations::schema::ColumnSchema;
    use crate::relations::tables::TableFacts;
    use crate::table::{Column, Table};

    fn orders(ids: &[&str], totals: &[&str], towns: &[&str]) -> Table {
        let mut table = Table::from_source("t");
        table.origins = (0..ids.len()).map(|i| (0, i as u64 + 1)).collect();
        for (name, cells) in [("id", ids), ("total", totals), ("town", towns)] {
            if !cells.is_empty() {
                table.push_column(name, Column::Text(cells.iter().collect()));
            }
        }
        table
    }

    fn schema() -> Schema {
        let columns = vec![
            ColumnSchema::new("id", ColumnKind::Key),
            ColumnSchema::new("total", ColumnKind::Number),
            ColumnSchema::new("town", ColumnKind::Category),
        ];
        Schema { tables: vec![TableSchema { name: "orders".into(), columns, key: vec!["id".into()] }] }
    }

    fn kept() -> KeptSchema {
        let mut builder = FactsBuilder::new();
        let mut tables = TableFacts::new(schema(), &mut builder).unwrap();
        let rows = orders(&["1", "2", "3"], &["5", "7", "9"], &["Ulm", "Bonn", "Ulm"]);
        tables.add(0, &rows, &mut builder).unwrap();
        KeptSchema::new(schema(), &builder.finish(), Vec::new())
    }

    #[test]
    fn values_and_thresholds_are_kept() {
        let kept = kept();
        assert_eq!(kept.seen("Orders", "town"), Some(&SeenCells::Values(vec!["Ulm".into(), "Bonn".into()])));
        assert_eq!(kept.seen("orders", "total"), Some(&SeenCells::Cuts(vec![7.0, 9.0])));
        let read: KeptSchema = serde_json::from_str(&serde_json::to_string(&kept).unwrap()).unwrap();
        assert_eq!(read, kept);
        assert!(read.check().is_ok());
        let mut broken = read;
        broken.columns[0].seen = SeenCells::Cuts(vec![9.0, 7.0]);
        assert!(broken.check().is_err());
    }

    #[test]
    fn new_rows_are_read_as_the_old_ones_were() {
        let mut builder = FactsBuilder::new();
        let mut tables = TableFacts::under(&kept(), &mut builder).unwrap();
        tables.add(0, &orders(&["4", "5"], &[], &["Trier", "Bonn"]), &mut builder).unwrap();
        let notes = format!("{:?}", tables.notes(&builder));
        assert!(
            notes.contains("1 value of `orders.town` was not there at training (the first: `Trier`)"),
            "{notes}"
        );
        let facts = builder.finish();
        let relation = |name: &str| facts.relation(facts.named(name).unwrap());
        assert_eq!((relation("orders_total").rows, relation("orders_total").cuts()), (0, &[7.0, 9.0][..]));
        assert_eq!(relation("orders_town").rows, 2);
        let towns = facts.constants(facts.type_named("orders.town").unwrap());
        assert_eq!((towns.name(1), towns.name(2)), ("Bonn", "Trier"));
    }
}
