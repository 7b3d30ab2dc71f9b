//! A SQLite file, opened so that nothing can be written to it.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;

use likewise::data::{Column, Table, Texts};
use likewise::relations::schema::Declared;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Rows};

use super::tables::{FoundReference, FoundTable, LeftOut, TableSource};
use crate::error::{Error, Result};

/// The first bytes of every SQLite file.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

const BATCH: usize = 1 << 16;

/// Where SQLite keeps a row: a column may have taken one of these names for itself.
const SQLITE_ROW_NAMES: [&str; 2] = ["rowid", "_rowid_"];

pub(crate) struct Sqlite {
    name: String,
    connection: Connection,
    tables: Vec<FoundTable>,
    unreadable: Vec<LeftOut>,
    /// Tables and columns in which texts or bytes were met: SQLite stores what does not convert.
    words: RefCell<HashSet<(usize, String)>>,
}

impl Sqlite {
    pub fn open(path: &Path) -> Result<Sqlite> {
        let name = path.display().to_string();
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(address(path), flags).map_err(|e| failed(&name, &e))?;
        let words = RefCell::default();
        let mut sqlite = Sqlite { name, connection, tables: Vec::new(), unreadable: Vec::new(), words };
        (sqlite.tables, sqlite.unreadable) = sqlite.find_tables().map_err(|e| failed(&sqlite.name, &e))?;
        if sqlite.tables.is_empty() {
            let problem = "the database has no tables".to_string();
            return Err(Error::Empty { source_name: sqlite.name, problem });
        }
        Ok(sqlite)
    }

    fn find_tables(&self) -> rusqlite::Result<(Vec<FoundTable>, Vec<LeftOut>)> {
        let mut statement = self.connection.prepare(
            "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
        )?;
        let names: Vec<(String, String)> = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let (mut tables, mut unreadable) = (Vec::new(), Vec::new());
        for (name, sql) in &names {
            match self.find_table(name) {
                Ok(table) => tables.push((table, sql)),
                Err(error) if error.to_string().contains("no such module") => unreadable.push(LeftOut {
                    table: name.clone(),
                    why: format!("it is virtual, and what makes it is not here ({error}); copy its rows into an ordinary table to use them"),
                }),
                Err(error) => return Err(error),
            }
        }
        let keys: Vec<(String, Vec<String>)> =
            tables.iter().map(|(table, _)| (table.name.clone(), table.key.clone())).collect();
        let leads_to_a_key = |reference: &&FoundReference| {
            let to = keys.iter().find(|(name, _)| name.eq_ignore_ascii_case(&reference.to));
            to.is_some_and(|(_, key)| match (&key[..], &reference.key) {
                ([_], None) => true,
                ([key], Some(column)) => key.eq_ignore_ascii_case(column),
                _ => false,
            })
        };
        let tables = tables.into_iter().map(|(mut table, sql)| {
            let has_name = table.key.len() == 1 || table.references.iter().filter(leads_to_a_key).count() > 1;
            let words: Vec<&str> = sql.split_whitespace().collect();
            let has_place = !words.join(" ").to_ascii_uppercase().contains("WITHOUT ROWID");
            let is_free = |name: &&&str| !table.columns.iter().any(|c| c.eq_ignore_ascii_case(name));
            if let (false, true, Some(place)) = (has_name, has_place, SQLITE_ROW_NAMES.iter().find(is_free)) {
                table.columns.push(place.to_string());
                table.types.push(Some(Declared::Integer));
                table.parts = std::mem::replace(&mut table.key, vec![place.to_string()]);
                table.row_name = true;
            }
            table
        });
        Ok((tables.collect(), unreadable))
    }

