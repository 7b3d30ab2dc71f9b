//! Out-of-fold margins: each row is scored by a model that has not seen it.
//!
//! Positives and pile are dealt into folds separately, so that every fold has its share of both.

use rand::seq::SliceRandom;
use rayon::prelude::*;

use crate::data::{Data, PuData};
use crate::error::Result;
use crate::run::Run;

/// The fold of every row. With fewer positives (or pile rows) than folds there are as many folds as these,
/// but at least two; None for a single positive, which cannot teach and be tested at once.
pub fn deal(positive: &[bool], folds: usize, run: &Run) -> Option<Vec<usize>> {
    let labelled = positive.iter().filter(|p| **p).count();
    let fewest = labelled.min(positive.len() - labelled);
    if fewest < 2 {
        return None;
    }
    let folds = folds.clamp(2, fewest);
    let mut fold = vec![0; positive.len()];
    for (stage, wanted) in [("folds of positives", true), ("folds of the pile", false)] {
        let mut rows: Vec<usize> = (0..positive.len()).filter(|&i| positive[i] == wanted).collect();
        rows.shuffle(&mut run.rng(stage, 0));
        rows.iter().enumerate().for_each(|(k, &i)| fold[i] = k % folds);
    }
    Some(fold)
}

/// The margins that `fit_and_score(training rows with their marks, rows to score)` gives to each row while it
/// is left out. Folds are learned in parallel.
pub fn out_of_fold(
    train: &PuData,
    fold: &[usize],
    fit_and_score: impl Fn(&PuData, &Data) -> Result<Vec<f64>> + Sync,
) -> Result<Vec<f64>> {
    let folds = fold.iter().max().map_or(0, |k| k + 1);
    let scored: Vec<(Vec<usize>, Vec<f64>)> = (0..folds)
        .into_par_iter()
        .map(|k| {
            let (tested, taught): (Vec<usize>, Vec<usize>) = (0..fold.len()).partition(|&i| fold[i] == k);
            let margins = fit_and_score(&train.select(&taught), &train.x.select(&tested))?;
            Ok((tested, margins))
        })
        .collect::<Result<_>>()?;
    let mut out = vec![0.0; fold.len()];
    for (rows, margins) in scored {
        rows.into_iter().zip(margins).for_each(|(i, margin)| out[i] = margin);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    #[test]
    fn every_fold_has_its_share_of_both() {
        let positive: Vec<bool> = (0..50).map(|i| i < 10).collect();
        let fold = deal(&positive, 5, &Run::new(3)).unwrap();
        for k in 0..5 {
            let rows: Vec<usize> = (0..50).filter(|&i| fold[i] == k).collect();
            assert_eq!((rows.len(), rows.iter().filter(|&&i| positive[i]).count()), (10, 2));
        }
        let few: Vec<bool> = (0..50).map(|i| i < 3).collect();
        assert_eq!(*deal(&few, 5, &Run::new(3)).unwrap().iter().max().unwrap(), 2);
        let one: Vec<bool> = (0..50).map(|i| i < 1).collect();
        assert!(deal(&one, 5, &Run::new(3)).is_none());
    }

    #[test]
    fn a_row_is_never_scored_by_a_model_that_saw_it() {
        let x = Data::Dense(Arc::new(Dense::new(20, 1, (0..20).map(|i| i as f32).collect()).unwrap()));
        let train = PuData::new(x, (0..20).map(|i| i < 6).collect()).unwrap();
        let fold = deal(&train.positive, 4, &Run::new(0)).unwrap();
        let margins = out_of_fold(&train, &fold, |taught, tested| {
            let marks = taught.positive.len();
            let (taught, tested) = (taught.x.dense()?, tested.dense()?);
            assert_eq!(taught.rows(), marks);
            assert!(tested.values.iter().all(|v| !taught.values.contains(v)));
            Ok(tested.values.iter().map(|v| f64::from(*v)).collect())
        });
        assert_eq!(margins.unwrap(), (0..20).map(f64::from).collect::<Vec<_>>());
    }
}
