//! The data sets of the paper: facts, modes, positives and negatives in parts, of which one is tested and
//! the others are learned from.

use std::sync::Arc;

use likewise::Run;
use likewise::data::{Data, PuData};
use likewise::relations::{Background, Domain, FactsBuilder, Relational, Target, atoms, combinations, modes};
use likewise_io::{Format, ReadOptions, Source, read_all};
use rand::seq::index::sample;

use crate::data::DataFolder;
use crate::error::Result;

/// Unlabeled examples that a trial draws from all combinations of constants.
const POOL: usize = 10_000;

/// Negatives for each positive of a test.
const SKEW: usize = 2;

/// How many groups of patients are tested in turn.
const GROUPS: usize = 4;

/// The columns of the table of patients; codes are constants, numbers get thresholds.
const PATIENT: [(&str, bool); 13] = [
    ("age", true),
    ("sex", false),
    ("cp", false),
    ("trestbps", true),
    ("chol", true),
    ("fbs", false),
    ("restecg", false),
    ("thalach", true),
    ("exang", false),
    ("oldpeak", true),
    ("slope", false),
    ("ca", false),
    ("thal", false),
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Set {
    UwCse,
    Imdb,
    Heart,
}

/// Atoms as they are written.
#[derive(Clone, Debug, Default)]
struct Part {
    facts: Vec<String>,
    positives: Vec<String>,
    negatives: Vec<String>,
}

/// A data set in parts.
pub struct Collection {
    modes: String,
    target: &'static str,
    parts: Vec<Part>,
}

/// What one trial learns from and is measured on. The test has facts of its own.
pub struct Split {
    pub train: PuData,
    pub test: Data,
    pub truth: Vec<bool>,
}

impl Set {
    pub const ALL: [Set; 3] = [Set::UwCse, Set::Imdb, Set::Heart];

    pub fn name(self) -> &'static str {
        match self {
            Set::UwCse => "uwcse",
            Set::Imdb => "imdb",
            Set::Heart => "heart",
        }
    }

    /// How many times as many trials it takes as another set: a test on some 14 patients tells little.
    pub fn repeats(self) -> u64 {
        if self == Set::Heart { 4 } else { 1 }
    }

    /// The set in parts; where they are not given, they are drawn with the seed.
    pub fn load(self, data: &DataFolder, seed: u64) -> Result<Collection> {
        match self {
            Set::UwCse => areas(data, "uwcse", "advisedby"),
            Set::Imdb => areas(data, "imdb", "workedunder"),
            Set::Heart => Ok(patients(&lines(data, "heart/processed.cleveland.data.gz")?, seed)),
        }
    }
}

fn lines(data: &DataFolder, name: &str) -> Result<Vec<String>> {
    let source = Source::parse(data.file(name)?, Some(Format::Text))?;
    let table = read_all(&[source], &ReadOptions::default())?.0;
    let text = table.column("text")?;
    Ok((0..table.rows()).map(|row| text.cell(row).into_owned()).collect())
}

/// Five areas, each with facts and examples of its own.
fn areas(data: &DataFolder, folder: &str, target: &'static str) -> Result<Collection> {
    let part = |area: usize| {
        let read = |kind: &str| lines(data, &format!("{folder}/area{area}_{kind}.txt.gz"));
        Ok(Part { facts: read("facts")?, positives: read("pos")?, negatives: read("neg")? })
    };
    let parts = (1..=5).map(part).collect::<Result<_>>()?;
    Ok(Collection { modes: lines(data, &format!("{folder}/modes.txt"))?.join("\n"), target, parts })
}

/// Four groups of patients with the same share of positives, those with `num` = 1: the reading whose figures
/// are near the paper's.
fn patients(rows: &[String], seed: u64) -> Collection {
    let mut parts = vec![Part::default(); GROUPS];
    let mut rng = Run::new(seed).rng("groups of patients", 0);
    let order = sample(&mut rng, rows.len(), rows.len()).into_vec();
    let mut dealt = [0, 0];
    for patient in order {
        let cells: Vec<&str> = rows[patient].split(',').map(str::trim).collect();
        let Some((class, cells)) = cells.split_last().filter(|(_, cells)| cells.len() == PATIENT.len())
        else {
            continue;
        };
        let is_positive = *class == "1";
        let part = &mut parts[dealt[usize::from(is_positive)] % GROUPS];
        dealt[usize::from(is_positive)] += 1;
        let known = PATIENT.iter().zip(cells).filter(|(_, cell)| **cell != "?");
        part.facts.extend(known.map(|((name, _), cell)| format!("{name}(p{patient},{cell}).")));
        let examples = if is_positive { &mut part.positives } else { &mut part.negatives };
        examples.push(format!("disease(p{patient})."));
    }
    let mode = |(name, is_number): &(&str, bool)| {
        if *is_number { format!("{name}(+patient,>number).") } else { format!("{name}(+patient,#{name}).") }
    };
    let mut modes: Vec<String> = PATIENT.iter().map(mode).collect();
    modes.push("disease(+patient).".into());
    Collection { modes: modes.join("\n"), target: "disease", parts }
}

