//! Measures that need no negatives: labelled positives and unlabeled rows are enough.
//!
//! The labelled are taken as a fair draw of all positives, so recall among them is recall (Lee & Liu 2003); the
//! share of positives turns it into precision, and the area under the curve of labelled against unlabeled into
//! that of positives against negatives (Sakai, Niu & Sugiyama 2018). Two shares are told apart: the `prior` is
//! that of positives in the pile, with which the labelled are compared; the `share` is that among all rows that
//! are measured, labelled ones included ([`share_of_all`]), of which a part is called positive.

use std::ops::RangeInclusive;

use rand::RngExt;
use serde::Serialize;

use super::recall_squared_per_accepted;
use super::truth::{area_under_roc, steps};
use crate::decide::is_positive;
use crate::error::{Error, Result};
use crate::run::Run;

/// The share of positives among all rows, from their share in the pile.
pub fn share_of_all(prior: f64, labelled: &[bool]) -> f64 {
    let marked = labelled.iter().filter(|l| **l).count() as f64;
    (marked + prior * (labelled.len() as f64 - marked)) / labelled.len() as f64
}

/// What a decision says of labelled and of all rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Called {
    /// How many rows there are.
    pub rows: usize,
    /// Rows called positive.
    pub called: usize,
    /// How many of them are labelled.
    pub labelled: usize,
    /// Labelled rows called positive.
    pub found: usize,
}

impl Called {
    /// Counts answers beside labels.
    pub fn count(answers: &[bool], labelled: &[bool]) -> Self {
        let mut counts = Called { rows: labelled.len(), ..Called::default() };
        for (&answer, &label) in answers.iter().zip(labelled) {
            counts.called += usize::from(answer);
            counts.labelled += usize::from(label);
            counts.found += usize::from(answer && label);
        }
        counts
    }

    /// r = Pr(called | labelled); 0 where nothing is labelled.
    pub fn recall(&self) -> f64 {
        if self.labelled == 0 { 0.0 } else { self.found as f64 / self.labelled as f64 }
    }

    /// Pr(called).
    pub fn called_share(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { self.called as f64 / self.rows as f64 }
    }

    /// r² / Pr(called), which rises with precision and recall alike; 0 where nothing is called positive.
    pub fn lee_liu(&self) -> f64 {
        recall_squared_per_accepted(self.recall(), self.called_share())
    }

    /// Pr(+) r / Pr(called), kept within [0, 1]; 0 where nothing is called positive.
    pub fn precision(&self, share: f64) -> f64 {
        if self.called == 0 { 0.0 } else { (share * self.recall() / self.called_share()).clamp(0.0, 1.0) }
    }

    /// F1 if that share of the unlabeled is positive.
    pub fn f1(&self, share: f64) -> f64 {
        let (precision, recall) = (self.precision(share), self.recall());
        if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
    }
}

/// The area under the ROC curve of positives against negatives: (A - prior/2) / (1 - prior), where A is that of
/// labelled against unlabeled. May leave [0, 1] where the prior is wrong or rows are few.
pub fn corrected_area_under_roc(scores: &[f64], labelled: &[bool], prior: f64) -> f64 {
    (area_under_roc(scores, labelled) - 0.5 * prior) / (1.0 - prior)
}

/// The area under the lift curve as pulearn has it: prior/2 + (1 - prior) A.
pub fn area_under_lift(scores: &[f64], labelled: &[bool], prior: f64) -> f64 {
    0.5 * prior + (1.0 - prior) * area_under_roc(scores, labelled)
}

/// The mean of the estimated precision at each labelled row, best score first.
pub fn estimated_average_precision(scores: &[f64], labelled: &[bool], share: f64) -> f64 {
    let marked = labelled.iter().filter(|l| **l).count();
    let mut counts = Called { rows: labelled.len(), labelled: marked, ..Called::default() };
    let mut sum = 0.0;
    for (rows, hits) in steps(scores, labelled) {
        counts.called += rows;
        counts.found += hits;
        sum += hits as f64 * counts.precision(share);
    }
    if marked == 0 { 0.0 } else { sum / marked as f64 }
}

/// One measure with its interval (nominal 95 %).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Its name.
    pub measure: &'static str,
    /// The estimate.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

/// Scores beside labels.
#[derive(Clone, Copy)]
pub struct Labelled<'a> {
    /// One a row, within [0, 1].
    pub scores: &'a [f64],
    /// Which rows are labelled positive.
    pub labelled: &'a [bool],
    /// The share of positives among the unlabeled.
    pub prior: f64,
}

