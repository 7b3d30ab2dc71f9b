//! Elkan & Noto (2008), Section 3: every pile row is both positive and negative, by its weight.
//!
//! From the probability g(x) of being labelled follows the probability that an unlabelled row is positive; a
//! second classifier is then learned from the positives with weight 1 and from each pile row twice, as
//! positive with that weight and as negative with the rest. Use it like `elkan-noto` when the ranking matters
//! too: the second look at the pile often improves it.
//!
//! ```text
//! w(x) = p(y = 1 | x, s = 0) = (1 - c)/c · g(x)/(1 - g(x))       (Equation 3)
//! ```
//!
//! The second classifier is balanced while it learns; Platt's sigmoid over its margins, with the same weights as
//! targets, puts the boundary back where they say one half.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Data, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Reason, Scores, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::model_file::{Reader, Writer};
use crate::parts::calibration::Platt;
use crate::parts::known_negatives::NegativeSide;
use crate::parts::labelled::{Labelled, label_frequency};
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::{Logistic, SoftLabel, even_weight};
use crate::run::Run;

/// Learns from each pile row as positive and as negative by its probability; calibrated scores.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElkanNotoWeighted {
    /// Share of positives in the pile; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// How closely both logistic regressions fit (C)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// Parts into which the rows are dealt for out-of-fold probabilities
    #[schemars(range(min = 2, max = 100))]
    pub folds: u32,
}

impl Default for ElkanNotoWeighted {
    fn default() -> Self {
        ElkanNotoWeighted { prior: None, c: 1.0, folds: 5 }
    }
}

impl Method for ElkanNotoWeighted {
    const SPEC: Spec = Spec {
        name: "elkan-noto-weighted",
        family: "margin",
        title: "learns from each pile row as positive and as negative by its probability; calibrated scores",
        paper: "Elkan & Noto 2008, Learning classifiers from only positive and unlabeled data",
        assumes: "The examples are a random draw of their class: every positive had the same chance of being marked. The chance of being marked that the first model gives must be well calibrated.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Beside;
    type Model = Sigmoid;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<Sigmoid>> {
        let (prior, notes) = given_or_estimated(self.prior, train, run)?;
        let (first, probabilities) = Labelled::fit(train, self.c, self.folds as usize, run)?;
        let weights = weights_as_positive(&probabilities, train, label_frequency(train, prior));
        let solver = Logistic { c: self.c, ..Logistic::default() };
        let model = solver.fit(&train.x, &balanced_by_weight(&weights, train), Some(&first.model), run)?;
        let margins = model.margins(&train.x)?;
        let platt = Platt::fit_targets(&margins, &weights);
        let scores = margins.iter().map(|m| platt.probability(*m)).collect();
        Ok(Fitted::new(Sigmoid { model, platt }, scores).with_notes(notes))
    }
}

/// Equation 3 for pile rows, at most 1; 1 for the labelled, 0 for those known not to be wanted.
fn weights_as_positive(probabilities: &[f64], train: &PuData, frequency: f64) -> Vec<f64> {
    let unlabelled_odds = (1.0 - frequency) / frequency;
    (probabilities.iter().zip(train.positive.iter().zip(&train.unwanted)))
        .map(|(&g, (&p, &unwanted))| match (p, unwanted) {
            (true, _) => 1.0,
            (_, true) => 0.0,
            _ => (unlabelled_odds * g / (1.0 - g)).clamp(0.0, 1.0),
        })
        .collect()
}

/// Soft labels whose two classes weigh the same in sum.
fn balanced_by_weight(weights: &[f64], train: &PuData) -> Vec<SoftLabel> {
    let n = weights.len() as f64;
    let positive: f64 = weights.iter().sum();
    let negative = (n - positive).max(1e-9);
    let weight = even_weight(positive, negative);
    let (a, b) = (weight / positive, weight / negative);
    let side = NegativeSide::of(train);
    let label = |(w, &unwanted): (&f64, &bool)| SoftLabel {
        positive: a * w,
        negative: b * (1.0 - w) * side.weight(unwanted),
    };
    weights.iter().zip(&train.unwanted).map(label).collect()
}

/// A linear model whose margins are turned into probabilities.
#[derive(Clone, Debug)]
pub struct Sigmoid {
    model: LinearModel,
    platt: Platt,
}

impl Model for Sigmoid {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        Ok(self.model.margins(x)?.into_iter().map(|m| self.platt.probability(m)).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.platt.save(out);
        self.model.save(out)
    }

    fn load(file: &Reader) -> Result<Self> {
        Ok(Sigmoid { model: LinearModel::load(file)?, platt: Platt::load(file)? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        self.model.explain(x, row, top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    #[test]
    fn weights_by_hand() {
        // c = 1/2, so the odds of being unlabelled are 1: g = 1/4 gives 1/3, g = 0.6 more than 1.
        let rows = |n: usize| {
            let x = Dense::new(n, 1, vec![0.0; n]).unwrap();
            PuData::new(x.into(), (0..n).map(|i| i == 0).collect()).unwrap()
        };
        let weights = weights_as_positive(&[0.9, 0.25, 0.6], &rows(3), 0.5);
        assert_eq!(weights[0], 1.0);
        assert!((weights[1] - 1.0 / 3.0).abs() < 1e-12 && weights[2] == 1.0);
        let labels = balanced_by_weight(&[1.0, 0.5, 0.0, 0.0], &rows(4));
        // 1.5 against 2.5: each side weighs 20 · 1.5 · 2.5 / 4.
        assert!((labels.iter().map(|l| l.positive).sum::<f64>() - 18.75).abs() < 1e-12);
        assert!((labels.iter().map(|l| l.negative).sum::<f64>() - 18.75).abs() < 1e-12);
    }

    #[test]
    fn the_hidden_positives_are_found_and_the_mean_score_is_the_prior() {
        // 60 rows at 1 of which 20 are labelled, 100 rows at -1.
        let values = (0..160).map(|i| if i < 60 { 1.0 } else { -1.0 }).collect();
        let x = Data::Dense(Arc::new(Dense::new(160, 1, values).unwrap()));
        let train = PuData::new(x, (0..160).map(|i| i < 20).collect()).unwrap();
        let method = ElkanNotoWeighted { prior: Some(40.0 / 140.0), ..ElkanNotoWeighted::default() };
        let scores = method.fit(&train, &Run::new(0)).unwrap().scores;
        for (i, score) in scores.iter().enumerate() {
            assert_eq!(*score >= 0.5, i < 60, "row {i}: {score}");
        }
        let mean = scores.iter().sum::<f64>() / 160.0;
        assert!((mean - 60.0 / 160.0).abs() < 0.03, "{mean}");
    }
}
