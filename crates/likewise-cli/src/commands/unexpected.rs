//! `likewise unexpected`: which rows belong to none of the known classes.

use std::path::PathBuf;

use clap::Args;
use likewise::data::{Table, Texts};
use likewise::questions::unexpected::{Classes, Judged, Unexpected as Question};
use likewise::registry;
use likewise_io::{CellKind, Cells, Field, Output, Outputs, Writer};

use crate::arguments::{
    ColumnArguments, ReadArguments, RunArguments, SettingArguments, WordArguments, WriteArguments,
};
use crate::files::Files;
use crate::reading::{self, Wanted};
use crate::terminal::{self, Align, say};

/// Tell new rows of unknown classes from those of known ones
///
/// Rows that belong to none of the known classes are marked unexpected; every other row gets its known class.
#[derive(Args)]
pub struct Unexpected {
    /// Rows of the known classes; may be repeated
    #[arg(long, value_name = "FILE", required = true)]
    known: Vec<PathBuf>,
    /// Column of --known that names the class
    #[arg(long, value_name = "COL")]
    label: String,
    /// The new rows; `-` is standard input; may be repeated
    #[arg(long = "in", value_name = "FILE", required = true)]
    new: Vec<PathBuf>,
    /// How to learn; `likewise methods` lists all. By itself it takes what best finds known classes that are hidden
    #[arg(long, value_name = "NAME", default_value = registry::DEFAULT)]
    method: String,
    #[command(flatten)]
    settings: SettingArguments,
    /// .jsonl, .csv, .tsv or .parquet; `-` is standard output as JSON lines. Without it, the most unexpected 20 are shown
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write as JSON what was tried, and how well each found known classes that were hidden
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    columns: ColumnArguments,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    words: WordArguments,
    #[command(flatten)]
    run: RunArguments,
}

const SHOWN: usize = 20;

impl Unexpected {
    pub fn run(&self) -> anyhow::Result<()> {
        let method = registry::find(&self.method)?;
        let question = Question {
            method,
            parameters: self.settings.of(method)?,
            columns: self.columns.choice(true)?,
            words: self.words.options()?,
        };
        let output = self.output.as_ref().map(|path| self.write.output(path)).transpose()?;
        let run = terminal::start(&self.run)?;
        let quiet = self.run.quiet;
        let files = Files::default().read(self.known.iter().chain(&self.new).chain(&self.columns.embed));
        files.written("--output", self.output.clone()).written("--summary", self.summary.clone()).check()?;
        let read = |paths: &[PathBuf], label: Option<&str>| {
            let wanted = Wanted::of(&question.columns, label);
            let check = |table: &Table| question.columns.check(table, label);
            reading::table(paths, &self.read, &wanted, check, &run, quiet)
        };
        let (known, new) = (read(&self.known, Some(&self.label))?, read(&self.new, None)?);
        let judged = question.ask(known, Classes::Column(&self.label), new, &run)?;
        terminal::clear_bar();
        terminal::print_notes(&judged.notes, quiet);
        let mut outputs = Outputs::new();
        if let Some(path) = &self.summary {
            let figures = serde_json::to_string_pretty(&judged.summary())? + "\n";
            outputs.write(path, figures.as_bytes())?;
        }
        match &output {
            Some(output) => outputs.add(written(output, &judged)?)?,
            None => show(&judged)?,
        }
        outputs.commit()?;
        say(&format!("\n{}", judged.line()), quiet);
        Ok(())
    }
}

/// In the order of the input, so that rows can be laid beside it.
fn written(output: &Output, Judged { ids, verdicts, .. }: &Judged) -> likewise_io::Result<Writer> {
    let fields = vec![
        Field::new("id", CellKind::Text),
        Field::new("unexpected", CellKind::Boolean),
        Field::new("score", CellKind::Number),
        Field::new("class", CellKind::Text),
    ];
    let unexpected: Vec<bool> = verdicts.iter().map(|v| v.unexpected).collect();
    let scores: Vec<f64> = verdicts.iter().map(|v| v.score).collect();
    let classes: Texts = verdicts.iter().map(|v| v.class.as_deref().unwrap_or_default()).collect();
    let mut writer = Writer::create(output, fields)?;
    writer.write(&[
        Cells::Text(ids),
        Cells::Boolean(&unexpected),
        Cells::Number(&scores),
        Cells::Text(&classes),
    ])?;
    Ok(writer)
}

fn show(Judged { ids, verdicts, .. }: &Judged) -> std::io::Result<()> {
    let scores: Vec<f64> = verdicts.iter().map(|v| v.score).collect();
    let rows: Vec<Vec<String>> = likewise::decide::ranking(&scores)
        .into_iter()
        .take(SHOWN)
        .map(|row| {
            let verdict = &verdicts[row];
            let mark = if verdict.unexpected { "yes" } else { "no" };
            vec![
                ids[row].to_string(),
                terminal::score(verdict.score),
                mark.into(),
                verdict.class.clone().unwrap_or_default(),
            ]
        })
        .collect();
    let head =
        [("id", Align::Left), ("score", Align::Right), ("unexpected", Align::Left), ("class", Align::Left)];
    terminal::print_table(&head, &rows)
}
