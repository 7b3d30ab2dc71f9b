//! `likewise data`: the data sets of the papers, and whether they are here.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use likewise_papers::data::DataFolder;
use likewise_papers::data::catalogue::{Set, State, sets};

use crate::arguments::RunArguments;
use crate::terminal;

/// List the data sets that `reproduce` reads: where each comes from, and whether it is here and whole
#[derive(Args)]
pub struct Data {
    /// The folder with the data sets [default: LIKEWISE_DATA, else ../shared/data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    run: RunArguments,
}

impl Data {
    pub fn run(&self) -> anyhow::Result<()> {
        let run = terminal::start(&self.run)?;
        let folder = DataFolder::find(self.data.as_deref());
        let sets = sets();
        let mut states = Vec::new();
        for (at, set) in sets.iter().enumerate() {
            run.step("checking", at as u64, sets.len() as u64)?;
            states.push(set.check(&folder)?);
        }
        let mut out = terminal::out().lock();
        if self.json {
            let rows: Vec<_> = sets.iter().zip(&states).map(|(set, state)| json(set, state)).collect();
            writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?;
            return Ok(());
        }
        writeln!(out, "Data sets in {}", folder.path().display())?;
        for (set, state) in sets.iter().zip(&states) {
            let word = match state {
                State::Whole => "whole",
                State::Absent => "absent",
                State::Damaged(_) => "damaged",
            };
            writeln!(out, "\n{:<8} {}: {}", word, set.name, set.title)?;
            writeln!(out, "         for {}; {}", set.papers.join(", "), set.how)?;
            if let State::Damaged(problems) = state {
                for problem in problems {
                    writeln!(out, "         {problem}")?;
                }
            }
        }
        let whole = states.iter().filter(|state| **state == State::Whole).count();
        terminal::say(
            &format!(
                "\n{whole} of {} sets are whole. Put a missing one into a folder of its name, in the form said above.",
                sets.len()
            ),
            self.run.quiet,
        );
        Ok(())
    }
}

fn json(set: &Set, state: &State) -> serde_json::Value {
    let problems = match state {
        State::Damaged(problems) => problems.clone(),
        _ => Vec::new(),
    };
    let word = match state {
        State::Whole => "whole",
        State::Absent => "absent",
        State::Damaged(_) => "damaged",
    };
    serde_json::json!({
        "name": set.name, "title": set.title, "papers": set.papers, "how": set.how,
        "files": set.files.len(), "lines": set.lines(), "state": word, "problems": problems,
    })
}
