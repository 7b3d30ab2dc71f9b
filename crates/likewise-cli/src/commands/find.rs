//! `likewise find`: rank a pile by likeness to examples.

mod sampled;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use likewise::Run;
use likewise::method::{Method, Summary};
use likewise::methods::margin::supervised::Supervised;
use likewise::questions::Problem;
use likewise::questions::find::{Find as Question, Found};
use likewise::questions::truth::Truth;
use likewise_io::Outputs;
use likewise_report::find as report;

use crate::answer;
use crate::arguments::{ReadArguments, RunArguments, SettingArguments, Usage, WordArguments, WriteArguments};
use crate::commands::sample;
use crate::kept::KeepArguments;
use crate::problem::ProblemArguments;
use crate::reading::{self, Wanted};
use crate::terminal::{self, say};
use crate::wording;

/// Rank a pile by likeness to a few examples
///
/// Positives in one file and the pile in another (--like, --in), or one table whose rows are positives where a
/// label has a value (--in, --label, --positive). Rows that point at other rows come from a database of related
/// tables or from facts (--database, --target). Without any of these it runs on a built-in sample.
#[derive(Args)]
pub struct Find {
    #[command(flatten)]
    problem: ProblemArguments,
    /// How to learn; `likewise methods` lists all [default: auto; relocc for related tables]
    #[arg(long, value_name = "NAME")]
    method: Option<String>,
    #[command(flatten)]
    settings: SettingArguments,
    /// How much the automatic choice tries [default: normal]
    #[arg(long, value_enum)]
    effort: Option<EffortArgument>,
    /// What the automatic choice chooses from, such as `logistic(c=10),pseudo-smooth,nb` or `nb+logistic` for a mean of
    /// ranks [default: a pool by the kind of data]
    #[arg(long, value_name = "NAME[,NAME]")]
    candidates: Option<String>,
    /// Let a model of the automatic choice keep its rows, so that it smooths new rows too
    #[arg(long)]
    with_graph: bool,
    #[command(flatten)]
    truth: TruthArguments,
    /// Learn from so many rows of the pile, drawn by a hash of seed and id, then rank all of it batch by batch: for
    /// piles that do not fit into memory. Files are read twice
    #[arg(long, value_name = "N", conflicts_with_all = ["database", "truth", "report"], requires = "pile")]
    sample: Option<usize>,
    /// Write only the best so many rows
    #[arg(long, value_name = "K")]
    top: Option<usize>,
    /// Where the ranking goes: .jsonl, .csv, .tsv or .parquet; `-` is standard output as JSON lines. Without it, the
    /// best 20 are shown
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep the model in this file
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Write how many there are and how sure that is as JSON; methods other than auto learn several times for it
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// Write a page that shows the answer and how sure it is
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepArguments,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    words: WordArguments,
    #[command(flatten)]
    run: RunArguments,
}

/// True labels, for `--method supervised` alone.
#[derive(Args)]
#[command(next_help_heading = "Comparison")]
struct TruthArguments {
    /// Rows with their true label, for --method supervised: the ideal that others are compared with
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Column of the truth
    #[arg(long, value_name = "COL", default_value = "positive", requires = "truth")]
    truth_label: String,
    /// Value of that column which means positive
    #[arg(long, value_name = "VALUE", default_value = "true", requires = "truth")]
    truth_positive: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum EffortArgument {
    Quick,
    Normal,
    Thorough,
}

impl Find {
    pub fn run(&self) -> anyhow::Result<()> {
        let question = self.question()?;
        let output = self.output.as_ref().map(|path| self.write.output(path)).transpose()?;
        let kept = self.keep.kept()?;
        self.check()?;
        if let Some(rows) = self.sample {
            return self.run_sampled(rows, &question, output.as_ref(), &kept);
        }
        let quiet = self.run.quiet;
        let run = terminal::start(&self.run)?;
        let problem = self.problem.problem_with(&kept, &run, quiet)?;
        let kept = match problem.table() {
            Some(table) => kept.of(table, self.problem.columns.id.as_deref())?,
            None => Vec::new(),
        };
        let truth = self.truth(&question, &run)?;
        let found = question.with_truth(&problem, truth.as_ref(), &run)?;
        terminal::print_notes(&found.notes, quiet);
        let mut outputs = Outputs::new();
        if let Some(path) = &self.model {
            outputs.write(path, &found.trained.to_bytes()?)?;
        }
        self.write_summary(found.summary.as_ref(), &mut outputs)?;
        self.write_report(&problem, &found, &mut outputs, &run)?;
        if let Some(output) = &output {
            outputs.add(answer::write(&found.ranking.best(self.top), output, &problem, &kept)?)?;
        }
        outputs.commit()?;
        if output.is_none() {
            answer::show(&found.ranking.best(self.top), &problem)?;
        }
        self.say_what_was_done(&found.lines());
        Ok(())
    }

