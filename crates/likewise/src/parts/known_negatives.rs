//! Rows known not to be wanted, beside a pile that is taken for negative.
//!
//! A mark is a mark: each of n₋ known negatives weighs what each of n₊ positives does. The pile, whose labels nobody
//! knows, stands beside them as one more batch of n₊ negatives, so of the negative side
//!
//! ```text
//! κ = n₋ / (n₋ + n₊)    lies on the known negatives,    1 - κ on the pile,
//! ```
//!
//! and the side as a whole weighs what it did. Ten marks say little against fifty positives, and the pile keeps its
//! role; with many the contaminated pile fades. Without a single one everything is as if there were no such marks.
//!
//! That is for methods that draw a boundary, which a true label near it helps wherever it comes from. A method that
//! describes the class by its rows must not take a few of them for all: naive Bayes has another rule (`naive_bayes`).

use crate::data::PuData;
use crate::parts::linear::logistic::{self, SoftLabel};

/// What a row of the negative side weighs where otherwise every such row would weigh 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NegativeSide {
    pub pile: f64,
    pub known: f64,
    /// The share κ of the side that lies on the known negatives.
    pub share: f64,
}

impl NegativeSide {
    pub fn of(train: &PuData) -> Self {
        let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count() as f64;
        let (positives, known) = (count(&train.positive), count(&train.unwanted));
        let pile = train.unlabeled().len() as f64;
        if known == 0.0 || pile == 0.0 {
            return NegativeSide { pile: 1.0, known: 1.0, share: 0.0 };
        }
        let (share, rows) = (known / (known + positives), known + pile);
        NegativeSide { pile: (1.0 - share) * rows / pile, known: share * rows / known, share }
    }

    pub fn weight(&self, unwanted: bool) -> f64 {
        if unwanted { self.known } else { self.pile }
    }

    /// Whether there is a known negative.
    pub fn is_known(&self) -> bool {
        self.share > 0.0
    }
}

/// Labels whose classes weigh the same, whatever their sizes.
pub fn balanced(train: &PuData) -> Vec<SoftLabel> {
    let mut labels = logistic::balanced(&train.positive);
    let side = NegativeSide::of(train);
    if side.is_known() {
        let marks = train.positive.iter().zip(&train.unwanted);
        for (label, (_, &unwanted)) in labels.iter_mut().zip(marks).filter(|(_, (positive, _))| !**positive) {
            label.negative *= side.weight(unwanted);
        }
    }
    labels
}

/// Reliable negatives that start from the known ones; row numbers, ascending.
pub fn with_known(mut reliable: Vec<usize>, train: &PuData) -> Vec<usize> {
    let known = train.known_negatives();
    if !known.is_empty() {
        reliable.extend(known);
        reliable.sort_unstable();
        reliable.dedup();
    }
    reliable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dense, Mark};

    /// Two positives, two known negatives, six rows of the pile.
    fn train() -> PuData {
        let mark = |i: usize| [Mark::Wanted, Mark::Unwanted, Mark::Unread][(i / 2).min(2)];
        let marks: Vec<Mark> = (0..10).map(mark).collect();
        PuData::of_marks(Dense::new(10, 1, vec![1.0; 10]).unwrap().into(), &marks).unwrap()
    }

    #[test]
    fn by_hand() {
        // κ = 2 / (2 + 2): half of the weight of eight rows lies on two of them, half on six.
        let side = NegativeSide::of(&train());
        assert_eq!((side.share, side.known), (0.5, 2.0));
        assert!((side.pile - 4.0 / 6.0).abs() < 1e-12);
        let labels = balanced(&train());
        let sum = |of: fn(&SoftLabel) -> f64| labels.iter().map(of).sum::<f64>();
        assert!((sum(|l| l.positive) - sum(|l| l.negative)).abs() < 1e-12);
        // A known negative weighs half of what a positive does, since the pile has the other half of the side.
        assert!((labels[2].negative - 0.5 * labels[0].positive).abs() < 1e-12);
        assert_eq!(with_known(vec![9, 4], &train()), [2, 3, 4, 9]);
    }

    #[test]
    fn without_any_nothing_changes() {
        let train = PuData { unwanted: vec![false; 10], ..train() };
        assert!(!NegativeSide::of(&train).is_known());
        assert_eq!(balanced(&train), logistic::balanced(&train.positive));
        assert_eq!(with_known(vec![9, 4], &train), [9, 4]);
    }
}
