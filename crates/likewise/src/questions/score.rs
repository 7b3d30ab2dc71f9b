//! Score: what does a kept model say of new rows?
//!
//! Rows come batch by batch, so memory does not grow with them, and what is said of many batches is said once.

use serde::Serialize;

use super::columns;
use crate::data::Table;
use crate::decide::is_positive;
use crate::error::Result;
use crate::figures::count;
use crate::note::Note;
use crate::relations::Relational;
use crate::run::Run;
use crate::trained::Trained;

/// The scores of some rows, in their order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scored {
    /// What the user calls the rows.
    pub ids: Vec<String>,
    /// Within [0, 1], larger is more likely positive.
    pub scores: Vec<f64>,
    /// Whether they are positive: a score of 0.5 or more.
    pub positive: Vec<bool>,
}

impl Scored {
    fn new(ids: Vec<String>, scores: Vec<f64>) -> Self {
        let positive = scores.iter().map(|score| is_positive(*score)).collect();
        Scored { ids, scores, positive }
    }
}

/// New rows under a model, and what is known after those so far.
pub struct Score<'a> {
    trained: &'a Trained,
    id: Option<&'a str>,
    /// How many rows were scored.
    pub rows: usize,
    /// How many of them are positive.
    pub found: usize,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// More kinds of notes than this are not kept.
const ENOUGH_NOTES: usize = 10;

impl<'a> Score<'a> {
    /// `id` names the column by which rows are called.
    pub fn new(trained: &'a Trained, id: Option<&'a str>) -> Self {
        Score { trained, id, rows: 0, found: 0, notes: Vec::new() }
    }

    /// The next rows.
    pub fn batch(&mut self, table: &Table, run: &Run) -> Result<Scored> {
        let (scores, notes) = self.trained.score(table, run)?;
        let ids = columns::ids(table, self.id, self.rows)?;
        Ok(self.counted(Scored::new(ids, scores), notes))
    }

    /// The next examples among related tables.
    pub fn related(&mut self, x: &Relational, ids: Vec<String>, run: &Run) -> Result<Scored> {
        let scores = self.trained.score_related(x, run)?;
        Ok(self.counted(Scored::new(ids, scores), Vec::new()))
    }

    fn counted(&mut self, scored: Scored, notes: Vec<Note>) -> Scored {
        self.rows += scored.scores.len();
        self.found += scored.positive.iter().filter(|positive| **positive).count();
        for note in notes {
            if self.notes.len() < ENOUGH_NOTES && !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        scored
    }

    /// What was done, in a plain line.
    pub fn line(&self) -> String {
        format!("Scored {} rows, {} of them positive.", count(self.rows), count(self.found))
    }
}
