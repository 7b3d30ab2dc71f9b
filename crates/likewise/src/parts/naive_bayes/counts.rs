//! What naive Bayes counts: how often a word occurs, or in how many rows it occurs.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Csr, Data, SparseRow};
use crate::error::{Error, Result};
use crate::method::{ColumnCounts, exact};

/// The event model: what is thought to be drawn when a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// Each word is present or absent in a row; absent words speak too
    Bernoulli,
    /// Each position of a row draws a word; how often a word occurs counts
    Multinomial,
}

impl Event {
    /// The entries of a row as this model sees them.
    #[inline]
    pub fn entries<'a>(self, row: SparseRow<'a>) -> impl Iterator<Item = (usize, f64)> + 'a {
        row.iter().filter(|(_, v)| *v > 0.0).map(move |(j, v)| match self {
            Event::Bernoulli => (j, 1.0),
            Event::Multinomial => (j, f64::from(v)),
        })
    }
}

/// The rows as counts; refuses negative values, which have no meaning as "how often".
pub fn counts(x: &Data) -> Result<&Csr> {
    let x = x.sparse()?;
    let negative = |i: &usize| x.row(*i).values.iter().any(|v| *v < 0.0);
    match (0..x.rows()).find(negative) {
        Some(row) => Err(Error::data(format!(
            "row {} has a negative value, but naive Bayes counts; choose another method or weights",
            row + 1
        ))),
        None => Ok(x),
    }
}

/// The sufficient statistics of one class, of whole rows or of shares of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct WordCounts {
    /// How many rows.
    pub rows: f64,
    /// For each word its occurrences (multinomial) or the rows that hold it (Bernoulli).
    pub words: Vec<f64>,
}

/// Sums are always made over this many parts, in order, so that they do not depend on the threads.
const PARTS: usize = 16;

impl WordCounts {
    pub fn of(x: &Csr, rows: &[usize], event: Event) -> Self {
        Self::weighted(x, rows, |_| 1.0, event)
    }

    /// The same of rows that others have counted.
    pub fn of_columns(counts: &ColumnCounts, event: Event) -> Result<Self> {
        let words = match event {
            Event::Bernoulli => &counts.holding,
            Event::Multinomial => &counts.total,
        };
        let words = words.iter().map(|count| exact(*count)).collect::<Result<_>>()?;
        Ok(WordCounts { rows: exact(counts.rows)?, words })
    }

    /// Row `rows[k]` counts `weight(k)` times.
    pub fn weighted(x: &Csr, rows: &[usize], weight: impl Fn(usize) -> f64 + Sync, event: Event) -> Self {
        let size = rows.len().div_ceil(PARTS).max(512);
        let parts: Vec<WordCounts> = (rows.par_chunks(size).enumerate())
            .map(|(part, rows)| {
                let mut sum = WordCounts::none(x.cols);
                for (k, &i) in rows.iter().enumerate() {
                    let weight = weight(part * size + k);
                    sum.rows += weight;
                    event.entries(x.row(i)).for_each(|(j, v)| sum.words[j] += weight * v);
                }
                sum
            })
            .collect();
        parts.into_iter().reduce(|a, b| a.plus(&b)).unwrap_or_else(|| WordCounts::none(x.cols))
    }

    pub fn none(cols: usize) -> Self {
        WordCounts { rows: 0.0, words: vec![0.0; cols] }
    }

    /// As if every row counted so many times.
    pub fn times(mut self, weight: f64) -> Self {
        self.rows *= weight;
        self.words.iter_mut().for_each(|count| *count *= weight);
        self
    }

    pub fn plus(mut self, other: &WordCounts) -> Self {
        self.rows += other.rows;
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a += b);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn small() -> Csr {
        Csr::new(2, vec![0, 2, 3], vec![0, 1, 1], vec![3.0, 1.0, 2.0]).unwrap()
    }

    #[test]
    fn a_negative_count_is_named() {
        let x = Csr::new(2, vec![0, 1, 2], vec![0, 1], vec![1.0, -1.0]).unwrap();
        let message = counts(&Data::Sparse(Arc::new(x))).unwrap_err().to_string();
        assert!(message.starts_with("row 2 has a negative value"), "{message}");
    }

    #[test]
    fn occurrences_or_rows() {
        let all = WordCounts::of(&small(), &[0, 1], Event::Multinomial);
        assert_eq!(all, WordCounts { rows: 2.0, words: vec![3.0, 3.0] });
        let half = WordCounts::weighted(&small(), &[1, 0], |k| [0.5, 1.0][k], Event::Bernoulli);
        assert_eq!(half, WordCounts { rows: 1.5, words: vec![1.0, 1.5] });
    }
}
