//! BBE with the errors that shares of these sizes have.
//!
//! [`bbe`](super::bbe) adds to every cut the same error, that of a share of one half. Where a class is rare the error
//! is then many times the share, and the bound prefers cuts far below the class. Here each share has its own limits
//! (Wilson's, z = sqrt(2 ln(4/δ)) as BBE's δ has it):
//!
//! ```text
//! π = q/TPR  at the q that minimises  upper(q) / lower(TPR),   TPR ≥ 1/3
//! ```
//!
//! With five rows of a large pile above half of the positives there are about ten, however many rows follow.

use super::LEAST_RECALL;
use super::bbe::DELTA;
use super::ranks::Ranks;
use crate::measure::{OF_95_PERCENT, wilson};

/// The best-bin estimate with binomial errors.
pub fn bbe_binomial(ranks: &Ranks) -> f64 {
    best_cut(ranks).map_or(1.0, |(q, recall)| (q / recall).min(1.0))
}

/// What the same cut allows if what stands above it is as little or as much as chance allows: nominal 95 %.
pub(super) fn limits(ranks: &Ranks) -> (f64, f64) {
    let of_cut = |cut: (f64, f64)| {
        let (of_pile, of_positives) = both(ranks, cut, OF_95_PERCENT);
        (of_pile.0 / of_positives.1, (of_pile.1 / of_positives.0).min(1.0))
    };
    best_cut(ranks).map_or((0.0, 1.0), of_cut)
}

/// The share of the pile and of the positives above the cut whose bound is smallest.
fn best_cut(ranks: &Ranks) -> Option<(f64, f64)> {
    let z = (2.0 * (4.0 / DELTA).ln()).sqrt();
    let bound = |cut: &(f64, f64)| {
        let (of_pile, of_positives) = both(ranks, *cut, z);
        of_pile.1 / of_positives.0
    };
    let enough = ranks.recall_curve().into_iter().filter(|(_, recall)| *recall >= LEAST_RECALL);
    enough.min_by(|a, b| bound(a).total_cmp(&bound(b)))
}

/// The limits of both shares above a cut.
fn both(ranks: &Ranks, (q, recall): (f64, f64), deviations: f64) -> ((f64, f64), (f64, f64)) {
    let of = |share: f64, rows: usize| wilson(share, rows as f64, deviations);
    (of(q, ranks.pile()), of(recall, ranks.positives()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::bbe;

    #[test]
    fn a_rare_class_is_not_taken_for_what_follows_it() {
        // Half of 100 positives within the best 10 of 10,000 rows, the others within the next 590: there are about 20.
        let rank = |i: usize| if i < 50 { 1 + i / 5 } else { 10 + 12 * (i - 49) };
        let ranks = Ranks::of_counts((0..100).map(rank), 10_000);
        assert!((bbe_binomial(&ranks) - 0.002).abs() < 0.0005, "{}", bbe_binomial(&ranks));
        assert!(bbe(&ranks) > 0.04, "{}", bbe(&ranks));
        let (least, most) = limits(&ranks);
        assert!((0.0005..0.0015).contains(&least) && (0.003..0.006).contains(&most), "{least} {most}");
    }

    #[test]
    fn a_class_that_stands_above_the_whole_pile_is_not_in_it() {
        let above_all = Ranks::of_counts((0..100).map(|i| i / 50), 10_000);
        assert!(bbe_binomial(&above_all) <= 1.5e-4 && limits(&above_all).0 < 1e-4);
    }
}
