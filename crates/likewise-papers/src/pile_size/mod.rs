//! Does a larger pile ever hurt? Each method learns from a share of the pile and ranks the whole of it.

mod messages;

use std::sync::Arc;

use likewise::Run;
use likewise::data::{Data, PuData, Table as Documented};
use likewise::features::words::{Documents, WordOptions, Words};
use likewise::measure::average_precision;
use likewise::method::Parameters;
use likewise::registry::find;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::collection::cells as column;
use crate::error::Result;
use crate::lab::Lab;
use crate::paper::{Cell, Claim, Numbers, Paper, PaperTable};

const METRIC: &str = "average precision";
const NEWSGROUPS: &str = "newsgroups";
const SMS: &str = "sms";
const MESSAGES: &str = "messages";
const GROUPS: [&str; 3] = ["sci.space", "comp.graphics", "talk.politics.guns"];
/// The automatic choice, what it chooses from, and others that people take.
const METHODS: [&str; 9] =
    ["auto", "pseudo-smooth", "pseudo", "logistic", "bagging", "nearest-mean", "nb", "pnb", "nnpu"];
/// In percent of the pile.
const SHARES: [u32; 4] = [1, 3, 10, 100];
/// A whole pile may fall so far behind a tenth of it by chance.
const SLACK: f64 = 0.01;

pub const PAPER: Paper = Paper {
    name: "pile-size",
    title: "A larger pile never lowers the quality",
    tables: &[
        table(NEWSGROUPS, "20 Newsgroups, 100 positives, mean of three classes"),
        table(SMS, "SMS spam, 50 positives"),
        table(MESSAGES, "Generated messages, 200 positives (a million in full, 100,000 quickly)"),
    ],
    claims: &[Claim {
        text: "no method ranks worse by more than .01 when it learns from the whole pile instead of a tenth",
        holds: never_worse,
    }],
    findings: &[
        "How closely a linear model fits must follow the positives: weights that grow with the pile fit ever closer.",
        "Naive Bayes needs beliefs about words that do not depend on the number of rows either.",
    ],
    missing: &[],
    reproduce,
};

const fn table(name: &'static str, title: &'static str) -> PaperTable {
    PaperTable {
        name,
        title,
        note: "Learned from so many percent of the pile, ranked the whole pile.",
        digits: 3,
        axis: Some("percent of the pile"),
    }
}

fn never_worse(numbers: &Numbers<'_>) -> Option<bool> {
    let mut held = true;
    for table in [NEWSGROUPS, SMS, MESSAGES] {
        for method in METHODS {
            let at = |share: &str| numbers.ours(table, method, share, METRIC);
            held &= at("100")? >= at("10")? - SLACK;
        }
    }
    Some(held)
}

/// Documents and whether each is wanted.
struct WholePile<'a> {
    table: &'a Documented,
    columns: Vec<String>,
    wanted: Vec<bool>,
}

impl<'a> WholePile<'a> {
    fn new(table: &'a Documented, columns: &[&str], wanted: Vec<bool>) -> Self {
        WholePile { table, columns: columns.iter().map(|name| name.to_string()).collect(), wanted }
    }
}

#[derive(Serialize)]
struct Work {
    collection: String,
    rows: usize,
    marked: usize,
    share: u32,
    method: &'static str,
    seed: u64,
}

/// Average precision and seconds.
#[derive(Serialize, Deserialize)]
struct Trial(f64, f64);

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let draws = lab.choose(1, 3);
    let mut cells = Vec::new();
    let table = lab.data.table("20newsgroups/20news-19997.jsonl.gz")?;
    let labels = column(&table, "label")?;
    let groups: Vec<(String, WholePile)> = GROUPS
        .iter()
        .map(|group| {
            let wanted = labels.iter().map(|label| label == group).collect();
            (group.to_string(), WholePile::new(&table, &["subject", "text"], wanted))
        })
        .collect();
    cells.extend(measure(NEWSGROUPS, &groups, 100, draws, &METHODS, lab)?);
    cells.extend(sms(&METHODS, draws, lab)?);
    let generated: Vec<(String, bool)> =
        (0..lab.choose(100_000, 1_000_000)).map(|row| messages::message(row, lab.run())).collect();
    let table = Documented::from_texts("text", generated.iter().map(|(text, _)| text));
    let wanted = generated.iter().map(|(_, wanted)| *wanted).collect();
    let messages = WholePile::new(&table, &["text"], wanted);
    cells.extend(measure(MESSAGES, &[("generated".into(), messages)], 200, 1, &METHODS, lab)?);
    Ok(cells)
}

