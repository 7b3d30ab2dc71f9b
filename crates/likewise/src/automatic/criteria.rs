//! Which candidate ranks best, judged by where it put the hidden positives.

use rand::RngExt;
use serde::Serialize;

use crate::method::{Drawn, Tried};
use crate::prior::{Ranks, best_f1};
use crate::run::Run;

/// What hidden ranks say of a ranker.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Criteria {
    /// The chance that a hidden positive stands above a row of the pile.
    pub pu_auc: f64,
    /// The largest F1 that any cut would have under the estimated prior: max over q of 2 π TPR(q) / (q + π).
    pub estimated_f1: f64,
    /// The area counted only for the best share 2 π of the pile.
    pub partial_auc: f64,
}

impl Criteria {
    /// From where the hidden positives were ranked, under the believed share of positives.
    pub fn of(ranks: &Ranks, prior: f64) -> Self {
        let n = ranks.positives() as f64;
        let partial = ranks.middles().iter().map(|r| (1.0 - r / (2.0 * prior)).max(0.0)).sum::<f64>() / n;
        Criteria { pu_auc: ranks.auc(), estimated_f1: best_f1(ranks, prior).1, partial_auc: partial }
    }

    /// As the summary keeps it. Hidden positives that stand better than the prior allows would make F1 more than 1.
    pub fn tried(&self, method: String) -> Tried {
        let Criteria { pu_auc, estimated_f1, partial_auc } = *self;
        Tried { method, pu_auc, estimated_f1: estimated_f1.min(1.0), partial_auc }
    }

    fn values(&self) -> [f64; 3] {
        [self.pu_auc, self.estimated_f1, self.partial_auc]
    }
}

/// Positions of the candidates, the chosen one first. The winner by `order` must beat the first candidate by more
/// than the noise of the hidden positives, which reaches as far in `chance` of the cases; else the first, which is the
/// best on average, stays. Examples that are too typical are easy to find for simpler candidates as well, and say nothing
/// of those who find the others.
pub fn choose(
    ranks: &[Ranks],
    criteria: &[Criteria],
    prior: f64,
    drawn: Option<Drawn>,
    chance: f64,
    run: &Run,
) -> Vec<usize> {
    let mut order = order(criteria);
    let beaten = || clearly_better(order[0] - 1, &gains(ranks, prior), chance, run);
    if order[0] != 0 && (too_typical(drawn) || !beaten()) {
        order.retain(|candidate| *candidate != 0);
        order.insert(0, 0);
    }
    order
}

/// Whether the examples are too typical for a random draw.
pub fn too_typical(drawn: Option<Drawn>) -> bool {
    drawn.is_some_and(|drawn| drawn.alarm())
}

/// With one challenger this asks for about half a standard error, with a dozen that are unlike each other for two.
pub const CHANCE: f64 = 0.3;
const FLIPS: usize = 1000;

/// What each challenger gains over the first candidate at every hidden positive: its share of both areas.
fn gains(ranks: &[Ranks], prior: f64) -> Vec<Vec<f64>> {
    let worth = |r: f64| 1.0 - r + (1.0 - r / (2.0 * prior)).max(0.0);
    let gains = |challenger: &Ranks| -> Vec<f64> {
        challenger.middles().iter().zip(ranks[0].middles()).map(|(a, b)| worth(*a) - worth(*b)).collect()
    };
    ranks[1..].iter().map(gains).collect()
}

/// Whether the best of so many challengers, given their gains over the first candidate piece by piece, would gain less in
/// all but `chance` of the cases if none was better. Then each piece's gains might as well have the other sign: the
/// largest t of all challengers under random signs, the same for all of them, is what the winner's own is held against
/// (Westfall & Young 1993), so many candidates and few pieces both ask for more.
pub fn clearly_better(winner: usize, gains: &[Vec<f64>], chance: f64, run: &Run) -> bool {
    let n = gains[0].len() as f64;
    let squares: Vec<f64> = gains.iter().map(|own| own.iter().map(|gain| gain * gain).sum()).collect();
    let t = |challenger: usize, sum: f64| {
        let (mean, square) = (sum / n, squares[challenger]);
        let variance = (square - n * mean * mean) / (n - 1.0).max(1.0);
        // Gains that are all equal are no noise.
        if variance > 1e-12 * square { mean / (variance / n).sqrt() } else { mean.signum() * f64::MAX }
    };
    if squares[winner] == 0.0 {
        return false;
    }
    let own = t(winner, gains[winner].iter().sum());
    let mut rng = run.rng("evidence", 0);
    let mut signs = vec![1.0f64; gains[0].len()];
    let mut as_large = 0;
    for _ in 0..FLIPS {
        signs.iter_mut().for_each(|sign| *sign = if rng.random::<bool>() { 1.0 } else { -1.0 });
        let flipped = |c: &usize| {
            let sum: f64 = gains[*c].iter().zip(&signs).map(|(gain, sign)| gain * sign).sum();
            squares[*c] > 0.0 && t(*c, sum) >= own
        };
        as_large += usize::from((0..gains.len()).any(|c| flipped(&c)));
    }
    own > 0.0 && (as_large + 1) as f64 <= chance * (FLIPS + 1) as f64
}

