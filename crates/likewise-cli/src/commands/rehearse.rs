//! `likewise rehearse`: the loop of `review`, played with known truth.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use likewise::data::Table;
use likewise::questions::rehearse::Rehearse as Rehearsal;
use likewise::reading::Pick;
use likewise::reading::rehearse::{Request, StopRule};

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
    /// Chance that the rule may stop before the target is reached: 0.05 is one time in 20 (not the alpha of `simulate`,
    /// which is a number of rows)
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
        let question = Rehearsal {
            columns: choice,
            ..Rehearsal::new(&self.label, std::slice::from_ref(&self.positive), request)
        };
        let (answer, notes) = question.ask(&table, &run)?;
        terminal::print_notes(&notes, self.run.quiet);
        let mut out = terminal::out().lock();
        if self.json {
            return terminal::print_json(&answer, &notes);
        }
        Ok(question.lines(&answer).iter().try_for_each(|line| writeln!(out, "{line}"))?)
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
}
