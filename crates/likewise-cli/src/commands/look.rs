//! `likewise look`: what the columns of a file are taken for.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use likewise::figures::{count, rows};
use likewise::note::Note;
use likewise::questions::ColumnChoice;
use likewise::questions::look::{self, SeenColumn};
use serde_json::json;

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
        let notes: Vec<Note> = choice.unused(&[&table], label).into_iter().collect();
        if self.json {
            return terminal::print_json(&json!({ "columns": seen }), &notes);
        }
        show(&seen)?;
        say(&format!("\n{}. {}", rows(table.rows()), look::line(&seen)), quiet);
        terminal::print_notes(&notes, quiet);
        Ok(())
    }
}

/// The place of the reasons, and how much of them is always shown.
const WHY: usize = 4;
const LEAST_WHY: usize = 40;

/// Half of what the names leave of the screen belongs to the reasons, the rest to the examples. Longer reasons follow.
fn show(seen: &[SeenColumn]) -> std::io::Result<()> {
    let row = |s: &SeenColumn| {
        let (missing, distinct) = (count(s.missing), count(s.distinct));
        let kind = s.kind.name().to_string();
        vec![s.column.clone(), kind, missing, distinct, s.why.clone(), s.examples.join(" | ")]
    };
    let mut rows: Vec<Vec<String>> = seen.iter().map(row).collect();
    let names = seen.iter().map(|s| s.column.chars().count()).max().unwrap_or(0).max("column".len());
    let room = terminal::width().saturating_sub(names + "left out  missing  distinct".len() + 8);
    let mut long = Vec::new();
    for (row, SeenColumn { column, why, .. }) in rows.iter_mut().zip(seen) {
        row[WHY] = terminal::cut(why, (room / 2).max(LEAST_WHY));
        long.extend((row[WHY] != *why).then(|| format!("{column}: {why}")));
    }
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
        &rows,
    )?;
    let mut out = std::io::stdout();
    long.iter().try_for_each(|why| writeln!(out, "{}", terminal::printable(why)))
}
