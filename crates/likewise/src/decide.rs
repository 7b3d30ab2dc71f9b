//! Scores → labels, and the links that bring a method's private scale to the public one.
//!
//! Public scale: within [0, 1], larger is more likely positive, and positive means at least 0.5.

/// The public decision.
pub fn is_positive(score: f64) -> bool {
    score >= 0.5
}

/// A probability from log-odds, for scores that are meant as probabilities.
pub fn logistic(log_odds: f64) -> f64 {
    if log_odds >= 0.0 {
        1.0 / (1.0 + (-log_odds).exp())
    } else {
        let odds = log_odds.exp();
        odds / (1.0 + odds)
    }
}

/// A score from a margin without bound whose threshold is 0.
///
/// Unlike `logistic` it stays strictly increasing where doubles allow it: naive Bayes log-odds of long
/// documents run into the thousands, where a probability is 1 to the last bit and the ranking would be lost.
pub fn squash(margin: f64) -> f64 {
    if margin.is_infinite() {
        return if margin > 0.0 { 1.0 } else { 0.0 };
    }
    let distance = margin.abs();
    if margin >= 0.0 { 0.5 + 0.5 * (distance / (1.0 + distance)) } else { 0.5 / (1.0 + distance) }
}

/// The way back from [`squash`]: a finite margin for every score, above 0 exactly where the score is positive.
pub fn margin(score: f64) -> f64 {
    if is_positive(score) {
        // 1 - score is exact here, and at least the distance of two doubles unless the score is 1.
        let distance = (score - 0.5) / (1.0 - score).max(f64::EPSILON / 4.0);
        distance.max(f64::MIN_POSITIVE)
    } else {
        // A score of -0 is one of 0.
        (1.0 - 0.5 / score.abs()).max(f64::MIN)
    }
}

/// Maps a similarity within [0, 1] so that `threshold` becomes 0.5, piecewise linearly.
pub fn recenter(similarity: f64, threshold: f64) -> f64 {
    let s = similarity.clamp(0.0, 1.0);
    let t = threshold.clamp(0.0, 1.0);
    if s >= t { if t >= 1.0 { 1.0 } else { 0.5 + 0.5 * (s - t) / (1.0 - t) } } else { 0.5 * s / t }
}

/// A probability estimate that may exceed 1, bent below 1 from 0.9 on, so that the ranking is never cut off.
pub fn soft_ceiling(probability: f64) -> f64 {
    const KNEE: f64 = 0.9;
    const ROOM: f64 = 1.0 - KNEE;
    let p = probability.max(0.0);
    if p <= KNEE { p } else { 1.0 - ROOM / (1.0 + (p - KNEE) / ROOM) }
}

/// Row numbers, best score first; equal scores keep the order of their rows.
pub fn ranking(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_threshold_is_one_half() {
        assert_eq!((logistic(0.0), squash(0.0), recenter(0.3, 0.3)), (0.5, 0.5, 0.5));
        assert!(is_positive(0.5) && !is_positive(0.499));
        assert_eq!((recenter(1.0, 1.0), recenter(0.0, 0.0)), (1.0, 0.5));
    }

    #[test]
    fn squash_still_ranks_where_a_probability_cannot() {
        assert_eq!(logistic(900.0), logistic(901.0));
        assert!(squash(900.0) < squash(901.0));
        assert!(squash(-901.0) < squash(-900.0));
        assert_eq!((squash(f64::INFINITY), squash(f64::NEG_INFINITY)), (1.0, 0.0));
    }

    #[test]
    fn a_margin_is_positive_where_the_score_is() {
        assert_eq!((margin(0.75), margin(0.25)), (1.0, -1.0));
        for score in [-0.0, 0.0, 5e-324, 0.5f64.next_down(), 0.5, 1.0f64.next_down(), 1.0] {
            assert_eq!(margin(score) > 0.0, is_positive(score), "{score}");
            assert!(margin(score).is_finite(), "{score}");
        }
        assert!(margin(1.0f64.next_down()) < margin(1.0));
    }

    proptest! {
        #[test]
        fn margin_undoes_squash(a in -1e6f64..1e6) {
            prop_assert!((margin(squash(a)) - a).abs() <= 1e-9 * a.abs().powi(2).max(1.0));
        }

        #[test]
        fn links_are_monotone_and_bounded(a in -1e6f64..1e6, b in -1e6f64..1e6) {
            let (low, high) = (a.min(b), a.max(b));
            for link in [logistic, squash, soft_ceiling] {
                prop_assert!(link(low) <= link(high));
                prop_assert!((0.0..=1.0).contains(&link(a)));
            }
        }
    }
}
