//! How many of the pile are positive? Estimated, not asked for.
//!
//! The prior p always means the share of positives in the pile: not among all rows, not in another set.
//! Positives are hidden in the pile while a ranker learns ([`hidden`]); where it ranks them ([`Ranks`]) is
//! all that most estimators need, one file each. They err in different directions, so the default is a
//! median: of BBE with binomial errors, DEDPUL and recall² of every ranker that no other clearly beats (`telling`),
//! taken a little below the middle.
//!
//! Every estimate is an upper bound in truth: negatives that look exactly like positives cannot be told
//! from them without further assumptions.

mod bbe;
mod bbe_binomial;
mod bootstrap;
mod cut;
mod dedpul;
mod elkan_noto;
pub mod hidden;
mod nb_em;
mod rank_density;
mod ranks;
mod recall_squared;
mod telling;
mod tice;
mod typical_first;
mod word_bound;

pub use bbe::bbe;
pub use bbe_binomial::bbe_binomial;
pub use bootstrap::of_words as of_counts;
pub use cut::{best_f1, cut_from_hidden};
pub use dedpul::dedpul;
pub use elkan_noto::elkan_noto;
pub use hidden::Ranker;
pub use nb_em::nb_em;
pub use rank_density::RankDensity;
pub use ranks::{Ranks, Standing};
pub use recall_squared::recall_squared;
pub use tice::tice;
pub use typical_first::{if_typical_first, recall_if_typical_first};
pub use word_bound::word_bound;

use serde::Serialize;

use crate::codes;
use crate::error::{Error, Result};
use crate::method::WEAK;
use crate::note::Note;
use crate::run::Run;
use bbe_binomial::limits;
use bootstrap::{Interval, Resamples};
use telling::{but_the_highest, not_clearly_beaten};

/// An estimator that needs only ranks.
pub type RankEstimator = fn(&Ranks) -> f64;

/// Every estimator that needs only ranks, by name.
pub const RANK_ESTIMATORS: &[(&str, RankEstimator)] = &[
    ("elkan-noto", elkan_noto),
    ("bbe", bbe),
    ("bbe-binomial", bbe_binomial),
    ("dedpul", dedpul),
    ("recall-squared", recall_squared),
    ("tice", tice),
];

/// The name of the default.
pub const MEDIAN: &str = "median";
/// Where among all estimates of all rankers the default lies. Each bounds the prior from above, and the better the ranker
/// the closer, so the middle itself is too high; the lowest would be chosen by chance.
const LOW_MIDDLE: f64 = 0.4;

/// Above a cut that holds less of the positives stand the most typical ones, and those that resemble other examples.
const LEAST_RECALL: f64 = 1.0 / 3.0;

/// Fewer positives than this, and every estimator is poor.
pub const ENOUGH_POSITIVES: usize = 50;

/// Above this the pile is mostly positive. The default is a low middle of its rankers, so it stays under the truth there.
pub const MOSTLY_POSITIVE: f64 = 0.75;
/// Fewer positives than this cannot tell a pile that is mostly positive from a class that no ranker has learned.
const ENOUGH_TO_TELL: usize = 200;
/// Below this part of the default an estimate says that a ranker put some of the positives nowhere, not how many
/// positives there are.
const COLLAPSED: f64 = 0.1;
/// Positives that stand above the pile by less than this part of what the estimate itself would allow are hardly told
/// from it: the estimate is then a bound from above and nothing else. From there on the lower end of its range rises, and
/// counts in full where positives stand as far above as they can.
const HARDLY_TOLD: f64 = 0.5;
/// The prior where nothing is known of it.
const UNTOLD: f64 = 0.5;

/// How the prior is estimated.
#[derive(Clone)]
pub struct PriorOptions {
    /// Whose ranks are used; none means the default for the kind of data.
    pub rankers: Option<Vec<Ranker>>,
    /// Into how many folds the positives are dealt.
    pub folds: usize,
    /// How many bootstrap resamples of the positives make an interval; 0 leaves it empty.
    pub resamples: usize,
}

impl Default for PriorOptions {
    fn default() -> Self {
        PriorOptions { rankers: None, folds: 5, resamples: 100 }
    }
}

