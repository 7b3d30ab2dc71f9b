//! How sure an answer is: what positives hidden in the pile say of a cut, whatever method ranked.

use super::criteria::Criteria;
use super::{intervals, random_draw};
use crate::data::PuData;
use crate::error::Result;
use crate::measure::recall_within;
use crate::method::{Drawn, Entry, Negatives, Parameters, Range, Summary};
use crate::methods::prior::{self as by_methods, Views};
use crate::prior::{
    MOSTLY_POSITIVE, PriorOptions, PriorReport, Ranker, Ranks, hidden, if_typical_first,
    recall_if_typical_first,
};
use crate::run::Run;

/// What can be said of the answer that a method gave: `scores` are its own of the training rows, and its cut is 0.5.
/// The method learns again while positives are hidden from it, and so do the rankers that tell how many there are.
pub fn of_method(
    entry: &'static dyn Entry,
    parameters: &Parameters,
    rows: &impl Views,
    scores: &[f64],
    run: &Run,
) -> Result<Summary> {
    let mut summary = before_the_cut(entry, parameters, rows, &PriorOptions::default(), run)?;
    let pile = rows.view(&entry.spec())?.unlabeled();
    let found = pile.iter().filter(|&&row| scores[row] >= 0.5).count();
    moved(&mut summary, found, run);
    Ok(summary)
}

/// What positives hidden from the method say before anybody has decided where to cut: the prior, and where each hidden
/// positive stands. With a single example nothing can be hidden, and no rank is known. Where nobody resamples the prior is
/// the same, and has no range.
pub fn before_the_cut(
    entry: &'static dyn Entry,
    parameters: &Parameters,
    rows: &impl Views,
    options: &PriorOptions,
    run: &Run,
) -> Result<Summary> {
    let train = rows.view(&entry.spec())?;
    let mut summary = Summary { method: entry.spec().name.to_string(), ..empty(&train) };
    if entry.negatives() == Negatives::LeftOut {
        summary.known_negatives = 0;
    }
    if summary.positives < 2 {
        summary.because =
            "without a choice among methods; one example cannot be hidden from itself, so nothing is claimed"
                .into();
        (summary.prior_high, summary.recall_high) = (1.0, 1.0);
        (summary.precision_high, summary.f1_high) = (1.0, 1.0);
        return Ok(summary);
    }
    let report = by_methods::estimate(rows, train.x.kind(), options, &run.ahead(0.7))?;
    let estimate = report.default_estimate();
    let folds = hidden::deal(summary.positives, options.folds, run)?;
    let ranker = Ranker::method(entry, parameters.clone())?;
    let ranks = run.install(|| hidden::hidden_ranks(&ranker, &train, &folds, run))?;
    let criteria = Criteria::of(&ranks, estimate.estimate);
    summary.because =
        format!("without a choice among methods (PU-AUC {:.2} on hidden examples)", criteria.pu_auc);
    (summary.prior, summary.prior_low, summary.prior_high) = (estimate.estimate, estimate.low, estimate.high);
    summary.drawn = random_draw::of(&train, &run.sharing())?;
    allow_for_typical(&mut summary, &report, options, run)?;
    summary.prior_untold = report.untold;
    summary.routed_to_unexpected = summary.prior > MOSTLY_POSITIVE;
    summary.candidates = vec![criteria.tried(summary.method.clone())];
    summary.hidden_ranks = ranks.shares().to_vec();
    Ok(summary)
}

/// Lets the range of the prior reach as far up as it may if typical rows were marked first, where the examples are more
/// typical than rows beside them. Where they are too typical for a random draw, the prior itself allows for it.
pub(super) fn allow_for_typical(
    summary: &mut Summary,
    report: &PriorReport,
    options: &PriorOptions,
    run: &Run,
) -> Result<()> {
    if let Some(drawn) = summary.drawn.filter(Drawn::doubtful) {
        let far = if_typical_first(&report.ranks, drawn.strength_high, options, run)?;
        summary.prior_high = summary.prior_high.max(far.high);
    }
    let (prior, drawn) = believed(report, summary.drawn, run)?;
    (summary.prior, summary.drawn) = (summary.prior.max(prior), drawn);
    Ok(())
}

/// The share of positives, and how the examples were drawn: where they are too typical of their class, allowing for it.
///
/// How typical they are says how large the class is, and how large it is says how many of the rows beside the examples
/// are of it, so that they can be compared with: both are asked in turn, from the largest class on, until they agree.
pub fn believed(report: &PriorReport, drawn: Option<Drawn>, run: &Run) -> Result<(f64, Option<Drawn>)> {
    const TURNS: usize = 8;
    const AGREE: f64 = 0.02;
    let at_random = report.prior();
    let (Some(alarmed), Some((_, ranks))) = (drawn.filter(Drawn::alarm), report.ranks.first()) else {
        return Ok((at_random, drawn));
    };
    let of_each = ranks.pile() as f64 / ranks.positives() as f64;
    let options = PriorOptions::without_intervals();
    let (mut prior, mut class) = (at_random, 1.0);
    for _ in 0..TURNS {
        let strength = alarmed.among(class).strength;
        prior = at_random.max(if_typical_first(&report.ranks, strength, &options, run)?.estimate);
        let next = alarmed.class_beside(prior * of_each);
        if (next - class).abs() < AGREE {
            break;
        }
        class = next;
    }
    let settled = alarmed.among(class);
    Ok((if settled.alarm() { prior } else { at_random }, Some(settled)))
}

/// The ranks that the whole class would have, where the examples are too typical of it.
pub fn of_the_class(ranks: &Ranks, drawn: Option<Drawn>) -> Ranks {
    drawn.filter(Drawn::alarm).map_or_else(|| ranks.clone(), |drawn| ranks.of_the_class(drawn.strength))
}

