//! `likewise find`: rank a pile by likeness to examples.

use std::path::PathBuf;

use clap::Args;
use likewise::data::{Column, Table, Texts};
use likewise::decide::{is_positive, ranking};
use likewise::features::Input;
use likewise::methods;
use likewise::problem::Problem;
use likewise::recipe::{Outcome, Recipe};
use likewise_io::{Cells, Field, Kind, Output, Writer, write_atomically};

use crate::arguments::{
    ColumnArguments, ReadArguments, RunArguments, SettingArguments, Usage, WordArguments,
};
use crate::terminal::{self, Align, count, say};
use crate::{commands::sample, reading};

/// Rank a pile by likeness to a few examples
///
/// Positives in one file and the pile in another (--like, --in), or one table whose rows are positives where a
/// label has a value (--in, --label, --positive). Without any of these it runs on a built-in sample.
#[derive(Args)]
pub struct Find {
    /// Examples of what you want; may be repeated
    #[arg(long, value_name = "FILE")]
    like: Vec<PathBuf>,
    /// The rows to search; `-` is standard input; may be repeated
    #[arg(long = "in", value_name = "FILE")]
    pile: Vec<PathBuf>,
    /// Column that marks positives in --in
    #[arg(long, value_name = "COL", requires = "positive", conflicts_with = "like")]
    label: Option<String>,
    /// Value of the label that marks a positive
    #[arg(long, value_name = "VALUE", requires = "label")]
    positive: Option<String>,
    /// How to learn; `likewise methods` lists all
    #[arg(long, value_name = "NAME", default_value = methods::DEFAULT)]
    method: String,
    #[command(flatten)]
    settings: SettingArguments,
    /// Where the ranking goes: .jsonl, .csv, .tsv or .parquet; `-` is standard output as JSON lines. Without it, the
    /// best 20 are shown
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep the model in this file
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Write the text columns of the input too
    #[arg(long)]
    keep_columns: bool,
    /// Rank also rows whose content is that of a positive
    #[arg(long)]
    keep_positives: bool,
    #[command(flatten)]
    columns: ColumnArguments,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    words: WordArguments,
    #[command(flatten)]
    run: RunArguments,
}

/// How many rows a person is shown.
const SHOWN: usize = 20;

impl Find {
    pub fn run(&self) -> anyhow::Result<()> {
        let (method, parameters) = self.settings.method(&self.method)?;
        let output = self.output.as_ref().map(Output::parse).transpose()?;
        let words = self.words.options()?;
        let run = terminal::start(&self.run)?;
        let problem = self.problem(&run)?;
        terminal::print_notes(&problem.notes, self.run.quiet);
        let recipe = Recipe { method, parameters, input: problem.input.clone(), words };
        let outcome = recipe.fit(&problem.table, problem.positive.clone(), &run)?;
        terminal::print_notes(&outcome.notes, self.run.quiet);
        let answer = Answer::new(&problem, &outcome);
        if let Some(path) = &self.model {
            write_atomically(path, &outcome.trained.to_bytes()?)?;
        }
        match &output {
            Some(output) => answer.write(output, &problem, self.keep_columns)?,
            None => answer.show(&problem)?,
        }
        self.say_what_was_done(&problem, &answer, method.spec().inductive);
        Ok(())
    }

    fn is_sample(&self) -> bool {
        self.like.is_empty() && self.pile.is_empty()
    }

    fn problem(&self, run: &likewise::Run) -> anyhow::Result<Problem> {
        let choice = self.columns.choice(self.keep_positives);
        let read =
            |paths: &[PathBuf]| reading::table(paths, &self.read, &self.read.options(), run, self.run.quiet);
        if self.is_sample() {
            if self.label.is_some() {
                return Err(Usage("--label marks rows of --in, which is missing".into()).into());
            }
            return Ok(Problem::of_label(sample::table()?, sample::LABEL, sample::POSITIVE, &choice)?);
        }
        if self.pile.is_empty() {
            return Err(
                Usage("--like gives the examples; name the rows to search with --in FILE".into()).into()
            );
        }
        match (&self.label, &self.positive) {
            (Some(label), Some(positive)) => Ok(Problem::of_label(read(&self.pile)?, label, positive, &choice)?),
            _ if self.like.is_empty() => Err(Usage(
                "which rows are what you want? Give examples with --like FILE, or say which rows of --in are marked with --label COL --positive VALUE".into(),
            )
            .into()),
            _ => Ok(Problem::of_two(read(&self.like)?, read(&self.pile)?, &choice)?),
        }
    }

