//! Tomorrow's rows: what `score` says of rows like those learned from, and of rows that are not.
//!
//! A model is learned from 60 examples and a pile of 2,000 rows of which a tenth is positive. It then gets 1,500 rows of
//! the same distribution, of which everything said is a false alarm; rows of which 0.5 % and 40 % are positive; and, if
//! it is a model of short messages, newsgroup posts.

use likewise::Run;
use likewise::codes;
use likewise::data::Table as Rows;
use likewise::prelude::{ColumnChoice, Find, Problem};
use likewise::questions::score::Score;
use likewise::trained::Trained;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::error::Result;
use crate::lab::Lab;
use crate::marks::Task;
use crate::paper::{Cell, Claim, Numbers, Paper, PaperTable};

const TOLD: &str = "told";
const HELD: &str = "range holds the share";
const F1: &str = "F1";
const RECUT: &str = "F1, cut placed anew";
const METRICS: [&str; 4] = [TOLD, HELD, F1, RECUT];

const EXAMPLES: usize = 60;
const PILE: usize = 2000;
const SHARE: f64 = 0.1;
/// What the new rows are.
const KINDS: [&str; 4] = ["the same", "0.5 %", "40 %", "another kind"];
const NEW: usize = 1500;
const FEWER: (f64, usize) = (0.005, 1000);
const MORE: (f64, usize) = (0.4, 600);
/// So many newsgroup posts, which are of another kind than a short message.
const POSTS: usize = 1000;
const TASKS: [&str; 4] = ["sms", "disaster", "sci.med", "letters"];
const SHORT: [&str; 2] = ["sms", "disaster"];
const METHODS: [&str; 2] = ["logistic", "auto"];

pub const PAPER: Paper = Paper {
    name: "tomorrow",
    title: "Tomorrow's rows beside those learned from",
    tables: &[table(METHODS[0], "Logistic regression"), table(METHODS[1], "The automatic choice")],
    claims: &[
        Claim {
            text: "rows of the same distribution raise an alarm in at most 5 % of the splits, for each method",
            holds: |numbers| each(|method| Some(mean(numbers, method, TOLD, &TASKS, &KINDS[..1])? <= 0.05)),
        },
        Claim {
            text: "other shares of positives are told in at least 90 % of the splits",
            holds: |numbers| each(|method| Some(mean(numbers, method, TOLD, &TASKS, &KINDS[1..3])? >= 0.9)),
        },
        Claim {
            text: "the range of the share of positives holds the truth in at least 90 % of the splits",
            holds: |numbers| each(|method| Some(mean(numbers, method, HELD, &TASKS, &KINDS[..3])? >= 0.9)),
        },
        Claim {
            text: "newsgroup posts given to a model of short messages are told to be of another kind, every time",
            holds: |numbers| each(|method| Some(mean(numbers, method, TOLD, &SHORT, &KINDS[3..])? == 1.0)),
        },
        Claim {
            text: "a cut placed anew for another share costs no F1 in the mean",
            holds: |numbers| {
                let of = |method: &str, metric: &str| mean(numbers, method, metric, &TASKS, &KINDS[1..3]);
                each(|method| Some(of(method, RECUT)? >= of(method, F1)?))
            },
        },
    ],
    findings: &[],
    missing: &[],
    reproduce,
};

const fn table(name: &'static str, title: &'static str) -> PaperTable {
    let note = "Learned where a tenth is positive; columns: what the new rows are.";
    PaperTable { name, title, note, digits: 3, axis: None }
}

/// Whether something holds for each method; none where one was not run.
fn each(holds: impl Fn(&str) -> Option<bool>) -> Option<bool> {
    METHODS
        .iter()
        .map(|method| holds(method))
        .collect::<Option<Vec<_>>>()
        .map(|all| all.into_iter().all(|h| h))
}

fn mean(numbers: &Numbers<'_>, method: &str, metric: &str, tasks: &[&str], kinds: &[&str]) -> Option<f64> {
    let cells = tasks.iter().flat_map(|task| kinds.iter().map(move |kind| (*task, *kind)));
    let values: Option<Vec<f64>> =
        cells.map(|(task, kind)| numbers.ours(method, task, kind, metric)).collect();
    values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
}

#[derive(Serialize)]
struct Work {
    task: &'static str,
    method: &'static str,
    seed: u64,
}

/// [`METRICS`] for each of [`KINDS`] that was asked about, and seconds.
#[derive(Serialize, Deserialize)]
struct Trial(Vec<[f64; 4]>, f64);

/// Rows of one task for one model.
struct Split {
    examples: Vec<usize>,
    pile: Vec<usize>,
    /// New rows, in the order of [`KINDS`].
    new: [Vec<usize>; 3],
}

