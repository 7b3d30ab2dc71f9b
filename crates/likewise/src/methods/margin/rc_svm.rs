//! RC-SVM: Rocchio, its negatives purified by clusters if wanted, and one SVM (Li & Liu 2003).
//!
//! Rows nearer to the pile's Rocchio prototype are reliable negatives. With clusters, k-means divides them, each
//! cluster gets a pair of prototypes of its own, and a row stays negative only if some cluster's negative
//! prototype is nearer than the positive prototype most like it. A single SVM then separates positives and negatives.
//! Use it like `roc-svm` when iteration does harm.
//!
//! ```text
//! N = {x ∈ U : cos(x, c₋) > cos(x, c₊)},  c₊ and c₋ as in rocchio
//! x ∈ N stays where  max_j cos(x, n_j) > cos(x, p_v),  p_v the p_j most like x
//! ```
//!
//! where n_j and p_j are the prototypes of cluster j of N and of the positives beside it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Data, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::known_negatives::with_known;
use crate::parts::linear::RowView;
use crate::parts::reliable_negatives::clusters::purify;
use crate::parts::reliable_negatives::rocchio::Rocchio;
use crate::parts::svm::{KernelChoice, MarginModel};
use crate::parts::two_step::{SecondStep, nothing_negative};
use crate::run::Run;

/// Rocchio with clustered negatives, then one SVM; when iterating does harm.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RcSvm {
    /// How strongly a Rocchio prototype is drawn to its own rows
    #[schemars(range(min = 0.0, max = 1e6))]
    pub alpha: f64,
    /// How strongly it is pushed away from the others
    #[schemars(range(min = 0.0, max = 1e6))]
    pub beta: f64,
    /// Clusters of reliable negatives; none means they are taken as Rocchio gives them
    #[schemars(range(min = 1, max = 10_000))]
    pub clusters: Option<u32>,
    /// Cost of an error of the SVM (C)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// The kernel of the SVM
    pub kernel: KernelChoice,
    /// Width of the radial kernel; none means by the spread of the data
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
}

impl Default for RcSvm {
    fn default() -> Self {
        RcSvm { alpha: 16.0, beta: 4.0, clusters: Some(10), c: 1.0, kernel: KernelChoice::Auto, gamma: None }
    }
}

impl Method for RcSvm {
    const SPEC: Spec = Spec {
        name: "rc-svm",
        family: "margin",
        title: "Rocchio with clustered negatives, then one SVM; when iterating does harm",
        paper: "Li & Liu 2003, Learning to classify texts using positive and unlabeled data",
        assumes: "The pile is mostly negative, of several clusters, and the class one region around its mean direction: rows nearer to the mean of a cluster are negative. A boundary of the chosen kernel separates the two.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("its support vectors, which are rows it learned from, where the kernel is not linear"),
    };
    const NEGATIVES: Negatives = Negatives::Reliable;
    const HIDDEN_CUT: bool = true;
    type Model = MarginModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<MarginModel>> {
        let positives = train.positives();
        let (reliable, text) = self.reliable(&train.x, &positives, &train.unlabeled(), run)?;
        let reliable = with_known(reliable, train);
        let (model, note) = if reliable.is_empty() {
            nothing_negative(train)?
        } else {
            let step = SecondStep { kernel: self.kernel.kernel(self.gamma, &train.x), c: self.c };
            (step.fit(&train.x, &positives, &reliable, run)?, Note::info(&codes::LEARNED, text))
        };
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(vec![note]))
    }
}

impl RcSvm {
    fn reliable(
        &self,
        x: &Data,
        positives: &[usize],
        pile: &[usize],
        run: &Run,
    ) -> Result<(Vec<usize>, String)> {
        let rocchio = Rocchio { alpha: self.alpha, beta: self.beta };
        let first = rocchio.fit(x, positives, pile)?.negatives(x, pile)?;
        let Some(clusters) = self.clusters else {
            let text = format!("{} reliable negatives", first.len());
            return Ok((first, text));
        };
        let pure = purify(RowView::of(x)?, &first, positives, clusters as usize, rocchio, run)?;
        // Clusters that rule out every negative have nothing to say against Rocchio's own.
        if pure.is_empty() {
            let text = format!("{} reliable negatives; no cluster kept any of them", first.len());
            return Ok((first, text));
        }
        let text = format!("{} reliable negatives, {} after clustering", first.len(), pure.len());
        Ok((pure, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    #[test]
    fn both_forms_separate_two_directions() {
        // 6 positives and 6 hidden ones near the first axis, 20 negatives near the second.
        let angle = |i: usize| if i < 12 { 0.02 * i as f32 } else { 1.5 - 0.02 * i as f32 };
        let values = (0..32).flat_map(|i| [angle(i).cos(), angle(i).sin()]).collect();
        let x = Data::Dense(Arc::new(Dense::new(32, 2, values).unwrap()));
        let train = PuData::new(x, (0..32).map(|i| i < 6).collect()).unwrap();
        for clusters in [None, Some(3)] {
            let fitted = RcSvm { clusters, ..RcSvm::default() }.fit(&train, &Run::new(0)).unwrap();
            for (i, score) in fitted.scores.iter().enumerate() {
                assert_eq!(*score >= 0.5, i < 12, "row {i} of {clusters:?}: {score}");
            }
        }
    }
}
