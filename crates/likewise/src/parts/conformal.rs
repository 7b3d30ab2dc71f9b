//! A cut on any statistic, from how the positives themselves score when each is left out of the learning.
//!
//! If a row of the pile is positive, its statistic s is one more draw of what the n positives give, so its
//! p-value (1 + #{positives with statistic <= s}) / (n + 1) is uniform; other rows crowd at small p-values.
//! Storey's estimate of the share of positives in the pile of m rows is #{p > l} / ((1 - l) m). Calling
//! p <= t unexpected then errs on about share m t positives, so the F1 of every t can be estimated without a
//! negative example, and the best t is taken.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whose estimated F1 the cut makes as large as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// That of the positives or that of the others, whichever seem fewer in the pile
    Rarer,
    /// That of the positives
    Positives,
    /// That of the rows unlike the positives
    Unexpected,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Rows with at least this statistic are positive.
    pub threshold: f64,
    /// The estimated share of positives in the pile.
    pub share: f64,
}

/// `left_out` are the positives' statistics, each computed without that positive. None for an empty side.
pub fn cut(left_out: &[f64], pile: &[f64], goal: Goal) -> Option<Cut> {
    if left_out.is_empty() || pile.is_empty() {
        return None;
    }
    let sorted = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values
    };
    let (left_out, pile) = (sorted(left_out), sorted(pile));
    let (n, m) = (left_out.len() as f64, pile.len() as f64);
    let share = share_of_positives(&left_out, &pile);
    let of_positives = match goal {
        Goal::Rarer => share < 0.5,
        Goal::Positives => true,
        Goal::Unexpected => false,
    };
    let (positives, others) = (share * m, (1.0 - share) * m);
    // Where no row of the pile seems positive, every estimate is 0 and none is called so.
    let above_all =
        || left_out.iter().find(|s| **s > pile[pile.len() - 1]).unwrap_or(&left_out[left_out.len() - 1]);
    let mut best = (0.0, if of_positives { *above_all() } else { left_out[0].min(pile[0]) });
    for (rank, &threshold) in left_out.iter().enumerate() {
        let t = (1.0 + rank as f64) / (n + 1.0);
        let below = pile.partition_point(|s| *s < threshold) as f64;
        let estimate = if of_positives {
            let called = m - below;
            2.0 * called.min(positives * (1.0 - t)) / (called + positives)
        } else {
            2.0 * (below - positives * t).clamp(0.0, others) / (below + others)
        };
        if estimate > best.0 {
            best = (estimate, threshold);
        }
    }
    Some(Cut { threshold: best.1, share })
}

/// Storey's estimate. A late start of the count is less biased, an early one less noisy: the first is used
/// while it finds many rows unexpected, where bias matters more.
fn share_of_positives(left_out: &[f64], pile: &[f64]) -> f64 {
    const LATE: f64 = 0.5;
    const EARLY: f64 = 0.1;
    const MANY_UNEXPECTED: f64 = 0.3;
    let n = left_out.len();
    let estimate = |from: f64| {
        // p > from where more than from (n + 1) - 1 left-out statistics are at most s: at least this many.
        let rank = (from * (n as f64 + 1.0)).floor() as usize;
        let below = match rank.checked_sub(1) {
            Some(last) => pile.partition_point(|s| *s < left_out[last]),
            None => 0,
        };
        let above = pile.len() - below;
        (above as f64 / ((1.0 - from) * pile.len() as f64)).min(1.0)
    };
    let late = estimate(LATE);
    if 1.0 - late > MANY_UNEXPECTED { late } else { estimate(EARLY) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positives everywhere on 0..1000, others below all of them.
    fn pile(positives: usize, others: usize) -> Vec<f64> {
        let spread = (0..positives).map(|i| 1000.0 * (i as f64 + 0.5) / positives as f64);
        spread.chain((0..others).map(|i| -1.0 - i as f64)).collect()
    }

    #[test]
    fn separated_rows_are_separated() {
        let left_out: Vec<f64> = (0..1000).map(f64::from).collect();
        for (positives, others) in [(950, 50), (50, 950), (500, 500)] {
            let found = cut(&left_out, &pile(positives, others), Goal::Rarer).unwrap();
            assert!((found.share - positives as f64 / 1000.0).abs() < 0.01, "{found:?}");
            assert!((0.0..=2.0).contains(&found.threshold), "{found:?}");
        }
    }

    #[test]
    fn a_pile_of_positives_is_left_alone() {
        let left_out: Vec<f64> = (0..1000).map(f64::from).collect();
        let found = cut(&left_out, &pile(800, 0), Goal::Rarer).unwrap();
        assert!(found.share > 0.99 && found.threshold <= 1.0, "{found:?}");
    }

    #[test]
    fn few_left_out_positives_do_not_hide_those_of_the_pile() {
        // Five draws cut the line into six equal parts; the pile lies evenly on all six.
        let left_out = [1.0, 2.0, 3.0, 4.0, 5.0];
        let pile: Vec<f64> = (0..60).map(|i| (f64::from(i) + 0.5) / 10.0).collect();
        assert_eq!(share_of_positives(&left_out, &pile), 1.0);
        // A third of the pile below all of them: p > .5 on a third of its rows, two thirds are positive.
        let mixed: Vec<f64> = (0..30).map(|i| f64::from(i) - 30.0).chain(pile).collect();
        assert!((share_of_positives(&left_out, &mixed) - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_pile_without_positives_is_all_unexpected() {
        let left_out: Vec<f64> = (0..100).map(f64::from).collect();
        let pile: Vec<f64> = (0..50).map(|i| f64::from(i) / 10.0).collect();
        let found = cut(&left_out, &pile, Goal::Rarer).unwrap();
        assert_eq!((found.share, found.threshold), (0.0, 5.0));
    }

    #[test]
    fn ties_and_single_rows_are_no_trouble() {
        assert_eq!(cut(&[1.0; 3], &[1.0; 4], Goal::Rarer), Some(Cut { threshold: 1.0, share: 1.0 }));
        let one = cut(&[0.5], &[0.7, 0.1], Goal::Unexpected).unwrap();
        assert!(one.threshold <= 0.5 && (0.0..=1.0).contains(&one.share));
        assert_eq!(cut(&[], &[1.0], Goal::Rarer), None);
    }
}
