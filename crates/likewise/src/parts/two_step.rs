//! The second step of two-step methods: an SVM of the positives against reliable negatives, once or iterated.
//!
//! Iterated (Yu et al. 2002, Li & Liu 2003): what the SVM calls negative among the rest of the pile joins the
//! negatives, and a new SVM is learned, until nothing more joins.

use crate::codes;
use crate::data::{Data, PuData};
use crate::error::Result;
use crate::note::Note;
use crate::parts::linear::svm::LinearSvm;
use crate::parts::linear::{LinearModel, RowView};
use crate::parts::reliable_negatives::rocchio::{mean_direction, unit};
use crate::parts::svm::{Kernel, MarginModel, Svm};
use crate::run::Run;

/// The SVM of the second step.
#[derive(Clone, Debug)]
pub struct SecondStep {
    pub kernel: Kernel,
    /// Cost of an error, the same for both classes.
    pub c: f64,
}

/// Every SVM of an iteration, and what it took for negative before it was learned.
pub struct Iterated {
    pub first: MarginModel,
    pub last: MarginModel,
    pub iterations: usize,
    /// All pile rows taken for negative at the end.
    pub negatives: Vec<usize>,
}

impl SecondStep {
    pub fn fit(&self, x: &Data, positives: &[usize], negatives: &[usize], run: &Run) -> Result<MarginModel> {
        self.fit_weighted(x, positives, negatives, |_| 1.0, run)
    }

    /// The same where an error on the negative of row i costs `weight(i)` times as much.
    pub fn fit_weighted(
        &self,
        x: &Data,
        positives: &[usize],
        negatives: &[usize],
        weight: impl Fn(usize) -> f64,
        run: &Run,
    ) -> Result<MarginModel> {
        let rows: Vec<usize> = positives.iter().chain(negatives).copied().collect();
        let labels: Vec<bool> = (0..rows.len()).map(|k| k < positives.len()).collect();
        let cost = |(&row, &positive): (&usize, &bool)| self.c * if positive { 1.0 } else { weight(row) };
        let c: Vec<f64> = rows.iter().zip(&labels).map(cost).collect();
        let x = x.select(&rows);
        if self.kernel == Kernel::Linear {
            return Ok(MarginModel::Linear(LinearSvm::default().fit(&x, &labels, &c, None, run)?.model));
        }
        let model = Svm::new(self.kernel).classify(&x, &labels, &c, None, run)?.model;
        Ok(model.numbered_by(&rows).into())
    }

    /// `most` bounds the number of SVMs learned.
    pub fn iterate(&self, train: &PuData, negatives: Vec<usize>, most: usize, run: &Run) -> Result<Iterated> {
        let positives = train.positives();
        let mut taken = vec![false; train.positive.len()];
        negatives.iter().for_each(|&i| taken[i] = true);
        let mut rest: Vec<usize> = train.unlabeled().into_iter().filter(|&i| !taken[i]).collect();
        let mut negatives = negatives;
        let first = self.fit(&train.x, &positives, &negatives, run)?;
        let mut last = first.clone();
        let mut iterations = 1;
        while iterations < most && !rest.is_empty() {
            run.step("iterating the SVM", iterations as u64, most as u64)?;
            let margins = last.margins(&train.x.select(&rest))?;
            let joins: Vec<bool> = margins.iter().map(|m| *m < 0.0).collect();
            if !joins.contains(&true) {
                break;
            }
            negatives.extend(rest.iter().zip(&joins).filter(|(_, j)| **j).map(|(i, _)| *i));
            rest = rest.iter().zip(&joins).filter(|(_, j)| !**j).map(|(i, _)| *i).collect();
            last = self.fit(&train.x, &positives, &negatives, run)?;
            iterations += 1;
        }
        Ok(Iterated { first, last, iterations, negatives })
    }
}

/// The share of rows that a boundary leaves outside.
pub fn rejected(model: &MarginModel, x: &Data, rows: &[usize]) -> Result<f64> {
    let margins = model.margins(&x.select(rows))?;
    Ok(margins.iter().filter(|m| **m < 0.0).count() as f64 / rows.len().max(1) as f64)
}

/// The answer when the first step has found nothing negative: nothing is unexpected. Unit rows are still ranked
/// by their cosine with the positives; the boundary lies beyond all of them.
pub fn nothing_negative(train: &PuData) -> Result<(MarginModel, Note)> {
    let rows = RowView::of(&train.x)?;
    let weights = unit(mean_direction(rows, &train.positives()));
    let lowest = (0..rows.len()).map(|i| rows.dot(i, &weights)).fold(0.0, f64::min);
    let model = LinearModel { weights, bias: -lowest };
    let text = "no row of the pile is surely negative: everything in it is like the positives, or nothing can be \
                told apart; rows are only ranked by their likeness";
    Ok((MarginModel::Linear(model), Note::warning(&codes::POORLY_LEARNED, text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    /// Positives at 4 and 5, pile at 0 to 9 in steps of 1, in one column; the row at 0 is surely negative.
    fn train() -> PuData {
        let values = [4.0, 5.0].into_iter().chain((0..10).map(|i| i as f32)).collect();
        let x = Data::Dense(Arc::new(Dense::new(12, 1, values).unwrap()));
        PuData::new(x, (0..12).map(|i| i < 2).collect()).unwrap()
    }

    #[test]
    fn the_boundary_moves_towards_the_positives() {
        let step = SecondStep { kernel: Kernel::Linear, c: 100.0 };
        let found = step.iterate(&train(), vec![2], 50, &Run::new(0)).unwrap();
        // Against 0 the boundary lies near 2, so 1 joins, and later 2 and 3; 4 and above stay.
        let boundary = |model: &MarginModel| match model {
            MarginModel::Linear(m) => -m.bias / m.weights[0],
            MarginModel::Kernel(_) => unreachable!(),
        };
        assert!((boundary(&found.first) - 2.0).abs() < 0.5, "{}", boundary(&found.first));
        assert!(found.iterations >= 3);
        let mut negatives = found.negatives.clone();
        negatives.sort();
        assert_eq!(negatives, [2, 3, 4, 5]);
        assert!((boundary(&found.last) - 3.5).abs() < 0.3, "{}", boundary(&found.last));
        assert_eq!(rejected(&found.last, &train().x, &[2, 3, 6, 7]).unwrap(), 0.5);
    }

    #[test]
    fn without_negatives_every_row_is_positive() {
        let (model, note) = nothing_negative(&train()).unwrap();
        assert!(model.margins(&train().x).unwrap().iter().all(|m| *m >= 0.0));
        assert!(note.is_warning());
    }
}
