//! Tables as relations: keys become types, references and columns become relations with their modes.
//!
//! | in the table | relation | modes |
//! |---|---|---|
//! | `orders.customer_id` refers to `customers` | `orders_customer_id(order, customer)` | both ways |
//! | `orders.status`, few values | `orders_status(order, value)` | `#` |
//! | `orders.total`, a number | `orders_total(order, number)` | `>` |
//! | a table with a key and two or three references | also `orders(customer, product)` | both ways |
//! | a key that is itself a reference | `students(person)` | `+` |
//! | a table of references without a key of its own | `cast(film, person)`, and `cast_role(film, person, value)` | both ways |

use std::collections::HashMap;

use super::builder::FactsBuilder;
use super::facts::{Domain, Source, SourceColumn, Words};
use super::modes::{Mode, Sign};
use super::schema::{ColumnKind, ColumnSchema, Schema, TableSchema};
use crate::error::Result;

/// References of one table that are also joined into one relation, at most.
const MOST_JOINED: usize = 3;

/// What databases call the place of a row that has no other name.
const ROW_NUMBER: &str = "rowid";

/// Where the cells of a table go.
#[derive(Clone, Debug)]
pub(super) struct TablePlan {
    /// The column whose cells name the rows, and their type; none for rows without a name of their own.
    pub(super) key: Option<(usize, u32)>,
    /// The type of rows that are numbered because nothing names them.
    pub(super) numbered: Option<u32>,
    /// The relation that a row by itself is a fact of, with the columns of its arguments.
    pub(super) rows: Option<(u32, Vec<usize>)>,
    /// Relations that a column is a fact of: its arguments before the value, and the value's column.
    pub(super) values: Vec<ValuePlan>,
}

#[derive(Clone, Debug)]
pub(super) struct ValuePlan {
    pub(super) relation: u32,
    /// Columns of the arguments before the value; empty where the row's own name is the argument.
    pub(super) links: Vec<usize>,
    pub(super) column: usize,
    pub(super) is_number: bool,
}

/// Declares the types and relations of a schema, and gives the modes that go with them.
pub(super) fn declare(schema: &Schema, builder: &mut FactsBuilder) -> Result<(Vec<TablePlan>, Vec<Mode>)> {
    schema.check()?;
    let mut names = Names::default();
    for table in &schema.tables {
        names.take(&table.name);
    }
    let mut modes = Vec::new();
    let mut plans = Vec::new();
    for table in &schema.tables {
        let plan = if table.is_link() {
            declare_link(schema, table, &mut names, builder, &mut modes)?
        } else {
            declare_entity(schema, table, &mut names, builder, &mut modes)?
        };
        plans.push(plan);
    }
    Ok((plans, modes))
}

fn reference_type(schema: &Schema, to: &str, builder: &mut FactsBuilder) -> Result<u32> {
    let name = schema.table(to).map_or(Ok(to), |table| schema.type_of(table))?;
    Ok(builder.type_named(name))
}

/// A table whose rows have a name (or a number): one relation a column.
fn declare_entity(
    schema: &Schema,
    table: &TableSchema,
    names: &mut Names,
    builder: &mut FactsBuilder,
    modes: &mut Vec<Mode>,
) -> Result<TablePlan> {
    let own = builder.type_named(schema.type_of(table)?);
    let key =
        table.single_key().and_then(|k| table.columns.iter().position(|c| c.name.eq_ignore_ascii_case(k)));
    if key.is_some_and(|key| table.columns[key].by_value && table.columns[key].kind == ColumnKind::Key) {
        builder.take_whole_numbers_by_value(own);
    }
    let key_name = key.map_or(ROW_NUMBER, |k| table.columns[k].name.as_str());
    let mut plan = TablePlan {
        key: key.map(|column| (column, own)),
        numbered: key.is_none().then_some(own),
        rows: None,
        values: Vec::new(),
    };
    if let Some(key) = key.filter(|k| matches!(table.columns[*k].kind, ColumnKind::Reference(_))) {
        let relation = builder.relation(&table.name, &[Domain::Type(own)])?;
        builder.set_source(relation, source(table, &[key_name]));
        modes.push(Mode { relation, signs: vec![Sign::Known] });
        plan.rows = Some((relation, vec![key]));
    } else if (2..=MOST_JOINED).contains(&table.references().count()) {
        plan.rows = Some(declare_joined(schema, table, builder, modes)?);
    }
    for (number, column) in table.columns.iter().enumerate().filter(|(i, _)| Some(*i) != key) {
        let domain = match &column.kind {
            ColumnKind::Reference(to) => Domain::Type(reference_type(schema, to, builder)?),
            ColumnKind::Category => Domain::Type(builder.type_named(&value_type(table, column))),
            ColumnKind::Number => Domain::Number,
            _ => continue,
        };
        let relation = builder.relation(&names.of(table, column), &[Domain::Type(own), domain])?;
        builder.set_source(relation, source(table, &[key_name, &column.name]));
        modes.extend(modes_of(relation, 1, &column.kind));
        let is_number = domain == Domain::Number;
        plan.values.push(ValuePlan { relation, links: Vec::new(), column: number, is_number });
    }
    Ok(plan)
}

