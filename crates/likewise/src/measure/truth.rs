//! Measures that need true labels. Equal scores count as one step, so that no order among them is rewarded.

use serde::Serialize;

use crate::decide::ranking;

/// True and false answers of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Confusion {
    /// Positive, and called so.
    pub true_positives: usize,
    /// Negative, but called positive.
    pub false_positives: usize,
    /// Positive, but called negative.
    pub false_negatives: usize,
    /// Negative, and called so.
    pub true_negatives: usize,
}

impl Confusion {
    /// Counts answers beside the truth.
    pub fn count(answers: &[bool], truth: &[bool]) -> Self {
        let mut counts = Confusion::default();
        for (&answer, &is) in answers.iter().zip(truth) {
            match (answer, is) {
                (true, true) => counts.true_positives += 1,
                (true, false) => counts.false_positives += 1,
                (false, true) => counts.false_negatives += 1,
                (false, false) => counts.true_negatives += 1,
            }
        }
        counts
    }

    /// 0 where nothing was called positive.
    pub fn precision(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_positives)
    }

    /// 0 where nothing is positive.
    pub fn recall(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        share(2 * self.true_positives, 2 * self.true_positives + self.false_positives + self.false_negatives)
    }

    /// The share of answers that are right.
    pub fn accuracy(&self) -> f64 {
        let right = self.true_positives + self.true_negatives;
        share(right, right + self.false_positives + self.false_negatives)
    }
}

/// Steps of probability within which rows are compared with the truth.
pub const STEPS: usize = 10;

/// For each tenth of probability: rows, their mean probability, and the share of them that is positive; what a
/// reliability diagram shows. Tenths without a row have none.
pub fn reliability(probabilities: &[f64], truth: &[bool]) -> Vec<(usize, f64, f64)> {
    let mut steps = [(0usize, 0.0, 0.0); STEPS];
    for (probability, &is) in probabilities.iter().zip(truth) {
        let (rows, sum, positive) = &mut steps[((probability * STEPS as f64) as usize).min(STEPS - 1)];
        *rows += 1;
        *sum += probability;
        *positive += f64::from(is);
    }
    let mean = |(rows, sum, positive): (usize, f64, f64)| (rows, sum / rows as f64, positive / rows as f64);
    steps.into_iter().filter(|(rows, ..)| *rows > 0).map(mean).collect()
}

/// The expected calibration error: how far probabilities are from the share of positives, over tenths of probability,
/// each by its share of the rows.
pub fn calibration_error(probabilities: &[f64], truth: &[bool]) -> f64 {
    let all = probabilities.len().max(1) as f64;
    let off = |(rows, said, is): (usize, f64, f64)| rows as f64 / all * (said - is).abs();
    reliability(probabilities, truth).into_iter().map(off).sum()
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The mean of the precision at each positive, best score first; 0 without any positive.
pub fn average_precision(scores: &[f64], truth: &[bool]) -> f64 {
    let positives = truth.iter().filter(|t| **t).count();
    let (mut seen, mut found, mut sum) = (0, 0, 0.0);
    for (rows, hits) in steps(scores, truth) {
        seen += rows;
        found += hits;
        sum += hits as f64 * share(found, seen);
    }
    if positives == 0 { 0.0 } else { sum / positives as f64 }
}

/// The area under the precision-recall curve as Davis & Goadrich (2006) draw it; 0 without any positive.
///
/// Within a group of equal scores positives and negatives come in proportion, so precision follows
/// t / (a t + b) over the true positives t, which is integrated as it stands.
pub fn area_under_precision_recall(scores: &[f64], truth: &[bool]) -> f64 {
    let (mut hits, mut misses, mut area) = (0.0, 0.0, 0.0);
    for (rows, found) in steps(scores, truth) {
        let (found, missed) = (found as f64, (rows - found) as f64);
        if found > 0.0 {
            let a = 1.0 + missed / found;
            let b = misses - missed / found * hits;
            let log = if b == 0.0 { 0.0 } else { ((a * (hits + found) + b) / (a * hits + b)).ln() };
            area += found / a - b / (a * a) * log;
        }
        hits += found;
        misses += missed;
    }
    if hits == 0.0 { 0.0 } else { area / hits }
}

/// The chance that a positive is scored above a negative, ties half; 0.5 where one side is empty.
pub fn area_under_roc(scores: &[f64], truth: &[bool]) -> f64 {
    let positives = truth.iter().filter(|t| **t).count();
    let negatives = truth.len() - positives;
    if positives == 0 || negatives == 0 {
        return 0.5;
    }
    let (mut found, mut area) = (0.0, 0.0);
    for (rows, hits) in steps(scores, truth) {
        area += (rows - hits) as f64 * (found + 0.5 * hits as f64);
        found += hits as f64;
    }
    area / (positives as f64 * negatives as f64)
}

/// Groups of equal score, best first: how many rows, how many of them positive.
pub(super) fn steps(scores: &[f64], truth: &[bool]) -> Vec<(usize, usize)> {
    let order = ranking(scores);
    let groups = order.chunk_by(|a, b| scores[*a] == scores[*b]);
    groups.map(|rows| (rows.len(), rows.iter().filter(|&&i| truth[i]).count())).collect()
}

/// Everything `evaluate` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TruthReport {
    /// How many rows were judged.
    pub rows: usize,
    /// How many of them are positive in truth.
    pub positives: usize,
    /// The share of the rows called positive that are.
    pub precision: f64,
    /// The share of the positives that are called so.
    pub recall: f64,
    /// The harmonic mean of the two.
    pub f1: f64,
    /// The share of answers that are right.
    pub accuracy: f64,
    /// The mean precision at the rank of each positive.
    pub average_precision: f64,
    /// The chance that a positive stands above a negative.
    pub area_under_roc: f64,
    /// The four numbers behind them.
    #[serde(flatten)]
    pub counts: Confusion,
}

