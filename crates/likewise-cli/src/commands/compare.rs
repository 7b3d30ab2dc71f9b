//! `likewise compare`: several methods on one problem.

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use likewise::comparison::{Compared, compare};
use likewise::data::{Data, Kind, PuData};
use likewise::features::Features;
use likewise::figures::{count, share_of};
use likewise::methods::margin::supervised::Supervised;
use likewise::methods::{self, Entry, Method, Parameters};
use likewise::prior;
use likewise::problem::Problem;
use likewise::truth::Truth;
use likewise::{Error, Run};

use crate::arguments::{ReadArguments, RunArguments, WordArguments};
use crate::memory::Peak;
use crate::problem::ProblemArguments;
use crate::reading::{self, Wanted};
use crate::terminal::{self, Align, print_table, score};

/// Run several methods on the same problem and print one table
///
/// Without the truth: how many each finds, how long it takes, how much memory, and what positives hidden in the
/// pile say of it. With --truth also precision, recall, F1 and average precision.
#[derive(Args)]
pub struct Compare {
    #[command(flatten)]
    problem: ProblemArguments,
    /// Which methods; `all` takes every one that reads the data [default: a good dozen]
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',')]
    methods: Option<Vec<String>>,
    /// The truth, such as truth.jsonl of `simulate`; rows are matched by id
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Column of the truth
    #[arg(long, value_name = "COL", default_value = "positive", requires = "truth")]
    truth_label: String,
    /// Value of that column which means positive
    #[arg(long, value_name = "VALUE", default_value = "true", requires = "truth")]
    truth_positive: String,
    /// Into how many folds the positives are dealt to be hidden; 0 leaves the estimates out and is faster
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    words: WordArguments,
    #[command(flatten)]
    run: RunArguments,
}

/// One of each idea.
const USUAL: &[&str] = &[
    "auto",
    "pseudo-smooth",
    "logistic",
    "bagging",
    "elkan-noto",
    "nnpu",
    "roc-svm",
    "spy-svm",
    "svmc",
    "ocsvm",
    "knn-novelty",
    "lp-pul",
    "nmfpul",
    "spy-em",
    "nb",
    "prototype",
];

/// One line of the answer.
struct Line {
    method: &'static str,
    outcome: Result<(Compared, Option<u64>), Error>,
}

impl Compare {
    pub fn run(&self) -> anyhow::Result<()> {
        let run = terminal::start(&self.run)?;
        let problem = self.problem.problem(&run, self.run.quiet)?;
        terminal::print_notes(&problem.notes, self.run.quiet);
        let mut rows = Rows { compare: self, problem: &problem, run: &run, made: Vec::new() };
        let kind = rows.of("logistic")?.x.kind();
        let entries = self.entries(kind)?;
        let truth = self.truth(&problem, &run)?;
        let of_pile: Option<Vec<bool>> =
            truth.as_ref().map(|truth| problem.pile().into_iter().map(|row| truth[row]).collect());
        let prior = self.prior(&problem, &run)?;
        let mut lines = Vec::new();
        for entry in entries {
            let method = entry.spec().name;
            let mut train = rows.of(method)?;
            if let Some(truth) = truth.as_ref().filter(|_| method == Supervised::SPEC.name) {
                train = train.with_truth(truth.clone())?;
            }
            let peak = Peak::start();
            let outcome =
                compare(entry, &Parameters::new(), &train, prior, self.folds, of_pile.as_deref(), &run);
            if matches!(outcome, Err(Error::Cancelled)) {
                return Err(Error::Cancelled.into());
            }
            lines.push(Line { method, outcome: outcome.map(|compared| (compared, peak.bytes())) });
        }
        if self.json {
            let rows: Vec<_> = lines.iter().map(json).collect::<anyhow::Result<_>>()?;
            writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&rows)?)?;
        } else {
            show(&lines, truth.is_some())?;
            self.say_what_it_rests_on(&problem, prior);
        }
        for Line { method, outcome } in &lines {
            if let Err(error) = outcome {
                terminal::say(&format!("{method} gave no answer: {error}"), self.run.quiet);
            }
        }
        match lines.iter().any(|line| line.outcome.is_ok()) {
            true => Ok(()),
            false => Err(anyhow!("no method gave an answer")),
        }
    }

    fn say_what_it_rests_on(&self, problem: &Problem, prior: Option<f64>) {
        let pile = problem.pile().len();
        let said = match prior {
            Some(prior) => format!(
                "\nAbout {} of the {} rows are believed positive; recall, precision and F1 marked ~ rest on that and on hidden examples.",
                share_of(prior, pile),
                count(pile)
            ),
            None if self.folds < 2 => return,
            None => {
                "\nOne example cannot be hidden while another teaches, so nothing is marked ~; give more."
                    .into()
            }
        };
        terminal::say(&said, self.run.quiet);
    }

    fn entries(&self, kind: Kind) -> anyhow::Result<Vec<&'static dyn Entry>> {
        let takes = |entry: &&'static dyn Entry| entry.spec().inputs.contains(&kind);
        let possible =
            |entry: &&'static dyn Entry| self.truth.is_some() || entry.spec().name != Supervised::SPEC.name;
        Ok(match &self.methods {
            Some(names) if names.iter().any(|name| name == "all") => {
                methods::all().iter().copied().filter(takes).filter(possible).collect()
            }
            Some(names) => names.iter().map(|name| methods::find(name)).collect::<Result<_, _>>()?,
            None => USUAL.iter().filter_map(|name| methods::find(name).ok()).filter(takes).collect(),
        })
    }

    /// Whether each row is positive in truth.
    fn truth(&self, problem: &Problem, run: &Run) -> anyhow::Result<Option<Vec<bool>>> {
        let Some(path) = &self.truth else { return Ok(None) };
        let wanted = Wanted::named([self.truth_label.as_str()], None);
        let path = std::slice::from_ref(path);
        let table =
            reading::table(path, &ReadArguments::default(), &wanted, |_| Ok(()), run, self.run.quiet)?;
        let truth = Truth::of_label(&table, None, &self.truth_label, &[&self.truth_positive])?;
        Ok(Some(truth.of_problem(problem)?))
    }

    /// Needed for the estimates only.
    fn prior(&self, problem: &Problem, run: &Run) -> anyhow::Result<Option<f64>> {
        let few = problem.positive.iter().filter(|positive| **positive).count() < 2;
        if self.folds < 2 || few {
            return Ok(None);
        }
        let options = prior::Options::without_intervals();
        Ok(Some(problem.prior(&self.words.options()?, &options, run)?.prior()))
    }
}

