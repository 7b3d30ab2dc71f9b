//! A PostgreSQL database, read in one transaction that cannot write.

use std::cell::RefCell;

use ::postgres::{Client, NoTls, SimpleQueryMessage};
use likewise::data::{Column, Table, Texts};
use likewise::relations::schema::Declared;

use super::tables::{FoundReference, FoundTable, TableSource};
use crate::error::{Error, Result};
use crate::source::without_password;

const BATCH: usize = 1 << 16;

pub(crate) struct Postgres {
    name: String,
    client: RefCell<Client>,
    tables: Vec<FoundTable>,
}

/// Tables that a plain name reaches, with their columns in order and what these hold; a domain is what it is made of.
const COLUMNS: &str = "
    SELECT c.relname, a.attname, t.typcategory::text,
           coalesce(nullif(t.typbasetype, 0), t.oid) IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype),
           c.relkind = 'p'
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND pg_table_is_visible(c.oid)
      AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    ORDER BY c.relname, a.attnum";

/// The place of a row, which every table has.
const ROW_NAME: &str = "ctid";

const KEYS: &str = "
    SELECT c.relname, a.attname FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS part(number, place)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = part.number
    WHERE k.contype = 'p' AND pg_table_is_visible(c.oid)
    ORDER BY c.relname, part.place";

/// References of one column, with the column they lead to and whether that is the key.
const REFERENCES: &str = "
    SELECT c.relname, a.attname, t.relname, b.attname, p.oid IS NOT NULL FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_class t ON t.oid = k.confrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
    JOIN pg_attribute b ON b.attrelid = t.oid AND b.attnum = k.confkey[1]
    LEFT JOIN pg_constraint p ON p.conrelid = t.oid AND p.contype = 'p' AND p.conkey = k.confkey
    WHERE k.contype = 'f' AND cardinality(k.conkey) = 1 AND pg_table_is_visible(c.oid) AND pg_table_is_visible(t.oid)
    ORDER BY c.relname, a.attnum";

impl Postgres {
    pub fn open(url: &str) -> Result<Postgres> {
        let name = without_password(url);
        let mut client = Client::connect(url, NoTls).map_err(|e| failed(&name, &e))?;
        client
            .batch_execute(
                "SET default_transaction_read_only = on; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            )
            .map_err(|e| failed(&name, &e))?;
        let mut tables: Vec<FoundTable> = Vec::new();
        let mut in_parts: Vec<String> = Vec::new();
        let mut rows = |sql: &str| client.query(sql, &[]).map_err(|e| failed(&name, &e));
        for row in rows(COLUMNS)? {
            let (name, column): (String, String) = (row.get(0), row.get(1));
            let declared = declared_type(row.get(2), row.get(3));
            if tables.last().is_none_or(|last| last.name != name) {
                in_parts.extend(row.get::<_, bool>(4).then(|| name.clone()));
                tables.push(FoundTable { name, ..FoundTable::default() });
            }
            tables.iter_mut().next_back().into_iter().for_each(|table| {
                table.columns.push(column.clone());
                table.types.push(declared);
            });
        }
        for row in rows(KEYS)? {
            let table: String = row.get(0);
            tables.iter_mut().filter(|t| t.name == table).for_each(|t| t.key.push(row.get(1)));
        }
        let mut to_keys: Vec<String> = Vec::new();
        for row in rows(REFERENCES)? {
            let table: String = row.get(0);
            let reference = FoundReference { column: row.get(1), to: row.get(2), key: Some(row.get(3)) };
            to_keys.extend(row.get::<_, bool>(4).then(|| table.clone()));
            tables.iter_mut().filter(|t| t.name == table).for_each(|t| t.references.push(reference.clone()));
        }
        // Where a row stands is its name where it has no other; in a table of several parts two rows may share a place.
        let nameless = |t: &&mut FoundTable| {
            let followed = to_keys.iter().filter(|name| **name == t.name).count();
            t.key.len() != 1 && followed < 2 && !in_parts.contains(&t.name)
        };
        for table in tables.iter_mut().filter(nameless) {
            table.columns.push(ROW_NAME.into());
            table.types.push(None);
            table.parts = std::mem::replace(&mut table.key, vec![ROW_NAME.into()]);
            table.row_name = true;
        }
        if tables.is_empty() {
            return Err(Error::Empty { source_name: name, problem: "the database has no tables".into() });
        }
        Ok(Postgres { name, client: RefCell::new(client), tables })
    }
}

impl TableSource for Postgres {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn tables(&self) -> &[FoundTable] {
        &self.tables
    }

