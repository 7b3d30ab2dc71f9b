//! `likewise prior`: how many of the pile are positive?

use std::path::PathBuf;

use clap::Args;
use likewise::Run;
use likewise::data::Table;
use likewise::prior::{PriorOptions, PriorReport};
use likewise::questions::prior::{self, Given};
use serde_json::json;

use crate::arguments::{RunArguments, Usage, WordArguments};
use crate::problem::ProblemArguments;
use crate::reading::{self, Wanted};
use crate::terminal::{self, Align, say};

/// Estimate how many of the pile are positive
///
/// Positives are hidden in the pile while a ranker learns from the others; where it ranks them tells how many more of
/// their kind there are. One row for each estimator with its bootstrap interval (nominal 95 %); `median` is the one to
/// use: the middle over estimators and rankers, without those that collapsed, with an interval that also spans their
/// disagreement. The share is always that of the pile, and always an upper bound: negatives that look exactly like
/// positives cannot be told from them.
#[derive(Args)]
pub struct Prior {
    #[command(flatten)]
    problem: ProblemArguments,
    /// Take the ranking from this column instead: scores of a model that did not learn from these positives, larger
    /// for more likely
    #[arg(long, value_name = "COL", conflicts_with = "rankers")]
    scores: Option<String>,
    /// Methods whose ranking of hidden positives is used [default: several, by the kind of data]
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',')]
    rankers: Option<Vec<String>>,
    /// Parts into which the positives are dealt; each is hidden once
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=1000))]
    folds: u16,
    /// Bootstrap resamples behind an interval
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(2..=10000))]
    resamples: u16,
    /// Print JSON: `estimates`, each with estimator, estimate, low and high, and `notes`
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    words: WordArguments,
    #[command(flatten)]
    run: RunArguments,
}

impl Prior {
    pub fn run(&self) -> anyhow::Result<()> {
        let rankers = self.rankers.as_ref().map(|names| prior::rankers(names));
        let options = PriorOptions {
            rankers: rankers.transpose()?,
            folds: self.folds.into(),
            resamples: self.resamples.into(),
        };
        let run = terminal::start(&self.run)?;
        let report = match &self.scores {
            Some(column) => self.of_scores(column, &options, &run)?,
            None => self.of_rows(&options, &run)?,
        };
        terminal::print_notes(&report.notes, self.run.quiet);
        if self.json {
            return terminal::print_json(&json!({ "estimates": report.estimates }), &report.notes);
        }
        show(&report)?;
        say(&format!("\n{}", prior::line(&report)), self.run.quiet);
        Ok(())
    }

    fn of_rows(&self, options: &PriorOptions, run: &Run) -> anyhow::Result<PriorReport> {
        let words = self.problem.words(&self.words)?;
        let problem = self.problem.problem(run, self.run.quiet)?;
        Ok(prior::ask(&problem, &words, options, run)?)
    }

    /// The user's own scores: those of the positives among those of the pile.
    fn of_scores(&self, column: &str, options: &PriorOptions, run: &Run) -> anyhow::Result<PriorReport> {
        let from = &self.problem;
        from.files().check()?;
        let check = |table: &Table| table.column(column).map(|_| ());
        let wanted = Wanted::named([column].into_iter().chain(from.label.as_deref()), None);
        let read = |paths: &[PathBuf]| reading::table(paths, &from.read, &wanted, check, run, self.run.quiet);
        if from.pile.is_empty() {
            return Err(Usage("--scores is a column of --in, which is missing".into()).into());
        }
        if from.like.is_empty() && from.label.is_none() {
            let message = "whose scores are those of positives? Give them with --like FILE, or mark rows of --in with --label COL --positive VALUE";
            return Err(Usage(message.into()).into());
        }
        let pile = read(&from.pile)?;
        let report = match &from.label {
            Some(label) => {
                let given = Given::Label { table: &pile, label, positive: &from.positive };
                prior::of_column(column, given, options, run)
            }
            None => {
                let like = read(&from.like)?;
                prior::of_column(column, Given::Two { like: &like, pile: &pile }, options, run)
            }
        };
        Ok(report?)
    }
}

fn show(report: &PriorReport) -> std::io::Result<()> {
    let rows: Vec<Vec<String>> = (report.estimates.iter())
        .map(|e| {
            let numbers = [e.estimate, e.low, e.high].map(terminal::score);
            std::iter::once(e.estimator.to_string()).chain(numbers).collect()
        })
        .collect();
    let right = Align::Right;
    terminal::print_table(
        &[("estimator", Align::Left), ("estimate", right), ("low", right), ("high", right)],
        &rows,
    )
}
