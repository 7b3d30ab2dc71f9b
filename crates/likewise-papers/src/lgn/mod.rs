//! Li, Liu & Ng 2007, "Learning to identify unexpected instances in the test set" (LGN): Table 1, the curves
//! over the share of unexpected documents, ten classes, and the effect of the prior.
//!
//! Known classes are the positives, the test set is the pile, and F is that of the *unexpected* documents. A
//! trial draws 70 % of each known class for training, the rest into the pile, and adds α of these as
//! unexpected documents from the other classes.

mod printed;
mod protocol;

use likewise::data::Kind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::collection::Collection;
use crate::contestants::{EVERY, contestants};
use crate::error::Result;
use crate::lab::Lab;
use crate::paper::{Cell, Claim, Numbers, Paper, PaperTable};
use protocol::{F, Known, Source, Work, trial};

const TABLE_1: &str = "table-1";
const TWO: &str = "figure-4";
const THREE: &str = "figure-5";
const TEN: &str = "ten-classes";
const LEAD: &str = "ten-classes-lead";
const PRIOR: &str = "priors";
const AVERAGE: &str = "Average";
/// The choice by hidden known classes.
const ASKED: &str = "`unexpected` by itself";

/// Shares of unexpected documents, in percent of the known ones in the pile.
const ALPHAS: [u32; 8] = [5, 10, 15, 20, 40, 60, 80, 100];
const TEN_ALPHAS: [u32; 5] = [5, 10, 15, 20, 40];

pub const PAPER: Paper = Paper {
    name: "lgn",
    title: "LGN (Li, Liu & Ng 2007): unexpected documents in the test set",
    tables: &[
        PaperTable {
            name: TABLE_1,
            title: "Table 1, two known classes, 5 % unexpected",
            note: "F in percent, of the unexpected class. Calling everything unexpected scores 9.1.",
            digits: 1,
            axis: None,
        },
        PaperTable {
            name: TWO,
            title: "Figure 4, two known classes",
            note: "The paper shows this as a drawing without numbers.",
            digits: 1,
            axis: Some("unexpected documents, % of the known ones"),
        },
        PaperTable {
            name: THREE,
            title: "Figure 5, three known classes",
            note: "The paper shows this as a drawing without numbers.",
            digits: 1,
            axis: Some("unexpected documents, % of the known ones"),
        },
        PaperTable {
            name: TEN,
            title: "Ten known classes",
            note: "",
            digits: 1,
            axis: Some("unexpected documents, % of the known ones"),
        },
        PaperTable {
            name: LEAD,
            title: "Ten known classes: F of LGN minus the best of OSVM, S-EM, Roc-SVM and PEBL",
            note: "LGN as read here: loop rounded up, last smoothing 0.1.",
            digits: 1,
            axis: None,
        },
        PaperTable {
            name: PRIOR,
            title: "Effect of the prior, negatives as a share of the positives, 5 % unexpected",
            note: "The paper says that the results differ by less than 1.",
            digits: 1,
            axis: None,
        },
        PaperTable {
            name: EVERY,
            title: "Every method on the same task",
            note: "Two known classes; the method is told nothing else.",
            digits: 1,
            axis: None,
        },
    ],
    claims: &[
        Claim {
            text: "LGN's average F at 5 % unexpected is 77.0 (within 3)",
            holds: |numbers| {
                let best = ["LGN", "LGN, rounded up, smoothing 0.1", "LGN, Equation 4 literally"]
                    .iter()
                    .filter_map(|row| numbers.find(TABLE_1, AVERAGE, row, F))
                    .map(|cell| cell.value)
                    .reduce(f64::max)?;
                Some((best - 77.0).abs() <= 3.0)
            },
        },
        Claim {
            text: "LGN leads at every share up to 60 % (two classes)",
            holds: |numbers| leads(numbers, TWO, &["5", "10", "15", "20", "40", "60"]),
        },
        Claim { text: "LGN leads at 5 % and 10 % (two classes)", holds: |n| leads(n, TWO, &["5", "10"]) },
        Claim {
            text: "Roc-SVM is above LGN at 80 % and 100 %",
            holds: |numbers| {
                let above = |alpha| {
                    Some(
                        numbers.ours(TWO, "Roc-SVM", alpha, F)?
                            > numbers.ours(TWO, "LGN, rounded up, smoothing 0.1", alpha, F)?,
                    )
                };
                Some(above("80")? && above("100")?)
            },
        },
        Claim {
            text: "PEBL finds next to nothing at 5 %",
            holds: |numbers| Some(numbers.find(TABLE_1, AVERAGE, "PEBL", F)?.value < 2.0),
        },
        Claim {
            text: "The prior changes F by less than 1",
            holds: |numbers| {
                let values: Vec<f64> =
                    numbers.0.iter().filter(|c| c.table == PRIOR).map(|c| c.value).collect();
                let low = values.iter().copied().reduce(f64::min)?;
                Some(values.iter().all(|value| value - low < 1.0))
            },
        },
    ],
    findings: &[
        "The paper's 77.0 was not reached under any reading. It lies above what naive Bayes reaches when it is trained on true negatives.",
        "Rounding the number of draws up and smoothing the last model by 0.1 is the best reading found without labels; it is the default of `lgn`.",
        "Roc-SVM, PEBL and nearly the one-class SVM agree with Table 1, so data, split and measure are those of the paper.",
        "The distance to the nearest known documents with a conformal cut (`knn-nb`) finds more than LGN at every share.",
        "`unexpected` by itself chooses by known classes that it hides. It keeps to `knn-nb` there, and changes its cut where many classes agree.",
    ],
    missing: &[],
    reproduce,
};

