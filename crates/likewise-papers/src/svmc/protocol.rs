//! Who is labelled, who is in the pile and who is tested; and one trial of all systems.

use std::sync::Arc;

use likewise::Run;
use likewise::data::{Csr, Data, Dense, PuData};
use likewise::decide::is_positive;
use likewise::features::columns::{Columns, Style};
use likewise::features::words::{Documents, StopWords, WordOptions, Words, weigh_counts};
use likewise::measure::{Confusion, report};
use likewise::method::Weights;
use likewise::registry::find;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::System;
use super::printed::LETTERS;
use crate::collection::cells;
use crate::contestants::answers;
use crate::data::DataFolder;
use crate::error::Result;

/// Images of letters: 20,000 rows of 16 numbers.
pub(super) struct Letters {
    as_they_are: Labelled,
    /// As the command line gives them to a method.
    scaled: Data,
}

/// Web pages: 8,282 rows of words.
pub(super) struct Pages {
    binary_unit: Labelled,
    counts: Csr,
}

struct Labelled {
    x: Data,
    classes: Vec<String>,
}

impl Letters {
    pub fn read(data: &DataFolder) -> Result<Self> {
        let table = data.table("letter/letter.csv.gz")?;
        let classes = cells(&table, "label")?;
        let names: Vec<String> =
            table.column_names().iter().filter(|name| *name != "label").cloned().collect();
        let columns: Vec<Vec<String>> =
            names.iter().map(|name| cells(&table, name)).collect::<Result<_>>()?;
        let value = |row: usize, column: &Vec<String>| column[row].parse::<f32>().unwrap_or(f32::NAN);
        let values: Vec<f32> =
            (0..classes.len()).flat_map(|row| columns.iter().map(move |column| value(row, column))).collect();
        let x = Data::Dense(Arc::new(Dense::new(classes.len(), columns.len(), values)?));
        let (_, scaled, _) = Columns::fit(&table, &names, Style::Scaled)?;
        Ok(Letters { as_they_are: Labelled { x, classes }, scaled })
    }
}

