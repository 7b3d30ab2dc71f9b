//! ONB: one-class naive Bayes whose prior is chosen by how well it splits the target (Zhang & Jatowt 2020).
//!
//! Positive naive Bayes (see `pnb`) gives a split of the target rows for each share p of positives on a
//! grid; the p whose split looks most like two clusters is taken. ASW is the average silhouette width of
//! the positive side; LSN, the largest separation of nearest instances, is the smallest distance between a
//! positive and a negative row. The target is the pile itself.
//!
//! As printed, LSN is 1 at nearly every p (two short messages that differ in one word) and larger only
//! where one side is nearly empty, so that the paper's rule picks the end of the grid. The defaults are
//! the reading that worked best without labels: both sides must hold a tenth of the target, cosine, ties
//! to the middle. Even so `pnb` and `spy-nb` are better; the paper's ranking was not reproduced.
//!
//! Both qualities are exact at every p. LSN needs one minimum spanning tree for the whole grid (memory
//! linear in the rows, time quadratic), ASW by cosine and Hamming only sums of rows; ASW by Euclidean and
//! Jaccard distance measures every pair once.
//!
//! ```text
//! p = argmax_q Q(S_q),     S_q = {x : s_q(x) > 0}
//! ASW:  Q(S) = mean_{x ∈ S} (b(x) - a(x)) / max(a(x), b(x))
//! LSN:  Q(S) = min d(x, y)  over x ∈ S, y ∉ S
//! ```
//!
//! where s_q are the log-odds of `pnb` at p = q, a(x) is the mean distance to the other rows of S and b(x) the one to the rows
//! outside.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Csr, CsrBuilder, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Reading, Spec, Weights};
use crate::note::Note;
use crate::parts::binary_rows::{BinaryRows, Distance};
use crate::parts::naive_bayes::{
    Correction, Event, PositiveBayes, PriorGrid, Smoothing, WordCounts, WordModel, counts,
};
use crate::parts::silhouette::silhouettes;
use crate::parts::spanning_tree::SpanningTree;
use crate::run::Run;

/// The parameters of both forms.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Onb {
    /// How far apart two rows are
    pub distance: Distance,
    /// A value of p counts only if both sides hold at least this share of the target
    #[schemars(range(min = 0.0, max = 0.5))]
    pub guard: f64,
    /// Which of equally good values of p is taken
    pub tie: Tie,
    /// Whether the training positives join the target, on the positive side whatever p says
    pub forced: bool,
    /// Distance between two values of p on the grid
    #[schemars(range(min = 0.001, max = 0.5))]
    pub step: f64,
    /// What is done where the positives explain more of a word than the pile holds
    pub correction: Correction,
    /// Whether the words that a row lacks speak
    pub absent: bool,
    /// What stands in for words that were not counted
    pub smoothing: Smoothing,
    /// Laplace: added to every count, 1 if left out; background: weight of the pile's word frequencies (μ),
    /// chosen by leaving positives out if left out
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub strength: Option<f64>,
}

/// Which of several best values of p is taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    /// The smallest
    First,
    /// The one in the middle of their list
    Middle,
    /// The largest
    Last,
}

/// How the quality of a split is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quality {
    /// The mean silhouette of all documents.
    AverageSilhouetteWidth,
    /// The largest separation of the two groups.
    LargestSeparation,
}

impl Default for Onb {
    fn default() -> Self {
        Onb {
            distance: Distance::Cosine,
            guard: 0.1,
            tie: Tie::Middle,
            forced: false,
            step: 0.05,
            correction: Correction::Calvo,
            absent: true,
            smoothing: Smoothing::Background,
            strength: None,
        }
    }
}

impl Onb {
    /// The paper as it is printed, as far as it can be read: binary rows, no guard.
    fn literal() -> Self {
        Onb {
            distance: Distance::Hamming,
            guard: 0.0,
            correction: Correction::Calvon,
            smoothing: Smoothing::Laplace,
            ..Onb::default()
        }
    }

