//! Balanced logistic regression of positives against pile, fitted once for one set of labels.
//!
//! Several methods start from it. In a run that shares they all get the same fit, and a fit of similar labels may start
//! from one that was told to be the start.

use std::sync::Arc;

use crate::data::{Data, PuData};
use crate::error::Result;
use crate::parts::known_negatives::{NegativeSide, fit_balanced};
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::Logistic;
use crate::run::{Key, Run};

pub struct BalancedFit {
    pub model: LinearModel,
    /// Of the rows it was fitted on.
    pub margins: Arc<Vec<f64>>,
    /// What known negatives weighed.
    pub side: NegativeSide,
}

impl BalancedFit {
    /// `x` are the rows of `train` in their space.
    pub fn of(x: &Data, train: &PuData, c: f64, run: &Run) -> Result<Arc<Self>> {
        let key = Key::new("balanced fit", x.identity()).labels(&train.positive).labels(&train.unwanted);
        let key = key.number(c);
        run.shared(key, || {
            let start = run.kept::<BalancedFit>(&start_of(x, c));
            let start = start.as_ref().map(|fit| &fit.model);
            let solver = Logistic { c, ..Logistic::default() };
            let (model, margins, side) = fit_balanced(&solver, x, train, start, run)?;
            Ok(BalancedFit { model, margins: Arc::new(margins), side })
        })
    }

    /// Fits, and lets every later fit of these rows with this c start from here: for labels that differ in a few rows.
    /// The start is settled before the fits that use it, so that the order of those does not matter.
    pub fn as_start(x: &Data, train: &PuData, c: f64, run: &Run) -> Result<()> {
        let fit = BalancedFit::of(x, train, c, run)?;
        run.keep(start_of(x, c), fit);
        Ok(())
    }
}

/// What known negatives weigh beside the pile, for a linear model that is fitted otherwise: a balanced one tells how much
/// of them a plane explains.
pub fn negative_side(train: &PuData, run: &Run) -> Result<NegativeSide> {
    match train.unwanted.contains(&true) {
        true => Ok(BalancedFit::of(&train.x, train, 1.0, run)?.side),
        false => Ok(NegativeSide::of(train)),
    }
}

fn start_of(x: &Data, c: f64) -> Key {
    Key::new("start of balanced fits", x.identity()).number(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use crate::parts::linear::logistic::balanced;

    #[test]
    fn a_start_saves_steps_and_leads_to_the_same_minimum() {
        let values = (0..80).map(|i| (i * 37 % 41) as f32 / 20.0 - 1.0).collect();
        let x = Data::Dense(Arc::new(Dense::new(40, 2, values).unwrap()));
        let labels =
            |first: usize| PuData::new(x.clone(), (0..40).map(|i| i >= first && i < 12).collect()).unwrap();
        let run = Run::new(0).sharing();
        BalancedFit::as_start(&x, &labels(0), 1.0, &run).unwrap();
        let warm = BalancedFit::of(&x, &labels(2), 1.0, &run).unwrap();
        let cold = BalancedFit::of(&x, &labels(2), 1.0, &Run::new(0)).unwrap();
        assert_ne!(warm.model.weights, cold.model.weights);
        let objective = |fit: &BalancedFit| {
            Logistic::default().objective(&x, &balanced(&labels(2).positive), &fit.model).unwrap()
        };
        assert!((objective(&warm) / objective(&cold) - 1.0).abs() < 1e-4);
        assert!(Arc::ptr_eq(&warm, &BalancedFit::of(&x, &labels(2), 1.0, &run).unwrap()));
    }
}
