//! Reading with a stop rule: who reaches the target, and at what price?
//!
//! A reader who never errs starts from ten examples and reads what the learner puts first. Rules that only read are
//! judged on one order of the whole pile; the proved rule plays its own loop, in which random checks are marks too.
//! Beside the plain tasks stands the case that no ranking solves: a tenth of the class that every ranking puts last.

mod tasks;

use likewise::reading::rehearse::{Request, StopRule, best_first, rehearse};
use likewise::reading::replay::{enough, ideal, proved_marks, qbcb_marks, stop_at};
use likewise::stopping::martingale::draws_needed;
use likewise::stopping::{Rule, Step, least_missing};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::lab::Lab;
use crate::paper::{Cell, Claim, Numbers, Paper, PaperTable};
use tasks::{SETS, Source, TASKS, Task};

const PLAIN: &str = "plain";
const HIDDEN: &str = "hidden";
const CURVES: &str = "curves";
const MEAN: &str = "mean of the tasks";
const REACHED: &str = "target reached";
const SHARE: &str = "share read";
const IDEAL: &str = "ideal";
const LIMIT: &str = "limit of any proof";
const OURS: &str = "proved";
const REDRAWN: &str = "proved, 25 draws";
/// Times that checks are drawn on each order. A share of .95 cannot be told from .92 by 64 readings.
const DRAWS: u64 = 25;
const TARGETS: [f64; 2] = [0.8, 0.95];
const ALPHA: f64 = 0.05;
/// A new ranking whenever the marks have grown by this share; a page makes one after every mark.
const GROWTH: f64 = 0.1;

pub const PAPER: Paper = Paper {
    name: "review",
    title: "Reading a pile with a stop rule",
    tables: &[
        PaperTable {
            name: PLAIN,
            title: "Plain tasks",
            note: "`ideal` stops exactly at the target. `limit of any proof` knows the best moment to turn from reading to random checks, has luck in all of them and looks once; no rule that holds under any ranking can expect less on these orders. In brackets: a trial of the same rules on tasks and draws of its own.",
            digits: 3,
            axis: None,
        },
        PaperTable {
            name: HIDDEN,
            title: "A tenth of the class ranks last, target .95",
            note: "As where part of the class uses other words than the examples. Checks draw such rows out one by one until just below the target, where an error is most likely: this is the rule at its nominal 5 %. `proved, 25 draws` reads each order 25 times, with checks drawn anew and nothing learned from them.",
            digits: 3,
            axis: None,
        },
        PaperTable {
            name: CURVES,
            title: "Found by reading best first",
            note: "",
            digits: 3,
            axis: Some("percent of the rows read"),
        },
    ],
    claims: &[
        Claim {
            text: "the proved rule reaches .95 in at least .95 of the plain runs",
            holds: |numbers| Some(mean(numbers, PLAIN, OURS, REACHED)? >= 0.95),
        },
        Claim {
            text: "and where a tenth of the class ranks last, in the readings of 25 draws each",
            holds: |numbers| Some(mean(numbers, HIDDEN, REDRAWN, REACHED)? >= 0.95),
        },
        Claim {
            text: "it reads at most 2.0 times as much as the ideal, in the mean of the plain tasks",
            holds: |numbers| {
                Some(mean(numbers, PLAIN, OURS, SHARE)? <= 2.0 * mean(numbers, PLAIN, IDEAL, SHARE)?)
            },
        },
        Claim {
            text: "50 in a row miss .95 in at least every fifth plain run",
            holds: |numbers| Some(mean(numbers, PLAIN, "50 in a row", REACHED)? <= 0.8),
        },
    ],
    findings: &[
        "What is left after the ideal is the price of the proof: with r rows found, about 57/r of the unread must be checked for .95, whatever the ranking. Small classes pay most.",
    ],
    missing: &["The collections of the first trial that are not among the data."],
    reproduce,
};

/// The cell of the target .95 that averages over the tasks.
fn mean(numbers: &Numbers<'_>, table: &str, row: &str, metric: &str) -> Option<f64> {
    numbers.ours(table, row, MEAN, &about(metric, 0.95))
}

fn about(metric: &str, target: f64) -> String {
    format!("{metric}, target {target}")
}

#[derive(Serialize)]
struct Work {
    task: Task,
    seed: u64,
    hidden: bool,
}

/// What a rule did: whether it reached the target and what share of the rows it read.
#[derive(Serialize, Deserialize)]
struct Did {
    rule: String,
    target: f64,
    reached: f64,
    share: f64,
}

