//! The log of marks, in and out of the file.

use rusqlite::{Connection, params};

use super::Project;
use crate::error::{Error, Result};
use crate::session::log::{Act, Entry, Origin, Verdict};

/// What was found and read before a random check.
pub type Before = Option<(u64, u64)>;

pub fn insert(connection: &Connection, entry: &Entry, before: Before) -> Result<()> {
    let (row, verdict, kind, undoes) = match entry.act {
        Act::Mark { row, verdict, kind } => (Some(row), verdict.name(), Some(kind.name()), None),
        Act::Undo(seq) => (None, "undo", None, Some(seq as i64)),
        Act::Redo(seq) => (None, "redo", None, Some(seq as i64)),
    };
    let (found, read) = before.map_or((None, None), |(found, read)| (Some(found as i64), Some(read as i64)));
    let mut statement =
        connection.prepare_cached("INSERT INTO mark VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)")?;
    statement.execute(params![
        entry.seq as i64,
        entry.key,
        entry.at,
        entry.by,
        entry.program,
        row,
        verdict,
        kind,
        undoes,
        entry.model as i64,
        entry.ms,
        found,
        read
    ])?;
    Ok(())
}

pub fn read_log(connection: &Connection) -> Result<Vec<Entry>> {
    let columns = "seq, key, at, by, program, row, verdict, kind, undoes, model, ms";
    let mut statement = connection.prepare(&format!("SELECT {columns} FROM mark ORDER BY seq"))?;
    let mut rows = statement.query([])?;
    let mut log = Vec::new();
    while let Some(found) = rows.next()? {
        let seq = found.get::<_, i64>(0)? as u64;
        let damaged = || Error::project(format!("mark {seq} of the project cannot be read"));
        let verdict: String = found.get(6)?;
        let undoes = |found: &rusqlite::Row| found.get::<_, Option<i64>>(8);
        let act = match verdict.as_str() {
            "undo" => Act::Undo(undoes(found)?.ok_or_else(damaged)? as u64),
            "redo" => Act::Redo(undoes(found)?.ok_or_else(damaged)? as u64),
            verdict => Act::Mark {
                row: found.get::<_, Option<u32>>(5)?.ok_or_else(damaged)?,
                verdict: Verdict::of_name(verdict).ok_or_else(damaged)?,
                kind: found
                    .get::<_, Option<String>>(7)?
                    .as_deref()
                    .and_then(Origin::of_name)
                    .ok_or_else(damaged)?,
            },
        };
        log.push(Entry {
            seq,
            key: found.get(1)?,
            at: found.get(2)?,
            by: found.get(3)?,
            program: found.get(4)?,
            act,
            model: found.get::<_, i64>(9)? as u64,
            ms: found.get(10)?,
        });
    }
    Ok(log)
}

impl Project {
    pub fn log(&self) -> Result<Vec<Entry>> {
        read_log(&self.connection)
    }
}
