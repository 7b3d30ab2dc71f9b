//! Whole inputs, read with progress and with a way to stop.

use std::path::PathBuf;

use likewise::Run;
use likewise::data::Table;
use likewise_io::{ReadOptions, Warnings, read};

use crate::arguments::ReadArguments;
use crate::terminal::say;

/// All rows of all paths in one table; what had to be put up with is said.
pub fn table(
    paths: &[PathBuf],
    arguments: &ReadArguments,
    options: &ReadOptions,
    run: &Run,
    quiet: bool,
) -> anyhow::Result<Table> {
    let mut table = Table::default();
    let mut warnings = Warnings::default();
    for source in arguments.sources(paths)? {
        let mut batches = read(&source, options)?;
        while let Some(batch) = batches.next() {
            table.append(batch?)?;
            let (done, total) = batches.progress().unwrap_or((0, 1));
            run.step("reading", done, total)?;
        }
        warnings.merge(batches.warnings().clone());
    }
    warn(&warnings, quiet);
    Ok(table)
}

pub fn warn(warnings: &Warnings, quiet: bool) {
    for message in warnings.messages() {
        say(&format!("warning: {message}"), quiet);
    }
}
