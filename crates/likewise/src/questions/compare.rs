//! Compare: several methods on one problem: what each finds, what it costs, and what can be said of it without the truth.
//!
//! Positives are hidden in the pile fold by fold and each method learns again; where it ranks them says where the class
//! ends, as in finding, and how many stand above the cut is its recall. With the estimated prior that gives precision and
//! F1 ([`crate::automatic`]).

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::problem::Problem;
use super::truth::Truth;
use super::views::Views;
use crate::automatic::certainty::{believed, of_the_class};
use crate::automatic::random_draw;
use crate::codes;
use crate::data::{Kind, PuData};
use crate::decide::is_positive;
use crate::ends::{Moved, rows_by_hidden};
use crate::error::{Error, Result};
use crate::features::words::WordOptions;
use crate::figures::{count, share_of};
use crate::measure::{TruthReport, estimated_f1, estimated_precision, recall_within, report};
use crate::method::{Drawn, Entry, Method, Parameters};
use crate::methods::{self, margin::supervised::Supervised};
use crate::note::Note;
use crate::prior::{PriorOptions, Ranker, Ranks, hidden};
use crate::registry;
use crate::run::Run;

/// Which methods to compare, and how.
///
/// ```
/// use likewise::prelude::*;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund please", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// use likewise::questions::compare::Compare;
/// let methods = Some(vec!["nb".to_string(), "prototype".into()]);
/// let question = Compare { methods, folds: 0, words: WordOptions::default(), meter: None };
/// assert_eq!(question.ask(&problem, None, &Run::new(0))?.lines.len(), 2);
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Compare {
    /// By name; `all` is every one that reads the data, none a good dozen.
    pub methods: Option<Vec<String>>,
    /// Into how many folds the positives are dealt to be hidden; below 2 nothing is estimated.
    pub folds: usize,
    /// How text becomes words.
    pub words: WordOptions,
    /// Started before each method; what it returns tells how many bytes the method took at most.
    pub meter: Option<fn() -> Meter>,
}

/// Tells how many bytes were taken since it was started.
pub type Meter = Box<dyn FnOnce() -> Option<u64>>;

/// The word for every method that reads the data.
const ALL: &str = "all";

/// One of each idea.
const USUAL: &[&str] = &[
    "auto",
    "pseudo-smooth",
    "logistic",
    "bagging",
    "elkan-noto",
    "nnpu",
    "roc-svm",
    "spy-svm",
    "svmc",
    "ocsvm",
    "knn-novelty",
    "lp-pul",
    "nmfpul",
    "spy-em",
    "nb",
    "prototype",
    "relocc",
    "relocc-random",
    "rpt",
    "o-rel",
    "s-rel",
];

/// The answer: a line for each method.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// In the order of the list of methods.
    pub lines: Vec<Line>,
    /// The believed share of positives in the pile, where anything was estimated.
    pub prior: Option<f64>,
    /// Rows of the pile.
    pub pile: usize,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// One method: what is known of it, or why it gave no answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Line {
    /// It answered.
    Answered {
        /// What is known of it.
        #[serde(flatten)]
        compared: Compared,
        /// Bytes that it took at most, where they were measured.
        memory_bytes: Option<u64>,
    },
    /// It gave no answer.
    Failed {
        /// Its name.
        method: &'static str,
        /// Why; written as its words and its code.
        #[serde(flatten, serialize_with = "in_words")]
        error: Error,
    },
}

