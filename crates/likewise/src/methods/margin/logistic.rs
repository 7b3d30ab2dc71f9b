//! Logistic regression of the positives against the pile, both classes weighing the same.
//!
//! The pile is taken as if it were all negative, but balanced: half of the total weight lies on the few
//! positives, so the positives hidden in the pile pull little. Under labels drawn at random the ranking is
//! that of the true class (Elkan & Noto 2008, Lemma 1), and few methods rank better from so little.
//! Use it as a strong first choice where `auto`, the default, takes too long or something plain is wanted; where the pile
//! is mostly positive, look for the unexpected instead.
//!
//! n positives and u pile rows weigh as ten pairs of samples of one size that tell as much of their difference, so C
//! means the same beside a pile of any size.
//!
//! ```text
//! min over w, b of  ½ w·w + C Σ_i s_i ln(1 + exp(-y_i (x_i·w + b))),   Σ_P s_i = Σ_U s_i = 20 n u / (n + u)
//! ```

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Kind, PuData};
use crate::decide::squash;
use crate::error::Result;
use crate::method::{Candidacy, Effort, Fitted, Method, Negatives, Spec, Weights};
use crate::parts::balanced_fit::BalancedFit;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::{Logistic as Solver, SoftLabel};
use crate::run::Run;

/// Balanced logistic regression of the positives against the pile; a strong first choice.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Logistic {
    /// How closely to fit the examples (C); smaller is smoother
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// Let positives and pile weigh the same; otherwise every row does
    pub balanced: bool,
}

impl Default for Logistic {
    fn default() -> Self {
        Logistic { c: 1.0, balanced: true }
    }
}

impl Method for Logistic {
    const SPEC: Spec = Spec {
        name: "logistic",
        family: "margin",
        title: "balanced logistic regression of the positives against the pile; a strong first choice",
        paper: "Elkan & Noto 2008, Learning classifiers from only positive and unlabeled data (Lemma 1)",
        assumes: "The examples are a random draw of their class: then what tells them from the pile also ranks the class above the rest. A weighted sum of the columns must tell it.",
        inputs: BOTH,
        weights: Weights::TfIdf,
        keeps: None,
    };
    const POOL: &'static [Candidacy] = &[
        Candidacy { place: 30, kinds: BOTH, from: Effort::Normal, parameters: &[] },
        Candidacy { place: 40, kinds: BOTH, from: Effort::Normal, parameters: &[("c", "10")] },
        Candidacy { place: 70, kinds: &[Kind::Dense], from: Effort::Normal, parameters: &[("c", "100")] },
        Candidacy { place: 80, kinds: BOTH, from: Effort::Thorough, parameters: &[("c", "0.1")] },
    ];
    const NEGATIVES: Negatives = Negatives::Beside;
    const HIDDEN_CUT: bool = true;
    type Model = LinearModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearModel>> {
        let (model, margins) = if self.balanced {
            let fit = BalancedFit::of(&train.x, train, self.c, run)?;
            (fit.model.clone(), fit.margins.clone())
        } else {
            let labels: Vec<_> = train.positive.iter().map(|&p| SoftLabel::hard(p, 1.0)).collect();
            let model = Solver { c: self.c, ..Solver::default() }.fit(&train.x, &labels, None, run)?;
            let margins = Arc::new(model.margins(&train.x)?);
            (model, margins)
        };
        let scores = margins.iter().copied().map(squash).collect();
        Ok(Fitted::new(model, scores).with_raw(margins))
    }
}

const BOTH: &[Kind] = &[Kind::Sparse, Kind::Dense];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};

    #[test]
    fn balance_moves_the_boundary_to_the_middle() {
        // One positive at 1 against nine rows at -1: balanced, the boundary lies at 0; unbalanced it leans to 1.
        let values = std::iter::once(1.0).chain([-1.0; 9]).collect();
        let x = Data::Dense(Arc::new(Dense::new(10, 1, values).unwrap()));
        let train = PuData::new(x, (0..10).map(|i| i == 0).collect()).unwrap();
        let fit =
            |balanced| Logistic { balanced, ..Logistic::default() }.fit(&train, &Run::new(0)).unwrap().model;
        let (even, plain) = (fit(true), fit(false));
        assert!((even.bias / even.weights[0]).abs() < 1e-3, "{even:?}");
        assert!(plain.bias < -0.5 * plain.weights[0], "{plain:?}");
    }
}
