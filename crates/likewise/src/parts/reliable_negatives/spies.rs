//! Spies (Liu et al. 2002): some positives are sent into the pile, and what is ranked below nearly all of
//! them is reliably negative.
//!
//! A share of the positives is hidden in the pile, naive Bayes learns the other positives against it, and
//! the spies behave as the pile's own positives do. The threshold is set so that a small share of the
//! spies, the noise level, falls below it; the unlabeled rows below it are the reliable negatives.

use rand::seq::SliceRandom;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Csr, PuData};
use crate::error::Result;
use crate::parts::known_negatives::with_known;
use crate::parts::naive_bayes::{Em, Event, PriorOf, Smoothing, Teachers, WordCounts, WordModel};
use crate::run::Run;

/// How spies are sent and read.
#[derive(Clone, Copy, Debug)]
pub struct Spies {
    /// The share of the positives that become spies.
    pub share: f64,
    /// The share of the spies that may fall below the threshold.
    pub noise: f64,
    pub step: SpyStep,
    pub event: Event,
    pub smoothing: Smoothing,
    pub strength: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SpyStep {
    /// One pass of naive Bayes, positives against pile with spies
    NaiveBayes,
    /// Naive Bayes iterated to convergence (I-EM), as the paper has it
    IEm,
}

/// What the spies report.
#[derive(Clone, Debug)]
pub struct Report {
    /// Row numbers, ascending, those known not to be wanted among them; may be empty.
    pub negatives: Vec<usize>,
    pub spies: usize,
    /// The model that ranked spies and pile.
    pub model: WordModel,
}

impl Spies {
    pub fn send(&self, x: &Csr, train: &PuData, run: &Run) -> Result<Report> {
        let (spies, teachers) = self.choose(train.positives(), run);
        let mut pile = train.unlabeled();
        let own_rows = pile.len();
        pile.extend(&spies);
        let model = self.learn(x, &teachers, &pile, run)?;
        let margins = model.margins(x, &pile);
        let mut of_spies = margins[own_rows..].to_vec();
        of_spies.sort_by(f64::total_cmp);
        let below = ((self.noise * of_spies.len() as f64) as usize).min(of_spies.len() - 1);
        let threshold = of_spies[below];
        let negatives = (0..own_rows).filter(|&k| margins[k] < threshold).map(|k| pile[k]).collect();
        let negatives = with_known(negatives, train);
        Ok(Report { negatives, spies: spies.len(), model })
    }

    /// Spies and the positives left to teach. A single positive must do both.
    fn choose(&self, mut positives: Vec<usize>, run: &Run) -> (Vec<usize>, Vec<usize>) {
        let n = positives.len();
        if n == 1 {
            return (positives.clone(), positives);
        }
        positives.shuffle(&mut run.rng("spies", 0));
        let spies = ((self.share * n as f64).round() as usize).clamp(1, n - 1);
        let teachers = positives.split_off(spies);
        (positives, teachers)
    }

    fn learn(&self, x: &Csr, teachers: &[usize], pile: &[usize], run: &Run) -> Result<WordModel> {
        let positive = WordCounts::of(x, teachers, self.event);
        let all = WordCounts::of(x, pile, self.event);
        let words = self.smoothing.learn(self.strength, x, teachers, &all, self.event);
        let em = Em {
            x,
            unlabeled: pile,
            positive: &positive,
            event: self.event,
            words: &words,
            negative: None,
            teachers: Teachers::LabelledAndPile,
            prior_of: PriorOf::LabelledAndPile,
        };
        let all_negative = vec![0.0; pile.len()];
        Ok(match self.step {
            SpyStep::NaiveBayes => em.learn(&all_negative),
            SpyStep::IEm => em.converge(all_negative, 1e-5, 100, run)?.model,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use std::sync::Arc;

    /// Row i holds word 0 (positives and rows 20..30) or word 1.
    fn train() -> (Csr, PuData) {
        let words: Vec<u32> = (0..60).map(|i| u32::from(i >= 30)).collect();
        let x = Csr::new(2, (0..=60).collect(), words, vec![1.0; 60]).unwrap();
        let train =
            PuData::new(Data::Sparse(Arc::new(x.clone())), (0..60).map(|i| i < 20).collect()).unwrap();
        (x, train)
    }

    #[test]
    fn what_no_spy_looks_like_is_negative() {
        let (x, train) = train();
        for step in [SpyStep::NaiveBayes, SpyStep::IEm] {
            let spies = Spies {
                share: 0.15,
                noise: 0.15,
                step,
                event: Event::Bernoulli,
                smoothing: Smoothing::Laplace,
                strength: None,
            };
            let report = spies.send(&x, &train, &Run::new(1)).unwrap();
            assert_eq!(report.spies, 3);
            assert_eq!(report.negatives, (30..60).collect::<Vec<_>>(), "{step:?}");
        }
    }

    #[test]
    fn one_positive_spies_on_itself() {
        let (x, mut train) = train();
        train.positive = (0..60).map(|i| i == 0).collect();
        let spies = Spies {
            share: 0.15,
            noise: 0.15,
            step: SpyStep::NaiveBayes,
            event: Event::Bernoulli,
            smoothing: Smoothing::Laplace,
            strength: None,
        };
        assert_eq!(spies.send(&x, &train, &Run::new(1)).unwrap().negatives, (30..60).collect::<Vec<_>>());
    }
}
