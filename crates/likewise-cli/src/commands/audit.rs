//! `likewise audit`: can these data carry an answer?

use std::io::Write;

use clap::Args;
use likewise::figures::{count, percent};
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
        let words = self.words.options()?;
        let problem = self.problem.problem(&run, self.run.quiet)?;
        let (findings, notes) = ask(&problem, &words, &run)?;
        terminal::print_notes(&notes, self.run.quiet);
        if self.json {
            writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&findings)?)?;
            return Ok(());
        }
        Ok(show(&findings, &problem)?)
    }
}

fn show(findings: &Findings, problem: &Problem) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} examples, {} rows in the pile.", count(findings.positives), count(findings.pile))?;
    writeln!(
        out,
        "Separability: a hidden example stands above {} of the pile on average (PU-AUC {:.2}; 0.5 is chance).",
        percent(findings.separability),
        findings.separability
    )?;
    writeln!(
        out,
        "Positives in the pile: about {} ({} to {}).",
        percent(findings.prior),
        percent(findings.prior_low),
        percent(findings.prior_high)
    )?;
    if findings.strange_groups.is_empty() {
        writeln!(out, "Random draw: no group of likely positives lies apart from all of your examples.")?;
    } else {
        writeln!(
            out,
            "Random draw: these groups of likely positives hold none of your examples; if they belong to the class, mark some of them:"
        )?;
        for group in &findings.strange_groups {
            writeln!(
                out,
                "  {} rows ({} of the likely positives), such as",
                count(group.rows.len()),
                percent(group.share)
            )?;
            for &row in group.rows.iter().take(3) {
                let text = cut(&problem.glance(row), width().saturating_sub(20));
                writeln!(out, "    {}  {}", printable(&problem.ids[row]), printable(&text))?;
            }
        }
    }
    writeln!(out, "More examples would narrow the range of recall:")?;
    for more in &findings.more_labels {
        writeln!(out, "  {:>6} examples: a range {} wide", more.positives, percent(more.recall_width))?;
    }
    for warning in &findings.warnings {
        writeln!(out, "Warning: {}.", warning.render(wording::option))?;
    }
    Ok(())
}
