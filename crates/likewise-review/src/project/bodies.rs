//! The cells of a row, packed.

use rusqlite::{Connection, params};

use super::Made;
use crate::error::{Error, Result};
use likewise::data::{Column, Table, Texts};

/// A row as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub row: u32,
    pub id: String,
    /// One for each of the project's columns.
    pub cells: Vec<String>,
    /// The first row that says the same.
    pub twin: u32,
    pub outside: bool,
    /// What is wrong with a row that cannot be read; it has no cells then, and the others are none the worse.
    pub damage: Option<String>,
}

/// Short texts do not get shorter.
const WORTH_PACKING: usize = 256;
const LEVEL: i32 = 3;
/// No honest row is longer; a damaged length must not ask for all memory.
const LONGEST: usize = 512 << 20;

const PLAIN: u8 = 0;
const PACKED: u8 = 1;

pub fn pack(cells: &[impl AsRef<str>]) -> Result<Vec<u8>> {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    let json = serde_json::to_vec(&cells).map_err(|e| Error::project(e.to_string()))?;
    if json.len() >= WORTH_PACKING {
        let packed = zstd::bulk::compress(&json, LEVEL)?;
        if packed.len() < json.len() {
            return Ok([&[PACKED], &packed[..]].concat());
        }
    }
    Ok([&[PLAIN], &json[..]].concat())
}

fn unpack(body: &[u8]) -> Result<Vec<String>, String> {
    let json = match body {
        [PLAIN, rest @ ..] => std::borrow::Cow::Borrowed(rest),
        [PACKED, rest @ ..] => {
            let mut json = Vec::new();
            let decoder = zstd::stream::read::Decoder::new(rest).map_err(|e| e.to_string())?;
            let mut decoder = std::io::Read::take(decoder, LONGEST as u64);
            std::io::Read::read_to_end(&mut decoder, &mut json).map_err(|e| e.to_string())?;
            json.into()
        }
        _ => return Err("unknown packing".into()),
    };
    serde_json::from_slice(&json).map_err(|e| e.to_string())
}

impl Row {
    /// From the columns `row, id, body, twin, outside`.
    fn of(connection: &Connection, found: &rusqlite::Row) -> Result<Row> {
        let (row, id): (u32, String) = (found.get(0)?, found.get(1)?);
        let body = found.get_ref(2)?.as_blob().map_err(|e| Error::project(e.to_string()))?;
        let (cells, damage) = match unpack(body) {
            Ok(cells) => (cells, None),
            Err(what) => (Vec::new(), Some(damaged(connection, &format!("`{id}`"), &what))),
        };
        Ok(Row { row, id, cells, twin: found.get(3)?, outside: found.get(4)?, damage })
    }

    fn lost(connection: &Connection, row: u32, error: &Error) -> Row {
        let (id, what) = (format!("lost {}", u64::from(row) + 1), error.to_string());
        let damage = Some(damaged(connection, &format!("number {}", u64::from(row) + 1), &what));
        Row { row, id, cells: Vec::new(), twin: row, outside: false, damage }
    }
}

fn damaged(connection: &Connection, row: &str, what: &str) -> String {
    let file = connection.path().unwrap_or("the project");
    format!("{file}: row {row} is damaged ({what}); the other rows can be read, marked and exported")
}

/// One row, if there is one of that number.
pub fn read(connection: &Connection, row: u32) -> Result<Option<Row>> {
    let mut statement =
        connection.prepare_cached("SELECT row, id, body, twin, outside FROM row WHERE row = ?1")?;
    let mut found = statement.query([row])?;
    found.next()?.map(|found| Row::of(connection, found)).transpose()
}

/// How many other rows say the same as this one.
pub fn copies(connection: &Connection, row: u32) -> Result<u64> {
    let mut statement = connection
        .prepare_cached("SELECT count(*) FROM row WHERE twin = ?1 AND twin <> row AND outside = 0")?;
    let count: i64 = statement.query_row([row], |found| found.get(0))?;
    Ok(count as u64)
}

/// The rows that stand for what has this id.
pub fn named(connection: &Connection, id: &str) -> Result<Vec<u32>> {
    let mut statement =
        connection.prepare_cached("SELECT DISTINCT twin FROM row WHERE id = ?1 AND outside = 0 LIMIT 10")?;
    let rows = statement.query_map([id], |found| found.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The ids of the other rows that say the same, the first of them.
pub fn copy_ids(connection: &Connection, row: u32, most: u32) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(
        "SELECT id FROM row WHERE twin = ?1 AND twin <> row AND outside = 0 ORDER BY row LIMIT ?2",
    )?;
    let ids = statement.query_map(params![row, most], |found| found.get(0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// Every row in order, one at a time. Where the file is damaged, rows are asked for by number from there on.
pub fn each(connection: &Connection, mut visit: impl FnMut(Row) -> Result<()>) -> Result<()> {
    let mut statement = connection.prepare("SELECT row, id, body, twin, outside FROM row ORDER BY row")?;
    let mut rows = statement.query([])?;
    let mut next = 0;
    loop {
        let found = match rows.next() {
            Ok(Some(found)) => Row::of(connection, found),
            Ok(None) => return Ok(()),
            Err(error) => Err(error.into()),
        };
        let Ok(row) = found else { break };
        next = row.row + 1;
        visit(row)?;
    }
    let last: u32 = connection.query_row("SELECT max(row) FROM row", [], |found| found.get(0))?;
    for row in next..=last {
        match read(connection, row) {
            Ok(Some(found)) => visit(found)?,
            Ok(None) => {}
            Err(error) => visit(Row::lost(connection, row, &error))?,
        }
    }
    Ok(())
}

/// The examples that are no rows of the pile.
pub fn outside(connection: &Connection) -> Result<Vec<(u32, Vec<String>)>> {
    let sql = "SELECT row, id, body, twin, outside FROM row WHERE outside <> 0 ORDER BY row";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let row = Row::of(connection, row)?;
        found.push((row.row, row.cells));
    }
    Ok(found)
}

/// All rows as a table of text columns, as a reader of files would deliver them.
pub fn table(connection: &Connection, made: &Made) -> Result<Table> {
    let mut columns = vec![Texts::new(); made.columns.len()];
    let mut table = Table::from_source("the project");
    each(connection, |row| {
        for (at, column) in columns.iter_mut().enumerate() {
            column.push(row.cells.get(at).map_or("", String::as_str));
        }
        table.origins.push((0, u64::from(row.row) + 1));
        Ok(())
    })?;
    for (name, column) in made.columns.iter().zip(columns) {
        table.push_column(name, Column::Text(column));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_rows_come_back_as_they_were() {
        let long = "lang und länger ".repeat(500);
        for cells in [vec!["a".to_string(), "\0ü\"".into()], vec![long], vec![]] {
            let body = pack(&cells).unwrap();
            assert_eq!(unpack(&body).unwrap(), cells);
        }
        assert!(pack(&["x ".repeat(10_000)]).unwrap().len() < 1000);
        for broken in [&[][..], &[7, 1, 2], &[PACKED, 1, 2], b"\0[1]"] {
            assert!(unpack(broken).is_err());
        }
    }
}
