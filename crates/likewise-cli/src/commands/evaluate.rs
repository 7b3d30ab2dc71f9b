//! `likewise evaluate`: an answer beside the truth.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use likewise::data::Table;
use likewise::measure::{TruthReport, constant_answers, report};
use likewise::problem;
use likewise::truth::Truth;

use crate::arguments::{ReadArguments, RunArguments};
use crate::files::Files;
use crate::reading::{self, Wanted};
use crate::terminal::{self, Align, say};

/// Measure a ranking against the truth
///
/// Rows are matched by id. Beside the answer stand the two that need no learning: everything positive, and
/// everything negative.
#[derive(Args)]
pub struct Evaluate {
    /// An answer of `find` or `score`: id, score, positive
    predictions: PathBuf,
    /// Rows with their true label
    #[arg(long, value_name = "FILE")]
    truth: PathBuf,
    /// Column of the truth that holds the label
    #[arg(long, value_name = "COL")]
    label: String,
    /// Value of the label that means positive; may be repeated, or be a list
    #[arg(long, value_name = "VALUE[,VALUE]", required = true)]
    positive: Vec<String>,
    /// Column of the truth that holds the id [default: id, else the row number]
    #[arg(long, value_name = "COL")]
    id: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    run: RunArguments,
}

impl Evaluate {
    pub fn run(&self) -> anyhow::Result<()> {
        Files::default().read([&self.predictions, &self.truth]).check()?;
        let run = terminal::start(&self.run)?;
        let quiet = self.run.quiet;
        let read = |path: &PathBuf, wanted: Wanted| {
            reading::table(std::slice::from_ref(path), &self.read, &wanted, |_| Ok(()), &run, quiet)
        };
        let predictions = read(&self.predictions, Wanted::named(["score", "positive"], None))?;
        let truth = read(&self.truth, Wanted::named([self.label.as_str()], self.id.as_deref()))?;
        let truth = Truth::of_label(&truth, self.id.as_deref(), &self.label, &self.positive)?;
        let ids = problem::ids(&predictions, None, 0)?;
        if let Some(text) = problem::repeated_ids(&predictions, &ids, None) {
            return Err(anyhow!("the answer counts rows twice: {text}"));
        }
        let scores = scores(&predictions)?;
        let answers = answers(&predictions)?;
        let matched = (ids.iter().enumerate())
            .map(|(row, id)| truth.of_row(&predictions, row, id))
            .collect::<likewise::Result<Vec<bool>>>()?;
        let left = truth.len().saturating_sub(ids.len());
        if left > 0 {
            say(
                &format!(
                    "note: {left} rows of the truth are not in the answer and do not count (such as the marked examples)"
                ),
                quiet,
            );
        }
        let ours = report(&scores, &answers, &matched);
        let (all, none) = constant_answers(&matched);
        if self.json {
            let json = serde_json::json!({ "answer": ours, "all_positive": all, "all_negative": none });
            println!("{}", serde_json::to_string_pretty(&json)?);
            return Ok(());
        }
        show(&ours, &all, &none)?;
        say(&format!("\n{} rows, {} of them positive.", ours.rows, ours.positives), quiet);
        Ok(())
    }
}

fn scores(predictions: &Table) -> anyhow::Result<Vec<f64>> {
    let column = predictions.column("score")?;
    let scores: Vec<f64> = (0..predictions.rows()).map(|row| column.number(row)).collect();
    match scores.iter().position(|score| score.is_nan()) {
        Some(row) => Err(anyhow!(
            "{}: `{}` in column `score` is not a number",
            predictions.place(row),
            column.cell(row)
        )),
        None => Ok(scores),
    }
}

fn answers(predictions: &Table) -> anyhow::Result<Vec<bool>> {
    let column = predictions.column("positive")?;
    let answer = |row| match column.cell(row).trim() {
        "true" | "True" | "TRUE" | "1" | "yes" => Ok(true),
        "false" | "False" | "FALSE" | "0" | "no" => Ok(false),
        other => Err(anyhow!(
            "{}: `{other}` in column `positive` is neither true nor false",
            predictions.place(row)
        )),
    };
    (0..predictions.rows()).map(answer).collect()
}

fn show(ours: &TruthReport, all: &TruthReport, none: &TruthReport) -> std::io::Result<()> {
    type Measure = fn(&TruthReport) -> f64;
    let measures: [(&str, Measure); 6] = [
        ("precision", |r| r.precision),
        ("recall", |r| r.recall),
        ("F1", |r| r.f1),
        ("accuracy", |r| r.accuracy),
        ("average precision", |r| r.average_precision),
        ("area under ROC", |r| r.area_under_roc),
    ];
    let rows: Vec<Vec<String>> = (measures.iter())
        .map(|(name, measure)| {
            let cells = [ours, all, none].map(|report| terminal::score(measure(report)));
            std::iter::once(name.to_string()).chain(cells).collect()
        })
        .collect();
    let right = Align::Right;
    terminal::print_table(
        &[("", Align::Left), ("answer", right), ("all positive", right), ("all negative", right)],
        &rows,
    )
}
