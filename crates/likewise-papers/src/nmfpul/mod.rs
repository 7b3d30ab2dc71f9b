//! Nunes, Faleiros & Rossi 2023, "Positive unlabeled learning with non-negative matrix factorization": Tables 3
//! to 11, with the measures told apart.
//!
//! For every class of nine collections a few documents are labelled, the others are the pile; classes without
//! more documents than are labelled are left out, and a table says how many remain. The printed columns hold
//! three different things (`measures`): the baselines are F1 of the positive class, copied from the study of
//! LP-PUL and tuned on the test labels; K-Means and RCSVM among them are averaged in another way than the rest;
//! the NMFPUL column is a mean over both classes that calling everything negative also reaches. Each printed
//! number stands beside the measure that it is.

mod collections;
mod measures;
mod published;
mod systems;
pub mod topics;

use std::sync::Arc;

use likewise::Run;
use likewise::data::{Data, Kind, PuData};
use likewise::features::words::weigh_counts;
use likewise::measure::Confusion;
use likewise::method::Spec;
use likewise::registry::find;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::contestants::{self, contestants, every_table};
use crate::error::Result;
use crate::lab::Lab;
use crate::paper::{Cell, Claim, Numbers, Paper, PaperTable};
use collections::{Collection, NAMES};
use measures::{AVERAGED, BINARY, Counts, MEAN_OF_THREE, OF_MEANS, f1_of_means};
use published::Published;
use systems::{ALL_NEGATIVE, LP_PUL, NMFPUL, SEEDED, SYSTEMS};

const CLASSES: &str = "classes";

const fn of_collection(name: &'static str, title: &'static str) -> PaperTable {
    PaperTable { name, title, note: "", digits: 3, axis: Some("labelled documents of the class") }
}

pub const PAPER: Paper = Paper {
    name: "nmfpul",
    title: "NMFPUL (Nunes, Faleiros & Rossi 2023), Tables 3 to 11",
    tables: &[
        of_collection("CSTR", "CSTR"),
        of_collection("SyskillWebert", "SyskillWebert"),
        of_collection("oh0", "oh0"),
        of_collection("oh15", "oh15"),
        of_collection("tr11", "tr11"),
        of_collection("re0", "re0"),
        of_collection("re1", "re1"),
        of_collection("wap", "wap"),
        of_collection("fbis", "fbis"),
        PaperTable {
            name: CLASSES,
            title: "Classes that were run",
            note: "A class needs more documents than are labelled; a quick run takes at most three of a collection.",
            digits: 0,
            axis: None,
        },
        every_table(
            "Every method, ten documents labelled: binary F1",
            "With its usual parameters and its own threshold, where `find` cuts most methods where hidden positives say; the mean over some classes of each collection (at most two in a quick run, which has three collections; four in a full one).",
            3,
        ),
    ],
    claims: &[
        Claim {
            text: "NMFPUL does better than LP-PUL, under the one measure that both can be compared by (binary F1)",
            holds: |numbers| wins(numbers, NMFPUL, LP_PUL, BINARY),
        },
        Claim {
            text: "NMFPUL does better than calling every document negative, under the measure the paper reports it in",
            holds: |numbers| wins(numbers, NMFPUL, ALL_NEGATIVE, MEAN_OF_THREE),
        },
        Claim {
            text: "Starting topic 0 at the labelled documents does better than the printed start (binary F1; ours)",
            holds: |numbers| wins(numbers, SEEDED, NMFPUL, BINARY),
        },
    ],
    findings: &[
        "The NMFPUL column is the mean of micro, macro and weighted F1, the other columns are F1 of the positive class: they must not be compared with each other.",
        "The baselines are the best of a grid on the test labels, for each cell anew (LP-PUL 576 configurations, PU-LP 840, K-Means 270, RCSVM 25); ours run at those configurations, K-Means at the best whose threshold is a number.",
        "K-Means and RCSVM are printed as F1 of the mean precision and recall with too small classes counted as 0; LP-PUL and PU-LP as the mean F1 of the classes that can be run.",
        "The number of topics is not stated; ten fits the printed numbers. The 1-label numbers are what a topic drawn at random would give.",
    ],
    missing: &["The line of Oh15 in Table 2 is shifted by a column; its collection has 913 documents."],
    reproduce,
};

/// Whether a row beats another in most columns of most collections.
fn wins(numbers: &Numbers<'_>, row: &str, other: &str, metric: &str) -> Option<bool> {
    let mut won = Vec::new();
    for cell in numbers.0.iter().filter(|cell| cell.row == row && cell.metric == metric) {
        let against = numbers.ours(&cell.table, other, &cell.column, metric)?;
        won.push(cell.value > against);
    }
    (!won.is_empty()).then(|| 2 * won.iter().filter(|won| **won).count() > won.len())
}