#[derive(Serialize, Deserialize)]
struct Trial {
    did: Vec<Did>,
    /// Recall after each twentieth of the rows.
    curve: Vec<f64>,
    seconds: f64,
}

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    let seeds = lab.choose(1, 4);
    let mut work: Vec<Work> = Vec::new();
    let mut found: Vec<Trial> = Vec::new();
    for set in SETS {
        let source = Source::load(set, &lab.data)?;
        let own = TASKS.into_iter().filter(|task| task.set == set);
        let own: Vec<Work> = own
            .flat_map(|task| {
                (0..seeds).flat_map(move |seed| [false, true].map(|hidden| Work { task, seed, hidden }))
            })
            .collect();
        let trials = lab.trials("review", &own, |work, run| {
            let run = run.with_seed(work.seed);
            one(&source, work, &run)
        })?;
        work.extend(own);
        found.extend(trials);
    }
    for (table, hidden) in [(PLAIN, false), (HIDDEN, true)] {
        let here: Vec<(&Work, &Trial)> =
            work.iter().zip(&found).filter(|(work, _)| work.hidden == hidden).collect();
        cells.extend(rules(table, &here));
    }
    for set in SETS {
        for twentieth in 1..=20 {
            let here = work.iter().zip(&found).filter(|(work, _)| work.task.set == set && !work.hidden);
            let at: Vec<(f64, f64)> =
                here.map(|(_, trial)| (trial.curve[twentieth - 1], trial.seconds)).collect();
            cells.extend(Cell::new(PAPER.name, CURVES, set, &(5 * twentieth).to_string(), "recall").of(&at));
        }
    }
    Ok(cells)
}

/// What is measured of a reading.
type Metric = fn(&Did) -> f64;

const METRICS: [(&str, Metric); 2] = [(REACHED, |did| did.reached), (SHARE, |did| did.share)];

/// One cell for each rule and set, and the mean over the tasks.
fn rules(table: &str, here: &[(&Work, &Trial)]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let Some((_, first)) = here.first() else { return cells };
    for target in TARGETS.into_iter().rev() {
        for (metric, of) in METRICS {
            for rule in first.did.iter().filter(|did| did.target == target).map(|did| &did.rule) {
                let value = |trial: &Trial| {
                    let mut own = trial.did.iter().filter(|did| did.target == target && did.rule == *rule);
                    own.next().map(|did| (of(did), trial.seconds))
                };
                let cell = |column: &str| Cell::new(PAPER.name, table, rule, column, &about(metric, target));
                for set in SETS {
                    let own = here.iter().filter(|(work, _)| work.task.set == set);
                    cells
                        .extend(cell(set).of(&own.filter_map(|(_, trial)| value(trial)).collect::<Vec<_>>()));
                }
                let known = if table == PLAIN { first_trial(rule, target, metric) } else { None };
                let all: Vec<(f64, f64)> = here.iter().filter_map(|(_, trial)| value(trial)).collect();
                cells.extend(cell(MEAN).printed(known).of(&all).map(|cell| Cell { sd: 0.0, ..cell }));
            }
        }
    }
    cells
}

fn one(source: &Source, work: &Work, run: &likewise::Run) -> Result<Trial> {
    let started = std::time::Instant::now();
    let pile = source.pile(work.task, run)?;
    let rows = pile.truth.len();
    let wanted = pile.truth.iter().filter(|wanted| **wanted).count();
    let request = Request {
        alpha: ALPHA,
        growth: GROWTH,
        ranked_last: if work.hidden { 0.1 } else { 0.0 },
        with_ideal: false,
        ..Request::default()
    };
    // Every reading of the pile asks for the same neighbours.
    let run = &run.sharing();
    let log = best_first(pile.x.clone(), &pile.truth, &request, run)?;
    let mut did = Vec::new();
    let targets: &[f64] = if work.hidden { &TARGETS[1..] } else { &TARGETS };
    for &target in targets {
        let about = Rule::new(rows as u64, target, ALPHA)?;
        let mut add = |rule: &str, marks: usize, found: usize| {
            let reached = if found >= enough(wanted, target) { 1.0 } else { 0.0 };
            did.push(Did { rule: rule.into(), target, reached, share: marks as f64 / rows as f64 });
        };
        let found = |marks: usize| log[..marks].iter().filter(|step| step.wanted).count();
        let best = ideal(&log, wanted, target).unwrap_or(rows);
        add(IDEAL, best, found(best));
        add(LIMIT, limit(&about, &log, wanted), wanted);
        for (name, rule) in [
            ("50 in a row", StopRule::InARow(50)),
            ("200 in a row", StopRule::InARow(200)),
            ("knee", StopRule::Knee),
            ("buscar", StopRule::Buscar),
        ] {
            let marks = stop_at(rule, &about, &log, request.examples);
            add(name, marks, found(marks));
        }
        let (marked, _) = qbcb_marks(&about, &log, run);
        add("qbcb", marked.len(), marked.iter().filter(|&&at| log[at].wanted).count());
        let answer = rehearse(pile.x.clone(), &pile.truth, &Request { target, ..request.clone() }, run)?;
        add(OURS, answer.marks, answer.found);
        if work.hidden {
            did.push(redrawn(work, &about, &log, wanted, request.examples)?);
        }
    }
    let mut found = 0;
    let so_far: Vec<usize> = (log.iter())
        .map(|step| {
            found += usize::from(step.wanted);
            found
        })
        .collect();
    let curve = (1..=20).map(|k| so_far[(k * rows / 20).max(1) - 1] as f64 / wanted as f64).collect();
    Ok(Trial { did, curve, seconds: started.elapsed().as_secs_f64() })
}

