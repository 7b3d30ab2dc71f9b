//! The learner of the loop: a linear SVM on marks of both kinds, with unread rows as weak negatives.
//!
//! Solves:  min over w, b of  ½ (w·w + b²) + Σ_i C_i max(0, 1 - y_i (x_i·w + b))²
//! Given: rows marked wanted (y = 1), rows marked unwanted (y = -1), and a sample of the unread (y = -1) that together
//! weigh as much as the marked. Few of the unread are wanted, so a weak "no" for each is mostly true, and it shows the
//! learner what the pile is made of before a single "no" is read.
//!
//! Each fit starts from the dual variables of the last one: a single new mark moves them little.

use std::sync::Arc;

use rand::seq::SliceRandom;
use rayon::prelude::*;

use crate::data::{Csr, Data};
use crate::error::{Error, Result};
use crate::parts::linear::svm::{Hinge, LinearSvm};
use crate::run::Run;

/// How the learner weighs what it is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The weight C of one marked row against the size of w.
    pub c: f64,
    /// Unread rows that are taken as weak negatives.
    pub weak: usize,
    /// What the unread weigh together, for each marked row that is not wanted.
    pub weak_share: f64,
    /// How much more the wanted weigh together than the unwanted.
    pub wanted_share: f64,
    pub squared: bool,
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { c: 0.11, weak: 3000, weak_share: 1.0, wanted_share: 0.0, squared: true, tolerance: 0.01 }
    }
}

/// Made once for a pile; learns again after every mark.
pub struct Learner {
    x: Arc<Csr>,
    options: Options,
    /// All rows in random order: the first unread of them are the sample of the pile.
    order: Vec<u32>,
    /// The dual variable of each row in the last fit.
    alphas: Vec<f32>,
    weights: Vec<f32>,
    bias: f32,
}

/// What is known of a row.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Unread,
    Wanted,
    Unwanted,
}

impl Learner {
    /// `x`: a row of tf-idf weights for each row of the pile, such as [`super::features`] makes.
    pub fn new(x: Arc<Csr>, seed: u64) -> Result<Learner> {
        Learner::with_options(x, seed, Options::default())
    }

    pub fn with_options(x: Arc<Csr>, seed: u64, options: Options) -> Result<Learner> {
        if u32::try_from(x.rows()).is_err() {
            return Err(Error::data(format!("{} rows are more than can be read; split the pile", x.rows())));
        }
        let mut order: Vec<u32> = (0..x.rows() as u32).collect();
        order.shuffle(&mut Run::new(seed).rng("sample of the unread", 0));
        let (alphas, weights) = (vec![0.0; x.rows()], vec![0.0; x.cols]);
        Ok(Learner { x, options, order, alphas, weights, bias: 0.0 })
    }

    /// One score for every row of the pile, larger for more likely wanted, from the marks so far. A row of both lists
    /// counts as unwanted. Without any wanted row all scores are 0: there is nothing to go by.
    pub fn rank(&mut self, wanted: &[usize], unwanted: &[usize], run: &Run) -> Result<Vec<f32>> {
        let rows = self.x.rows();
        if let Some(row) = wanted.iter().chain(unwanted).find(|row| **row >= rows) {
            return Err(Error::data(format!("row {row} is marked, but the pile has {rows} rows")));
        }
        let mut known = vec![Known::Unread; rows];
        wanted.iter().for_each(|&row| known[row] = Known::Wanted);
        unwanted.iter().for_each(|&row| known[row] = Known::Unwanted);
        let marked: Vec<usize> = (0..rows).filter(|&row| known[row] != Known::Unread).collect();
        let wanted = marked.iter().filter(|&&row| known[row] == Known::Wanted).count();
        if wanted == 0 {
            self.weights.fill(0.0);
            self.bias = 0.0;
            return Ok(vec![0.0; rows]);
        }
        let unread = self.order.iter().map(|&row| row as usize).filter(|&row| known[row] == Known::Unread);
        let weak: Vec<usize> = unread.take(self.options.weak).collect();
        let chosen: Vec<usize> = marked.iter().chain(&weak).copied().collect();
        let c = self.row_weights(&known, &chosen, wanted, marked.len() - wanted, weak.len());
        let positive: Vec<bool> = chosen.iter().map(|&row| known[row] == Known::Wanted).collect();
        let start: Vec<f64> = chosen.iter().map(|&row| f64::from(self.alphas[row])).collect();
        let hinge = if self.options.squared { Hinge::Squared } else { Hinge::Linear };
        let solver = LinearSvm { hinge, tolerance: self.options.tolerance };
        let x = Data::Sparse(Arc::new(self.x.select(&chosen)));
        let found = solver.fit(&x, &positive, &c, Some(&start), run)?;
        self.alphas.fill(0.0);
        chosen.iter().zip(&found.alphas).for_each(|(&row, &alpha)| self.alphas[row] = alpha as f32);
        self.weights.iter_mut().zip(&found.model.weights).for_each(|(ours, w)| *ours = *w as f32);
        self.bias = found.model.bias as f32;
        Ok(run.install(|| self.scores()))
    }

