//! The prior as methods and questions ask for it: from positives and pile, by the default rankers.
//!
//! The estimators themselves stand in [`crate::prior`] and know only ranks. Here the positives are hidden while
//! registered methods rank the pile.

use rand::seq::SliceRandom;

use super::find;
use crate::codes;
use crate::data::{Data, Kind, PuData};
use crate::error::{Error, Result};
use crate::method::{Parameters, Spec};
use crate::note::Note;
use crate::parts::naive_bayes::counts;
use crate::parts::space::Space;
use crate::prior::{Estimate, PriorOptions, PriorReport, Ranker, hidden, of_counts, of_ranks};
use crate::run::Run;

/// The rankers of the default, of which those are taken that can read the data. What the median of their estimates
/// holds was measured with these (`reproduce prior`).
const RANKERS: [&str; 5] = ["logistic", "bagging", "knn-novelty", "prototype", "relocc"];
/// Whose rows the estimators that count words look at.
const COUNTS_WORDS: &str = "nb";

/// The same training rows in the form that each method asks for.
pub trait Views: Sync {
    /// The rows in the form that a method with this spec takes.
    fn view(&self, spec: &Spec) -> Result<PuData>;
}

/// Rows that are what they are, whoever asks.
impl Views for PuData {
    fn view(&self, _: &Spec) -> Result<PuData> {
        Ok(self.clone())
    }
}

impl<F: Fn(&Spec) -> Result<PuData> + Sync> Views for F {
    fn view(&self, spec: &Spec) -> Result<PuData> {
        self(spec)
    }
}

/// Rows of the pile that are enough to say where hidden positives stand in it: a share read off so many, drawn at
/// random, is off by far less than it is for the number of examples anyway, and learning from more takes longer.
pub const PART_OF_PILE: usize = 50_000;

/// All marked rows and so many of the pile at most, in their order; none where it has no more.
pub fn rows_of_part(positive: &[bool], unwanted: &[bool], most: usize, run: &Run) -> Option<Vec<usize>> {
    let (mut pile, mut kept): (Vec<usize>, Vec<usize>) =
        (0..positive.len()).partition(|&row| !positive[row] && !unwanted[row]);
    if pile.len() <= most {
        return None;
    }
    let (part, _) = pile.partial_shuffle(&mut run.rng("part of the pile", 0), most);
    kept.extend_from_slice(part);
    kept.sort_unstable();
    Some(kept)
}

/// The same rows to learn from.
pub fn part_of_pile(train: &PuData, most: usize, run: &Run) -> Option<PuData> {
    rows_of_part(&train.positive, &train.unwanted, most, run).map(|rows| train.select(&rows))
}

/// The default rankers for rows of this kind.
pub fn default_rankers(kind: Kind) -> Vec<Ranker> {
    let known = RANKERS.iter().filter_map(|name| Ranker::method(find(name).ok()?, Parameters::new()).ok());
    known.filter(|ranker| ranker.spec.takes(kind)).collect()
}

/// Estimates the share of positives in the pile from positives and pile alone.
pub fn estimate(rows: &impl Views, kind: Kind, options: &PriorOptions, run: &Run) -> Result<PriorReport> {
    let rankers = match &options.rankers {
        Some(rankers) => rankers.clone(),
        None => default_rankers(kind),
    };
    let Some(first) = rankers.first() else {
        return Err(Error::data(
            "no ranker can read this kind of data; name one, or give scores of your own",
        ));
    };
    let labels = rows.view(&first.spec)?;
    let folds = hidden::deal(labels.positives().len(), options.folds, run)?;
    let mut ranks = Vec::new();
    let (ranking, spaces) = (run.ahead(0.9), run.sharing());
    for (at, ranker) in rankers.iter().enumerate() {
        let run = &ranking.part(at, rankers.len());
        let data = rows.view(&ranker.spec)?;
        // Numbers are ranked under a Nyström map, in which linear rankers and cosines see curved classes too.
        let data = PuData { x: Space::of(&data.x, &spaces.ahead(0.1))?.x.clone(), ..data };
        let found = run.install(|| hidden::hidden_ranks(ranker, &data, &folds, run))?;
        ranks.push((ranker.name.clone(), found));
    }
    of_ranks(ranks, options, run)
}

