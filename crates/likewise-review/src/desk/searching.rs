//! Search over all rows: by their words, their names, and letter by letter where no index of words can know.

use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use serde::Serialize;

use super::Desk;
use super::showing::Listed;
use crate::error::{Error, Result};
use crate::project;

#[derive(Debug, Serialize)]
pub struct Found {
    pub rows: Vec<Listed>,
    /// Whether these are all, or all that were asked for.
    pub complete: bool,
}

/// A page must not wait longer for rows that no index knows.
const SCAN: Duration = Duration::from_millis(2500);

impl Desk {
    /// Rows of that name, then rows that hold all the words, the best matches first.
    pub fn search(&self, query: &str, most: usize) -> Result<Found> {
        let query = query.trim();
        if query.is_empty() {
            return Ok(Found { rows: Vec::new(), complete: true });
        }
        // A connection of its own: a long search must not keep anybody's next row waiting.
        let (connection, _) = project::Project::peek(&self.path)?;
        let mut rows = project::named(&connection, query)?;
        let words: Vec<&str> =
            query.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        if !words.is_empty() {
            let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"*")).collect();
            let sql = "SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rank LIMIT ?2";
            let mut statement = connection.prepare(sql)?;
            let found = statement.query_map(params![quoted.join(" "), most as i64], |row| row.get(0))?;
            rows.extend(found.collect::<rusqlite::Result<Vec<u32>>>()?);
        }
        let mut complete = true;
        if rows.len() < most && (rows.is_empty() || query.chars().any(is_unindexed)) {
            let (more, all) = scan(&connection, query, most)?;
            rows.extend(more);
            complete = all;
        }
        let mut seen = std::collections::HashSet::new();
        rows.retain(|row| seen.insert(*row));
        rows.truncate(most);
        let rows = rows.into_iter().map(|row| self.listed(&connection, row)).collect::<Result<_>>()?;
        Ok(Found { rows, complete })
    }
}

/// Scripts that put no spaces between words are indexed by the line, and signs and pictures not at all.
fn is_unindexed(letter: char) -> bool {
    let unspaced = matches!(u32::from(letter),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff
        | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x3ffff);
    unspaced || (!letter.is_ascii() && !letter.is_alphanumeric() && !letter.is_whitespace())
}

/// The rows that hold every part of the query as it stands, and whether all rows were looked at.
fn scan(connection: &Connection, query: &str, most: usize) -> Result<(Vec<u32>, bool)> {
    let (start, mut rows, mut complete) = (Instant::now(), Vec::new(), true);
    let parts: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let visited = project::each(connection, |row| {
        if row.twin == row.row && !row.outside {
            let text = row.cells.join("\n").to_lowercase();
            if parts.iter().all(|part| text.contains(part)) {
                rows.push(row.row);
            }
        }
        complete = start.elapsed() <= SCAN;
        if rows.len() >= most || !complete { Err(Error::request(0, "enough")) } else { Ok(()) }
    });
    match visited {
        Ok(()) | Err(Error::Request { status: 0, .. }) => Ok((rows, complete)),
        Err(error) => Err(error),
    }
}
