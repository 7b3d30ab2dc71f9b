//! Does the test of the random draw notice biased marking, does it stay silent otherwise, and do the ranges hold?
//!
//! `typical_first test MARKS SEEDS TASKS`: the share of alarms at a random draw and at `simulate`'s biased one of strength 1
//! and 2, with the preference that was estimated.
//!
//! `typical_first ranges MARKS SEEDS TASKS`: how often the range of the prior holds the truth in the same draws, after a
//! whole automatic run.
//!
//! Tasks are classes of the data of `../shared/data` or `LIKEWISE_DATA`; left out, all that are listed below. A collection
//! is cut down to `MOST` rows by chance, a rare class to no fewer than a sixth of them, so that some are left to find.

use likewise::Run;
use likewise::automatic::random_draw;
use likewise::data::{Column, Table};
use likewise::method::Drawn;
use likewise::questions::find::Find;
use likewise::questions::simulate::{Bias, Simulate, Simulation};
use likewise::questions::{ColumnChoice, Problem};
use likewise_testing::data_text;
use rand::seq::SliceRandom;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

const MOST: usize = 3000;
const STRENGTHS: [f64; 3] = [0.0, 1.0, 2.0];

/// Where rows come from: a file, the column of the class, those of the text, and the class.
const TASKS: [(&str, &str, &str, &[&str], &str); 20] = [
    ("sms", "sms-spam/sms-spam.jsonl.gz", "label", &["text"], "spam"),
    ("disaster", "disaster-dfe/disaster-dfe.jsonl.gz", "label", &["text"], "relevant"),
    ("airline", "airline-sentiment/airline-sentiment.jsonl.gz", "label", &["text"], "positive"),
    ("airline-neutral", "airline-sentiment/airline-sentiment.jsonl.gz", "label", &["text"], "neutral"),
    ("crisis", "crisislex-t6/crisislex-t6.jsonl.gz", "label", &["text"], "on-topic"),
    ("sci.med", "20newsgroups/20news-19997.jsonl.gz", "label", &["subject", "text"], "sci.med"),
    ("rec.autos", "20newsgroups/20news-19997.jsonl.gz", "label", &["subject", "text"], "rec.autos"),
    ("sci.space", "20newsgroups/20news-19997.jsonl.gz", "label", &["subject", "text"], "sci.space"),
    (
        "religion",
        "20newsgroups/20news-19997.jsonl.gz",
        "label",
        &["subject", "text"],
        "soc.religion.christian",
    ),
    ("earn", "reuters21578/reuters21578.jsonl.gz", "labels", &["title", "text"], "earn"),
    ("acq", "reuters21578/reuters21578.jsonl.gz", "labels", &["title", "text"], "acq"),
    ("crude", "reuters21578/reuters21578.jsonl.gz", "labels", &["title", "text"], "crude"),
    ("student", "webkb/webkb.jsonl.gz", "label", &["text"], "student"),
    ("course", "webkb/webkb.jsonl.gz", "label", &["text"], "course"),
    ("A", "letter/letter.csv.gz", "label", &[], "A"),
    ("H", "letter/letter.csv.gz", "label", &[], "H"),
    ("S", "letter/letter.csv.gz", "label", &[], "S"),
    ("malignant", "breastcancer/breastcancer.csv.gz", "label", &[], "malignant"),
    ("benign", "breastcancer/breastcancer.csv.gz", "label", &[], "benign"),
    ("heart", "heart/processed.cleveland.data.gz", "", &[], ""),
];

struct Rows {
    table: Table,
    wanted: Vec<bool>,
    columns: ColumnChoice,
}

fn read(task: &str) -> Result<Rows, Failure> {
    let (_, file, label, text, class) =
        *TASKS.iter().find(|known| known.0 == task).ok_or_else(|| format!("there is no task {task}"))?;
    let unpacked = data_text(file).ok_or("no rows")?;
    if text.is_empty() {
        return numbers(&unpacked.lines().map(String::from).collect::<Vec<_>>(), class);
    }
    let (mut texts, mut wanted) = (Vec::new(), Vec::new());
    for line in unpacked.lines() {
        let row: Value = serde_json::from_str(line)?;
        let classes: Vec<&str> = match &row[label] {
            Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect(),
        };
        if !classes.is_empty() && classes != ["undecided"] {
            let fields = text.iter().map(|name| row[*name].as_str().unwrap_or(""));
            texts.push(fields.collect::<Vec<_>>().join(" "));
            wanted.push(classes.contains(&class));
        }
    }
    Ok(Rows { table: Table::from_texts("text", texts), wanted, columns: ColumnChoice::default() })
}

