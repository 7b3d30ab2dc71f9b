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
//! Rows that were refused while reading the best first lie among the positives. A fit that can tell them apart learns
//! where the class ends; one that cannot (a plane through a few columns) gives up wanted rows to be rid of them. So the
//! marks weigh κ r², with r = 2 AUC - 1 of the positives above the known negatives under a fit that gave them all of κ:
//! the part of what they say that the fit explains. None weighs less than a row of the pile, which it was.
//!
//! Hidden positives cannot choose the weight: those found by reading are those that the ranking without negatives put
//! first, and stand worse under any other, also where it ranks the rest of the class better.
//!
//! That is for methods that draw a boundary, which a true label near it helps wherever it comes from. A method that
//! describes the class by its rows must not take a few of them for all: naive Bayes has another rule (`naive_bayes`).

use crate::data::{Data, PuData};
use crate::error::Result;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::{self, Logistic, SoftLabel};
use crate::run::Run;

/// What a row of the negative side weighs where otherwise every such row would weigh 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NegativeSide {
    pub pile: f64,
    pub known: f64,
    /// The share of the side that lies on the known negatives.
    pub share: f64,
    /// The part of κ that they were given.
    pub part: f64,
}

impl NegativeSide {
    /// Known negatives of full weight.
    pub fn of(train: &PuData) -> Self {
        NegativeSide::explained(train, 1.0)
    }

    /// Known negatives of which a fit explains this part.
    pub fn explained(train: &PuData, part: f64) -> Self {
        let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count() as f64;
        let (positives, known) = (count(&train.positive), count(&train.unwanted));
        let pile = train.unlabeled().len() as f64;
        if known == 0.0 || pile == 0.0 {
            return NegativeSide { pile: 1.0, known: 1.0, share: 0.0, part: 1.0 };
        }
        let (full, rows) = (known / (known + positives), known + pile);
        let share = (part * full).max(full.min(known / rows));
        NegativeSide { pile: (1.0 - share) * rows / pile, known: share * rows / known, share, part }
    }

    pub fn weight(&self, unwanted: bool) -> f64 {
        if unwanted { self.known } else { self.pile }
    }

    /// Whether there is a known negative.
    pub fn is_known(&self) -> bool {
        self.share > 0.0
    }
}

/// r² of the positives above the known negatives; 0 where these stand above, 1 where there are none.
pub fn explained(margins: &[f64], train: &PuData) -> f64 {
    let mut known: Vec<f64> = train.known_negatives().into_iter().map(|row| margins[row]).collect();
    let positives = train.positives();
    if known.is_empty() || positives.is_empty() {
        return 1.0;
    }
    known.sort_by(f64::total_cmp);
    let above = |&row: &usize| {
        let below = known.partition_point(|margin| *margin < margins[row]);
        let equal = known.partition_point(|margin| *margin <= margins[row]) - below;
        below as f64 + 0.5 * equal as f64
    };
    let area = positives.iter().map(above).sum::<f64>() / (positives.len() * known.len()) as f64;
    (2.0 * area - 1.0).max(0.0).powi(2)
}

/// Classes that weigh the same, and known negatives that weigh what they explain: the model, its margins of `x` and what
/// the negative side weighed. `x` are the rows of `train` in their space.
pub fn fit_balanced(
    solver: &Logistic,
    x: &Data,
    train: &PuData,
    start: Option<&LinearModel>,
    run: &Run,
) -> Result<(LinearModel, Vec<f64>, NegativeSide)> {
    let full = NegativeSide::of(train);
    let model = solver.fit(x, &balanced(train, &full), start, run)?;
    let margins = model.margins(x)?;
    let side = NegativeSide::explained(train, explained(&margins, train));
    if side == full {
        return Ok((model, margins, full));
    }
    let model = solver.fit(x, &balanced(train, &side), Some(&model), run)?;
    let margins = model.margins(x)?;
    Ok((model, margins, side))
}

/// Labels whose classes weigh the same, whatever their sizes.
pub fn balanced(train: &PuData, side: &NegativeSide) -> Vec<SoftLabel> {
    let mut labels = logistic::balanced(&train.positive);
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
        let labels = balanced(&train(), &side);
        let sum = |of: fn(&SoftLabel) -> f64| labels.iter().map(of).sum::<f64>();
        assert!((sum(|l| l.positive) - sum(|l| l.negative)).abs() < 1e-12);
        // A known negative weighs half of what a positive does, since the pile has the other half of the side.
        assert!((labels[2].negative - 0.5 * labels[0].positive).abs() < 1e-12);
        assert_eq!(with_known(vec![9, 4], &train()), [2, 3, 4, 9]);
    }

    #[test]
    fn marks_weigh_what_the_fit_explains() {
        // Of four pairs of a positive and a known negative three are in order, then two and a half, then one.
        let part = |negatives: [f64; 2]| {
            let margins: Vec<f64> = [3.0, 1.0].into_iter().chain(negatives).chain([0.0; 6]).collect();
            explained(&margins, &train())
        };
        assert_eq!([part([0.0, 2.0]), part([1.0, 2.0]), part([2.0, 4.0])], [0.25, 0.0625, 0.0]);
        assert_eq!(part([0.0, 0.5]), 1.0);
        assert_eq!(NegativeSide::explained(&train(), 0.75).share, 0.375);
        // Two of the eight rows that are not positive weigh no less than two rows of the pile.
        let least = NegativeSide::explained(&train(), 0.0);
        assert_eq!((least.share, least.known, least.pile), (0.25, 1.0, 1.0));
    }

    /// Positives at 1, with a known negative among them or beyond the pile; one column cannot part the former.
    #[test]
    fn a_plane_that_cannot_part_them_leaves_the_positives_where_they_were() {
        let marks: Vec<Mark> =
            (0..40).map(|i| [Mark::Wanted, Mark::Unwanted, Mark::Unread][(i / 5).min(2)]).collect();
        let side = |near: f32| {
            let value = |i: usize| match i / 5 {
                0 => 1.0 + 0.1 * i as f32,
                1 => near + 0.1 * (i - 5) as f32,
                _ => -(i as f32) / 40.0,
            };
            let x: Data = Dense::new(40, 1, (0..40).map(value).collect()).unwrap().into();
            let train = PuData::of_marks(x.clone(), &marks).unwrap();
            fit_balanced(&Logistic::default(), &x, &train, None, &Run::new(0)).unwrap().2
        };
        assert_eq!(side(1.0).known, 1.0);
        assert_eq!(side(-2.0).share, 0.5);
    }

    #[test]
    fn without_any_nothing_changes() {
        let train = PuData { unwanted: vec![false; 10], ..train() };
        let side = NegativeSide::of(&train);
        assert!(!side.is_known());
        assert_eq!(balanced(&train, &side), logistic::balanced(&train.positive));
        assert_eq!(explained(&[0.0; 10], &train), 1.0);
        assert_eq!(with_known(vec![9, 4], &train), [9, 4]);
    }
}
