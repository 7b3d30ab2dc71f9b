//! `likewise explain`: why a row has its score.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use likewise::Run;
use likewise::features::Features;
use likewise::note::Note;
use likewise::questions::explain::{self, Explained, Why};
use likewise::trained::Trained;
use likewise_io::read;
use serde_json::json;

use crate::arguments::{DatabaseArguments, ReadArguments, RunArguments, Usage};
use crate::beside::{self, Beside};
use crate::embedding::EmbeddingArguments;
use crate::reading::Wanted;
use crate::terminal::{self, Align, printable, say};

/// Say why a row has its score, or what a model looks for
///
/// For a word model: the words that pushed the score most, up and down. For a model of related tables: the rules that
/// the example satisfies, as clauses and as SQL. Without --id: the words or columns that count most in any row.
#[derive(Args)]
pub struct Explain {
    /// A model kept by `find --model`
    model: PathBuf,
    /// The rows among which it stands; may be repeated
    #[arg(long = "in", value_name = "FILE", requires = "id")]
    rows: Vec<PathBuf>,
    /// The id of the row
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Column that holds the id [default: id, else the row number, counted from 1]
    #[arg(long, value_name = "COL")]
    id_column: Option<String>,
    /// How many reasons
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    top: u16,
    /// Text column of the database among which the row stands, for a model of words
    #[arg(long, value_name = "TABLE.COL", requires = "database")]
    text: Option<String>,
    /// A .npy file with the vectors of the rows of --in, for a model of vectors
    #[arg(long, value_name = "FILE.npy", conflicts_with = "database")]
    vectors: Option<PathBuf>,
    #[command(flatten)]
    embedding: EmbeddingArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: DatabaseArguments,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    run: RunArguments,
}

impl Explain {
    pub fn run(&self) -> anyhow::Result<()> {
        let run = terminal::start(&self.run)?;
        let trained = self.embedding.load(&self.model)?;
        let Some(id) = &self.id else { return self.of_the_model(&trained) };
        if self.rows.is_empty() && !self.database.is_given() {
            return Err(Usage("--id needs --in or --database: where does the row stand?".into()).into());
        }
        let (explained, notes) = self.explained(&trained, id, &run)?;
        terminal::print_notes(&notes, self.run.quiet);
        if self.json {
            return terminal::print_json(&explained, &notes);
        }
        let mut out = terminal::out().lock();
        let Explained { score, positive, reasons, .. } = &explained;
        let verdict = if *positive { "positive" } else { "not positive" };
        let method = &trained.method;
        writeln!(
            out,
            "{}: score {}, {verdict} (method `{method}`)\n",
            printable(id),
            terminal::score(*score)
        )?;
        if reasons.is_empty() {
            writeln!(
                out,
                "No reasons: the model knows no feature of this row, or method `{method}` does not weigh them one by one."
            )?;
            return Ok(());
        }
        if matches!(trained.features, Features::Related { .. }) {
            for Why { reason, sql, push } in reasons {
                writeln!(out, "{push:+.3}  {}", printable(reason))?;
                sql.iter().try_for_each(|sql| writeln!(out, "        {}", printable(sql)))?;
                writeln!(out)?;
            }
            return Ok(());
        }
        drop(out);
        print(reasons)
    }

    fn explained(&self, trained: &Trained, id: &str, run: &Run) -> anyhow::Result<(Explained, Vec<Note>)> {
        let top = usize::from(self.top);
        match &trained.features {
            Features::Related { target, schema } if self.database.is_given() => {
                let target = self.database.target.as_deref().unwrap_or(target);
                let request = self.database.request(target, &[], &[], &[]);
                let found = self.database.open()?.under(schema.as_ref()).example(&request, id, run)?;
                Ok((explain::related(trained, &found.x, id.into(), top, run)?, found.notes))
            }
            _ => match &self.text {
                Some(place) => {
                    let found = self.database.open()?.documents(place, &[], &[], &[], run)?.read_by(trained);
                    let row = explain::position(&found.table, id, None, 0)?
                        .ok_or_else(|| explain::no_such_row(id))?;
                    Ok((explain::row(trained, &found.table, row, id.into(), top, run)?, found.notes))
                }
                None if self.database.is_given() => Err(self.database.text_is_missing().into()),
                None => Ok((self.of_files(trained, id, run)?, Vec::new())),
            },
        }
    }

    fn of_the_model(&self, trained: &Trained) -> anyhow::Result<()> {
        let features = explain::model(trained, self.top.into());
        let method = &trained.method;
        if self.json {
            return terminal::print_json(&json!({ "method": method, "features": features }), &[]);
        }
        let mut out = terminal::out().lock();
        if features.is_empty() {
            let rows = match trained.features {
                Features::Related { .. } => "--database",
                _ => "--in",
            };
            writeln!(
                out,
                "A model of method `{method}` gives no feature a weight of its own; ask about a row with {rows} and --id."
            )?;
            return Ok(());
        }
        writeln!(out, "What counts most in any row (method `{method}`)\n")?;
        drop(out);
        print(&features)
    }

    /// The first row of that id.
    fn of_files(&self, trained: &Trained, id: &str, run: &Run) -> anyhow::Result<Explained> {
        let mut before = 0;
        let mut beside = self.vectors.clone().map(Beside::open).transpose()?;
        let column = beside::column_of(trained, beside.is_some())?;
        for source in self.read.sources(&self.rows)? {
            let wanted = Wanted::of_model(trained, self.id_column.as_deref());
            let wanted = if beside.is_some() { wanted.without(&column) } else { wanted };
            let mut batches = read(&source, &wanted.options(&self.read))?;
            for batch in &mut batches {
                let mut batch = batch?;
                if let Some(beside) = &mut beside {
                    beside.give(&mut batch, &column)?;
                }
                if let Some(row) = explain::position(&batch, id, self.id_column.as_deref(), before)? {
                    say(&format!("note: {}", batch.place(row)), self.run.quiet);
                    let top = self.top.into();
                    return Ok(explain::row(trained, &batch, row, id.into(), top, run)?);
                }
                before += batch.rows();
            }
        }
        Err(explain::no_such_row(id).into())
    }
}

fn print(reasons: &[Why]) -> anyhow::Result<()> {
    let side = |push: f64| if push > 0.0 { "for" } else { "against" };
    let rows: Vec<Vec<String>> = (reasons.iter())
        .map(|Why { reason, push, .. }| vec![format!("{push:+.3}"), side(*push).into(), reason.clone()])
        .collect();
    terminal::print_table(&[("push", Align::Right), ("", Align::Left), ("reason", Align::Left)], &rows)?;
    Ok(())
}
