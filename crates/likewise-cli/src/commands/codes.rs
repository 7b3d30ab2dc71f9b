//! `likewise codes`: every code that notes and errors carry.

use std::io::Write;

use clap::Args;
use likewise::codes::ALL;

/// List the codes of notes and errors, with what to do about each
///
/// As Markdown; `docs/codes.md` is made by this command. Programs see the code beside the text in JSON output and in
/// Python's warnings and errors.
#[derive(Args)]
pub struct Codes {}

impl Codes {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "# Codes of notes and errors\n\nMade by `likewise codes`.\n")?;
        writeln!(out, "| code | what it means | what to do |\n|---|---|---|")?;
        for code in ALL {
            writeln!(out, "| `{}` | {} | {} |", code.name, code.meaning, code.advice)?;
        }
        Ok(())
    }
}
