//! aPNB: positive naive Bayes averaged over what the prior may be (Calvo, Larrañaga & Lozano 2007).
//!
//! Instead of one share p of positives in the pile, a Beta distribution over it: the probability of a row
//! is the mean of its probabilities at every p, weighted by the Beta density. Use it when nothing is known
//! of p and the estimate is not to be trusted; it accepts more than `pnb` with a good p does.
//!
//! ```text
//! Pr(1|x) = ∫ Pr(1|x, p) Beta(p; a, b) dp        by the midpoint rule
//! ```

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Csr, Data, Kind, PuData};
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::method::{
    ColumnCounts, CountMethod, Counted, Fitted, Method, Model, Reason, Scores, Spec, Weights,
};
use crate::model_file::{Reader, Writer};
use crate::parts::naive_bayes::{Correction, Event, PositiveBayes, PriorGrid, Smoothing, WordCounts, counts};
use crate::run::Run;

/// Positive naive Bayes averaged over a Beta distribution of the prior; when nothing is known of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Apnb {
    /// First parameter of the Beta distribution; a/(a+b) is its mean
    #[schemars(range(min = 0.01, max = 1e6))]
    pub a: f64,
    /// Second parameter of the Beta distribution; 1 and 1 is "anything"
    #[schemars(range(min = 0.01, max = 1e6))]
    pub b: f64,
    /// How many values of p stand for the distribution
    #[schemars(range(min = 1, max = 1000))]
    pub points: usize,
    /// What a row is thought to be made of
    pub event: Event,
    /// Whether the words that a row lacks speak (Bernoulli only)
    pub absent: bool,
    /// What is done where the positives explain more of a word than the pile holds
    pub correction: Correction,
    /// What stands in for words that were not counted
    pub smoothing: Smoothing,
    /// Laplace: added to every count, 1 if left out; background: weight of the pile's word frequencies (μ),
    /// chosen by leaving positives out if left out
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub strength: Option<f64>,
}

impl Default for Apnb {
    fn default() -> Self {
        Apnb {
            a: 1.0,
            b: 1.0,
            points: 50,
            event: Event::Bernoulli,
            absent: true,
            correction: Correction::Calvon,
            smoothing: Smoothing::Background,
            strength: None,
        }
    }
}

impl Method for Apnb {
    const SPEC: Spec = Spec {
        name: "apnb",
        family: "bayes",
        title: "positive naive Bayes averaged over a Beta distribution of the prior; when nothing is known of it",
        paper: "Calvo, Larrañaga & Lozano 2007, Learning Bayesian classifiers from positive and unlabeled examples",
        assumes: "The examples are a random draw of their class, and the share of positives in the pile is a draw from the Beta distribution given, by default any share alike. Given the class, words occur independently of each other.",
        inputs: &[Kind::Sparse],
        weights: Weights::Binary,
        keeps: None,
    };
    const HIDDEN_CUT: bool = true;
    const COUNTED: Option<Counted<Self>> = Some(Counted::NEW);
    type Model = ApnbModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<ApnbModel>> {
        self.fit_by_counting(train, run)
    }
}

impl CountMethod for Apnb {
    type Counts = WordCounts;

    fn count(&self, train: &PuData) -> Result<WordCounts> {
        Ok(WordCounts::of(counts(&train.x)?, &train.unlabeled(), self.event))
    }

    fn of_columns(&self, pile: &ColumnCounts) -> Result<WordCounts> {
        WordCounts::of_columns(pile, self.event)
    }

    fn finish(&self, marked: &PuData, pile: &WordCounts, _: &Run) -> Result<ApnbModel> {
        let (x, positives) = (marked.x.sparse()?, marked.positives());
        let bayes = PositiveBayes {
            event: self.event,
            positive: WordCounts::of(x, &positives, self.event),
            words: self.smoothing.learn(self.strength, x, &positives, pile, self.event),
            pile: pile.clone(),
            absent: self.absent,
        };
        let priors: Vec<f64> = (0..self.points).map(|k| (k as f64 + 0.5) / self.points as f64).collect();
        // The density without its constant: only the proportions count.
        let densities: Vec<f64> =
            (priors.iter()).map(|p| (self.a - 1.0) * p.ln() + (self.b - 1.0) * (1.0 - p).ln()).collect();
        Ok(ApnbModel { grid: PriorGrid::new(&bayes, priors, self.correction), densities })
    }
}

