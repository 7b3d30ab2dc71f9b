//! The learner of the loop: a linear SVM on marks of both kinds, with unread rows as weak negatives.
//!
//! Solves:  min over w, b of  ½ (w·w + b²) + Σ_i C_i max(0, 1 - y_i (x_i·w + b))²
//! Given: rows marked wanted (y = 1), rows marked unwanted (y = -1), and a sample of the unread (y = -1). Few of the
//! unread are wanted, so a weak "no" for each is mostly true, and it shows the learner what the pile is made of before a
//! single "no" is read. Together they weigh the geometric mean of the wanted and the unwanted marks: while little is
//! known not to be wanted they must not drown it, and later they stand beside it.
//!
//! A row shorter than 1 holds the rest in words of its own, which no other row has and so no column is kept for. In the
//! dual such a column of squared length p adds p to the row's diagonal, as 1/(2C) does: the row's C becomes C/(1 + 2Cp).
//!
//! Where the neighbours of the rows are known (`neighbours.rs`), the scores of the unread take them into account.
//!
//! Each fit starts from the dual variables of the last one: a single new mark moves them little.

use std::sync::Arc;

use rand::seq::SliceRandom;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Neighbours;
use crate::data::{Csr, Data};
use crate::error::{Error, Result};
use crate::parts::linear::svm::{Hinge, LinearSvm};
use crate::run::Run;

/// The weight C of one marked row against the size of w: what linear SVMs take where nobody says.
const C: f64 = 1.0;
/// Unread rows that are taken as weak negatives.
const WEAK: usize = 3000;
/// How exactly a fit is solved: the band of the projected gradients.
const TOLERANCE: f64 = 0.01;

/// Which unread rows come next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pick {
    /// The highest scores.
    #[default]
    Best,
    /// The scores nearest to the boundary, every second row; the best between them.
    Uncertain,
    /// The best, but none that is nearly the same as one before it in the batch.
    Diverse,
}

/// Rows closer than this (cosine) are nearly the same.
const NEAR: f64 = 0.8;

/// Made once for a pile; learns again after every mark.
pub struct Learner {
    x: Arc<Csr>,
    /// All rows in random order: the first unread of them are the sample of the pile.
    order: Vec<u32>,
    /// The dual variable of each row in the last fit.
    alphas: Vec<f32>,
    weights: Vec<f32>,
    bias: f32,
    neighbours: Option<Arc<Neighbours>>,
}

/// What is known of a row.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Unread,
    Wanted,
    Unwanted,
}

impl Known {
    fn sign(self) -> i8 {
        match self {
            Known::Unread => 0,
            Known::Wanted => 1,
            Known::Unwanted => -1,
        }
    }
}

impl Learner {
    /// `x`: a row of tf-idf weights for each row of the pile, such as [`super::features`] makes.
    pub fn new(x: Arc<Csr>, seed: u64) -> Result<Learner> {
        if u32::try_from(x.rows()).is_err() {
            return Err(Error::data(format!("{} rows are more than can be read; split the pile", x.rows())));
        }
        let mut order: Vec<u32> = (0..x.rows() as u32).collect();
        order.shuffle(&mut Run::new(seed).rng("sample of the unread", 0));
        let (alphas, weights) = (vec![0.0; x.rows()], vec![0.0; x.cols]);
        Ok(Learner { x, order, alphas, weights, bias: 0.0, neighbours: None })
    }

    /// From now on the rows' neighbours count. They are those of the learner's rows, or of the first of them.
    pub fn join(&mut self, neighbours: Arc<Neighbours>) {
        self.neighbours = Some(neighbours);
    }