impl Pages {
    pub fn read(data: &DataFolder, run: &Run) -> Result<Self> {
        let table = data.table("webkb/webkb.jsonl.gz")?;
        let texts = Documents::of(&table, &["text".to_string()], &[])?;
        let options =
            WordOptions { stop_words: StopWords::English, min_documents: Some(3), ..WordOptions::default() };
        let (_, counts) = Words::fit(texts, &options, Weights::Count, run)?;
        let x = Data::Sparse(Arc::new(weigh_counts(counts.clone(), Weights::BinaryUnit)));
        Ok(Pages { binary_unit: Labelled { x, classes: cells(&table, "label")? }, counts })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Split {
    /// Letters; positives of U are copies of labelled ones, the test rows are in neither.
    Nested,
    /// Letters; P and U share no row, and U is the test.
    Disjoint,
    /// Pages; as `Disjoint`.
    Pages,
}

#[derive(Serialize)]
pub(super) struct Work {
    pub part: Split,
    pub class: &'static str,
    pub seed: u64,
}

/// F1 and accuracy on the test rows, and seconds of learning.
#[derive(Serialize, Deserialize)]
pub(super) struct Measured {
    pub f1: f64,
    pub accuracy: f64,
    pub seconds: f64,
}

/// One for each system.
#[derive(Serialize, Deserialize)]
pub(super) struct Trial(pub Vec<Measured>);

/// Rows of the data: labelled, in the pile, and tested where that is not the pile.
struct Dealt {
    labelled: Vec<usize>,
    pile: Vec<usize>,
    test: Option<Vec<usize>>,
}

impl Work {
    fn deal(&self, classes: &[String], run: &Run) -> Dealt {
        let class = self.class.trim_start_matches("letter ");
        let (mut members, mut others): (Vec<usize>, Vec<usize>) =
            (0..classes.len()).partition(|&row| classes[row] == class);
        members.shuffle(&mut run.rng("members", 0));
        others.shuffle(&mut run.rng("others", 0));
        let sizes = LETTERS.iter().find(|row| row.name == self.class).map(|row| row.sizes);
        match (self.part, sizes) {
            (Split::Nested, Some((labelled, pile, hidden))) => {
                let test = [&members[labelled..], &others[pile - hidden..]].concat();
                members.truncate(labelled);
                let pile = [&members[..hidden], &others[..pile - hidden]].concat();
                Dealt { labelled: members, pile, test: Some(test) }
            }
            (Split::Pages, _) => {
                let mut all: Vec<usize> = (0..classes.len()).collect();
                all.shuffle(&mut run.rng("halves", 0));
                let pile = all.split_off(all.len() / 2);
                all.retain(|&row| classes[row] == class);
                Dealt { labelled: all, pile, test: None }
            }
            _ => {
                let hidden = members.split_off(members.len() / 2);
                others.truncate(others.len() / 2);
                Dealt { labelled: members, pile: [hidden, others].concat(), test: None }
            }
        }
    }
}

/// A method by its own threshold, where the pile is the test.
#[derive(Serialize)]
pub(super) struct OneMethod {
    pub of: Work,
    pub method: &'static str,
}

impl OneMethod {
    /// F1 and seconds.
    pub fn measure(&self, letters: &Letters, pages: &Pages, run: &Run) -> Result<(f64, f64)> {
        let run = run.with_seed(self.of.seed);
        let class = self.of.class.trim_start_matches("letter ");
        let (x, classes) = match self.of.part {
            Split::Pages => {
                let weights = find(self.method)?.spec().weights;
                let rows = weigh_counts(pages.counts.clone(), weights);
                (Data::Sparse(Arc::new(rows)), &pages.binary_unit.classes)
            }
            _ => (letters.scaled.clone(), &letters.as_they_are.classes),
        };
        let Dealt { labelled, pile, .. } = self.of.deal(classes, &run);
        let learned = [&labelled[..], &pile].concat();
        let labels = (0..learned.len()).map(|k| k < labelled.len()).collect();
        let train = PuData::new(x.select(&learned), labels)?;
        let started = std::time::Instant::now();
        let found = answers(self.method, &train, None, &run)?;
        let truth: Vec<bool> = pile.iter().map(|&row| classes[row] == class).collect();
        let f1 = Confusion::count(&found[labelled.len()..], &truth).f1();
        Ok((f1, started.elapsed().as_secs_f64()))
    }
}

pub(super) fn trial(
    letters: &Letters,
    pages: &Pages,
    work: &Work,
    systems: &[System],
    run: &Run,
) -> Result<Trial> {
    let run = run.with_seed(work.seed);
    let Labelled { x, classes } = match work.part {
        Split::Pages => &pages.binary_unit,
        _ => &letters.as_they_are,
    };
    let class = work.class.trim_start_matches("letter ");
    let dealt = work.deal(classes, &run);
    let learned = [&dealt.labelled[..], &dealt.pile[..]].concat();
    let is_class = |rows: &[usize]| -> Vec<bool> { rows.iter().map(|&row| classes[row] == class).collect() };
    let labels = (0..learned.len()).map(|k| k < dealt.labelled.len()).collect();
    let train = PuData::new(x.select(&learned), labels)?;
    let test = dealt.test.as_deref().unwrap_or(&dealt.pile);
    let truth = is_class(test);
    let mut measured = Vec::with_capacity(systems.len());
    for system in systems {
        let entry = find(system.method)?;
        // Only the ideal is told.
        let train = match system.method {
            "supervised" => train.clone().with_truth(is_class(&learned))?,
            _ => train.clone(),
        };
        let mut best: Option<Measured> = None;
        for settings in &system.tried {
            let started = std::time::Instant::now();
            let fitted = entry.fit(settings, &train, &run)?;
            let seconds = started.elapsed().as_secs_f64();
            let scores = match &dealt.test {
                Some(test) => fitted.model.score(&x.select(test), &run)?,
                None => fitted.scores[dealt.labelled.len()..].to_vec(),
            };
            let answers: Vec<bool> = scores.iter().map(|score| is_positive(*score)).collect();
            let found = report(&scores, &answers, &truth);
            if best.as_ref().is_none_or(|best| found.f1 > best.f1) {
                best = Some(Measured { f1: found.f1, accuracy: found.accuracy, seconds });
            }
        }
        measured.extend(best);
    }
    Ok(Trial(measured))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_positives_are_copies_and_test_rows_are_new() {
        let classes: Vec<String> =
            (0..20_000).map(|row| if row < 789 { "A" } else { "Z" }.to_string()).collect();
        let work = Work { part: Split::Nested, class: "letter A", seed: 0 };
        let Dealt { labelled, pile, test } = work.deal(&classes, &Run::new(0));
        let test = test.unwrap();
        assert_eq!((labelled.len(), pile.len(), test.len()), (521, 10007, 268 + 9588));
        assert!(pile.iter().filter(|&&row| row < 789).all(|row| labelled.contains(row)));
        assert!(!test.iter().any(|row| *row < 789 && labelled.contains(row)));
        let halves = Work { part: Split::Disjoint, ..work }.deal(&classes, &Run::new(0));
        assert!(!halves.pile.iter().any(|row| halves.labelled.contains(row)));
        assert_eq!((halves.labelled.len(), halves.test), (394, None));
    }
}
