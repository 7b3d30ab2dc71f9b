//! kNN novelty: how alike a row is to the positives nearest to it.
//!
//! The statistic of a row is its mean cosine to the `k` nearest positives. Each positive's own statistic,
//! computed among the other positives, says how low a positive may go: a row of the pile gets a p-value from
//! them, and the cut is the one with the best estimated F1 (`parts::conformal`). It learns nothing from the
//! pile but that cut, so use it when the pile is mostly what you showed and you look for the unexpected, or as a
//! baseline that needs no negative examples and no tuning.
//!
//! ```text
//! s(x) = 1/k Σ cos(x, p)   over the k positives p most like x
//! p(x) = (1 + |{i ∈ P : s_i ≤ s(x)}|) / (n + 1)
//! ```
//!
//! where s_i is the statistic of positive i among the other n - 1.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Data, Kind, PuData};
use crate::decide::recenter;
use crate::error::Result;
use crate::figures::percent;
use crate::method::{Fitted, Method, Model, Reason, Scores, Spec, Weights};
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::parts::conformal::{Cut, Goal, cut};
use crate::parts::knn_graph::{CosineIndex, Neighbours};
use crate::run::Run;

/// Mean cosine to the nearest positives with a conformal cut; for piles that are mostly positive.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnnNovelty {
    /// How many of the nearest positives are averaged
    #[schemars(range(min = 1, max = 1000))]
    pub k: usize,
    /// Whose estimated F1 the cut makes best
    pub goal: Goal,
}

impl Default for KnnNovelty {
    fn default() -> Self {
        KnnNovelty { k: 5, goal: Goal::Rarer }
    }
}

impl Method for KnnNovelty {
    const SPEC: Spec = Spec {
        name: "knn-novelty",
        family: "graph",
        title: "mean cosine to the nearest positives with a conformal cut; for piles that are mostly positive",
        paper: "Ramaswamy, Rastogi & Shim 2000, Efficient algorithms for mining outliers; Storey 2002, A direct approach to false discovery rates",
        assumes: "The examples are a random draw of their class: a positive of the pile is as like the examples nearest to it as these are to each other. What is unexpected is less like them.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("the positives it learned from"),
    };
    type Model = NearestPositives;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<NearestPositives>> {
        let positives = train.positives();
        let index = CosineIndex::new(&train.x.select(&positives))?;
        let likeness = Likeness::measure(&index, train, self.k, run)?;
        let mut notes = Vec::new();
        let threshold = match cut(&likeness.left_out, &likeness.pile, self.goal) {
            Some(Cut { threshold, share }) => {
                notes.push(Note::info(
                    &codes::LEARNED,
                    format!("about {} of the pile looks like the positives", percent(share)),
                ));
                threshold
            }
            None => {
                notes.push(Note::warning(&codes::POORLY_LEARNED,
                    "one positive example cannot say how alike positives are; the cut is half the best likeness",
                ));
                likeness.pile.iter().fold(0.0, |best: f64, s| best.max(*s)) / 2.0
            }
        };
        let model = NearestPositives { index, k: likeness.k, threshold: threshold.max(f64::MIN_POSITIVE) };
        let scores = likeness.of_all(train).map(|s| recenter(s, model.threshold)).collect();
        Ok(Fitted::new(model, scores).with_notes(notes))
    }
}

/// The mean cosine of every training row to its nearest positives; a positive is not its own neighbour.
pub(super) struct Likeness {
    /// As asked, but never more than there are other positives.
    pub k: usize,
    /// Those of the positives; empty where there is only one.
    pub left_out: Vec<f64>,
    pub pile: Vec<f64>,
}

impl Likeness {
    /// `index` holds the positives of `train`.
    pub fn measure(index: &CosineIndex, train: &PuData, k: usize, run: &Run) -> Result<Self> {
        let others = index.rows().rows() - 1;
        let k = k.min(others).max(1);
        let left_out = if others == 0 { Vec::new() } else { mean_cosines(&index.graph(k, run)?, k) };
        let pile = index.query(&train.x.select(&train.unlabeled()), k, run)?;
        Ok(Likeness { k, left_out, pile: mean_cosines(&pile, k) })
    }