    fn find_table(&self, name: &str) -> rusqlite::Result<FoundTable> {
        let mut table = FoundTable { name: name.to_string(), ..FoundTable::default() };
        let mut key: Vec<(i64, String)> = Vec::new();
        let mut columns =
            self.connection.prepare("SELECT name, pk, type FROM pragma_table_info(?1) ORDER BY cid")?;
        let found = columns.query_map([name], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(2)?))
        })?;
        for column in found {
            let (column, place, declared) = column?;
            if place > 0 {
                key.push((place, column.clone()));
            }
            let (_, collation, ..) = self.connection.column_metadata(None, name, &column)?;
            let is_collated = collation.is_some_and(|name| !name.to_bytes().eq_ignore_ascii_case(b"BINARY"));
            table.types.push(Some(match declared_type(&declared) {
                Declared::Text if is_collated => Declared::Collated,
                declared => declared,
            }));
            table.columns.push(column);
        }
        key.sort();
        table.key = key.into_iter().map(|(_, column)| column).collect();
        let mut references = self.connection.prepare(
            "SELECT id, \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id, seq",
        )?;
        let found: Vec<(i64, String, String, Option<String>)> = references
            .query_map([name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for (id, from, to, column) in &found {
            let alone = found.iter().filter(|f| f.0 == *id).count() == 1;
            if alone {
                table.references.push(FoundReference {
                    column: from.clone(),
                    to: to.clone(),
                    key: column.clone(),
                });
            }
        }
        Ok(table)
    }

    /// `table` is where the columns stand, if they do in one.
    fn select(
        &self,
        sql: &str,
        table: Option<usize>,
        visit: &mut dyn FnMut(Table) -> Result<()>,
    ) -> Result<()> {
        let failed = |e| failed(&self.name, &e);
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        if !statement.readonly() {
            return Err(Error::usage(format!("{}: only a SELECT can be asked, not `{sql}`", self.name)));
        }
        let names: Vec<String> = statement.column_names().map(str::to_string).collect();
        let mut rows = statement.query([]).map_err(failed)?;
        let mut read = 0;
        let mut texts = vec![false; names.len()];
        loop {
            let batch = self.batch(&mut rows, &names, &mut read, &mut texts).map_err(failed)?;
            if batch.rows() == 0 {
                break;
            }
            visit(batch)?;
        }
        if let Some(table) = table {
            let with_text = names.into_iter().zip(texts).filter(|(_, text)| *text);
            self.words.borrow_mut().extend(with_text.map(|(name, _)| (table, name)));
        }
        Ok(())
    }

    fn batch(
        &self,
        rows: &mut Rows<'_>,
        names: &[String],
        read: &mut u64,
        texts: &mut [bool],
    ) -> rusqlite::Result<Table> {
        let mut columns = vec![Texts::new(); names.len()];
        let mut table = Table::from_source(&self.name);
        while table.origins.len() < BATCH {
            let Some(row) = rows.next()? else { break };
            *read += 1;
            table.origins.push((0, *read));
            for (at, column) in columns.iter_mut().enumerate() {
                match row.get_ref(at)? {
                    ValueRef::Null => column.push(""),
                    // Bytes are read as nothing, and are no number to SQLite either.
                    ValueRef::Blob(_) => {
                        texts[at] = true;
                        column.push("");
                    }
                    ValueRef::Integer(number) => column.push(&number.to_string()),
                    ValueRef::Real(number) => column.push(&number.to_string()),
                    ValueRef::Text(text) => {
                        texts[at] = true;
                        column.push(&String::from_utf8_lossy(text));
                    }
                }
            }
        }
        for (name, column) in names.iter().zip(columns) {
            table.push_column(name, Column::Text(column));
        }
        Ok(table)
    }
}

impl TableSource for Sqlite {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn tables(&self) -> &[FoundTable] {
        &self.tables
    }

    fn unreadable(&self) -> &[LeftOut] {
        &self.unreadable
    }

    fn stream(
        &self,
        table: usize,
        columns: &[String],
        visit: &mut dyn FnMut(&Table) -> Result<()>,
    ) -> Result<()> {
        let columns: Vec<String> = columns.iter().map(|c| quoted(c)).collect();
        self.select(
            &format!("SELECT {} FROM {}", columns.join(", "), quoted(&self.tables[table].name)),
            Some(table),
            &mut |batch| visit(&batch),
        )
    }

    fn is_view(&self, name: &str) -> Result<bool> {
        let sql = "SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'view' AND name = ?1 COLLATE NOCASE";
        self.connection.query_row(sql, [name], |row| row.get(0)).map_err(|e| failed(&self.name, &e))
    }

    fn has_words(&self, table: usize, column: &str) -> bool {
        let found = &self.tables[table];
        let at = found.columns.iter().position(|name| name == column);
        let of_numbers = at.is_some_and(|at| {
            matches!(found.declared(at), Some(Declared::Integer | Declared::Number | Declared::Boolean))
        });
        of_numbers && self.words.borrow().contains(&(table, column.to_string()))
    }

