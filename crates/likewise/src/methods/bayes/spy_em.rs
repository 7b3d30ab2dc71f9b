//! S-EM: spies, then expectation-maximisation (Liu, Lee, Yu & Li 2002).
//!
//! Spies find reliable negatives (see `parts/reliable_negatives/spies`); naive Bayes of the positives
//! against those starts EM over the whole pile, with the positives held fixed. EM may drift away from the
//! class, so the classifier is kept from which on the estimated error would rise. Use it when the pile
//! holds many negatives; finding none at all is an answer too, and then every row is called positive.
//!
//! The change of error from one iteration to the next, with rates on the pile U and the positives P:
//!
//! ```text
//! Δ_i = Pr_U[f_i = 1] - Pr_U[f_{i-1} = 1] + 2 (Pr_P[f_i = 0] - Pr_P[f_{i-1} = 0]) Pr[Y = 1]
//! ```
//!
//! The paper has multinomial naive Bayes (`reading=printed`). On short messages the Bernoulli model, in
//! which absent words speak, was clearly better and is the default.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Csr, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Reading, Spec, Weights};
use crate::note::Note;
use crate::parts::naive_bayes::{
    Em, Event, PriorOf, Smoothing, Teachers, WordCounts, WordModel, WordPrior, counts,
};
use crate::parts::reliable_negatives::spies::{Spies, SpyStep};
use crate::run::Run;

/// Spies find reliable negatives, then naive Bayes with EM (S-EM); when the pile holds many negatives.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpyEm {
    /// Share of the positives sent into the pile as spies
    #[schemars(range(min = 0.001, max = 0.999))]
    pub spies: f64,
    /// Share of the spies that may fall among the reliable negatives
    #[schemars(range(min = 0.0, max = 0.999))]
    pub noise: f64,
    /// How spies and pile are ranked
    pub spy_step: SpyStep,
    /// What a row is thought to be made of
    pub event: Event,
    /// Which iteration is kept
    pub keep: Keep,
    /// What stands in for words that were not counted
    pub smoothing: Smoothing,
    /// Laplace: added to every count, 1 if left out; background: weight of the pile's word frequencies (μ),
    /// chosen by leaving positives out if left out
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub strength: Option<f64>,
    /// Ends after so many iterations in any case
    #[schemars(range(min = 0, max = 100000))]
    pub iterations: usize,
}

/// Which of the models along the way is kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// The one before the estimated error rises for the first time
    Best,
    /// The last, at convergence
    Last,
}

impl Default for SpyEm {
    fn default() -> Self {
        SpyEm {
            spies: 0.15,
            noise: 0.15,
            spy_step: SpyStep::IEm,
            event: Event::Bernoulli,
            keep: Keep::Best,
            smoothing: Smoothing::Background,
            strength: None,
            iterations: 100,
        }
    }
}

/// EM has converged when no more of the pile than this changes sides.
const TOLERANCE: f64 = 1e-5;

impl Method for SpyEm {
    const SPEC: Spec = Spec {
        name: "spy-em",
        family: "bayes",
        title: "spies find reliable negatives, then naive Bayes with EM (S-EM); when the pile holds many negatives",
        paper: "Liu, Lee, Yu & Li 2002, Partially supervised classification of text documents",
        assumes: "The examples are a random draw of their class, so that those hidden as spies are ranked as the pile's own positives are. Given the class, words occur independently of each other.",
        inputs: &[Kind::Sparse],
        weights: Weights::Count,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Reliable;
    const HIDDEN_CUT: bool = true;
    type Model = WordModel;

    fn readings() -> Vec<Reading<Self>> {
        vec![
            Reading {
                name: "best",
                help: "Bernoulli naive Bayes: the best found on short messages without looking at labels",
                parameters: SpyEm::default(),
            },
            Reading {
                name: "printed",
                help: "multinomial naive Bayes with Laplace, as the paper has it",
                parameters: SpyEm {
                    event: Event::Multinomial,
                    smoothing: Smoothing::Laplace,
                    ..SpyEm::default()
                },
            },
        ]
    }

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<WordModel>> {
        let x = counts(&train.x)?;
        let spies = Spies {
            share: self.spies,
            noise: self.noise,
            step: self.spy_step,
            event: self.event,
            smoothing: self.smoothing,
            strength: self.strength,
        };
        let report = spies.send(x, train, run)?;
        if report.negatives.is_empty() {
            return nothing_negative(report.model, x, train, run);
        }
        let pile = WordCounts::of(x, &train.unlabeled(), self.event);
        let words = self.smoothing.learn(self.strength, x, &train.positives(), &pile, self.event);
        let first = against_reliable_negatives(x, train, &report.negatives, self.event, &words);
        let (model, kept) = self.iterate(x, train, first, &words, run)?;
        let note = format!(
            "{} spies found {} reliable negatives; iteration {kept} was kept",
            report.spies,
            report.negatives.len()
        );
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(vec![Note::info(&codes::LEARNED, note)]))
    }
}

