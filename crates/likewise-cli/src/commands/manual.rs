//! `likewise manual`: the help as manual pages.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::help;

/// Write manual pages, one for each command, into a folder
///
/// The folder is made where it is missing. `man -l likewise-find.1` shows a page; in a folder `man1` of the manual path
/// it is found by its name.
#[derive(Args)]
pub struct Manual {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manual {
    pub fn run(&self) -> anyhow::Result<()> {
        std::fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        clap_mangen::generate_to(help::command(), &self.folder)
            .with_context(|| self.folder.display().to_string())
    }
}