/// The ranks that a summary keeps; none where nothing was hidden.
fn ranks_of(summary: &Summary) -> Option<Ranks> {
    let known = !summary.hidden_ranks.is_empty();
    known.then(|| Ranks::of_shares(summary.hidden_ranks.clone(), summary.pile))
}

/// The same as the whole class would have them, where the examples are too typical of it.
pub fn ranks_of_class(summary: &Summary) -> Option<Ranks> {
    Some(of_the_class(&ranks_of(summary)?, summary.drawn))
}

/// Says of the same answer what it is worth when its best `found` rows are marked.
pub fn moved(summary: &mut Summary, found: usize, run: &Run) {
    summary.found = found;
    summary.cut = found as f64 / summary.pile as f64;
    if let Some(ranks) = ranks_of(summary) {
        let cut = summary.cut;
        place(summary, &ranks, cut, run);
    }
    summary.warn(None);
}

/// Fills in what the cut means for recall, precision and F1.
pub(super) fn place(summary: &mut Summary, ranks: &Ranks, cut: f64, run: &Run) {
    let n = ranks.positives();
    let in_pile = summary.prior * summary.pile as f64;
    let within = |ranks: &Ranks, q: f64| ranks.shares().iter().filter(|r| **r <= q).count();
    let inside = |q: f64| within(ranks, q);
    let of_examples = |x: usize, q: f64| {
        let range = match q {
            // Where nothing or all is marked there is nothing to estimate.
            q if q <= 0.0 => return Range { low: 0.0, high: 0.0 },
            q if q >= 1.0 => return Range { low: 1.0, high: 1.0 },
            _ => intervals::recall(x, n, in_pile, true, run),
        };
        // Typical rows are ranked higher than others are.
        match summary.drawn.filter(Drawn::doubtful) {
            Some(drawn) => Range { low: recall_if_typical_first(range.low, drawn.strength_high), ..range },
            None => range,
        }
    };
    let class = of_the_class(ranks, summary.drawn);
    let of_class = |q: f64| within(&class, q) as f64 / n as f64;
    let recall = of_examples(inside(cut), cut);
    let curve = curve_points(cut).map(|q| {
        let range = of_examples(inside(q), q);
        [q, of_class(q), range.low, range.high]
    });
    let curve = curve.collect();
    let (prior, believed) = (summary.prior_range(), of_class(cut));
    let (precision, f1) = (intervals::precision(recall, prior, cut), intervals::f1(recall, prior, cut));
    summary.hidden_ranks = ranks.shares().to_vec();
    summary.cut = cut;
    summary.recall = recall_within(believed, summary.prior, cut);
    (summary.recall_low, summary.recall_high) = (recall.low.min(summary.recall), recall.high);
    (summary.precision_low, summary.precision_high) = (precision.low, precision.high);
    (summary.f1_low, summary.f1_high) = (f1.low, f1.high);
    summary.recall_curve = curve;
}

/// Shares at which the recall curve is drawn: closer together near the top of the ranking.
fn curve_points(cut: f64) -> impl Iterator<Item = f64> {
    let mut points: Vec<f64> = (1..=24).map(|k| (f64::from(k) / 24.0).powi(3)).chain([cut]).collect();
    points.sort_by(f64::total_cmp);
    points.into_iter()
}

/// Nothing said yet of an answer learned from these rows.
pub(super) fn empty(train: &PuData) -> Summary {
    Summary {
        prior: 0.0,
        prior_low: 0.0,
        prior_high: 0.0,
        method: String::new(),
        because: String::new(),
        routed_to_unexpected: false,
        prior_untold: false,
        candidates: Vec::new(),
        blocks: Vec::new(),
        cut: 0.0,
        pile: train.unlabeled().len(),
        sampled: None,
        positives: train.positives().len(),
        found: 0,
        recall: 0.0,
        recall_low: 0.0,
        recall_high: 0.0,
        precision_low: 0.0,
        precision_high: 0.0,
        f1_low: 0.0,
        f1_high: 0.0,
        recall_curve: Vec::new(),
        warnings: Vec::new(),
        known_negatives: train.known_negatives().len(),
        hidden_ranks: Vec::new(),
        drawn: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::of_ranks;

    #[test]
    fn neighbours_that_cannot_be_of_the_class_explain_typical_examples() {
        // Forty examples spread over the best twentieth of the pile.
        let shares = (0..40).map(|j| 0.05 * (f64::from(j) + 0.5) / 40.0).collect();
        let (ranks, run) = (Ranks::of_shares(shares, 10_000), Run::new(0));
        let report = of_ranks(vec![("own".into(), ranks)], &PriorOptions::without_intervals(), &run).unwrap();
        let told = |marked_beside: f64| {
            let drawn = Drawn {
                compared: 40,
                deviations: 6.0,
                limit: 3.0,
                strength: 1.0,
                strength_high: 2.0,
                marked_beside,
            };
            let (prior, drawn) = believed(&report, Some(drawn), &run).unwrap();
            (prior, drawn.unwrap())
        };
        let (prior, drawn) = told(0.5);
        assert!(drawn.alarm() && drawn.strength == 1.0 && prior >= report.prior(), "{prior}");
        // Of a thousand rows beside examples one is an example: there the class of such a pile cannot be.
        let (prior, drawn) = told(0.001);
        assert!(!drawn.alarm() && drawn.strength < 0.1 && prior == report.prior(), "{prior} {drawn:?}");
        assert_eq!(believed(&report, None, &run).unwrap(), (report.prior(), None));
    }
}