impl Labelled<'_> {
    fn called(self) -> Called {
        let answers: Vec<bool> = self.scores.iter().map(|score| is_positive(*score)).collect();
        Called::count(&answers, self.labelled)
    }

    fn share(self) -> f64 {
        share_of_all(self.prior, self.labelled)
    }
}

type Measure = fn(Labelled<'_>) -> f64;

const MEASURES: &[(&str, Measure)] = &[
    ("recall", |x| x.called().recall()),
    ("precision", |x| x.called().precision(x.share())),
    ("f1", |x| x.called().f1(x.share())),
    ("lee_liu", |x| x.called().lee_liu()),
    ("area_under_roc", |x| corrected_area_under_roc(x.scores, x.labelled, x.prior).clamp(0.0, 1.0)),
    ("area_under_lift", |x| area_under_lift(x.scores, x.labelled, x.prior)),
    ("average_precision", |x| estimated_average_precision(x.scores, x.labelled, x.share())),
];

/// All measures, their values at the prior of `given`. Each resample draws as many labelled and as many unlabeled
/// rows as there are; 0 leaves the intervals empty.
///
/// The error of an estimated prior dominates every other, and resampling scores cannot see it: each interval is a box
/// over `prior_range`, from the lowest end of its bootstrap intervals at both ends of the range to the highest. Where
/// the prior is known the range is that one number. Every measure rises or falls with the prior throughout, so that
/// the ends of the range are enough.
pub fn report_labelled(
    given: Labelled<'_>,
    prior_range: RangeInclusive<f64>,
    resamples: usize,
    run: &Run,
) -> Result<Vec<Measured>> {
    let Labelled { scores, labelled, prior } = given;
    crate::data::check_labels(labelled)?;
    if scores.len() != labelled.len() {
        return Err(Error::data(format!("{} scores for {} labels", scores.len(), labelled.len())));
    }
    if scores.iter().any(|score| !score.is_finite()) {
        return Err(Error::data("a score is not a finite number"));
    }
    let mut ends = vec![*prior_range.start(), *prior_range.end()];
    ends.dedup();
    if let Some(share) = ends.iter().chain([&prior]).find(|share| !(**share > 0.0 && **share < 1.0)) {
        return Err(Error::parameter("prior", format!("{share} is no share between 0 and 1")));
    }
    if !prior_range.contains(&prior) {
        return Err(Error::parameter("prior", format!("{prior} is not within its range {prior_range:?}")));
    }
    let box_of = |measure: Measure, scores: &[f64], labelled: &[bool]| {
        let values = ends.iter().map(|&prior| measure(Labelled { scores, labelled, prior }));
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (v.min(low), v.max(high)))
    };
    let of = |label: bool| (0..labelled.len()).filter(|&i| labelled[i] == label).collect::<Vec<_>>();
    let groups = [of(true), of(false)];
    let drawn_labels: Vec<bool> = groups.iter().flatten().map(|&i| labelled[i]).collect();
    let mut drawn: Vec<(Vec<f64>, Vec<f64>)> = vec![Default::default(); MEASURES.len()];
    for resample in 0..resamples {
        run.step("resampling", resample as u64, resamples as u64)?;
        let mut rng = run.rng("resampled measures", resample as u64);
        let drawn_scores: Vec<f64> = (groups.iter())
            .flat_map(|group| {
                group.iter().map(|_| scores[group[rng.random_range(0..group.len())]]).collect::<Vec<_>>()
            })
            .collect();
        for ((lows, highs), (_, measure)) in drawn.iter_mut().zip(MEASURES) {
            let (low, high) = box_of(*measure, &drawn_scores, &drawn_labels);
            lows.push(low);
            highs.push(high);
        }
    }
    let measured = MEASURES.iter().zip(drawn).map(|((name, measure), (lows, highs))| {
        let value = measure(given);
        let (mut low, mut high) = (value, value);
        if resamples > 0 {
            (low, high) = box_of(*measure, scores, labelled);
            low = low.min(quantile(lows, 0.025));
            high = high.max(quantile(highs, 0.975));
        }
        Measured { measure: name, value, low, high }
    });
    Ok(measured.collect())
}

fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(share * values.len() as f64) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [f64; 6] = [0.9, 0.8, 0.7, 0.6, 0.2, 0.1];
    const LABELLED: [bool; 6] = [true, false, true, false, true, false];

    #[test]
    fn by_hand() {
        // Four of six rows are called positive, two of the three labelled among them.
        let counts = Labelled { scores: &SCORES, labelled: &LABELLED, prior: 0.2 }.called();
        assert_eq!(counts, Called { rows: 6, called: 4, labelled: 3, found: 2 });
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        close(counts.lee_liu(), (4.0 / 9.0) / (2.0 / 3.0));
        close(counts.precision(0.75), 0.75);
        close(counts.f1(0.75), 2.0 * 0.75 * (2.0 / 3.0) / (0.75 + 2.0 / 3.0));
        // Labelled above unlabeled: 3 + 2 + 1 of nine pairs.
        close(corrected_area_under_roc(&SCORES, &LABELLED, 0.6), (6.0 / 9.0 - 0.3) / 0.4);
        close(area_under_lift(&SCORES, &LABELLED, 0.6), 0.3 + 0.4 * 6.0 / 9.0);
        // Precision at ranks 1, 3, 5 with share 0.6: 0.6 (1/3)/(1/6) kept at 1, 0.6 (2/3)/(1/2), 0.6 (1)/(5/6).
        close(estimated_average_precision(&SCORES, &LABELLED, 0.6), (1.0 + 0.8 + 0.72) / 3.0);
        close(share_of_all(0.2, &LABELLED), 0.6);
    }

    #[test]
    fn intervals_hold_the_value_and_shrink_with_more_rows() {
        let width = |copies: usize| {
            let (scores, labelled) = (SCORES.repeat(copies), LABELLED.repeat(copies));
            let given = Labelled { scores: &scores, labelled: &labelled, prior: 0.2 };
            let report = report_labelled(given, 0.2..=0.2, 200, &Run::new(0)).unwrap();
            assert!(report.iter().all(|m| m.low <= m.value && m.value <= m.high), "{report:?}");
            assert!(report.iter().any(|m| m.low < m.value));
            report.iter().map(|m| m.high - m.low).sum::<f64>()
        };
        assert!(width(100) < 0.5 * width(5));
    }

    #[test]
    fn a_prior_that_is_not_known_widens_what_depends_on_it() {
        // Labelled rows above and below the unlabeled: one area grows with the prior, the other falls.
        for scores in [SCORES, SCORES.map(|score| 1.0 - score)] {
            let (scores, labelled) = (scores.repeat(50), LABELLED.repeat(50));
            let at = |prior: f64, range: RangeInclusive<f64>, resamples: usize| {
                let given = Labelled { scores: &scores, labelled: &labelled, prior };
                report_labelled(given, range, resamples, &Run::new(0)).unwrap()
            };
            let (known, unsure) = (at(0.3, 0.3..=0.3, 100), at(0.3, 0.2..=0.5, 100));
            for (known, unsure) in known.iter().zip(&unsure) {
                let wider = unsure.low < known.low && unsure.high > known.high;
                let depends = !matches!(known.measure, "recall" | "lee_liu");
                assert_eq!((wider, known.value), (depends, unsure.value), "{known:?} {unsure:?}");
            }
            // Not only the value: the whole interval of each end.
            for end in [at(0.2, 0.2..=0.2, 100), at(0.5, 0.5..=0.5, 100)] {
                let held =
                    |(unsure, end): (&Measured, &Measured)| unsure.low <= end.low && end.high <= unsure.high;
                assert!(unsure.iter().zip(&end).all(held), "{unsure:?} {end:?}");
            }
            assert!(at(0.3, 0.2..=0.5, 0).iter().all(|m| m.low == m.value && m.value == m.high));
        }
    }

    #[test]
    fn nothing_called_is_no_nan_and_bad_input_is_refused() {
        let given = Labelled { scores: &[0.1; 6], labelled: &LABELLED, prior: 0.2 };
        let report = report_labelled(given, 0.1..=0.3, 10, &Run::new(0)).unwrap();
        assert!(report.iter().all(|m| m.value.is_finite()));
        let refused =
            |given: Labelled<'_>| report_labelled(given, given.prior..=given.prior, 0, &Run::new(0)).is_err();
        assert!(!refused(given));
        assert!(report_labelled(given, 0.3..=0.4, 0, &Run::new(0)).is_err());
        assert!(report_labelled(given, 0.1..=1.0, 0, &Run::new(0)).is_err());
        assert!(refused(Labelled { prior: 1.0, ..given }));
        assert!(refused(Labelled { scores: &[f64::NAN; 6], ..given }));
        assert!(refused(Labelled { scores: &[0.5; 5], ..given }));
        assert!(refused(Labelled { labelled: &[false; 6], ..given }));
    }
}