impl PriorOptions {
    /// The estimate alone, without the cost of intervals.
    pub fn without_intervals() -> Self {
        PriorOptions { resamples: 0, ..PriorOptions::default() }
    }
}

/// One line of the answer: an estimate with its bootstrap interval (nominal 95 %).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Its name.
    pub estimator: &'static str,
    /// The share of positives in the pile.
    pub estimate: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

/// All estimates, the ranks behind them, and what the user should know.
#[derive(Clone, Debug)]
pub struct PriorReport {
    /// One for each estimator; the last is the default.
    pub estimates: Vec<Estimate>,
    /// The ranks of the positives under each ranker, for whatever else is to be read from them.
    pub ranks: Vec<(String, Ranks)>,
    /// What the user should know.
    pub notes: Vec<Note>,
    /// Whether the positives cannot be told from the pile, so that the default is a mere middle.
    pub untold: bool,
    /// What the default lies among: each estimate of each ranker that tells.
    pub votes: Vec<f64>,
}

impl PriorReport {
    /// The default estimate: the median.
    pub fn default_estimate(&self) -> &Estimate {
        self.estimates.last().expect("the median is always there")
    }

    /// The default estimate as a number, never quite 0 or 1.
    pub fn prior(&self) -> f64 {
        self.default_estimate().estimate
    }
}

/// The estimates that ranks alone allow; all rankers must have ranked the same positives in the same pile.
pub fn of_ranks(ranks: Vec<(String, Ranks)>, options: &PriorOptions, run: &Run) -> Result<PriorReport> {
    let Some((_, first)) = ranks.first() else {
        return Err(Error::data("an estimate of the prior needs the ranks of at least one ranker"));
    };
    let (positives, pile) = (first.positives(), first.pile());
    let resamples = Resamples::draw(positives, options.resamples, run);
    let only_ranks: Vec<Ranks> = ranks.iter().map(|(_, r)| r.clone()).collect();
    let limit = |p: f64| within(p, pile);
    let mut estimates = Vec::new();
    for &(estimator, of_one) in RANK_ESTIMATORS {
        let over_rankers = |ranks: &[Ranks]| limit(median(ranks.iter().map(of_one).collect()));
        let interval = resamples.interval(&only_ranks, over_rankers);
        estimates.push(Estimate::new(estimator, over_rankers(&only_ranks), interval));
    }
    let medians =
        |ranks: &[Ranks]| limit(quantile(&ranks.iter().flat_map(three).collect::<Vec<_>>(), LOW_MIDDLE));
    // Resampling cannot see how much the estimators disagree, so their spread widens the interval: down to the lowest,
    // since each of them bounds the prior from above.
    // Above a pile that is mostly positive none can stand far, and who seems to is mistaken about its other positives.
    let of_all = medians(&only_ranks);
    let close = if of_all > MOSTLY_POSITIVE { only_ranks.clone() } else { not_clearly_beaten(&only_ranks) };
    let estimate = medians(&close);
    let telling = but_the_highest(&close);
    let mut spread: Vec<f64> = telling.iter().copied().flat_map(three).map(limit).collect();
    spread.retain(|p| *p > COLLAPSED * estimate);
    // So does chance at the cut itself: the few rows that stand among the best positives may stand there by it.
    let (least, most): (Vec<f64>, Vec<f64>) = telling.into_iter().map(limits).unzip();
    let interval = resamples.interval(&close, medians).map(|i| Interval {
        low: i.low.min(quantile(&spread, 0.0)).min(limit(quantile(&least, 0.0))),
        high: i.high.max(quantile(&spread, 0.9)).max(limit(quantile(&most, LOW_MIDDLE))),
    });
    let mut default = Estimate::new(MEDIAN, estimate, interval);
    let mut notes = Vec::new();
    let untold = default.estimate > MOSTLY_POSITIVE && positives < ENOUGH_TO_TELL;
    if !untold && options.resamples > 0 {
        let auc = only_ranks.iter().map(Ranks::auc).fold(0.0, f64::max);
        let told = told_apart(auc, default.estimate);
        // Beside an estimate that is too high a poor ranking looks like a perfect one of a large class.
        let weak = auc < WEAK && default.estimate <= MOSTLY_POSITIVE;
        let believed = if weak { 0.0 } else { (told - HARDLY_TOLD) / (1.0 - HARDLY_TOLD) };
        default.low = limit(default.low * believed.clamp(0.0, 1.0));
        if told < HARDLY_TOLD {
            notes.push(Note::warning(
                &codes::WEAK_SEPARATION,
                "the positives hardly stand above the pile: how many more there are the data cannot tell, and there may be none; give more telling columns or more examples",
            ));
        }
    }
    let mut votes: Vec<f64> = close.iter().flat_map(three).map(limit).collect();
    if untold {
        votes = vec![UNTOLD];
        default = Estimate { estimator: MEDIAN, estimate: UNTOLD, low: limit(0.0), high: limit(1.0) };
        notes.push(Note::warning(&codes::PRIOR_UNTOLD, format!(
            "the positives cannot be told from the pile: either most of it is positive, or {positives} positives do not show what makes the class; one half is taken for want of better, mark {ENOUGH_TO_TELL} or more to know"
        )));
    }
    estimates.push(default);
    if positives < ENOUGH_POSITIVES {
        notes.push(Note::warning(&codes::PRIOR_POOR, format!(
            "only {positives} positives: below {ENOUGH_POSITIVES} every estimate of the prior is poor; mark more if you can"
        )));
    }
    Ok(PriorReport { estimates, ranks, notes, untold, votes })
}

