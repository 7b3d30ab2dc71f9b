//! `likewise evaluate`: an answer beside the truth.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use likewise::figures::{self, count};
use likewise::measure::TruthReport;
use likewise::questions::evaluate::{Evaluation, ask};
use likewise::questions::read_sample::{self, Measured};
use likewise::questions::truth::Truth;

use super::{TRUTH_LABEL, TRUTH_POSITIVE};
use crate::arguments::{ReadArguments, RunArguments, Usage};
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
    /// Rows with their true label, such as truth.jsonl of `simulate`
    #[arg(long, value_name = "FILE", required_unless_present = "marks")]
    truth: Option<PathBuf>,
    /// Rows that were drawn at random (`find --audit-sample`) and read, with yes or no in a column: precision, recall and
    /// F1 with exact intervals
    #[arg(long, value_name = "FILE", conflicts_with_all = ["truth", "positive"])]
    marks: Option<PathBuf>,
    /// Column that holds the label [default: of the truth positive, of the marks wanted]
    #[arg(long, value_name = "COL")]
    label: Option<String>,
    /// Value of the label that means positive; may be repeated, or be a list [default: true, where --label is not given]
    #[arg(long, value_name = "VALUE[,VALUE]")]
    positive: Vec<String>,
    /// Column of the truth or the marks that holds the id [default: id, else the row number, counted from 1]
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
        Files::default().read([&self.predictions]).read(&self.truth).read(&self.marks).check()?;
        let run = terminal::start(&self.run)?;
        let quiet = self.run.quiet;
        let read = |path: &PathBuf, wanted: Wanted| {
            reading::table(std::slice::from_ref(path), &self.read, &wanted, |_| Ok(()), &run, quiet)
        };
        let predictions = read(&self.predictions, Wanted::named(["score", "positive"], None))?;
        let (id, label) = (self.id.as_deref(), self.label.as_deref());
        if let Some(marks) = &self.marks {
            let label = label.unwrap_or(read_sample::WANTED);
            let marks = read(marks, Wanted::named([label], id))?;
            return self.show_marks(&read_sample::ask(&predictions, &marks, id, label)?);
        }
        let Some(truth) = &self.truth else {
            return Err(Usage(
                "give the true labels with --truth, or what you have read with --marks".into(),
            )
            .into());
        };
        let (label, positive) = match (label, self.positive.as_slice()) {
            (None, []) => (TRUTH_LABEL, vec![TRUTH_POSITIVE.to_string()]),
            (Some(_), []) => {
                return Err(
                    Usage("say with --positive which value of the label means positive".into()).into()
                );
            }
            (label, given) => (label.unwrap_or(TRUTH_LABEL), given.to_vec()),
        };
        let truth = read(truth, Wanted::named([label], id))?;
        let truth = Truth::of_label(&truth, id, label, &positive)?;
        let evaluation = ask(&predictions, &truth)?;
        terminal::print_notes(&evaluation.notes, quiet);
        if self.json {
            return terminal::print_json(&evaluation, &evaluation.notes);
        }
        show(&evaluation)?;
        let TruthReport { rows, positives, .. } = evaluation.answer;
        say(&format!("\n{}, {} of them positive.", figures::rows(rows), count(positives)), quiet);
        Ok(())
    }
}

impl Evaluate {
    fn show_marks(&self, measured: &Measured) -> anyhow::Result<()> {
        terminal::print_notes(&measured.notes, self.run.quiet);
        if self.json {
            return terminal::print_json(measured, &measured.notes);
        }
        let mut out = terminal::out().lock();
        for line in measured.lines() {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

fn show(evaluation: &Evaluation) -> std::io::Result<()> {
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
            let Evaluation { answer, all_positive, all_negative, .. } = evaluation;
            let cells = [answer, all_positive, all_negative].map(|report| terminal::score(measure(report)));
            std::iter::once(name.to_string()).chain(cells).collect()
        })
        .collect();
    let right = Align::Right;
    terminal::print_table(
        &[("", Align::Left), ("answer", right), ("all positive", right), ("all negative", right)],
        &rows,
    )
}
