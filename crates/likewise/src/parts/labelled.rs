//! The probability that a row is labelled, P(s = 1 | x): what PU weighting starts from.
//!
//! A balanced logistic regression of the labelled against the rest ranks well but its probabilities mean
//! nothing; Platt's sigmoid over its out-of-fold margins gives them back their meaning.

use crate::data::PuData;
use crate::error::Result;
use crate::parts::calibration::Platt;
use crate::parts::folds::{deal, out_of_fold};
use crate::parts::known_negatives::fit_balanced;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::Logistic;
use crate::run::Run;

#[derive(Clone, Debug)]
pub struct Labelled {
    pub model: LinearModel,
    pub platt: Platt,
}

impl Labelled {
    /// The model, and for each training row its probability from a model that has not seen it. With a single
    /// positive nothing can be left out, and the model's own margins must do.
    pub fn fit(train: &PuData, c: f64, folds: usize, run: &Run) -> Result<(Self, Vec<f64>)> {
        let solver = Logistic { c, ..Logistic::default() };
        let (model, own, _) = fit_balanced(&solver, &train.x, train, None, run)?;
        let margins = match deal(&train.positive, folds, run) {
            Some(fold) => out_of_fold(train, &fold, |taught, tested| {
                fit_balanced(&solver, &taught.x, taught, None, run)?.0.margins(tested)
            })?,
            None => own,
        };
        // What was read and refused is no draw of the pile, so it has no say in how margins become probabilities.
        let drawn: Vec<usize> = (0..margins.len()).filter(|&i| !train.unwanted[i]).collect();
        let of_drawn = drawn.iter().map(|&i| (margins[i], train.positive[i]));
        let (shown, labels): (Vec<f64>, Vec<bool>) = of_drawn.unzip();
        let platt = Platt::fit(&shown, &labels);
        let probabilities = margins.iter().map(|m| platt.probability(*m)).collect();
        Ok((Labelled { model, platt }, probabilities))
    }
}

/// The share of all positives that is labelled, P(s = 1 | y = 1), when a share `prior` of the pile is positive.
pub fn label_frequency(train: &PuData, prior: f64) -> f64 {
    let labelled = train.positive.iter().filter(|p| **p).count() as f64;
    labelled / (labelled + prior * train.unlabeled().len() as f64)
}
