//! `likewise find`: rank a pile by likeness to examples.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use likewise::Run;
use likewise::data::Table;
use likewise::features::Input;
use likewise::figures::count;
use likewise::methods::automatic::auto::Auto;
use likewise::methods::margin::supervised::Supervised;
use likewise::methods::{self, Method};
use likewise::problem::Problem;
use likewise::recipe::{Recipe, Trained, fit_related};
use likewise::truth::Truth;
use likewise_io::Outputs;
use likewise_report::find::{Found, page};

use crate::answer::Answer;
use crate::arguments::{ReadArguments, RunArguments, SettingArguments, Usage, WordArguments, WriteArguments};
use crate::commands::sample;
use crate::kept::KeepArguments;
use crate::problem::ProblemArguments;
use crate::reading::{self, Wanted};
use crate::terminal::{self, say};

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
    effort: Option<Effort>,
    /// Let a model of the automatic choice keep its rows, so that it smooths new rows too
    #[arg(long)]
    with_graph: bool,
    #[command(flatten)]
    truth: TruthArguments,
    /// Where the ranking goes: .jsonl, .csv, .tsv or .parquet; `-` is standard output as JSON lines. Without it, the
    /// best 20 are shown
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep the model in this file
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Write what the automatic choice says of its answer as JSON
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
enum Effort {
    Quick,
    Normal,
    Thorough,
}

/// What ranks examples among related tables unless another method is named.
const RELATED: &str = "relocc";

/// Rows whose reasons a report adds up, and features it lists.
const EXPLAINED: usize = 100;
const FEATURES: usize = 20;

impl Find {
    pub fn run(&self) -> anyhow::Result<()> {
        let (method, parameters) = self.settings().of(methods::find(self.method())?)?;
        let output = self.output.as_ref().map(|path| self.write.output(path)).transpose()?;
        let kept = self.keep.kept()?;
        let words = self.words.options()?;
        self.check()?;
        let quiet = self.run.quiet;
        let run = terminal::start(&self.run)?;
        let mut kept_names = Vec::new();
        let (problem, outcome) = if self.problem.is_related() {
            let found = self.problem.related(&run)?;
            terminal::print_notes(&found.notes, quiet);
            let outcome = fit_related(method, &parameters, found.x, found.positive.clone(), &run)?;
            let input = Input::Columns(Vec::new());
            let (table, notes) = (Table::default(), Vec::new());
            (Problem { table, positive: found.positive, input, ids: found.ids, notes }, outcome)
        } else {
            let problem = self.problem.problem_with(&kept, &run, quiet)?;
            terminal::print_notes(&problem.notes, quiet);
            kept_names = kept.of(&problem.table, self.problem.columns.id.as_deref())?;
            let truth = self.true_labels(&problem, &run)?;
            let recipe = Recipe { method, parameters, input: problem.input.clone(), words };
            let outcome = recipe.fit_with_truth(&problem.table, problem.positive.clone(), truth, &run)?;
            (problem, outcome)
        };
        terminal::print_notes(&outcome.notes, quiet);
        let answer = Answer::new(&problem, &outcome.scores);
        let mut outputs = Outputs::new();
        if let Some(path) = &self.model {
            outputs.write(path, &outcome.trained.to_bytes()?)?;
        }
        self.write_summary(&outcome.trained, &mut outputs)?;
        self.write_report(&problem, &outcome.trained, &answer, &mut outputs, &run)?;
        if let Some(output) = &output {
            outputs.add(answer.write(output, &problem, &kept_names)?)?;
        }
        outputs.commit()?;
        if output.is_none() {
            answer.show(&problem)?;
        }
        self.say_what_was_done(&problem, &outcome.trained, &answer, method.spec().inductive);
        Ok(())
    }

    /// What would otherwise come to light after the work.
    fn check(&self) -> anyhow::Result<()> {
        let files = self.problem.files().read(&self.truth.truth).written("--output", self.output.clone());
        let files = files.written("--model", self.model.clone()).written("--summary", self.summary.clone());
        files.written("--report", self.report.clone()).check()?;
        let told = [("--summary", self.summary.is_some()), ("--report", self.report.is_some())];
        let (method, advice) = match self.problem.is_related() {
            true => (self.method(), "there is no automatic choice for related tables"),
            false => (self.method(), "use --method auto"),
        };
        match told.into_iter().find(|(_, given)| *given) {
            Some((option, _)) if method != Auto::SPEC.name => Err(Usage(format!(
                "{option} tells how sure the automatic choice is; method `{method}` does not say ({advice})"
            ))
            .into()),
            _ => Ok(()),
        }
    }