/// All draws of one class at one number of labelled documents.
#[derive(Clone, Debug, Serialize)]
struct Work {
    collection: &'static str,
    class: usize,
    labelled: usize,
    draws: u64,
}

/// For every system (the constant first) its counts in each draw, and the seconds of a draw.
#[derive(Serialize, Deserialize)]
struct Answer(Vec<(Vec<Counts>, f64)>);

/// Reruns Tables 3 to 11.
pub fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let published = Published::load(&lab.data)?;
    let labelled: &[usize] = lab.choose(&[1, 10, 30], &[1, 5, 10, 20, 30]);
    let (draws, most_classes) = lab.choose((1, 3), (10, usize::MAX));
    let mut cells = Vec::new();
    let mut every = Vec::new();
    for (number, name) in NAMES.into_iter().enumerate() {
        let collection = Collection::load(&lab.data, name)?;
        if number < lab.choose(3, NAMES.len()) {
            every.extend(every_method(lab, &collection, lab.choose(2, 4))?);
        }
        if !lab.runs_all() {
            continue;
        }
        let mut work = Vec::new();
        for &labelled in labelled {
            let classes = some_of(&collection.classes_with_more_than(labelled), most_classes);
            work.extend(classes.into_iter().map(|class| Work { collection: name, class, labelled, draws }));
        }
        // The graphs of a large collection are the costliest; they should not be the last to begin.
        work.reverse();
        let answers: Vec<Answer> = lab.trials(&format!("nmfpul {name}"), &work, |work, run| {
            one_class(&collection, &published, work, run)
        })?;
        let found: Vec<(&Work, &Answer)> = work.iter().zip(&answers).collect();
        for &labelled in labelled {
            let here: Vec<&Answer> = found
                .iter()
                .filter(|(work, _)| work.labelled == labelled)
                .map(|(_, answer)| *answer)
                .collect();
            let all = collection.all_classes().len();
            cells.extend(column(&published, &collection, labelled, all.min(most_classes), &here));
            cells.extend(
                Cell::new(PAPER.name, CLASSES, name, &labelled.to_string(), "number")
                    .of(&[(here.len() as f64, 0.0)]),
            );
        }
    }
    cells.extend(every);
    Ok(cells)
}

/// A class and a method that looks for it.
#[derive(Clone, Debug, Serialize)]
struct OneMethod {
    collection: &'static str,
    class: usize,
    method: &'static str,
}

/// The documents that each method in the table of every method is shown.
const SHOWN: usize = 10;

fn every_method(lab: &Lab, collection: &Collection, most_classes: usize) -> Result<Vec<Cell>> {
    let classes = some_of(&collection.classes_with_more_than(2 * SHOWN), most_classes);
    let methods = contestants(Kind::Sparse, lab);
    let name = collection.name;
    let of_method = |spec: &Spec| {
        let method = spec.name;
        classes.iter().map(move |&class| OneMethod { collection: name, class, method }).collect::<Vec<_>>()
    };
    let work: Vec<OneMethod> = methods.iter().flat_map(of_method).collect();
    let found = lab.trials("nmfpul every method", &work, |work, run| {
        let spec = find(work.method)?.spec();
        let mut members = collection.members(work.class);
        members.shuffle(&mut run.rng("labelled documents", work.class as u64));
        members.truncate(SHOWN);
        let labels: Vec<bool> = (0..collection.classes.len()).map(|row| members.contains(&row)).collect();
        let rows = weigh_counts(collection.counts.clone(), spec.weights);
        let train = PuData::new(Data::Sparse(Arc::new(rows)), labels)?;
        let started = std::time::Instant::now();
        let answers = contestants::answers(work.method, &train, None, run)?;
        let pile = train.unlabeled();
        let of = |called: &dyn Fn(usize) -> bool| pile.iter().map(|&row| called(row)).collect::<Vec<_>>();
        let truth = of(&|row| collection.classes[row] == work.class);
        Ok((Confusion::count(&of(&|row| answers[row]), &truth).f1(), started.elapsed().as_secs_f64()))
    })?;
    let of_method = |spec: &Spec| {
        let own = work.iter().zip(&found).filter(|(work, _)| work.method == spec.name);
        let own: Vec<(f64, f64)> = own.map(|(_, found)| *found).collect();
        contestants::cell(PAPER.name, spec.name, collection.name, BINARY, &own)
    };
    Ok(methods.iter().filter_map(of_method).collect())
}