/// The rows under each kind of weights, made once.
struct Rows<'a> {
    compare: &'a Compare,
    problem: &'a Problem,
    run: &'a Run,
    made: Vec<(methods::Spec, Data)>,
}

impl Rows<'_> {
    fn of(&mut self, method: &str) -> anyhow::Result<PuData> {
        let spec = methods::find(method)?.spec();
        let known =
            |made: &(methods::Spec, Data)| made.0.weights == spec.weights && made.0.inputs == spec.inputs;
        let x = match self.made.iter().find(|made| known(made)) {
            Some((_, x)) => x.clone(),
            None => {
                let words = self.compare.words.options()?;
                let (_, x, _) =
                    Features::fit(&self.problem.table, &self.problem.input, &words, &spec, self.run)?;
                self.made.push((spec, x.clone()));
                x
            }
        };
        Ok(PuData::new(x, self.problem.positive.clone())?)
    }
}

fn json(line: &Line) -> anyhow::Result<serde_json::Value> {
    Ok(match &line.outcome {
        Ok((compared, bytes)) => {
            let mut value = serde_json::to_value(compared)?;
            value["memory_bytes"] = serde_json::to_value(bytes)?;
            value
        }
        Err(error) => serde_json::json!({ "method": line.method, "error": error.to_string() }),
    })
}

fn show(lines: &[Line], with_truth: bool) -> std::io::Result<()> {
    let right = Align::Right;
    let mut head = vec![
        ("method", Align::Left),
        ("seconds", right),
        ("MiB", right),
        ("found", right),
        ("PU-AUC", right),
        ("~recall", right),
        ("~precision", right),
        ("~F1", right),
    ];
    if with_truth {
        head.extend([("precision", right), ("recall", right), ("F1", right), ("avg. precision", right)]);
    }
    let estimate = |value: Option<f64>| value.map_or("-".to_string(), score);
    let rows: Vec<Vec<String>> = (lines.iter())
        .map(|line| {
            let Ok((c, bytes)) = &line.outcome else {
                return std::iter::once(line.method.to_string())
                    .chain(std::iter::repeat_n("-".to_string(), head.len() - 1))
                    .collect();
            };
            let memory = bytes.map_or("-".into(), |bytes| count((bytes >> 20) as usize));
            let mut row = vec![line.method.to_string(), format!("{:.3}", c.seconds), memory, count(c.found)];
            row.extend([c.pu_auc, c.estimated_recall, c.estimated_precision, c.estimated_f1].map(estimate));
            if let Some(truth) = &c.truth {
                row.extend([truth.precision, truth.recall, truth.f1, truth.average_precision].map(score));
            }
            row
        })
        .collect();
    print_table(&head, &rows)
}
