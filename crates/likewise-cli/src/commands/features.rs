//! `likewise features`: the paths of a model's trees as a table for any other tool.

use std::path::PathBuf;

use clap::Args;
use likewise::features::Features as Kept;
use likewise::figures::count;
use likewise_io::{CellKind, Cells, Field, Output, Writer};

use crate::arguments::{DatabaseArguments, RunArguments, Usage};
use crate::embedding::load;
use crate::files::Files;
use crate::terminal::{self, say};

/// Write the rules of a relational model as columns: 1 where an example satisfies the rule
#[derive(Args)]
pub struct Features {
    /// A model of related tables kept by `find --model`
    model: PathBuf,
    #[command(flatten)]
    database: DatabaseArguments,
    /// The examples: a file of atoms or keys, a table, or a SELECT; may be repeated
    #[arg(long = "in", value_name = "FILE")]
    rows: Vec<PathBuf>,
    /// .jsonl, .csv, .tsv or .parquet; `-` is standard output as JSON lines
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    run: RunArguments,
}

impl Features {
    pub fn run(&self) -> anyhow::Result<()> {
        let output = Output::parse(&self.output)?;
        let files = Files::default().read(&self.rows).read([&self.model]);
        files.written("--output", self.output.clone()).check()?;
        let run = terminal::start(&self.run)?;
        let trained = load(&self.model)?;
        let Kept::Related { target, schema } = &trained.features else {
            return Err(Usage(
                "only models of related tables have paths; train one with find --database".into(),
            )
            .into());
        };
        if !self.database.is_given() {
            return Err(Usage("name the tables or facts with --database".into()).into());
        }
        let target = self.database.target.as_deref().unwrap_or(target);
        let database = self.database.open()?.under(schema.as_ref());
        let found = database.examples(&self.database.request(target, &[], &[], &self.rows), &run)?;
        terminal::print_notes(&found.notes, self.run.quiet);
        let (paths, rules) = trained.path_features(&found.x, &run)?;
        terminal::clear_bar();
        let mut columns = vec![vec![0i64; paths.rows()]; paths.cols];
        for (row, path) in paths.iter_rows().enumerate() {
            path.indices.iter().for_each(|&column| columns[column as usize][row] = 1);
        }
        let mut fields = vec![Field::new("id", CellKind::Text)];
        fields.extend((1..=rules.len()).map(|path| Field::new(format!("path{path}"), CellKind::Integer)));
        let mut cells = vec![Cells::Text(&found.ids)];
        cells.extend(columns.iter().map(|column| Cells::Integer(column)));
        let mut writer = Writer::create(&output, fields)?;
        writer.write(&cells)?;
        writer.finish()?;
        for (path, rule) in rules.iter().enumerate() {
            say(&format!("path{}: {rule}", path + 1), self.run.quiet);
        }
        say(
            &format!("Wrote {} examples under {} paths.", count(paths.rows()), count(rules.len())),
            self.run.quiet,
        );
        Ok(())
    }
}