/// Positions of the candidates, best first: by the sum of their ranks under the three criteria, equals in order.
fn order(criteria: &[Criteria]) -> Vec<usize> {
    let sums: Vec<f64> = (0..criteria.len())
        .map(|c| {
            let place = |k: usize| {
                let own = criteria[c].values()[k];
                let better = criteria.iter().filter(|other| other.values()[k] > own).count();
                let equal = criteria.iter().filter(|other| other.values()[k] == own).count();
                better as f64 + 0.5 * equal as f64
            };
            (0..3).map(place).sum()
        })
        .collect();
    let mut order: Vec<usize> = (0..criteria.len()).collect();
    order.sort_by(|&a, &b| sums[a].total_cmp(&sums[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_ranker_by_hand() {
        // Two positives at ranks 1/10 and 2/10 of a pile with prior 0.2.
        let ranks =
            Ranks::of_scores(&[9.5, 8.5], &[10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]).unwrap();
        let criteria = Criteria::of(&ranks, 0.2);
        assert!((criteria.estimated_f1 - 1.0).abs() < 1e-12, "{criteria:?}");
        assert!((criteria.partial_auc - (0.75 + 0.5) / 2.0).abs() < 1e-12, "{criteria:?}");
        assert_eq!(best_f1(&ranks, 0.2).0, 0.2);
    }

    /// A ranker of few scores is not punished for them: cut nowhere else, equals stand where they stand on average.
    #[test]
    fn equal_scores_count_half() {
        let pile: Vec<f64> = (0..100).map(f64::from).collect();
        let fine = Ranks::of_scores(&[94.5, 84.5], &pile).unwrap();
        let coarse: Vec<f64> = pile.iter().map(|score| (score / 10.0).floor()).collect();
        let coarse = Ranks::of_scores(&[9.0, 8.0], &coarse).unwrap();
        let [fine, coarse] = [&fine, &coarse].map(|ranks| Criteria::of(ranks, 0.2));
        assert_eq!((fine.pu_auc, fine.partial_auc), (coarse.pu_auc, coarse.partial_auc));
    }

    #[test]
    fn noise_does_not_unseat_the_first() {
        let pile: Vec<f64> = (0..100).map(f64::from).collect();
        let ranks = |scores: &[f64]| Ranks::of_scores(scores, &pile).unwrap();
        let criteria = |all: &[Ranks]| all.iter().map(|r| Criteria::of(r, 0.2)).collect::<Vec<_>>();
        let first = [97.5, 95.5, 80.5, 96.5];
        // One positive far better, the others a little worse.
        let noisy = [ranks(&first), ranks(&[96.5, 94.5, 97.5, 95.5])];
        assert_eq!(choose(&noisy, &criteria(&noisy), 0.2, None, CHANCE, &Run::new(0)), [0, 1]);
        let clear = [ranks(&first), ranks(&[98.5, 98.5, 90.5, 98.5])];
        assert_eq!(choose(&clear, &criteria(&clear), 0.2, None, CHANCE, &Run::new(0)), [1, 0]);
        let typical = Drawn {
            compared: 4,
            deviations: 3.0,
            limit: 2.5,
            strength: 1.0,
            strength_high: 2.0,
            marked_beside: 1.0,
        };
        assert_eq!(choose(&clear, &criteria(&clear), 0.2, Some(typical), CHANCE, &Run::new(0)), [0, 1]);
    }

    #[test]
    fn the_better_in_most_respects_comes_first() {
        let c = |a, b, c| Criteria { pu_auc: a, estimated_f1: b, partial_auc: c };
        assert_eq!(order(&[c(0.7, 0.5, 0.5), c(0.9, 0.6, 0.4), c(0.8, 0.4, 0.3)]), [1, 0, 2]);
        assert_eq!(order(&[c(0.7, 0.5, 0.5), c(0.7, 0.5, 0.5)]), [0, 1]);
    }
}