    fn query(&self, sql: &str) -> Result<Table> {
        let mut all = Table::from_source(&self.name);
        self.select(sql, None, &mut |batch| Ok(all.append(batch)?))?;
        Ok(all)
    }
}

/// `immutable` keeps SQLite from making any file beside the database. Only a database with a journal needs the ordinary
/// way: of changes that are not yet in it, or of what a writer that has not finished is to put back.
fn address(path: &Path) -> String {
    let encode = |byte: &u8| match byte {
        b'%' | b'?' | b'#' | 0x80.. => format!("%{byte:02x}"),
        byte => char::from(*byte).to_string(),
    };
    let encoded: String = path.as_os_str().as_encoded_bytes().iter().map(encode).collect();
    let journal = ["-wal", "-journal"].into_iter().any(|end| {
        let mut beside = path.as_os_str().to_owned();
        beside.push(end);
        Path::new(&beside).metadata().is_ok_and(|found| found.len() > 0)
    });
    let mode = if journal { "mode=ro" } else { "mode=ro&immutable=1" };
    format!("file:{encoded}?{mode}")
}

/// What a declared type says of the cells: SQLite's rules of affinity, and within its catch-all the names that people
/// give to truth values and times.
fn declared_type(name: &str) -> Declared {
    let name = name.to_ascii_uppercase();
    let holds = |words: &[&str]| words.iter().any(|word| name.contains(word));
    match () {
        _ if holds(&["INT"]) && !holds(&["INTERVAL", "POINT"]) => Declared::Integer,
        _ if holds(&["CHAR", "CLOB", "TEXT"]) => Declared::Text,
        _ if holds(&["BLOB"]) => Declared::Opaque,
        _ if holds(&["REAL", "FLOA", "DOUB", "NUMERIC", "DECIMAL", "NUMBER", "MONEY"]) => Declared::Number,
        _ if holds(&["BOOL"]) => Declared::Boolean,
        _ if holds(&["DATE", "TIME", "INTERVAL"]) => Declared::Time,
        _ => Declared::Any,
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn failed(name: &str, error: &rusqlite::Error) -> Error {
    use rusqlite::ErrorCode::{CannotOpen, NotADatabase};
    let problem = match error.sqlite_error_code() {
        _ if error.sqlite_error().is_some_and(|e| e.extended_code == rusqlite::ffi::SQLITE_READONLY_ROLLBACK) => {
            "a program was stopped while it wrote to the database; open it once with a program that may write, such as \
             sqlite3, which puts back what was there before"
                .to_string()
        }
        Some(NotADatabase) => "this is not a SQLite database".to_string(),
        Some(CannotOpen) => {
            "the database cannot be opened; check the path and the permission to read it".into()
        }
        _ => error.to_string(),
    };
    Error::Malformed { source_name: name.into(), line: None, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop(folder: &Path, journal: &str) -> std::path::PathBuf {
        let path = folder.join("shop #1.sqlite");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch(&format!(
                "PRAGMA journal_mode = {journal};
                 CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT UNIQUE, balance REAL);
                 CREATE TABLE \"orders\" (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers, note BLOB);
                 CREATE TABLE likes (a INTEGER REFERENCES customers(id), b INTEGER REFERENCES customers(id), PRIMARY KEY (a, b));
                 CREATE TABLE visits (customer INTEGER REFERENCES customers, day TEXT);
                 CREATE TABLE names (name TEXT REFERENCES customers(name));
                 INSERT INTO customers VALUES (1, 'Ann', 2.5), (2, NULL, -1);
                 INSERT INTO orders VALUES (9007199254740993, 1, x'00');"
            ))
            .unwrap();
        path
    }

    #[test]
    fn keys_and_references_are_read_and_cells_kept() {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&shop(folder.path(), "DELETE")).unwrap();
        let found: Vec<String> = (sqlite.tables.iter())
            .map(|t| {
                let to = |r: &FoundReference| {
                    format!("{} to {}.{}", r.column, r.to, r.key.as_deref().unwrap_or("key"))
                };
                let references: Vec<String> = t.references.iter().map(to).collect();
                format!("{} key {} refers {}", t.name, t.key.join("+"), references.join(", "))
            })
            .collect();
        assert_eq!(
            found,
            [
                "customers key id refers ",
                "orders key id refers customer to customers.key",
                "likes key a+b refers b to customers.id, a to customers.id",
                "visits key rowid refers customer to customers.key",
                "names key rowid refers name to customers.name",
            ]
        );
        let table = sqlite.query("SELECT * FROM customers ORDER BY id").unwrap();
        let cells: Vec<String> = table
            .columns()
            .flat_map(|(_, c)| (0..2).map(|r| c.cell(r).into_owned()).collect::<Vec<_>>())
            .collect();
        assert_eq!(cells, ["1", "2", "Ann", "", "2.5", "-1"]);
        let orders = sqlite.query("SELECT id, note FROM orders").unwrap();
        assert_eq!(
            (&*orders.get("id").unwrap().cell(0), &*orders.get("note").unwrap().cell(0)),
            ("9007199254740993", "")
        );
    }

    #[test]
    fn what_a_stopped_writer_left_is_not_taken_for_rows() {
        let folder = tempfile::tempdir().unwrap();
        let path = shop(folder.path(), "DELETE");
        let writer = Connection::open(&path).unwrap();
        // So few pages fit that those of the transaction reach the file before its end.
        writer.execute_batch("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN").unwrap();
        for id in 10..3000 {
            let values = (id, format!("{id} {}", "x".repeat(100)));
            writer.execute("INSERT INTO customers VALUES (?1, ?2, 0)", values).unwrap();
        }
        let stopped = folder.path().join("stopped.sqlite");
        let journal = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push("-journal");
            std::path::PathBuf::from(name)
        };
        std::fs::copy(journal(&path), journal(&stopped)).unwrap();
        std::fs::copy(&path, &stopped).unwrap();
        let error = Sqlite::open(&stopped).err().expect("its journal is to be put back").to_string();
        assert!(error.contains("stopped while it wrote"), "{error}");
    }

    #[test]
    fn declared_types_are_read_by_affinity() {
        use Declared::{Any, Boolean, Integer, Number, Opaque, Text, Time};
        for (name, expected) in [
            ("INTEGER", Integer),
            ("bigint unsigned", Integer),
            ("VARCHAR(20)", Text),
            ("DOUBLE PRECISION", Number),
            ("decimal(10,2)", Number),
            ("BOOLEAN", Boolean),
            ("timestamp", Time),
            ("BLOB", Opaque),
            ("", Any),
            ("STRING", Any),
        ] {
            assert_eq!(declared_type(name), expected, "{name}");
        }
    }

    #[test]
    fn nothing_is_written_to_it_or_beside_it() {
        for journal in ["DELETE", "WAL"] {
            let folder = tempfile::tempdir().unwrap();
            let path = shop(folder.path(), journal);
            let listing = || {
                let files = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path());
                let mut all: Vec<_> = files.map(|p| (p.clone(), std::fs::read(&p).unwrap())).collect();
                all.sort();
                all
            };
            let before = listing();
            let sqlite = Sqlite::open(&path).unwrap();
            assert_eq!(sqlite.query("SELECT * FROM orders").unwrap().rows(), 1);
            for bad in
                ["DELETE FROM orders", "CREATE TABLE x (a)", "PRAGMA user_version = 3", "DROP TABLE orders"]
            {
                assert!(sqlite.query(bad).is_err(), "{bad}");
            }
            drop(sqlite);
            assert!(before == listing(), "{journal}: files changed");
        }
    }

    #[test]
    fn what_cannot_be_opened_is_explained() {
        let folder = tempfile::tempdir().unwrap();
        let message = |name: &str, bytes: Option<&[u8]>| {
            let path = folder.path().join(name);
            bytes.iter().for_each(|b| std::fs::write(&path, b).unwrap());
            Sqlite::open(&path).err().unwrap().to_string()
        };
        assert!(message("gone.sqlite", None).contains("cannot be opened"));
        assert!(
            message("fake.sqlite", Some(b"SQLite format 3\0 but no more than that"))
                .contains("not a SQLite database")
        );
        let empty = folder.path().join("empty.sqlite");
        Connection::open(&empty).unwrap().execute_batch("CREATE TABLE a (b); DROP TABLE a;").unwrap();
        assert!(Sqlite::open(&empty).err().unwrap().to_string().contains("has no tables"));
    }
}
