//! `likewise find`: rank a pile by likeness to examples.

mod classes;
mod sampled;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use likewise::Run;
use likewise::codes;
use likewise::figures::count;
use likewise::method::{Method, Summary};
use likewise::methods::margin::supervised::Supervised;
use likewise::note::Note;
use likewise::questions::find::{Find as Question, Found};
use likewise::questions::read_sample;
use likewise::questions::sample::USUAL_SAMPLE;
use likewise::questions::truth::Truth;
use likewise::questions::{Content, Ends, Problem};
use likewise_io::{Memory, Outputs};
use likewise_report::find as report;

use crate::answer;
use crate::arguments::{ReadArguments, RunArguments, SettingArguments, Usage, WordArguments, WriteArguments};
use crate::beside::Beside;
use crate::commands::sample;
use crate::kept::{KeepArguments, Kept};
use crate::problem::ProblemArguments;
use crate::reading::{self, Wanted};
use crate::terminal::{self, say};
use crate::wording;

/// Rank a pile by likeness to a few examples
///
/// Positives in one file and the pile in another (--like, --in), or one table whose rows are positives where a
/// label has a value (--in, --label, --positive). Rows that point at other rows come from a database of related
/// tables or from facts (--database, --target). Without any of these it runs on a built-in sample.
///
/// Examples of several classes are ranked in one run (--like refunds=a.jsonl --like fraud=b.jsonl): a column of scores
/// for each class, and the best class beside.
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
    ends: EndArguments,
    #[command(flatten)]
    truth: TruthArguments,
    /// Learn from so many rows of the pile, drawn by a hash of seed and id, then rank all of it batch by batch: for
    /// piles that do not fit into memory. Files are read twice [default: 100000 where --memory is too little, else all]
    #[arg(long, value_name = "N", conflicts_with_all = ["database", "truth", "report", "unlike", "negative", "audit_sample"], requires = "pile")]
    sample: Option<usize>,
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
    /// Say how probable each row is, with the range that the share of positives leaves open; methods other than auto learn
    /// several times for it
    #[arg(long)]
    probabilities: bool,
    /// Write a page that shows the answer and how sure it is
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Draw N rows of the marked ones and N of the others at random, to be read: `likewise evaluate --marks` turns your
    /// answers into precision and recall
    #[arg(long, value_name = "N", requires = "audit_file", value_parser = clap::value_parser!(u32).range(1..))]
    audit_sample: Option<u32>,
    /// Where the rows to read go, with an empty column `wanted` for your yes or no
    #[arg(long, value_name = "FILE", requires = "audit_sample")]
    audit_file: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepArguments,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    words: WordArguments,
    #[command(flatten)]
    run: RunArguments,
}

/// Where the class ends.
#[derive(Args)]
#[command(next_help_heading = "Cut")]
#[group(id = "where_the_class_ends", multiple = false)]
struct EndArguments {
    /// Cut at the method's own threshold, or where positives hidden in the pile say; `likewise methods NAME` shows the
    /// method's default
    #[arg(long, value_enum)]
    cut: Option<CutArgument>,
    /// Mark as many rows as are believed to hold this share of all positives
    #[arg(long, value_name = "SHARE")]
    recall: Option<f64>,
    /// Mark as many rows as are believed to be right to this share, if the estimated number of positives holds
    #[arg(long, value_name = "SHARE")]
    precision: Option<f64>,
    /// Mark this share of the pile
    #[arg(long, value_name = "SHARE")]
    share: Option<f64>,
    /// Mark the best N rows; with --sample, write these alone, marked as the method marks them
    #[arg(long, value_name = "N")]
    top: Option<u32>,
    /// Mark rows to which the method itself gives this score or more
    #[arg(long, value_name = "SCORE")]
    threshold: Option<f64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum CutArgument {
    Natural,
    Hidden,
}

impl EndArguments {
    /// How many of the best rows were asked for.
    fn best(&self) -> Option<usize> {
        self.top.map(|top| top as usize)
    }