    /// The values of p, ascending.
    pub fn grid(&self) -> Vec<f64> {
        let steps = (1.0 / self.step).round();
        (1..steps as usize).map(|k| k as f64 / steps).collect()
    }
}

/// What was chosen, and why.
#[derive(Clone, Debug)]
pub struct PickedPrior {
    /// The value of p that was picked.
    pub prior: f64,
    /// All values that were tried.
    pub grid: Vec<f64>,
    /// The quality of the split at each value of p; none where a side is empty.
    pub qualities: Vec<Option<f64>>,
    /// How many target rows are positive at each value of p.
    pub positives: Vec<usize>,
    /// How many values of p are as good as the one chosen, itself included.
    pub ties: usize,
    /// Whether any value of p keeps the guard.
    pub guarded: bool,
    at: usize,
    target: usize,
}

/// Qualities nearer than this are equal but for rounding.
const ROUNDING: f64 = 1e-12;
/// A side with a smaller share of the target than this makes a choice degenerate.
const NEARLY_EMPTY: f64 = 0.05;

impl Onb {
    /// Chooses p for rows `judged` of the target; rows `forced` of it are positive throughout.
    pub fn choose(
        &self,
        quality: Quality,
        bayes: &PositiveBayes,
        target: &Csr,
        judged: &[usize],
        forced: &[usize],
        run: &Run,
    ) -> Result<PickedPrior> {
        let grid = PriorGrid::new(bayes, self.grid(), self.correction);
        let splits = splits(&grid, target, judged, forced.len());
        let rows: Vec<usize> = judged.iter().chain(forced).copied().collect();
        let binary = BinaryRows::new(target, &rows);
        let qualities = match quality {
            Quality::AverageSilhouetteWidth => silhouettes(&binary, &splits, self.distance, run)?,
            Quality::LargestSeparation => {
                let tree = SpanningTree::new(&binary, self.distance, run)?;
                splits.iter().map(|split| tree.smallest_across(&binary, split)).collect()
            }
        };
        let positives = splits.iter().map(|split| split.iter().filter(|p| **p).count()).collect();
        Ok(self.pick(grid.priors, qualities, positives, rows.len()))
    }

    fn pick(
        &self,
        grid: Vec<f64>,
        qualities: Vec<Option<f64>>,
        positives: Vec<usize>,
        target: usize,
    ) -> PickedPrior {
        let smaller = |at: usize| positives[at].min(target - positives[at]) as f64 / target as f64;
        let widest = (0..grid.len()).map(smaller).fold(0.0, f64::max);
        let guarded = widest >= self.guard && widest > 0.0;
        // Where no value keeps the guard, the widest splits have to do.
        let guard = if guarded { self.guard } else { widest };
        let counts = |at: &usize| smaller(*at) >= guard;
        let quality = |at: usize| qualities[at].unwrap_or(f64::NEG_INFINITY);
        let best = (0..grid.len()).filter(counts).map(quality).fold(f64::NEG_INFINITY, f64::max);
        let tied: Vec<usize> =
            (0..grid.len()).filter(counts).filter(|&at| quality(at) >= best - ROUNDING).collect();
        let at = match self.tie {
            Tie::First => tied[0],
            Tie::Middle => tied[tied.len() / 2],
            Tie::Last => tied[tied.len() - 1],
        };
        PickedPrior { prior: grid[at], ties: tied.len(), grid, qualities, positives, guarded, at, target }
    }

