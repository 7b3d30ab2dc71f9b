//! Expectation-maximisation over the pile: naive Bayes says how positive each unlabeled row is, and learns
//! from the rows so divided, until nothing changes.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counts::{Event, WordCounts};
use super::smoothing::WordPrior;
use super::word_model::WordModel;
use crate::data::Csr;
use crate::decide::logistic;
use crate::error::Result;
use crate::run::Run;

/// What stays the same from one iteration to the next.
#[derive(Clone, Debug)]
pub struct Em<'a> {
    pub x: &'a Csr,
    pub unlabeled: &'a [usize],
    /// The labelled rows; they are positive throughout.
    pub positive: &'a WordCounts,
    /// Rows known not to be wanted, counted as negative throughout.
    pub negative: Option<&'a WordCounts>,
    pub event: Event,
    pub words: &'a WordPrior,
    pub teachers: Teachers,
    pub prior_of: PriorOf,
}

/// From which rows the positive class learns its words.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Teachers {
    /// From the labelled positives and what the pile is believed to hold of the class
    LabelledAndPile,
    /// From the labelled positives alone: the class cannot drift
    Labelled,
}

/// Of which rows Pr(+) is the share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PriorOf {
    Pile,
    LabelledAndPile,
}

/// Where the iterations ended.
#[derive(Clone, Debug)]
pub struct Converged {
    pub model: WordModel,
    /// Pr(+|row) of each unlabeled row.
    pub posteriors: Vec<f64>,
    pub iterations: usize,
}

impl Em<'_> {
    /// Maximisation: the model of a pile whose row `k` is positive with probability `posteriors[k]`.
    pub fn learn(&self, posteriors: &[f64]) -> WordModel {
        let (x, rows, event) = (self.x, self.unlabeled, self.event);
        let pile_positive = WordCounts::weighted(x, rows, |k| posteriors[k], event);
        let mut negative = WordCounts::weighted(x, rows, |k| 1.0 - posteriors[k], event);
        if let Some(known) = self.negative {
            negative = negative.plus(known);
        }
        let prior = match self.prior_of {
            PriorOf::Pile => pile_positive.rows / rows.len() as f64,
            PriorOf::LabelledAndPile => {
                (self.positive.rows + pile_positive.rows) / (self.positive.rows + rows.len() as f64)
            }
        };
        let prior = prior.clamp(LEAST_PRIOR, 1.0 - LEAST_PRIOR);
        let positive = match self.teachers {
            Teachers::Labelled => self.positive.clone(),
            Teachers::LabelledAndPile => pile_positive.plus(self.positive),
        };
        WordModel::of_counts(&positive, &negative, self.words, prior, event)
    }

    /// Expectation: Pr(+|row) of each unlabeled row.
    pub fn expect(&self, model: &WordModel) -> Vec<f64> {
        self.unlabeled.par_iter().with_min_len(256).map(|&i| logistic(model.margin(self.x, i))).collect()
    }

    /// Iterates until the share of positives in the pile moves by less than `tolerance`.
    pub fn converge(&self, start: Vec<f64>, tolerance: f64, most: usize, run: &Run) -> Result<Converged> {
        let mut posteriors = start;
        let mut iterations = 0;
        loop {
            run.step("expectation-maximisation", iterations as u64, most as u64)?;
            let model = self.learn(&posteriors);
            let next = self.expect(&model);
            iterations += 1;
            let moved = (mean(&next) - mean(&posteriors)).abs();
            posteriors = next;
            if moved < tolerance || iterations >= most {
                return Ok(Converged { model, posteriors, iterations });
            }
        }
    }
}

/// A class that is believed empty may still come back.
const LEAST_PRIOR: f64 = 1e-9;

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pile_falls_into_its_two_halves() {
        // Words 0 to 2 belong to the positives, 3 to 5 to the others.
        let rows: Vec<Vec<u32>> =
            (0..12).map(|i| if i % 2 == 0 { vec![0, 1, 2] } else { vec![3, 4, 5] }).collect();
        let x = Csr::new(6, (0..=12).map(|i| 3 * i).collect(), rows.concat(), vec![1.0; 36]).unwrap();
        let unlabeled: Vec<usize> = (1..12).collect();
        for event in [Event::Bernoulli, Event::Multinomial] {
            let positive = WordCounts::of(&x, &[0], event);
            let em = Em {
                x: &x,
                unlabeled: &unlabeled,
                positive: &positive,
                event,
                words: &WordPrior::Even(0.1),
                negative: None,
                teachers: Teachers::Labelled,
                prior_of: PriorOf::Pile,
            };
            let end = em.converge(vec![0.5; 11], 1e-9, 500, &Run::new(0)).unwrap();
            let found: Vec<bool> = end.posteriors.iter().map(|z| *z > 0.5).collect();
            let expected: Vec<bool> = unlabeled.iter().map(|i| i % 2 == 0).collect();
            assert_eq!(found, expected, "{event:?}");
        }
    }
}
