//! Spy-NB: spies find reliable negatives, and naive Bayes of the positives against those is the answer.
//!
//! The first step of S-EM (Liu et al. 2002) with the plainest second step, and on short messages a better
//! one than EM: nothing can drift. The prior is the share of the pile that the spies did not rule out. Use
//! it when the pile holds many negatives.
//!
//! ```text
//! N = {x ∈ U : g(x) < t},  t with at most share l of the spies below it,  p = 1 - (|N|)/m
//! s(x) = ln p/(1-p) + Σ present ln Pr(w|+)/Pr(w|N) + Σ absent ln (1-Pr(w|+))/(1-Pr(w|N))
//! ```
//!
//! for a pile U of m rows, g the naive Bayes that the spies were hidden from, and l the noise level. Positive where s > 0.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::spy_em::nothing_negative;
use crate::codes;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::naive_bayes::{Event, Smoothing, WordCounts, WordModel, counts};
use crate::parts::reliable_negatives::spies::{Spies, SpyStep};
use crate::run::Run;

/// Spies find reliable negatives, then naive Bayes against them; robust on short messages.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpyNb {
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
    /// Share of positives in the pile; left out: the share that is not reliably negative
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// What stands in for words that were not counted
    pub smoothing: Smoothing,
    /// Laplace: added to every count, 1 if left out; background: weight of the pile's word frequencies (μ),
    /// chosen by leaving positives out if left out
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub strength: Option<f64>,
}

impl Default for SpyNb {
    fn default() -> Self {
        SpyNb {
            spies: 0.15,
            noise: 0.15,
            spy_step: SpyStep::NaiveBayes,
            event: Event::Bernoulli,
            prior: None,
            smoothing: Smoothing::Background,
            strength: None,
        }
    }
}

impl Method for SpyNb {
    const SPEC: Spec = Spec {
        name: "spy-nb",
        family: "bayes",
        title: "spies find reliable negatives, then naive Bayes against them; robust on short messages",
        paper: "Liu, Lee, Yu & Li 2002, Partially supervised classification of text documents (first step)",
        assumes: "The examples are a random draw of their class, so that those hidden as spies are ranked as the pile's own positives are; what lies below nearly all of them is negative. Given the class, words occur independently of each other.",
        inputs: &[Kind::Sparse],
        weights: Weights::Count,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Reliable;
    const HIDDEN_CUT: bool = true;
    type Model = WordModel;

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
        let positives = train.positives();
        let positive = WordCounts::of(x, &positives, self.event);
        let all = WordCounts::of(x, &train.unlabeled(), self.event);
        let words = self.smoothing.learn(self.strength, x, &positives, &all, self.event);
        let negative = WordCounts::of(x, &report.negatives, self.event);
        let pile = train.unlabeled().len() as f64;
        let half_a_row = 0.5 / pile;
        let found = negative.rows - train.known_negatives().len() as f64;
        let prior = self.prior.unwrap_or((1.0 - found / pile).clamp(half_a_row, 1.0 - half_a_row));
        let model = WordModel::of_counts(&positive, &negative, &words, prior, self.event);
        let note = format!(
            "{} spies found {} reliable negatives; taken as {:.1} % of the pile positive",
            report.spies,
            report.negatives.len(),
            100.0 * prior
        );
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(vec![Note::info(&codes::LEARNED, note)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Data};
    use std::sync::Arc;

    #[test]
    fn one_word_by_hand() {
        // 4 positives and 2 pile rows with word 0, 6 pile rows with word 1: the six are negative, prior 2/8.
        let words: Vec<u32> = (0..12).map(|i| u32::from(i >= 6)).collect();
        let x = Csr::new(2, (0..=12).collect(), words, vec![1.0; 12]).unwrap();
        let train = PuData::new(Data::Sparse(Arc::new(x)), (0..12).map(|i| i < 4).collect()).unwrap();
        let model = SpyNb { smoothing: Smoothing::Laplace, ..SpyNb::default() };
        let model = model.fit(&train, &Run::new(0)).unwrap().model;
        // Pr(0|+) = 5/6, Pr(0|-) = 1/8, and the same for the absence of word 1.
        let expected = 2.0 * (5.0f64 / 6.0 * 8.0).ln() + (0.25f64 / 0.75).ln();
        let found = model.margin(train.x.sparse().unwrap(), 0);
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }
}