    /// The model for a target, and how its prior was chosen. Without a target, the pile is it.
    pub fn fit_for(
        &self,
        quality: Quality,
        train: &PuData,
        target: Option<&Csr>,
        run: &Run,
    ) -> Result<(WordModel, PickedPrior)> {
        let x = counts(&train.x)?;
        let (positives, unlabeled) = (train.positives(), train.unlabeled());
        let pile = WordCounts::of(x, &unlabeled, Event::Bernoulli);
        let bayes = PositiveBayes {
            event: Event::Bernoulli,
            positive: WordCounts::of(x, &positives, Event::Bernoulli),
            words: self.smoothing.learn(self.strength, x, &positives, &pile, Event::Bernoulli),
            pile,
            absent: self.absent,
        };
        let choice = match target {
            None if self.forced => self.choose(quality, &bayes, x, &unlabeled, &positives, run)?,
            None => self.choose(quality, &bayes, x, &unlabeled, &[], run)?,
            Some(target) => {
                let mut all = CsrBuilder::with_capacity(x.cols, 0, 0);
                target.iter_rows().for_each(|row| all.push_row(row));
                if self.forced {
                    positives.iter().for_each(|&i| all.push_row(x.row(i)));
                }
                let all = all.finish();
                let judged: Vec<usize> = (0..target.rows()).collect();
                let forced: Vec<usize> = (target.rows()..all.rows()).collect();
                self.choose(quality, &bayes, &all, &judged, &forced, run)?
            }
        };
        Ok((bayes.model(choice.prior, self.correction), choice))
    }

    fn fit(&self, quality: Quality, train: &PuData, run: &Run) -> Result<Fitted<WordModel>> {
        let (model, choice) = self.fit_for(quality, train, None, run)?;
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(choice.notes()))
    }
}

/// The split of the target at every value of p: the judged rows by their log-odds, then the forced ones.
fn splits(grid: &PriorGrid, target: &Csr, judged: &[usize], forced: usize) -> Vec<Vec<bool>> {
    let margins: Vec<Vec<f64>> =
        judged.par_iter().with_min_len(64).map(|&i| grid.margins(target, i)).collect();
    (0..grid.priors.len())
        .map(|g| margins.iter().map(|m| m[g] > 0.0).chain(std::iter::repeat_n(true, forced)).collect())
        .collect()
}

impl PickedPrior {
    fn notes(&self) -> Vec<Note> {
        let (count, total) = (self.positives[self.at], self.target);
        let mut notes = vec![Note::info(
            &codes::LEARNED,
            match self.qualities[self.at] {
                Some(quality) => format!(
                    "p = {:.2} splits the target best (quality {quality:.4}); {} of {} values of p are as good",
                    self.prior,
                    self.ties,
                    self.grid.len()
                ),
                None => format!("no value of p splits the target in two; p = {:.2} was taken", self.prior),
            },
        )];
        let smaller = count.min(total - count);
        if (smaller as f64) < NEARLY_EMPTY * total as f64 {
            notes.push(Note::warning(&codes::POORLY_LEARNED, format!(
                "the choice of p is degenerate: {count} of {total} target rows are positive, and {} of {} values \
                 of p tie; try guard=0.1, `pnb` or `spy-nb`",
                self.ties,
                self.grid.len()
            )));
        } else if !self.guarded {
            notes.push(Note::warning(&codes::POORLY_LEARNED, format!(
                "no value of p keeps the guard; the widest split has {smaller} of {total} rows on its smaller side"
            )));
        }
        notes
    }
}

macro_rules! form {
    ($name:ident, $quality:expr, $spec:expr) => {
        impl Method for $name {
            const SPEC: Spec = $spec;
            const HIDDEN_CUT: bool = true;
            type Model = WordModel;

            fn readings() -> Vec<Reading<Self>> {
                vec![
                    Reading {
                        name: "best",
                        help: "cosine, both sides hold a tenth of the target: the best found without labels",
                        parameters: $name::default(),
                    },
                    Reading {
                        name: "literal",
                        help: "Hamming, no guard: the paper as printed, which often takes the end of the grid",
                        parameters: $name(Onb::literal()),
                    },
                ]
            }

            fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<WordModel>> {
                self.0.fit($quality, train, run)
            }
        }
    };
}

/// ONB by the average silhouette width of the positive side.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct OnbAsw(pub Onb);

