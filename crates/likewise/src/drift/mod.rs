//! Tomorrow's rows beside those that were learned from: are they of the same kind, and are as many of them positive?
//!
//! A model keeps a [`Baseline`]: where rows like its pile, and positives, stand in its ranking, none of which it learned
//! from ([`crate::automatic::left_out`]), and how much of a row others know. What it scores later is counted the same way
//! ([`SeenRows`], of bounded size); [`compare`] says where the two differ beyond chance, and [`share`] how many are positive.

pub mod compare;
pub mod familiar;
pub mod learned;
pub mod recut;
pub mod share;
pub mod standing;

pub use compare::Comparison;

use serde::{Deserialize, Serialize};

use crate::data::Data;
use crate::decide::is_positive;
use crate::error::{Error, Result};
use crate::model_file::{Reader, Writer};
use familiar::{Familiar, Ranges};
use learned::{Learned, Met};
use share::Share;
use standing::{Ladder, LadderCounts};

/// What new rows are compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    pub(crate) told: Told,
    /// None for documents, whose words the features know.
    pub(crate) ranges: Option<Ranges>,
    /// The mean row of the pile, from which corrections are taken; empty in files of older versions.
    pub(crate) mean: Vec<f32>,
}

/// The part of it that is counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Told {
    /// Scores of the pile that was learned from.
    pub ladder: Ladder,
    /// Where rows like the pile stand.
    pub pile: LadderCounts,
    /// Where positives stand.
    pub positives: LadderCounts,
    /// The share of positives in the pile, where somebody has estimated it.
    pub prior: Option<Share>,
    /// How much of each row others know.
    pub familiar: Familiar,
    /// Whether that is of words where the rows have other columns too.
    #[serde(default)]
    pub words: bool,
    /// Which rows they were; files of older versions do not say.
    #[serde(default)]
    pub learned: Learned,
}

/// What was counted of new rows. Those of parts add up to that of the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenRows {
    /// Where they stand.
    pub standing: LadderCounts,
    /// How many are marked.
    pub found: u64,
    /// How much of each was known.
    pub familiar: Familiar,
    /// How many lie outside of the range of each column; empty for documents.
    pub outside: Vec<u64>,
    /// How many are rows that were learned from.
    pub met: Met,
}

impl Baseline {
    /// No row yet.
    pub fn nothing_seen(&self) -> SeenRows {
        let (standing, familiar) = (self.told.ladder.counts(), Familiar::default());
        SeenRows { standing, found: 0, familiar, outside: Vec::new(), met: Met::default() }
    }

    /// How many examples were learned from.
    pub fn examples(&self) -> usize {
        self.told.positives.rows as usize
    }

    /// The mean row of the pile; empty where the model does not know it.
    pub fn mean_row(&self) -> &[f32] {
        &self.mean
    }

    /// Counts more rows: their scores, and what is known of their words or, of numbers, the rows themselves.
    pub fn count(&self, seen: &mut SeenRows, scores: &[f64], known: &[Option<f32>], x: &Data) {
        self.told.ladder.add(&mut seen.standing, scores);
        seen.found += scores.iter().filter(|score| is_positive(**score)).count() as u64;
        self.told.learned.count(&mut seen.met, x);
        known.iter().flatten().for_each(|share| seen.familiar.add(f64::from(*share)));
        if let Some(ranges) = self.ranges.as_ref().filter(|ranges| ranges.fits(x)) {
            let mut of_numbers = Familiar::default();
            let familiar = if self.told.words { &mut of_numbers } else { &mut seen.familiar };
            ranges.add(x, familiar, &mut seen.outside);
        }
    }

    /// Keeps it in a model file.
    pub fn save(&self, out: &mut Writer) {
        out.value("told", &self.told);
        out.value("ranged", &self.ranges.is_some());
        out.f32s("mean", &[self.mean.len()], &self.mean);
        if let Some(ranges) = &self.ranges {
            out.nested("ranges", |out| ranges.save(out));
        }
    }

    /// Reads a kept one; none where the model has none.
    pub fn load(file: &Reader) -> Result<Option<Self>> {
        if !file.has_value("told") {
            return Ok(None);
        }
        let told: Told = file.value("told")?;
        told.ladder.check()?;
        told.pile.check(&told.ladder)?;
        told.positives.check(&told.ladder)?;
        told.familiar.check()?;
        told.learned.check()?;
        let within =
            |prior: &Share| 0.0 <= prior.low && prior.low <= prior.share && prior.share <= prior.high;
        if !told.prior.iter().all(|prior| within(prior) && prior.high <= 1.0) {
            return Err(Error::model_file("its share of positives is none"));
        }
        let ranges = match file.value("ranged")? {
            true => Some(Ranges::load(&file.nested("ranges"))?),
            false => None,
        };
        let mean = if file.has_numbers("mean") { file.read_f32s("mean")? } else { Vec::new() };
        Ok(Some(Baseline { told, ranges, mean }))
    }
}

impl SeenRows {
    /// Adds what was counted of another part.
    pub fn merge(&mut self, other: &SeenRows) {
        self.standing.merge(&other.standing);
        self.found += other.found;
        self.familiar.merge(&other.familiar);
        self.met.merge(&other.met);
        self.outside.resize(self.outside.len().max(other.outside.len()), 0);
        self.outside.iter_mut().zip(&other.outside).for_each(|(sum, more)| *sum += more);
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.standing.rows as usize
    }
}