impl Compare {
    /// Runs every method on the problem.
    pub fn ask(&self, problem: &Problem, truth: Option<&Truth>, run: &Run) -> Result<Comparison> {
        let views = Views::new(problem, &self.words, run);
        let entries = self.entries(problem.kind(), truth.is_some())?;
        let truth = truth.map(|truth| truth.of_problem(problem)).transpose()?;
        let of_pile: Option<Vec<bool>> =
            truth.as_ref().map(|truth| problem.pile().into_iter().map(|row| truth[row]).collect());
        let estimates = self.folds >= 2 && problem.examples() >= 2;
        let part = if estimates { problem.part(run) } else { None };
        let of_part = part.as_ref().map(|part| Views::new(part, &self.words, run));
        let hidden_among = of_part.as_ref().unwrap_or(&views);
        let mut notes = problem.notes.clone();
        let known = match estimates {
            true => {
                let options = PriorOptions::without_intervals();
                let report =
                    methods::prior::estimate(hidden_among, problem.kind(), &options, &run.ahead(0.2))?;
                // A method that cannot take these rows says so in its own line.
                let drawn = match entries.iter().find(|entry| entry.spec().takes(problem.kind())) {
                    Some(entry) => random_draw::of(&hidden_among.train(&entry.spec())?, &run.sharing())?,
                    None => None,
                };
                let (prior, drawn) = believed(&report, drawn, run)?;
                let alarm = drawn.filter(Drawn::alarm);
                notes.extend(alarm.map(|drawn| Note::warn(drawn.warning(None))));
                Some(Known { prior, drawn })
            }
            false => None,
        };
        let (mut lines, ahead, methods) = (Vec::new(), run.ahead(1.0), entries.len());
        for (at, entry) in entries.into_iter().enumerate() {
            let run = &ahead.part(at, methods);
            let method = entry.spec().name;
            let one = || {
                let mut train = views.train(&entry.spec())?;
                if let Some(truth) = truth.as_ref().filter(|_| method == Supervised::SPEC.name) {
                    train = train.with_truth(truth.clone())?;
                }
                let meter = self.meter.map(|start| start());
                let part = of_part.as_ref().map(|views| views.train(&entry.spec())).transpose()?;
                let rows = TrainRows { all: &train, hidden_among: part.as_ref().unwrap_or(&train) };
                let compared = compare(entry, &rows, known, self.folds, of_pile.as_deref(), run)?;
                Ok((compared, meter.and_then(|bytes| bytes())))
            };
            lines.push(match one() {
                Ok((compared, memory_bytes)) => Line::Answered { compared, memory_bytes },
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) => Line::Failed { method, error },
            });
        }
        if !lines.iter().any(|line| matches!(line, Line::Answered { .. })) {
            let plain = |error: &Error| error.to_string();
            let why: Vec<String> = lines.iter().filter_map(|line| line.failure(plain)).collect();
            return Err(Error::of(
                &codes::NO_ANSWER,
                format!("no method gave an answer: {}", why.join("; ")),
            ));
        }
        let prior = known.map(|known| known.prior);
        Ok(Comparison { lines, prior, pile: problem.pile().len(), notes })
    }

    fn entries(&self, kind: Kind, with_truth: bool) -> Result<Vec<&'static dyn Entry>> {
        let takes = |entry: &&'static dyn Entry| entry.spec().takes(kind);
        let possible = |entry: &&'static dyn Entry| with_truth || entry.spec().name != Supervised::SPEC.name;
        match &self.methods {
            Some(names) if names.iter().any(|name| name == ALL) => {
                Ok(registry::all().filter(takes).filter(possible).collect())
            }
            Some(names) => names.iter().map(|name| registry::find(name)).collect(),
            None => Ok(USUAL.iter().filter_map(|name| registry::find(name).ok()).filter(takes).collect()),
        }
    }
}

impl Line {
    /// Why the method gave no answer, in the words of the door.
    pub fn failure(&self, worded: impl Fn(&Error) -> String) -> Option<String> {
        match self {
            Line::Answered { .. } => None,
            Line::Failed { method, error } => Some(format!("{method} gave no answer: {}", worded(error))),
        }
    }
}

fn in_words<S: Serializer>(error: &Error, serializer: S) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_map(Some(2))?;
    out.serialize_entry("error", &error.to_string())?;
    out.serialize_entry("code", error.code().name)?;
    out.end()
}

impl Comparison {
    /// What the estimates rest on, in a plain line; none where nothing was asked to be estimated.
    pub fn line(&self, folds: usize) -> Option<String> {
        match self.prior {
            Some(prior) => Some(format!(
                "About {} of the {} rows are believed positive; recall, precision and F1 marked ~ rest on that and on hidden examples.",
                share_of(prior, self.pile),
                count(self.pile)
            )),
            None if folds < 2 => None,
            None => Some(
                "One example cannot be hidden while another teaches, so nothing is marked ~; give more."
                    .into(),
            ),
        }
    }
}

/// What is known of one method on one problem.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Its name.
    pub method: &'static str,
    /// Seconds of one fit on all positives.
    pub seconds: f64,
    /// How many rows of the pile it marks, with the cut that finding has.
    pub found: usize,
    /// Share of the hidden positives above the cut, as far as the number found allows.
    pub estimated_recall: Option<f64>,
    /// From the estimated recall and the prior.
    pub estimated_precision: Option<f64>,
    /// From the estimated recall and the prior.
    pub estimated_f1: Option<f64>,
    /// The chance that a hidden positive stands above a row of the pile.
    pub pu_auc: Option<f64>,
    /// Against the truth, where it is known.
    pub truth: Option<TruthReport>,
}

