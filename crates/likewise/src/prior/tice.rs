//! TIcE (Bekker & Davis 2018) on ranks: the part of the data where the labelled share is highest bounds
//! the label frequency c from below.
//!
//! A part of T rows, L of them labelled, says c ≥ L/T - sqrt(c (1 - c)(1 - δ)/(δ T)). The parts here are
//! those a tree on the rank would cut: the best half of the pile, the best quarter, and so on. With a pile
//! far larger than P the bound is useless, so the pile is thinned to |P| by counting each of its rows n/m
//! times; the prior is then 1/c - 1. A weak estimator, kept for comparison.

use super::ranks::Ranks;

/// A part smaller than this says nothing.
const SMALLEST: f64 = 10.0;

/// The estimate from the most positive part.
pub fn tice(ranks: &Ranks) -> f64 {
    let n = ranks.positives() as f64;
    let curve = ranks.recall_curve();
    let recall = |q: f64| match curve.partition_point(|(at, _)| *at <= q) {
        0 => 0.0,
        k => curve[k - 1].1,
    };
    // Both halves of all rows are labelled equally often, so the whole gives c ≥ 1/2 less its error.
    let mut c: f64 = 0.5;
    for _ in 0..10 {
        let mut best = 0.0f64;
        let mut q = 1.0;
        loop {
            let rows = n * (recall(q) + q);
            if rows < SMALLEST {
                break;
            }
            let delta = (1.0 / (1.0 + 0.004 * rows)).max(0.025);
            let error = (c * (1.0 - c) * (1.0 - delta) / (delta * rows)).max(0.0).sqrt();
            best = best.max(n * recall(q) / rows - error);
            q *= 0.5;
        }
        if (best - c).abs() < 1e-6 {
            break;
        }
        c = best;
    }
    (1.0 / c.max(0.5) - 1.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_a_clean_split_from_above() {
        // All positives within the best quarter: c is 1/(1 + 1/4), less an error for 5,000 rows.
        let ranks = Ranks::of_counts((0..4000).map(|i| 1 + i * 5 / 2), 40_000);
        let found = tice(&ranks);
        assert!((0.25..0.5).contains(&found), "{found}");
    }

    #[test]
    fn too_few_rows_say_nothing() {
        assert_eq!(tice(&Ranks::of_counts([1, 2].into_iter(), 10)), 1.0);
    }
}
