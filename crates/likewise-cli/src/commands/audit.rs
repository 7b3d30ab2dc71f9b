//! `likewise audit`: can these data carry an answer?

use std::io::Write;

use clap::Args;
use likewise::questions::Problem;
use likewise::questions::audit::{Audit as Findings, ask};

use crate::arguments::{RunArguments, WordArguments};
use crate::problem::ProblemArguments;
use crate::terminal::{self, cut, printable, width};
use crate::wording;

/// Say whether these data can carry an answer
///
/// How many examples, how well they differ from the pile, how many positives there may be, whether the examples look
/// like a random draw of their class, and what more of them would buy.
#[derive(Args)]
pub struct Audit {
    #[command(flatten)]
    problem: ProblemArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    words: WordArguments,
    #[command(flatten)]
    run: RunArguments,
}

impl Audit {
    pub fn run(&self) -> anyhow::Result<()> {
        let run = terminal::start(&self.run)?;
        let words = self.problem.words(&self.words)?;
        let problem = self.problem.problem(&run, self.run.quiet)?;
        let (findings, notes) = ask(&problem, &words, &run)?;
        terminal::print_notes(&notes, self.run.quiet);
        if self.json {
            return terminal::print_json(&findings, &notes);
        }
        Ok(show(&findings, &problem)?)
    }
}

fn show(findings: &Findings, problem: &Problem) -> std::io::Result<()> {
    let row = |row: usize| {
        let text = cut(&problem.glance(row), width().saturating_sub(20));
        format!("{}  {}", printable(&problem.ids[row]), printable(&text))
    };
    let mut out = terminal::out().lock();
    findings.lines(row, wording::option).iter().try_for_each(|line| writeln!(out, "{line}"))
}
