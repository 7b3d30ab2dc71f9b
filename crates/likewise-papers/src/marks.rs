//! Marks both ways: what rows known not to be wanted add to a ranking, and what the cut from hidden positives costs.
//!
//! Negatives: 10, 50 and 200 rows of the pile that are not wanted, drawn at random or met while reading the top of the
//! method's own ranking; average precision over the rows that nobody has marked, with them less without them. Where
//! reading has left fewer than 30 wanted rows there is no figure: the average precision of a handful is the luck of the
//! draw, where one row that moves by some places moves it by more than .1. Cuts: F1 at the method's own threshold, at the
//! cut from hidden positives, and the best that any cut of the same ranking has.

use std::collections::HashMap;

use likewise::Run;
use likewise::data::{Kind, Table as Rows};
use likewise::decide::is_positive;
use likewise::measure::average_precision;
use likewise::prelude::{ColumnChoice, Find, Problem};
use likewise::questions::Ends;
use likewise::registry;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::collection::cells as column;
use crate::error::Result;
use crate::lab::Lab;
use crate::onb::tasks::Task as Messages;
use crate::paper::{Cell, Claim, Numbers, Paper, PaperTable};

const NEGATIVES: &str = "negatives";
const CUTS: &str = "cuts";
const GAIN: &str = "gain in average precision";
const F1: &str = "F1";
/// Learners of each kind that uses known negatives; the automatic choice among them.
const LEARNERS: [&str; 6] = ["auto", "logistic", "biased-svm", "nnpu", "nb", "lp-pul"];
/// How many rows known not to be wanted, and whether they were met while reading.
const MARKS: [(usize, bool); 6] =
    [(10, false), (50, false), (200, false), (10, true), (50, true), (200, true)];
const PLACES: [&str; 3] = ["natural", "hidden", "best of the ranking"];
const POSITIVES: [usize; 2] = [30, 150];
/// At most this many rows of a task, at random: many draws say more than large piles.
const MOST: usize = 4000;
/// With fewer wanted rows left to rank than this, average precision tells of these rows and not of the method.
const FEWEST_LEFT: usize = 30;
/// How far below the best F1 of its ranking a cut may be, in the mean.
const NEAR: f64 = 0.08;

pub const PAPER: Paper = Paper {
    name: "marks",
    title: "Marks both ways: known negatives, and where the class ends",
    tables: &[
        PaperTable {
            name: NEGATIVES,
            title: "What rows known not to be wanted add",
            note: "SMS, disaster messages, a newsgroup, letters, airline messages, student pages and acquisitions, 30 and 150 \
                   positives; the mean of the draws in which at least 30 wanted rows were left.",
            digits: 3,
            axis: None,
        },
        PaperTable {
            name: CUTS,
            title: "F1 at the cut",
            note: "The six tasks of `reproduce onb`, 30 and 150 positives, plain words; the mean of the tasks.",
            digits: 3,
            axis: None,
        },
    ],
    claims: &[
        Claim {
            text: "known negatives never cost more than .005 in the mean, for every learner",
            holds: |numbers| Some(gains(numbers)?.into_iter().flatten().all(|gain| gain >= -0.005)),
        },
        Claim {
            text: "50 that were met while reading add at least .015 for every learner",
            holds: |numbers| Some(gains(numbers)?.into_iter().all(|gains| gains[4] >= 0.015)),
        },
        Claim {
            text: "50 that were met while reading add at least .015 in the mean of the learners",
            holds: |numbers| {
                let read: Vec<f64> = gains(numbers)?.into_iter().map(|gains| gains[4]).collect();
                Some(read.iter().sum::<f64>() / read.len() as f64 >= 0.015)
            },
        },
        Claim {
            text: "the cut from hidden positives is within .08 of the best F1 of the ranking, for every method",
            holds: |numbers| {
                let off = |method: &str| {
                    let at = |place| numbers.ours(CUTS, method, place, F1);
                    Some(at(PLACES[2])? - at(PLACES[1])?)
                };
                let off: Option<Vec<f64>> = rankers().into_iter().map(off).collect();
                Some(off?.into_iter().all(|off| off <= NEAR))
            },
        },
    ],
    findings: &[],
    missing: &[],
    reproduce,
};

