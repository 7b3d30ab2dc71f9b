//! `likewise explain`: why a row has its score.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use likewise::Run;
use likewise::data::Table;
use likewise::decide::is_positive;
use likewise::features::Features;
use likewise::problem;
use likewise::recipe::{Explanation, Trained};
use likewise_io::read;

use super::score::load;
use crate::arguments::{DatabaseArguments, ReadArguments, RunArguments, Usage};
use crate::reading::Wanted;
use crate::terminal::{self, Align, say};

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
    /// Column that holds the id [default: id, else the row number]
    #[arg(long, value_name = "COL")]
    id_column: Option<String>,
    /// How many reasons
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    top: u16,
    /// Text column of the database among which the row stands, for a model of words
    #[arg(long, value_name = "TABLE.COL", requires = "database")]
    text: Option<String>,
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
        let trained = load(&self.model)?;
        let top = usize::from(self.top);
        let Some(id) = &self.id else { return self.portray(&trained) };
        if self.rows.is_empty() && !self.database.is_given() {
            return Err(Usage("--id needs --in or --database: where does the row stand?".into()).into());
        }
        let (score, reasons) = match &trained.features {
            Features::Related { target } if self.database.is_given() => {
                let target = self.database.target.as_deref().unwrap_or(target);
                let request = self.database.request(target, &[], &[]);
                let found = self.database.open()?.example(&request, id, &run)?;
                terminal::print_notes(&found.notes, self.run.quiet);
                (trained.score_related(&found.x, &run)?[0], trained.explain_related(&found.x, 0, top)?)
            }
            _ => {
                let (table, row) = match &self.text {
                    Some(place) => self.document(place, id, &run)?,
                    None if self.database.is_given() => return Err(self.database.text_is_missing().into()),
                    None => self.row(id, &trained)?,
                };
                let table = table.select(&[row]);
                (trained.score(&table, &run)?.0[0], trained.explain(&table, 0, top, &run)?)
            }
        };
        if self.json {
            let reasons = as_json(&reasons);
            let json = serde_json::json!({ "id": id, "score": score, "positive": is_positive(score), "reasons": reasons });
            println!("{}", serde_json::to_string_pretty(&json)?);
            return Ok(());
        }
        let verdict = if is_positive(score) { "positive" } else { "not positive" };
        println!("{id}: score {}, {verdict} (method `{}`)\n", terminal::score(score), trained.method);
        if reasons.is_empty() {
            println!(
                "No reasons: the model knows no feature of this row, or method `{}` does not weigh them one by one.",
                trained.method
            );
            return Ok(());
        }
        if matches!(trained.features, Features::Related { .. }) {
            for (rule, push) in &reasons {
                println!("{push:+.3}  {}\n", rule.replace('\n', "\n        "));
            }
            return Ok(());
        }
        print(&reasons)
    }

    fn portray(&self, trained: &Trained) -> anyhow::Result<()> {
        let features = trained.portrait(self.top.into());
        if self.json {
            let json = serde_json::json!({ "method": trained.method, "features": as_json(&features) });
            println!("{}", serde_json::to_string_pretty(&json)?);
            return Ok(());
        }
        if features.is_empty() {
            let rows = match trained.features {
                Features::Related { .. } => "--database",
                _ => "--in",
            };
            println!(
                "A model of method `{}` gives no feature a weight of its own; ask about a row with {rows} and --id.",
                trained.method
            );
            return Ok(());
        }
        println!("What counts most in any row (method `{}`)\n", trained.method);
        print(&features)
    }

    /// The first row of that id, and its batch.
    fn row(&self, id: &str, trained: &Trained) -> anyhow::Result<(Table, usize)> {
        let mut before = 0;
        for source in self.read.sources(&self.rows)? {
            let wanted = Wanted::of_model(trained, self.id_column.as_deref());
            let mut batches = read(&source, &wanted.options(&self.read))?;
            for batch in &mut batches {
                let batch = batch?;
                let ids = problem::ids(&batch, self.id_column.as_deref(), before)?;
                if let Some(row) = ids.iter().position(|found| found == id) {
                    say(&format!("note: {}", batch.place(row)), self.run.quiet);
                    return Ok((batch, row));
                }
                before += batch.rows();
            }
        }
        Err(anyhow!("no row has the id `{id}`; check --id, and --id-column if ids stand in another column"))
    }

    /// The document of that key.
    fn document(&self, place: &str, id: &str, run: &Run) -> anyhow::Result<(Table, usize)> {
        let found = self.database.open()?.documents(place, &[], &[], run)?.table;
        let ids = problem::ids(&found, None, 0)?;
        let row = ids.iter().position(|known| known == id);
        let row = row.ok_or_else(|| anyhow!("no row of {place} has the key `{id}`; check --id"))?;
        Ok((found, row))
    }
}

fn as_json(reasons: &Explanation) -> Vec<serde_json::Value> {
    reasons.iter().map(|(name, push)| serde_json::json!({ "reason": name, "push": push })).collect()
}

fn print(reasons: &Explanation) -> anyhow::Result<()> {
    let side = |push: f64| if push > 0.0 { "for" } else { "against" };
    let rows: Vec<Vec<String>> = (reasons.iter())
        .map(|(name, push)| vec![format!("{push:+.3}"), side(*push).into(), name.clone()])
        .collect();
    terminal::print_table(&[("push", Align::Right), ("", Align::Left), ("reason", Align::Left)], &rows)?;
    Ok(())
}
