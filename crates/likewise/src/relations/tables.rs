//! Rows of tables as facts, batch by batch.

use std::borrow::Cow;

use super::builder::FactsBuilder;
use super::declare::{TablePlan, declare};
use super::facts::Domain;
use super::kept::{KeptSchema, SeenCells};
use super::modes::Mode;
use super::schema::{Declared, Schema};
use crate::codes;
use crate::error::{Error, Result};
use crate::figures::{count, rows};
use crate::note::Note;
use crate::table::{Column, Table};

/// Turns the rows of tables into facts about their keys.
pub struct TableFacts {
    schema: Schema,
    plans: Vec<TablePlan>,
    pub modes: Vec<Mode>,
    /// By type: which constants are the key of some row.
    pub keyed: Vec<Vec<bool>>,
    /// By table: which constants name a row of it, how many rows have a name that another has, and the first of them.
    named: Vec<Vec<bool>>,
    repeated: Vec<(usize, String)>,
    /// By table: cells that should be numbers and are not, and the first of them.
    not_numbers: Vec<(usize, String)>,
    rows: Vec<u64>,
    /// Categories under a kept schema: place, type, and how many values training knew.
    known: Vec<(String, u32, usize)>,
}

impl TableFacts {
    pub fn new(schema: Schema, builder: &mut FactsBuilder) -> Result<Self> {
        let (plans, modes) = declare(&schema, builder)?;
        let tables = plans.len();
        Ok(TableFacts {
            schema,
            plans,
            modes,
            keyed: Vec::new(),
            named: Vec::new(),
            repeated: vec![(0, String::new()); tables],
            not_numbers: vec![(0, String::new()); tables],
            rows: vec![0; tables],
            known: Vec::new(),
        })
    }

    /// The same under the schema of a model: its relations, its thresholds, and the values that it knows.
    pub fn under(kept: &KeptSchema, builder: &mut FactsBuilder) -> Result<Self> {
        let mut facts = TableFacts::new(kept.schema.clone(), builder)?;
        for (table, plan) in kept.schema.tables.iter().zip(&facts.plans) {
            for value in &plan.values {
                let column = &table.columns[value.column].name;
                match (kept.seen(&table.name, column), builder.domains(value.relation).last().copied()) {
                    (Some(SeenCells::Cuts(cuts)), Some(Domain::Number)) => {
                        builder.set_cuts(value.relation, cuts.clone());
                    }
                    (Some(SeenCells::Values(values)), Some(Domain::Type(t))) => {
                        for value in values {
                            builder.intern(t, value);
                        }
                        let known = builder.constants(t).len();
                        facts.known.push((format!("{}.{column}", table.name), t, known));
                    }
                    _ => {}
                }
            }
        }
        Ok(facts)
    }

