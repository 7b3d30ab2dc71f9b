//! Tables: the automatic choice with trees and without, beside what a user would take instead.
//!
//! The tables and what other programs make of them come from outside: `benches/tables.py` takes the tables
//! out of packages, deals the rows of each class and asks the peers; `LIKEWISE_TABLES` names the folder. 20 or 100 rows of
//! the class are labelled, all others are the pile, and average precision over the pile is measured. At least a third of the
//! class stays in the pile.

use std::collections::BTreeMap;
use std::path::PathBuf;

use likewise::data::Table;
use likewise::measure::average_precision;
use likewise::method::Parameters;
use likewise::prelude::{ColumnChoice, Find, Problem};
use likewise_io::{ReadOptions, Source, read_all};
use serde::{Deserialize, Serialize};

use crate::collection::cells as column;
use crate::error::{Error, Result};
use crate::lab::Lab;
use crate::paper::{Cell, Claim, Numbers, Paper, PaperTable, mean_and_sd};

const METRIC: &str = "average precision";
const LABELLED: [usize; 2] = [20, 100];
const MEAN: &str = "mean";
/// What the automatic choice chose from before there were trees.
const BEFORE: &str = "pseudo-smooth+logistic(c=10)+nearest-mean,pseudo-smooth,pseudo,logistic,logistic(c=10),bagging,\
                      nearest-mean,logistic(c=100),pseudo+nearest-mean,pseudo+logistic+nearest-mean";
const AUTO: &str = "auto";
const NO_TREES: &str = "auto, no trees";
const OURS: [(&str, &str); 3] = [(AUTO, "auto"), (NO_TREES, "auto"), ("forest", "forest")];
/// The columns that say which rows are of the class, and in which order they are labelled in each draw.
const WANTED: &str = "wanted";
const ORDER: &str = "order";
const GAIN: f64 = 0.01;
const MOST_LOSS: f64 = 0.03;

pub const PAPER: Paper = Paper {
    name: "tables",
    title: "Tables: the automatic choice with trees, beside forests and detectors of others",
    tables: &[table("20", "20 rows labelled"), table("100", "100 rows labelled")],
    claims: &[
        Claim {
            text: "trees add at least .01 in the mean of all tables",
            holds: |numbers| Some(mean(&gains(numbers)?) >= GAIN),
        },
        Claim {
            text: "no table loses more than .03 by them",
            holds: |numbers| Some(gains(numbers)?.into_iter().all(|gain| gain >= -MOST_LOSS)),
        },
        Claim {
            text: "the automatic choice is ahead of every peer in the mean of all tables",
            holds: |numbers| {
                let ours = mean(&column_of(numbers, AUTO));
                let peers = peers_of(numbers);
                (!peers.is_empty() && ours > 0.0)
                    .then(|| peers.iter().all(|peer| ours > mean(&column_of(numbers, peer))))
            },
        },
    ],
    findings: &[],
    missing: &[],
    reproduce,
};

const fn table(name: &'static str, title: &'static str) -> PaperTable {
    let note = "Average precision over the pile. Peers have one column a level and the mean for what is missing; \
                forests score a row by the trees that did not learn from it, detectors learn the labelled rows alone.";
    PaperTable { name, title, note, digits: 3, axis: None }
}

/// Of each table and number of labelled rows, in one order.
fn column_of(numbers: &Numbers<'_>, contestant: &str) -> Vec<f64> {
    let own = |cell: &&Cell| cell.column == contestant && cell.row != MEAN;
    numbers.0.iter().filter(own).map(|cell| cell.value).collect()
}

fn gains(numbers: &Numbers<'_>) -> Option<Vec<f64>> {
    let (with, without) = (column_of(numbers, AUTO), column_of(numbers, NO_TREES));
    let comparable = !with.is_empty() && with.len() == without.len();
    comparable.then(|| with.iter().zip(without).map(|(with, without)| with - without).collect())
}

fn peers_of(numbers: &Numbers<'_>) -> Vec<String> {
    let mut peers: Vec<String> = Vec::new();
    for cell in numbers.0 {
        if OURS.iter().all(|(name, _)| *name != cell.column) && !peers.contains(&cell.column) {
            peers.push(cell.column.clone());
        }
    }
    peers
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The folder of the tables, where somebody names it.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("LIKEWISE_TABLES").map(PathBuf::from)
}

