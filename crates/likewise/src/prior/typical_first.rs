//! What the ranks of hidden positives would be under a random draw, if typical ones were marked first.
//!
//! Let a number z say how typical a member of the class is, standard normal in the class, and let marking prefer it by
//! exp(λ z): the marked are normal around λ. Where a ranking follows z, the share u of the class that stands above a place
//! and the share v of the marked that does belong to each other,
//!
//! ```text
//! Φ⁻¹(u) = Φ⁻¹(v) - λ
//! ```
//!
//! so the recall curve of the marked tells that of the class, and every estimator may read it. Below the last of the
//! marked nothing is known; what of the class lies there is taken to stand at the end.

use super::{Estimate, PriorOptions, Ranks, of_ranks};
use crate::error::Result;
use crate::run::Run;

/// The prior and its range if marking preferred typical rows by this strength.
pub fn if_typical_first(
    ranks: &[(String, Ranks)],
    strength: f64,
    options: &PriorOptions,
    run: &Run,
) -> Result<Estimate> {
    let shifted = ranks.iter().map(|(name, ranks)| (name.clone(), ranks.of_the_class(strength))).collect();
    Ok(of_ranks(shifted, options, run)?.default_estimate().clone())
}

/// The share of the class that a cut holds which holds this share of the marked.
pub fn recall_if_typical_first(of_marked: f64, strength: f64) -> f64 {
    normal_share(normal_place(of_marked) - strength)
}

impl Ranks {
    /// As many ranks as there are, spread as those of the whole class would be.
    pub fn of_the_class(&self, strength: f64) -> Ranks {
        let mut sorted = self.shares().to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let rank = |j: usize| {
            let of_class = (j as f64 + 0.5) / n;
            let at = normal_share(normal_place(of_class) + strength) * n - 0.5;
            let before = at.floor().max(0.0) as usize;
            match sorted.get(before..before + 2) {
                Some(&[a, b]) => a + (b - a) * (at - before as f64).clamp(0.0, 1.0),
                _ if at <= n - 1.0 => sorted[sorted.len() - 1],
                _ => 1.0,
            }
        };
        Ranks::of_shares((0..sorted.len()).map(rank).collect(), self.pile())
    }
}

/// Φ: the share of a standard normal below a place (Abramowitz & Stegun 26.2.17, to 7.5e-8).
fn normal_share(place: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * place.abs());
    let polynomial = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530]
        .iter()
        .fold(0.0, |sum, c| (sum + c) * t);
    let above = (-0.5 * place * place).exp() / (2.0 * std::f64::consts::PI).sqrt() * polynomial;
    if place > 0.0 { 1.0 - above } else { above }
}

/// Φ⁻¹, by bisection; shares of 0 and 1 are at the ends of what matters.
fn normal_place(share: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if normal_share(middle) < share { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_curve_and_back() {
        assert!((normal_share(0.0) - 0.5).abs() < 1e-7 && (normal_share(1.96) - 0.975).abs() < 1e-4);
        for share in [0.001, 0.2, 0.5, 0.9, 0.999] {
            assert!((normal_share(normal_place(share)) - share).abs() < 1e-6);
        }
        // 97.7 % of the marked lie above the mean of the class where marking prefers by two deviations.
        assert!((recall_if_typical_first(0.97725, 2.0) - 0.5).abs() < 1e-3);
        assert!((recall_if_typical_first(0.7, 0.0) - 0.7).abs() < 1e-6);
        assert!(recall_if_typical_first(0.0, 2.0) < 1e-6 && recall_if_typical_first(1.0, 2.0) > 0.999);
    }

    #[test]
    fn a_class_of_which_the_best_were_marked_is_larger_than_it_looks() {
        // The class is the best tenth of 10,000 rows, in the order of z; forty marked by a preference of 1.5 stand where
        // Φ(1.5 - z) says. Taken for a random draw they tell a fraction of the class.
        let ranks: Vec<f64> = (0..40)
            .map(|j| 0.1 * normal_share(normal_place((f64::from(j) + 0.5) / 40.0) - 1.5))
            .map(|share| share.max(0.5 / 10_000.0))
            .collect();
        let named = vec![("own".to_string(), Ranks::of_shares(ranks, 10_000))];
        let (options, run) = (PriorOptions::default(), Run::new(0));
        let at_random = of_ranks(named.clone(), &options, &run).unwrap().default_estimate().high;
        let typical = if_typical_first(&named, 1.5, &options, &run).unwrap().high;
        assert!(at_random < 0.08 && (0.08..0.3).contains(&typical), "{at_random} {typical}");
        let none = if_typical_first(&named, 0.0, &options, &run).unwrap().high;
        assert!((none - at_random).abs() < 0.05, "{none} {at_random}");
    }
}
