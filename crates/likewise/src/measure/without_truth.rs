//! How good an answer is when only some positives are known.

use crate::data::PuData;

/// Recall² / Pr[f = 1] of Lee & Liu (2003): grows with precision x recall, which cannot be seen, and needs
/// only the recall on labelled positives that the model did not learn from and the share of the pile it accepts.
pub fn recall_squared_per_accepted(recall: f64, accepted: f64) -> f64 {
    if accepted > 0.0 { recall * recall / accepted } else { 0.0 }
}

/// The same from margins whose threshold is 0: recall over the positives, acceptance over the pile.
pub fn recall_squared_at_zero(margins: &[f64], train: &PuData) -> f64 {
    let share = |rows: Vec<usize>| {
        let inside = rows.iter().filter(|&&row| margins[row] >= 0.0).count();
        inside as f64 / rows.len().max(1) as f64
    };
    recall_squared_per_accepted(share(train.positives()), share(train.unlabeled()))
}

/// The recall as far as it is possible: a share q of the pile holds no more than q / π of its positives.
pub fn recall_within(recall: f64, prior: f64, q: f64) -> f64 {
    recall.min(q / prior)
}

/// Precision of a share q of the pile that holds the recall: π R / q.
pub fn estimated_precision(recall: f64, prior: f64, q: f64) -> f64 {
    (prior * recall / q).min(1.0)
}

/// F1 of the same: 2 π R / (q + π). Where the recall is more than possible, so is it.
pub fn estimated_f1(recall: f64, prior: f64, q: f64) -> f64 {
    2.0 * prior * recall / (q + prior)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    #[test]
    fn by_hand() {
        // One of two positives found, one of four pile rows accepted: (1/2)² / (1/4).
        let margins = [1.0, -1.0, 0.0, -1.0, -2.0, -3.0];
        let train = |positive: &[bool]| {
            let x = Dense::new(positive.len(), 1, vec![0.0; positive.len()]).unwrap();
            PuData::new(x.into(), positive.to_vec()).unwrap()
        };
        let rows = train(&[true, true, false, false, false, false]);
        assert_eq!(recall_squared_at_zero(&margins, &rows), 1.0);
        // The row that is accepted is known not to be wanted: nothing of the pile is.
        let marked = rows.with_unwanted(vec![false, false, true, false, false, false]).unwrap();
        assert_eq!(recall_squared_at_zero(&margins, &marked), 0.0);
        assert_eq!(recall_squared_at_zero(&[-1.0, -1.0], &train(&[true, false])), 0.0);
    }
}
