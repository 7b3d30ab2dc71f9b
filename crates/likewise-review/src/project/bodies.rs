//! The cells of a row, packed.

use rusqlite::{Connection, OptionalExtension, params};

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

pub fn unpack(body: &[u8]) -> Result<Vec<String>> {
    let damaged = |what: String| Error::project(format!("a row of the project is damaged ({what})"));
    let json = match body {
        [PLAIN, rest @ ..] => std::borrow::Cow::Borrowed(rest),
        [PACKED, rest @ ..] => {
            let mut json = Vec::new();
            let decoder = zstd::stream::read::Decoder::new(rest)?;
            let mut decoder = std::io::Read::take(decoder, LONGEST as u64);
            std::io::Read::read_to_end(&mut decoder, &mut json).map_err(|e| damaged(e.to_string()))?;
            json.into()
        }
        _ => return Err(damaged("unknown packing".into())),
    };
    serde_json::from_slice(&json).map_err(|e| damaged(e.to_string()))
}

/// One row, if there is one of that number.
pub fn read(connection: &Connection, row: u32) -> Result<Option<Row>> {
    let mut statement =
        connection.prepare_cached("SELECT id, body, twin, outside FROM row WHERE row = ?1")?;
    let found = statement
        .query_row([row], |found| {
            Ok((
                found.get::<_, String>(0)?,
                found.get::<_, Vec<u8>>(1)?,
                found.get::<_, u32>(2)?,
                found.get(3)?,
            ))
        })
        .optional()?;
    found
        .map(|(id, body, twin, outside)| Ok(Row { row, id, cells: unpack(&body)?, twin, outside }))
        .transpose()
}

/// How many other rows say the same as this one.
pub fn copies(connection: &Connection, row: u32) -> Result<u64> {
    let mut statement = connection
        .prepare_cached("SELECT count(*) FROM row WHERE twin = ?1 AND twin <> row AND outside = 0")?;
    let count: i64 = statement.query_row([row], |found| found.get(0))?;
    Ok(count as u64)
}

/// The ids of those rows, the first of them.
pub fn copy_ids(connection: &Connection, row: u32, most: u32) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(
        "SELECT id FROM row WHERE twin = ?1 AND twin <> row AND outside = 0 ORDER BY row LIMIT ?2",
    )?;
    let ids = statement.query_map(params![row, most], |found| found.get(0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// Every row in order, one at a time.
pub fn each(connection: &Connection, mut visit: impl FnMut(Row) -> Result<()>) -> Result<()> {
    let mut statement = connection.prepare("SELECT row, id, body, twin, outside FROM row ORDER BY row")?;
    let mut rows = statement.query([])?;
    while let Some(found) = rows.next()? {
        let body = found.get_ref(2)?.as_blob().map_err(|e| Error::project(e.to_string()))?;
        visit(Row {
            row: found.get(0)?,
            id: found.get(1)?,
            cells: unpack(body)?,
            twin: found.get(3)?,
            outside: found.get(4)?,
        })?;
    }
    Ok(())
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
            assert!(unpack(broken).unwrap_err().to_string().contains("damaged"));
        }
    }
}
