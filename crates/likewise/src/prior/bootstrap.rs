//! How far an estimate moves when other positives had been marked: the bootstrap over the positives.
//!
//! The pile is not resampled, since it is what the statement is about.

use rand::RngExt;
use rayon::prelude::*;

use super::{Estimate, Ranks, nb_em, quantile, within, word_bound};
use crate::data::{Csr, PuData};
use crate::error::Result;
use crate::parts::naive_bayes::{Event, WordCounts};
use crate::run::Run;

/// The 2.5 % and the 97.5 % point of the resampled estimates.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    fn of(estimates: &[f64]) -> Option<Self> {
        let low = || quantile(estimates, 0.025);
        (!estimates.is_empty()).then(|| Interval { low: low(), high: quantile(estimates, 0.975) })
    }
}

/// Positions of positives drawn with replacement; the same draws serve every estimator and ranker.
pub struct Resamples {
    draws: Vec<Vec<usize>>,
}

impl Resamples {
    pub fn draw(positives: usize, resamples: usize, run: &Run) -> Self {
        let one = |b: usize| {
            let mut rng = run.rng("prior bootstrap", b as u64);
            (0..positives).map(|_| rng.random_range(0..positives)).collect()
        };
        Resamples { draws: (0..resamples).map(one).collect() }
    }

    pub fn interval(&self, ranks: &[Ranks], estimate: impl Fn(&[Ranks]) -> f64 + Sync) -> Option<Interval> {
        let estimates: Vec<f64> = (self.draws.par_iter())
            .map(|draw| estimate(&ranks.iter().map(|r| r.resample(draw)).collect::<Vec<_>>()))
            .collect();
        Interval::of(&estimates)
    }
}

/// The estimators that need words instead of ranks.
pub fn of_words(x: &Csr, labels: &PuData, resamples: usize, run: &Run) -> Result<Vec<Estimate>> {
    let (positives, unlabeled) = (labels.positives(), labels.unlabeled());
    let limit = |p: f64| within(p, unlabeled.len());
    let pile = WordCounts::of(x, &unlabeled, Event::Bernoulli);
    let positive = WordCounts::of(x, &positives, Event::Bernoulli);
    let resampled: Vec<WordCounts> = (Resamples::draw(positives.len(), resamples, run).draws.par_iter())
        .map(|draw| {
            let rows: Vec<usize> = draw.iter().map(|&p| positives[p]).collect();
            WordCounts::of(x, &rows, Event::Bernoulli)
        })
        .collect();
    let mut estimates = Vec::new();
    if let Some(bound) = word_bound(&positive, &pile) {
        let bounds: Vec<f64> =
            resampled.iter().filter_map(|positive| word_bound(positive, &pile)).map(limit).collect();
        estimates.push(Estimate::new("word-bound", limit(bound), Interval::of(&bounds)));
    }
    let (claimed, posteriors) = nb_em(x, &positive, &unlabeled, run)?;
    let claims: Vec<f64> = (resampled.par_iter())
        .map(|positive| {
            let again = super::nb_em::nb_em_from(posteriors.clone(), x, positive, &unlabeled, run)?;
            Ok(limit(again.0))
        })
        .collect::<Result<_>>()?;
    estimates.push(Estimate::new("nb-em", limit(claimed), Interval::of(&claims)));
    Ok(estimates)
}
