//! The measures that the tables mix: F1 of the positive class, and three averages over both classes.

use likewise::measure::Confusion;
use serde::{Deserialize, Serialize};

/// How one answer is counted: true and false positives, false and true negatives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counts(pub [usize; 4]);

/// F1 of the positive class: the only measure under which the columns can be compared.
pub const BINARY: &str = "binary F1";
/// Micro, macro and weighted F1 over both classes, averaged: what the NMFPUL column holds.
pub const MEAN_OF_THREE: &str = "mean of micro, macro and weighted F1";
/// Over all classes, too small ones counted as 0: what the K-Means and RCSVM columns hold.
pub const OF_MEANS: &str = "F1 of mean precision and recall";

/// A number made of counts.
type Measure = fn(&Counts) -> f64;

/// The measures that are averaged over classes.
pub const AVERAGED: [(&str, Measure); 5] = [
    (BINARY, Counts::binary),
    (MEAN_OF_THREE, Counts::mean_of_three),
    ("micro F1", Counts::micro),
    ("macro F1", Counts::macro_mean),
    ("weighted F1", Counts::weighted),
];

impl Counts {
    pub fn of(answers: &[bool], truth: &[bool]) -> Self {
        let c = Confusion::count(answers, truth);
        Counts([c.true_positives, c.false_positives, c.false_negatives, c.true_negatives])
    }

    fn confusion(&self) -> Confusion {
        let [true_positives, false_positives, false_negatives, true_negatives] = self.0;
        Confusion { true_positives, false_positives, false_negatives, true_negatives }
    }

    /// The same answers seen from the negative class.
    fn reversed(&self) -> Confusion {
        let [tp, fp, f_n, tn] = self.0;
        Counts([tn, f_n, fp, tp]).confusion()
    }

    pub fn precision(&self) -> f64 {
        self.confusion().precision()
    }

    pub fn recall(&self) -> f64 {
        self.confusion().recall()
    }

    fn binary(&self) -> f64 {
        self.confusion().f1()
    }

    /// Over both classes it is the accuracy.
    fn micro(&self) -> f64 {
        self.confusion().accuracy()
    }

    fn macro_mean(&self) -> f64 {
        0.5 * (self.binary() + self.reversed().f1())
    }

    /// Each class by its number of documents.
    fn weighted(&self) -> f64 {
        let [tp, fp, f_n, tn] = self.0.map(|n| n as f64);
        ((tp + f_n) * self.binary() + (tn + fp) * self.reversed().f1()) / (tp + fp + f_n + tn)
    }

    fn mean_of_three(&self) -> f64 {
        (self.micro() + self.macro_mean() + self.weighted()) / 3.0
    }
}

/// The harmonic mean of the mean precision and the mean recall over this many classes, missing ones counted
/// as 0.
pub fn f1_of_means(of_classes: &[Counts], classes: usize) -> f64 {
    let mean = |of: fn(&Counts) -> f64| of_classes.iter().map(of).sum::<f64>() / classes as f64;
    let (precision, recall) = (mean(Counts::precision), mean(Counts::recall));
    if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_by_hand() {
        // 3 found of 5, 1 false among 15 others: F1 6/9; of the negatives 28/31.
        let counts = Counts([3, 1, 2, 14]);
        let (positive, negative) = (6.0 / 9.0, 28.0 / 31.0);
        assert!((counts.binary() - positive).abs() < 1e-12);
        assert!((counts.micro() - 0.85).abs() < 1e-12);
        assert!((counts.macro_mean() - 0.5 * (positive + negative)).abs() < 1e-12);
        assert!((counts.weighted() - (5.0 * positive + 15.0 * negative) / 20.0).abs() < 1e-12);
    }

    #[test]
    fn calling_everything_negative_is_rewarded_by_all_but_the_binary_measure() {
        let nothing = Counts([0, 0, 10, 90]);
        assert_eq!(nothing.binary(), 0.0);
        assert!(nothing.mean_of_three() > 0.7);
    }

    #[test]
    fn missing_classes_lower_the_f1_of_means() {
        let perfect = Counts([5, 0, 0, 5]);
        assert_eq!(f1_of_means(&[perfect], 1), 1.0);
        assert_eq!(f1_of_means(&[perfect], 2), 0.5);
        assert_eq!(f1_of_means(&[], 2), 0.0);
    }
}
