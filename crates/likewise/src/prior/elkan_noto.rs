//! Elkan & Noto (2008) on ranks: c = Pr[labelled | positive] is the mean of Pr[labelled | x] over
//! positives that the estimate did not learn from.
//!
//! Pr[labelled | x] follows from the ranks by isotonic regression of "labelled" on the rank, fitted on one
//! half of the positives and averaged over the other, both ways round. The pile then holds n/c - n
//! positives among its m rows. High where the classes overlap, since some negatives look labelled too.

use super::ranks::Ranks;
use crate::parts::isotonic::rising;

/// The estimate from the mean rank share.
pub fn elkan_noto(ranks: &Ranks) -> f64 {
    let mut sorted = ranks.shares().to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let half = |odd: usize| sorted.iter().skip(odd).step_by(2).copied().collect::<Vec<_>>();
    let (even, odd) = (half(0), half(1));
    if odd.is_empty() {
        return 1.0;
    }
    let n = ranks.positives() as f64;
    let m = ranks.pile() as f64;
    let sum = labelled_chance(&even, n, m, &odd) + labelled_chance(&odd, n, m, &even);
    let c = sum / n;
    ((n / c - n) / m).clamp(0.0, 1.0)
}

/// The sum of Pr[labelled | rank] over `judged`, learned from `taught`; both lie worst rank first.
fn labelled_chance(taught: &[f64], n: f64, m: f64, judged: &[f64]) -> f64 {
    // Between two taught positives lies a stretch of the pile; the density of labels there, made to rise
    // towards the top, is what isotonic regression of 0s (pile) and 1s (labelled) would give.
    let each = n / taught.len() as f64;
    let stretches: Vec<f64> =
        std::iter::once(1.0).chain(taught.iter().copied()).zip(taught).map(|(a, b)| m * (a - b)).collect();
    let chances: Vec<f64> = stretches.iter().map(|rows| each / (each + rows)).collect();
    let weights: Vec<f64> = stretches.iter().map(|rows| each + rows).collect();
    let chances = rising(&chances, &weights);
    judged.iter().map(|r| chances[taught.partition_point(|t| t >= r).min(taught.len() - 1)]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_ranking_gives_the_share_at_the_top() {
        // 200 positives evenly within the best 300 of 1,000 pile rows, all of which are positive: c = 0.4.
        let ranks = Ranks::of_counts((0..200).map(|i| 1 + i * 3 / 2), 1000);
        assert!((elkan_noto(&ranks) - 0.3).abs() < 0.02, "{}", elkan_noto(&ranks));
    }

    #[test]
    fn one_positive_says_nothing() {
        assert_eq!(elkan_noto(&Ranks::of_counts([1].into_iter(), 10)), 1.0);
    }
}
