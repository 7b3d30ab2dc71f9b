//! Two classes under either event model: log-odds that are linear in what a row holds.

use rayon::prelude::*;

use super::counts::{Event, WordCounts};
use super::smoothing::WordPrior;
use crate::data::{Csr, Data};
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::method::{Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::run::Run;

/// ln Pr(x|+) Pr(+) - ln Pr(x|-) Pr(-) = bias + sum of the weights of what the row holds.
///
/// For the Bernoulli model the bias holds what every word says by its absence, and the weight of a word
/// takes that back and puts in what its presence says.
#[derive(Clone, Debug, PartialEq)]
pub struct WordModel {
    pub event: Event,
    pub weights: Vec<f64>,
    pub bias: f64,
}

impl WordModel {
    /// The classes from their counts and what is believed of words; `prior` is Pr(+).
    pub fn of_counts(
        positive: &WordCounts,
        negative: &WordCounts,
        words: &WordPrior,
        prior: f64,
        event: Event,
    ) -> Self {
        let model = match event {
            Event::Multinomial => {
                let (positive, negative) = (words.probabilities(positive), words.probabilities(negative));
                WordModel { event, weights: log_ratios(&positive, &negative), bias: 0.0 }
            }
            Event::Bernoulli => {
                WordModel::of_chances(&words.chances(positive), &words.chances(negative), true)
            }
        };
        model.with_prior(prior)
    }

    /// The Bernoulli model of two classes; `absent` says whether the words a row lacks speak.
    pub fn of_chances(positive: &Chances, negative: &Chances, absent: bool) -> Self {
        let present = log_ratios(&positive.present, &negative.present);
        if !absent {
            return WordModel { event: Event::Bernoulli, weights: present, bias: 0.0 };
        }
        let absent = log_ratios(&positive.absent, &negative.absent);
        let weights = present.iter().zip(&absent).map(|(present, absent)| present - absent).collect();
        WordModel { event: Event::Bernoulli, weights, bias: absent.iter().sum() }
    }

    /// Adds ln Pr(+)/Pr(-) to the bias.
    pub fn with_prior(mut self, prior: f64) -> Self {
        self.bias += (prior / (1.0 - prior)).ln();
        self
    }

    pub fn margin(&self, x: &Csr, row: usize) -> f64 {
        self.event.entries(x.row(row)).map(|(j, v)| v * self.weights[j]).sum::<f64>() + self.bias
    }

    /// The log-odds of the given rows.
    pub fn margins(&self, x: &Csr, rows: &[usize]) -> Vec<f64> {
        rows.par_iter().with_min_len(256).map(|&i| self.margin(x, i)).collect()
    }

    fn rows_of<'a>(&self, x: &'a Data) -> Result<&'a Csr> {
        let x = x.sparse()?;
        if x.cols == self.weights.len() {
            return Ok(x);
        }
        Err(Error::data(format!("the model knows {} features, the rows have {}", self.weights.len(), x.cols)))
    }
}

/// ln p/n of every word.
pub(super) fn log_ratios(positive: &[f64], negative: &[f64]) -> Vec<f64> {
    positive.iter().zip(negative).map(|(p, n)| (p / n).ln()).collect()
}

/// How likely each word is present in, and absent from, a row of one class.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    pub present: Vec<f64>,
    pub absent: Vec<f64>,
}

impl Chances {
    /// Pr(w|c) = (s + n_w) / (2 s + n).
    pub fn smoothed(counts: &WordCounts, smoothing: f64) -> Self {
        let total = counts.rows + 2.0 * smoothing;
        let chance = |rows: f64| (rows.max(0.0) + smoothing) / total;
        Chances {
            present: counts.words.iter().map(|n| chance(*n)).collect(),
            absent: counts.words.iter().map(|n| chance(counts.rows - n)).collect(),
        }
    }
}

impl Model for WordModel {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        let x = self.rows_of(x)?;
        Ok((0..x.rows()).into_par_iter().with_min_len(256).map(|i| squash(self.margin(x, i))).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.value("event", &self.event);
        out.f64s("weights", &[self.weights.len()], &self.weights);
        out.f64s("bias", &[1], &[self.bias]);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let bias = *file.read_f64s("bias")?.first().ok_or_else(|| Error::model_file("`bias` is empty"))?;
        Ok(WordModel { event: file.value("event")?, weights: file.read_f64s("weights")?, bias })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let row = self.rows_of(x)?.row(row);
        Ok(Reason::strongest(self.event.entries(row).map(|(j, v)| (j, v * self.weights[j])), top))
    }

    fn portrait(&self, top: usize) -> Vec<Reason> {
        Reason::strongest(self.weights.iter().copied().enumerate(), top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bernoulli_by_hand() {
        // One positive row with word 0 of two words, one negative row with word 1, Laplace:
        // Pr(0|+) = Pr(1|-) = 2/3, Pr(1|+) = Pr(0|-) = 1/3.
        let class = |words: [f64; 2]| WordCounts { rows: 1.0, words: words.to_vec() };
        let model = WordModel::of_counts(
            &class([1.0, 0.0]),
            &class([0.0, 1.0]),
            &WordPrior::Even(1.0),
            0.5,
            Event::Bernoulli,
        );
        let x = Csr::new(2, vec![0, 1, 1, 3], vec![0, 0, 1], vec![5.0, 1.0, 1.0]).unwrap();
        // {0}: (2/3 / 1/3)(2/3 / 1/3) = 4; nothing and both: 1.
        let expected = [4f64.ln(), 0.0, 0.0];
        for (row, expected) in expected.iter().enumerate() {
            assert!((model.margin(&x, row) - expected).abs() < 1e-12, "row {row}");
        }
    }

    #[test]
    fn multinomial_by_hand() {
        let class = |words: [f64; 2]| WordCounts { rows: 1.0, words: words.to_vec() };
        let model = WordModel::of_counts(
            &class([2.0, 0.0]),
            &class([0.0, 1.0]),
            &WordPrior::Even(1.0),
            0.75,
            Event::Multinomial,
        );
        let x = Csr::new(2, vec![0, 1], vec![0], vec![2.0]).unwrap();
        // Pr(0|+) = 3/4, Pr(0|-) = 1/3, twice, and prior odds of 3.
        assert!((model.margin(&x, 0) - (2.0 * (9.0f64 / 4.0).ln() + 3f64.ln())).abs() < 1e-12);
    }
}
