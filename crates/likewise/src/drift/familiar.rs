//! How much of a row was there before: its words, or its numbers within the range that others had.
//!
//! Rows that were learned from know all of themselves, so each of them is asked as if it alone had not been there: a word
//! that no other row has counts as new, and so does the largest number of a column.

use serde::{Deserialize, Serialize};

use crate::data::Data;
use crate::error::{Error, Result};
use crate::model_file::{Reader, Writer};

/// Shares of rows in hundredths, so that those of parts add up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Familiar {
    hundredths: Vec<u64>,
}

impl Familiar {
    /// Adds the share of a row of which something was there before.
    pub fn add(&mut self, share: f64) {
        self.hundredths.resize(101, 0);
        self.hundredths[(100.0 * share.clamp(0.0, 1.0)).round() as usize] += 1;
    }

    /// Adds those of another part.
    pub fn merge(&mut self, other: &Familiar) {
        self.hundredths.resize(self.hundredths.len().max(other.hundredths.len()), 0);
        self.hundredths.iter_mut().zip(&other.hundredths).for_each(|(sum, more)| *sum += more);
    }

    /// How many rows had anything to know.
    pub fn rows(&self) -> u64 {
        self.hundredths.iter().sum()
    }

    /// The mean share, and its error.
    pub fn mean(&self) -> (f64, f64) {
        let n = self.rows().max(1) as f64;
        let sum = |power: i32| -> f64 {
            let terms = self.hundredths.iter().enumerate();
            terms.map(|(at, rows)| (at as f64 / 100.0).powi(power) * *rows as f64).sum::<f64>() / n
        };
        let mean = sum(1);
        (mean, ((sum(2) - mean * mean).max(0.0) / n).sqrt())
    }

    /// Refuses a damaged one.
    pub fn check(&self) -> Result<()> {
        let sum = self.hundredths.iter().try_fold(0u64, |sum, rows| sum.checked_add(*rows));
        if [0, 101].contains(&self.hundredths.len()) && sum.is_some() {
            return Ok(());
        }
        Err(Error::model_file("what is familiar is not told in hundredths"))
    }
}

/// From where to where the numbers of each column go.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges {
    low: Vec<f32>,
    high: Vec<f32>,
}

/// The two lowest and highest numbers of a column.
#[derive(Clone, Copy)]
struct Ends {
    low: [f32; 2],
    high: [f32; 2],
}

impl Ranges {
    /// The ranges of these rows, and what each of some rows among them would know if it alone had not been there. Of
    /// sparse rows the numbers that are there are asked for; 0 is always known.
    pub fn learn(x: &Data, among: &[usize]) -> Option<(Ranges, Familiar)> {
        let cols = x.cols()?;
        let start = match x {
            Data::Sparse(_) => Ends { low: [0.0; 2], high: [0.0; 2] },
            _ => Ends { low: [f32::MAX; 2], high: [f32::MIN; 2] },
        };
        let mut ends = vec![start; cols];
        for row in 0..x.rows() {
            each(x, row, |j, value| {
                let Ends { low, high } = &mut ends[j];
                match value {
                    v if v < low[0] => *low = [v, low[0]],
                    v if v < low[1] => low[1] = v,
                    _ => {}
                }
                match value {
                    v if v > high[0] => *high = [v, high[0]],
                    v if v > high[1] => high[1] = v,
                    _ => {}
                }
            });
        }
        let mut familiar = Familiar::default();
        for &row in among {
            let (mut known, mut all) = (0, 0);
            each(x, row, |j, value| {
                all += 1;
                let Ends { low, high } = &ends[j];
                // The row's own end does not count, unless another row shares it.
                let alone_low = value == low[0] && low[1] > low[0];
                let alone_high = value == high[0] && high[1] < high[0];
                known += usize::from(!alone_low && !alone_high);
            });
            if all > 0 {
                familiar.add(known as f64 / all as f64);
            }
        }
        let ranges = Ranges {
            low: ends.iter().map(|ends| ends.low[0]).collect(),
            high: ends.iter().map(|ends| ends.high[0]).collect(),
        };
        Some((ranges, familiar))
    }