/// How far above the pile the best ranker puts the positives, as a part of how far a share `prior` of the pile can stand
/// above all of it: those ranked above all others have an AUC of 1 - π / 2 against the whole pile. What is missing are
/// negatives that look like positives, and the same negatives may stand among the best.
fn told_apart(auc: f64, prior: f64) -> f64 {
    (auc - 0.5) / (0.5 * (1.0 - prior))
}

/// BBE with binomial errors, DEDPUL and recall², which err in different directions.
fn three(ranks: &Ranks) -> [f64; 3] {
    [bbe_binomial(ranks), dedpul(ranks), recall_squared(ranks)]
}

/// The default estimate of a single ranker.
pub fn median_of_three(ranks: &Ranks) -> f64 {
    median(three(ranks).to_vec())
}

impl Estimate {
    fn new(estimator: &'static str, estimate: f64, interval: Option<Interval>) -> Self {
        let interval = interval.unwrap_or(Interval { low: estimate, high: estimate });
        Estimate { estimator, estimate, low: interval.low.min(estimate), high: interval.high.max(estimate) }
    }
}

/// A share that half a row of the pile keeps from 0 and 1.
fn within(p: f64, pile: usize) -> f64 {
    let half_a_row = 0.5 / pile as f64;
    p.clamp(half_a_row, 1.0 - half_a_row)
}

/// The middle value, or the mean of the two middle ones.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { 0.5 * (values[half - 1] + values[half]) }
}