/// The rows of a problem for one method: all of them, and those that positives are hidden among, which may be a part.
struct TrainRows<'a> {
    all: &'a PuData,
    hidden_among: &'a PuData,
}

/// What is known of examples and pile before any method ranks.
#[derive(Clone, Copy)]
struct Known {
    /// The believed share of positives in the pile.
    prior: f64,
    drawn: Option<Drawn>,
}

/// Fits `entry` and looks at what it does, with the cut that finding would have. Where nothing is known, nothing is
/// estimated. `truth` is that of the pile's rows, in their order.
fn compare(
    entry: &'static dyn Entry,
    rows: &TrainRows<'_>,
    known: Option<Known>,
    folds: usize,
    truth: Option<&[bool]>,
    run: &Run,
) -> Result<Compared> {
    let started = std::time::Instant::now();
    let scores = entry.fit(&Parameters::new(), rows.all, run)?.scores;
    let seconds = started.elapsed().as_secs_f64();
    let pile = rows.all.unlabeled();
    let mut of_pile: Vec<f64> = pile.iter().map(|&row| scores[row]).collect();
    let hidden = match known {
        Some(known) => {
            let ranks = hide(entry, rows.hidden_among, folds, run)?;
            Some((known.prior, of_the_class(&ranks, known.drawn), ranks.auc()))
        }
        None => None,
    };
    if let Some((prior, ranks, _)) = hidden.as_ref().filter(|_| entry.hidden_cut()) {
        let cut = Moved::after(&of_pile, rows_by_hidden(ranks, *prior, pile.len()));
        of_pile.iter_mut().for_each(|score| *score = cut.score(*score));
    }
    let answers: Vec<bool> = of_pile.iter().map(|score| is_positive(*score)).collect();
    let found = answers.iter().filter(|positive| **positive).count();
    let mut compared = Compared {
        method: entry.spec().name,
        seconds,
        found,
        estimated_recall: None,
        estimated_precision: None,
        estimated_f1: None,
        pu_auc: None,
        truth: truth.map(|truth| report(&of_pile, &answers, truth)),
    };
    if let Some((prior, ranks, auc)) = hidden {
        let share = found as f64 / pile.len() as f64;
        let recall = recall_within(ranks.recall_at(share), prior, share);
        compared.estimated_recall = Some(recall);
        compared.estimated_precision = (found > 0).then(|| estimated_precision(recall, prior, share));
        compared.estimated_f1 = Some(estimated_f1(recall, prior, share));
        compared.pu_auc = Some(auc);
    }
    Ok(compared)
}

/// Where the method ranks positives that are hidden from it.
fn hide(entry: &'static dyn Entry, train: &PuData, folds: usize, run: &Run) -> Result<Ranks> {
    let folds = hidden::deal(train.positives().len(), folds, run)?;
    let ranker = Ranker::method(entry, Parameters::new())?;
    run.install(|| hidden::hidden_ranks(&ranker, train, &folds, run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Data};
    use crate::registry::find;
    use std::sync::Arc;

    #[test]
    fn a_clear_class_is_found_and_said_to_be() {
        // Word 0 is the class; ten positives are marked, ten stand in the pile among forty others.
        let indices: Vec<u32> = (0..60).map(|row| u32::from(row >= 20)).collect();
        let x = Csr::new(2, (0..=60).collect(), indices, vec![1.0; 60]).unwrap();
        let train = PuData::new(Data::Sparse(Arc::new(x)), (0..60).map(|row| row < 10).collect()).unwrap();
        let truth: Vec<bool> = (10..60).map(|row| row < 20).collect();
        let entry = find("logistic").unwrap();
        let rows = TrainRows { all: &train, hidden_among: &train };
        let at_random = |prior: f64| Some(Known { prior, drawn: None });
        let compared = compare(entry, &rows, at_random(0.2), 5, Some(&truth), &Run::new(0)).unwrap();
        assert_eq!((compared.found, compared.estimated_recall), (10, Some(1.0)));
        // Hidden positives tie with the ten of the pile, of which half count as above them.
        assert!((compared.pu_auc.unwrap() - 0.9).abs() < 1e-9);
        assert_eq!(compared.estimated_f1, Some(1.0));
        assert_eq!(compared.truth.unwrap().f1, 1.0);
        // Ten rows cannot hold more than a quarter of forty.
        let many = compare(entry, &rows, at_random(0.8), 5, None, &Run::new(0)).unwrap();
        assert_eq!((many.estimated_recall, many.estimated_f1), (Some(0.25), Some(0.4)));
    }
}