/// A column of Table 1 and a line of the figures.
#[derive(Clone)]
pub(crate) struct System {
    pub title: String,
    pub method: &'static str,
    pub parameters: Map<String, Value>,
    /// Whether it is the question of `likewise unexpected` that is asked, which is told the classes.
    pub asked: bool,
    /// Its column in the paper's Table 1.
    pub printed: Option<printed::Column>,
}

fn systems() -> Vec<System> {
    let row = |title: &str, method, printed, settings: &[(&str, Value)]| System {
        title: title.into(),
        method,
        printed,
        asked: false,
        parameters: settings.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
    };
    vec![
        row("OSVM", "ocsvm", Some(printed::Column::OneClassSvm), &[("kernel", json!("linear"))]),
        row(
            "S-EM",
            "spy-em",
            Some(printed::Column::SpyEm),
            &[("reading", json!("printed")), ("spy_step", json!("naive-bayes"))],
        ),
        row("Roc-SVM", "roc-svm", Some(printed::Column::RocSvm), &[]),
        row("PEBL", "pebl", Some(printed::Column::Pebl), &[]),
        row("LGN", "lgn", Some(printed::Column::Lgn), &[("reading", json!("printed"))]),
        row("LGN, rounded up, smoothing 0.1", "lgn", Some(printed::Column::Lgn), &[]),
        row(
            "LGN, Equation 4 literally",
            "lgn",
            Some(printed::Column::Lgn),
            &[("reading", json!("printed")), ("entropy", json!("literal"))],
        ),
        row("kNN, naive Bayes (beyond)", "knn-nb", None, &[]),
        System { asked: true, ..row(ASKED, "auto", None, &[]) },
    ]
}

/// F of each system, and its seconds.
#[derive(Serialize, Deserialize)]
pub(crate) struct Trial(pub Vec<(f64, f64)>);