impl Collection {
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// A share of the positives of all parts but one is marked; that one is tested, all its positives and
    /// twice as many of its negatives.
    pub fn split(&self, tested: usize, share: f64, run: &Run) -> Result<Split> {
        let mut rng = run.rng("marked and tested examples", tested as u64);
        let mut some = |from: &[&str], wanted: usize| -> Vec<String> {
            let mut drawn = sample(&mut rng, from.len(), wanted.min(from.len())).into_vec();
            drawn.sort_unstable();
            drawn.into_iter().map(|i| from[i].to_string()).collect()
        };
        let learned: Vec<&Part> = (self.parts.iter().enumerate())
            .filter(|(number, _)| *number != tested)
            .map(|(_, part)| part)
            .collect();
        let positives: Vec<&str> =
            learned.iter().flat_map(|part| part.positives.iter().map(String::as_str)).collect();
        let marked = some(&positives, ((share * positives.len() as f64).round() as usize).max(1));
        let part = &self.parts[tested];
        let negatives: Vec<&str> = part.negatives.iter().map(String::as_str).collect();
        let mut asked = part.positives.clone();
        asked.extend(some(&negatives, SKEW * part.positives.len()));
        let truth = (0..asked.len()).map(|row| row < part.positives.len()).collect();

        let (background, mut arguments) = self.base(&learned, &marked)?;
        let mut rng = run.rng("pile", tested as u64);
        let pile = combinations::unmarked(&background.facts, &background.target, &arguments, POOL, &mut rng);
        let available = pile.arguments[0].len();
        let drawn = sample(&mut rng, available, POOL.min(available)).into_vec();
        for (column, from) in arguments.iter_mut().zip(&pile.arguments) {
            column.extend(drawn.iter().map(|&row| from[row]));
        }
        let x = Relational::new(background, arguments)?;
        let positive = (0..x.rows()).map(|row| row < marked.len()).collect();
        let (facts, arguments) = self.base(&[part], &asked)?;
        Ok(Split {
            train: PuData::new(Data::Relational(Arc::new(x)), positive)?,
            test: Data::Relational(Arc::new(Relational::new(facts, arguments)?)),
            truth,
        })
    }

    /// The facts of these parts, and examples as columns of constants.
    fn base(&self, parts: &[&Part], examples: &[String]) -> Result<(Arc<Background>, Vec<Vec<u32>>)> {
        let mut builder = FactsBuilder::new();
        let modes = modes::declare(&modes::parse(&self.modes)?.declarations, &mut builder)?;
        let mut arguments = Vec::new();
        for line in parts.iter().flat_map(|part| &part.facts) {
            let Some(predicate) = atoms::parse(line, &mut arguments).map_err(likewise::Error::data)? else {
                continue;
            };
            if let Some(relation) = builder.find(predicate) {
                builder.push(relation, &arguments)?;
            }
        }
        let own = builder.find(self.target).map(|relation| builder.domains(relation).to_vec());
        let types: Vec<u32> = (own.unwrap_or_default().iter())
            .filter_map(|domain| match domain {
                Domain::Type(number) => Some(*number),
                Domain::Number => None,
            })
            .collect();
        let mut columns = vec![Vec::new(); types.len()];
        for line in examples {
            atoms::parse(line, &mut arguments).map_err(likewise::Error::data)?;
            for ((column, &number), argument) in columns.iter_mut().zip(&types).zip(&arguments) {
                column.push(builder.intern(number, argument));
            }
        }
        let target = Target { name: self.target.into(), types };
        Ok((Arc::new(Background::new(builder.finish(), modes, target)), columns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patients_are_dealt_evenly_and_missing_cells_are_no_facts() {
        let row = |class: usize, ca: &str| {
            format!("63.0,1.0,1.0,145.0,233.0,1.0,2.0,150.0,0.0,2.3,3.0,{ca},6.0,{class}")
        };
        let rows: Vec<String> = (0..24)
            .map(|i| row(if i % 3 == 0 { 1 } else { i % 3 * 2 }, if i == 5 { "?" } else { "0.0" }))
            .collect();
        let all = patients(&rows, 0);
        for part in &all.parts {
            assert_eq!((part.positives.len(), part.negatives.len()), (2, 4));
        }
        let facts: usize = all.parts.iter().map(|part| part.facts.len()).sum();
        assert_eq!(facts, 24 * 13 - 1);
        let split = all.split(0, 0.5, &Run::new(1)).unwrap();
        let labelled = split.train.positive.iter().filter(|p| **p).count();
        // Six positives are learned from, of which three are marked; the pile is the 15 other patients.
        assert_eq!((labelled, split.train.positive.len()), (3, 18));
        assert_eq!(split.truth, [true, true, false, false, false, false]);
    }
}
