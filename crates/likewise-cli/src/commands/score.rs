//! `likewise score`: new rows under a kept model, batch by batch.

pub mod parts;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use likewise::Run;
use likewise::data::Table;
use likewise::drift::share::Share;
use likewise::features::Features;
use likewise::questions::score::{Score as Question, Scored};
use likewise::trained::Trained;
use likewise_io::{Cells, Field, Output, Outputs, Writer};

use crate::answer;
use crate::arguments::{DatabaseArguments, ReadArguments, RunArguments, Usage, WriteArguments, names};
use crate::beside::{self, Beside};
use crate::embedding::EmbeddingArguments;
use crate::files::{Files, expand};
use crate::kept::{KeepArguments, Kept, as_kind};
use crate::reading::{self, Wanted};
use crate::terminal::{self, say};
use parts::{Shard, is_folder};

/// Score new rows with a kept model
///
/// Rows are read and written in batches, so memory does not grow with the file. They come out in their order.
#[derive(Args)]
pub struct Score {
    /// A model kept by `find --model`
    model: PathBuf,
    /// The rows to score; `-` is standard input; with --database also a table or a SELECT; may be repeated
    #[arg(long = "in", value_name = "FILE", required_unless_present = "database")]
    rows: Vec<PathBuf>,
    /// Text column of the database to score, for a model of words
    #[arg(long, value_name = "TABLE.COL", requires = "database")]
    text: Option<String>,
    /// More rows to score, so that `--in in/*.parquet` may be what a shell makes of it
    #[arg(value_name = "FILE", requires = "rows", hide = true)]
    more: Vec<PathBuf>,
    /// .jsonl, .csv, .tsv or .parquet; `-` is standard output as JSON lines. A folder (`out/`) gets a file for each of
    /// the input, of the same name; one that is there already is kept, so that a run that was stopped goes on
    #[arg(long, short, value_name = "FILE|FOLDER/", default_value = "-")]
    output: PathBuf,
    /// Score only each 16th file of the input, from the third on, for a folder to write; others do the rest
    #[arg(long, value_name = "3/16", requires = "output")]
    shard: Option<Shard>,
    /// Place the cut for the share of positives that these rows are believed to have, instead of where the model has it;
    /// files are read twice
    #[arg(long, conflicts_with_all = ["database", "shard"])]
    recut: bool,
    /// Say how probable each row is, with the range that the share of positives leaves open; with --recut for the share
    /// that these rows are believed to have
    #[arg(long)]
    probabilities: bool,
    /// Write as JSON how these rows compare with those that were learned from: share of positives, words known, scores
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepArguments,
    #[command(flatten)]
    write: WriteArguments,
    /// What to call a row [default: id, else the row number, counted from 1]
    #[arg(long, value_name = "COL")]
    id: Option<String>,
    /// A .npy file with the vectors of the rows of --in, for a model of vectors
    #[arg(long, value_name = "FILE.npy", conflicts_with = "database")]
    vectors: Option<PathBuf>,
    #[command(flatten)]
    embedding: EmbeddingArguments,
    #[command(flatten)]
    database: DatabaseArguments,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    run: RunArguments,
}

impl Score {
    pub fn run(&self) -> anyhow::Result<()> {
        let folder = is_folder(&self.output);
        if self.shard.is_some() && !folder {
            return Err(Usage(
                "--shard shares files out; name a folder to write them to: --output out/".into(),
            )
            .into());
        }
        if folder && self.vectors.is_some() {
            return Err(Usage(
                "--vectors stands beside the rows of one answer; name a file to write, or keep the vectors in a column of --in"
                    .into(),
            )
            .into());
        }
        if folder && self.database.is_given() {
            return Err(Usage("--output: the rows of a database go to one file; name it".into()).into());
        }
        // A name without an ending may be meant as a folder that is not there yet.
        let unclear = |error: likewise_io::Error| match self.output.extension() {
            None => {
                let name = self.output.display();
                Usage(format!("{error}; a folder with a file for each of the input is `{name}/`")).into()
            }
            Some(_) => anyhow::Error::from(error),
        };
        let output = if folder { None } else { Some(self.write.output(&self.output).map_err(unclear)?) };
        let kept = self.keep.kept(&answer::fields_of_scored(self.probabilities))?;
        let run = terminal::start(&self.run)?;
        let files = Files::default().read(&self.rows).read(&self.more).read([&self.model]);
        let files = files.read(&self.embedding.embed);
        let written = if folder { None } else { Some(self.output.clone()) };
        files.written("--output", written.clone()).written("--summary", self.summary.clone()).check()?;
        if self.recut && self.rows.iter().chain(&self.more).any(|path| path == Path::new("-")) {
            let message = "--recut reads the rows twice; give files instead of standard input";
            return Err(Usage(message.into()).into());
        }
        let trained = self.embedding.load(&self.model)?;
        if written.is_some_and(|path| path.as_os_str() == "-") && std::io::stdout().is_terminal() {
            // Rows scroll by where the bar would be.
            terminal::clear_bar();
        }
        let Some(output) = output else { return self.score_parts(&trained, &kept, &run) };
        if self.database.is_given() {
            return self.score_database(&trained, &output, &run);
        }
        let files = self.files()?;
        let mut question = self.question(&trained, &files, &run)?;
        let writer = self.score_files(&files, &output, &kept, &mut question, &run)?;
        let mut outputs = Outputs::new();
        self.write_summary(&question, &mut outputs, &run)?;
        outputs.add(writer)?;
        outputs.commit()?;
        self.say_what_was_done(&question, &run);
        Ok(())
    }