    /// Says that a column that is declared to hold numbers holds words too.
    pub fn has_words(&self, table: usize, column: &str, builder: &mut FactsBuilder) {
        for value in &self.plans[table].values {
            if self.schema.tables[table].columns[value.column].name == column {
                builder.set_has_words(value.relation);
            }
        }
    }

    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Adds rows of the table with that number. A missing cell is no fact, and a column that is not there has none;
    /// rows without the column of their key are numbered.
    pub fn add(&mut self, table: usize, batch: &Table, builder: &mut FactsBuilder) -> Result<()> {
        let columns: Vec<Option<&Column>> =
            self.schema.tables[table].columns.iter().map(|c| batch.get(&c.name)).collect();
        let plan = &self.plans[table];
        let mut arguments: Vec<u32> = Vec::new();
        for row in 0..batch.rows() {
            self.rows[table] += 1;
            let cell = |column: usize| columns[column].map_or(Cow::Borrowed(""), |cells| cells.cell(row));
            let name = match (plan.key, plan.numbered) {
                (Some((column, own)), _) if columns[column].is_some() => {
                    let cell = cell(column);
                    if cell.is_empty() {
                        return Err(Error::data(format!(
                            "{}: the key `{}` is empty; every row of `{}` needs one",
                            batch.place(row),
                            self.schema.tables[table].columns[column].name,
                            self.schema.tables[table].name
                        )));
                    }
                    let constant = builder.intern(own, &cell);
                    mark(&mut self.keyed, own, constant);
                    if mark(&mut self.named, table as u32, constant) {
                        let (count, first) = &mut self.repeated[table];
                        if *count == 0 {
                            *first = format!("`{cell}` at {}", batch.place(row));
                        }
                        *count += 1;
                    }
                    Some(constant)
                }
                (Some((_, own)), _) | (None, Some(own)) => {
                    Some(builder.intern(own, &self.rows[table].to_string()))
                }
                (None, None) => None,
            };
            let links =
                |columns_of: &[usize], relation: u32, builder: &mut FactsBuilder, out: &mut Vec<u32>| {
                    for (argument, &column) in columns_of.iter().enumerate() {
                        let cell = cell(column);
                        let Domain::Type(t) = builder.domains(relation)[argument] else { return false };
                        if cell.is_empty() {
                            return false;
                        }
                        out.push(builder.intern(t, &cell));
                    }
                    true
                };
            if let Some((relation, of)) = &plan.rows {
                arguments.clear();
                if links(of, *relation, builder, &mut arguments) {
                    builder.push_ids(*relation, &arguments, None);
                }
            }
            for value in &plan.values {
                arguments.clear();
                arguments.extend(name.filter(|_| value.links.is_empty()));
                if !links(&value.links, value.relation, builder, &mut arguments) {
                    continue;
                }
                if value.is_number {
                    // A column that is declared to hold numbers is asked by its holder.
                    let declared = self.schema.tables[table].columns[value.column].declared;
                    let is_asked =
                        matches!(declared, Some(Declared::Text | Declared::Collated | Declared::Any));
                    let found = columns[value.column].map_or(Cell::Missing, |cells| number(cells, row));
                    if is_asked && matches!(found, Cell::NoNumber | Cell::Words) {
                        builder.add_word(value.relation, &cell(value.column));
                    }
                    match found {
                        Cell::Number(number) => builder.push_ids(value.relation, &arguments, Some(number)),
                        Cell::Missing | Cell::NoNumber => {}
                        Cell::Words => {
                            let (count, first) = &mut self.not_numbers[table];
                            if *count == 0 {
                                *first = format!("`{}` at {}", cell(value.column), batch.place(row));
                            }
                            *count += 1;
                        }
                    }
                    continue;
                }
                let cell = cell(value.column);
                let last = arguments.len();
                if let Domain::Type(t) = builder.domains(value.relation)[last]
                    && !cell.is_empty()
                {
                    arguments.push(builder.intern(t, &cell));
                    builder.push_ids(value.relation, &arguments, None);
                }
            }
        }
        Ok(())
    }

    /// What the user should know of the rows: references to rows that do not exist, numbers that are none.
    pub fn notes(&self, builder: &FactsBuilder) -> Vec<Note> {
        let mut notes = Vec::new();
        for (number, keyed) in self.keyed.iter().enumerate().filter(|(_, keyed)| !keyed.is_empty()) {
            let constants = builder.constants(number as u32);
            let dangling: Vec<u32> = (0..constants.len() as u32)
                .filter(|&c| !keyed.get(c as usize).copied().unwrap_or(false))
                .collect();
            if let Some(first) = dangling.first() {
                let (what, they) = match dangling.len() {
                    1 => ("1 value refers".to_string(), "it is kept as a name"),
                    several => (format!("{} values refer", count(several)), "they are kept as names"),
                };
                notes.push(Note::warning(&codes::DANGLING_VALUES, format!(
                    "{what} to rows of `{}` that do not exist (the first: `{}`); {they} without facts of their own",
                    builder.type_name(number as u32),
                    constants.name(*first)
                )));
            }
        }
        for (table, (repeats, first)) in self.schema.tables.iter().zip(&self.repeated) {
            let (Some(key), false) = (table.single_key(), *repeats == 0) else { continue };
            let text = format!(
                "{} of `{}` {} a `{key}` that an earlier row has (the first: {first}); rows of one key are taken for one \
                 row, so name another key in a schema if they are not",
                rows(*repeats),
                table.name,
                if *repeats == 1 { "has" } else { "have" }
            );
            let note = Note::warning(&codes::UNUSABLE_KEY, text);
            notes.push(note.field("table", table.name.as_str()).field("key", key).field("rows", *repeats));
        }
        for (place, number, known) in &self.known {
            let constants = builder.constants(*number);
            let new = constants.len() - known;
            if new > 0 {
                let first = constants.name(*known as u32);
                let (values, were, them) = match new {
                    1 => ("1 value".to_string(), "was", "it"),
                    _ => (format!("{} values", count(new)), "were", "them"),
                };
                let text = format!(
                    "{values} of `{place}` {were} not there at training (the first: `{first}`); no rule names {them}"
                );
                let note = Note::info(&codes::UNKNOWN_VALUES, text);
                notes.push(note.field("column", place.as_str()).field("values", new).field("first", first));
            }
        }
        for (table, (cells, first)) in self.schema.tables.iter().zip(&self.not_numbers) {
            if *cells > 0 {
                let (what, are) = match *cells {
                    1 => ("1 cell".to_string(), "is no number and is"),
                    several => (format!("{} cells", count(several)), "are not numbers and are"),
                };
                notes.push(Note::warning(
                    &codes::NOT_A_NUMBER,
                    format!(
                        "{what} in number columns of `{}` {are} left out (the first: {first})",
                        table.name
                    ),
                ));
            }
        }
        notes
    }
}

