//! `likewise look`: what the columns of a file are taken for.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use likewise::figures::count;
use likewise::questions::ColumnChoice;
use likewise::questions::look::{self, Seen};

use crate::arguments::{ReadArguments, RunArguments};
use crate::files::Files;
use crate::reading::{self, Wanted};
use crate::terminal::{self, Align, say};

/// Print what each column of a file is taken for, and why
///
/// What `find` learns from where neither --text nor --features nor --vectors is given. A column `text` is learned from
/// alone, unless --except says that all others count too.
#[derive(Args)]
pub struct Look {
    /// The rows; `-` is standard input; may be repeated
    #[arg(value_name = "FILE", required = true)]
    rows: Vec<PathBuf>,
    /// Column that marks positives, which is not learned from
    #[arg(long, value_name = "COL")]
    label: Option<String>,
    /// What to call a row [default: id]
    #[arg(long, value_name = "COL")]
    id: Option<String>,
    /// Columns not to learn from; with it all others count, also beside a column `text`
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',')]
    except: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    run: RunArguments,
}

impl Look {
    pub fn run(&self) -> anyhow::Result<()> {
        Files::default().read(&self.rows).check()?;
        let run = terminal::start(&self.run)?;
        let quiet = self.run.quiet;
        let table = reading::table(&self.rows, &self.read, &Wanted::to_look(), |_| Ok(()), &run, quiet)?;
        let named = self.id.iter().chain(&self.label).chain(&self.except);
        named.into_iter().try_for_each(|name| table.column(name).map(|_| ()))?;
        let choice =
            ColumnChoice { id: self.id.clone(), except: self.except.clone(), ..ColumnChoice::default() };
        let label = self.label.as_deref();
        let seen = choice.seen(&table, label);
        if self.json {
            writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&seen)?)?;
            return Ok(());
        }
        show(&seen)?;
        say(&format!("\n{} rows. {}", count(table.rows()), look::line(&seen)), quiet);
        terminal::print_notes(choice.unused(&[&table], label).as_slice(), quiet);
        Ok(())
    }
}

fn show(seen: &[Seen]) -> std::io::Result<()> {
    let row = |s: &Seen| {
        let (missing, distinct) = (count(s.missing), count(s.distinct));
        let kind = s.kind.name().to_string();
        vec![s.column.clone(), kind, missing, distinct, s.why.clone(), s.examples.join(" | ")]
    };
    let (left, right) = (Align::Left, Align::Right);
    terminal::print_table(
        &[
            ("column", left),
            ("kind", left),
            ("missing", right),
            ("distinct", right),
            ("why", left),
            ("examples", left),
        ],
        &seen.iter().map(row).collect::<Vec<_>>(),
    )
}
