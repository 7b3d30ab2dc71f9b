//! LGN: learning by generating negatives (Li, Liu & Ng 2007).
//!
//! Words whose frequency differs between the positives P and the pile U are poured into one artificial
//! negative document AN; naive Bayes of P against AN flags what is unlike every known class. Use it when
//! the pile is mostly positive and the unexpected are few; the unexpected are the rows decided negative.
//!
//! Figure 2 and Equations 2, 4, 5, with D_w the rows of U that hold the word w:
//!
//! ```text
//! Pr(w|c)    = (s + N(w,c)) / (s |V| + N(·,c))               c = + for P, - for U         (2)
//! entropy(w) = - Σ_c Pr(c|w) ln Pr(c|w)                      Pr(c|w) ∝ Pr(w|c)            (4)
//! q(w)       = 1 - entropy(w) / max_v entropy(v)                                          (5)
//! AN(w)      = sum of |D_w| q(w) draws from N(mean, variance of w's count within D_w)     (step 15)
//! ```
//!
//! Figure 3 is naive Bayes of P against {AN}. As printed, Equation 4 takes Pr(w|c) where Pr(c|w) must be
//! meant for the text to hold ("q = 0: w occurs uniformly in P and U"), and step 15 divides by the mean
//! where the deviation is meant. The paper's F of 77.0 was not reproduced under any reading; rounding the
//! number of draws up and smoothing the last model by 0.1 came nearest, and is the default.

use rand::Rng;
use rand_distr::{Distribution, Normal};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Csr, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Reading, Spec, Weights};
use crate::note::Note;
use crate::parts::linear::LinearModel;
use crate::parts::naive_bayes::{Multinomial, counts, log_ratio};
use crate::run::Run;

/// Naive Bayes against one generated negative document; for a pile that is mostly positive, to find the few
/// that are not.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lgn {
    /// What the entropy of a word is taken of (Equation 4)
    pub entropy: Entropy,
    /// How |D_w| q(w), the number of draws for a word, is made whole
    pub rounding: Rounding,
    /// How the words of the artificial negative document get their frequency
    pub document: Document,
    /// What becomes of a drawn frequency below zero
    pub negative_draws: NegativeDraws,
    /// Added to every word count where the entropy is computed (1 is Laplace)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub entropy_smoothing: f64,
    /// Added to every word count in the last model, positives against the artificial document
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub smoothing: f64,
    /// Pr(+) of the last model; it moves the decision, never the ranking
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: f64,
}

/// How the entropy of a word is read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entropy {
    /// Of Pr(c|w), the classes given the word: what the text describes
    Posterior,
    /// Of Pr(w|c) as Equation 4 is printed: q then only says that a word is rare
    Literal,
}

/// How the loop bound is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// Down, as a loop "for j = 1 to |D_w| q(w)" does: drops every word with less than one draw
    Floor,
    /// To the nearest, halves to even
    Round,
    /// Up: every word that differs at all is drawn at least once
    Ceil,
    /// Not at all: the last draw counts in part
    Fraction,
}

/// How the artificial document is poured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Document {
    /// Drawn at random from the word's Gaussian (step 15)
    Sampled,
    /// Its expectation: the mean frequency, as often as it would be drawn
    Expected,
}

/// How often the negative document is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NegativeDraws {
    /// It counts as zero
    Clip,
    /// It is subtracted; a word's sum still ends at zero or above
    Keep,
    /// It is drawn again
    Resample,
}

impl Default for Lgn {
    fn default() -> Self {
        Lgn { rounding: Rounding::Ceil, smoothing: 0.1, ..Lgn::printed() }
    }
}

impl Lgn {
    fn printed() -> Self {
        Lgn {
            entropy: Entropy::Posterior,
            rounding: Rounding::Floor,
            document: Document::Sampled,
            negative_draws: NegativeDraws::Clip,
            entropy_smoothing: 1.0,
            smoothing: 1.0,
            prior: 0.5,
        }
    }

    /// q(w), Equation 5: 0 for the word most alike in P and U, towards 1 for one that tells them apart.
    fn differences(&self, in_positives: &[f64], in_pile: &[f64]) -> Vec<f64> {
        let p = Multinomial::from_counts(in_positives, self.entropy_smoothing);
        let u = Multinomial::from_counts(in_pile, self.entropy_smoothing);
        let entropies: Vec<f64> = (p.log_probabilities.iter().zip(&u.log_probabilities))
            .map(|(p, u)| {
                let norm = match self.entropy {
                    Entropy::Posterior => (p.exp() + u.exp()).ln(),
                    Entropy::Literal => 0.0,
                };
                [p - norm, u - norm].iter().map(|ln| -ln.exp() * ln).sum()
            })
            .collect();
        let largest = entropies.iter().fold(0.0f64, |a, b| a.max(*b));
        entropies.iter().map(|h| if largest > 0.0 { 1.0 - h / largest } else { 0.0 }).collect()
    }

