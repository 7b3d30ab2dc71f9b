//! Ranks of positives that were hidden in the pile: all that the estimators need of a ranker.

use crate::error::{Error, Result};

/// For each positive the share of the pile that is scored at or above it.
///
/// Shares are comparable between folds and between rankers. `TPR(q)`, the share of the positives with a
/// rank of at most q, is the recall when the best share q of the pile is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    shares: Vec<f64>,
    /// The same where equals count half.
    middles: Vec<f64>,
    pile: usize,
}

/// Where a positive stands in a pile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Rows of the pile at or above it.
    pub at_or_above: usize,
    /// Rows of the pile beside it.
    pub equal: usize,
}

impl Standing {
    /// By its score among those of the pile, ascending.
    pub fn of(score: f64, sorted_pile: &[f64]) -> Self {
        let below = sorted_pile.partition_point(|p| *p < score);
        let equal = sorted_pile[below..].partition_point(|p| *p == score);
        Standing { at_or_above: sorted_pile.len() - below, equal }
    }

    /// Each with the number of its positive, brought into their order; every positive must be there.
    pub(crate) fn in_order(
        numbered: impl Iterator<Item = (usize, Standing)>,
        positives: usize,
    ) -> impl Iterator<Item = Standing> {
        let mut all = vec![Standing { at_or_above: 0, equal: 0 }; positives];
        numbered.for_each(|(positive, standing)| all[positive] = standing);
        all.into_iter()
    }
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
        Ok(Ranks::of_standings(positives.iter().map(|s| Standing::of(*s, &sorted)), pile.len()))
    }

    /// A positive above all of the pile stands half a row from the top, so that no rank is zero.
    pub(crate) fn of_standings(standings: impl Iterator<Item = Standing>, pile: usize) -> Self {
        let share = |count: f64| count.max(0.5) / pile as f64;
        let both = standings.map(|Standing { at_or_above, equal }| {
            let at_or_above = at_or_above as f64;
            (share(at_or_above), share(at_or_above - 0.5 * equal as f64))
        });
        let (shares, middles) = both.unzip();
        Ranks { shares, middles, pile }
    }

    /// From the number of pile rows above each positive, where none is beside it.
    #[cfg(test)]
    pub(crate) fn of_counts(above: impl Iterator<Item = usize>, pile: usize) -> Self {
        Ranks::of_standings(above.map(|at_or_above| Standing { at_or_above, equal: 0 }), pile)
    }

    /// From ranks that were kept.
    pub fn of_shares(shares: Vec<f64>, pile: usize) -> Self {
        Ranks { middles: shares.clone(), shares, pile }
    }

    /// One rank for each positive, in their order: what a cut that takes it in takes in of the pile.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The same with half of the equals, which is where a positive stands on average if equals are put in any order: two
    /// rankers are compared by it, of which one may know few scores.
    pub fn middles(&self) -> &[f64] {
        &self.middles
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

    /// The share of pairs (positive, pile row) in which the positive stands above, equals for half: the PU form of the AUC.
    pub fn auc(&self) -> f64 {
        1.0 - self.middles.iter().sum::<f64>() / self.middles.len() as f64
    }

    /// The ranks of these positives, repeats allowed.
    pub fn resample(&self, positives: &[usize]) -> Ranks {
        let of = |all: &[f64]| positives.iter().map(|&i| all[i]).collect();
        Ranks { shares: of(&self.shares), middles: of(&self.middles), pile: self.pile }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_count_against_a_cut_and_half_in_a_comparison() {
        let ranks = Ranks::of_scores(&[0.9, 0.5, 0.1], &[0.8, 0.5, 0.5, 0.2]).unwrap();
        assert_eq!(ranks.shares(), [0.125, 0.75, 1.0]);
        assert_eq!(ranks.middles(), [0.125, 0.5, 1.0]);
        assert!((ranks.auc() - (1.0 - 1.625 / 3.0)).abs() < 1e-12);
        // One score for all tells nothing.
        assert_eq!(Ranks::of_scores(&[0.5; 3], &[0.5; 4]).unwrap().auc(), 0.5);
        assert_eq!(ranks.recall_curve().len(), 3);
        assert!(Ranks::of_scores(&[f64::NAN], &[0.1]).is_err());
    }

    #[test]
    fn equal_ranks_share_a_point_of_the_curve() {
        let ranks = Ranks::of_scores(&[0.5, 0.5, 0.1], &[0.3, 0.6]).unwrap();
        assert_eq!(ranks.recall_curve(), [(0.5, 2.0 / 3.0), (1.0, 1.0)]);
    }
}