struct Set {
    name: String,
    features: Table,
    wanted: Vec<bool>,
    /// The rows of the class as each draw labels them.
    draws: Vec<Vec<usize>>,
}

/// What others reach: table, labelled rows, peer, and a number for each draw.
type Peers = BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<f64>>>>;

fn read() -> Result<(Vec<Set>, Peers)> {
    let advice = "tables are needed: `python3 benches/tables.py` writes them to target/tables; name that folder in LIKEWISE_TABLES";
    let folder = folder().ok_or_else(|| likewise::Error::data(advice))?;
    let missing = |_| Error::MissingData(folder.clone());
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).map_err(missing)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "csv"));
    files.sort();
    let peers = std::fs::read(folder.join("peers.json")).map_err(missing)?;
    let peers = serde_json::from_slice(&peers)
        .map_err(|e| likewise::Error::data(format!("{}/peers.json: {e}; {advice}", folder.display())))?;
    let sets = files.into_iter().map(Set::read).collect::<Result<Vec<_>>>()?;
    Ok((sets, peers))
}

impl Set {
    fn read(path: PathBuf) -> Result<Set> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (mut features, _) = read_all(&[Source::parse(path, None)?], &ReadOptions::default())?;
        let wanted: Vec<bool> = column(&features, WANTED)?.iter().map(|cell| cell == "1").collect();
        let dealt: Vec<String> =
            features.column_names().iter().filter(|name| name.starts_with(ORDER)).cloned().collect();
        let mut draws = Vec::new();
        for name in &dealt {
            let places = column(&features, name)?;
            let mut rows: Vec<usize> = (0..wanted.len()).filter(|&row| wanted[row]).collect();
            rows.sort_by_key(|&row| places[row].parse::<usize>().unwrap_or(usize::MAX));
            draws.push(rows);
        }
        for name in dealt.iter().map(String::as_str).chain([WANTED]) {
            features = features.without_column(name);
        }
        Ok(Set { name, features, wanted, draws })
    }

    /// Whether enough of the class is left to be found.
    fn labels(&self, labelled: usize) -> bool {
        let members = self.wanted.iter().filter(|wanted| **wanted).count();
        2 * members >= 3 * labelled
    }
}

#[derive(Serialize)]
struct Work {
    table: String,
    labelled: usize,
    draw: usize,
    contestant: &'static str,
}