    /// AN(w): the sum of the frequencies generated for one word (steps 14 to 16).
    fn frequency(&self, word: &Moments, q: f64, rng: &mut impl Rng) -> f64 {
        let draws = match self.rounding {
            Rounding::Floor => (word.rows * q).floor(),
            Rounding::Round => (word.rows * q).round_ties_even(),
            Rounding::Ceil => (word.rows * q).ceil(),
            Rounding::Fraction => word.rows * q,
        };
        let gaussian = Normal::new(word.mean(), word.variance().sqrt()).ok();
        let (Document::Sampled, Some(gaussian)) = (self.document, gaussian) else {
            return draws * word.mean();
        };
        let mut sum = 0.0;
        let mut left = draws;
        while left > 0.0 {
            let drawn = match self.negative_draws {
                NegativeDraws::Clip => gaussian.sample(rng).max(0.0),
                NegativeDraws::Keep => gaussian.sample(rng),
                // The mean is above zero, so at least every second draw is.
                NegativeDraws::Resample => loop {
                    let drawn: f64 = gaussian.sample(rng);
                    if drawn >= 0.0 {
                        break drawn;
                    }
                },
            };
            sum += left.min(1.0) * drawn;
            left -= 1.0;
        }
        sum.max(0.0)
    }

    fn artificial_negative(&self, x: &Csr, train: &PuData, in_positives: &[f64], run: &Run) -> Vec<f64> {
        let words = Moments::of_columns(x, &train.unlabeled());
        let in_pile: Vec<f64> = words.iter().map(|w| w.sum).collect();
        let q = self.differences(in_positives, &in_pile);
        (words.par_iter().zip(&q).enumerate())
            .map(|(w, (word, q))| self.frequency(word, *q, &mut run.rng("lgn", w as u64)))
            .collect()
    }
}

/// The count of a word within the rows that hold it.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    rows: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn of_columns(x: &Csr, rows: &[usize]) -> Vec<Moments> {
        let mut words = vec![Moments::default(); x.cols];
        for &i in rows {
            for (j, v) in x.row(i).iter().filter(|(_, v)| *v > 0.0) {
                let (word, v) = (&mut words[j], f64::from(v));
                word.rows += 1.0;
                word.sum += v;
                word.squares += v * v;
            }
        }
        words
    }

    fn mean(&self) -> f64 {
        if self.rows > 0.0 { self.sum / self.rows } else { 0.0 }
    }

    /// Divided by |D_w| - 1 (step 7); a word of a single row does not vary.
    fn variance(&self) -> f64 {
        if self.rows < 2.0 {
            return 0.0;
        }
        ((self.squares - self.sum * self.mean()) / (self.rows - 1.0)).max(0.0)
    }
}

impl Method for Lgn {
    const SPEC: Spec = Spec {
        name: "lgn",
        family: "bayes",
        title: "naive Bayes against one generated negative document; for a pile that is mostly positive, to find the few that are not",
        paper: "Li, Liu & Ng 2007, Learning to identify unexpected instances in the test set",
        assumes: "The pile is mostly positive, and its positives use words as the examples do, which are a random draw: then words whose frequency differs belong to the unexpected. Given the class, words occur independently of each other.",
        inputs: &[Kind::Sparse],
        weights: Weights::Count,
        keeps: None,
    };
    type Model = LinearModel;