    /// In the order of the training rows; an only positive is as like itself as can be.
    pub fn of_all<'a>(&'a self, train: &'a PuData) -> impl Iterator<Item = f64> + 'a {
        let (mut positives, mut pile) = (self.left_out.iter(), self.pile.iter());
        train.positive.iter().map(move |&positive| {
            let side = if positive { &mut positives } else { &mut pile };
            side.next().copied().unwrap_or(1.0)
        })
    }
}

/// The mean over k places, those that no alike row fills counting as 0.
pub(super) fn mean_cosines(neighbours: &Neighbours, k: usize) -> Vec<f64> {
    let mean = |i| neighbours.of(i).map(|(_, cosine)| f64::from(cosine)).sum::<f64>() / k as f64;
    (0..neighbours.len()).map(mean).collect()
}

/// Known rows and the cut.
pub struct NearestPositives {
    index: CosineIndex,
    k: usize,
    threshold: f64,
}

impl Model for NearestPositives {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let likeness = mean_cosines(&self.index.query(x, self.k, run)?, self.k);
        Ok(likeness.into_iter().map(|s| recenter(s, self.threshold)).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.index.save_training_rows(out);
        out.value("k", &self.k);
        out.number("threshold", self.threshold);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let threshold = file.number("threshold")?;
        Ok(NearestPositives { index: CosineIndex::load(file)?, k: file.value("k")?, threshold })
    }

    /// What each feature adds to the mean cosine.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let asked = x.select(&[row]);
        let mut pushes = vec![0.0; x.cols().unwrap_or(0)];
        for (stored, _) in self.index.query(&asked, self.k, &Run::new(0))?.of(0) {
            for (j, part) in self.index.shared_features(&asked, 0, stored) {
                pushes[j] += part / self.k as f64;
            }
        }
        Ok(Reason::strongest(pushes.into_iter().enumerate(), top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Csr;
    use crate::method::Cause;
    use std::sync::Arc;

    /// Three positives of words 0 and 1, then rows of word 0, of word 2, and an empty one.
    fn train() -> PuData {
        let x = Csr::new(
            3,
            vec![0, 2, 4, 5, 6, 7, 7],
            vec![0, 1, 0, 1, 0, 0, 2],
            vec![0.6, 0.8, 0.8, 0.6, 1.0, 1.0, 1.0],
        );
        let positive = vec![true, true, true, false, false, false];
        PuData::new(Data::Sparse(Arc::new(x.unwrap())), positive).unwrap()
    }

    #[test]
    fn the_statistic_by_hand() {
        let train = train();
        let index = CosineIndex::new(&train.x.select(&train.positives())).unwrap();
        let likeness = Likeness::measure(&index, &train, 2, &Run::new(0)).unwrap();
        let close = |found: &[f64], wanted: &[f64]| {
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        };
        close(&likeness.left_out, &[(0.96 + 0.6) / 2.0, (0.96 + 0.8) / 2.0, (0.6 + 0.8) / 2.0]);
        close(&likeness.pile, &[(1.0 + 0.8) / 2.0, 0.0, 0.0]);
    }

    #[test]
    fn strangers_and_empty_rows_are_negative() {
        let fitted = KnnNovelty { k: 2, goal: Goal::Rarer }.fit(&train(), &Run::new(0)).unwrap();
        assert!(fitted.scores[3] >= 0.5, "{:?}", fitted.scores);
        assert_eq!(fitted.scores[4..], [0.0, 0.0]);
        let why = fitted.model.explain(&train().x, 3, 3).unwrap();
        assert_eq!(why.len(), 1);
        assert!(why[0].cause == Cause::Feature(0) && (why[0].push - 0.9).abs() < 1e-6);
    }

    #[test]
    fn one_positive_still_ranks() {
        let mut train = train();
        train.positive = vec![false, false, true, false, false, false];
        let fitted = KnnNovelty::default().fit(&train, &Run::new(0)).unwrap();
        assert!(fitted.scores[3] > fitted.scores[1] && fitted.scores[1] > fitted.scores[0]);
        assert!(fitted.scores[0] > 0.5 && fitted.scores[4] == 0.0);
        assert!(fitted.notes[0].is_warning());
    }
}