    fn method(&self) -> &str {
        let usual = if self.problem.is_related() { RELATED } else { methods::DEFAULT };
        self.method.as_deref().unwrap_or(usual)
    }

    /// The method's parameters, those with options of their own among them.
    fn settings(&self) -> SettingArguments {
        let mut settings = self.settings.clone();
        let mut set = |name: &str, value: &str| settings.settings.push((name.into(), value.into()));
        match self.effort {
            Some(Effort::Quick) => set("effort", "quick"),
            Some(Effort::Normal) => set("effort", "normal"),
            Some(Effort::Thorough) => set("effort", "thorough"),
            None => {}
        }
        if self.with_graph {
            set("with_graph", "true");
        }
        settings
    }

    /// What every row is in truth, where the user says so. A method that is not the ideal must not see it.
    fn true_labels(&self, problem: &Problem, run: &Run) -> anyhow::Result<Option<Vec<bool>>> {
        let Some(path) = &self.truth.truth else { return Ok(None) };
        if self.method() != Supervised::SPEC.name {
            let message = "--truth is for --method supervised; measure an answer with `likewise evaluate`";
            return Err(Usage(message.into()).into());
        }
        let id = self.problem.columns.id.as_deref();
        let wanted = Wanted::named([self.truth.truth_label.as_str()], id);
        let path = std::slice::from_ref(path);
        let table =
            reading::table(path, &ReadArguments::default(), &wanted, |_| Ok(()), run, self.run.quiet)?;
        let truth = Truth::of_label(&table, id, &self.truth.truth_label, &[&self.truth.truth_positive])?;
        Ok(Some(truth.of_problem(problem)?))
    }

    fn write_summary(&self, trained: &Trained, outputs: &mut Outputs) -> anyhow::Result<()> {
        let (Some(path), Some(summary)) = (&self.summary, trained.summary()) else { return Ok(()) };
        Ok(outputs.write(path, (serde_json::to_string_pretty(summary)? + "\n").as_bytes())?)
    }

    fn write_report(
        &self,
        problem: &Problem,
        trained: &Trained,
        answer: &Answer,
        outputs: &mut Outputs,
        run: &Run,
    ) -> anyhow::Result<()> {
        let (Some(path), Some(summary)) = (&self.report, trained.summary()) else { return Ok(()) };
        let telling: Vec<usize> =
            answer.order.iter().copied().take(answer.found().clamp(1, EXPLAINED)).collect();
        let features = trained.telling_features(&problem.table, &telling, FEATURES, run)?;
        let rows = answer.report_rows(problem);
        let html = page(&Found { rows: &rows, features: &features, summary });
        Ok(outputs.write(path, html.as_bytes())?)
    }

    fn say_what_was_done(&self, problem: &Problem, trained: &Trained, answer: &Answer, inductive: bool) {
        let quiet = self.run.quiet;
        say("", quiet);
        match trained.summary() {
            Some(summary) => summary.lines().iter().for_each(|line| say(line, quiet)),
            None => {
                let labelled = problem.positive.iter().filter(|p| **p).count();
                say(
                    &format!(
                        "Learned from {} examples with method `{}`; ranked {} rows and marked {} as positive (score 0.5 or more).",
                        count(labelled),
                        self.method(),
                        count(answer.order.len()),
                        count(answer.found())
                    ),
                    quiet,
                );
            }
        }
        if let Some(path) = self.output.as_ref().filter(|path| path.as_os_str() != "-") {
            say(&format!("The ranking is in {}.", path.display()), quiet);
        }
        if let Some(path) = &self.model {
            let note = if inductive { "" } else { " (this method ranks only the rows it was trained with)" };
            let rows = if self.problem.database.is_given() { "--database PATH" } else { "--in FILE" };
            let path = path.display();
            say(&format!("The model is in {path}: likewise score {path} {rows}{note}"), quiet);
        }
        if self.problem.is_sample() {
            say(sample::NEXT_STEPS, quiet);
        }
    }
}
