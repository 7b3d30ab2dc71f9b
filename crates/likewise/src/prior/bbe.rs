//! BBE, best bin estimation (Garg et al. 2021): the top of the ranking where it is purest.
//!
//! At any cut the pile holds at least its positives, so π TPR(q) ≤ q and q / TPR(q) bounds π from above.
//! The bound is taken where it is smallest once its own uncertainty is added:
//!
//! ```text
//! π = q/TPR  at the q that minimises  q/TPR + (1 + γ) e/TPR,   e = sqrt(ln(4/δ)/2m) + sqrt(ln(4/δ)/2n)
//! ```
//!
//! with γ = 0.01 and δ = 0.1. Too high when there are few positives: the error term then prefers large q.

use super::ranks::Ranks;

const GAMMA: f64 = 0.01;
pub(super) const DELTA: f64 = 0.1;

/// The best-bin estimate.
pub fn bbe(ranks: &Ranks) -> f64 {
    let deviation = |n: usize| ((4.0 / DELTA).ln() / (2.0 * n as f64)).sqrt();
    let error = (1.0 + GAMMA) * (deviation(ranks.pile()) + deviation(ranks.positives()));
    let best = ranks.recall_curve().into_iter().min_by(|a, b| {
        let bound = |(q, recall): &(f64, f64)| (q + error) / recall;
        bound(a).total_cmp(&bound(b))
    });
    best.map_or(1.0, |(q, recall)| (q / recall).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bins_by_hand() {
        // n = m = 200: e = 2 sqrt(ln 40 / 400) = 0.19206. Half of the positives at q = 0.1, all at q = 1:
        // (0.1 + 1.01 e)/0.5 = 0.588 beats (1 + 1.01 e)/1, so π = 0.1/0.5.
        let ranks = Ranks::of_counts((0..200).map(|i| if i < 100 { 20 } else { 200 }), 200);
        assert!((bbe(&ranks) - 0.2).abs() < 1e-12);
        // Three percent at the very top bound it by 0.005/0.03, but that is not to be trusted.
        let few = Ranks::of_counts((0..200).map(|i| if i < 6 { 1 } else { 100 }), 200);
        assert!((bbe(&few) - 0.5).abs() < 1e-12);
    }
}
