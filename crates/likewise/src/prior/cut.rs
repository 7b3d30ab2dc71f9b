//! Where to cut a ranking, from the ranks of hidden positives.

use super::{Ranks, median, median_of_three};
use crate::measure::estimated_f1;

/// The share q of the pile at which the estimated F1 is largest, and that F1.
pub fn best_f1(ranks: &Ranks, prior: f64) -> (f64, f64) {
    let f1 = |(q, recall): (f64, f64)| (q, estimated_f1(recall, prior, q));
    ranks
        .recall_curve()
        .into_iter()
        .map(f1)
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.total_cmp(&a.0)))
        .unwrap_or((prior, 0.0))
}

/// The share of the pile to call positive: the median of the prior, the share with the best F1 that can be expected, and
/// the prior as these ranks alone tell it. They err in different directions.
///
/// `believed` are shares of positives that are as probable as each other. Where they lie far apart the expected F1 is best
/// above the F1 of their middle: a cut that is too low loses more than one that is as much too high.
pub fn cut_from_hidden(ranks: &Ranks, prior: f64, believed: &[f64]) -> f64 {
    let expected = |(q, recall): &(f64, f64)| -> f64 {
        believed.iter().map(|share| estimated_f1(*recall, *share, *q)).sum()
    };
    let by_f1 = (ranks.recall_curve().into_iter())
        .max_by(|a, b| expected(a).total_cmp(&expected(b)).then(b.0.total_cmp(&a.0)))
        .map_or(prior, |(q, _)| q);
    median(vec![prior, by_f1, median_of_three(ranks)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_gap_is_where_the_cut_falls() {
        // Forty hidden positives stand among the best fifth of the pile.
        let pile: Vec<f64> = (0..500).map(f64::from).collect();
        let positives: Vec<f64> = (0..40).map(|i| 400.0 + 2.5 * f64::from(i) + 0.5).collect();
        let ranks = Ranks::of_scores(&positives, &pile).unwrap();
        for prior in [0.05, 0.2, 0.6] {
            let cut = cut_from_hidden(&ranks, prior, &[prior]);
            assert!((0.15..0.27).contains(&cut), "{prior}: {cut}");
        }
    }

    #[test]
    fn doubt_marks_more_rather_than_less() {
        // Ever fewer positives the further down: the better half of them stands in a tenth of the pile.
        let pile: Vec<f64> = (0..1000).map(f64::from).collect();
        let positives: Vec<f64> = (0..50).map(|i| 1000.0 - 0.25 * f64::from(i * i) - 0.5).collect();
        let ranks = Ranks::of_scores(&positives, &pile).unwrap();
        let sure = cut_from_hidden(&ranks, 0.2, &[0.2; 3]);
        let doubtful = cut_from_hidden(&ranks, 0.2, &[0.02, 0.2, 0.6]);
        assert_eq!(sure, cut_from_hidden(&ranks, 0.2, &[0.2]));
        assert!(doubtful > sure, "{sure} {doubtful}");
    }
}
