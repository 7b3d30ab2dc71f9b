//! The automatic choice judged: what its choice costs against the best candidate in hindsight, whether it takes
//! the right route, how good its cut is, and whether its intervals hold what they promise.

pub mod tasks;

use likewise::Run;
use likewise::automatic::HiddenFolds;
use likewise::automatic::auto::Auto;
use likewise::automatic::candidates::pool;
use likewise::decide::is_positive;
use likewise::measure::{Confusion, average_precision, calibration_error, reliability};
use likewise::method::{Effort as Pool, Summary};
use likewise::probability::Probabilities;
use likewise::registry::find;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::error::Result;
use crate::lab::Lab;
use crate::paper::{Cell, Claim, Paper, PaperTable};
use tasks::{Problem, Source, Task, TaskKind};

const REGRET: &str = "regret";
/// The row that can be compared with the first trial, whose regret was to base methods.
const TO_BASES: &str = "regret to the best base method, average precision";
const COVERAGE: &str = "coverage";
const PRIOR: &str = "prior";
const CALIBRATION: &str = "calibration";
const RELIABILITY: &str = "reliability";
const ESTIMATED: &str = "probabilities, estimated prior";
const TRUE: &str = "probabilities, true prior";
const ELKAN_NOTO: &str = "Elkan-Noto";
const ALL: &str = "mean of the kinds";
const EVERY: &str = "all splits";
/// A prior above this means that the pile is mostly positive.
const MOSTLY: f64 = 0.8;

pub const PAPER: Paper = Paper {
    name: "automatic",
    title: "The automatic choice: regret, cut, route and intervals",
    tables: &[
        PaperTable {
            name: REGRET,
            title: "What the choice costs, and what the cut reaches",
            note: "Regret: the best candidate in hindsight minus the chosen one. A base method is no mean of ranks, which can be better than all of them. In brackets: the figures of the recipe's first trial, on draws of its own and against 22 base methods.",
            digits: 3,
            axis: None,
        },
        PaperTable {
            name: COVERAGE,
            title: "How often the truth lies in the interval (nominal 95 %)",
            note: "Recall of the cut; precision and F1 as boxes over the range of the prior.",
            digits: 3,
            axis: None,
        },
        PaperTable {
            name: PRIOR,
            title: "Share of positives in the pile: error of the estimate",
            note: "",
            digits: 3,
            axis: None,
        },
        PaperTable {
            name: CALIBRATION,
            title: "Probabilities: expected calibration error over tenths",
            note: "Elkan-Noto: the scores of that method as its paper means them, on the same draws.",
            digits: 3,
            axis: None,
        },
        PaperTable {
            name: RELIABILITY,
            title: "Probabilities: share of positives among rows of a probability",
            note: "All splits together; the columns are the tenth that the probability is in, in percent. On the diagonal they mean what they say.",
            digits: 3,
            axis: Some("probability in percent"),
        },
    ],
    claims: &[
        Claim {
            text: "mean regret is at most .02 in average precision",
            holds: |n| Some(n.ours(REGRET, "regret, average precision", ALL, "mean")? <= 0.02),
        },
        Claim {
            text: "mean regret is at most .025 in F1",
            holds: |n| Some(n.ours(REGRET, "regret, best F1", ALL, "mean")? <= 0.025),
        },
        Claim {
            text: "F1 at the cut is at least .66 as the mean of the kinds",
            holds: |n| Some(n.ours(REGRET, "F1 at the cut", ALL, "mean")? >= 0.66),
        },
        Claim {
            text: "the route is right on every task",
            holds: |n| Some(n.ours(REGRET, "right route", ALL, "mean")? == 1.0),
        },
        Claim {
            text: "recall is covered in .92 to .98 of the splits",
            holds: |n| Some((0.92..=0.98).contains(&n.ours(COVERAGE, "recall", EVERY, "coverage")?)),
        },
        Claim {
            text: "precision and F1 boxes cover at least .94 of the splits",
            holds: |n| {
                let of = |row| n.ours(COVERAGE, row, EVERY, "coverage");
                Some(of("precision")? >= 0.94 && of("F1")? >= 0.94)
            },
        },
        Claim {
            text: "probabilities are off by at most .05 with the estimated prior and .03 with the true one",
            holds: |n| {
                let of = |row| n.ours(CALIBRATION, row, ALL, "mean");
                Some(of(ESTIMATED)? <= 0.05 && of(TRUE)? <= 0.03)
            },
        },
        Claim {
            text: "the prior is off by at most .045 on average",
            holds: |n| Some(n.ours(PRIOR, "absolute error", ALL, "mean")? <= 0.045),
        },
    ],
    findings: &["The prior dominates every other error; it is bounded from above only, and so is precision."],
    missing: &["pendigits, one of the kinds of the first trial: the set is not among the data."],
    reproduce,
};