/// Sixteen numbers of a letter, nine of a sample of cells, thirteen of a patient; rows with a missing one are left out.
fn numbers(lines: &[String], class: &str) -> Result<Rows, Failure> {
    let lines: Vec<Vec<&str>> = lines.iter().map(|line| line.split(',').collect()).collect();
    let lines = if class.is_empty() { &lines[..] } else { &lines[1..] };
    let (first, last) = match lines[0].len() {
        17 => (1, 17),
        11 => (2, 11),
        _ => (0, 13),
    };
    let whole = |line: &&Vec<&str>| line[first..last].iter().all(|cell| cell.parse::<f64>().is_ok());
    let lines: Vec<&Vec<&str>> = lines.iter().filter(whole).collect();
    let mut table = Table::from_source("numbers");
    for column in first..last {
        let cells = lines.iter().map(|line| line[column].parse::<f64>()).collect::<Result<Vec<_>, _>>()?;
        table.push_column(format!("c{column}"), Column::Number(cells));
    }
    table.origins = (0..lines.len()).map(|row| (0, row as u64 + 1)).collect();
    let ill = |line: &Vec<&str>| line[13].trim() != "0";
    let wanted =
        lines.iter().map(|line| if class.is_empty() { ill(line) } else { line[0] == class }).collect();
    let columns = ColumnChoice { features: Some(vec!["all".into()]), ..ColumnChoice::default() };
    Ok(Rows { table, wanted, columns })
}

/// A draw of the rows, and of the marked among them.
fn simulate(rows: &Rows, marks: usize, strength: f64, run: &Run) -> Result<Simulation, Failure> {
    let mut order: Vec<usize> = (0..rows.wanted.len()).collect();
    order.shuffle(&mut run.rng("typical first", 0));
    let (mut members, mut others): (Vec<usize>, Vec<usize>) =
        order.into_iter().partition(|&row| rows.wanted[row]);
    let share = members.len() as f64 / rows.wanted.len() as f64;
    let most = MOST.min(rows.wanted.len());
    members.truncate((share.max(1.0 / 6.0) * most as f64) as usize);
    others.truncate(most - members.len());
    let drawn: Vec<usize> = members.into_iter().chain(others).collect();
    let mut table = rows.table.select(&drawn);
    let class = drawn.iter().map(|&row| if rows.wanted[row] { "yes" } else { "no" });
    table.push_column("class", Column::Text(class.collect()));
    let question = Simulate {
        label: "class".into(),
        positive: vec!["yes".into()],
        labelled: marks,
        bias: (strength > 0.0).then_some(Bias { by: None, strength }),
        alpha: None,
        columns: rows.columns.clone(),
    };
    Ok(question.ask(&table, run)?)
}

struct Told {
    drawn: Option<Drawn>,
    /// The range that is printed, and whether it holds the truth.
    range: [f64; 4],
}

fn one(rows: &Rows, marks: usize, strength: f64, ranges: bool, run: &Run) -> Result<Told, Failure> {
    let made = simulate(rows, marks, strength, run)?;
    let problem = Problem::of_two(made.like, made.pile, &rows.columns)?;
    let question = Find::new(None, false)?;
    if !ranges {
        let train = problem.train(problem.view(&question.words, &question.method.spec(), run)?.x)?;
        return Ok(Told { drawn: random_draw::of(&train, &run.sharing())?, range: [0.0; 4] });
    }
    let found = question.ask(&problem, run)?;
    let truly = found.ranking.positions.iter().filter(|&&at| made.truth[at]).count();
    let truly = truly as f64 / found.ranking.len() as f64;
    let said = found.summary.ok_or("the automatic choice says nothing of itself")?;
    Ok(Told { drawn: said.drawn, range: [truly, said.prior_low, said.prior, said.prior_high] })
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |at: usize, default: &str| arguments.get(at).cloned().unwrap_or(default.into());
    let ranges = argument(0, "test") == "ranges";
    let (marks, seeds): (usize, u64) = (argument(1, "50").parse()?, argument(2, "10").parse()?);
    let all: Vec<&str> = TASKS.iter().map(|task| task.0).collect();
    let mut sums = [[0.0; 4]; STRENGTHS.len()];
    for task in argument(3, &all.join(",")).split(',') {
        let rows = read(task)?;
        for (at, &strength) in STRENGTHS.iter().enumerate() {
            let mut told = Vec::new();
            for seed in 0..seeds {
                told.push(one(&rows, marks, strength, ranges, &Run::new(seed))?);
            }
            let alarms = told.iter().filter(|told| told.drawn.is_some_and(|drawn| drawn.alarm())).count();
            let held = told.iter().filter(|told| (told.range[1]..=told.range[3]).contains(&told.range[0]));
            let width: f64 = told.iter().map(|told| told.range[3] - told.range[1]).sum();
            let counts = [told.len() as f64, alarms as f64, held.count() as f64, width];
            sums[at].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            let shown: Vec<String> = told.iter().map(|told| shown(told, ranges)).collect();
            println!("{task:<16}{strength}  alarms {alarms:>3} of {seeds}  {}", shown.join("  "));
        }
    }
    for (strength, [runs, alarms, held, width]) in STRENGTHS.iter().zip(sums) {
        let held = if ranges {
            format!(", range holds {:.3}, {:.3} wide", held / runs, width / runs)
        } else {
            String::new()
        };
        println!("strength {strength}: {runs} draws, alarms {:.3}{held}", alarms / runs);
    }
    Ok(())
}

fn shown(told: &Told, ranges: bool) -> String {
    let Some(drawn) = told.drawn else { return "-".into() };
    let test = format!(
        "{:.1}/{:.1} λ {:.1}–{:.1}",
        drawn.deviations, drawn.limit, drawn.strength, drawn.strength_high
    );
    let [truly, low, prior, high] = told.range;
    if ranges { format!("{test} {truly:.3} in {low:.3} {prior:.3} {high:.3};") } else { test }
}
