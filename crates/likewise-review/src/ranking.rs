//! The features of all rows, kept in memory, and the rankings learned on them.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use likewise::Run;
use likewise::data::{Csr, CsrBuilder, Table};
use likewise::features::Features;
use likewise::reading::{Learner, Neighbours, Pick, of_more, of_table};

use crate::error::Result;
use crate::project::Made;

/// The rows that are read by themselves, as numbers, and the learner that reads them.
pub struct Ranker {
    features: Features,
    x: Arc<Csr>,
    learner: Learner,
    /// Of all rows, or of those there were when the search began.
    neighbours: Option<Arc<Neighbours>>,
    seed: u64,
    /// The project's row of each row here, ascending.
    rows: Vec<u32>,
}

/// One ranking.
pub struct Ranking {
    /// Rises with every training.
    pub id: u64,
    /// The last mark that it knows.
    pub seq: u64,
    /// Milliseconds since 1970.
    pub at: i64,
    pub took: Duration,
    pub marks: u64,
    /// Whether the rows' neighbours counted.
    pub joined: bool,
    pub scores: Vec<f32>,
    /// Best first.
    pub order: Vec<u32>,
}

/// Rows that are picked otherwise than by their score alone; a new ranking is there long before they are read.
const PICKED: usize = 100;

/// What a row that is not ranked scores.
pub const UNRANKED: f32 = f32::NEG_INFINITY;

impl Ranker {
    /// From the project's rows that are no copies of others.
    pub fn new(table: &Table, rows: Vec<u32>, made: &Made, run: &Run) -> Result<Ranker> {
        let (features, x, _) = of_table(table, &made.input, &made.words, run)?;
        let learner = Learner::new(x.clone(), made.seed)?;
        Ok(Ranker { features, learner, neighbours: None, x, seed: made.seed, rows })
    }

    /// Adds examples from outside the pile; the learner starts anew on the longer matrix.
    pub fn add(&mut self, table: &Table, rows: &[u32], run: &Run) -> Result<()> {
        let more = of_more(&self.features, table, run)?;
        let (count, entries) = (self.x.rows() + more.rows(), self.x.nnz() + more.nnz());
        let mut all = CsrBuilder::with_capacity(self.x.cols, count, entries);
        self.x.iter_rows().chain(more.iter_rows()).for_each(|row| all.push_row(row));
        self.x = Arc::new(all.finish());
        self.rows.extend(rows);
        self.learner = Learner::new(self.x.clone(), self.seed)?;
        if let Some(neighbours) = &self.neighbours {
            self.learner.join(neighbours.clone());
        }
        Ok(())
    }

    /// The rows as numbers.
    pub fn x(&self) -> &Arc<Csr> {
        &self.x
    }

    pub fn join(&mut self, neighbours: Arc<Neighbours>) {
        self.learner.join(neighbours.clone());
        self.neighbours = Some(neighbours);
    }

    pub fn is_joined(&self) -> bool {
        self.learner.is_joined()
    }

    /// A score for every row of the project up to the last that is ranked.
    pub fn scores(&mut self, wanted: &[usize], unwanted: &[usize], run: &Run) -> Result<Vec<f32>> {
        let here =
            |rows: &[usize]| -> Vec<usize> { rows.iter().filter_map(|&row| self.at(row as u32)).collect() };
        let (wanted, unwanted) = (here(wanted), here(unwanted));
        let found = self.learner.rank(&wanted, &unwanted, run)?;
        let mut scores = vec![UNRANKED; self.rows.last().map_or(0, |last| *last as usize + 1)];
        self.rows.iter().zip(found).for_each(|(&row, score)| scores[row as usize] = score);
        Ok(scores)
    }

    /// Every row, the first to read first. Marked ones are not picked.
    pub fn order(&self, scores: &[f32], marked: &HashSet<usize>, pick: Pick) -> Vec<u32> {
        let best = best_first(scores);
        if pick == Pick::Best {
            return best;
        }
        let own: Vec<f32> = self.rows.iter().map(|&row| scores[row as usize]).collect();
        let unread = (0..own.len()).filter(|&at| !marked.contains(&(self.rows[at] as usize))).collect();
        let picked = self.learner.choose(&own, unread, PICKED, pick);
        let picked: Vec<u32> = picked.into_iter().map(|at| self.rows[at]).collect();
        let taken: HashSet<u32> = picked.iter().copied().collect();
        picked.into_iter().chain(best.into_iter().filter(|row| !taken.contains(row))).collect()
    }

    /// The words of a row that push its score most, up and down.
    pub fn why(&self, row: u32, top: usize) -> Vec<(String, f32)> {
        let Some(at) = self.at(row) else { return Vec::new() };
        let words = self.learner.words(at, top).into_iter();
        words.map(|(column, weight)| (self.features.name(column), weight)).collect()
    }

    fn at(&self, row: u32) -> Option<usize> {
        self.rows.binary_search(&row).ok()
    }
}

/// Rows by score, equal ones by number.
fn best_first(scores: &[f32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..scores.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| scores[b as usize].total_cmp(&scores[a as usize]).then(a.cmp(&b)));
    order
}