    fn say_what_was_done(&self, problem: &Problem, answer: &Answer, inductive: bool) {
        let labelled = problem.positive.iter().filter(|p| **p).count();
        let found = answer.positive.iter().filter(|p| **p).count();
        let quiet = self.run.quiet;
        let rows = answer.order.len();
        say(
            &format!(
                "\nLearned from {} examples with method `{}`; ranked {} rows and marked {} as positive (score 0.5 or more).",
                count(labelled),
                self.method,
                count(rows),
                count(found)
            ),
            quiet,
        );
        if let Some(path) = &self.output {
            say(&format!("The ranking is in {}.", path.display()), quiet);
        }
        if let Some(path) = &self.model {
            let note = if inductive { "" } else { " (this method ranks only the rows it was trained with)" };
            say(
                &format!(
                    "The model is in {}: likewise score {} --in FILE{note}",
                    path.display(),
                    path.display()
                ),
                quiet,
            );
        }
        if self.is_sample() {
            say(sample::NEXT_STEPS, quiet);
        }
    }
}

/// The pile, best first.
struct Answer {
    /// Rows of the problem's table.
    order: Vec<usize>,
    scores: Vec<f64>,
    positive: Vec<bool>,
}

impl Answer {
    fn new(problem: &Problem, outcome: &Outcome) -> Self {
        let pile = problem.pile();
        let of_pile: Vec<f64> = pile.iter().map(|&row| outcome.scores[row]).collect();
        let order: Vec<usize> = ranking(&of_pile).into_iter().map(|at| pile[at]).collect();
        let scores: Vec<f64> = order.iter().map(|&row| outcome.scores[row]).collect();
        let positive = scores.iter().map(|score| is_positive(*score)).collect();
        Answer { order, scores, positive }
    }

    fn write(&self, output: &Output, problem: &Problem, keep_columns: bool) -> anyhow::Result<()> {
        let kept: Vec<(String, Column)> = match &problem.input {
            Input::Text(names) if keep_columns => names
                .iter()
                .map(|name| Ok((name.clone(), problem.table.column(name)?.select(&self.order))))
                .collect::<likewise::Result<_>>()?,
            _ => Vec::new(),
        };
        let mut fields = vec![
            Field::new("rank", Kind::Integer),
            Field::new("id", Kind::Text),
            Field::new("score", Kind::Number),
            Field::new("positive", Kind::Boolean),
        ];
        let ranks: Vec<i64> = (1..=self.order.len() as i64).collect();
        let ids: Texts = self.order.iter().map(|&row| &problem.ids[row]).collect();
        let mut cells = vec![
            Cells::Integer(&ranks),
            Cells::Text(&ids),
            Cells::Number(&self.scores),
            Cells::Boolean(&self.positive),
        ];
        for (name, column) in &kept {
            let column = Cells::from(column);
            fields.push(Field::new(name, column.kind()));
            cells.push(column);
        }
        let mut writer = Writer::create(output, fields)?;
        writer.write(&cells)?;
        Ok(writer.finish()?)
    }

    fn show(&self, problem: &Problem) -> std::io::Result<()> {
        let rows: Vec<Vec<String>> = (0..self.order.len().min(SHOWN))
            .map(|at| {
                let row = self.order[at];
                let mark = if self.positive[at] { "yes" } else { "no" };
                let cells = [
                    (at + 1).to_string(),
                    problem.ids[row].clone(),
                    terminal::score(self.scores[at]),
                    mark.to_string(),
                ];
                cells.into_iter().chain([glance(&problem.table, &problem.input, row)]).collect()
            })
            .collect();
        let head = [
            ("rank", Align::Right),
            ("id", Align::Left),
            ("score", Align::Right),
            ("positive", Align::Left),
            ("", Align::Left),
        ];
        terminal::print_table(&head, &rows)
    }
}

/// A row at a glance: its text, or its first features.
fn glance(table: &Table, input: &Input, row: usize) -> String {
    let cell =
        |name: &String| table.get(name).map(|column| column.cell(row).into_owned()).unwrap_or_default();
    match input {
        Input::Text(names) => names.iter().map(cell).collect::<Vec<_>>().join(" "),
        Input::Columns(names) => {
            names.iter().map(|name| format!("{name}={}", cell(name))).collect::<Vec<_>>().join(" ")
        }
        Input::Sparse => String::new(),
    }
}