    /// Takes whatever stands in these columns for known.
    pub fn leave_out(&mut self, columns: std::ops::Range<usize>) {
        self.low[columns.clone()].fill(f32::MIN);
        self.high[columns].fill(f32::MAX);
    }

    /// Adds new rows, and to each column how often it lay outside.
    pub fn add(&self, x: &Data, familiar: &mut Familiar, outside: &mut Vec<u64>) {
        outside.resize(self.low.len(), 0);
        for row in 0..x.rows() {
            let (mut known, mut all) = (0, 0);
            each(x, row, |j, value| {
                all += 1;
                match self.low[j] <= value && value <= self.high[j] {
                    true => known += 1,
                    false => outside[j] += 1,
                }
            });
            if all > 0 {
                familiar.add(f64::from(known) / f64::from(all));
            }
        }
    }

    /// Whether rows of so many columns have these ranges.
    pub fn fits(&self, x: &Data) -> bool {
        x.cols() == Some(self.low.len())
    }

    /// Keeps them.
    pub fn save(&self, out: &mut Writer) {
        out.f32s("low", &[self.low.len()], &self.low);
        out.f32s("high", &[self.high.len()], &self.high);
    }

    /// Reads kept ones.
    pub fn load(file: &Reader) -> Result<Self> {
        let (low, high) = (file.read_f32s("low")?, file.read_f32s("high")?);
        if low.len() != high.len() {
            return Err(Error::model_file("ranges of columns have two lengths"));
        }
        Ok(Ranges { low, high })
    }
}

/// The numbers of a row that are there, by column.
fn each(x: &Data, row: usize, mut visit: impl FnMut(usize, f32)) {
    match x {
        Data::Sparse(x) => x.row(row).iter().for_each(|(j, value)| visit(j, value)),
        Data::Dense(x) => x.row(row).iter().enumerate().for_each(|(j, value)| visit(j, *value)),
        Data::Relational(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Dense};

    #[test]
    fn a_row_alone_with_its_number_does_not_know_it() {
        let x: Data = Dense::new(4, 2, vec![1.0, 5.0, 2.0, 5.0, 3.0, 5.0, 9.0, 5.0]).unwrap().into();
        let (ranges, familiar) = Ranges::learn(&x, &[0, 1, 2, 3]).unwrap();
        // Rows 0 and 3 hold an end of the first column each: half of their two numbers is known.
        assert_eq!((familiar.rows(), familiar.mean().0), (4, 0.75));
        let new: Data = Dense::new(2, 2, vec![10.0, 5.0, 2.5, 4.0]).unwrap().into();
        let (mut seen, mut outside) = (Familiar::default(), Vec::new());
        ranges.add(&new, &mut seen, &mut outside);
        assert_eq!((seen.mean().0, outside), (0.5, vec![1, 1]));
    }

    #[test]
    fn sparse_columns_that_nobody_had_are_new() {
        let x: Data = Csr::new(3, vec![0, 1, 2], vec![0, 0], vec![1.0, 2.0]).unwrap().into();
        let (ranges, _) = Ranges::learn(&x, &[0, 1]).unwrap();
        let new: Data = Csr::new(3, vec![0, 2], vec![0, 2], vec![1.5, 1.0]).unwrap().into();
        let (mut seen, mut outside) = (Familiar::default(), Vec::new());
        ranges.add(&new, &mut seen, &mut outside);
        assert_eq!((seen.mean().0, outside), (0.5, vec![0, 0, 1]));
    }

    #[test]
    fn means_and_their_errors_by_hand() {
        let mut shares = Familiar::default();
        [0.0, 1.0, 1.0, 1.0].into_iter().for_each(|share| shares.add(share));
        let (mean, error) = shares.mean();
        assert!((mean - 0.75).abs() < 1e-12 && (error - (0.1875f64 / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(Familiar::default().mean(), (0.0, 0.0));
    }
}
