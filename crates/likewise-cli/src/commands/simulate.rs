//! `likewise simulate`: a PU problem out of labelled data.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use likewise::data::{Column, Table, Texts};
use likewise::questions::simulate::{Bias, STRENGTH, Simulate as Question, Simulation};
use likewise_io::{CellKind, Cells, Field, Output, Outputs, Writer};

use crate::arguments::{ColumnArguments, ReadArguments, RunArguments, Usage};
use crate::files::Files;
use crate::reading::{self, Wanted};
use crate::terminal::{self, say};

/// Make a problem with a known truth out of labelled data
///
/// Writes like.jsonl (the marked positives), pile.jsonl (all other rows, without their label) and truth.jsonl
/// (id and whether positive, for the rows of the pile) into a folder.
#[derive(Args)]
pub struct Simulate {
    /// Labelled rows; may be repeated
    #[arg(long = "in", value_name = "FILE", required = true)]
    input: Vec<PathBuf>,
    /// Column that holds the label
    #[arg(long, value_name = "COL")]
    label: String,
    /// Value of the label that is the class to find; may be repeated, or be a list
    #[arg(long, value_name = "VALUE[,VALUE]", required = true)]
    positive: Vec<String>,
    /// How many positives to mark
    #[arg(long, value_name = "N", default_value_t = 30)]
    labelled: usize,
    /// Mark every positive with equal probability (scar), or by something of the row (sar)
    #[arg(long, value_enum, default_value = "scar")]
    mechanism: MechanismArgument,
    /// For sar: a column of numbers, larger is likelier [default: nearness to the centre of the class]
    #[arg(long, value_name = "COL")]
    by: Option<String>,
    /// For sar: how strongly; 0 is scar [default: 2]
    #[arg(long, value_name = "X")]
    strength: Option<f64>,
    /// Keep only so many other rows in the pile, in percent of the positives left there: 50 keeps one for every two
    /// positives (not the alpha of `rehearse`, which is a chance) [default: all]
    #[arg(long, value_name = "PERCENT")]
    alpha: Option<f64>,
    /// The folder to write; it is made where it is missing
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    columns: ColumnArguments,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    run: RunArguments,
}

/// The column by which rows are called in all that is written.
const ID: &str = "id";
/// The marked positives, the other rows, and what these are.
const WRITTEN: [&str; 3] = ["like.jsonl", "pile.jsonl", "truth.jsonl"];

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum MechanismArgument {
    Scar,
    Sar,
}

impl Simulate {
    pub fn run(&self) -> anyhow::Result<()> {
        if (self.by.is_some() || self.strength.is_some()) && self.mechanism == MechanismArgument::Scar {
            let message = "--by and --strength say what a biased draw goes by; add --mechanism sar";
            return Err(Usage(message.into()).into());
        }
        let written = WRITTEN.map(|name| self.output.join(name));
        let files = written
            .iter()
            .fold(Files::default().read(&self.input), |files, path| files.written("--output", path.clone()));
        files.check_names()?;
        let run = terminal::start(&self.run)?;
        let quiet = self.run.quiet;
        let check = |table: &Table| table.column(&self.label).map(|_| ());
        let table = reading::table(&self.input, &self.read, &Wanted::to_look(), check, &run, quiet)?;
        if table.sparse.is_some() {
            return Err(Usage(
                "numbered features (svmlight, sparse ARFF) cannot be written as JSON lines; convert the file to CSV"
                    .into(),
            )
            .into());
        }
        let simulation = self.question()?.ask(&table, &run)?;
        terminal::print_notes(&simulation.notes, quiet);
        let Simulation { drawn, ids, truth, .. } = &simulation;
        std::fs::create_dir_all(&self.output)
            .map_err(|e| anyhow::anyhow!("{} cannot be made: {e}", self.output.display()))?;
        let [like, pile, truth_file] = &written;
        let mut outputs = Outputs::new();
        outputs.add(self.rows(like, &table, &simulation.like, ids, &drawn.like)?)?;
        outputs.add(self.rows(pile, &table, &simulation.pile, ids, &drawn.pile)?)?;
        let of_pile: Texts = drawn.pile.iter().map(|&row| &ids[row]).collect();
        let fields = vec![Field::new(ID, CellKind::Text), Field::new(super::TRUTH_LABEL, CellKind::Boolean)];
        let mut writer = Writer::create(&Output::parse(truth_file)?, fields)?;
        writer.write(&[Cells::Text(&of_pile), Cells::Boolean(truth)])?;
        outputs.add(writer)?;
        outputs.commit()?;
        say(&simulation.line(), quiet);
        say(
            &format!(
                "  likewise compare --like {} --in {} --truth {}{}",
                like.display(),
                pile.display(),
                truth_file.display(),
                self.columns.again()
            ),
            quiet,
        );
        Ok(())
    }

