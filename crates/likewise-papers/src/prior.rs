//! How far off is the estimated share of positives? Beyond the papers: the tasks of [`crate::automatic`].
//!
//! One-class naive Bayes needs the prior on short messages only ([`crate::onb`]). Here all estimators of
//! `likewise prior` meet long documents, classes of one percent, piles that are mostly positive, and numbers;
//! the default of each ranker alone stands beside the median over all.

use likewise::Run;
use likewise::method::Spec;
use likewise::prior::{self, PriorOptions};
use serde::{Deserialize, Serialize};

use crate::automatic::tasks::{self, Problem, Source, TaskKind};
use crate::error::Result;
use crate::lab::Lab;
use crate::paper::{Cell, Claim, Paper, PaperTable};
use crate::show::distinct;

pub const ERRORS: &str = "errors";
pub const INTERVALS: &str = "intervals";
/// The column that averages over the kinds.
pub const MEAN: &str = "mean of the kinds";
/// The metrics that the claims are about.
pub const OFF: &str = "absolute error";
pub const COVERAGE: &str = "coverage";

pub const PAPER: Paper = Paper {
    name: "prior",
    title: "The share of positives in the pile, estimated on tasks of five kinds",
    tables: &[
        PaperTable {
            name: ERRORS,
            title: "Error of the estimate",
            note: "0 is best. Beside `median` stands what the recipe's first trial reached on draws of its own.",
            digits: 3,
            axis: None,
        },
        PaperTable {
            name: INTERVALS,
            title: "How often the truth lies in the interval (nominal 95 %), and how wide it is",
            note: "Resampling sees chance alone, not what an estimator takes for granted; only `median` adds how far the estimators are apart.",
            digits: 3,
            axis: None,
        },
    ],
    claims: &[
        Claim {
            text: "the default estimate is off by at most .045 on average over the kinds",
            holds: |numbers| Some(numbers.ours(ERRORS, prior::MEDIAN, MEAN, OFF)? <= 0.045),
        },
        Claim {
            text: "its interval (nominal 95 %) holds the truth in at least .95 of the tasks, on average over the kinds",
            holds: |numbers| Some(numbers.ours(INTERVALS, prior::MEDIAN, MEAN, COVERAGE)? >= 0.95),
        },
    ],
    findings: &[
        "Every estimate is an upper bound in truth; where the classes hardly differ (violence, disaster) it is off by up to .3.",
        "BBE's error is the same for every share and drowns rare classes; with the error that a share of that size has (bbe-binomial) it is off by a fraction of that.",
        "The median of one ranker alone is off by half as much again as that over several, or more; its interval leaves out the ranker with the highest estimate.",
        "The intervals of single estimators hold chance alone and miss the truth more often than not; that of the median comes nearer to what it promises.",
    ],
    missing: &["pendigits, one of the kinds of the first trial: the set is not among the data."],
    reproduce,
};

/// What one task gave.
#[derive(Serialize, Deserialize)]
struct Found {
    truth: f64,
    /// The default last.
    estimates: Vec<Named>,
    seconds: f64,
}

#[derive(Serialize, Deserialize)]
struct Named {
    name: String,
    estimate: f64,
    interval: Option<(f64, f64)>,
}

/// A number that an estimate gets beside the truth.
struct Measure {
    table: &'static str,
    metric: &'static str,
    of: fn(&Named, f64) -> Option<f64>,
}

const MEASURES: [Measure; 4] = [
    Measure { table: ERRORS, metric: OFF, of: |found, truth| Some((found.estimate - truth).abs()) },
    Measure { table: ERRORS, metric: "bias", of: |found, truth| Some(found.estimate - truth) },
    Measure {
        table: INTERVALS,
        metric: COVERAGE,
        of: |found, truth| {
            let (low, high) = found.interval?;
            Some(if (low..=high).contains(&truth) { 1.0 } else { 0.0 })
        },
    },
    Measure {
        table: INTERVALS,
        metric: "width",
        of: |found, _| {
            let (low, high) = found.interval?;
            Some(high - low)
        },
    },
];

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let source = Source::load(&lab.data, lab.run())?;
    let work = tasks::all(0..lab.choose(1, 2));
    let found = lab.trials("prior", &work, |task, run| {
        let run = run.with_seed(task.seed);
        one(&source.problem(task, &run)?, &run)
    })?;
    let names = distinct(found.iter().flat_map(|found| &found.estimates).map(|named| named.name.as_str()));
    let mut cells = Vec::new();
    for Measure { table, metric, of } in MEASURES {
        for name in &names {
            let cell = |column: &str| Cell::new(PAPER.name, table, name, column, metric);
            let mut kinds = Vec::new();
            for kind in TaskKind::ALL {
                let here = work.iter().zip(&found).filter(|(task, _)| task.kind == kind);
                let measured: Vec<(f64, f64)> = here
                    .filter_map(|(_, found)| {
                        let named = found.estimates.iter().find(|named| named.name == *name)?;
                        Some((of(named, found.truth)?, found.seconds))
                    })
                    .collect();
                let known = (*name == prior::MEDIAN && metric == OFF).then(|| first_trial(kind));
                kinds.extend(cell(kind.name()).printed(known).of(&measured));
            }
            let means: Vec<(f64, f64)> = kinds.iter().map(|cell| (cell.value, cell.seconds)).collect();
            let trials = kinds.iter().map(|cell| cell.trials).sum();
            cells.extend(kinds);
            cells.extend(cell(MEAN).of(&means).map(|mean| Cell { trials, sd: 0.0, ..mean }));
        }
    }
    Ok(cells)
}

/// All estimates for one task, and the default of each ranker alone.
fn one(problem: &Problem, run: &Run) -> Result<Found> {
    let rows = |spec: &Spec| {
        problem.train_under(spec.weights).map_err(|error| likewise::Error::data(error.to_string()))
    };
    let started = std::time::Instant::now();
    let report =
        likewise::methods::prior::estimate_all(&rows, problem.train.x.kind(), &PriorOptions::default(), run)?;
    let seconds = started.elapsed().as_secs_f64();
    let alone = report.ranks.iter().map(|(name, ranks)| Named {
        name: format!("median of {name} alone"),
        estimate: prior::median_of_three(ranks),
        interval: None,
    });
    let all = report.estimates.iter().map(|e| Named {
        name: e.estimator.to_string(),
        estimate: e.estimate,
        interval: Some((e.low, e.high)),
    });
    Ok(Found { truth: problem.prior(), estimates: alone.chain(all).collect(), seconds })
}

/// The median over four rankers in the first trial of the recipe.
fn first_trial(kind: TaskKind) -> f64 {
    match kind {
        TaskKind::Tweets => 0.097,
        TaskKind::Newsgroups => 0.022,
        TaskKind::Rare => 0.014,
        TaskKind::Unexpected => 0.032,
        TaskKind::Letters => 0.016,
    }
}
