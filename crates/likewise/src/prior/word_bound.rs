//! Word bound: no word can be rarer in the pile than the pile's positives alone would make it.
//!
//! Pr(v) ≥ π Pr(v|1) for each value v of each word (present, absent), so π is at most the smallest ratio
//! Pr(v)/Pr(v|1). Two standard errors are added to each ratio before the smallest is taken, and only
//! values seen in at least ten positives are trusted. A value that the pile lacks counts as seen once.

use crate::parts::naive_bayes::WordCounts;

const TRUSTED: f64 = 10.0;
const STANDARD_ERRORS: f64 = 2.0;

/// The bound from Bernoulli counts; none where no value is seen often enough.
pub fn word_bound(positive: &WordCounts, pile: &WordCounts) -> Option<f64> {
    let bound = |in_positives: f64, in_pile: f64| {
        if in_positives < TRUSTED {
            return None;
        }
        let (a, b) = (in_pile.max(1.0) / pile.rows, in_positives / positive.rows);
        let variance = (1.0 - a) / (a * pile.rows) + (1.0 - b) / (b * positive.rows);
        Some(a / b * (1.0 + STANDARD_ERRORS * variance.sqrt()))
    };
    (positive.words.iter().zip(&pile.words))
        .flat_map(|(&p, &u)| [bound(p, u), bound(positive.rows - p, pile.rows - u)])
        .flatten()
        .min_by(f64::total_cmp)
        .map(|bound| bound.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_by_hand() {
        // Present in 50 of 100 positives and 100 of 1,000 pile rows: ratio 0.2, relative variance
        // 0.9/100 + 0.5/50 = 0.019; absent: ratio 0.9/0.5 > 1.
        let positive = WordCounts { rows: 100.0, words: vec![50.0, 3.0] };
        let pile = WordCounts { rows: 1000.0, words: vec![100.0, 1.0] };
        let expected = 0.2 * (1.0 + 2.0 * 0.019f64.sqrt());
        assert!((word_bound(&positive, &pile).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn no_trusted_value_no_bound() {
        let positive = WordCounts { rows: 4.0, words: vec![4.0] };
        assert_eq!(word_bound(&positive, &WordCounts { rows: 9.0, words: vec![1.0] }), None);
    }
}