/// Methods that are cut by hidden positives unless told otherwise, and that read words.
fn rankers() -> Vec<&'static str> {
    let cut = registry::all().filter(|entry| entry.hidden_cut() && entry.spec().takes(Kind::Sparse));
    cut.map(|entry| entry.spec().name).collect()
}

/// The gains of every learner, in the order of [`MARKS`].
fn gains(numbers: &Numbers<'_>) -> Option<Vec<Vec<f64>>> {
    let of = |learner: &&str| {
        MARKS.iter().map(|marks| numbers.ours(NEGATIVES, learner, &called(*marks), GAIN)).collect()
    };
    LEARNERS.iter().map(of).collect()
}

fn called((count, read): (usize, bool)) -> String {
    format!("{count} {}", if read { "read" } else { "random" })
}

/// Rows and which of them are wanted.
pub(crate) struct Task {
    pub name: &'static str,
    pub table: Rows,
    pub wanted: Vec<bool>,
}

impl Task {
    /// Those on which negatives are marked.
    pub fn marked(lab: &Lab) -> Result<Vec<Task>> {
        let texts = |name, file: &str, label: &str, fields: &[&str], class: &str| -> Result<Task> {
            let table = lab.data.table(file)?;
            let labels = column(&table, label)?;
            let fields = fields.iter().map(|field| column(&table, field)).collect::<Result<Vec<_>>>()?;
            let rows: Vec<usize> = (0..labels.len()).filter(|&row| labels[row] != "undecided").collect();
            let text = |&row: &usize| fields.iter().map(|of| of[row].as_str()).collect::<Vec<_>>().join(" ");
            let wanted = rows.iter().map(|&row| names(&labels[row], class)).collect();
            Ok(Task { name, table: Rows::from_texts("text", rows.iter().map(text)), wanted })
        };
        const NEWS: &str = "20newsgroups/20news-19997.jsonl.gz";
        let letters = lab.data.table("letter/letter.csv.gz")?;
        let labels = column(&letters, "label")?;
        let wanted = labels.iter().map(|label| ("A"..="E").contains(&label.as_str())).collect();
        Ok(vec![
            texts("sms", "sms-spam/sms-spam.jsonl.gz", "label", &["text"], "spam")?,
            texts("disaster", "disaster-dfe/disaster-dfe.jsonl.gz", "label", &["text"], "relevant")?,
            texts("sci.med", NEWS, "label", &["subject", "text"], "sci.med")?,
            Task { name: "letters", table: letters.without_column("label"), wanted },
            texts("airline", "airline-sentiment/airline-sentiment.jsonl.gz", "label", &["text"], "positive")?,
            texts("student", "webkb/webkb.jsonl.gz", "label", &["text"], "student")?,
            texts("acq", "reuters21578/reuters21578.jsonl.gz", "labels", &["title", "text"], "acq")?,
        ])
    }

    /// Those that are cut.
    fn cut(lab: &Lab) -> Result<Vec<Task>> {
        let task = |task: Messages| -> Result<Task> {
            let messages = task.load(&lab.data)?;
            let texts = messages.iter().map(|message| message.text.as_str());
            let wanted = messages.iter().map(|message| message.positive).collect();
            Ok(Task { name: task.name(), table: Rows::from_texts("text", texts), wanted })
        };
        Messages::ALL.into_iter().map(task).collect()
    }
}

/// Whether a label, or a list of them, names the class.
fn names(label: &str, class: &str) -> bool {
    let among = |all: Vec<String>| all.iter().any(|one| one == class);
    label == class || serde_json::from_str(label).is_ok_and(among)
}

/// One draw of a task, for one method.
#[derive(Serialize)]
struct Work {
    task: &'static str,
    method: &'static str,
    positives: usize,
    seed: u64,
}

/// Numbers in the order of the columns, where the draw tells them.
type Told = Vec<Option<f64>>;