    fn question(&self) -> anyhow::Result<Question> {
        let mut question = Question::new(self.method.as_deref(), self.problem.is_related())?;
        question.parameters = self.settings().of(question.method)?;
        question.words = self.words.options()?;
        question.certainty = self.summary.is_some() || self.report.is_some();
        Ok(question)
    }

    /// What would otherwise come to light after the work.
    fn check(&self) -> anyhow::Result<()> {
        let files = self.problem.files().read(&self.truth.truth).written("--output", self.output.clone());
        let files = files.written("--model", self.model.clone()).written("--summary", self.summary.clone());
        files.written("--report", self.report.clone()).check()?;
        Ok(())
    }

    /// The method's parameters, those with options of their own among them.
    fn settings(&self) -> SettingArguments {
        let mut settings = self.settings.clone();
        let mut set = |name: &str, value: &str| settings.settings.push((name.into(), value.into()));
        match self.effort {
            Some(EffortArgument::Quick) => set("effort", "quick"),
            Some(EffortArgument::Normal) => set("effort", "normal"),
            Some(EffortArgument::Thorough) => set("effort", "thorough"),
            None => {}
        }
        if let Some(candidates) = &self.candidates {
            set("candidates", candidates);
        }
        if self.with_graph {
            set("with_graph", "true");
        }
        settings
    }

    /// What rows are in truth, where the user says so. A method that is not the ideal must not see it.
    fn truth(&self, question: &Question, run: &Run) -> anyhow::Result<Option<Truth>> {
        let Some(path) = &self.truth.truth else { return Ok(None) };
        if question.method.spec().name != Supervised::SPEC.name {
            let message = "--truth is for --method supervised; measure an answer with `likewise evaluate`";
            return Err(Usage(message.into()).into());
        }
        let id = self.problem.columns.id.as_deref();
        let wanted = Wanted::named([self.truth.truth_label.as_str()], id);
        let (path, read) = (std::slice::from_ref(path), ReadArguments::default());
        let table = reading::table(path, &read, &wanted, |_| Ok(()), run, self.run.quiet)?;
        Ok(Some(Truth::of_label(&table, id, &self.truth.truth_label, &[&self.truth.truth_positive])?))
    }

    fn write_summary(&self, summary: Option<&Summary>, outputs: &mut Outputs) -> anyhow::Result<()> {
        let (Some(path), Some(summary)) = (&self.summary, summary) else { return Ok(()) };
        Ok(outputs.write(path, (serde_json::to_string_pretty(summary)? + "\n").as_bytes())?)
    }

    fn write_report(
        &self,
        problem: &Problem,
        found: &Found,
        outputs: &mut Outputs,
        run: &Run,
    ) -> anyhow::Result<()> {
        let (Some(path), Some(summary)) = (&self.report, &found.summary) else { return Ok(()) };
        let features = found.telling_features(problem, run)?;
        let rows = answer::report_rows(&found.ranking, problem);
        let shown = report::Found { rows: &rows, features: &features, summary, word: &wording::option };
        let html = report::page(&shown);
        Ok(outputs.write(path, html.as_bytes())?)
    }

    fn say_what_was_done(&self, lines: &[String]) {
        let quiet = self.run.quiet;
        say("", quiet);
        lines.iter().for_each(|line| say(line, quiet));
        if let Some(path) = self.output.as_ref().filter(|path| path.as_os_str() != "-") {
            say(&format!("The ranking is in {}.", path.display()), quiet);
        }
        if let Some(path) = &self.model {
            let rows = if self.problem.database.is_given() { "--database PATH" } else { "--in FILE" };
            let path = path.display();
            say(&format!("The model is in {path}: likewise score {path} {rows}"), quiet);
        }
        if self.problem.is_sample() {
            say(sample::NEXT_STEPS, quiet);
        }
    }
}