    /// Whether neighbours count already.
    pub fn is_joined(&self) -> bool {
        self.neighbours.is_some()
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
        let weak: Vec<usize> = unread.take(WEAK).collect();
        let chosen: Vec<usize> = marked.iter().chain(&weak).copied().collect();
        let mut c = row_weights(&known, &chosen, wanted, marked.len() - wanted, weak.len());
        for (c, &row) in c.iter_mut().zip(&chosen) {
            let own = (1.0 - self.x.row(row).squared_norm()).max(0.0);
            *c /= 1.0 + 2.0 * *c * own;
        }
        let positive: Vec<bool> = chosen.iter().map(|&row| known[row] == Known::Wanted).collect();
        let start: Vec<f64> = chosen.iter().map(|&row| f64::from(self.alphas[row])).collect();
        let solver = LinearSvm { hinge: Hinge::Squared, tolerance: TOLERANCE };
        let x = Data::Sparse(Arc::new(self.x.select(&chosen)));
        let found = solver.fit(&x, &positive, &c, Some(&start), run)?;
        self.alphas.fill(0.0);
        chosen.iter().zip(&found.alphas).for_each(|(&row, &alpha)| self.alphas[row] = alpha as f32);
        self.weights.iter_mut().zip(&found.model.weights).for_each(|(ours, w)| *ours = *w as f32);
        self.bias = found.model.bias as f32;
        let marks: Vec<i8> = known.iter().map(|known| known.sign()).collect();
        Ok(run.install(|| {
            let mut scores = self.scores();
            if let Some(neighbours) = &self.neighbours {
                neighbours.correct(&mut scores, &marks);
            }
            scores
        }))
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

    /// The next `count` of these rows by their scores, the first to read first; equal scores in random order.
    pub fn choose(&self, scores: &[f32], rows: Vec<usize>, count: usize, pick: Pick) -> Vec<usize> {
        let mut place = vec![0u32; self.order.len()];
        self.order.iter().zip(0..).for_each(|(&row, at)| place[row as usize] = at);
        let first = |mut rows: Vec<usize>, count: usize, key: &dyn Fn(usize) -> f32| {
            let by = |a: &usize, b: &usize| key(*b).total_cmp(&key(*a)).then(place[*a].cmp(&place[*b]));
            if count < rows.len() {
                rows.select_nth_unstable_by(count, by);
                rows.truncate(count);
            }
            rows.sort_unstable_by(by);
            rows
        };
        match pick {
            Pick::Best => first(rows, count, &|row| scores[row]),
            Pick::Uncertain => {
                let best = first(rows.clone(), count, &|row| scores[row]);
                let near = first(rows, count, &|row| -scores[row].abs());
                let mut taken = std::collections::HashSet::new();
                let mixed = best.into_iter().zip(near).flat_map(|(best, near)| [best, near]);
                mixed.filter(|row| taken.insert(*row)).take(count).collect()
            }
            Pick::Diverse => {
                let best = first(rows, 4 * count, &|row| scores[row]);
                let (mut chosen, mut passed): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
                for row in best {
                    let like = |other: &usize| self.x.row(row).dot_row(self.x.row(*other)) > NEAR;
                    if chosen.len() < count && !chosen.iter().any(like) {
                        chosen.push(row)
                    } else {
                        passed.push(row)
                    }
                }
                let missing = count - chosen.len();
                chosen.extend(passed.into_iter().take(missing));
                chosen
            }
        }
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

/// C for each chosen row.
fn row_weights(known: &[Known], chosen: &[usize], wanted: usize, unwanted: usize, weak: usize) -> Vec<f64> {
    let of_weak = C * (wanted as f64 * unwanted.max(1) as f64).sqrt() / weak.max(1) as f64;
    let one = |&row: &usize| if known[row] == Known::Unread { of_weak } else { C };
    chosen.iter().map(one).collect()
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
    fn neighbours_of_what_is_wanted_rise_and_marks_keep_their_scores() {
        let (_, x) = pile();
        let ranked = |joined: bool| {
            let mut learner = Learner::new(x.clone(), 1).unwrap();
            if joined {
                learner.join(Arc::new(Neighbours::of(&x, &Run::new(0)).unwrap()));
            }
            assert_eq!(learner.is_joined(), joined);
            learner.rank(&(0..100).step_by(10).collect::<Vec<_>>(), &[1], &Run::new(0)).unwrap()
        };
        let (alone, joined) = (ranked(false), ranked(true));
        assert!((100..200).step_by(10).all(|row| joined[row] > alone[row]), "{joined:?}");
        assert_eq!((alone[0], alone[1]), (joined[0], joined[1]));
    }

    #[test]
    fn rows_are_picked_by_score_boundary_or_difference() {
        let (_, x) = pile();
        let learner = Learner::new(x, 1).unwrap();
        let mut scores = vec![-5.0f32; 200];
        (scores[3], scores[13], scores[4]) = (2.0, 1.9, -0.1);
        let all = || (0..200).collect::<Vec<usize>>();
        assert_eq!(learner.choose(&scores, all(), 2, Pick::Best), [3, 13]);
        assert_eq!(learner.choose(&scores, all(), 2, Pick::Uncertain), [3, 4]);
        // Rows 26 and 31 differ from 3 in nothing.
        (scores[26], scores[31]) = (1.99, 1.98);
        let diverse = learner.choose(&scores, all(), 2, Pick::Diverse);
        assert!(diverse[0] == 3 && diverse.len() == 2 && diverse[1] != 26, "{diverse:?}");
        assert_eq!(learner.choose(&scores, vec![7], 5, Pick::Diverse), [7]);
    }

    #[test]
    fn the_same_bytes_on_any_threads() {
        let (_, x) = pile();
        let on = |threads: usize| {
            let run = Run::new(3).with_threads(threads).unwrap();
            let mut learner = Learner::new(x.clone(), 3).unwrap();
            learner.join(Arc::new(Neighbours::of(&x, &run).unwrap()));
            learner.rank(&[0], &[1], &run).unwrap();
            learner.rank(&[0, 10], &[1, 2], &run).unwrap()
        };
        assert_eq!(on(1), on(2));
    }
}
