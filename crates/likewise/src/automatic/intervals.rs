//! How sure: intervals that hold without a single negative.
//!
//! Recall at a cut is a share of positives, and hidden positives are positives: Clopper-Pearson, widened by the
//! fact that the pile's own N₊ positives are a sample too. Precision and F1 need the prior, whose error dominates
//! every other, so they are boxes over its whole range; an interval with the prior held fixed would cover a third
//! of what it promises.

use rand_distr::{Beta, Binomial, Distribution};

use crate::measure::{estimated_f1, estimated_precision};
use crate::method::Range;
use crate::run::Run;

/// Nominal level: two sides of this together.
pub const OUTSIDE: f64 = 0.05;
/// The cut is chosen on the same positives, which makes recall look a little better than it is.
const OUTSIDE_AFTER_CHOICE: f64 = 0.035;
const DRAWS: usize = 4000;

/// The recall of a cut that lets `inside` of `hidden` positives through, for a pile with `in_pile` positives.
pub fn recall(inside: usize, hidden: usize, in_pile: f64, chosen_on_them: bool, run: &Run) -> Range {
    let outside = if chosen_on_them { OUTSIDE_AFTER_CHOICE } else { OUTSIDE };
    let positives = (in_pile.round() as u64).max(1);
    let low = match inside {
        0 => 0.0,
        x => end(x as f64, (hidden - x + 1) as f64, positives, outside / 2.0, run.rng("recall, low end", 0)),
    };
    let high = match hidden - inside {
        0 => 1.0,
        rest => end(
            (inside + 1) as f64,
            rest as f64,
            positives,
            1.0 - outside / 2.0,
            run.rng("recall, high end", 0),
        ),
    };
    Range { low, high }
}

/// A quantile of Binomial(N₊, p) / N₊ with p from Beta(a, b).
fn end(a: f64, b: f64, positives: u64, quantile: f64, mut rng: impl rand::Rng) -> f64 {
    let beta = Beta::new(a, b).expect("both parameters are at least 1");
    let mut draws: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let p: f64 = beta.sample(&mut rng);
            let successes =
                Binomial::new(positives, p.clamp(0.0, 1.0)).expect("a probability").sample(&mut rng);
            successes as f64 / positives as f64
        })
        .collect();
    draws.sort_by(f64::total_cmp);
    draws[((quantile * DRAWS as f64) as usize).min(DRAWS - 1)]
}

/// Precision of the best share q: min(1, π R / q) over both ranges.
pub fn precision(recall: Range, prior: Range, q: f64) -> Range {
    let at = |prior: f64, recall: f64| estimated_precision(recall, prior, q);
    Range { low: at(prior.low, recall.low), high: at(prior.high, recall.high) }
}

/// F1 of the best share q: 2 π R / (q + π) over both ranges.
pub fn f1(recall: Range, prior: Range, q: f64) -> Range {
    let at = |prior: f64, recall: f64| estimated_f1(recall, prior, q).min(1.0);
    Range { low: at(prior.low, recall.low), high: at(prior.high, recall.high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_pile_gives_clopper_pearson() {
        // 8 of 10: the exact interval is 0.444 to 0.975.
        let range = recall(8, 10, 1e6, false, &Run::new(0));
        assert!((range.low - 0.444).abs() < 0.02 && (range.high - 0.975).abs() < 0.02, "{range:?}");
        let after = recall(8, 10, 1e6, true, &Run::new(0));
        assert!(after.low < range.low && after.high > range.high, "{after:?}");
    }

    #[test]
    fn the_ends_are_certain_only_at_the_ends() {
        let none = recall(0, 10, 100.0, false, &Run::new(0));
        let all = recall(10, 10, 100.0, false, &Run::new(0));
        assert_eq!((none.low, all.high), (0.0, 1.0));
        assert!(none.high < 0.5 && all.low > 0.5);
    }

    #[test]
    fn few_positives_in_the_pile_widen_it() {
        let width = |in_pile| {
            let range = recall(50, 100, in_pile, false, &Run::new(0));
            range.high - range.low
        };
        assert!(width(10.0) > 1.5 * width(10_000.0));
    }

    #[test]
    fn boxes_by_hand() {
        let (recall, prior) = (Range { low: 0.5, high: 0.9 }, Range { low: 0.1, high: 0.3 });
        assert_eq!(precision(recall, prior, 0.2), Range { low: 0.25, high: 1.0 });
        let f1 = f1(recall, prior, 0.2);
        assert!((f1.low - 0.1 / 0.3).abs() < 1e-12 && (f1.high - 1.0).abs() < 0.1, "{f1:?}");
    }
}
