//! `likewise rehearse`: the loop of `review`, played with known truth.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use likewise::data::Table;
use likewise::figures::{count, percent};
use likewise::questions::label;
use likewise::reading::rehearse::{Answer, Request, StopRule, rehearse};
use likewise::reading::{Pick, distinct, of_table, word_options};

use crate::arguments::{ColumnArguments, ReadArguments, RunArguments};
use crate::files::Files;
use crate::reading::{self, Wanted};
use crate::terminal;

/// Play a reading with known truth: how many marks, how much is found, how much work is saved
///
/// A reader who never errs starts from a few examples, reads what the learner puts first and marks it, until the rule
/// says stop. Equal rows are read once.
#[derive(Args)]
pub struct Rehearse {
    /// Labelled rows; may be repeated
    #[arg(long = "in", value_name = "FILE", required = true)]
    input: Vec<PathBuf>,
    /// Column that holds the label
    #[arg(long, value_name = "COL")]
    label: String,
    /// Value of the label that is wanted
    #[arg(long, value_name = "VALUE")]
    positive: String,
    /// How many wanted rows the reader knows at the start
    #[arg(long, value_name = "N", default_value_t = 10)]
    examples: usize,
    /// When to stop
    #[arg(long, value_enum, default_value = "proved")]
    rule: RuleArgument,
    /// For in-a-row: so many unwanted rows
    #[arg(long, value_name = "N", default_value_t = 50)]
    row: usize,
    /// Share of the wanted rows to find
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    target: f64,
    /// Chance that the rule may stop too early
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    alpha: f64,
    /// Stop at so many marks in any case, examples not counted
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Which rows come next
    #[arg(long, value_enum, default_value = "best")]
    next: NextArgument,
    /// Print JSON, with the curve of finds
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    columns: ColumnArguments,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum RuleArgument {
    /// Random checks prove the target
    Proved,
    /// The p value of Callaghan & Müller-Hansen
    Buscar,
    /// So many unwanted rows in a row
    InARow,
    /// A knee in the curve of finds
    Knee,
    /// A random sample of wanted rows, met by reading
    Qbcb,
    /// Only --most stops
    Never,
}

#[derive(Clone, Copy, ValueEnum)]
enum NextArgument {
    Best,
    /// Every second row from the learner's boundary
    Uncertain,
    /// Best, without near copies
    Diverse,
}

impl Rehearse {
    pub fn run(&self) -> anyhow::Result<()> {
        Files::default().read(&self.input).check()?;
        let request = self.request();
        let run = terminal::start(&self.run)?;
        let choice = self.columns.choice(true)?;
        let check = |table: &Table| choice.check(table, Some(&self.label));
        let table = reading::table(
            &self.input,
            &self.read,
            &Wanted::of(&choice, Some(&self.label)),
            check,
            &run,
            self.run.quiet,
        )?;
        let truth = label::marked(&table, &self.label, std::slice::from_ref(&self.positive))?;
        let (_, x, notes) =
            of_table(&table, &choice.input(&table, Some(&self.label))?, &word_options(), &run)?;
        terminal::print_notes(&notes, self.run.quiet);
        let once = distinct(&x);
        let truth: Vec<bool> = once.iter().map(|&row| truth[row]).collect();
        let mut answer = rehearse(Arc::new(x.select(&once)), &truth, &request, &run)?;
        answer.examples.iter_mut().for_each(|row| *row = once[*row]);
        if self.json {
            writeln!(terminal::out(), "{}", serde_json::to_string(&answer)?)?;
            return Ok(());
        }
        Ok(self.show(&answer)?)
    }

    fn request(&self) -> Request {
        Request {
            rule: match self.rule {
                RuleArgument::Proved => StopRule::Proved,
                RuleArgument::Buscar => StopRule::Buscar,
                RuleArgument::InARow => StopRule::InARow(self.row),
                RuleArgument::Knee => StopRule::Knee,
                RuleArgument::Qbcb => StopRule::Qbcb,
                RuleArgument::Never => StopRule::Never,
            },
            target: self.target,
            alpha: self.alpha,
            examples: self.examples,
            most: self.most,
            pick: match self.next {
                NextArgument::Best => Pick::Best,
                NextArgument::Uncertain => Pick::Uncertain,
                NextArgument::Diverse => Pick::Diverse,
            },
            ..Request::default()
        }
    }

    fn show(&self, answer: &Answer) -> std::io::Result<()> {
        let mut out = terminal::out().lock();
        let share = |marks: f64| percent(marks / answer.rows as f64);
        writeln!(
            out,
            "{} of {} distinct rows are wanted; {} of them were known at the start.",
            count(answer.wanted),
            count(answer.rows),
            count(answer.examples.len())
        )?;
        let checks = match answer.checks {
            0 => String::new(),
            checks => format!(", {} of them at random", count(checks)),
        };
        writeln!(
            out,
            "Stopped after {} marks{checks}: {} of the rows.",
            count(answer.marks),
            share(answer.marks as f64)
        )?;
        let reached = if answer.reached { "reached" } else { "missed" };
        writeln!(
            out,
            "Found {}: recall {:.1} %, the target of {} is {reached}.",
            count(answer.found),
            100.0 * answer.recall,
            percent(self.target)
        )?;
        if let Some(low) = answer.recall_low {
            writeln!(
                out,
                "Proved: recall at least {:.1} % ({} sure).",
                100.0 * low,
                percent(1.0 - self.alpha)
            )?;
        }
        writeln!(
            out,
            "In random order as many take about {} marks: {} of that work is saved.",
            count(answer.random.round() as usize),
            percent((1.0 - answer.marks as f64 / answer.random).max(0.0))
        )?;
        match answer.ideal {
            Some(ideal) => writeln!(
                out,
                "Had one known when to stop, reading best first reaches the target after {} marks; these are {:.1} times as many.",
                count(ideal),
                answer.marks as f64 / ideal as f64
            ),
            None => writeln!(out, "Reading best first did not reach the target within these marks."),
        }
    }
}
