//! From a sample to the pile it was drawn from: what the draw adds to the doubt.
//!
//! The prior and the place of the cut were estimated on n of N rows drawn at random. Each is a share of the sample, so
//! the draw adds the error of a share, with n grown to n (N - 1) / (N - n) since rows are drawn without replacement.
//! Estimating and drawing err independently: their widths are the legs of a right angle.

use super::intervals;
use crate::codes;
use crate::measure::{OF_95_PERCENT, recall_within, wilson};
use crate::method::{Range, Summary};

/// What a summary of a sample says of the whole pile, of which so many rows were found.
pub fn of_sample(sampled: &Summary, pile: usize, found: usize) -> Summary {
    let mut summary = Summary { pile, found, ..sampled.clone() };
    if pile == 0 {
        return summary;
    }
    let cut = found as f64 / pile as f64;
    let mut recall = Range { low: sampled.recall_low, high: sampled.recall_high };
    if let Some(rows) = rows_that_count(sampled.pile, pile) {
        summary.sampled = Some(sampled.pile);
        let drawn = share(sampled.prior, rows);
        summary.prior_low = sampled.prior - leg(sampled.prior - sampled.prior_low, sampled.prior - drawn.low);
        summary.prior_high =
            sampled.prior + leg(sampled.prior_high - sampled.prior, drawn.high - sampled.prior);
        summary.prior_low = summary.prior_low.max(0.0);
        summary.prior_high = summary.prior_high.min(1.0);
        let place = share(sampled.cut, rows);
        recall.low = recall.low.min(on_curve(&sampled.recall_curve, place.low, 2));
        recall.high = recall.high.max(on_curve(&sampled.recall_curve, place.high, 3));
    }
    summary.cut = cut;
    summary.recall =
        if summary.prior > 0.0 { recall_within(sampled.recall, summary.prior, cut) } else { sampled.recall };
    (summary.recall_low, summary.recall_high) =
        (recall.low.min(summary.recall), recall.high.max(summary.recall));
    if cut > 0.0 {
        let prior = summary.prior_range();
        let (precision, f1) = (intervals::precision(recall, prior, cut), intervals::f1(recall, prior, cut));
        (summary.precision_low, summary.precision_high) = (precision.low, precision.high);
        (summary.f1_low, summary.f1_high) = (f1.low, f1.high);
    }
    let disagreement = sampled.warnings.iter().find(|warning| warning.code == &codes::METHODS_DISAGREE);
    summary.warn(None);
    summary.warnings.extend(disagreement.cloned());
    summary
}

/// As many rows drawn with replacement would say as much; none where nothing was left undrawn.
fn rows_that_count(sampled: usize, pile: usize) -> Option<f64> {
    let (n, all) = (sampled as f64, pile as f64);
    (sampled < pile && sampled > 0).then(|| n * (all - 1.0) / (all - n))
}

/// The error of a share that is read off so many rows.
fn share(share: f64, rows: f64) -> Range {
    let (low, high) = wilson(share, rows, OF_95_PERCENT);
    Range { low, high }
}

fn leg(one: f64, other: f64) -> f64 {
    one.max(0.0).hypot(other.max(0.0))
}

/// The recall curve between its points; `end` is 2 for its lower and 3 for its upper range.
fn on_curve(curve: &[[f64; 4]], q: f64, end: usize) -> f64 {
    let at = |point: &[f64; 4]| point[end];
    let Some(next) = curve.iter().position(|point| point[0] >= q) else {
        return curve.last().map_or(if end == 2 { 1.0 } else { 0.0 }, at);
    };
    let (right, left) = (curve[next], if next == 0 { [0.0; 4] } else { curve[next - 1] });
    let width = right[0] - left[0];
    if width <= 0.0 { right[end] } else { left[end] + (right[end] - left[end]) * (q - left[0]) / width }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automatic::certainty::empty;
    use crate::data::{Dense, PuData};

    fn summary() -> Summary {
        let x = Dense::new(2, 1, vec![1.0, 0.0]).unwrap();
        let train = PuData::new(x.into(), vec![true, false]).unwrap();
        Summary {
            prior: 0.1,
            prior_low: 0.07,
            prior_high: 0.14,
            cut: 0.1,
            pile: 400,
            positives: 50,
            recall: 0.8,
            recall_low: 0.7,
            recall_high: 0.9,
            recall_curve: vec![[0.05, 0.5, 0.4, 0.6], [0.1, 0.8, 0.7, 0.9], [0.2, 0.9, 0.8, 0.95]],
            ..empty(&train)
        }
    }

    #[test]
    fn the_draw_widens_and_less_so_the_more_was_drawn() {
        // 40 of 400: Wilson's interval is 0.0743 to 0.1333, so 0.1 - √(0.03² + 0.0257²) = 0.0605.
        let whole = of_sample(&summary(), 100_000_000, 9_000_000);
        assert!((whole.prior_low - 0.0605).abs() < 1e-3, "{}", whole.prior_low);
        assert!((whole.prior_high - 0.1520).abs() < 1e-3, "{}", whole.prior_high);
        assert_eq!((whole.cut, whole.found, whole.sampled), (0.09, 9_000_000, Some(400)));
        // A cut within 0.0743 and 0.1333: the lower curve at the one, the upper curve at the other.
        assert!((whole.recall_low - (0.4 + 0.3 * 0.0243 / 0.05)).abs() < 2e-3, "{}", whole.recall_low);
        assert!((whole.recall_high - (0.9 + 0.05 * 0.0333 / 0.1)).abs() < 2e-3, "{}", whole.recall_high);
        let half = of_sample(&summary(), 800, 80);
        assert!(half.prior_low > whole.prior_low && half.recall_low > whole.recall_low);
        assert!(half.prior_low < 0.07);
    }

    #[test]
    fn a_sample_that_is_the_pile_adds_nothing() {
        let whole = of_sample(&summary(), 400, 40);
        assert_eq!((whole.prior_low, whole.prior_high, whole.recall_low), (0.07, 0.14, 0.7));
        assert_eq!(whole.sampled, None);
    }

    #[test]
    fn nothing_is_said_beyond_what_can_be() {
        let mut odd = summary();
        (odd.prior, odd.prior_low, odd.prior_high) = (0.0, 0.0, 1.0);
        odd.recall_curve.clear();
        for (pile, found) in [(0, 0), (1000, 0), (1000, 1000)] {
            let whole = of_sample(&odd, pile, found);
            let numbers =
                [whole.prior_low, whole.prior_high, whole.recall, whole.recall_low, whole.recall_high];
            assert!(numbers.iter().all(|v| (0.0..=1.0).contains(v)), "{numbers:?}");
        }
    }
}
