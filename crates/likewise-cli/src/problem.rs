//! Where positives and pile come from: the arguments of every command that learns.

use std::path::PathBuf;

use clap::Args;
use likewise::Run;
use likewise::problem::Problem;

use crate::arguments::{ColumnArguments, ReadArguments, Usage};
use crate::{commands::sample, reading};

#[derive(Args)]
pub struct ProblemArguments {
    /// Examples of what you want; may be repeated
    #[arg(long, value_name = "FILE")]
    pub like: Vec<PathBuf>,
    /// The rows to search; `-` is standard input; may be repeated
    #[arg(long = "in", value_name = "FILE")]
    pub pile: Vec<PathBuf>,
    /// Column that marks positives in --in
    #[arg(long, value_name = "COL", requires = "positive", conflicts_with = "like")]
    pub label: Option<String>,
    /// Value of the label that marks a positive
    #[arg(long, value_name = "VALUE", requires = "label")]
    pub positive: Option<String>,
    /// Rank also rows whose content is that of a positive
    #[arg(long)]
    pub keep_positives: bool,
    #[command(flatten)]
    pub columns: ColumnArguments,
    #[command(flatten)]
    pub read: ReadArguments,
}

impl ProblemArguments {
    /// Nothing was named: the built-in sample stands in.
    pub fn is_sample(&self) -> bool {
        self.like.is_empty() && self.pile.is_empty()
    }

    pub fn problem(&self, run: &Run, quiet: bool) -> anyhow::Result<Problem> {
        let choice = self.columns.choice(self.keep_positives);
        let read = |paths: &[PathBuf]| reading::table(paths, &self.read, &self.read.options(), run, quiet);
        if self.is_sample() {
            if self.label.is_some() {
                return Err(Usage("--label marks rows of --in, which is missing".into()).into());
            }
            return Ok(Problem::of_label(sample::table()?, sample::LABEL, sample::POSITIVE, &choice)?);
        }
        if self.pile.is_empty() {
            return Err(
                Usage("--like gives the examples; name the rows to search with --in FILE".into()).into()
            );
        }
        match (&self.label, &self.positive) {
            (Some(label), Some(positive)) => {
                Ok(Problem::of_label(read(&self.pile)?, label, positive, &choice)?)
            }
            _ if self.like.is_empty() => Err(Usage(
                "which rows are what you want? Give examples with --like FILE, or say which rows of --in are marked with --label COL --positive VALUE".into(),
            )
            .into()),
            _ => Ok(Problem::of_two(read(&self.like)?, read(&self.pile)?, &choice)?),
        }
    }
}