fn leads(numbers: &Numbers<'_>, table: &str, alphas: &[&str]) -> Option<bool> {
    let lead = |alpha: &&str| {
        let of = |row| numbers.ours(table, row, alpha, F);
        let lgn = of("LGN")?.max(of("LGN, rounded up, smoothing 0.1")?);
        let others = ["OSVM", "S-EM", "Roc-SVM", "PEBL"].map(of);
        Some(others.into_iter().flatten().all(|other| lgn > other))
    };
    alphas.iter().map(lead).try_fold(true, |all, one| Some(all && one?))
}

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let newsgroups = Collection::newsgroups(&lab.data, &["text"], lab.run())?;
    let reuters = Collection::reuters(&lab.data, lab.run())?;
    let of = |source: Source| match source {
        Source::Newsgroups => &newsgroups,
        Source::Reuters => &reuters,
    };
    let run = |experiment: &str, work: &[Work], systems: &[System]| {
        lab.trials(experiment, work, |work, run| trial(of(work.source), work, systems, run))
    };
    let pairs = Known::pairs();
    let every_method = || -> Result<Vec<Cell>> {
        let all = every_method(lab);
        let some = every(&pairs, lab.choose(19, 7));
        let work: Vec<Work> = some.iter().flat_map(|known| Work::of(known, &[5, 20, 60], 1)).collect();
        let trials = run("lgn every method", &work, &all)?;
        Ok(curves(EVERY, &all, &work, &trials, |work| format!("{} %", work.alpha)))
    };
    if !lab.runs_all() {
        return every_method();
    }
    let systems = systems();
    let mut cells = Vec::new();

    let runs = lab.choose(1, 5);
    let work: Vec<Work> = pairs.iter().flat_map(|known| Work::of(known, &[5], runs)).collect();
    let trials = run("lgn table 1", &work, &systems)?;
    cells.extend(table_1(&systems, &pairs, &work, &trials));

    let some = every(&pairs, lab.choose(7, 1));
    let work: Vec<Work> = some.iter().flat_map(|known| Work::of(known, &ALPHAS, lab.choose(1, 2))).collect();
    let trials = run("lgn figure 4", &work, &systems)?;
    cells.extend(curves(TWO, &systems, &work, &trials, |work| work.alpha.to_string()));

    let work: Vec<Work> = some
        .iter()
        .flat_map(|known| Work::of(&known.with_third(&newsgroups), &ALPHAS, lab.choose(1, 2)))
        .collect();
    let trials = run("lgn figure 5", &work, &systems)?;
    cells.extend(curves(THREE, &systems, &work, &trials, |work| work.alpha.to_string()));

    for (source, name) in [(Source::Newsgroups, "20 Newsgroups"), (Source::Reuters, "Reuters")] {
        let known = Known::ten(source, of(source));
        let work = Work::of(&known, &TEN_ALPHAS, lab.choose(1, 5));
        let trials = run("lgn ten classes", &work, &systems)?;
        let column = |work: &Work| format!("{name} {}", work.alpha);
        cells.extend(curves(TEN, &systems, &work, &trials, column));
        cells.extend(lead_over_the_best(name, &systems, &work, &trials));
    }

    let priors = [40u32, 60, 80, 100].map(|share| System {
        title: format!("{share} %"),
        parameters: [("prior".to_string(), json!(100.0 / (100.0 + f64::from(share))))].into_iter().collect(),
        ..systems[5].clone()
    });
    let work: Vec<Work> = some.iter().flat_map(|known| Work::of(known, &[5], runs)).collect();
    let trials = run("lgn priors", &work, &priors)?;
    cells.extend(curves(PRIOR, &priors, &work, &trials, |_| AVERAGE.into()));

    cells.extend(every_method()?);
    Ok(cells)
}

/// Every k-th, the first included.
fn every(known: &[Known], k: usize) -> Vec<Known> {
    known.iter().step_by(k).cloned().collect()
}

/// Every registered method that takes words.
fn every_method(lab: &Lab) -> Vec<System> {
    contestants(Kind::Sparse, lab)
        .into_iter()
        .map(|spec| System {
            title: spec.name.into(),
            method: spec.name,
            parameters: Map::new(),
            asked: false,
            printed: None,
        })
        .collect()
}

fn table_1(systems: &[System], pairs: &[Known], work: &[Work], trials: &[Trial]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let cell = |row: &str, system: &System| {
        Cell::new(PAPER.name, TABLE_1, row, &system.title, F).by(system.method, &system.parameters)
    };
    for (at, known) in pairs.iter().enumerate() {
        for (s, system) in systems.iter().enumerate() {
            let of_pair: Vec<(f64, f64)> = (work.iter().zip(trials))
                .filter(|(work, _)| work.known == *known)
                .map(|(_, trial)| trial.0[s])
                .collect();
            let printed = system.printed.map(|column| printed::TABLE_1[at].value(column));
            cells.extend(cell(&known.title(), system).printed(printed).of(&of_pair));
        }
    }
    for (s, system) in systems.iter().enumerate() {
        let all: Vec<(f64, f64)> = trials.iter().map(|trial| trial.0[s]).collect();
        let printed = system.printed.map(|column| printed::AVERAGE.value(column));
        cells.extend(cell(AVERAGE, system).printed(printed).of(&all));
    }
    cells
}