/// The same beside the estimators that count words, where there are words. The default does not ask these.
pub fn estimate_all(rows: &impl Views, kind: Kind, options: &PriorOptions, run: &Run) -> Result<PriorReport> {
    let mut report = estimate(rows, kind, options, run)?;
    if kind == Kind::Sparse {
        let words = rows.view(&find(COUNTS_WORDS)?.spec())?;
        let default = report.estimates.pop().expect("the median is always there");
        report.estimates.extend(run.install(|| of_words(&words, options, run))?);
        report.estimates.push(default);
    }
    Ok(report)
}

/// The prior that a method works with: as given, or else estimated from its own training rows, with a note
/// that says so. A single positive cannot be hidden from itself; then it is one half.
pub fn given_or_estimated(given: Option<f64>, train: &PuData, run: &Run) -> Result<(f64, Vec<Note>)> {
    if let Some(prior) = given {
        return Ok((prior, Vec::new()));
    }
    if train.positives().len() < 2 {
        let text = "one positive is too few to estimate the share of positives in the pile; taken as 0.5";
        return Ok((0.5, vec![Note::warning(&codes::PRIOR_POOR, text)]));
    }
    let part = part_of_pile(train, PART_OF_PILE, run);
    let rows = part.as_ref().unwrap_or(train);
    let report = estimate(rows, train.x.kind(), &PriorOptions::without_intervals(), run)?;
    let mut notes = vec![Note::info(
        &codes::PRIOR_ESTIMATED,
        format!(
            "the share of positives in the pile was estimated as {:.3}; set `prior` if you know it",
            report.prior()
        ),
    )];
    notes.extend(report.notes.clone());
    Ok((report.prior(), notes))
}

/// The estimates that count words, where there are words.
fn of_words(labels: &PuData, options: &PriorOptions, run: &Run) -> Result<Vec<Estimate>> {
    let Data::Sparse(_) = &labels.x else { return Ok(Vec::new()) };
    let Ok(x) = counts(&labels.x) else { return Ok(Vec::new()) };
    of_counts(x, labels, options.resamples, run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Csr;
    use std::sync::Arc;

    /// 60 positives and a pile of 400 rows, a quarter of them of the same kind.
    fn rows() -> PuData {
        let mut indices = Vec::new();
        for i in 0..460u32 {
            let topic = if i < 160 { 0 } else { 20 };
            let mut words: Vec<u32> = (0..5).map(|k| topic + (i * 7 + k * 3) % 20).collect();
            words.sort();
            words.dedup();
            words.truncate(4);
            indices.push(words);
        }
        let ends = std::iter::once(0).chain(indices.iter().scan(0, |sum, w| {
            *sum += w.len();
            Some(*sum)
        }));
        let ends: Vec<usize> = ends.collect();
        let values = vec![1.0; *ends.last().unwrap()];
        let x = Csr::new(40, ends, indices.concat(), values).unwrap();
        PuData::new(Data::Sparse(Arc::new(x)), (0..460).map(|i| i < 60).collect()).unwrap()
    }

    #[test]
    fn a_clear_case_is_found_by_the_default() {
        let options = PriorOptions {
            rankers: Some(vec![Ranker::method(find("nb").unwrap(), Parameters::new()).unwrap()]),
            ..PriorOptions::default()
        };
        let report = estimate_all(&rows(), Kind::Sparse, &options, &Run::new(0)).unwrap();
        let names: Vec<_> = report.estimates.iter().map(|e| e.estimator).collect();
        assert_eq!(
            names,
            [
                "elkan-noto",
                "bbe",
                "bbe-binomial",
                "dedpul",
                "recall-squared",
                "tice",
                "word-bound",
                "nb-em",
                "median"
            ]
        );
        assert!((report.prior() - 0.25).abs() < 0.03, "{:?}", report.estimates);
        for e in &report.estimates {
            assert!(0.0 < e.low && e.low <= e.estimate && e.estimate <= e.high && e.high < 1.0, "{e:?}");
        }
        assert!(report.notes.is_empty());
    }
}