form!(
    OnbAsw,
    Quality::AverageSilhouetteWidth,
    Spec {
        name: "onb-asw",
        family: "bayes",
        title: "positive naive Bayes with the prior whose positive side has the widest silhouette; picks few, surely",
        paper: "Zhang & Jatowt 2020, Estimating a one-class naive Bayes text classifier",
        assumes: "The examples are a random draw of their class and its words independent of each other, as for `pnb`; the true share of positives is the one under which the rows called positive form the tightest cluster.",
        inputs: &[Kind::Sparse],
        weights: Weights::Binary,
        keeps: None,
    }
);

/// ONB by the largest separation of nearest instances.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct OnbLsn(pub Onb);

form!(
    OnbLsn,
    Quality::LargestSeparation,
    Spec {
        name: "onb-lsn",
        family: "bayes",
        title: "positive naive Bayes with the prior that separates the two sides' nearest rows most (exact, quadratic time)",
        paper: "Zhang & Jatowt 2020, Estimating a one-class naive Bayes text classifier",
        assumes: "The examples are a random draw of their class and its words independent of each other, as for `pnb`; a gap lies between the class and the rest, and is widest at the true share of positives.",
        inputs: &[Kind::Sparse],
        weights: Weights::Binary,
        keeps: None,
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use std::sync::Arc;

    fn choice(guard: f64, tie: Tie, qualities: &[Option<f64>], positives: &[usize]) -> PickedPrior {
        let grid = (1..=qualities.len()).map(|k| k as f64 / 10.0).collect();
        Onb { guard, tie, ..Onb::default() }.pick(grid, qualities.to_vec(), positives.to_vec(), 100)
    }

    #[test]
    fn ties_and_guard_by_hand() {
        let qualities = [Some(2.0), Some(1.0), Some(1.0), Some(1.0), None];
        let positives = [1, 20, 50, 60, 100];
        assert_eq!(choice(0.0, Tie::Middle, &qualities, &positives).prior, 0.1);
        assert_eq!(choice(0.1, Tie::First, &qualities, &positives).prior, 0.2);
        assert_eq!(choice(0.1, Tie::Middle, &qualities, &positives).prior, 0.3);
        assert_eq!(choice(0.1, Tie::Last, &qualities, &positives).prior, 0.4);
        assert_eq!(choice(0.1, Tie::Middle, &qualities, &positives).ties, 3);
        let wide = choice(0.5, Tie::Middle, &[Some(1.0), Some(2.0)], &[30, 40]);
        assert!(!wide.guarded && wide.prior == 0.2);
    }

    #[test]
    fn a_degenerate_choice_is_warned_of() {
        let notes = choice(0.0, Tie::First, &[Some(7.0), Some(1.0)], &[2, 50]).notes();
        let text = notes[1].to_string();
        assert!(
            notes[1].is_warning() && text.contains("2 of 100") && text.contains("1 of 2 values"),
            "{text}"
        );
        let never = choice(0.1, Tie::First, &[None, None], &[0, 0]).notes();
        assert!(never[0].to_string().starts_with("no value of p"));
    }

    #[test]
    fn two_topics_are_told_apart() {
        // Words 0 to 3 for positives and 30 pile rows, words 4 to 7 for 50 pile rows, two words a row.
        let words: Vec<u32> = (0..100u32)
            .flat_map(|i| {
                let topic = if i < 50 { 0 } else { 4 };
                [topic + i % 2, topic + 2 + i / 2 % 2]
            })
            .collect();
        let x = Csr::new(8, (0..=100).map(|i| 2 * i).collect(), words, vec![1.0; 200]).unwrap();
        let train = PuData::new(Data::Sparse(Arc::new(x)), (0..100).map(|i| i < 20).collect()).unwrap();
        for forced in [false, true] {
            let onb = Onb { forced, ..Onb::default() };
            for quality in [Quality::AverageSilhouetteWidth, Quality::LargestSeparation] {
                let fitted = onb.fit(quality, &train, &Run::new(0)).unwrap();
                let right = (20..100).filter(|&i| (fitted.scores[i] >= 0.5) == (i < 50)).count();
                assert_eq!(right, 80, "{quality:?}");
            }
        }
    }
}