    fn question(&self) -> anyhow::Result<Question> {
        let bias = || Bias { by: self.by.clone(), strength: self.strength.unwrap_or(STRENGTH) };
        Ok(Question {
            label: self.label.clone(),
            positive: self.positive.clone(),
            labelled: self.labelled,
            bias: (self.mechanism == MechanismArgument::Sar).then(bias),
            alpha: self.alpha.map(|percent| percent / 100.0),
            columns: self.columns.choice(true)?,
        })
    }

    /// All columns, the id first; `part` holds these rows of the labelled table.
    fn rows(
        &self,
        path: &Path,
        table: &Table,
        part: &Table,
        ids: &Texts,
        rows: &[usize],
    ) -> anyhow::Result<Writer> {
        let id_column = self.columns.id.as_deref().unwrap_or(ID);
        if id_column != ID && part.get(ID).is_some() {
            return Err(Usage(format!(
                "the rows are to be called by `{id_column}`, which is written as `{ID}`, and have a column `{ID}` beside it; \
                 rename that, or leave --id out"
            ))
            .into());
        }
        let ids: Texts = rows.iter().map(|&row| &ids[row]).collect();
        let kept = part.columns().filter(|(name, _)| *name != id_column);
        let kept: Vec<(&str, &Column, Values)> = kept
            .map(|(name, column)| Ok((name, column, Values::of(table.column(name)?, column))))
            .collect::<likewise::Result<_>>()?;
        let mut fields = vec![Field::new(ID, CellKind::Text)];
        let mut cells = vec![Cells::Text(&ids)];
        for (name, column, values) in &kept {
            let values = values.cells(column);
            fields.push(Field::new(*name, values.kind()));
            cells.push(values);
        }
        let mut writer = Writer::create(&Output::parse(path)?, fields)?;
        writer.write(&cells)?;
        Ok(writer)
    }
}

/// The cells of a column as JSON has them: readers give text, whatever stood in the file.
enum Values {
    AsTheyAre,
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Truths(Vec<bool>),
}

impl Values {
    /// `all` is the whole column, by which parts of it are written alike.
    fn of(all: &Column, part: &Column) -> Values {
        let (Column::Text(all), Column::Text(part)) = (all, part) else { return Values::AsTheyAre };
        let filled = || all.iter().filter(|cell| !cell.is_empty());
        if filled().next().is_none() {
            return Values::AsTheyAre;
        }
        let whole = filled().count() == all.len();
        let is_integer = |cell: &str| cell.parse::<i64>().is_ok_and(|number| number.to_string() == cell);
        if whole && filled().all(|cell| matches!(cell, "true" | "false")) {
            return Values::Truths(part.iter().map(|cell| cell == "true").collect());
        }
        if whole && filled().all(is_integer) {
            return Values::Integers(part.iter().map(|cell| cell.parse().unwrap_or_default()).collect());
        }
        // `007` is no number of JSON, and more digits than a number can hold are a name.
        let is_number = |cell: &str| cell.len() <= 15 && serde_json::from_str::<f64>(cell).is_ok();
        if filled().all(is_number) {
            return Values::Numbers(part.iter().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect());
        }
        Values::AsTheyAre
    }

    fn cells<'a>(&'a self, column: &'a Column) -> Cells<'a> {
        match self {
            Values::AsTheyAre => column.into(),
            Values::Integers(cells) => Cells::Integer(cells),
            Values::Numbers(cells) => Cells::Number(cells),
            Values::Truths(cells) => Cells::Boolean(cells),
        }
    }
}