impl Split {
    fn new(task: &Task, run: &Run) -> Self {
        let mut order: Vec<usize> = (0..task.wanted.len()).collect();
        order.shuffle(&mut run.rng(task.name, 0));
        let (mut wanted, mut others): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|&row| task.wanted[row]);
        let examples = wanted.split_off(wanted.len() - EXAMPLES);
        // As many rows of this share as there are.
        let rows = (wanted.len() as f64 / SHARE).min(others.len() as f64 / (1.0 - SHARE));
        let more = wanted.split_off((SHARE * rows) as usize);
        let fewer = others.split_off(((1.0 - SHARE) * rows) as usize);
        let mut rows = [wanted, others].concat();
        rows.shuffle(&mut run.rng(task.name, 1));
        let rest = rows.split_off(PILE + NEW);
        let same = rows.split_off(PILE);
        let (members, rest): (Vec<usize>, Vec<usize>) =
            rest.into_iter().chain(more).chain(fewer).partition(|&row| task.wanted[row]);
        let mixed = |(share, most): (f64, usize)| {
            let rows = most.min((members.len() as f64 / share) as usize);
            let positive = (share * rows as f64).round() as usize;
            [&members[..positive], &rest[..(rows - positive).min(rest.len())]].concat()
        };
        let new = [same, mixed(FEWER), mixed(MORE)];
        Split { examples, pile: rows, new }
    }

    fn learn(&self, task: &Task, method: &str, run: &Run) -> Result<Trained> {
        let features = task.table.get("text").is_none().then(|| vec!["all".to_string()]);
        let choice = ColumnChoice { features, ..ColumnChoice::default() };
        let [like, pile] = [&self.examples, &self.pile].map(|rows| task.table.select(rows));
        let problem = Problem::of_two(like, pile, &choice)?;
        let question = Find { baseline: true, ..Find::new(Some(method), false)? };
        Ok(question.ask(&problem, run)?.trained)
    }
}

/// What is said of these rows, in the order of [`METRICS`].
fn asked(trained: &Trained, table: &Rows, wanted: &[bool], kind: &str, run: &Run) -> Result<[f64; 4]> {
    let mut question = Score::new(trained, None);
    let before = question.batch(table, run)?;
    let found = question.comparison(run).expect("a model that compares");
    let says = |code: &str| found.notes.iter().any(|note| note.message.code.name == code);
    let told = match kind {
        "the same" => found.differs,
        "another kind" => says(codes::ANOTHER_KIND.name),
        _ => says(codes::SHARE_CHANGED.name),
    };
    let count = |rows: &[bool]| rows.iter().filter(|row| **row).count() as f64;
    let truth = count(wanted) / wanted.len() as f64;
    let held = found.positives.is_some_and(|share| (share.low..=share.high).contains(&truth));
    let f1 = |marked: &[bool]| {
        let both = marked.iter().zip(wanted).filter(|(marked, wanted)| **marked && **wanted).count();
        2.0 * both as f64 / (count(marked) + count(wanted)).max(1.0)
    };
    let recut = match question.recut(run) {
        Ok(cut) => f1(&Score::new(trained, None).with_cut(Some(cut)).batch(table, run)?.positive),
        Err(_) => f1(&before.positive),
    };
    Ok([f64::from(told), f64::from(held), f1(&before.positive), recut])
}

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let tasks = Task::marked(lab)?;
    let posts = tasks.iter().find(|task| task.name == "sci.med").expect("a task of the list");
    let every = posts.wanted.len() / POSTS;
    let posts = posts.table.select(&(0..POSTS).map(|k| k * every).collect::<Vec<_>>());
    let mut work = Vec::new();
    for (method, splits) in METHODS.into_iter().zip([lab.choose(3, 50), lab.choose(1, 10)]) {
        for task in TASKS {
            work.extend((0..splits).map(|seed| Work { task, method, seed }));
        }
    }
    let trials = lab.trials("tomorrow", &work, |work, run| {
        let run = &run.with_seed(work.seed);
        let task = tasks.iter().find(|task| task.name == work.task).expect("a task of the list");
        let started = std::time::Instant::now();
        let split = Split::new(task, run);
        let trained = split.learn(task, work.method, run)?;
        let mut found = Vec::new();
        for (rows, kind) in split.new.iter().zip(KINDS) {
            let wanted: Vec<bool> = rows.iter().map(|&row| task.wanted[row]).collect();
            found.push(asked(&trained, &task.table.select(rows), &wanted, kind, run)?);
        }
        if SHORT.contains(&task.name) {
            found.push(asked(&trained, &posts, &[false; POSTS], KINDS[3], run)?);
        }
        Ok(Trial(found, started.elapsed().as_secs_f64()))
    })?;
    let mut cells = Vec::new();
    for method in METHODS {
        for (metric_at, metric) in METRICS.iter().enumerate() {
            for task in TASKS {
                let of = || {
                    (work.iter().zip(&trials)).filter(|(work, _)| work.task == task && work.method == method)
                };
                // Of rows of another kind none is positive, and nothing is said of a share.
                let kinds = if metric_at == 0 { &KINDS[..] } else { &KINDS[..3] };
                for (at, kind) in kinds.iter().enumerate() {
                    let found: Vec<(f64, f64)> =
                        of().filter_map(|(_, trial)| Some((trial.0.get(at)?[metric_at], trial.1))).collect();
                    let cell = Cell::new(PAPER.name, method, task, kind, metric);
                    cells.extend(cell.by(method, &Map::new()).of(&found));
                }
            }
        }
    }
    Ok(cells)
}