/// The value below which that share lies, interpolated.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = share * (sorted.len() - 1) as f64;
    let (low, rest) = (at.floor() as usize, at.fract());
    sorted[low] + rest * (sorted[(low + 1).min(sorted.len() - 1)] - sorted[low])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_quantiles_by_hand() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
        assert_eq!(quantile(&[0.0, 1.0, 2.0], 0.25), 0.5);
    }

    #[test]
    fn few_positives_that_look_like_the_pile_tell_nothing() {
        let pile: Vec<f64> = (0..400).map(f64::from).collect();
        let like_the_pile = |n: usize| {
            let scores: Vec<f64> = (0..n).map(|i| (i as f64 + 0.5) * 400.0 / n as f64).collect();
            let ranks = Ranks::of_scores(&scores, &pile).unwrap();
            of_ranks(vec![("own".into(), ranks)], &PriorOptions::default(), &Run::new(0)).unwrap()
        };
        let (few, many) = (like_the_pile(60), like_the_pile(300));
        assert!(
            few.untold && few.prior() == 0.5 && few.default_estimate().high > 0.99,
            "{:?}",
            few.estimates
        );
        assert!(!many.untold && many.prior() > MOSTLY_POSITIVE, "{:?}", many.estimates);
        assert!(matches!(&few.notes[..], [note] if note.to_string().contains("cannot be told")));
    }

    #[test]
    fn a_ranker_that_has_learned_nothing_does_not_widen_the_range() {
        let pile: Vec<f64> = (0..400).map(f64::from).collect();
        let spread_over = |from: f64, to: f64| {
            let scores: Vec<f64> =
                (0..60).map(|i| from + (to - from) * (f64::from(i) + 0.5) / 60.0).collect();
            Ranks::of_scores(&scores, &pile).unwrap()
        };
        let good = [("a", spread_over(320.0, 400.0)), ("b", spread_over(310.0, 400.0))];
        let range = |rankers: Vec<(&str, Ranks)>| {
            let named = rankers.into_iter().map(|(name, ranks)| (name.to_string(), ranks)).collect();
            let report = of_ranks(named, &PriorOptions::default(), &Run::new(0)).unwrap();
            (report.default_estimate().low, report.default_estimate().high)
        };
        let (alone, with_none) =
            (range(good.to_vec()), range([&good[..], &[("none", spread_over(0.0, 400.0))]].concat()));
        assert!(alone.1 < 0.4 && with_none.1 < 0.4, "{alone:?} {with_none:?}");
        let only_none = range(vec![("none", spread_over(0.0, 400.0))]);
        assert!(only_none.1 > 0.9, "{only_none:?}");
    }

    #[test]
    fn where_positives_hardly_stand_out_there_may_be_none() {
        let pile: Vec<f64> = (0..1000).map(f64::from).collect();
        let report = |shape: fn(f64) -> f64| {
            let scores: Vec<f64> = (0..80).map(|i| 1000.0 * shape((f64::from(i) + 0.5) / 80.0)).collect();
            let ranks = Ranks::of_scores(&scores, &pile).unwrap();
            of_ranks(vec![("own".into(), ranks)], &PriorOptions::default(), &Run::new(0)).unwrap()
        };
        let said =
            |report: &PriorReport| report.notes.iter().any(|n| n.message.code == &codes::WEAK_SEPARATION);
        // A quarter of the positives stand in the best tenth and the others anywhere: an AUC of 0.61 where a third of the
        // pile, which is the bound, would have 0.84.
        let weak =
            report(|share| if share < 0.75 { share / 0.75 } else { 0.9 + 0.1 * (share - 0.75) / 0.25 });
        assert!(weak.default_estimate().low < 0.001 && said(&weak), "{:?}", weak.estimates);
        // The upper half of the pile is positive: an AUC of 0.75, which is all that it can be.
        let half = report(|share| 0.5 + 0.5 * share);
        assert!(half.default_estimate().low > 0.1 && !said(&half), "{:?}", half.estimates);
    }

    #[test]
    fn a_class_that_the_pile_does_not_hold_may_have_no_row_in_it() {
        // Rows follow the positives, ever more of them, and none stands among the better half.
        let ranks = Ranks::of_counts((0..200).map(|i: usize| (i / 10).saturating_sub(9).pow(2)), 5000);
        let report = of_ranks(vec![("own".into(), ranks)], &PriorOptions::default(), &Run::new(0)).unwrap();
        let found = report.default_estimate();
        assert!(found.low <= 0.0001 && found.estimate < 0.001, "{:?}", report.estimates);
        // Fifty rows among the positives at every height are there.
        let among = Ranks::of_counts((0..200).map(|i: usize| 1 + i / 4), 5000);
        let report = of_ranks(vec![("own".into(), among)], &PriorOptions::default(), &Run::new(0)).unwrap();
        let found = report.default_estimate();
        assert!(found.low > 0.003 && (found.estimate - 0.01).abs() < 0.002, "{:?}", report.estimates);
    }

    #[test]
    fn few_positives_are_warned_of() {
        let ranks = Ranks::of_scores(&[0.9, 0.8], &[0.1, 0.2, 0.85]).unwrap();
        let report = of_ranks(vec![("own".into(), ranks)], &PriorOptions::default(), &Run::new(0)).unwrap();
        assert!(matches!(&report.notes[..], [note] if note.to_string().starts_with("only 2 positives")));
        assert!(report.estimates.iter().all(|e| e.estimate > 0.0 && e.estimate < 1.0));
    }
}
