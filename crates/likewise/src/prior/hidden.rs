//! Hidden folds: positives put back into the pile while a ranker learns, and ranked there.
//!
//! A positive that is merely held out is a stranger to the model; one that is hidden is treated exactly as
//! the pile's own positives are, so its rank tells where those stand. Held-out ranks are too good.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::ranks::{Ranks, Standing};
use crate::data::PuData;
use crate::error::{Error, Result};
use crate::method::{Entry, Parameters, Scores, Spec};
use crate::run::Run;

/// Anything that scores all rows after learning from the labelled ones.
#[derive(Clone)]
pub struct Ranker {
    /// What it is called.
    pub name: String,
    /// What the ranker takes: its inputs and weights.
    pub spec: Spec,
    rank: Arc<Rank>,
}

type Rank = dyn Fn(&PuData, &Run) -> Result<Scores> + Send + Sync;

impl Ranker {
    /// A method with some parameters set. A ranking has no cut and no model of new rows, so a method that would look for
    /// them is spared it.
    pub fn method(entry: &'static dyn Entry, mut given: Parameters) -> Result<Self> {
        for (name, spared) in [("cut", "natural".into()), ("distil", false.into())] {
            if entry.parameters().iter().any(|parameter| parameter.name == name) {
                given.entry(name).or_insert(spared);
            }
        }
        entry.resolve(&given)?;
        let rank = move |train: &PuData, run: &Run| Ok(entry.fit(&given, train, run)?.scores);
        Ok(Ranker { name: entry.spec().name.into(), spec: entry.spec(), rank: Arc::new(rank) })
    }

    /// Any function from training rows to their scores.
    pub fn new(
        name: impl Into<String>,
        spec: Spec,
        rank: impl Fn(&PuData, &Run) -> Result<Scores> + Send + Sync + 'static,
    ) -> Self {
        Ranker { name: name.into(), spec, rank: Arc::new(rank) }
    }

    /// Learns, and scores every training row.
    pub fn rank(&self, train: &PuData, run: &Run) -> Result<Scores> {
        (self.rank)(train, run)
    }
}

/// Deals the positives into folds at random; each number is a position among the positives. With fewer
/// positives than folds, each is a fold of its own.
pub fn deal(positives: usize, folds: usize, run: &Run) -> Result<Vec<Vec<usize>>> {
    if positives < 2 {
        return Err(Error::data(
            "one positive cannot be hidden while another teaches; mark at least two rows of what you want",
        ));
    }
    let mut order: Vec<usize> = (0..positives).collect();
    order.shuffle(&mut run.rng("hidden folds", 0));
    let folds = folds.clamp(2, positives);
    Ok((0..folds).map(|k| order.iter().skip(k).step_by(folds).copied().collect()).collect())
}

/// Where each positive is ranked by a model that took it for a row of the pile. Each fold is hidden once.
pub fn hidden_ranks(ranker: &Ranker, data: &PuData, folds: &[Vec<usize>], run: &Run) -> Result<Ranks> {
    let (positives, pile) = (data.positives(), data.unlabeled());
    let (told, silent) = (run.last_stage(), run.without_progress());
    let done = AtomicU64::new(0);
    let ranked: Vec<Vec<(usize, Standing)>> = (folds.par_iter().enumerate())
        .map(|(k, fold)| {
            told.step(
                &format!("hiding positives from {}", ranker.name),
                done.load(Ordering::Relaxed),
                folds.len() as u64,
            )?;
            let mut train = data.clone();
            fold.iter().for_each(|&p| train.positive[positives[p]] = false);
            let scores = ranker.rank(&train, &silent.with_seed(run.seed().wrapping_add(k as u64)))?;
            done.fetch_add(1, Ordering::Relaxed);
            let mut in_pile: Vec<f64> = pile.iter().map(|&i| scores[i]).collect();
            in_pile.sort_by(f64::total_cmp);
            Ok(fold.iter().map(|&p| (p, Standing::of(scores[positives[p]], &in_pile))).collect())
        })
        .collect::<Result<_>>()?;
    let standings = Standing::in_order(ranked.into_iter().flatten(), positives.len());
    Ok(Ranks::of_standings(standings, pile.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Kind;
    use crate::data::{Csr, Data};
    use crate::method::{Spec, Weights};

    const SPEC: Spec = Spec {
        name: "row number",
        family: "test",
        title: "",
        paper: "",
        assumes: "",
        inputs: &[Kind::Sparse],
        weights: Weights::Count,
        keeps: None,
    };

    fn rows(n: usize) -> Data {
        Data::Sparse(Arc::new(Csr::new(1, vec![0; n + 1], vec![], vec![]).unwrap()))
    }

    #[test]
    fn every_positive_is_hidden_once() {
        let mut dealt: Vec<usize> = deal(11, 5, &Run::new(1)).unwrap().concat();
        dealt.sort();
        assert_eq!(dealt, (0..11).collect::<Vec<_>>());
        assert_eq!(deal(3, 5, &Run::new(1)).unwrap().len(), 3);
        assert!(deal(1, 5, &Run::new(1)).is_err());
    }

    #[test]
    fn the_ranker_sees_a_hidden_positive_as_unlabeled() {
        // Rows 4 to 7 are positive. The score is 1 for what is labelled, else it rises with the row number,
        // so a hidden positive stands below pile rows 8 to 13: six of ten.
        let positive: Vec<bool> = (0..14).map(|i| (4..8).contains(&i)).collect();
        let data = PuData::new(rows(14), positive).unwrap();
        let ranker = Ranker::new("row number", SPEC, |train: &PuData, _: &Run| {
            assert_eq!(train.positives().len(), 2);
            Ok((0..14).map(|i| if train.positive[i] { 1.0 } else { i as f64 / 14.0 }).collect())
        });
        let ranks = hidden_ranks(&ranker, &data, &[vec![0, 3], vec![1, 2]], &Run::new(0)).unwrap();
        assert_eq!(ranks.shares(), [0.6; 4]);
    }
}