    fn ends(&self) -> likewise::Result<Option<Ends>> {
        let cut = self.cut.map(|cut| match cut {
            CutArgument::Natural => ("natural", None),
            CutArgument::Hidden => ("hidden", None),
        });
        let number = |name, value: Option<f64>| value.map(|value| (name, Some(value)));
        let asked = cut
            .or(number("recall", self.recall))
            .or(number("precision", self.precision))
            .or(number("share", self.share))
            .or(number("top", self.top.map(f64::from)))
            .or(number("threshold", self.threshold));
        asked.map(|(name, value)| Ends::parse(name, value)).transpose()
    }
}

/// True labels, for `--method supervised` alone.
#[derive(Args)]
#[command(next_help_heading = "Comparison")]
struct TruthArguments {
    /// Rows with their true label, for --method supervised: the ideal that others are compared with
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Column of the truth
    #[arg(long, value_name = "COL", default_value = super::TRUTH_LABEL, requires = "truth")]
    truth_label: String,
    /// Value of that column which means positive
    #[arg(long, value_name = "VALUE", default_value = super::TRUTH_POSITIVE, requires = "truth")]
    truth_positive: String,
}

fn is_too_large(error: &anyhow::Error) -> bool {
    let of_reading = error.downcast_ref::<likewise_io::Error>().map(likewise_io::Error::code);
    let code = of_reading.or_else(|| error.downcast_ref::<likewise::Error>().map(likewise::Error::code));
    code == Some(&codes::TOO_LARGE)
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
        if let Some(classes) = classes::named(&self.problem.like)? {
            return self.run_classes(&classes, &question, output.as_ref());
        }
        let own = answer::fields(self.probabilities);
        let kept = self.keep.kept(&own)?;
        if self.problem.is_related() && kept != Kept::Nothing {
            return Err(Usage("--keep-columns is for rows of one table; an answer about related tables has the keys, so join it with the database by `id`".into()).into());
        }
        self.check()?;
        let quiet = self.run.quiet;
        let run = terminal::start(&self.run)?;
        if let Some(rows) = self.sample {
            return self.run_sampled(rows, &question, output.as_ref(), &kept, &run);
        }
        let problem = match self.fitting(&question, &kept, &run) {
            Ok(problem) => problem,
            Err(error) if is_too_large(&error) && self.may_sample() => {
                let text = format!(
                    "the pile does not fit into the memory that may be used: learning from {} of its rows, drawn at random, then ranking all of it",
                    count(USUAL_SAMPLE)
                );
                terminal::print_notes(
                    &[Note::info(&codes::LARGE_PILE, text).field("rows", USUAL_SAMPLE)],
                    quiet,
                );
                let question = Question { ends: self.ends_of_sample()?, ..question };
                return self.run_sampled(USUAL_SAMPLE, &question, output.as_ref(), &kept, &run);
            }
            Err(error) => return Err(error),
        };
        let kept = match problem.table() {
            Some(table) => kept.of(table, self.problem.columns.id.as_deref(), &own)?,
            None => Vec::new(),
        };
        let truth = self.truth(&question, &run)?;
        let found = question.with_truth(&problem, truth.as_ref(), &run)?;
        terminal::clear_bar();
        terminal::print_notes(&found.notes, quiet);
        let mut outputs = Outputs::new();
        if let Some(path) = &self.model {
            let (bytes, notes) = found.trained.to_file()?;
            terminal::print_notes(&notes, quiet);
            outputs.write(path, &bytes)?;
        }
        self.write_summary(found.summary.as_ref(), &mut outputs)?;
        self.write_report(&problem, &found, &mut outputs, &run)?;
        if let Some(output) = &output {
            outputs.add(answer::write(&found.ranking, output, &problem, &kept)?)?;
        }
        if let (Some(path), Some(each)) = (&self.audit_file, self.audit_sample) {
            let drawn = read_sample::draw(&found.ranking.positive, each as usize, &run);
            let output = self.write.output(path)?;
            outputs.add(answer::write_to_read(&found.ranking, &drawn, &output, &problem)?)?;
        }
        outputs.commit()?;
        if output.is_none() {
            answer::show(&found.ranking, &problem)?;
        }
        self.say_what_was_done(&found.lines());
        Ok(())
    }

    fn question(&self) -> anyhow::Result<Question> {
        let mut question = Question::new(self.method.as_deref(), self.problem.is_related())?;
        question.parameters = self.settings().of(question.method)?;
        question.words = self.problem.words(&self.words)?;
        question.ends = if self.sample.is_some() { self.ends_of_sample()? } else { self.ends.ends()? };
        question.certainty = self.summary.is_some() || self.report.is_some();
        question.baseline = self.model.is_some();
        question.probabilities = self.probabilities;
        Ok(question)
    }

    /// The rows, where they and the work on them fit into memory.
    fn fitting(&self, question: &Question, kept: &Kept, run: &Run) -> anyhow::Result<Problem> {
        let problem = self.problem.problem_with(kept, run, self.run.quiet)?;
        if let Content::Table { table, .. } = &problem.content {
            Memory::allowed(self.problem.read.memory).check_work(table, question.work(&problem))?;
        }
        Ok(problem)
    }

    /// Where the class ends in a sample: the best N are those of the whole pile, which only the second pass knows.
    fn ends_of_sample(&self) -> anyhow::Result<Option<Ends>> {
        Ok(self.ends.ends()?.filter(|_| self.ends.top.is_none()))
    }

    /// Whether a sample of the pile could answer what is asked.
    fn may_sample(&self) -> bool {
        let problem = &self.problem;
        let marked = !problem.unlike.is_empty() || !problem.negative.is_empty();
        let once = problem.pile.iter().any(|path| path.as_os_str() == "-")
            || Beside::named(problem.columns.vectors.as_deref()).is_some();
        let of_all = self.truth.truth.is_some() || self.report.is_some() || self.audit_sample.is_some();
        !(marked || once || of_all || problem.database.is_given() || problem.is_sample())
    }

    /// What would otherwise come to light after the work.
    fn check(&self) -> anyhow::Result<()> {
        let files = self.problem.files().read(&self.truth.truth).written("--output", self.output.clone());
        let files = files.written("--model", self.model.clone()).written("--summary", self.summary.clone());
        let files = files.written("--report", self.report.clone());
        files.written("--audit-file", self.audit_file.clone()).check()?;
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
        if let Some(path) = self.model.as_ref().filter(|path| !path.is_dir()) {
            let columns = &self.problem.columns;
            let rows = match (self.problem.database.is_given(), &columns.text) {
                (true, Some(text)) => format!("--database PATH --text {}", text.join(",")),
                (true, None) => "--database PATH".to_string(),
                (false, _) => "--in FILE".to_string(),
            };
            let beside = match (&columns.embed, Beside::named(columns.vectors.as_deref())) {
                (Some(embedding), _) => format!(" --embed {}", embedding.display()),
                (None, Some(_)) => " --vectors FILE.npy".into(),
                (None, None) => String::new(),
            };
            let path = path.display();
            say(&format!("The model is in {path}: likewise score {path} {rows}{beside}"), quiet);
        }
        if let Some(path) = &self.audit_file {
            let path = path.display();
            say(
                &format!(
                    "Rows to read are in {path}: write yes or no into `wanted`, then likewise evaluate RANKING --marks {path}"
                ),
                quiet,
            );
        }
        if self.problem.is_sample() {
            say(sample::NEXT_STEPS, quiet);
        }
    }
}
