//! Ranks of positives that were hidden in the pile: all that the estimators need of a ranker.

use crate::error::{Error, Result};

/// For each positive the share of the pile that is scored at or above it.
///
/// Shares are comparable between folds and between rankers. `TPR(q)`, the share of the positives with a
/// rank of at most q, is the recall when the best share q of the pile is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    shares: Vec<f64>,
    pile: usize,
}

impl Ranks {
    /// The ranks of positives by their scores among those of the pile; both sides must be scored as
    /// strangers (held out, hidden or by a model that saw neither).
    pub fn of_scores(positives: &[f64], pile: &[f64]) -> Result<Self> {
        if positives.is_empty() || pile.is_empty() {
            return Err(Error::data("ranks need scores of at least one positive and one row of the pile"));
        }
        if positives.iter().chain(pile).any(|s| s.is_nan()) {
            return Err(Error::data("a score is missing or not a number; every row needs one"));
        }
        let mut sorted = pile.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at_or_above = |s: &f64| pile.len() - sorted.partition_point(|p| p < s);
        Ok(Ranks::of_counts(positives.iter().map(at_or_above), pile.len()))
    }

    /// From the number of pile rows at or above each positive. A positive above all of them stands half a
    /// row from the top, so that no rank is zero.
    pub(crate) fn of_counts(at_or_above: impl Iterator<Item = usize>, pile: usize) -> Self {
        let shares = at_or_above.map(|count| (count as f64).max(0.5) / pile as f64).collect();
        Ranks { shares, pile }
    }

    /// From ranks that were kept.
    pub fn of_shares(shares: Vec<f64>, pile: usize) -> Self {
        Ranks { shares, pile }
    }

    /// One rank for each positive, in their order.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// How many positives.
    pub fn positives(&self) -> usize {
        self.shares.len()
    }

    /// How many rows the pile has.
    pub fn pile(&self) -> usize {
        self.pile
    }

    /// Each distinct share q with TPR(q), ascending.
    pub fn recall_curve(&self) -> Vec<(f64, f64)> {
        let mut sorted = self.shares.clone();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let mut curve: Vec<(f64, f64)> = Vec::with_capacity(sorted.len());
        for (i, q) in sorted.into_iter().enumerate() {
            let recall = (i + 1) as f64 / n;
            match curve.last_mut() {
                Some(last) if last.0 == q => last.1 = recall,
                _ => curve.push((q, recall)),
            }
        }
        curve
    }

    /// TPR(q): the recall when the best share q of the pile is taken.
    pub fn recall_at(&self, q: f64) -> f64 {
        self.shares.iter().filter(|rank| **rank <= q).count() as f64 / self.shares.len() as f64
    }

    /// The share of pairs (positive, pile row) in which the positive stands above: the PU form of the AUC.
    pub fn auc(&self) -> f64 {
        1.0 - self.shares.iter().sum::<f64>() / self.shares.len() as f64
    }

    /// The ranks of these positives, repeats allowed.
    pub fn resample(&self, positives: &[usize]) -> Ranks {
        Ranks { shares: positives.iter().map(|&i| self.shares[i]).collect(), pile: self.pile }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_count_against_the_positive() {
        let ranks = Ranks::of_scores(&[0.9, 0.5, 0.1], &[0.8, 0.5, 0.5, 0.2]).unwrap();
        assert_eq!(ranks.shares(), [0.125, 0.75, 1.0]);
        assert_eq!(ranks.recall_curve().len(), 3);
        assert!(Ranks::of_scores(&[f64::NAN], &[0.1]).is_err());
    }

    #[test]
    fn equal_ranks_share_a_point_of_the_curve() {
        let ranks = Ranks::of_scores(&[0.5, 0.5, 0.1], &[0.3, 0.6]).unwrap();
        assert_eq!(ranks.recall_curve(), [(0.5, 2.0 / 3.0), (1.0, 1.0)]);
    }
}