/// What the rows of a table relate to each other, as one relation over its references.
fn declare_joined(
    schema: &Schema,
    table: &TableSchema,
    builder: &mut FactsBuilder,
    modes: &mut Vec<Mode>,
) -> Result<(u32, Vec<usize>)> {
    let mut domains = Vec::new();
    let mut columns = Vec::new();
    for (column, to) in table.references() {
        domains.push(Domain::Type(reference_type(schema, to, builder)?));
        columns.push(column);
    }
    let names: Vec<&str> = columns.iter().map(|&i| table.columns[i].name.as_str()).collect();
    let relation = builder.relation(&table.name, &domains)?;
    builder.set_source(relation, source(table, &names));
    modes.extend((0..columns.len()).map(|known| Mode { relation, signs: one_known(columns.len(), known) }));
    Ok((relation, columns))
}

/// A table of references: a row is a fact about what it refers to, and so is each of its other columns.
fn declare_link(
    schema: &Schema,
    table: &TableSchema,
    names: &mut Names,
    builder: &mut FactsBuilder,
    modes: &mut Vec<Mode>,
) -> Result<TablePlan> {
    let (rows, links) = declare_joined(schema, table, builder, modes)?;
    let domains = builder.domains(rows).to_vec();
    let link_names: Vec<&str> = links.iter().map(|&i| table.columns[i].name.as_str()).collect();
    let rows = Some((rows, links.clone()));
    let mut plan = TablePlan { key: None, numbered: None, rows, values: Vec::new() };
    for (number, column) in table.columns.iter().enumerate() {
        let domain = match &column.kind {
            ColumnKind::Category => Domain::Type(builder.type_named(&value_type(table, column))),
            ColumnKind::Number => Domain::Number,
            _ => continue,
        };
        let relation = builder.relation(&names.of(table, column), &[&domains[..], &[domain]].concat())?;
        builder.set_source(relation, source(table, &[&link_names[..], &[column.name.as_str()]].concat()));
        modes.extend(modes_of(relation, links.len(), &column.kind));
        let is_number = domain == Domain::Number;
        plan.values.push(ValuePlan { relation, links: links.clone(), column: number, is_number });
    }
    Ok(plan)
}

fn modes_of(relation: u32, links: usize, kind: &ColumnKind) -> Vec<Mode> {
    let sign = match kind {
        ColumnKind::Reference(_) => {
            return (0..=links).map(|known| Mode { relation, signs: one_known(links + 1, known) }).collect();
        }
        ColumnKind::Number => Sign::Threshold,
        _ => Sign::Constant,
    };
    (0..links)
        .map(|known| Mode { relation, signs: [&one_known(links, known)[..], &[sign]].concat() })
        .collect()
}

/// One argument must be known, the others may be new: followed from each end in turn.
fn one_known(arguments: usize, known: usize) -> Vec<Sign> {
    (0..arguments).map(|a| if a == known { Sign::Known } else { Sign::Any }).collect()
}

fn value_type(table: &TableSchema, column: &ColumnSchema) -> String {
    format!("{}.{}", table.name, column.name)
}

