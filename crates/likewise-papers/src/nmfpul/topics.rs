//! How many topics? The paper does not say; a number for all collections stands here beside the number that hidden
//! positives say.

use std::collections::BTreeMap;
use std::time::Instant;

use likewise::Run;
use likewise::data::PuData;
use likewise::decide::is_positive;
use likewise::measure::Confusion;
use likewise::method::{Method, Scores};
use likewise::methods::factor::nmfpul::{CANDIDATES, NmfPul};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::collections::{Collection, NAMES};
use super::measures::BINARY;
use super::some_of;
use crate::error::Result;
use crate::lab::Lab;
use crate::paper::{Cell, Claim, Numbers, Paper, PaperTable};

pub const PAPER: Paper = Paper {
    name: "topics",
    title: "NMFPUL: how many topics",
    tables: &[TABLE],
    claims: &[Claim {
        text: "as many topics as hidden positives say do at least as well as the best number for all collections",
        holds: chosen_as_well,
    }],
    findings: &[],
    missing: &[],
    reproduce,
};

const TABLE: PaperTable = PaperTable {
    name: "topics",
    title: "Ten documents labelled",
    note: "`chosen` is as many topics as find hidden positives best, anew for every class and draw. Start and decision are the \
           defaults. A quick run takes at most two classes of a collection.",
    digits: 3,
    axis: None,
};

const CHOSEN: &str = "chosen";
const ALL: &str = "mean of the collections";
const LABELLED: usize = 10;

/// Whether the number that hidden positives say does at least as well as the best number for all collections.
fn chosen_as_well(numbers: &Numbers<'_>) -> Option<bool> {
    let of = |row: &str| numbers.ours(TABLE.name, row, ALL, BINARY);
    let best = CANDIDATES.iter().filter_map(|topics| of(&topics.to_string())).fold(f64::NAN, f64::max);
    Some(of(CHOSEN)? >= best)
}

#[derive(Clone, Debug, Serialize)]
struct Work {
    collection: &'static str,
    class: usize,
    draws: u64,
}

/// F1 of every draw and the seconds of a draw, for every number of topics and then for the chosen one.
#[derive(Serialize, Deserialize)]
struct Answer(Vec<(Vec<f64>, f64)>);

fn reproduce(lab: &Lab) -> Result<Vec<Cell>> {
    let (draws, most_classes) = lab.choose((1, 2), (3, usize::MAX));
    let collections = NAMES.map(|name| Collection::load(&lab.data, name));
    let mut known = BTreeMap::new();
    let mut work = Vec::new();
    for collection in collections {
        let collection = collection?;
        let classes = some_of(&collection.classes_with_more_than(LABELLED), most_classes);
        work.extend(classes.into_iter().map(|class| Work { collection: collection.name, class, draws }));
        known.insert(collection.name, collection);
    }
    // The largest collections come last in the paper and should not be the last to begin.
    work.reverse();
    let answers =
        lab.trials("nmfpul topics", &work, |work, run| one_class(&known[work.collection], work, run))?;
    let rows = CANDIDATES.iter().map(ToString::to_string).chain([CHOSEN.to_string()]);
    let mut cells = Vec::new();
    for (at, row) in rows.enumerate() {
        let cell = |column: &str| {
            Cell::new(PAPER.name, TABLE.name, &row, column, BINARY).by(NmfPul::SPEC.name, &Map::new())
        };
        let of_collection = |name: &str| {
            let own: Vec<_> = work
                .iter()
                .zip(&answers)
                .filter(|(work, _)| work.collection == name)
                .map(|(_, a)| &a.0[at])
                .collect();
            let mean_of_draw = |draw: usize| {
                let sum: f64 = own.iter().map(|(f1, _)| f1[draw]).sum();
                let seconds: f64 = own.iter().map(|(_, seconds)| seconds).sum();
                (sum / own.len() as f64, seconds / own.len() as f64)
            };
            let draws = if own.is_empty() { 0 } else { draws as usize };
            cell(name).of(&(0..draws).map(mean_of_draw).collect::<Vec<_>>())
        };
        let own: Vec<Cell> = NAMES.into_iter().filter_map(of_collection).collect();
        let means: Vec<(f64, f64)> = own.iter().map(|cell| (cell.value, cell.seconds)).collect();
        cells.extend(own);
        cells.extend(cell(ALL).of(&means).map(|cell| Cell { sd: 0.0, ..cell }));
    }
    Ok(cells)
}

fn one_class(collection: &Collection, work: &Work, run: &Run) -> Result<Answer> {
    let rows = collection.classes.len();
    let draw = |trial: u64| {
        let mut members = collection.members(work.class);
        members.shuffle(&mut run.with_seed(trial).rng("labelled documents", work.class as u64));
        members.truncate(LABELLED);
        members
    };
    let draws: Vec<Vec<usize>> = (0..work.draws).map(draw).collect();
    let f1 = |scores: &Scores, labelled: &[usize]| {
        let pile: Vec<usize> = (0..rows).filter(|row| !labelled.contains(row)).collect();
        let answers: Vec<bool> = pile.iter().map(|&row| is_positive(scores[row])).collect();
        let truth: Vec<bool> = pile.iter().map(|&row| collection.classes[row] == work.class).collect();
        Confusion::count(&answers, &truth).f1()
    };
    let of_draws = |topics: Option<usize>| -> Result<(Vec<f64>, f64)> {
        let (method, started) = (NmfPul { topics, ..NmfPul::default() }, Instant::now());
        let scores: Vec<Scores> = match topics {
            Some(_) => method.score_draws(collection.unit.sparse()?, &draws, run)?,
            None => {
                let fit = |labelled: &Vec<usize>| {
                    let positive = (0..rows).map(|row| labelled.contains(&row)).collect();
                    Ok(method.fit(&PuData::new(collection.unit.clone(), positive)?, run)?.scores)
                };
                draws.iter().map(fit).collect::<Result<_>>()?
            }
        };
        let seconds = started.elapsed().as_secs_f64() / draws.len().max(1) as f64;
        Ok((scores.iter().zip(&draws).map(|(scores, labelled)| f1(scores, labelled)).collect(), seconds))
    };
    let numbers = CANDIDATES.into_iter().map(Some).chain([None]);
    Ok(Answer(numbers.map(of_draws).collect::<Result<_>>()?))
}
