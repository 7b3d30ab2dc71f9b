//! Elkan & Noto (2008): divide the probability of being labelled by the label frequency.
//!
//! If the labelled are a random sample of the positives, the probability g(x) that a row is labelled is
//! c times the probability that it is positive, where c is the share of positives that got a label (Lemma 1).
//! Use it when the score should be a probability; its ranking is that of `logistic`.
//!
//! ```text
//! p(y = 1 | x) = g(x) / c                                   (Lemma 1)
//! c = n_P / (n_P + π n_U),  or  e₁ = mean of g over held-out positives   (Section 2)
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Data, Kind, PuData};
use crate::decide::soft_ceiling;
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Reading, Reason, Scores, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::model_file::{Reader, Writer};
use crate::parts::calibration::Platt;
use crate::parts::labelled::{Labelled, label_frequency};
use crate::parts::linear::LinearModel;
use crate::run::Run;

/// Probabilities of being labelled divided by the label frequency; for scores that mean probabilities.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElkanNoto {
    /// Where the label frequency comes from
    pub frequency: Frequency,
    /// Share of positives in the pile; none means estimated (used with frequency = prior)
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// How closely the logistic regression fits the labels (C)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// Parts into which the rows are dealt for out-of-fold probabilities
    #[schemars(range(min = 2, max = 100))]
    pub folds: u32,
}

/// How the labelling frequency is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Frequency {
    /// From the share of positives in the pile
    Prior,
    /// The mean probability of held-out positives (e1 in the paper); too low where classes overlap
    HeldOut,
}

impl Default for ElkanNoto {
    fn default() -> Self {
        ElkanNoto { frequency: Frequency::Prior, prior: None, c: 1.0, folds: 5 }
    }
}

impl Method for ElkanNoto {
    const SPEC: Spec = Spec {
        name: "elkan-noto",
        family: "margin",
        title: "probabilities of being labelled divided by the label frequency; for scores that mean probabilities",
        paper: "Elkan & Noto 2008, Learning classifiers from only positive and unlabeled data",
        assumes: "The examples are a random draw of their class: every positive had the same chance of being marked. The chance of being marked that the model gives must be well calibrated, and the share of positives, where given, true.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Beside;
    const HIDDEN_CUT: bool = true;
    type Model = Divided;

    fn readings() -> Vec<Reading<Self>> {
        let printed = ElkanNoto { frequency: Frequency::HeldOut, ..ElkanNoto::default() };
        vec![
            Reading {
                name: "prior",
                help: "the label frequency from the estimated share of positives",
                parameters: ElkanNoto::default(),
            },
            Reading {
                name: "printed",
                help: "the label frequency from held-out positives (e1)",
                parameters: printed,
            },
        ]
    }

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<Divided>> {
        let (labelled, probabilities) = Labelled::fit(train, self.c, self.folds as usize, run)?;
        let (frequency, notes) = match self.frequency {
            Frequency::Prior => {
                let (prior, notes) = given_or_estimated(self.prior, train, run)?;
                (label_frequency(train, prior), notes)
            }
            Frequency::HeldOut => (held_out_frequency(&probabilities, &train.positive), Vec::new()),
        };
        let model = Divided { labelled, frequency };
        let scores = probabilities.iter().map(|g| soft_ceiling(g / frequency)).collect();
        Ok(Fitted::new(model, scores).with_notes(notes))
    }
}

/// e₁: the mean out-of-fold probability of the labelled positives.
fn held_out_frequency(probabilities: &[f64], positive: &[bool]) -> f64 {
    let of_positives = probabilities.iter().zip(positive).filter(|(_, p)| **p).map(|(g, _)| g);
    of_positives.clone().sum::<f64>() / of_positives.count().max(1) as f64
}

/// g(x) / c.
#[derive(Clone, Debug)]
pub struct Divided {
    labelled: Labelled,
    frequency: f64,
}

impl Model for Divided {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        let probability = |m| soft_ceiling(self.labelled.platt.probability(m) / self.frequency);
        Ok(self.labelled.model.margins(x)?.into_iter().map(probability).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.labelled.platt.save(out);
        out.number("frequency", self.frequency);
        self.labelled.model.save(out)
    }

    fn load(file: &Reader) -> Result<Self> {
        let labelled = Labelled { model: LinearModel::load(file)?, platt: Platt::load(file)? };
        Ok(Divided { labelled, frequency: file.number("frequency")? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        self.labelled.model.explain(x, row, top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    /// 60 rows at 1 of which 20 are labelled, 100 rows at -1: c = 1/3, π = 40/140.
    fn train() -> PuData {
        let values = (0..160).map(|i| if i < 60 { 1.0 } else { -1.0 }).collect();
        let x = Data::Dense(Arc::new(Dense::new(160, 1, values).unwrap()));
        PuData::new(x, (0..160).map(|i| i < 20).collect()).unwrap()
    }

    #[test]
    fn probabilities_come_out_near_zero_and_one() {
        let given = ElkanNoto { prior: Some(40.0 / 140.0), ..ElkanNoto::default() };
        let printed = ElkanNoto { frequency: Frequency::HeldOut, ..ElkanNoto::default() };
        for method in [given, printed] {
            let fitted = method.fit(&train(), &Run::new(0)).unwrap();
            assert!((fitted.model.frequency - 1.0 / 3.0).abs() < 0.02, "{}", fitted.model.frequency);
            assert!(fitted.scores[..60].iter().all(|s| *s > 0.9), "{:?}", &fitted.scores[..3]);
            assert!(fitted.scores[60..].iter().all(|s| *s < 0.1), "{:?}", &fitted.scores[100..103]);
        }
    }
}