fn sms(methods: &[&'static str], draws: u64, lab: &Lab) -> Result<Vec<Cell>> {
    let table = lab.data.table("sms-spam/sms-spam.jsonl.gz")?;
    let wanted = column(&table, "label")?.iter().map(|label| label == "spam").collect();
    let rows = WholePile::new(&table, &["text"], wanted);
    measure(SMS, &[("spam".into(), rows)], 50, draws, methods, lab)
}

/// By how much each method ranks short messages better when it learns from all of the pile instead of a tenth of it.
pub fn gains_on_messages(methods: &[&'static str], draws: u64, lab: &Lab) -> Result<Vec<f64>> {
    let cells = sms(methods, draws, lab)?;
    let at = |method: &str, share| Numbers(&cells).ours(SMS, method, share, METRIC).unwrap_or(f64::NAN);
    Ok(methods.iter().map(|method| at(method, "100") - at(method, "10")).collect())
}

fn measure(
    table: &str,
    collections: &[(String, WholePile<'_>)],
    marked: usize,
    draws: u64,
    methods: &[&'static str],
    lab: &Lab,
) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    for &method in methods {
        for share in SHARES {
            let mut found = Vec::new();
            for (name, rows) in collections {
                let work: Vec<Work> = (0..draws)
                    .map(|seed| Work {
                        collection: name.clone(),
                        rows: rows.wanted.len(),
                        marked,
                        share,
                        method,
                        seed,
                    })
                    .collect();
                let trials = lab.trials("pile-size", &work, |work, run| trial(work, rows, run))?;
                found.extend(trials.iter().map(|Trial(ap, seconds)| (*ap, *seconds)));
            }
            let cell = Cell::new(PAPER.name, table, method, &share.to_string(), METRIC);
            cells.extend(cell.by(method, &Parameters::new()).of(&found));
        }
    }
    Ok(cells)
}

fn trial(work: &Work, rows: &WholePile<'_>, run: &Run) -> Result<Trial> {
    let run = run.with_seed(work.seed);
    let mut order: Vec<usize> = (0..rows.wanted.len()).collect();
    order.shuffle(&mut run.rng("pile size", 0));
    let marked: Vec<usize> =
        order.iter().copied().filter(|&row| rows.wanted[row]).take(work.marked).collect();
    let is_marked: std::collections::HashSet<usize> = marked.iter().copied().collect();
    let mut pile: Vec<usize> = order.into_iter().filter(|row| !is_marked.contains(row)).collect();
    // Anew: the first wanted rows of the old order are marked, so that its first tenth would hold hardly any and be a
    // cleaner pile than the whole.
    pile.shuffle(&mut run.rng("pile size", 1));
    let (learned, rest) = pile.split_at((pile.len() * work.share as usize).div_ceil(100));
    let documents = Documents::of(rows.table, &rows.columns, &[])?;
    let entry = find(work.method)?;
    let train: Vec<usize> = marked.iter().chain(learned).copied().collect();
    let (words, x) =
        Words::fit(documents.select(&train), &WordOptions::default(), entry.spec().weights, &run)?;
    let labels = (0..x.rows()).map(|row| row < marked.len()).collect();
    let train = PuData::new(Data::Sparse(Arc::new(x)), labels)?;
    let started = std::time::Instant::now();
    let fitted = entry.fit(&Parameters::new(), &train, &run)?;
    let seconds = started.elapsed().as_secs_f64();
    let mut scores = fitted.scores[marked.len()..].to_vec();
    if !rest.is_empty() {
        let x = words.transform(documents.select(rest), &run)?;
        scores.extend(fitted.model.score(&Data::Sparse(Arc::new(x)), &run)?);
    }
    let truth: Vec<bool> = pile.iter().map(|&row| rows.wanted[row]).collect();
    Ok(Trial(average_precision(&scores, &truth), seconds))
}