    fn row_weights(
        &self,
        known: &[Known],
        chosen: &[usize],
        wanted: usize,
        unwanted: usize,
        weak: usize,
    ) -> Vec<f64> {
        let Options { c, weak_share, wanted_share, .. } = self.options;
        let weak_total = weak_share * (unwanted.max(wanted)) as f64;
        let of_weak = c * weak_total / weak.max(1) as f64;
        let of_wanted = if wanted_share > 0.0 {
            c * wanted_share * (unwanted as f64 + weak_total) / wanted as f64
        } else {
            c
        };
        let one = |&row: &usize| match known[row] {
            Known::Wanted => of_wanted,
            Known::Unwanted => c,
            Known::Unread => of_weak,
        };
        chosen.iter().map(one).collect()
    }

    fn scores(&self) -> Vec<f32> {
        const ROWS: usize = 1024;
        let mut scores = vec![0.0; self.x.rows()];
        scores.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, scores)| {
            for (k, score) in scores.iter_mut().enumerate() {
                let row = self.x.row(chunk * ROWS + k);
                *score = row.iter().map(|(j, v)| v * self.weights[j]).sum::<f32>() + self.bias;
            }
        });
        scores
    }

    /// The columns that moved the last score of a row most, the strongest first: column, weight x value.
    pub fn words(&self, row: usize, top: usize) -> Vec<(usize, f32)> {
        if row >= self.x.rows() {
            return Vec::new();
        }
        let pushes = self.x.row(row).iter().map(|(j, v)| (j, v * self.weights[j]));
        let mut pushes: Vec<(usize, f32)> = pushes.filter(|(_, push)| *push != 0.0).collect();
        pushes.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        pushes.truncate(top);
        pushes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Texts;

    fn pile() -> (crate::features::words::Words, Arc<Csr>) {
        let line = |row: usize| match row % 10 {
            0 => format!("please refund my money for order {}", row % 7),
            k => format!("where is my parcel number {} today", (row + k) % 13),
        };
        let texts: Texts = (0..200).map(line).collect();
        let (words, x) = super::super::features(&texts, &Run::new(0)).unwrap();
        (words, Arc::new(x))
    }

    #[test]
    fn wanted_marks_alone_rank_their_like_first() {
        let (words, x) = pile();
        let mut learner = Learner::new(x, 1).unwrap();
        let scores = learner.rank(&[0, 10], &[], &Run::new(0)).unwrap();
        let least = (0..200).step_by(10).map(|row| scores[row]).fold(f32::INFINITY, f32::min);
        let most =
            (0..200).filter(|row| row % 10 != 0).map(|row| scores[row]).fold(f32::NEG_INFINITY, f32::max);
        assert!(least > most);
        let (column, push) = learner.words(50, 1)[0];
        assert!(push > 0.0 && "please refund my money for".contains(words.terms().get(column)));
        assert!(learner.words(999, 3).is_empty());
    }

    #[test]
    fn a_no_lowers_its_like_and_nothing_wanted_ranks_nothing() {
        let (_, x) = pile();
        let mut learner = Learner::new(x, 1).unwrap();
        let before = learner.rank(&[0, 10], &[], &Run::new(0)).unwrap();
        let after = learner.rank(&[0, 10], &[20, 30, 40], &Run::new(0)).unwrap();
        assert!(after[50] < before[50]);
        assert_eq!(learner.rank(&[], &[3], &Run::new(0)).unwrap(), [0.0; 200]);
        assert!(learner.rank(&[200], &[], &Run::new(0)).is_err());
    }

    #[test]
    fn the_same_bytes_on_any_threads() {
        let (_, x) = pile();
        let on = |threads: usize| {
            let run = Run::new(3).with_threads(threads).unwrap();
            let mut learner = Learner::new(x.clone(), 3).unwrap();
            learner.rank(&[0], &[1], &run).unwrap();
            learner.rank(&[0, 10], &[1, 2], &run).unwrap()
        };
        assert_eq!(on(1), on(2));
    }
}