/// At most so many, evenly from the whole list.
fn some_of(classes: &[usize], most: usize) -> Vec<usize> {
    if classes.len() <= most {
        return classes.to_vec();
    }
    (0..most).map(|i| classes[i * classes.len() / most]).collect()
}

fn one_class(collection: &Collection, published: &Published, work: &Work, run: &Run) -> Result<Answer> {
    let truth: Vec<bool> = collection.classes.iter().map(|class| *class == work.class).collect();
    let draw = |trial: u64| {
        let mut members = collection.members(work.class);
        members.shuffle(&mut run.with_seed(trial).rng("labelled documents", work.class as u64));
        members.truncate(work.labelled);
        members
    };
    let draws: Vec<Vec<usize>> = (0..work.draws).map(draw).collect();
    let count = |answers: &[bool], labelled: &[usize]| {
        let pile: Vec<usize> = (0..truth.len()).filter(|row| !labelled.contains(row)).collect();
        let of = |values: &[bool]| pile.iter().map(|&i| values[i]).collect::<Vec<_>>();
        Counts::of(&of(answers), &of(&truth))
    };
    let nothing = vec![false; truth.len()];
    let mut rows = vec![(draws.iter().map(|labelled| count(&nothing, labelled)).collect(), 0.0)];
    // Every class and number of labels has starts of its own.
    let own = run.with_seed((work.class * 1000 + work.labelled) as u64);
    for system in &SYSTEMS {
        let parameters = system.parameters(published, collection, work.labelled);
        let (answers, seconds) = system.classify(collection, &draws, &parameters, &own)?;
        let counts = answers.iter().zip(&draws).map(|(answers, labelled)| count(answers, labelled)).collect();
        rows.push((counts, seconds));
    }
    Ok(Answer(rows))
}

/// The cells of one collection and number of labels: every system under every measure.
fn column(
    published: &Published,
    collection: &Collection,
    labelled: usize,
    classes: usize,
    found: &[&Answer],
) -> Vec<Cell> {
    let mut cells = Vec::new();
    let titles = std::iter::once(ALL_NEGATIVE).chain(SYSTEMS.iter().map(|system| system.title));
    for (s, title) in titles.enumerate() {
        let draws = found.first().map_or(0, |answer| answer.0[s].0.len());
        let seconds = found.iter().map(|answer| answer.0[s].1).sum::<f64>() / found.len().max(1) as f64;
        let of_draw =
            |draw: usize| -> Vec<Counts> { found.iter().map(|answer| answer.0[s].0[draw]).collect() };
        let system = s.checked_sub(1).map(|s| &SYSTEMS[s]);
        let cell = |metric: &str, value: &dyn Fn(&[Counts]) -> f64| {
            let trials: Vec<(f64, f64)> = (0..draws).map(|draw| (value(&of_draw(draw)), seconds)).collect();
            let printed =
                published.value(collection.name, title, labelled).filter(|_| printed_as(title) == metric);
            let parameters = system.map_or(Map::new(), |s| s.parameters(published, collection, labelled));
            Cell::new(PAPER.name, collection.name, title, &labelled.to_string(), metric)
                .by(system.map_or("", |s| s.method), &parameters)
                .printed(printed)
                .of(&trials)
        };
        for (metric, measure) in AVERAGED {
            let mean = |of: &[Counts]| of.iter().map(measure).sum::<f64>() / of.len() as f64;
            cells.extend(cell(metric, &mean));
        }
        cells.extend(cell(OF_MEANS, &|of| f1_of_means(of, classes)));
    }
    cells.sort_by_key(|cell| {
        AVERAGED.iter().position(|(metric, _)| *metric == cell.metric).unwrap_or(AVERAGED.len())
    });
    cells
}

/// The measure that a printed column really is.
fn printed_as(title: &str) -> &'static str {
    match title {
        NMFPUL => MEAN_OF_THREE,
        "K-Means" | "RCSVM" => OF_MEANS,
        _ => BINARY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_a_quick_run_come_from_the_whole_list() {
        assert_eq!(some_of(&[0, 1, 2], 3), [0, 1, 2]);
        assert_eq!(some_of(&[0, 1, 2, 3, 4, 5, 6], 3), [0, 2, 4]);
    }

    #[test]
    fn printed_numbers_stand_beside_the_measure_that_they_are() {
        assert_eq!(printed_as("LP-PUL"), BINARY);
        assert_eq!(printed_as("RCSVM"), OF_MEANS);
        assert_eq!(printed_as(NMFPUL), MEAN_OF_THREE);
    }
}