/// The proved rule on one order, many times.
fn redrawn(work: &Work, about: &Rule, log: &[Step], wanted: usize, examples: usize) -> Result<Did> {
    // Orders of one length would else meet the same draws, and their errors would come together.
    let place = TASKS.iter().position(|task| *task == work.task).unwrap_or_default() as u64;
    let first = (1000 * place + work.seed) * DRAWS;
    let (mut reached, mut marks) = (0, 0);
    for seed in first..first + DRAWS {
        let read = proved_marks(about, log, examples, &likewise::Run::new(seed))?;
        marks += read.len();
        reached +=
            usize::from(read.iter().filter(|&&at| log[at].wanted).count() >= enough(wanted, about.target));
    }
    let mean = |sum: usize| sum as f64 / DRAWS as f64;
    let share = mean(marks) / log.len() as f64;
    Ok(Did { rule: REDRAWN.into(), target: about.target, reached: mean(reached), share })
}

/// The fewest marks after which a proof is possible at all: reading up to some moment at which the target is reached,
/// then checks none of which is wanted, tested once by the hypergeometric distribution.
fn limit(rule: &Rule, log: &[Step], wanted: usize) -> usize {
    let (mut found, mut least) = (0u64, log.len());
    let once = [0.0, f64::NEG_INFINITY, f64::NEG_INFINITY];
    for (at, step) in log.iter().enumerate() {
        found += u64::from(step.wanted);
        if (found as usize) < enough(wanted, rule.target) {
            continue;
        }
        let (read, unread) = (at + 1, (log.len() - at - 1) as u64);
        let left = least_missing(found, rule.target) - found;
        if read >= least {
            break;
        }
        // Between two finds every row read is a check less to choose from: only finds can lower the sum.
        if step.wanted {
            let checks =
                if left > unread { 0 } else { draws_needed(unread, left as f64, &once, -rule.alpha.ln()) };
            least = least.min(read + checks as usize);
        }
    }
    least
}

/// What the same rules reached in the first trial, on 88 reading orders.
fn first_trial(rule: &str, target: f64, metric: &str) -> Option<f64> {
    let (reached, share) = match (rule, target == 0.95) {
        (IDEAL, false) => (1.0, 0.168),
        (IDEAL, true) => (1.0, 0.306),
        ("50 in a row", false) => (0.807, 0.227),
        ("50 in a row", true) => (0.523, 0.227),
        ("200 in a row", false) => (0.932, 0.410),
        ("200 in a row", true) => (0.818, 0.410),
        ("knee", false) => (0.784, 0.289),
        ("knee", true) => (0.216, 0.289),
        ("buscar", false) => (1.0, 0.353),
        ("buscar", true) => (1.0, 0.575),
        ("qbcb", false) => (0.989, 0.376),
        ("qbcb", true) => (0.955, 0.633),
        (OURS, false) => (1.0, 0.392),
        (OURS, true) => (0.966, 0.647),
        _ => return None,
    };
    Some(if metric == REACHED { reached } else { share })
}

#[cfg(test)]
mod tests {
    use super::*;
    use likewise::stopping::Source;

    /// 95 finds in a row among 1,000 rows, five never found: the price of 101 wanted rows by one look.
    #[test]
    fn the_limit_by_hand() {
        let log: Vec<Step> =
            (0..1000).map(|k| Step { source: Source::Best, wanted: !(95..=994).contains(&k) }).collect();
        let rule = Rule::new(1000, 0.95, 0.05).unwrap();
        let least = limit(&rule, &log, 100);
        // Six among 905 unread: C(905 - m, 6)/C(905, 6) falls below .05 near m = 905 (1 - .05^(1/6)) = 355.
        assert!((95 + 345..95 + 360).contains(&least), "{least}");
    }
}
