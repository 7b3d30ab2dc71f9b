//! `likewise update`: a kept model and new marks.

use std::path::PathBuf;

use clap::Args;
use likewise::Run;
use likewise::data::Table;
use likewise::questions::update::Update as Question;
use likewise::trained::Trained;
use likewise_io::Outputs;

use crate::arguments::{ReadArguments, RunArguments, Usage};
use crate::beside::{self, Beside};
use crate::embedding::EmbeddingArguments;
use crate::files::Files;
use crate::reading::{self, Wanted};
use crate::terminal::{self, say};

/// Teach a kept model by new marks
///
/// Without --in the model is corrected: what it has learned stays, and the new marks move it, as far as they hold words
/// or columns that it knows. With --in it learns again
/// from the marks and that pile, with the settings it was learned with (method, parameters, columns, words, cut, and the
/// seed, where --seed gives no other);
/// a model does not keep its examples, so give the old files beside the new ones.
#[derive(Args)]
pub struct Update {
    /// A model kept by `find --model`; it stays as it is
    old: PathBuf,
    /// More examples of what you want; may be repeated
    #[arg(long, value_name = "FILE", required_unless_present = "unlike")]
    like: Vec<PathBuf>,
    /// Rows that are not wanted, such as those that the model has marked wrongly; may be repeated
    #[arg(long, value_name = "FILE")]
    unlike: Vec<PathBuf>,
    /// A pile to learn from again; may be repeated
    #[arg(long = "in", value_name = "FILE", requires = "like")]
    pile: Vec<PathBuf>,
    /// A .npy file with the vectors of the rows, for a model of vectors: those of --like first, then those of --unlike,
    /// then those of --in
    #[arg(long, value_name = "FILE.npy")]
    vectors: Option<PathBuf>,
    /// Keep the new model in this file
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// What to call a row [default: id, else the row number, counted from 1]
    #[arg(long, value_name = "COL")]
    id: Option<String>,
    #[command(flatten)]
    embedding: EmbeddingArguments,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    run: RunArguments,
}

impl Update {
    pub fn run(&self) -> anyhow::Result<()> {
        let quiet = self.run.quiet;
        let read = self
            .like
            .iter()
            .chain(&self.unlike)
            .chain(&self.pile)
            .chain([&self.old])
            .chain(&self.embedding.embed)
            .chain(&self.vectors);
        Files::default().read(read).written("--model", self.model.clone()).check()?;
        let run = terminal::start(&self.run)?;
        let trained = self.embedding.load(&self.old)?;
        if trained.features.columns_read().is_empty() && trained.features.schema().is_some() {
            return Err(
                Usage("a model of related tables is learned again with `likewise find`".into()).into()
            );
        }
        let mut beside = self.vectors.clone().map(Beside::open).transpose()?;
        let mut read = |files: &[PathBuf]| self.table(files, &trained, &mut beside, &run);
        let (like, unlike, pile) = (read(&self.like)?, read(&self.unlike)?, read(&self.pile)?);
        beside.map_or(Ok(()), Beside::finish)?;
        let question = Question { like, unlike, id: self.id.clone(), seed: self.run.seed };
        let (trained, notes, lines) = match pile {
            None => {
                let updated = question.correct(trained, &run)?;
                let line = updated.line();
                (updated.trained, updated.notes, vec![line])
            }
            Some(pile) => {
                let found = question.learn(&trained, pile, &run)?;
                let lines = found.lines();
                (found.trained, found.notes, lines)
            }
        };
        let (bytes, kept) = trained.to_file()?;
        terminal::print_notes(&notes, quiet);
        terminal::print_notes(&kept, quiet);
        let mut outputs = Outputs::new();
        outputs.write(&self.model, &bytes)?;
        outputs.commit()?;
        lines.iter().for_each(|line| say(line, quiet));
        let path = self.model.display();
        say(&format!("The model is in {path}: likewise score {path} --in FILE"), quiet);
        Ok(())
    }

    /// The rows of these files as the model reads them; none where there is no file.
    fn table(
        &self,
        files: &[PathBuf],
        trained: &Trained,
        beside: &mut Option<Beside>,
        run: &Run,
    ) -> anyhow::Result<Option<Table>> {
        if files.is_empty() {
            return Ok(None);
        }
        let column = beside::column_of(trained, beside.is_some())?;
        let wanted = Wanted::of_model(trained, self.id.as_deref());
        let wanted = if beside.is_some() { wanted.without(&column) } else { wanted };
        let check = |table: &Table| match &self.id {
            Some(id) => table.column(id).map(|_| ()),
            None => Ok(()),
        };
        let mut table = reading::table(files, &self.read, &wanted, check, run, self.run.quiet)?;
        if let Some(beside) = beside {
            beside.give(&mut table, &column)?;
        }
        Ok(Some(table))
    }
}
