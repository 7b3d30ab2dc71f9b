//! `likewise score`: new rows under a kept model, batch by batch.

use std::path::PathBuf;

use clap::Args;
use likewise::data::{Table, Texts};
use likewise::features::Features;
use likewise::questions::score::{Score as Question, Scored};
use likewise::trained::Trained;
use likewise_io::{Cells, Field, Kind, Output, Writer, read};

use crate::answer::check_kept;
use crate::arguments::{DatabaseArguments, ReadArguments, RunArguments, names};
use crate::files::Files;
use crate::reading;
use crate::terminal::{self, say};

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
    /// .jsonl, .csv, .tsv or .parquet; `-` is standard output as JSON lines
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write the columns that the model reads too
    #[arg(long)]
    keep_columns: bool,
    /// What to call a row [default: id, else the row number, counted from 1]
    #[arg(long, value_name = "COL")]
    id: Option<String>,
    #[command(flatten)]
    database: DatabaseArguments,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    run: RunArguments,
}

impl Score {
    pub fn run(&self) -> anyhow::Result<()> {
        let output = Output::parse(&self.output)?;
        let run = terminal::start(&self.run)?;
        let files = Files::default().read(&self.rows).read([&self.model]);
        files.written("--output", self.output.clone()).check()?;
        let trained = load(&self.model)?;
        check_kept(&self.kept(&trained))?;
        if self.database.is_given() {
            return self.score_database(&trained, &output, &run);
        }
        let sources = self.read.sources(&self.rows)?;
        let mut question = Question::new(&trained, self.id.as_deref());
        let mut writer = None;
        for source in sources {
            let mut batches = read(&source, &self.read.options())?;
            while let Some(batch) = batches.next() {
                let batch = batch?;
                let writer = match &mut writer {
                    Some(writer) => writer,
                    None => writer.insert(Writer::create(&output, self.fields(&trained, &batch)?)?),
                };
                let scored = question.batch(&batch, &run)?;
                self.write(&scored, Some(&batch), &trained, writer)?;
                let (done, total) = batches.progress().unwrap_or((0, 1));
                run.step("scoring", done, total)?;
            }
            reading::warn(batches.warnings(), self.run.quiet);
        }
        let writer = match writer {
            Some(writer) => writer,
            None => Writer::create(&output, self.fields(&trained, &Table::default())?)?,
        };
        writer.finish()?;
        self.say_what_was_done(&question);
        Ok(())
    }

    /// Examples among related tables, or documents of a text column.
    fn score_database(&self, trained: &Trained, output: &Output, run: &likewise::Run) -> anyhow::Result<()> {
        let database = self.database.open()?.under(trained.features.schema());
        let mut question = Question::new(trained, None);
        let scored = match (&self.text, &trained.features) {
            (Some(place), _) => {
                let found = database.documents(place, &[], &names(&self.rows), run)?;
                question.notes = found.notes;
                question.batch(&found.table, run)?
            }
            (None, Features::Related { target, .. }) => {
                let target = self.database.target.as_deref().unwrap_or(target);
                let found = database.examples(&self.database.request(target, &[], &self.rows), run)?;
                question.notes = found.notes;
                question.related(&found.x, found.ids, run)?
            }
            (None, _) => {
                return Err(self.database.text_is_missing().into());
            }
        };
        let mut writer = Writer::create(output, self.fields(trained, &Table::default())?)?;
        self.write(&scored, None, trained, &mut writer)?;
        writer.finish()?;
        self.say_what_was_done(&question);
        Ok(())
    }

    fn say_what_was_done(&self, question: &Question<'_>) {
        terminal::print_notes(&question.notes, self.run.quiet);
        say(&question.line(), self.run.quiet);
    }

    fn kept(&self, trained: &Trained) -> Vec<String> {
        if self.keep_columns && !self.database.is_given() {
            trained.features.columns_read()
        } else {
            Vec::new()
        }
    }

    fn fields(&self, trained: &Trained, first: &Table) -> likewise::Result<Vec<Field>> {
        let mut fields = vec![
            Field::new("id", Kind::Text),
            Field::new("score", Kind::Number),
            Field::new("positive", Kind::Boolean),
        ];
        for name in self.kept(trained) {
            let kind = Cells::from(first.column(&name)?).kind();
            fields.push(Field::new(name, kind));
        }
        Ok(fields)
    }

    fn write(
        &self,
        scored: &Scored,
        rows: Option<&Table>,
        trained: &Trained,
        writer: &mut Writer,
    ) -> anyhow::Result<()> {
        let ids: Texts = scored.ids.iter().collect();
        let mut cells =
            vec![Cells::Text(&ids), Cells::Number(&scored.scores), Cells::Boolean(&scored.positive)];
        if let Some(rows) = rows {
            for name in self.kept(trained) {
                cells.push(Cells::from(rows.column(&name)?));
            }
        }
        Ok(writer.write(&cells)?)
    }
}

/// A model file, or what is wrong with it.
pub fn load(path: &PathBuf) -> anyhow::Result<Trained> {
    use anyhow::Context;
    let bytes = std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Trained::from_bytes(bytes).with_context(|| path.display().to_string())
}
