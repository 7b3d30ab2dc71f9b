//! `likewise unexpected`: which rows belong to none of the known classes.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use likewise::data::{Table, Texts};
use likewise::figures::count;
use likewise::methods::{self, Note};
use likewise::problem::{self, Choice};
use likewise::unexpected::{self, Search, Verdict};
use likewise_io::{Cells, Field, Kind, Output, Writer};

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
    /// How to learn; `likewise methods` lists all
    #[arg(long, value_name = "NAME", default_value = methods::DEFAULT)]
    method: String,
    #[command(flatten)]
    settings: SettingArguments,
    /// .jsonl, .csv, .tsv or .parquet; `-` is standard output as JSON lines. Without it, the most unexpected 20 are shown
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
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
        let (method, parameters) = self.settings.of(unexpected::method(&self.method)?)?;
        let output = self.output.as_ref().map(|path| self.write.output(path)).transpose()?;
        let words = self.words.options()?;
        let run = terminal::start(&self.run)?;
        let quiet = self.run.quiet;
        let files = Files::default().read(self.known.iter().chain(&self.new));
        files.written("--output", self.output.clone()).check()?;
        let choice: Choice = self.columns.choice(true);
        let read = |paths: &[PathBuf], label: Option<&str>| {
            let wanted = Wanted::of(&choice, label);
            reading::table(paths, &self.read, &wanted, |table| choice.check(table, label), &run, quiet)
        };
        let (known, new) = (read(&self.known, Some(&self.label))?, read(&self.new, None)?);
        let (mut table, classes) = self.with_classes(known, quiet)?;
        let input = choice.input(&table, Some(&self.label))?;
        let ids = problem::ids(&new, choice.id.as_deref(), 0)?;
        let repeated = problem::repeated_ids(&new, &ids, choice.id.as_deref());
        let mut notes: Vec<Note> = repeated.map(Note::Warning).into_iter().collect();
        table.append(new)?;
        let (verdicts, more) = Search { method, parameters, input, words }.run(&table, &classes, &run)?;
        notes.extend(more);
        terminal::print_notes(&notes, quiet);
        match &output {
            Some(output) => write(output, &ids, &verdicts)?,
            None => show(&ids, &verdicts)?,
        }
        let found = verdicts.iter().filter(|v| v.unexpected).count();
        let done = format!(
            "\nMethod `{}`: {} of {} rows are unexpected; the others were given one of the known classes.",
            method.spec().name,
            count(found),
            count(verdicts.len())
        );
        say(&done, quiet);
        Ok(())
    }

    /// The rows whose class is known, and these classes.
    fn with_classes(&self, known: Table, quiet: bool) -> anyhow::Result<(Table, Vec<String>)> {
        let column = known.column(&self.label)?;
        let named: Vec<usize> =
            (0..known.rows()).filter(|&row| !column.cell(row).trim().is_empty()).collect();
        let blank = known.rows() - named.len();
        if named.is_empty() {
            return Err(anyhow!(
                "column `{}` of --known is blank in every row: no class is known",
                self.label
            ));
        }
        if blank > 0 {
            say(
                &format!("warning: known rows left out because their class is blank: {}", count(blank)),
                quiet,
            );
        }
        let classes = named.iter().map(|&row| column.cell(row).into_owned()).collect();
        Ok((known.select(&named), classes))
    }
}

/// In the order of the input, so that rows can be laid beside it.
fn write(output: &Output, ids: &[String], verdicts: &[Verdict]) -> likewise_io::Result<()> {
    let fields = vec![
        Field::new("id", Kind::Text),
        Field::new("unexpected", Kind::Boolean),
        Field::new("score", Kind::Number),
        Field::new("class", Kind::Text),
    ];
    let ids: Texts = ids.iter().collect();
    let unexpected: Vec<bool> = verdicts.iter().map(|v| v.unexpected).collect();
    let scores: Vec<f64> = verdicts.iter().map(|v| v.score).collect();
    let classes: Texts = verdicts.iter().map(|v| v.class.as_deref().unwrap_or_default()).collect();
    let mut writer = Writer::create(output, fields)?;
    writer.write(&[
        Cells::Text(&ids),
        Cells::Boolean(&unexpected),
        Cells::Number(&scores),
        Cells::Text(&classes),
    ])?;
    writer.finish()
}

fn show(ids: &[String], verdicts: &[Verdict]) -> std::io::Result<()> {
    let scores: Vec<f64> = verdicts.iter().map(|v| v.score).collect();
    let rows: Vec<Vec<String>> = likewise::decide::ranking(&scores)
        .into_iter()
        .take(SHOWN)
        .map(|row| {
            let verdict = &verdicts[row];
            let mark = if verdict.unexpected { "yes" } else { "no" };
            vec![
                ids[row].clone(),
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
