//! recall² / Pr[f = 1] (Lee & Liu 2003): the cut that would be chosen without any negative.
//!
//! recall²/Pr[f=1] = precision · recall / π, so its maximum over all cuts is that of the product of
//! precision and recall; the share of the pile taken there is an estimate of π, high where the classes
//! overlap. Cuts above which fewer than a third of the positives stand are left out: one example at the very top would
//! be a better cut than any other.

use super::LEAST_RECALL;
use super::ranks::Ranks;

/// The estimate from the best squared recall.
pub fn recall_squared(ranks: &Ranks) -> f64 {
    let enough = ranks.recall_curve().into_iter().filter(|(_, recall)| *recall >= LEAST_RECALL);
    let best = enough.max_by(|a, b| {
        let criterion = |(q, recall): &(f64, f64)| recall * recall / q;
        criterion(a).total_cmp(&criterion(b))
    });
    best.map_or(1.0, |(q, _)| q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_cut_by_hand() {
        // (q, recall): (0.1, 0.5) gives 2.5, (0.2, 0.9) gives 4.05, (0.5, 1) gives 2.
        let ranks = Ranks::of_counts([10, 10, 10, 10, 10, 20, 20, 20, 20, 50].into_iter(), 100);
        assert_eq!(recall_squared(&ranks), 0.2);
    }
}
