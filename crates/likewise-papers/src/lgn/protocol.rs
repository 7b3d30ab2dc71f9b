//! One trial: known classes, their split, the unexpected documents, and every system's F.

use likewise::Run;
use likewise::decide::is_positive;
use likewise::features::words::WordOptions;
use likewise::measure::Confusion;
use likewise::questions::ColumnChoice;
use likewise::questions::unexpected::{Classes, Unexpected};
use likewise::registry::find;
use rand::seq::SliceRandom;
use serde::Serialize;

use super::{System, Trial};
use crate::collection::{Collection, TrialRows};
use crate::error::Result;

/// F of the unexpected class, in percent.
pub const F: &str = "F";
/// The share of a known class that is training data.
const TRAINING: f64 = 0.7;

const COMPUTER: [&str; 5] = [
    "comp.graphics",
    "comp.os.ms-windows.misc",
    "comp.sys.mac.hardware",
    "comp.sys.ibm.pc.hardware",
    "comp.windows.x",
];
const SCIENCE: [&str; 4] = ["sci.crypt", "sci.electronics", "sci.med", "sci.space"];

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Source {
    Newsgroups,
    Reuters,
}

/// The classes that the training data hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Known {
    source: Source,
    classes: Vec<String>,
}

impl Known {
    /// One class of "computer" with one of "science", in the paper's order.
    pub fn pairs() -> Vec<Known> {
        let pair = |a: &str, b: &str| Known {
            source: Source::Newsgroups,
            classes: vec![a.to_string(), b.to_string()],
        };
        COMPUTER.iter().flat_map(|a| SCIENCE.iter().map(|b| pair(a, b))).collect()
    }

    /// The pair with a third class from the other eighteen, a different one for each pair.
    pub fn with_third(&self, collection: &Collection) -> Known {
        let mut others: Vec<&str> = collection.by_size().iter().map(|(class, _)| *class).collect();
        others.retain(|class| !self.classes.iter().any(|known| known == class));
        others.sort_unstable();
        others.shuffle(&mut Run::new(0).rng(&self.title(), 0));
        let classes = self.classes.iter().cloned().chain([others[0].to_string()]).collect();
        Known { classes, ..*self }
    }

    /// The ten largest classes; equals by name.
    pub fn ten(source: Source, collection: &Collection) -> Known {
        let classes = collection.by_size().iter().take(10).map(|(class, _)| class.to_string()).collect();
        Known { source, classes }
    }

    /// As Table 1 names it.
    pub fn title(&self) -> String {
        let short: Vec<&str> = self
            .classes
            .iter()
            .map(|class| class.trim_start_matches("comp.").trim_start_matches("sci."))
            .collect();
        short.join(" - ")
    }
}

/// What a trial is told.
#[derive(Clone, Debug, Serialize)]
pub struct Work {
    pub source: Source,
    pub known: Known,
    /// Unexpected documents, in percent of the known ones in the pile.
    pub alpha: u32,
    pub seed: u64,
}

impl Work {
    pub fn of(known: &Known, alphas: &[u32], runs: u64) -> Vec<Work> {
        let one = |alpha: u32, seed| Work { source: known.source, known: known.clone(), alpha, seed };
        alphas.iter().flat_map(|&alpha| (0..runs).map(move |seed| one(alpha, seed))).collect()
    }
}

pub fn trial(collection: &Collection, work: &Work, systems: &[System], run: &Run) -> Result<Trial> {
    let run = run.with_seed(work.seed);
    let mut rng = run.rng(&work.known.title(), u64::from(work.alpha));
    let (mut training, mut pile) = (Vec::new(), Vec::new());
    for class in &work.known.classes {
        let mut members = collection.members(class);
        members.shuffle(&mut rng);
        let cut = (TRAINING * members.len() as f64).round() as usize;
        training.extend_from_slice(&members[..cut]);
        pile.extend_from_slice(&members[cut..]);
    }
    let is_known = |row: &usize| work.known.classes.contains(&collection.classes[*row]);
    let mut others: Vec<usize> = (0..collection.classes.len()).filter(|row| !is_known(row)).collect();
    others.shuffle(&mut rng);
    others.truncate((f64::from(work.alpha) / 100.0 * pile.len() as f64).round() as usize);
    let mut unexpected = vec![false; pile.len()];
    unexpected.resize(pile.len() + others.len(), true);
    pile.extend(others);
    let rows = TrialRows::new(&collection.counts, &training, &pile);
    let mut found = Vec::new();
    for system in systems {
        run.step("lgn", 0, 1)?;
        let entry = find(system.method)?;
        let (answers, seconds): (Vec<bool>, f64) = if system.asked {
            let (known, new) = rows.tables();
            let classes = training.iter().map(|row| collection.classes[*row].clone()).collect();
            let (parameters, columns) = (system.parameters.clone(), ColumnChoice::default());
            let question = Unexpected { method: entry, parameters, columns, words: WordOptions::default() };
            let started = std::time::Instant::now();
            let judged = question.ask(known, Classes::Given(classes), new, &run)?;
            let seconds = started.elapsed().as_secs_f64();
            (judged.verdicts.iter().map(|verdict| verdict.unexpected).collect(), seconds)
        } else {
            let train = rows.train(entry.spec().weights)?;
            let started = std::time::Instant::now();
            let fitted = entry.fit(&system.parameters, &train, &run)?;
            let seconds = started.elapsed().as_secs_f64();
            (fitted.scores[rows.positives()..].iter().map(|score| !is_positive(*score)).collect(), seconds)
        };
        found.push((100.0 * Confusion::count(&answers, &unexpected).f1(), seconds));
    }
    Ok(Trial(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_of_table_1() {
        let pairs = Known::pairs();
        assert_eq!(pairs.len(), 20);
        assert_eq!(pairs[0].title(), "graphics - crypt");
        assert_eq!(pairs[19].title(), "windows.x - space");
    }
}
