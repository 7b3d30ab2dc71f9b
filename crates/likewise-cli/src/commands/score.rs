//! `likewise score`: new rows under a kept model, batch by batch.

use std::path::PathBuf;

use clap::Args;
use likewise::data::{Table, Texts};
use likewise::decide::is_positive;
use likewise::features::Features;
use likewise::figures::count;
use likewise::methods::Note;
use likewise::problem;
use likewise::recipe::Trained;
use likewise_io::{Cells, Field, Kind, Output, Writer, read};

use crate::arguments::{DatabaseArguments, ReadArguments, RunArguments, Usage, WriteArguments, names};
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
    /// What to call a row [default: id, else the row number]
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
        let output = self.write.output(&self.output)?;
        let kept = self.keep.kept()?;
        let run = terminal::start(&self.run)?;
        let files = Files::default().read(&self.rows).read([&self.model]);
        files.written("--output", self.output.clone()).check()?;
        let trained = load(&self.model)?;
        if self.database.is_given() {
            return self.score_database(&trained, &output, &run);
        }
        let sources = self.read.sources(&self.rows)?;
        let wanted = Wanted::of_model(&trained, self.id.as_deref()).and(&kept);
        let mut stream = Stream::default();
        let mut writer = None;
        for source in sources {
            let mut batches = read(&source, &wanted.options(&self.read))?;
            while let Some(batch) = batches.next() {
                let batch = batch?;
                let writer = match &mut writer {
                    Some(writer) => writer,
                    None => {
                        stream.kept = self.kept_fields(&kept, &batch)?;
                        writer.insert(Writer::create(&output, fields(&stream.kept))?)
                    }
                };
                self.write_batch(&trained, &batch, writer, &mut stream, &run)?;
                let (done, total) = batches.progress().unwrap_or((0, 1));
                run.step("scoring", done, total)?;
            }
            reading::warn(batches.warnings(), self.run.quiet);
        }
        let writer = match writer {
            Some(writer) => writer,
            None => Writer::create(&output, fields(&[]))?,
        };
        writer.finish()?;
        terminal::print_notes(&stream.notes, self.run.quiet);
        say(
            &format!("Scored {} rows, {} of them positive.", count(stream.rows), count(stream.found)),
            self.run.quiet,
        );
        Ok(())
    }

    /// Examples among related tables, or documents of a text column.
    fn score_database(&self, trained: &Trained, output: &Output, run: &likewise::Run) -> anyhow::Result<()> {
        let database = self.database.open()?;
        let (ids, scores, notes) = match (&self.text, &trained.features) {
            (Some(place), _) => {
                let found = database.documents(place, &[], &names(&self.rows), run)?;
                let (scores, notes) = trained.score(&found.table, run)?;
                let notes = [found.notes, notes].concat();
                (problem::ids(&found.table, None, 0)?, scores, notes)
            }
            (None, Features::Related { target }) => {
                let target = self.database.target.as_deref().unwrap_or(target);
                let found = database.examples(&self.database.request(target, &[], &self.rows), run)?;
                let scores = trained.score_related(&found.x, run)?;
                (found.ids, scores, found.notes)
            }
            (None, _) => {
                return Err(self.database.text_is_missing().into());
            }
        };
        terminal::print_notes(&notes, self.run.quiet);
        let ids: Texts = ids.iter().collect();
        let positive: Vec<bool> = scores.iter().map(|score| is_positive(*score)).collect();
        let mut writer = Writer::create(output, fields(&[]))?;
        writer.write(&[Cells::Text(&ids), Cells::Number(&scores), Cells::Boolean(&positive)])?;
        writer.finish()?;
        let found = positive.iter().filter(|p| **p).count();
        say(
            &format!("Scored {} rows, {} of them positive.", count(scores.len()), count(found)),
            self.run.quiet,
        );
        Ok(())
    }

    /// The columns that are kept, in the kinds that the first rows have.
    fn kept_fields(&self, kept: &Kept, first: &Table) -> anyhow::Result<Vec<Field>> {
        let names = kept.of(first, self.id.as_deref())?;
        let field = |name: String| Ok(Field::new(name.clone(), Cells::from(first.column(&name)?).kind()));
        names.into_iter().map(field).collect()
    }

    fn write_batch(
        &self,
        trained: &Trained,
        batch: &Table,
        writer: &mut Writer,
        stream: &mut Stream,
        run: &likewise::Run,
    ) -> anyhow::Result<()> {
        let (scores, notes) = trained.score(batch, run)?;
        stream.add_notes(notes);
        let ids: Texts = problem::ids(batch, self.id.as_deref(), stream.rows)?.iter().collect();
        let positive: Vec<bool> = scores.iter().map(|score| is_positive(*score)).collect();
        let kept: Vec<_> = stream.kept.iter().map(|field| as_kind(batch, &field.name, field.kind)).collect();
        let mut cells = vec![Cells::Text(&ids), Cells::Number(&scores), Cells::Boolean(&positive)];
        cells.extend(kept.iter().map(|column| Cells::from(column.as_ref())));
        writer.write(&cells)?;
        stream.rows += batch.rows();
        stream.found += positive.iter().filter(|p| **p).count();
        Ok(())
    }
}

/// What is known after the batches so far.
#[derive(Default)]
struct Stream {
    rows: usize,
    found: usize,
    notes: Vec<Note>,
    kept: Vec<Field>,
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

impl Stream {
    /// The same thing said of many batches is said once.
    fn add_notes(&mut self, notes: Vec<Note>) {
        const ENOUGH: usize = 10;
        for note in notes {
            if self.notes.len() < ENOUGH && !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
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