/// All that is measured of one split.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub chosen: String,
    pub ap_regret: f64,
    /// The same against the candidates that are no means of others.
    pub ap_regret_to_bases: f64,
    pub f1_regret: f64,
    pub f1: f64,
    pub right_route: bool,
    pub prior: f64,
    pub true_prior: f64,
    /// Whether recall, precision and F1 lie in their intervals.
    pub covered: [bool; 3],
    /// How wide those are.
    pub width: [f64; 3],
    pub prior_covered: bool,
    /// Expected calibration error with the estimated prior, with the true one, and of Elkan and Noto's scores.
    pub calibration: [f64; 3],
    /// For each of the three and each tenth of probability: rows, and positives among them.
    pub reliability: [Vec<(usize, f64)>; 3],
    pub seconds: f64,
    /// Average precision of each candidate, for a closer look.
    pub candidates: Vec<(String, f64)>,
}

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let source = Source::load(&lab.data, lab.run())?;
    let mut work = tasks::all(0..lab.choose(1, 4));
    if lab.effort == crate::Extent::Quick {
        work = work.into_iter().step_by(2).collect();
    }
    let outcomes = judge(lab, &source, &work)?;
    Ok(table(&work, &outcomes))
}

/// Runs the automatic choice and all of its candidates on every task.
pub fn judge(lab: &Lab, source: &Source, work: &[Task]) -> Result<Vec<Outcome>> {
    lab.trials("automatic", work, |task, run| {
        let run = run.with_seed(task.seed);
        one(task, &source.problem(task, &run)?, &run)
    })
}

