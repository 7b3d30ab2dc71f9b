//! Are new rows the very rows that were learned from?
//!
//! A model places what it has learned from otherwise than a stranger: rows of the pile that are positive were taken for
//! negatives, and stand lower than they would as new rows. Compared with rows like the pile they would look like another
//! share of positives. So the model keeps the least hashes of its rows (Broder 1997, On the resemblance and containment of
//! documents): of new rows whose hash is no larger than the last of these, the part that is among them says how many of all
//! were learned from.
//!
//! Only contents that stood there once are kept: a few categories make the same rows anew every day. Whatever the
//! distribution, a new row meets a content that n others have held exactly once with a chance of max np(1-p)ⁿ⁻¹ < 1/e at
//! most, so that more than half of them is no chance.

use serde::{Deserialize, Serialize};

use crate::data::Data;
use crate::error::{Error, Result};
use crate::run::spread_hash;

/// The least hashes of the rows whose content was learned from once, ascending.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    hashes: Vec<u64>,
}

/// Of new rows: how many could be asked, and how many of these were learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Met {
    asked: u64,
    known: u64,
}

/// A share of the rows by so many hashes is off by less than a twentieth.
const KEPT: usize = 1000;
/// Fewer rows that could be asked tell nothing.
const FEWEST: u64 = 10;

impl Learned {
    /// Of all rows that were learned from.
    pub fn of(x: &Data) -> Self {
        let mut hashes: Vec<u64> = (0..x.rows()).map(|row| hash(x, row)).collect();
        hashes.sort_unstable();
        let once = hashes.chunk_by(|a, b| a == b).filter(|alike| alike.len() == 1);
        Learned { hashes: once.take(KEPT).map(|alike| alike[0]).collect() }
    }

    /// Asks for more new rows.
    pub fn count(&self, met: &mut Met, x: &Data) {
        let Some(&last) = self.hashes.last() else { return };
        let reach = if self.hashes.len() < KEPT { u64::MAX } else { last };
        for hash in (0..x.rows()).map(|row| hash(x, row)).filter(|hash| *hash <= reach) {
            met.asked += 1;
            met.known += u64::from(self.hashes.binary_search(&hash).is_ok());
        }
    }

    /// Refuses a damaged one.
    pub fn check(&self) -> Result<()> {
        match self.hashes.len() <= KEPT && self.hashes.windows(2).all(|pair| pair[0] < pair[1]) {
            true => Ok(()),
            false => Err(Error::model_file("the hashes of what it learned from are damaged")),
        }
    }
}

impl Met {
    /// Adds what was met in another part.
    pub fn merge(&mut self, other: &Met) {
        self.asked += other.asked;
        self.known += other.known;
    }

    /// The share of the new rows that was learned from; none where too few could be asked.
    pub fn share(&self) -> Option<f64> {
        (self.asked >= FEWEST).then(|| self.known as f64 / self.asked as f64)
    }
}

/// Of a sparse row which columns it has, of a dense one all its numbers.
fn hash(x: &Data, row: usize) -> u64 {
    match x {
        Data::Sparse(x) => spread_hash(0, x.row(row).iter().flat_map(|(j, _)| (j as u32).to_le_bytes())),
        Data::Dense(x) => spread_hash(0, x.row(row).iter().flat_map(|value| value.to_le_bytes())),
        Data::Relational(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    fn numbers(rows: std::ops::Range<u32>) -> Data {
        let n = rows.len();
        Dense::new(n, 1, rows.map(|row| row as f32).collect()).unwrap().into()
    }

    fn known(learned: &Learned, rows: std::ops::Range<u32>) -> Option<f64> {
        let mut met = Met::default();
        learned.count(&mut met, &numbers(rows));
        met.share()
    }

    #[test]
    fn few_rows_are_all_kept_and_of_many_the_share_is_told() {
        let few = Learned::of(&numbers(0..100));
        assert_eq!(known(&few, 0..50), Some(1.0));
        assert_eq!(known(&few, 75..125), Some(0.5));
        assert_eq!(known(&few, 0..9), None);

        let many = Learned::of(&numbers(0..50_000));
        assert_eq!(known(&many, 0..50_000), Some(1.0));
        let half = known(&many, 25_000..75_000).unwrap();
        assert!((half - 0.5).abs() < 0.05, "{half}");
        assert_eq!(known(&many, 50_000..100_000), Some(0.0));
    }

    #[test]
    fn contents_that_repeat_are_met_by_new_rows_too() {
        let repeated = numbers(0..20).select(&[0, 1, 2, 0, 1, 2, 3]);
        let learned = Learned::of(&repeated);
        assert_eq!(learned.hashes.len(), 1);
        let mut met = Met::default();
        learned.count(&mut met, &repeated);
        learned.count(&mut met, &repeated);
        assert_eq!(met.share(), Some(1.0 / 7.0));
    }

    #[test]
    fn damaged_hashes_are_refused() {
        assert!(Learned { hashes: vec![2, 1] }.check().is_err());
        assert!(Learned { hashes: (0..2000).collect() }.check().is_err());
        assert!(Learned::of(&numbers(0..2000)).check().is_ok());
    }
}
