//! Models as `find` and `update` keep them: beside the method what new rows are compared with, how probable they are, a
//! moved cut, examples that vectors are like, what later marks have changed; of words, of columns of every kind, of both.

use std::sync::OnceLock;

use likewise::Run;
use likewise::data::{Column, Dense, Table};
use likewise::questions::find::Find;
use likewise::questions::score::Score;
use likewise::questions::update::Update;
use likewise::questions::{ColumnChoice, Problem};
use likewise::trained::Trained;
use rand_pcg::Pcg64;

use super::models::{alter_model, reasons, sound};
use crate::container::Container;
use crate::{Answer, Target};

pub fn all() -> Vec<Box<dyn Target>> {
    [("nb", What::Words), ("logistic", What::Mixture), ("nearest", What::Vectors), ("nb", What::Corrected)]
        .into_iter()
        .map(|(method, what)| Box::new(Kept { method, what, honest: OnceLock::new() }) as Box<dyn Target>)
        .collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Words,
    Mixture,
    Vectors,
    Corrected,
}

struct Kept {
    method: &'static str,
    what: What,
    /// The file, and the same taken apart.
    honest: OnceLock<(Vec<Vec<u8>>, Container)>,
}

/// Rows of which every fourth is wanted, enough of them that new ones can be compared with them.
fn rows(what: What, wanted: bool, count: usize) -> Table {
    let topics = [["refund", "money", "back", "paid"], ["parcel", "late", "lost", "door"]];
    let is_wanted = |row: usize| wanted || row.is_multiple_of(4);
    let topic = |row: usize| topics[usize::from(!is_wanted(row))];
    let text = |row: usize| {
        let words = [row, row / 2, row / 3 + 1].map(|at| topic(row)[at % 4]);
        format!("{} number {row}", words.join(" "))
    };
    let shift = |row: usize| if is_wanted(row) { 2.0 } else { -1.0 };
    let mut table = Table::from_source("rows");
    if what != What::Vectors {
        table.push_column("text", Column::Text((0..count).map(text).collect()));
    }
    if what == What::Mixture {
        let number = |row: usize| {
            if row.is_multiple_of(7) { f64::NAN } else { shift(row) + (row * 7 % 11) as f64 / 11.0 }
        };
        table.push_column("size", Column::Number((0..count).map(number).collect()));
        let kind = |row: usize| ["x", "y", ""][row % 3];
        table.push_column("kind", Column::Text((0..count).map(kind).collect()));
        let day = |row: usize| format!("2024-03-{:02}", row % 28 + 1);
        table.push_column("day", Column::Text((0..count).map(day).collect()));
    }
    if matches!(what, What::Mixture | What::Vectors) {
        let value = |at: usize| shift(at / 3) as f32 + (at * 5 % 13) as f32 / 7.0;
        let values = (0..3 * count).map(value).collect();
        table.push_column("v", Column::Vectors(Dense::new(count, 3, values).expect("three numbers a row")));
    }
    table.origins = (0..count as u64).map(|row| (0, row + 1)).collect();
    table
}

impl Kept {
    fn learned(&self) -> likewise::Result<Vec<u8>> {
        let (run, named) =
            (Run::new(0), |names: &[&str]| Some(names.iter().map(|n| n.to_string()).collect()));
        let choice = match self.what {
            What::Words | What::Corrected => ColumnChoice::default(),
            What::Mixture => ColumnChoice {
                text: named(&["text"]),
                features: named(&["size", "kind", "day"]),
                vectors: named(&["v"]),
                ..ColumnChoice::default()
            },
            What::Vectors => ColumnChoice { vectors: named(&["v"]), ..ColumnChoice::default() },
        };
        let problem = Problem::of_two(rows(self.what, true, 10), rows(self.what, false, 60), &choice)?;
        let question = Find { baseline: true, probabilities: true, ..Find::new(Some(self.method), false)? };
        let trained = question.ask(&problem, &run)?.trained;
        if self.what != What::Corrected {
            return trained.to_bytes();
        }
        self.marks().correct(trained, &run)?.trained.to_bytes()
    }

    fn marks(&self) -> Update {
        let like = rows(self.what, true, 3);
        Update { like: Some(like), unlike: Some(rows(self.what, false, 3)), ..Update::default() }
    }

    fn kept(&self) -> &(Vec<Vec<u8>>, Container) {
        self.honest.get_or_init(|| {
            let file = self.learned().unwrap_or_else(|e| panic!("{} learns nothing: {e}", self.name()));
            let parts = Container::parse(&file).expect("a file of ours");
            (vec![file], parts)
        })
    }
}

impl Target for Kept {
    fn name(&self) -> String {
        format!("model-kept-{}", format!("{:?}", self.what).to_lowercase())
    }

    fn honest(&self) -> &[Vec<u8>] {
        &self.kept().0
    }

    fn alter(&self, rng: &mut Pcg64) -> Vec<u8> {
        let (files, parts) = self.kept();
        alter_model(rng, &files[0], parts)
    }

    fn read(&self, bytes: &[u8]) -> Result<Answer, String> {
        let Ok(trained) = Trained::from_bytes(bytes.to_vec()) else { return Ok(Answer::Refused) };
        let run = Run::new(0);
        let _ = trained.to_bytes();
        reasons(&trained.portrait(5))?;
        let table = rows(self.what, false, 30);
        reasons(&trained.explain(&table, 1, 5, &run).unwrap_or_default())?;
        let question = Score::new(&trained, None);
        let mut question = match trained.probabilities() {
            Some(_) => question.with_probabilities(None).map_err(|e| e.to_string())?,
            None => question,
        };
        let Ok(scored) = question.batch(&table, &run) else { return Ok(Answer::Refused) };
        sound(&scored.scores)?;
        for said in scored.probabilities.iter().flatten() {
            sound(&[said.low, said.probability, said.high])?;
        }
        if let Some(comparison) = question.comparison(&run) {
            let share = comparison.positives.map(|share| [share.low, share.share, share.high]);
            sound(share.as_ref().map_or(&[], |share| share))?;
        }
        if let Ok(cut) = question.recut(&run) {
            sound(&scored.scores.iter().map(|score| cut.score(*score)).collect::<Vec<_>>())?;
        }
        drop(question);
        if let Ok(updated) = self.marks().correct(trained, &run) {
            let again = updated.trained.score(&table, &run).map(|(scores, _)| scores);
            sound(&again.unwrap_or_default())?;
        }
        Ok(Answer::Given)
    }
}
