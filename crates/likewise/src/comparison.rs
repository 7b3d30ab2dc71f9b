//! Several methods on one problem: what each finds, what it costs, and what can be said of it without the truth.
//!
//! Positives are hidden in the pile fold by fold and each method learns again; how many of them it finds there
//! is its recall, and with the estimated prior that gives precision and F1 (`automatic`, findings on hiding).

use serde::Serialize;

use crate::data::PuData;
use crate::decide::is_positive;
use crate::error::Result;
use crate::measure::{TruthReport, estimated_f1, estimated_precision, recall_within, report};
use crate::method::{Entry, Parameters};
use crate::prior::hidden;
use crate::run::Run;

/// What is known of one method on one problem.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    pub method: &'static str,
    /// Seconds of one fit on all positives.
    pub seconds: f64,
    /// How many rows of the pile it calls positive.
    pub found: usize,
    /// Share of the hidden positives that it calls positive, as far as the number found allows.
    pub estimated_recall: Option<f64>,
    pub estimated_precision: Option<f64>,
    pub estimated_f1: Option<f64>,
    /// The chance that a hidden positive stands above a row of the pile.
    pub pu_auc: Option<f64>,
    /// Against the truth, where it is known.
    pub truth: Option<TruthReport>,
}

/// Fits `entry` and looks at what it does. Without a `prior`, the believed share of positives in the pile, nothing is
/// estimated. `truth` is that of the pile's rows, in their order.
pub fn compare(
    entry: &dyn Entry,
    given: &Parameters,
    train: &PuData,
    prior: Option<f64>,
    folds: usize,
    truth: Option<&[bool]>,
    run: &Run,
) -> Result<Compared> {
    let started = std::time::Instant::now();
    let scores = entry.fit(given, train, run)?.scores;
    let seconds = started.elapsed().as_secs_f64();
    let pile = train.unlabeled();
    let of_pile: Vec<f64> = pile.iter().map(|&row| scores[row]).collect();
    let answers: Vec<bool> = of_pile.iter().map(|score| is_positive(*score)).collect();
    let found = answers.iter().filter(|positive| **positive).count();
    let mut compared = Compared {
        method: entry.spec().name,
        seconds,
        found,
        estimated_recall: None,
        estimated_precision: None,
        estimated_f1: None,
        pu_auc: None,
        truth: truth.map(|truth| report(&of_pile, &answers, truth)),
    };
    let positives = train.positives();
    if let Some(prior) = prior {
        let (recall, auc) = hide(entry, given, train, &positives, &pile, folds, run)?;
        let share = found as f64 / pile.len() as f64;
        let recall = recall_within(recall, prior, share);
        compared.estimated_recall = Some(recall);
        compared.estimated_precision = (found > 0).then(|| estimated_precision(recall, prior, share));
        compared.estimated_f1 = Some(estimated_f1(recall, prior, share));
        compared.pu_auc = Some(auc);
    }
    Ok(compared)
}

/// Share of hidden positives called positive, and the mean share of the pile below them.
fn hide(
    entry: &dyn Entry,
    given: &Parameters,
    train: &PuData,
    positives: &[usize],
    pile: &[usize],
    folds: usize,
    run: &Run,
) -> Result<(f64, f64)> {
    let (mut called, mut below) = (0usize, 0.0);
    for (k, fold) in hidden::deal(positives.len(), folds, run)?.iter().enumerate() {
        let mut hidden = train.clone();
        fold.iter().for_each(|&p| hidden.positive[positives[p]] = false);
        let scores = entry.fit(given, &hidden, &run.with_seed(run.seed().wrapping_add(k as u64)))?.scores;
        let mut of_pile: Vec<f64> = pile.iter().map(|&row| scores[row]).collect();
        of_pile.sort_unstable_by(f64::total_cmp);
        for &p in fold {
            let own = scores[positives[p]];
            called += usize::from(is_positive(own));
            let (less, up_to) =
                (of_pile.partition_point(|s| *s < own), of_pile.partition_point(|s| *s <= own));
            below += (less + up_to) as f64 / 2.0 / of_pile.len() as f64;
        }
    }
    let n = positives.len() as f64;
    Ok((called as f64 / n, below / n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Data};
    use crate::registry::find;
    use std::sync::Arc;

    #[test]
    fn a_clear_class_is_found_and_said_to_be() {
        // Word 0 is the class; ten positives are marked, ten stand in the pile among forty others.
        let indices: Vec<u32> = (0..60).map(|row| u32::from(row >= 20)).collect();
        let x = Csr::new(2, (0..=60).collect(), indices, vec![1.0; 60]).unwrap();
        let train = PuData::new(Data::Sparse(Arc::new(x)), (0..60).map(|row| row < 10).collect()).unwrap();
        let truth: Vec<bool> = (10..60).map(|row| row < 20).collect();
        let entry = find("logistic").unwrap();
        let compared =
            compare(entry, &Parameters::new(), &train, Some(0.2), 5, Some(&truth), &Run::new(0)).unwrap();
        assert_eq!((compared.found, compared.estimated_recall), (10, Some(1.0)));
        // Hidden positives tie with the ten of the pile: 0.8 below, half of 0.2 level.
        assert!((compared.pu_auc.unwrap() - 0.9).abs() < 1e-9);
        assert_eq!(compared.estimated_f1, Some(1.0));
        assert_eq!(compared.truth.unwrap().f1, 1.0);
        // Ten rows cannot hold more than a quarter of forty.
        let many = compare(entry, &Parameters::new(), &train, Some(0.8), 5, None, &Run::new(0)).unwrap();
        assert_eq!((many.estimated_recall, many.estimated_f1), (Some(0.25), Some(0.4)));
    }
}