/// One row a system, one column for each name that `column` gives.
fn curves(
    table: &str,
    systems: &[System],
    work: &[Work],
    trials: &[Trial],
    column: impl Fn(&Work) -> String,
) -> Vec<Cell> {
    let names: Vec<String> = work.iter().map(&column).collect();
    let mut cells = Vec::new();
    for (s, system) in systems.iter().enumerate() {
        for name in crate::show::distinct(names.iter().map(String::as_str)) {
            let found: Vec<(f64, f64)> = (names.iter().zip(trials))
                .filter(|(other, _)| *other == name)
                .map(|(_, trial)| trial.0[s])
                .collect();
            let cell = Cell::new(PAPER.name, table, &system.title, name, F);
            cells.extend(cell.by(system.method, &system.parameters).of(&found));
        }
    }
    cells
}

fn lead_over_the_best(name: &str, systems: &[System], work: &[Work], trials: &[Trial]) -> Vec<Cell> {
    let place = |title: &str| systems.iter().position(|s| s.title == title).expect("a system of the list");
    let lgn = place("LGN, rounded up, smoothing 0.1");
    let others = ["OSVM", "S-EM", "Roc-SVM", "PEBL"].map(place);
    let mut cells = Vec::new();
    for (at, alpha) in TEN_ALPHAS.iter().enumerate() {
        let leads: Vec<(f64, f64)> = (work.iter().zip(trials))
            .filter(|(work, _)| work.alpha == *alpha)
            .map(|(_, Trial(found))| {
                let best = others.iter().map(|&other| found[other].0).fold(0.0, f64::max);
                (found[lgn].0 - best, found[lgn].1)
            })
            .collect();
        let printed = match name {
            "Reuters" => printed::LEAD_REUTERS[at],
            _ => printed::LEAD_NEWSGROUPS[at],
        };
        let cell = Cell::new(PAPER.name, LEAD, name, &format!("{alpha} %"), "difference of F");
        cells.extend(cell.by("lgn", &Map::new()).printed(Some(printed)).of(&leads));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::DataFolder;
    use crate::{Error, Extent};
    use likewise::Run;

    #[test]
    fn four_pairs_of_table_1_keep_their_level() {
        let Some(data) = likewise_testing::data_file("") else { return };
        let lab = Lab::new(DataFolder::find(Some(&data)), Extent::Quick, Run::new(0));
        let newsgroups = match Collection::newsgroups(&lab.data, &["text"], lab.run()) {
            Err(error @ Error::MissingData(_)) => return likewise_testing::missing_data(error),
            collection => collection.unwrap(),
        };
        let (systems, pairs) = (systems(), every(&Known::pairs(), 6));
        let work: Vec<Work> = pairs.iter().flat_map(|known| Work::of(known, &[5], 1)).collect();
        let trials = lab.trials("test", &work, |work, run| trial(&newsgroups, work, &systems, run)).unwrap();
        let cells = table_1(&systems, &pairs, &work, &trials);
        let numbers = Numbers(&cells);
        let average = |column: &str| numbers.ours(TABLE_1, AVERAGE, column, F).unwrap();
        // Where the paper's figures come out, they must go on doing so.
        assert!((average("Roc-SVM") - printed::AVERAGE.value(printed::Column::RocSvm)).abs() < 4.0);
        assert!(average("PEBL") < 3.0);
        assert!(average("S-EM") > 18.0, "{}", average("S-EM"));
        assert!(average("LGN, rounded up, smoothing 0.1") > 33.0);
        assert!(average("kNN, naive Bayes (beyond)") > 40.0);
        // The choice by hidden classes may cost little.
        assert!(average(ASKED) > average("kNN, naive Bayes (beyond)") - 2.0, "{}", average(ASKED));
        assert_eq!(cells.len(), systems.len() * (pairs.len() + 1));
    }
}
