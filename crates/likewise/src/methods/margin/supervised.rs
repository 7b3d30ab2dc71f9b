//! The ideal: an SVM that is told which rows of the pile are positive and which are not (TSVM of Yu 2003, Section 4).
//!
//! No PU method can be expected to do better, so the distance to it is what not knowing the negatives costs. It
//! learns from true labels (`--truth`) and is of use for comparisons only. Scores of the training rows are out of
//! fold: each row is scored by an SVM that has not seen it, or the comparison would flatter it.
//!
//! ```text
//! min over w, b of  ½ w·w + C Σ_i max(0, 1 - y_i (w·φ(x_i) + b)),  y_i the truth, over all rows outside of the fold
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Data, Kind, PuData};
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::message::{Message, Setting};
use crate::method::{Fitted, Method, Spec, Weights};
use crate::parts::folds::{deal, out_of_fold};
use crate::parts::svm::{KernelChoice, MarginModel};
use crate::parts::two_step::SecondStep;
use crate::run::Run;

/// The ideal that learns from true labels; only to compare other methods with.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Supervised {
    /// Cost of an error of the SVM (C)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// The kernel of the SVM
    pub kernel: KernelChoice,
    /// Width of the radial kernel; none means by the spread of the data
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
    /// Parts that the rows are dealt into; each is scored by an SVM learned from the others
    #[schemars(range(min = 2, max = 100))]
    pub folds: u32,
}

impl Default for Supervised {
    fn default() -> Self {
        Supervised { c: 1.0, kernel: KernelChoice::Auto, gamma: None, folds: 5 }
    }
}

impl Method for Supervised {
    const SPEC: Spec = Spec {
        name: "supervised",
        family: "margin",
        title: "the ideal that learns from true labels; only to compare other methods with",
        paper: "Yu 2003, SVMC: single-class classification with support vector machines (TSVM)",
        assumes: "Nothing is assumed of the marks: the truth of every row is known, and a boundary of the chosen kernel separates the two classes.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("its support vectors, which are rows it learned from, where the kernel is not linear"),
    };
    type Model = MarginModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<MarginModel>> {
        let Some(truth) = &train.truth else {
            let text =
                "`supervised` learns from true labels: choose a method that needs none, or give them with ";
            let message = Message::new(&codes::TRUTH_MISSING, text).setting(Setting::with("truth", "FILE"));
            return Err(Error::data(message));
        };
        let labelled = PuData::new(train.x.clone(), truth.clone())?;
        let fold = deal(truth, self.folds as usize, run).ok_or_else(|| {
            Error::data("`supervised` needs two rows of either kind in the truth, to learn from one and test the other")
        })?;
        let kernel = self.kernel.kernel(self.gamma, &train.x);
        let fit = |x: &Data, truth: &[bool]| {
            let (positives, negatives): (Vec<usize>, Vec<usize>) = (0..truth.len()).partition(|&i| truth[i]);
            SecondStep { kernel, c: self.c }.fit(x, &positives, &negatives, run)
        };
        let margins = out_of_fold(&labelled, &fold, |taught, tested| {
            fit(&taught.x, &taught.positive)?.margins(tested)
        })?;
        let model = fit(&train.x, truth)?;
        Ok(Fitted::new(model, margins.into_iter().map(squash).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use crate::method::Model;
    use std::sync::Arc;

    fn rows() -> PuData {
        // Truly positive above 0; the row at -3 is one all the same, and only its own label says so.
        let values = vec![1.0, 2.0, 3.0, 4.0, -1.0, -2.0, -3.0, -4.0, -5.0];
        let x = Data::Dense(Arc::new(Dense::new(9, 1, values).unwrap()));
        PuData::new(x, (0..9).map(|i| i == 0).collect()).unwrap()
    }

    #[test]
    fn learns_from_the_truth_but_scores_no_row_by_its_own_label() {
        let truth: Vec<bool> = (0..9).map(|i| i < 4 || i == 6).collect();
        let train = rows().with_truth(truth).unwrap();
        let narrow = Supervised { gamma: Some(20.0), kernel: KernelChoice::Rbf, c: 100.0, folds: 9 };
        let fitted = narrow.fit(&train, &Run::new(0)).unwrap();
        assert!(fitted.model.score(&train.x, &Run::new(0)).unwrap()[6] > 0.5, "the model has seen it");
        assert!(fitted.scores[6] < 0.5, "its score comes from one that has not: {}", fitted.scores[6]);
    }

    #[test]
    fn refuses_to_guess_without_the_truth() {
        let message = Supervised::default().fit(&rows(), &Run::new(0)).err().unwrap().to_string();
        assert!(message.contains("`truth`"), "{message}");
        assert!(rows().with_truth(vec![true; 3]).is_err());
    }
}