fn one(task: &Task, problem: &Problem, run: &Run) -> Result<Outcome> {
    let started = std::time::Instant::now();
    let fitted = find("auto")?.fit(&Map::new(), &problem.train, run)?;
    let seconds = started.elapsed().as_secs_f64();
    let summary = fitted.model.summary().expect("the automatic choice says something of itself").clone();
    let pile = problem.train.unlabeled();
    let of_pile = |scores: &[f64]| pile.iter().map(|&row| scores[row]).collect::<Vec<f64>>();
    let judge = Judge { unexpected: task.kind == TaskKind::Unexpected, truth: &problem.truth };
    let scores = of_pile(&fitted.scores);
    let folds = HiddenFolds::new(&problem.train, 5, true, run)?;
    let mut tried = Vec::new();
    let mut best_base = 0.0f64;
    // The pool as it stands, and as it was chosen from.
    let kind = problem.train.x.kind();
    for candidate in pool(Pool::Normal, kind)?.into_iter().chain(Auto::default().tried(&summary, kind)?) {
        let scores = of_pile(&folds.scores(&candidate, summary.prior)?);
        let average_precision = judge.average_precision(&scores);
        if !candidate.is_mean() {
            best_base = best_base.max(average_precision);
        }
        tried.push((candidate.name(), average_precision, judge.best_f1(&scores)));
    }
    let best = |of: fn(&(String, f64, f64)) -> f64| tried.iter().map(of).fold(0.0, f64::max);
    let answers: Vec<bool> = scores.iter().map(|score| is_positive(*score)).collect();
    let counts = Confusion::count(&answers, &problem.truth);
    let known = |said: &Summary| {
        let known = Probabilities::of(said, &scores).expect("a pile, and positives that were hidden in it");
        scores.iter().map(|score| known.at(*score).probability).collect::<Vec<f64>>()
    };
    let told = Summary {
        prior: problem.prior(),
        prior_low: problem.prior(),
        prior_high: problem.prior(),
        ..summary.clone()
    };
    let elkan_noto = of_pile(&find("elkan-noto")?.fit(&Map::new(), &problem.train, run)?.scores);
    let probable = [known(&summary), known(&told), elkan_noto];
    let (truly, ranges) = ([counts.recall(), counts.precision(), counts.f1()], ranges(&summary));
    Ok(Outcome {
        chosen: summary.method.clone(),
        ap_regret: best(|t| t.1) - judge.average_precision(&scores),
        ap_regret_to_bases: best_base - judge.average_precision(&scores),
        f1_regret: best(|t| t.2) - judge.best_f1(&scores),
        f1: judge.f1(&answers),
        right_route: summary.routed_to_unexpected == (problem.prior() > MOSTLY),
        prior: summary.prior,
        true_prior: problem.prior(),
        covered: std::array::from_fn(|k| (ranges[k].0..=ranges[k].1).contains(&truly[k])),
        width: ranges.map(|(low, high)| high - low),
        prior_covered: (summary.prior_low..=summary.prior_high).contains(&problem.prior()),
        calibration: probable.each_ref().map(|p| calibration_error(p, &problem.truth)),
        reliability: probable.each_ref().map(|p| tenths(p, &problem.truth)),
        seconds,
        candidates: tried.into_iter().map(|(name, ap, _)| (name, ap)).collect(),
    })
}

/// Rows and positives in each tenth of probability.
fn tenths(probabilities: &[f64], truth: &[bool]) -> Vec<(usize, f64)> {
    let mut tenths = vec![(0, 0.0); 10];
    for (rows, said, positive) in reliability(probabilities, truth) {
        tenths[((said * 10.0) as usize).min(9)] = (rows, rows as f64 * positive);
    }
    tenths
}

fn ranges(summary: &Summary) -> [(f64, f64); 3] {
    [
        (summary.recall_low, summary.recall_high),
        (summary.precision_low, summary.precision_high),
        (summary.f1_low, summary.f1_high),
    ]
}

/// Judges by the class asked for: the positives, or the unexpected.
struct Judge<'a> {
    unexpected: bool,
    truth: &'a [bool],
}

impl Judge<'_> {
    fn wanted(&self) -> Vec<bool> {
        self.truth.iter().map(|positive| *positive != self.unexpected).collect()
    }

    fn scores(&self, scores: &[f64]) -> Vec<f64> {
        scores.iter().map(|score| if self.unexpected { -score } else { *score }).collect()
    }

    fn average_precision(&self, scores: &[f64]) -> f64 {
        average_precision(&self.scores(scores), &self.wanted())
    }

    /// The largest F1 of any cut.
    fn best_f1(&self, scores: &[f64]) -> f64 {
        let (scores, wanted) = (self.scores(scores), self.wanted());
        let order = likewise::decide::ranking(&scores);
        let all = wanted.iter().filter(|w| **w).count() as f64;
        let (mut found, mut best) = (0.0, 0.0f64);
        for (accepted, &row) in order.iter().enumerate() {
            found += f64::from(wanted[row]);
            best = best.max(2.0 * found / (accepted as f64 + 1.0 + all));
        }
        best
    }

    fn f1(&self, answers: &[bool]) -> f64 {
        let answers: Vec<bool> = answers.iter().map(|positive| *positive != self.unexpected).collect();
        Confusion::count(&answers, &self.wanted()).f1()
    }
}

