//! `reproduce` and `data` in a build without the feature `papers`: they say where they are to be had.

use std::ffi::OsString;

use clap::Args;

use crate::arguments::Usage;

/// Not in this build: the papers' experiments come with the program built from the repository
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct PapersAbsent {
    /// Whatever follows is taken, so that nobody mends an option before hearing that the command is absent.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<OsString>,
}

impl PapersAbsent {
    pub fn run(&self) -> anyhow::Result<()> {
        Err(Usage(
            "this build of likewise is without the papers' experiments: `reproduce` and `data` are in the program \
             built from the repository (cargo run --release -- reproduce all), where the feature `papers` is on"
                .into(),
        )
        .into())
    }
}
