//! `likewise schema`: what was understood of a database.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use likewise::figures::count;
use likewise_io::database::Database;

use crate::arguments::RunArguments;
use crate::terminal;

/// Show how a database of related tables, or facts, is understood
///
/// For tables the answer can be corrected and given back with --schema; beside the files of a folder, as `schema.toml`,
/// it is found by itself.
#[derive(Args)]
pub struct Schema {
    /// A SQLite file, a PostgreSQL URL, a folder of table files, or files of facts
    #[arg(value_name = "PATH|URL", required = true)]
    database: Vec<String>,
    /// A schema that says what the columns of tables are, instead of what they look like
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// Which literals rules may use, for facts [default: the mode file beside them]
    #[arg(long, value_name = "FILE")]
    modes: Option<PathBuf>,
    #[command(flatten)]
    run: RunArguments,
}

impl Schema {
    pub fn run(&self) -> anyhow::Result<()> {
        let run = terminal::start(&self.run)?;
        let mut database = Database::open(&self.database)?;
        if let Some(file) = &self.schema {
            database = database.with_schema(file)?;
        }
        let found = database.describe(self.modes.as_deref(), &run)?;
        terminal::print_notes(&found.notes, self.run.quiet);
        let mut out = terminal::out().lock();
        if let Some(schema) = &found.schema {
            write!(out, "{schema}")?;
        }
        writeln!(out, "# types, with the number of their constants")?;
        for (name, constants) in &found.types {
            writeln!(out, "#   {name}: {}", count(*constants))?;
        }
        writeln!(out, "# literals that rules may use, with the facts behind them")?;
        for (mode, facts) in &found.modes {
            writeln!(out, "#   {mode}: {}", count(*facts))?;
        }
        Ok(())
    }
}
