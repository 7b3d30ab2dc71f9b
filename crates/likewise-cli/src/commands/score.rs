//! `likewise score`: new rows under a kept model, batch by batch.

use std::path::PathBuf;

use clap::Args;
use likewise::data::{Table, Texts};
use likewise::features::Features;
use likewise::questions::score::{Score as Question, Scored};
use likewise::trained::Trained;
use likewise_io::{Cells, Field, Kind, Output, Writer, read};

use crate::arguments::{DatabaseArguments, ReadArguments, RunArguments, Usage, WriteArguments, names};
use crate::beside::{self, Beside};
use crate::files::Files;
use crate::kept::{KeepArguments, Kept, as_kind};
use crate::reading::{self, Wanted};
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
    database: DatabaseArguments,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    run: RunArguments,
}

impl Score {
    pub fn run(&self) -> anyhow::Result<()> {
        let output = self.write.output(&self.output)?;
        let kept = self.keep.kept()?;
        let run = terminal::start(&self.run)?;
        let files = Files::default().read(&self.rows).read([&self.model]);
        files.written("--output", self.output.clone()).check()?;
        let trained = load(&self.model)?;
        let wanted = Wanted::of_model(&trained, self.id.as_deref()).and(&kept);
        if self.database.is_given() {
            return self.score_database(&trained, &output, &run);
        }
        let mut beside = self.vectors.clone().map(Beside::open).transpose()?;
        let column = beside::column_of(&trained, beside.is_some())?;
        let wanted = if beside.is_some() { wanted.without(&column) } else { wanted };
        let sources = self.read.sources(&self.rows)?;
        let mut question = Question::new(&trained, self.id.as_deref());
        let mut writer = None;
        let mut kept_fields = Vec::new();
        for source in sources {
            let mut batches = read(&source, &wanted.options(&self.read))?;
            while let Some(batch) = batches.next() {
                let mut batch = batch?;
                if let Some(beside) = &mut beside {
                    beside.give(&mut batch, &column)?;
                }
                let writer = match &mut writer {
                    Some(writer) => writer,
                    None => {
                        kept_fields = self.kept_fields(&kept, &batch)?;
                        writer.insert(Writer::create(&output, fields(&kept_fields))?)
                    }
                };
                let scored = question.batch(&batch, &run)?;
                write(&scored, &kept_fields, &batch, writer)?;
                let (done, total) = batches.progress().unwrap_or((0, 1));
                run.step("scoring", done, total)?;
            }
            reading::warn(batches.warnings(), self.run.quiet);
        }
        if let Some(beside) = beside {
            beside.finish()?;
        }
        let writer = match writer {
            Some(writer) => writer,
            None => Writer::create(&output, fields(&[]))?,
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
        let mut writer = Writer::create(output, fields(&[]))?;
        write(&scored, &[], &Table::default(), &mut writer)?;
        writer.finish()?;
        self.say_what_was_done(&question);
        Ok(())
    }

    fn say_what_was_done(&self, question: &Question<'_>) {
        terminal::print_notes(&question.notes, self.run.quiet);
        say(&question.line(), self.run.quiet);
    }

    /// The columns that are kept, in the kinds that the first rows have.
    fn kept_fields(&self, kept: &Kept, first: &Table) -> anyhow::Result<Vec<Field>> {
        let names = kept.of(first, self.id.as_deref())?;
        let field = |name: String| Ok(Field::new(name.clone(), Cells::from(first.column(&name)?).kind()));
        names.into_iter().map(field).collect()
    }
}

fn fields(kept: &[Field]) -> Vec<Field> {
    let mut fields = vec![
        Field::new("id", Kind::Text),
        Field::new("score", Kind::Number),
        Field::new("positive", Kind::Boolean),
    ];
    fields.extend_from_slice(kept);
    fields
}

fn write(scored: &Scored, kept: &[Field], rows: &Table, writer: &mut Writer) -> anyhow::Result<()> {
    let ids: Texts = scored.ids.iter().collect();
    let kept: Vec<_> = kept.iter().map(|field| as_kind(rows, &field.name, field.kind)).collect();
    let mut cells = vec![Cells::Text(&ids), Cells::Number(&scored.scores), Cells::Boolean(&scored.positive)];
    cells.extend(kept.iter().map(|column| Cells::from(column.as_ref())));
    Ok(writer.write(&cells)?)
}

/// A model file, or what is wrong with it.
pub fn load(path: &PathBuf) -> anyhow::Result<Trained> {
    use anyhow::Context;
    if path.is_dir() {
        return Err(
            Usage(format!("{} is a folder; name the file that find --model wrote", path.display())).into()
        );
    }
    let bytes = std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Trained::from_bytes(bytes).with_context(|| path.display().to_string())
}
