//! Rows as a page shows them: cells, reasons, copies, notes; search and history.

use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use super::Desk;
use crate::error::{Error, Result};
use crate::project::{self, Row};
use crate::session::Standing;
use crate::session::log::{Origin, Verdict};
use crate::trainer::locked;

/// A row on the page.
#[derive(Debug, Serialize)]
pub struct Shown {
    pub row: u32,
    pub id: String,
    /// Name and content of the columns that are read, in their order.
    pub text: Vec<(String, String)>,
    pub columns: Vec<(String, String)>,
    /// Other rows that say the same.
    pub copies: u64,
    /// Words and what they push the score by; none while the model is being learned.
    pub why: Option<Vec<(String, f32)>>,
    pub score: Option<f32>,
    /// The model that said so.
    pub model: u64,
    /// Only where the reader wants to know which rows are checks.
    pub kind: Option<Origin>,
    pub verdict: Option<Verdict>,
    pub note: String,
    pub tags: Vec<String>,
}

/// A row in a list.
#[derive(Debug, Serialize)]
pub struct Listed {
    pub row: u32,
    pub id: String,
    pub text: String,
    pub verdict: Option<Verdict>,
    pub seq: Option<u64>,
    pub by: Option<String>,
    pub random: Option<bool>,
}

const REASONS: usize = 30;
const SNIPPET: usize = 160;
/// A page must not wait longer for rows that no index knows.
const SCAN: Duration = Duration::from_millis(1500);

/// Names of columns and their cells.
type NamedCells = Vec<(String, String)>;

impl Desk {
    pub fn show(&self, row: u32) -> Result<Shown> {
        let (found, copies, (note, tags)) = {
            let connection = locked(&self.rows);
            let found = project::read_row(&connection, row)?;
            let found = found.ok_or_else(|| Error::request(404, format!("there is no row {row}")))?;
            (found, project::copies(&connection, row)?, note(&connection, row)?)
        };
        let ranking = self.trainer.ranking();
        let (verdict, kind) = {
            let inner = locked(&self.inner);
            let shown = inner.settings.show_checks;
            let kind =
                if inner.session.is_drawn(row) { Some(Origin::Random) } else { inner.leases.kind(row) };
            (verdict(inner.session.standing(row)), kind.filter(|_| shown))
        };
        // Where checks are not told, the score would tell.
        let score = ranking.as_ref().and_then(|ranking| ranking.scores.get(row as usize).copied());
        let score = score.filter(|score| score.is_finite() && kind.is_some());
        let model = ranking.map_or(0, |ranking| ranking.id);
        let (text, columns) = self.cells(&found);
        let why = self.trainer.why(row, REASONS);
        Ok(Shown { row, id: found.id, text, columns, copies, why, score, model, kind, verdict, note, tags })
    }

    /// The columns that are read, and the others.
    fn cells(&self, row: &Row) -> (NamedCells, NamedCells) {
        let read = self.made.input.names();
        let cell =
            |name: &String| self.made.columns.iter().position(|known| known == name).map(|at| &row.cells[at]);
        let text = read.iter().filter_map(|name| Some((name.to_string(), cell(name)?.clone()))).collect();
        let others = self.made.columns.iter().zip(&row.cells).filter(|(name, _)| !read.contains(name));
        let others = others.filter(|(_, cell)| !cell.is_empty() && **cell != row.id);
        (text, others.map(|(name, cell)| (name.clone(), cell.clone())).collect())
    }

    pub fn copy_ids(&self, row: u32) -> Result<Vec<String>> {
        project::copy_ids(&locked(&self.rows), row, 100)
    }

    /// Tags in use, most frequent first.
    pub fn tags(&self) -> Result<Vec<String>> {
        let connection = locked(&self.rows);
        let sql = "SELECT value FROM note, json_each(note.tags) GROUP BY value ORDER BY count(*) DESC, value LIMIT 50";
        let mut statement = connection.prepare_cached(sql)?;
        let tags = statement.query_map([], |row| row.get(0))?;
        Ok(tags.collect::<rusqlite::Result<_>>()?)
    }

    /// Rows that hold all the words, the best matches first.
    pub fn search(&self, query: &str, most: usize) -> Result<Vec<Listed>> {
        let words: Vec<&str> =
            query.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"*")).collect();
        // A connection of its own: a long search must not keep anybody's next row waiting.
        let (connection, _) = project::Project::peek(&self.path)?;
        let mut statement =
            connection.prepare("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rank LIMIT ?2")?;
        let rows = statement.query_map(params![quoted.join(" "), most as i64], |row| row.get(0))?;
        let mut rows: Vec<u32> = rows.collect::<rusqlite::Result<_>>()?;
        if rows.is_empty() && query.chars().any(|c| c.is_alphabetic() && !c.is_ascii()) {
            // Scripts that put no spaces between words are not indexed word by word.
            rows = scan(&connection, query.trim(), most)?;
        }
        rows.into_iter().map(|row| self.listed(&connection, row)).collect()
    }

    fn listed(&self, connection: &Connection, row: u32) -> Result<Listed> {
        let found = project::read_row(connection, row)?;
        let found = found.ok_or_else(|| Error::request(404, format!("there is no row {row}")))?;
        let text: Vec<String> = self.cells(&found).0.into_iter().map(|(_, cell)| cell).collect();
        let text: String = text.join(" ").chars().take(SNIPPET).collect();
        let verdict = verdict(locked(&self.inner).session.standing(row));
        Ok(Listed { row, id: found.id, text, verdict, seq: None, by: None, random: None })
    }

    /// The marks before `before`, newest first.
    pub fn history(&self, before: u64, most: usize) -> Result<Vec<Listed>> {
        let (changes, shown) = {
            let inner = locked(&self.inner);
            (inner.session.history(before, most), inner.settings.show_checks)
        };
        let connection = locked(&self.rows);
        let listed = changes.into_iter().map(|change| {
            let listed = self.listed(&connection, change.row)?;
            let random = shown.then_some(change.drawn);
            Ok(Listed { verdict: change.now, seq: Some(change.seq), by: Some(change.by), random, ..listed })
        });
        listed.collect()
    }
}

fn verdict(standing: Standing) -> Option<Verdict> {
    match standing {
        Standing::Decided(verdict) => Some(verdict),
        Standing::Open(verdict) => verdict,
        Standing::Unread => None,
    }
}

fn note(connection: &Connection, row: u32) -> Result<(String, Vec<String>)> {
    let sql = "SELECT text, tags FROM note WHERE row = ?1 ORDER BY rowid DESC LIMIT 1";
    let mut statement = connection.prepare_cached(sql)?;
    let found: Option<(String, String)> =
        statement.query_row([row], |found| Ok((found.get(0)?, found.get(1)?))).optional()?;
    Ok(found.map_or_else(Default::default, |(text, tags)| {
        (text, serde_json::from_str(&tags).unwrap_or_default())
    }))
}

fn scan(connection: &Connection, part: &str, most: usize) -> Result<Vec<u32>> {
    let (start, mut rows) = (Instant::now(), Vec::new());
    let part = part.to_lowercase();
    let visited = project::each(connection, |row| {
        let own = row.twin == row.row && !row.outside;
        if own && row.cells.iter().any(|cell| cell.to_lowercase().contains(&part)) {
            rows.push(row.row);
        }
        let enough = rows.len() >= most || start.elapsed() > SCAN;
        if enough { Err(Error::request(0, "enough")) } else { Ok(()) }
    });
    match visited {
        Ok(()) | Err(Error::Request { status: 0, .. }) => Ok(rows),
        Err(error) => Err(error),
    }
}