/// Marks a constant within a group, and says whether it was marked before.
fn mark(marked: &mut Vec<Vec<bool>>, group: u32, constant: u32) -> bool {
    let (g, c) = (group as usize, constant as usize);
    if marked.len() <= g {
        marked.resize(g + 1, Vec::new());
    }
    if marked[g].len() <= c {
        marked[g].resize(c + 1, false);
    }
    std::mem::replace(&mut marked[g][c], true)
}

enum Cell {
    Number(f64),
    Missing,
    /// Blanks, or what programs write for a number that there is not, such as `nan`: as good as missing.
    NoNumber,
    Words,
}

fn number(column: &Column, row: usize) -> Cell {
    let number = match column {
        Column::Number(cells) => cells[row],
        Column::Vectors(_) => return Cell::Words,
        Column::Text(cells) => {
            let text = cells.get(row).trim();
            if text.is_empty() {
                return if cells.get(row).is_empty() { Cell::Missing } else { Cell::NoNumber };
            }
            match text.parse::<f64>() {
                Ok(number) => number,
                Err(_) => return Cell::Words,
            }
        }
    };
    if number.is_finite() { Cell::Number(number) } else { Cell::NoNumber }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::schema::{ColumnKind, ColumnSchema, TableSchema};

    fn rows(columns: &[(&str, &[&str])]) -> Table {
        let mut table = Table::from_source("t");
        for (name, cells) in columns {
            table.push_column(*name, Column::Text(cells.iter().collect()));
        }
        table.origins = (0..columns[0].1.len()).map(|i| (0, i as u64 + 1)).collect();
        table
    }

    type Columns<'a> = &'a [(&'a str, ColumnKind)];

    fn schema(tables: &[(&str, &str, Columns<'_>)]) -> Schema {
        let column = |(name, kind): &(&str, ColumnKind)| ColumnSchema::new(*name, kind.clone());
        let table = |(name, key, columns): &(&str, &str, &[(&str, ColumnKind)])| TableSchema {
            name: name.to_string(),
            key: key.split_whitespace().map(str::to_string).collect(),
            columns: columns.iter().map(column).collect(),
        };
        Schema { tables: tables.iter().map(table).collect() }
    }

    #[test]
    fn cells_become_facts_and_missing_ones_do_not() {
        use ColumnKind::{Category, Key, Number, Reference};
        let schema = schema(&[
            ("customers", "id", &[("id", Key), ("city", Category)]),
            ("orders", "id", &[("id", Key), ("customer", Reference("customers".into())), ("total", Number)]),
            (
                "likes",
                "",
                &[
                    ("a", Reference("customers".into())),
                    ("b", Reference("customers".into())),
                    ("how", Category),
                ],
            ),
        ]);
        let mut builder = FactsBuilder::new();
        let mut tables = TableFacts::new(schema, &mut builder).unwrap();
        tables.add(0, &rows(&[("id", &["1", "2"]), ("city", &["Ulm", ""])]), &mut builder).unwrap();
        let orders =
            rows(&[("id", &["7", "8", "9"]), ("customer", &["1", "", "5"]), ("total", &["2.5", "many", ""])]);
        tables.add(1, &orders, &mut builder).unwrap();
        tables
            .add(2, &rows(&[("a", &["1", "1"]), ("b", &["2", ""]), ("how", &["much", "much"])]), &mut builder)
            .unwrap();
        let notes = format!("{:?}", tables.notes(&builder));
        assert!(
            notes.contains("1 value refers to rows of `customers` that do not exist (the first: `5`)"),
            "{notes}"
        );
        assert!(
            notes.contains("1 cell in number columns of `orders` is no number")
                && notes.contains("`many` at t:2"),
            "{notes}"
        );
        let facts = builder.finish();
        let count = |name: &str| facts.relation(facts.named(name).unwrap()).rows;
        let counts = ["customers_city", "orders_customer", "orders_total", "likes", "likes_how"].map(count);
        assert_eq!(counts, [1, 2, 1, 1, 1]);
    }

    #[test]
    fn a_row_without_its_key_is_named() {
        let schema = schema(&[("a", "id", &[("id", ColumnKind::Key)])]);
        let mut builder = FactsBuilder::new();
        let mut tables = TableFacts::new(schema, &mut builder).unwrap();
        let message = tables.add(0, &rows(&[("id", &["1", ""])]), &mut builder).unwrap_err().to_string();
        assert_eq!(message, "t:2: the key `id` is empty; every row of `a` needs one");
    }
}