/// The two models and what joins them.
#[derive(Clone, Debug)]
pub struct ApnbModel {
    grid: PriorGrid,
    /// ln of the Beta density at each prior, up to a constant.
    densities: Vec<f64>,
}

impl ApnbModel {
    /// The log-odds of the mean probability, exact where the probability itself would round to 0 or 1.
    fn margin(&self, x: &Csr, row: usize) -> f64 {
        let margins = self.grid.margins(x, row);
        let mean = |sign: f64| {
            let terms = margins.iter().zip(&self.densities).map(|(s, d)| d - softplus(-sign * s));
            log_sum_exp(terms.collect())
        };
        mean(1.0) - mean(-1.0)
    }

    fn rows_of<'a>(&self, x: &'a Data) -> Result<&'a Csr> {
        let x = x.sparse()?;
        if x.cols == self.grid.words() {
            return Ok(x);
        }
        Err(Error::data(format!("the model knows {} features, the rows have {}", self.grid.words(), x.cols)))
    }
}

/// ln(1 + e^x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

fn log_sum_exp(terms: Vec<f64>) -> f64 {
    let largest = terms.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
    largest + terms.iter().map(|t| (t - largest).exp()).sum::<f64>().ln()
}

impl Model for ApnbModel {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        let x = self.rows_of(x)?;
        Ok((0..x.rows()).into_par_iter().with_min_len(64).map(|i| squash(self.margin(x, i))).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        let (g, words) = (self.grid.priors.len(), self.grid.words());
        out.value("event", &self.grid.event);
        out.f64s("priors", &[g], &self.grid.priors);
        out.f64s("weights", &[words, g], &self.grid.weights);
        out.f64s("biases", &[g], &self.grid.biases);
        out.f64s("densities", &[g], &self.densities);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let grid = PriorGrid {
            event: file.value("event")?,
            priors: file.read_f64s("priors")?,
            weights: file.read_f64s("weights")?,
            biases: file.read_f64s("biases")?,
        };
        let densities = file.read_f64s("densities")?;
        let g = grid.priors.len();
        if g == 0 || !grid.weights.len().is_multiple_of(g) || grid.biases.len() != g || densities.len() != g {
            return Err(Error::model_file("the weights do not fit the priors"));
        }
        Ok(ApnbModel { grid, densities })
    }

    /// What each word does to the mean log-odds over the priors.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let row = self.rows_of(x)?.row(row);
        let g = self.grid.priors.len();
        let largest = self.densities.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let shares: Vec<f64> = self.densities.iter().map(|d| (d - largest).exp()).collect();
        let whole: f64 = shares.iter().sum();
        let push = |j: usize| {
            let weights = &self.grid.weights[j * g..][..g];
            weights.iter().zip(&shares).map(|(w, share)| w * share / whole).sum::<f64>()
        };
        Ok(Reason::strongest(self.grid.event.entries(row).map(|(j, v)| (j, v * push(j))), top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::logistic;
    use std::sync::Arc;

    fn train() -> PuData {
        let words: Vec<u32> = (0..40).map(|i| u32::from(i >= 20)).collect();
        let x = Csr::new(2, (0..=40).collect(), words, vec![1.0; 40]).unwrap();
        PuData::new(Data::Sparse(Arc::new(x)), (0..40).map(|i| i < 10).collect()).unwrap()
    }

    #[test]
    fn the_mean_of_two_probabilities_by_hand() {
        let fitted = Apnb { points: 2, ..Apnb::default() }.fit(&train(), &Run::new(0)).unwrap();
        let x = train();
        let x = x.x.sparse().unwrap();
        let at = fitted.model.grid.margins(x, 0);
        assert_eq!(fitted.model.grid.priors, [0.25, 0.75]);
        let mean = 0.5 * (logistic(at[0]) + logistic(at[1]));
        assert!((logistic(fitted.model.margin(x, 0)) - mean).abs() < 1e-12);
        assert!((fitted.scores[0] > 0.5) == (mean > 0.5));
    }

    #[test]
    fn a_sharp_distribution_is_a_single_prior() {
        let fitted =
            Apnb { a: 3e5, b: 7e5, points: 1000, ..Apnb::default() }.fit(&train(), &Run::new(0)).unwrap();
        let x = train();
        let x = x.x.sparse().unwrap();
        let at = fitted.model.grid.margins(x, 0);
        let near = at[300];
        assert!((fitted.model.margin(x, 0) - near).abs() < 0.05, "{near}");
    }
}
