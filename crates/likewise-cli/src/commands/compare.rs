//! `likewise compare`: several methods on one problem.

use std::path::PathBuf;

use clap::Args;
use likewise::Run;
use likewise::figures::count;
use likewise::questions::compare::{Compare as Question, Line, Meter};
use likewise::questions::truth::Truth;
use serde_json::json;

use crate::arguments::{ReadArguments, RunArguments, WordArguments};
use crate::memory::Peak;
use crate::problem::ProblemArguments;
use crate::reading::{self, Wanted};
use crate::terminal::{self, Align, print_table, score};
use crate::wording;

/// Run several methods on the same problem and print one table
///
/// Without the truth: how many each finds, how long it takes, how much memory, and what positives hidden in the
/// pile say of it. With --truth also precision, recall, F1 and average precision.
#[derive(Args)]
pub struct Compare {
    #[command(flatten)]
    problem: ProblemArguments,
    /// Which methods; `all` takes every one that reads the data [default: a good dozen]
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',')]
    methods: Option<Vec<String>>,
    /// The truth, such as truth.jsonl of `simulate`; rows are matched by id
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Column of the truth
    #[arg(long, value_name = "COL", default_value = super::TRUTH_LABEL, requires = "truth")]
    truth_label: String,
    /// Value of that column which means positive
    #[arg(long, value_name = "VALUE", default_value = super::TRUTH_POSITIVE, requires = "truth")]
    truth_positive: String,
    /// Into how many folds the positives are dealt to be hidden; 0 leaves the estimates out and is faster
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    words: WordArguments,
    #[command(flatten)]
    run: RunArguments,
}

/// Looks at the peak of the process around each method.
fn meter() -> Meter {
    let peak = Peak::start();
    Box::new(move || peak.bytes())
}

impl Compare {
    pub fn run(&self) -> anyhow::Result<()> {
        let run = terminal::start(&self.run)?;
        let quiet = self.run.quiet;
        let question = Question {
            methods: self.methods.clone(),
            folds: self.folds,
            words: self.problem.words(&self.words)?,
            meter: Some(meter),
        };
        let problem = self.problem.problem(&run, quiet)?;
        terminal::print_notes(&problem.notes, quiet);
        let truth = self.truth(&run)?;
        let comparison = question.ask(&problem, truth.as_ref(), &run)?;
        if self.json {
            terminal::print_json(&json!({ "methods": comparison.lines }), &comparison.notes)?;
        } else {
            show(&comparison.lines, truth.is_some())?;
            if let Some(line) = comparison.line(self.folds) {
                terminal::say(&format!("\n{line}"), quiet);
            }
        }
        let worded = |error: &likewise::Error| error.render(wording::option);
        for failure in comparison.lines.iter().filter_map(|line| line.failure(worded)) {
            terminal::say(&failure, quiet);
        }
        Ok(())
    }

    /// What rows are in truth.
    fn truth(&self, run: &Run) -> anyhow::Result<Option<Truth>> {
        let Some(path) = &self.truth else { return Ok(None) };
        let wanted = Wanted::named([self.truth_label.as_str()], None);
        let (path, read) = (std::slice::from_ref(path), ReadArguments::default());
        let table = reading::table(path, &read, &wanted, |_| Ok(()), run, self.run.quiet)?;
        Ok(Some(Truth::of_label(&table, None, &self.truth_label, &[&self.truth_positive])?))
    }
}

fn show(lines: &[Line], with_truth: bool) -> std::io::Result<()> {
    let right = Align::Right;
    let mut head = vec![
        ("method", Align::Left),
        ("seconds", right),
        ("MiB", right),
        ("found", right),
        ("PU-AUC", right),
        ("~recall", right),
        ("~precision", right),
        ("~F1", right),
    ];
    if with_truth {
        head.extend([("precision", right), ("recall", right), ("F1", right), ("avg. precision", right)]);
    }
    let estimate = |value: Option<f64>| value.map_or("-".to_string(), score);
    let rows: Vec<Vec<String>> = (lines.iter())
        .map(|line| match line {
            Line::Failed { method, .. } => std::iter::once(method.to_string())
                .chain(std::iter::repeat_n("-".to_string(), head.len() - 1))
                .collect(),
            Line::Answered { compared: c, memory_bytes } => {
                let memory = memory_bytes.map_or("-".into(), |bytes| count((bytes >> 20) as usize));
                let mut row = vec![c.method.to_string(), format!("{:.3}", c.seconds), memory, count(c.found)];
                row.extend(
                    [c.pu_auc, c.estimated_recall, c.estimated_precision, c.estimated_f1].map(estimate),
                );
                if let Some(truth) = &c.truth {
                    row.extend([truth.precision, truth.recall, truth.f1, truth.average_precision].map(score));
                }
                row
            }
        })
        .collect();
    print_table(&head, &rows)
}
