//! `likewise completions`: what a shell completes after `likewise`.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use crate::help;

/// Print the completions for a shell
#[derive(Args)]
pub struct Completions {
    /// The shell that reads them
    shell: Shell,
}

impl Completions {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut help::command_to_complete(), "likewise", &mut script);
        std::io::stdout().write_all(&script)?;
        Ok(())
    }
}