    fn stream(
        &self,
        table: usize,
        columns: &[String],
        visit: &mut dyn FnMut(&Table) -> Result<()>,
    ) -> Result<()> {
        let cells: Vec<String> = columns.iter().map(|c| format!("{}::text", quoted(c))).collect();
        let from = quoted(&self.tables[table].name);
        let sql = format!("COPY (SELECT {} FROM {from}) TO STDOUT WITH (FORMAT csv)", cells.join(", "));
        let mut client = self.client.borrow_mut();
        let out = client.copy_out(sql.as_str()).map_err(|e| failed(&self.name, &e))?;
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(out);
        let mut record = csv::StringRecord::new();
        let mut batch = Batch::new(&self.name, columns);
        // A connection that ends in the middle of the rows is said like one that never came about.
        let wrong = |e: csv::Error| match e.kind() {
            csv::ErrorKind::Io(io) => match io.get_ref().and_then(|e| e.downcast_ref()) {
                Some(cut) => failed(&self.name, cut),
                None => {
                    Error::Malformed { source_name: self.name.clone(), line: None, problem: io.to_string() }
                }
            },
            _ => Error::Malformed { source_name: self.name.clone(), line: None, problem: e.to_string() },
        };
        while reader.read_record(&mut record).map_err(wrong)? {
            batch.push(record.iter().map(Some));
            if batch.rows == BATCH {
                visit(&batch.take())?;
            }
        }
        if batch.rows > 0 {
            visit(&batch.take())?;
        }
        Ok(())
    }

    /// The query stands where only a query can, so it cannot be anything else.
    fn query(&self, sql: &str) -> Result<Table> {
        let sql = sql.trim().trim_end_matches(';');
        let mut client = self.client.borrow_mut();
        let answer = client
            .simple_query(&format!("SELECT * FROM ({sql}\n) AS examples"))
            .map_err(|e| failed(&self.name, &e))?;
        let mut batch: Option<Batch> = None;
        for message in answer {
            if let SimpleQueryMessage::Row(row) = message {
                let names: Vec<String> = row.columns().iter().map(|c| c.name().to_string()).collect();
                let batch = batch.get_or_insert_with(|| Batch::new(&self.name, &names));
                batch.push((0..row.len()).map(|i| row.get(i)));
            }
        }
        Ok(batch.map_or_else(|| Table::from_source(&self.name), |mut batch| batch.take()))
    }

    fn is_view(&self, name: &str) -> Result<bool> {
        let name = name.replace('\'', "''");
        let sql = format!(
            "SELECT 1 FROM pg_class WHERE relkind IN ('v', 'm') AND relname = '{name}' AND pg_table_is_visible(oid)"
        );
        Ok(self.query(&sql)?.rows() > 0)
    }
}

/// Rows on their way into a table.
struct Batch {
    source: String,
    names: Vec<String>,
    columns: Vec<Texts>,
    rows: usize,
    before: u64,
}

impl Batch {
    fn new(source: &str, names: &[String]) -> Self {
        let columns = vec![Texts::new(); names.len()];
        Batch { source: source.into(), names: names.to_vec(), columns, rows: 0, before: 0 }
    }

    fn push<'a>(&mut self, cells: impl Iterator<Item = Option<&'a str>>) {
        self.columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell.unwrap_or_default()));
        self.rows += 1;
    }

    fn take(&mut self) -> Table {
        let mut table = Table::from_source(&self.source);
        table.origins = (1..=self.rows as u64).map(|row| (0, self.before + row)).collect();
        for (name, column) in self.names.iter().zip(&mut self.columns) {
            table.push_column(name, Column::Text(std::mem::take(column)));
        }
        self.before += self.rows as u64;
        self.rows = 0;
        table
    }
}

/// What a type says of its cells, by PostgreSQL's own grouping of types.
fn declared_type(category: &str, is_integer: bool) -> Option<Declared> {
    Some(match category {
        "N" if is_integer => Declared::Integer,
        "N" => Declared::Number,
        "S" => Declared::Text,
        "B" => Declared::Boolean,
        "D" | "T" => Declared::Time,
        _ => return None,
    })
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn failed(name: &str, error: &::postgres::Error) -> Error {
    let problem = match error.as_db_error() {
        Some(said) => said.message().to_string(),
        None => {
            let cause = std::error::Error::source(error).map_or(String::new(), |c| format!(": {c}"));
            format!("the database cannot be reached ({error}{cause}); check the URL and that the server runs")
        }
    };
    Error::Malformed { source_name: name.into(), line: None, problem }
}