/// What was measured, and seconds.
#[derive(Serialize, Deserialize)]
struct Trial(Told, f64);

/// A row of the pile: its place there, its score, and whether it is wanted.
type Asked = Vec<(usize, f64, bool)>;

struct Draw<'a> {
    task: &'a Task,
    marked: Vec<usize>,
    pile: Vec<usize>,
}

impl<'a> Draw<'a> {
    fn new(task: &'a Task, positives: usize, run: &Run) -> Self {
        let mut order: Vec<usize> = (0..task.wanted.len()).collect();
        order.shuffle(&mut run.rng(task.name, positives as u64));
        order.truncate(MOST);
        let marked: Vec<usize> =
            order.iter().copied().filter(|&row| task.wanted[row]).take(positives).collect();
        let pile = order.into_iter().filter(|row| !marked.contains(row)).collect();
        Draw { task, marked, pile }
    }

    /// The pile best first, after these rows of it were marked as not wanted.
    fn ask(&self, method: &str, ends: Ends, refused: &[usize], run: &Run) -> Result<Asked> {
        let table = &self.task.table;
        let features = table.get("text").is_none().then(|| vec!["all".to_string()]);
        let choice = ColumnChoice { features, ..ColumnChoice::default() };
        let places: Vec<usize> = (0..self.pile.len()).filter(|place| !refused.contains(place)).collect();
        let rows = |places: &[usize]| places.iter().map(|&place| self.pile[place]).collect::<Vec<_>>();
        let unlike = (!refused.is_empty()).then(|| table.select(&rows(refused)));
        let pile = table.select(&rows(&places));
        let problem = Problem::of_three(table.select(&self.marked), unlike, pile, &choice)?;
        let question = Find { ends: Some(ends), ..Find::new(Some(method), false)? };
        let ranking = question.ask(&problem, run)?.ranking;
        let row = |(&position, &score): (&usize, &f64)| {
            let place = places[position];
            (place, score, self.task.wanted[self.pile[place]])
        };
        Ok(ranking.positions.iter().zip(&ranking.scores).map(row).collect())
    }

    /// Average precision with the marks less that without them, over the rows that neither has marked. Whoever reads from
    /// the top meets wanted rows too: they are examples on both sides.
    fn gains(&self, method: &str, run: &Run) -> Result<Told> {
        let without = self.ask(method, Ends::Natural, &[], run)?;
        let mut random: Vec<usize> = without.iter().filter(|row| !row.2).map(|row| row.0).collect();
        random.sort_unstable();
        random.shuffle(&mut run.rng("random negatives", 0));
        let gain = |&(count, reads): &(usize, bool)| {
            if !reads {
                let refused = &random[..count.min(random.len())];
                let with = self.ask(method, Ends::Natural, refused, run)?;
                return Ok(Some(precision(&with, &[]) - precision(&without, refused)));
            }
            let refusals = without.iter().enumerate().filter(|(_, row)| !row.2).map(|(at, _)| at);
            let read = refusals.take(count).last().map_or(&without[..0], |last| &without[..=last]);
            let after = self.with_examples(read.iter().filter(|row| row.2).map(|row| row.0));
            let places: HashMap<usize, usize> = after.pile.iter().copied().zip(0..).collect();
            let refused: Vec<usize> =
                read.iter().filter(|row| !row.2).map(|row| places[&self.pile[row.0]]).collect();
            let without = after.ask(method, Ends::Natural, &[], run)?;
            // Copies of examples are not ranked, so the pile itself holds more.
            if without.iter().filter(|row| row.2).count() < FEWEST_LEFT {
                return Ok(None);
            }
            let with = after.ask(method, Ends::Natural, &refused, run)?;
            Ok(Some(precision(&with, &[]) - precision(&without, &refused)))
        };
        MARKS.iter().map(gain).collect()
    }