    fn readings() -> Vec<Reading<Self>> {
        vec![
            Reading {
                name: "best",
                help: "draws rounded up, last model smoothed by 0.1: the best found without looking at labels",
                parameters: Lgn::default(),
            },
            Reading {
                name: "printed",
                help: "Figures 2 and 3 as printed: draws rounded down, Laplace smoothing",
                parameters: Lgn::printed(),
            },
        ]
    }

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearModel>> {
        let x = counts(&train.x)?;
        let in_positives = x.column_sums(train.positives());
        run.step("generating the negative document", 0, 1)?;
        let generated = self.artificial_negative(x, train, &in_positives, run);
        run.step("generating the negative document", 1, 1)?;
        let positive = Multinomial::from_counts(&in_positives, self.smoothing);
        let negative = Multinomial::from_counts(&generated, self.smoothing);
        let bias = (self.prior / (1.0 - self.prior)).ln();
        let model = LinearModel { weights: log_ratio(&positive, &negative), bias };
        let scores = model.score(&train.x, run)?;
        let words = generated.iter().filter(|f| **f > 0.0).count();
        let note = if words == 0 {
            Note::warning(
                &codes::POORLY_LEARNED,
                "the artificial negative document is empty: no word differs enough between the positives \
                 and the pile; try rounding=ceil or more data",
            )
        } else {
            Note::info(
                &codes::LEARNED,
                format!("the artificial negative document holds {words} of {} words", x.cols),
            )
        };
        Ok(Fitted::new(model, scores).with_notes(vec![note]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CsrBuilder, Data};
    use std::sync::Arc;

    fn data(positive: &[&[f32]], unlabeled: &[&[f32]]) -> PuData {
        let mut x = CsrBuilder::with_capacity(positive[0].len(), 0, 0);
        for row in positive.iter().chain(unlabeled) {
            x.push_entries(row.iter().enumerate().map(|(j, v)| (j as u32, *v)));
        }
        let labels = (0..positive.len() + unlabeled.len()).map(|i| i < positive.len()).collect();
        PuData::new(Data::Sparse(Arc::new(x.finish())), labels).unwrap()
    }

    #[test]
    fn two_words_by_hand() {
        // P = {a a a}, U = {a a a, b b b}; Laplace: Pr(a|P) = 4/5, Pr(b|P) = 1/5, Pr(·|U) = 1/2 each.
        // Pr(P|a) = 8/13, Pr(P|b) = 2/7, so b has the smaller entropy: q(a) = 0, q(b) = 1 - H(2/7)/H(8/13).
        let h = |p: f64| -p * p.ln() - (1.0 - p) * (1.0 - p).ln();
        let train = data(&[&[3.0, 0.0]], &[&[3.0, 0.0], &[0.0, 3.0]]);
        let lgn = Lgn { rounding: Rounding::Fraction, document: Document::Expected, ..Lgn::printed() };
        let q = lgn.differences(&[3.0, 0.0], &[3.0, 3.0]);
        let expected = 1.0 - h(2.0 / 7.0) / h(8.0 / 13.0);
        assert!(q[0].abs() < 1e-12 && (q[1] - expected).abs() < 1e-12, "{q:?}");
        // AN = {b: 3 q(b)}, and the last model has Pr(a|-) = 1/(2 + 3 q).
        let model = lgn.fit(&train, &Run::new(0)).unwrap().model;
        assert!((model.weights[0] - (0.8 * (2.0 + 3.0 * expected)).ln()).abs() < 1e-12);
    }

    #[test]
    fn draws_follow_the_words_own_spread() {
        let word = Moments { rows: 20_000.0, sum: 40_000.0, squares: 100_000.0 };
        assert!((word.mean() - 2.0).abs() < 1e-12 && (word.variance() - 1.0).abs() < 1e-3);
        let mean = |negative_draws| {
            let lgn = Lgn { negative_draws, ..Lgn::default() };
            lgn.frequency(&word, 1.0, &mut Run::new(3).rng("test", 0)) / 20_000.0
        };
        // For N(2, 1): E max(X, 0) = 2 Φ(2) + φ(2) = 2.0085; E[X | X > 0] = 2 + φ(2)/Φ(2) = 2.0552.
        assert!((mean(NegativeDraws::Keep) - 2.0).abs() < 0.02);
        assert!((mean(NegativeDraws::Clip) - 2.0085).abs() < 0.02);
        assert!((mean(NegativeDraws::Resample) - 2.0552).abs() < 0.02);
    }

    #[test]
    fn the_printed_loop_drops_words_with_less_than_one_draw() {
        let word = Moments { rows: 3.0, sum: 6.0, squares: 12.0 };
        let frequency = |rounding| {
            let lgn = Lgn { rounding, document: Document::Expected, ..Lgn::default() };
            lgn.frequency(&word, 0.25, &mut Run::new(0).rng("test", 0))
        };
        assert_eq!(frequency(Rounding::Floor), 0.0);
        assert_eq!(frequency(Rounding::Round), 2.0);
        assert_eq!(frequency(Rounding::Ceil), 2.0);
        assert_eq!(frequency(Rounding::Fraction), 1.5);
    }

    #[test]
    fn an_empty_artificial_document_is_said_so() {
        let train = data(&[&[1.0, 1.0]], &[&[1.0, 1.0], &[0.0, 0.0]]);
        let fitted = Lgn::printed().fit(&train, &Run::new(0)).unwrap();
        assert!(fitted.notes[0].to_string().contains("empty"));
        assert!(fitted.scores.iter().all(|s| s.is_finite()));
    }
}