/// Naive Bayes of the positives against the reliable negatives, prior by their numbers.
fn against_reliable_negatives(
    x: &Csr,
    train: &PuData,
    negatives: &[usize],
    event: Event,
    words: &WordPrior,
) -> WordModel {
    let positive = WordCounts::of(x, &train.positives(), event);
    let negative = WordCounts::of(x, negatives, event);
    let prior = positive.rows / (positive.rows + negative.rows);
    WordModel::of_counts(&positive, &negative, words, prior, event)
}

/// When spies find no reliable negative, nothing in the pile is called negative. The ranking stays that of
/// the model that looked for them.
pub(super) fn nothing_negative(
    mut model: WordModel,
    x: &Csr,
    train: &PuData,
    run: &Run,
) -> Result<Fitted<WordModel>> {
    let all: Vec<usize> = (0..x.rows()).collect();
    let lowest = model.margins(x, &all).into_iter().fold(f64::INFINITY, f64::min);
    let rounding = 1e-9 * (1.0 + lowest.abs());
    model.bias += (rounding - lowest).max(0.0);
    let scores = model.score(&train.x, run)?;
    let note =
        "nothing negative found: no row of the pile ranks below the spies, so every row is called positive";
    Ok(Fitted::new(model, scores).with_notes(vec![Note::warning(&codes::POORLY_LEARNED, note)]))
}

impl SpyEm {
    /// EM from the first model; returns the one to keep and the number of its iteration.
    fn iterate(
        &self,
        x: &Csr,
        train: &PuData,
        first: WordModel,
        words: &WordPrior,
        run: &Run,
    ) -> Result<(WordModel, usize)> {
        let (positives, unlabeled) = (train.positives(), train.unlabeled());
        let positive = WordCounts::of(x, &positives, self.event);
        let em = Em {
            x,
            unlabeled: &unlabeled,
            positive: &positive,
            event: self.event,
            words,
            negative: None,
            teachers: Teachers::LabelledAndPile,
            prior_of: PriorOf::LabelledAndPile,
        };
        let mut model = first;
        let mut posteriors = em.expect(&model);
        let mut rates = Rates::of(&model, x, &positives, &posteriors);
        for iteration in 1..=self.iterations {
            run.step("expectation-maximisation", iteration as u64, self.iterations as u64)?;
            let next = em.learn(&posteriors);
            let next_posteriors = em.expect(&next);
            let next_rates = Rates::of(&next, x, &positives, &next_posteriors);
            if self.keep == Keep::Best && next_rates.change_of_error(&rates) > 0.0 {
                return Ok((model, iteration - 1));
            }
            let moved = (next_rates.share - rates.share).abs();
            (model, posteriors, rates) = (next, next_posteriors, next_rates);
            if moved < TOLERANCE {
                return Ok((model, iteration));
            }
        }
        Ok((model, self.iterations))
    }
}

/// What the estimate of error needs of one classifier.
struct Rates {
    /// Pr_U[f = 1]
    accepted: f64,
    /// Pr_P[f = 0]
    rejected_positives: f64,
    /// Pr[Y = 1] in the pile, by the classifier's own account
    share: f64,
}

impl Rates {
    fn of(model: &WordModel, x: &Csr, positives: &[usize], posteriors: &[f64]) -> Self {
        let m = posteriors.len() as f64;
        let rejected = positives.iter().filter(|&&i| model.margin(x, i) <= 0.0).count();
        Rates {
            accepted: posteriors.iter().filter(|z| **z > 0.5).count() as f64 / m,
            rejected_positives: rejected as f64 / positives.len() as f64,
            share: posteriors.iter().sum::<f64>() / m,
        }
    }

    fn change_of_error(&self, before: &Rates) -> f64 {
        self.accepted - before.accepted
            + 2.0 * (self.rejected_positives - before.rejected_positives) * self.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use std::sync::Arc;

    fn data(words: Vec<u32>, positives: usize) -> PuData {
        let n = words.len();
        let x = Csr::new(3, (0..=n).collect(), words, vec![1.0; n]).unwrap();
        PuData::new(Data::Sparse(Arc::new(x)), (0..n).map(|i| i < positives).collect()).unwrap()
    }

    #[test]
    fn the_change_of_error_by_hand() {
        // Accepting 10 % more and rejecting 5 % more positives at a prior of 0.4: 0.1 + 2·0.05·0.4.
        let rates = |accepted, rejected_positives| Rates { accepted, rejected_positives, share: 0.4 };
        assert!((rates(0.5, 0.1).change_of_error(&rates(0.4, 0.05)) - 0.14).abs() < 1e-12);
    }

    #[test]
    fn positives_in_the_pile_are_found() {
        // 20 positives and 10 pile rows with word 0, 30 pile rows with word 1.
        let words = (0..60).map(|i| u32::from(i >= 30)).collect();
        let fitted = SpyEm::default().fit(&data(words, 20), &Run::new(0)).unwrap();
        assert!(fitted.scores[..30].iter().all(|s| *s > 0.5) && fitted.scores[30..].iter().all(|s| *s < 0.5));
    }

    #[test]
    fn finding_no_negative_is_an_answer() {
        let fitted = SpyEm::default().fit(&data(vec![0; 40], 20), &Run::new(0)).unwrap();
        assert!(fitted.scores.iter().all(|s| *s >= 0.5));
        assert!(fitted.notes[0].to_string().starts_with("nothing negative found"));
    }
}