    /// The same draw after these rows of its pile became examples.
    fn with_examples(&self, places: impl Iterator<Item = usize>) -> Draw<'a> {
        let new: Vec<usize> = places.map(|place| self.pile[place]).collect();
        let pile = self.pile.iter().copied().filter(|row| !new.contains(row)).collect();
        Draw { task: self.task, marked: [&self.marked[..], &new[..]].concat(), pile }
    }

    /// F1 in the order of [`PLACES`].
    fn cuts(&self, method: &str, run: &Run) -> Result<Told> {
        let natural = self.ask(method, Ends::Natural, &[], run)?;
        let hidden = self.ask(method, Ends::Hidden, &[], run)?;
        let all = natural.iter().filter(|row| row.2).count() as f64;
        let f1 = |rows: &Asked| {
            let marked: Vec<bool> = rows.iter().filter(|row| is_positive(row.1)).map(|row| row.2).collect();
            let right = marked.iter().filter(|wanted| **wanted).count() as f64;
            2.0 * right / (marked.len() as f64 + all)
        };
        let (mut best, mut right) = (0.0f64, 0.0);
        for (at, row) in natural.iter().enumerate() {
            right += f64::from(row.2);
            best = best.max(2.0 * right / (at as f64 + 1.0 + all));
        }
        Ok([f1(&natural), f1(&hidden), best].map(Some).to_vec())
    }
}

fn precision(asked: &Asked, left_out: &[usize]) -> f64 {
    let kept = asked.iter().filter(|(place, _, _)| !left_out.contains(place));
    let (scores, truth): (Vec<f64>, Vec<bool>) = kept.map(|&(_, score, wanted)| (score, wanted)).unzip();
    average_precision(&scores, &truth)
}

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let seeds = lab.choose(1, 5);
    let columns: Vec<String> = MARKS.iter().map(|marks| called(*marks)).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let gains = Experiment { name: NEGATIVES, metric: GAIN, methods: &LEARNERS, columns: &columns, seeds };
    let mut cells = gains.run(lab, &Task::marked(lab)?, |draw, method, run| draw.gains(method, run))?;
    let cuts = Experiment { name: CUTS, metric: F1, methods: &rankers(), columns: &PLACES, seeds };
    cells.extend(cuts.run(lab, &Task::cut(lab)?, |draw, method, run| draw.cuts(method, run))?);
    Ok(cells)
}

/// One of the two tables.
struct Experiment<'a> {
    name: &'static str,
    metric: &'static str,
    methods: &'a [&'static str],
    columns: &'a [&'a str],
    seeds: u64,
}

impl Experiment<'_> {
    fn run(
        &self,
        lab: &Lab,
        tasks: &[Task],
        measure: impl Fn(&Draw<'_>, &str, &Run) -> Result<Told> + Sync,
    ) -> Result<Vec<Cell>> {
        let mut work = Vec::new();
        for task in tasks {
            for &method in self.methods {
                // Methods that read words alone have nothing to say of letters.
                let takes = registry::find(method)?.spec().takes(Kind::Dense);
                if task.name == "letters" && !takes {
                    continue;
                }
                for positives in POSITIVES {
                    let draws = (0..self.seeds).map(|seed| Work { task: task.name, method, positives, seed });
                    work.extend(draws);
                }
            }
        }
        let trials = lab.trials(&format!("marks {}", self.name), &work, |work, run| {
            let run = run.with_seed(work.seed);
            let task = tasks.iter().find(|task| task.name == work.task).expect("a task of the list");
            let started = std::time::Instant::now();
            let found = measure(&Draw::new(task, work.positives, &run), work.method, &run)?;
            Ok(Trial(found, started.elapsed().as_secs_f64()))
        })?;
        let mut cells = Vec::new();
        for &method in self.methods {
            for (at, column) in self.columns.iter().enumerate() {
                let of = work.iter().zip(&trials).filter(|(work, _)| work.method == method);
                let found: Vec<(f64, f64)> =
                    of.filter_map(|(_, trial)| Some((trial.0[at]?, trial.1))).collect();
                let cell = Cell::new(PAPER.name, self.name, method, column, self.metric);
                cells.extend(cell.by(method, &Map::new()).of(&found));
            }
        }
        Ok(cells)
    }
}