/// Each kind's mean, and the mean of the kinds; for coverage the share over all splits.
fn table(work: &[Task], outcomes: &[Outcome]) -> Vec<Cell> {
    type Measure = fn(&Outcome) -> f64;
    let measures: [(&str, &str, Measure); 10] = [
        (REGRET, "regret, average precision", |o| o.ap_regret),
        (REGRET, TO_BASES, |o| o.ap_regret_to_bases),
        (REGRET, "regret, best F1", |o| o.f1_regret),
        (REGRET, "F1 at the cut", |o| o.f1),
        (REGRET, "right route", |o| f64::from(o.right_route)),
        (PRIOR, "absolute error", |o| (o.prior - o.true_prior).abs()),
        (PRIOR, "bias", |o| o.prior - o.true_prior),
        (CALIBRATION, ESTIMATED, |o| o.calibration[0]),
        (CALIBRATION, TRUE, |o| o.calibration[1]),
        (CALIBRATION, ELKAN_NOTO, |o| o.calibration[2]),
    ];
    let of_kind = |kind: TaskKind, measure: Measure| -> Vec<(f64, f64)> {
        let of = work.iter().zip(outcomes).filter(|(task, _)| task.kind == kind);
        of.map(|(_, outcome)| (measure(outcome), outcome.seconds)).collect()
    };
    let mut cells = Vec::new();
    for (table, row, measure) in measures {
        let kinds: Vec<Cell> = (TaskKind::ALL.into_iter())
            .filter_map(|kind| {
                let cell = Cell::new(PAPER.name, table, row, kind.name(), "mean").printed(printed(row, kind));
                cell.of(&of_kind(kind, measure))
            })
            .collect();
        let means: Vec<(f64, f64)> = kinds.iter().map(|cell| (cell.value, cell.seconds)).collect();
        let trials = kinds.iter().map(|cell| cell.trials).sum();
        let mean = Cell::new(PAPER.name, table, row, ALL, "mean").of(&means);
        cells.extend(kinds);
        cells.extend(mean.map(|cell| Cell { trials, sd: 0.0, ..cell }));
    }
    let coverages: [(&str, Measure, Measure); 4] = [
        ("recall", |o| f64::from(o.covered[0]), |o| o.width[0]),
        ("precision", |o| f64::from(o.covered[1]), |o| o.width[1]),
        ("F1", |o| f64::from(o.covered[2]), |o| o.width[2]),
        ("prior", |o| f64::from(o.prior_covered), |_| f64::NAN),
    ];
    for (row, covered, width) in coverages {
        let cell = |column: &str, metric: &str| Cell::new(PAPER.name, COVERAGE, row, column, metric);
        for kind in TaskKind::ALL {
            cells.extend(cell(kind.name(), "coverage").of(&of_kind(kind, covered)));
        }
        let over_all = |measure: Measure| -> Vec<(f64, f64)> {
            let all = outcomes.iter().map(|o| (measure(o), o.seconds));
            all.filter(|(value, _)| !value.is_nan()).collect()
        };
        cells.extend(cell(EVERY, "coverage").of(&over_all(covered)));
        cells.extend(cell(EVERY, "mean width").of(&over_all(width)));
    }
    for (which, row) in [ESTIMATED, TRUE, ELKAN_NOTO].into_iter().enumerate() {
        for tenth in 0..10 {
            let of = outcomes.iter().map(|outcome| outcome.reliability[which][tenth]);
            let (rows, positive) = of.fold((0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
            if rows > 0 {
                let column = format!("{}", 10 * tenth + 5);
                let cell = Cell::new(PAPER.name, RELIABILITY, row, &column, "share of positives");
                cells.extend(cell.of(&[(positive / rows as f64, 0.0)]));
            }
        }
    }
    cells
}

/// What the recipe's first trial gave.
fn printed(row: &str, kind: TaskKind) -> Option<f64> {
    let of =
        |values: [f64; 5]| values[TaskKind::ALL.iter().position(|k| *k == kind).expect("a kind of the list")];
    match row {
        TO_BASES => Some(of([0.022, 0.018, 0.022, -0.014, 0.015])),
        "F1 at the cut" => Some(of([0.713, 0.648, 0.484, 0.621, 0.729])),
        "absolute error" => Some(of([0.097, 0.022, 0.014, 0.032, 0.016])),
        _ => None,
    }
}