    /// The question, with the cut placed for the rows of these files where that is asked for.
    fn question<'a>(
        &'a self,
        trained: &'a Trained,
        files: &[PathBuf],
        run: &Run,
    ) -> anyhow::Result<Question<'a>> {
        let question = || self.probable(Question::new(trained, self.id.as_deref()), None);
        if !self.recut {
            return question();
        }
        let mut looking = Question::looking(trained, self.id.as_deref());
        let wanted = Wanted::of_model(trained, self.id.as_deref());
        reading::batches(files, &self.read, &wanted, "looking", run, |batch| {
            looking.batch(&batch, run)?;
            Ok(())
        })?;
        match looking.recut(run) {
            Ok(cut) => {
                let recut = Question::new(trained, self.id.as_deref()).with_cut(Some(cut));
                self.probable(recut, looking.share(run))
            }
            Err(note) => {
                let mut question = question()?;
                question.notes.push(note);
                Ok(question)
            }
        }
    }

    /// The same question, with how probable each row is where that is asked for.
    fn probable<'a>(&self, question: Question<'a>, share: Option<Share>) -> anyhow::Result<Question<'a>> {
        if self.probabilities { Ok(question.with_probabilities(share)?) } else { Ok(question) }
    }

    fn write_summary(&self, question: &Question<'_>, outputs: &mut Outputs, run: &Run) -> anyhow::Result<()> {
        let Some(path) = &self.summary else { return Ok(()) };
        let figures = serde_json::to_string_pretty(&question.summary(run))? + "\n";
        Ok(outputs.write(path, figures.as_bytes())?)
    }

    /// All files that are named, also by a pattern.
    fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        Ok(expand(self.rows.iter().chain(&self.more))?)
    }

    /// Scores the rows of some files one after the other.
    fn score_files(
        &self,
        files: &[PathBuf],
        output: &Output,
        kept: &Kept,
        question: &mut Question<'_>,
        run: &Run,
    ) -> anyhow::Result<Writer> {
        let wanted = Wanted::of_model(question.trained(), self.id.as_deref()).and(kept);
        let mut beside = self.vectors.clone().map(Beside::open).transpose()?;
        let column = beside::column_of(question.trained(), beside.is_some())?;
        let wanted = if beside.is_some() { wanted.without(&column) } else { wanted };
        let mut started: Option<(Writer, Vec<Field>)> = None;
        let warnings = reading::batches(files, &self.read, &wanted, "scoring", run, |mut batch| {
            if let Some(beside) = &mut beside {
                beside.give(&mut batch, &column)?;
            }
            let (writer, kept_fields) = match &mut started {
                Some(started) => started,
                None => {
                    let mut fields = answer::fields_of_scored(self.probabilities);
                    let kept_fields = kept.fields(&batch, self.id.as_deref(), &fields)?;
                    fields.extend_from_slice(&kept_fields);
                    started.insert((Writer::create(output, fields)?, kept_fields))
                }
            };
            let scored = question.batch(&batch, &run.without_progress())?;
            write(&scored, kept_fields, &batch, writer)
        })?;
        reading::warn(&warnings, self.run.quiet);
        beside.map_or(Ok(()), Beside::finish)?;
        match started {
            Some((writer, _)) => Ok(writer),
            None => Ok(Writer::create(output, answer::fields_of_scored(self.probabilities))?),
        }
    }

    /// Examples among related tables, or documents of a text column.
    fn score_database(&self, trained: &Trained, output: &Output, run: &Run) -> anyhow::Result<()> {
        let database = self.database.open()?.under(trained.features.schema());
        let mut question = self.probable(Question::new(trained, None), None)?;
        let scored = match (&self.text, &trained.features) {
            (Some(place), _) => {
                let found = database.documents(place, &[], &[], &names(&self.rows), run)?.read_by(trained);
                question.notes = found.notes;
                question.batch(&found.table, run)?
            }
            (None, Features::Related { target, .. }) => {
                let target = self.database.target.as_deref().unwrap_or(target);
                let found = database.examples(&self.database.request(target, &[], &[], &self.rows), run)?;
                question.notes = found.notes;
                question.related(&found.x, found.ids, run)?
            }
            (None, _) => {
                return Err(self.database.text_is_missing().into());
            }
        };
        let mut writer = Writer::create(output, answer::fields_of_scored(self.probabilities))?;
        write(&scored, &[], &Table::default(), &mut writer)?;
        let mut outputs = Outputs::new();
        self.write_summary(&question, &mut outputs, run)?;
        outputs.add(writer)?;
        outputs.commit()?;
        self.say_what_was_done(&question, run);
        Ok(())
    }

    fn say_what_was_done(&self, question: &Question<'_>, run: &Run) {
        terminal::print_notes(&question.notes, self.run.quiet);
        self.say_how_they_compare(question, run);
        say(&question.line(), self.run.quiet);
    }

    fn say_how_they_compare(&self, question: &Question<'_>, run: &Run) {
        terminal::print_notes(&question.alarms(run), self.run.quiet);
        if question.cut().is_some() {
            let line = question.comparison(run).and_then(|found| found.line());
            line.iter().for_each(|line| say(line, self.run.quiet));
        }
    }
}

fn write(scored: &Scored, kept: &[Field], rows: &Table, writer: &mut Writer) -> anyhow::Result<()> {
    let kept: Vec<_> = kept.iter().map(|field| as_kind(rows, &field.name, field.kind)).collect();
    let mut cells =
        vec![Cells::Text(&scored.ids), Cells::Number(&scored.scores), Cells::Boolean(&scored.positive)];
    let probable = answer::probability_columns(scored.probabilities.as_deref());
    cells.extend(probable.iter().map(|column| Cells::Number(column)));
    cells.extend(kept.iter().map(|column| Cells::from(column.as_ref())));
    Ok(writer.write(&cells)?)
}
