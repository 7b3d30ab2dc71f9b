//! Whole inputs, read with progress and with a way to stop.

use std::path::PathBuf;

use likewise::Run;
use likewise::data::Table;
use likewise_io::{Warnings, read};

use crate::arguments::ReadArguments;
use crate::terminal::say;

/// All rows of all paths in one table; what had to be put up with is said. Each file by itself must pass the check:
/// in one table with the others, a column that it lacks would be blank.
pub fn table(
    paths: &[PathBuf],
    arguments: &ReadArguments,
    check: impl Fn(&Table) -> likewise::Result<()>,
    run: &Run,
    quiet: bool,
) -> anyhow::Result<Table> {
    let mut table = Table::default();
    let mut warnings = Warnings::default();
    for source in arguments.sources(paths)? {
        let mut own = Table::default();
        let mut batches = read(&source, &arguments.options())?;
        while let Some(batch) = batches.next() {
            own.append(batch?)?;
            let (done, total) = batches.progress().unwrap_or((0, 1));
            run.step("reading", done, total)?;
        }
        warnings.merge(batches.warnings().clone());
        check(&own)?;
        match table.rows() {
            0 => table = own,
            _ => table.append(own)?,
        }
    }
    warn(&warnings, quiet);
    Ok(table)
}

pub fn warn(warnings: &Warnings, quiet: bool) {
    for message in warnings.messages() {
        say(&format!("warning: {message}"), quiet);
    }
}