/// Measures scores and answers beside the truth.
pub fn report(scores: &[f64], answers: &[bool], truth: &[bool]) -> TruthReport {
    let counts = Confusion::count(answers, truth);
    TruthReport {
        rows: truth.len(),
        positives: truth.iter().filter(|t| **t).count(),
        precision: counts.precision(),
        recall: counts.recall(),
        f1: counts.f1(),
        accuracy: counts.accuracy(),
        average_precision: average_precision(scores, truth),
        area_under_roc: area_under_roc(scores, truth),
        counts,
    }
}

/// What calling everything positive, and everything negative, would have scored.
pub fn constant_answers(truth: &[bool]) -> (TruthReport, TruthReport) {
    let same = vec![0.5; truth.len()];
    let all = |answer| report(&same, &vec![answer; truth.len()], truth);
    (all(true), all(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibration_by_hand() {
        // Two rows at 0.25, one of them positive, and two at 0.9, both positive: (0.25 + 0.1) / 2.
        let error = calibration_error(&[0.25, 0.25, 0.9, 0.9], &[true, false, true, true]);
        assert!((error - 0.175).abs() < 1e-12, "{error}");
        assert_eq!(reliability(&[1.0, 0.95], &[true, false]), [(2, 0.975, 0.5)]);
    }

    const TRUTH: [bool; 5] = [true, false, true, false, false];

    #[test]
    fn the_precision_recall_curve_bends_between_groups() {
        // One sure hit, then one hit and one miss tied: precision t / (2t - 1) from t = 1 to 2, whose
        // integral is 1/2 + ln(3)/4.
        let area = area_under_precision_recall(&[0.9, 0.5, 0.5], &[true, true, false]);
        assert!((area - (1.5 + 3f64.ln() / 4.0) / 2.0).abs() < 1e-12, "{area}");
        assert_eq!(area_under_precision_recall(&[0.5; 4], &[true, false, false, false]), 0.25);
        assert_eq!(area_under_precision_recall(&[0.1], &[false]), 0.0);
    }

    #[test]
    fn by_hand() {
        let scores = [0.9, 0.8, 0.7, 0.2, 0.1];
        let r = report(&scores, &[true, true, false, false, false], &TRUTH);
        assert_eq!((r.precision, r.recall, r.f1, r.accuracy), (0.5, 0.5, 0.5, 0.6));
        assert!((r.average_precision - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
        assert!((r.area_under_roc - 5.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn ties_reward_no_order() {
        assert!((average_precision(&[0.5; 5], &TRUTH) - 0.4).abs() < 1e-12);
        assert!((area_under_roc(&[0.5; 5], &TRUTH) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn constant_answers_by_hand() {
        let (all, none) = constant_answers(&TRUTH);
        assert_eq!((all.recall, all.precision, none.accuracy, none.f1), (1.0, 0.4, 0.6, 0.0));
    }

    #[test]
    fn nothing_positive_is_no_nan() {
        let r = report(&[0.1], &[false], &[false]);
        assert_eq!(
            (r.precision, r.recall, r.f1, r.average_precision, r.area_under_roc),
            (0.0, 0.0, 0.0, 0.0, 0.5)
        );
    }
}
