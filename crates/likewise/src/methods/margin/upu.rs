//! uPU: the unbiased PU risk, minimised (du Plessis, Niu & Sugiyama 2015).
//!
//! The risk over positives and negatives is rewritten so that it needs only positives, pile and the share π
//! of positives in the pile; with the logistic loss it is convex, and a linear model has one best answer.
//! Use it with a prior you trust and many more rows than features; where the model can fit everything, the
//! estimated risk of the negatives falls below zero, and `nnpu` is safer.
//!
//! ```text
//! R(f) = π E_P[ℓ(f) - ℓ(-f)] + E_U[ℓ(-f)] = -π E_P[f] + E_U[ln(1 + e^f)]        (Equation 4)
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::note::Note;
use crate::parts::balanced_fit::negative_side;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::Logistic;
use crate::parts::pu_risk::{labels, negative_risk};
use crate::run::Run;

/// Linear model of least unbiased PU risk; for a trusted prior and many rows.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Upu {
    /// Share of positives in the pile; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// How closely to fit the examples (C); smaller is smoother
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
}

impl Default for Upu {
    fn default() -> Self {
        Upu { prior: None, c: 1.0 }
    }
}

impl Method for Upu {
    const SPEC: Spec = Spec {
        name: "upu",
        family: "margin",
        title: "linear model of least unbiased PU risk; for a trusted prior and many rows",
        paper: "du Plessis, Niu & Sugiyama 2015, Convex formulation for learning from positive and unlabeled data",
        assumes: "The examples are a random draw of their class, and the share of positives in the pile is known or well estimated. A weighted sum of the columns tells the class, with too few columns to fit every row.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Risk;
    type Model = LinearModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearModel>> {
        let (prior, mut notes) = given_or_estimated(self.prior, train, run)?;
        let solver = Logistic { c: self.c, ..Logistic::default() };
        let side = negative_side(train, run)?;
        let model = solver.fit(&train.x, &labels(train, &side, prior, 1.0), None, run)?;
        if negative_risk(&model.margins(&train.x)?, train, &side, prior) < 0.0 {
            let text = "the estimated risk of the negatives is below zero: the model fits too closely; \
                        use `nnpu` or a smaller c";
            notes.push(Note::warning(&codes::POORLY_LEARNED, text));
        }
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(notes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};
    use std::sync::Arc;

    /// The bias is free, so at the best answer the mean probability over the pile is the prior.
    #[test]
    fn the_mean_probability_of_the_pile_is_the_prior() {
        let values =
            (0..200).map(|i| if i % 4 == 0 { 1.0 } else { -0.5 } + (i * 7 % 13) as f32 / 20.0).collect();
        let x = Data::Dense(Arc::new(Dense::new(200, 1, values).unwrap()));
        let train = PuData::new(x, (0..200).map(|i| i % 4 == 0 && i < 80).collect()).unwrap();
        for prior in [0.1, 0.17, 0.6] {
            let fitted = Upu { prior: Some(prior), c: 1.0 }.fit(&train, &Run::new(0)).unwrap();
            let margins = fitted.model.margins(&train.x).unwrap();
            let pile = train.unlabeled();
            let mean =
                pile.iter().map(|&i| crate::decide::logistic(margins[i])).sum::<f64>() / pile.len() as f64;
            assert!((mean - prior).abs() < 0.005, "{mean} for {prior}");
            assert!(fitted.model.weights[0] > 0.0);
        }
    }
}
