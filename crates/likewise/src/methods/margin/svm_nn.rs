//! SVM_NN: an SVM of the positives against the pile, its rows taken as noisy negatives (Yu 2003, Section 4).
//!
//! The baseline that two-step methods are measured against: with many positives in the pile it rejects nearly
//! everything, because every hidden positive counts as an error. Use it only to see how much a PU method gains.
//!
//! ```text
//! min over w, b of  ½ w·w + C Σ_P max(0, 1 - f(x_i)) + C Σ_U max(0, 1 + f(x_i)),   f(x) = w·φ(x) + b
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::parts::known_negatives::NegativeSide;
use crate::parts::svm::{KernelChoice, MarginModel};
use crate::parts::two_step::SecondStep;
use crate::run::Run;

/// SVM with the pile as negatives; the baseline that shows what the hidden positives cost.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SvmNn {
    /// Cost of an error of the SVM (C)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// The kernel of the SVM
    pub kernel: KernelChoice,
    /// Width of the radial kernel; none means by the spread of the data
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
}

impl Default for SvmNn {
    fn default() -> Self {
        SvmNn { c: 1.0, kernel: KernelChoice::Auto, gamma: None }
    }
}

impl Method for SvmNn {
    const SPEC: Spec = Spec {
        name: "svm-nn",
        family: "margin",
        title: "SVM with the pile as negatives; the baseline that shows what the hidden positives cost",
        paper: "Yu 2003, SVMC: single-class classification with support vector machines (SVM_NN)",
        assumes: "The whole pile is negative, which it is not; the fewer positives it holds, the less that harms.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("its support vectors, which are rows it learned from, where the kernel is not linear"),
    };
    const NEGATIVES: Negatives = Negatives::Beside;
    const HIDDEN_CUT: bool = true;
    type Model = MarginModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<MarginModel>> {
        let step = SecondStep { kernel: self.kernel.kernel(self.gamma, &train.x), c: self.c };
        let (negatives, side) = (train.pile_and_negatives(), NegativeSide::of(train));
        let model = step.fit_weighted(
            &train.x,
            &train.positives(),
            &negatives,
            |row| side.weight(train.unwanted[row]),
            run,
        )?;
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};
    use std::sync::Arc;

    #[test]
    fn hidden_positives_outvote_the_labelled() {
        // At 1 lie two labelled and six hidden positives: their errors cost less.
        let values = (0..20).map(|i| if i < 8 { 1.0 } else { -1.0 }).collect();
        let x = Data::Dense(Arc::new(Dense::new(20, 1, values).unwrap()));
        let few = PuData::new(x.clone(), (0..20).map(|i| i < 2).collect()).unwrap();
        let scores = SvmNn::default().fit(&few, &Run::new(0)).unwrap().scores;
        assert!(scores.iter().all(|s| *s < 0.5), "{scores:?}");
        let most = PuData::new(x, (0..20).map(|i| i < 7).collect()).unwrap();
        let scores = SvmNn::default().fit(&most, &Run::new(0)).unwrap().scores;
        assert!(scores[7] >= 0.5 && scores[8] < 0.5, "{scores:?}");
    }
}
