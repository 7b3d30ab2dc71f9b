//! Rows as a page shows them: cells, reasons, copies, notes; the history.

use rusqlite::Connection;
use serde::Serialize;

use super::noting::notes_of;
use super::{Desk, Reader, Said};
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
    /// What the reader wrote.
    pub note: String,
    pub tags: Vec<String>,
    /// What others wrote; a program's notes only where a person has marked the row.
    pub others: Vec<Said>,
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

/// Names of columns and their cells.
type NamedCells = Vec<(String, String)>;

impl Desk {
    pub fn show(&self, reader: &Reader, row: u32) -> Result<Shown> {
        let (found, copies) = {
            let connection = locked(&self.rows);
            let found = project::read_row(&connection, row)?;
            let found = found.ok_or_else(|| Error::request(404, format!("there is no row {row}")))?;
            (found, project::copies(&connection, row)?)
        };
        let (own, others) = self.notes(reader, row)?;
        let (note, tags) = own.map_or_else(Default::default, |said| (said.text, said.tags));
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
        let id = found.id;
        Ok(Shown { row, id, text, columns, copies, why, score, model, kind, verdict, note, tags, others })
    }

    /// What the reader wrote of the row, and what others did. A program's word would lean on a person who has not
    /// decided yet.
    fn notes(&self, reader: &Reader, row: u32) -> Result<(Option<Said>, Vec<Said>)> {
        let mut notes = notes_of(&locked(&self.rows), row)?;
        let inner = locked(&self.inner);
        let decided = inner.session.standing(row) != Standing::Unread;
        let own = notes.iter().position(|said| said.by == reader.name).map(|at| notes.remove(at));
        notes.retain(|said| {
            let told = decided || !inner.session.is_program(&said.by);
            told && !(said.text.is_empty() && said.tags.is_empty())
        });
        Ok((own, notes))
    }

    /// The columns that are read, and the others.
    pub(super) fn cells(&self, row: &Row) -> (NamedCells, NamedCells) {
        if let Some(damage) = &row.damage {
            return (vec![("damaged".into(), damage.clone())], Vec::new());
        }
        let read = self.made.input.names();
        let all = || self.made.columns.iter().zip(&row.cells);
        let cell =
            |name: &&String| Some((name.to_string(), all().find(|(known, _)| known == name)?.1.clone()));
        let text = read.iter().filter_map(cell).collect();
        // The row's name stands above it.
        let is_id = |name: &str, cell: &str| name.eq_ignore_ascii_case("id") && cell == row.id;
        let others = all().filter(|(name, _)| !read.contains(name));
        let others = others.filter(|(name, cell)| !cell.is_empty() && !is_id(name, cell));
        (text, others.map(|(name, cell)| (name.clone(), cell.clone())).collect())
    }

    pub fn copy_ids(&self, row: u32) -> Result<Vec<String>> {
        project::copy_ids(&locked(&self.rows), row, 100)
    }

    pub(super) fn listed(&self, connection: &Connection, row: u32) -> Result<Listed> {
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