fn source(table: &TableSchema, columns: &[&str]) -> Source {
    let column = |name: &&str| {
        let own = table.column(name);
        // What numbers the rows here is in no database: there, the parts of their key tell them apart.
        let parts = if own.is_none() && table.key.len() > 1 { table.key.clone() } else { Vec::new() };
        SourceColumn {
            name: name.to_string(),
            declared: own.and_then(|c| c.declared),
            always: match table.single_key() {
                Some(key) => key.eq_ignore_ascii_case(name),
                None => own.is_none(),
            },
            parts,
            absent: own.is_some_and(|c| c.absent),
        }
    };
    let columns = columns.iter().map(column).collect();
    Source { table: table.name.clone(), columns, words: Words::None }
}

/// Names of relations, each once.
#[derive(Default)]
struct Names {
    taken: HashMap<String, usize>,
}

impl Names {
    fn take(&mut self, name: &str) -> String {
        let count = self.taken.entry(name.to_ascii_lowercase()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return name.to_string();
        }
        let next = format!("{name}_{count}");
        self.take(&next)
    }

    fn of(&mut self, table: &TableSchema, column: &ColumnSchema) -> String {
        let plain: String =
            (column.name.chars()).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        self.take(&format!("{}_{plain}", table.name))
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
    fn a_small_university() {
        use ColumnKind::{Category, Key, Number, Text};
        let schema = Schema {
            tables: vec![
                table("person", &["id"], &[("id", Key), ("phase", Category), ("about", Text)]),
                table(
                    "student",
                    &["pid"],
                    &[("pid", to("person")), ("years", Number), ("advisor", to("person"))],
                ),
                table("ta", &[], &[("person", to("person")), ("course", to("course")), ("term", Category)]),
                table("course", &["id"], &[("id", Key)]),
                table("visit", &[], &[("who", to("person")), ("length", Number)]),
                table("exam", &["nr"], &[("nr", Key), ("who", to("person")), ("course", to("course"))]),
            ],
        };
        let mut builder = FactsBuilder::new();
        let (_, modes) = declare(&schema, &mut builder).unwrap();
        let facts = builder.finish();
        let written: Vec<String> = (modes.iter())
            .map(|mode| {
                let relation = facts.relation(mode.relation);
                let arguments: Vec<String> = (mode.signs.iter().zip(&relation.domains))
                    .map(|(sign, domain)| match domain {
                        Domain::Type(t) => format!("{}{}", sign.mark(), facts.type_name(*t)),
                        Domain::Number => format!("{}number", sign.mark()),
                    })
                    .collect();
                format!("{}({})", relation.name, arguments.join(","))
            })
            .collect();
        assert_eq!(
            written,
            [
                "person_phase(+person,#person.phase)",
                "student(+person)",
                "student_years(+person,>number)",
                "student_advisor(+person,-person)",
                "student_advisor(-person,+person)",
                "ta(+person,-course)",
                "ta(-person,+course)",
                "ta_term(+person,-course,#ta.term)",
                "ta_term(-person,+course,#ta.term)",
                "visit_who(+visit,-person)",
                "visit_who(-visit,+person)",
                "visit_length(+visit,>number)",
                "exam(+person,-course)",
                "exam(-person,+course)",
                "exam_who(+exam,-person)",
                "exam_who(-exam,+person)",
                "exam_course(+exam,-course)",
                "exam_course(-exam,+course)",
            ]
        );
        let years = facts.relation(facts.named("student_years").unwrap());
        let columns = &years.source.as_ref().unwrap().columns;
        let told: Vec<(&str, bool)> = columns.iter().map(|c| (c.name.as_str(), c.always)).collect();
        assert_eq!(told, [("pid", true), ("years", false)]);
    }

    #[test]
    fn names_of_relations_never_clash() {
        use ColumnKind::{Category, Key};
        let schema = Schema {
            tables: vec![
                table("a", &["id"], &[("id", Key), ("b_c", Category), ("b c", Category)]),
                table("a_b_c", &["id"], &[("id", to("a"))]),
            ],
        };
        let mut builder = FactsBuilder::new();
        declare(&schema, &mut builder).unwrap();
        assert!(builder.find("a_b_c_2").is_some() && builder.find("a_b_c_3").is_some());
    }
}