/// Average precision, and seconds.
#[derive(Clone, Serialize, Deserialize)]
struct Trial(f64, f64);

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let (sets, peers) = read()?;
    let trial = |work: &Work, run: &likewise::Run| {
        let run = run.with_seed(work.draw as u64);
        let set = sets.iter().find(|set| set.name == work.table).expect("every table was read");
        let mut positive = vec![false; set.wanted.len()];
        set.draws[work.draw][..work.labelled].iter().for_each(|&row| positive[row] = true);
        let choice = ColumnChoice {
            features: Some(vec!["all".into()]),
            // A peer ranks copies of labelled rows too.
            keep_positives: true,
            ..ColumnChoice::default()
        };
        let problem = Problem::of_marks(set.features.clone(), positive, None, &choice)?;
        let (_, method) = OURS.iter().find(|(name, _)| *name == work.contestant).expect("one of ours");
        let mut question = Find::new(Some(method), false)?;
        if work.contestant == NO_TREES {
            question.parameters = Parameters::from_iter([("candidates".to_string(), BEFORE.into())]);
        }
        let started = std::time::Instant::now();
        let ranking = question.ask(&problem, &run)?.ranking;
        let seconds = started.elapsed().as_secs_f64();
        // The ranking has its rows best first, so their order is what is measured.
        let scores: Vec<f64> = (0..ranking.len()).map(|rank| -(rank as f64)).collect();
        let truth: Vec<bool> = ranking.positions.iter().map(|&row| set.wanted[row]).collect();
        Ok(Trial(average_precision(&scores, &truth), seconds))
    };
    let mut work = Vec::new();
    for labelled in LABELLED {
        for set in sets.iter().filter(|set| set.labels(labelled)) {
            for draw in 0..lab.choose(1, usize::MAX).min(set.draws.len()) {
                let of = |contestant| Work { table: set.name.clone(), labelled, draw, contestant };
                work.extend(OURS.iter().map(|(contestant, _)| of(*contestant)));
            }
        }
    }
    let trials = lab.trials("tables", &work, trial)?;
    let mut cells: Vec<Cell> = Vec::new();
    for labelled in LABELLED.map(|labelled| labelled.to_string()) {
        let first = cells.len();
        for set in &sets {
            let of_set = |work: &Work| work.table == set.name && work.labelled.to_string() == labelled;
            let cell = |contestant: &str| Cell::new(PAPER.name, &labelled, &set.name, contestant, METRIC);
            for (contestant, method) in OURS {
                let found = work.iter().zip(&trials).filter(|(w, _)| of_set(w) && w.contestant == contestant);
                let found: Vec<(f64, f64)> = found.map(|(_, trial)| (trial.0, trial.1)).collect();
                cells.extend(cell(contestant).by(method, &serde_json::Map::new()).of(&found));
            }
            let others = peers.get(&set.name).and_then(|of_table| of_table.get(&labelled));
            for (peer, values) in others.into_iter().flatten() {
                let found: Vec<(f64, f64)> = values.iter().map(|value| (*value, 0.0)).collect();
                cells.extend(cell(peer).of(&found));
            }
        }
        let means = means(&cells[first..], &labelled);
        cells.extend(means);
    }
    Ok(cells)
}

/// A row that sums up the tables, one cell a contestant.
fn means(cells: &[Cell], labelled: &str) -> Vec<Cell> {
    let mut contestants: Vec<&Cell> = Vec::new();
    for cell in cells {
        if contestants.iter().all(|known| known.column != cell.column) {
            contestants.push(cell);
        }
    }
    let of = |first: &&Cell| {
        let own = cells.iter().filter(|cell| cell.column == first.column);
        let values: Vec<f64> = own.map(|cell| cell.value).collect();
        let cell = Cell::new(PAPER.name, labelled, MEAN, &first.column, METRIC);
        let (value, sd) = mean_and_sd(&values);
        Cell { value, sd, trials: values.len(), method: first.method.clone(), ..cell }
    };
    contestants.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(labelled: &str, row: &str, column: &str, value: f64) -> Cell {
        Cell::new(PAPER.name, labelled, row, column, METRIC).of(&[(value, 0.0)]).unwrap()
    }

    #[test]
    fn claims_by_hand() {
        let judged = |with: [f64; 2], peer: f64| -> Vec<Option<bool>> {
            let mut cells = Vec::new();
            for (row, with) in ["iris", "wine"].into_iter().zip(with) {
                let of = |column, value| cell("20", row, column, value);
                cells.extend([of(AUTO, with), of(NO_TREES, 0.7), of("their trees", peer)]);
            }
            cells.extend(means(&cells, "20"));
            PAPER.claims.iter().map(|claim| (claim.holds)(&Numbers(&cells))).collect()
        };
        assert_eq!(judged([0.75, 0.69], 0.71), [Some(true), Some(true), Some(true)]);
        assert_eq!(judged([0.75, 0.66], 0.71), [Some(false), Some(false), Some(false)]);
        let none: Vec<_> = PAPER.claims.iter().map(|claim| (claim.holds)(&Numbers(&[]))).collect();
        assert_eq!(none, [None, None, None]);
    }

    #[test]
    fn a_table_says_its_class_and_its_draws() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shells.csv");
        std::fs::write(&path, "c0,wanted,order0,order1\n1,1,1,0\n2,0,,\n3,1,0,1\n").unwrap();
        let set = Set::read(path).unwrap();
        assert_eq!((set.name.as_str(), &set.wanted[..]), ("shells", &[true, false, true][..]));
        assert_eq!(set.draws, [[2, 0], [0, 2]]);
        assert_eq!(set.features.column_names(), ["c0"]);
        assert!(set.labels(1) && !set.labels(2));
    }
}
