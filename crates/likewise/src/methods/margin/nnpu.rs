//! nnPU: the non-negative PU risk, minimised exactly (Kiryo, Niu, du Plessis & Sugiyama 2017).
//!
//! The unbiased PU risk contains an estimate of the risk on negatives that a flexible model can push below
//! zero, which no true risk can be; nnPU counts it only as far as it is positive. Use it with a prior you
//! trust; it is the safe form of `upu`, and the same where that does not overfit.
//!
//! ```text
//! R(f) = π E_P[ℓ(f)] + max(0, N(f)),   N(f) = E_U[ℓ(-f)] - π E_P[ℓ(-f)]        (Equation 6)
//! ```
//!
//! Kiryo et al. train deep networks by stochastic steps. For a linear f and the logistic loss no descent by
//! guess is needed: max(0, N) is the largest μN over 0 ≤ μ ≤ 1, and `π E_P[ℓ] + μN` is convex for each μ, so
//! the minimiser is that of one μ: 1 if N ≥ 0 there (plain uPU), else the μ at which N vanishes, found by
//! the rule of false position and bisection in turn, with warm starts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::parts::balanced_fit::negative_side;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::Logistic;
use crate::parts::pu_risk::{labels, negative_risk};
use crate::run::Run;

/// Linear model of least non-negative PU risk; the safe choice where the prior is known.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nnpu {
    /// Share of positives in the pile; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// How closely to fit the examples (C); smaller is smoother
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
}

impl Default for Nnpu {
    fn default() -> Self {
        Nnpu { prior: None, c: 1.0 }
    }
}

/// Looks for the μ at which N vanishes, and how near to 0 it is then.
const MOST_STEPS: u64 = 60;
const CLOSE: f64 = 1e-6;

impl Method for Nnpu {
    const SPEC: Spec = Spec {
        name: "nnpu",
        family: "margin",
        title: "linear model of least non-negative PU risk; the safe choice where the prior is known",
        paper: "Kiryo, Niu, du Plessis & Sugiyama 2017, Positive-unlabeled learning with non-negative risk estimator",
        assumes: "The examples are a random draw of their class, and the share of positives in the pile is known or well estimated. A weighted sum of the columns tells the class.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Risk;
    type Model = LinearModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearModel>> {
        let (prior, notes) = given_or_estimated(self.prior, train, run)?;
        let model = self.minimise(train, prior, run)?;
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(notes))
    }
}

impl Nnpu {
    fn minimise(&self, train: &PuData, prior: f64, run: &Run) -> Result<LinearModel> {
        let (solver, side) = (Logistic { c: self.c, tolerance: 1e-8 }, negative_side(train, run)?);
        let at = |mu: f64, start: Option<&LinearModel>| -> Result<(LinearModel, f64)> {
            let model = solver.fit(&train.x, &labels(train, &side, prior, mu), start, run)?;
            let risk = negative_risk(&model.margins(&train.x)?, train, &side, prior);
            Ok((model, risk))
        };
        let (mut model, risk) = at(1.0, None)?;
        if risk >= 0.0 {
            return Ok(model);
        }
        // N falls as μ rises: the more weight it has, the smaller it is made.
        let (mut low, mut high) = ((0.0, None), (1.0, risk));
        for step in 0..MOST_STEPS {
            run.step("non-negative risk", step, MOST_STEPS)?;
            // A straight line through both ends and the middle take turns: the line alone can crawl.
            let mu = match low.1 {
                Some(above) if step % 2 == 0 => low.0 + (high.0 - low.0) * above / (above - high.1),
                _ => 0.5 * (low.0 + high.0),
            };
            let (next, risk) = at(mu, Some(&model))?;
            model = next;
            if risk.abs() < CLOSE {
                break;
            }
            if risk > 0.0 { low = (mu, Some(risk)) } else { high = (mu, risk) }
        }
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};
    use crate::methods::margin::upu::Upu;
    use crate::parts::known_negatives::NegativeSide;
    use rand::RngExt;
    use std::sync::Arc;

    /// More columns than rows: the unbiased risk can be made as small as one likes.
    fn flexible() -> PuData {
        let mut rng = Run::new(5).rng("rows", 0);
        let values = (0..60 * 80).map(|_| rng.random_range(-1.0f32..1.0)).collect();
        let x = Data::Dense(Arc::new(Dense::new(60, 80, values).unwrap()));
        PuData::new(x, (0..60).map(|i| i < 20).collect()).unwrap()
    }

    fn risk(model: &LinearModel, train: &PuData, prior: f64, c: f64) -> f64 {
        let margins = model.margins(&train.x).unwrap();
        let positives = train.positives();
        let loss = |m: f64| (-m).max(0.0) + (-m.abs()).exp().ln_1p();
        let first = positives.iter().map(|&i| loss(margins[i])).sum::<f64>() / positives.len() as f64;
        let size: f64 = model.weights.iter().map(|w| w * w).sum();
        let n = train.positive.len() as f64;
        0.5 * size
            + c * n
                * (prior * first + negative_risk(&margins, train, &NegativeSide::of(train), prior).max(0.0))
    }

    #[test]
    fn is_the_minimum_of_the_clipped_risk() {
        let (train, prior, c) = (flexible(), 0.3, 10.0);
        let method = Nnpu { prior: Some(prior), c };
        let model = method.minimise(&train, prior, &Run::new(0)).unwrap();
        let unbiased = Upu { prior: Some(prior), c }.fit(&train, &Run::new(0)).unwrap();
        let side = NegativeSide::of(&train);
        let n = negative_risk(&unbiased.model.margins(&train.x).unwrap(), &train, &side, prior);
        assert!(n < 0.0, "the example must overfit: {n}");
        let best = risk(&model, &train, prior, c);
        assert!(best < risk(&unbiased.model, &train, prior, c));
        let mut rng = Run::new(6).rng("directions", 0);
        for _ in 0..200 {
            let mut moved = model.clone();
            let size = 10f64.powf(rng.random_range(-3.0..0.0));
            moved.weights.iter_mut().for_each(|w| *w += size * rng.random_range(-0.1..0.1));
            moved.bias += size * rng.random_range(-0.1..0.1);
            assert!(risk(&moved, &train, prior, c) > best - 5e-3 * best, "step {size}");
        }
    }

    #[test]
    fn equals_upu_where_that_does_not_overfit() {
        // The classes overlap by half, so the risk on negatives stays well above zero.
        let values =
            (0..200).map(|i| if i % 4 == 0 { 0.5 } else { 0.0 } + (i * 7 % 13) as f32 / 13.0).collect();
        let x = Data::Dense(Arc::new(Dense::new(200, 1, values).unwrap()));
        let train = PuData::new(x, (0..200).map(|i| i % 4 == 0 && i < 80).collect()).unwrap();
        let ours = Nnpu { prior: Some(0.17), c: 1.0 }.fit(&train, &Run::new(0)).unwrap();
        let theirs = Upu { prior: Some(0.17), c: 1.0 }.fit(&train, &Run::new(0)).unwrap();
        assert!(ours.scores.iter().zip(&theirs.scores).all(|(a, b)| (a - b).abs() < 1e-3));
    }
}
