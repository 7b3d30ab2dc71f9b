//! Rows as sets of words: which distinct sets there are, and how far apart two of them lie.

use hashbrown::HashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::Csr;

/// A distance between two sets of words; all follow from their sizes and what they have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Distance {
    /// Words that one row has and the other lacks
    Hamming,
    /// The square root of the Hamming distance
    Euclidean,
    /// 1 - cosine; an empty row is at 1 from every other
    Cosine,
    /// 1 - common words / all words of the two
    Jaccard,
}

impl Distance {
    pub const ALL: [Distance; 4] =
        [Distance::Hamming, Distance::Euclidean, Distance::Cosine, Distance::Jaccard];

    /// The distance of two rows of `a` and `b` words, `common` of them shared.
    #[inline]
    pub fn of(self, common: u32, a: u32, b: u32) -> f64 {
        let (common, a, b) = (f64::from(common), f64::from(a), f64::from(b));
        match self {
            Distance::Hamming => a + b - 2.0 * common,
            Distance::Euclidean => (a + b - 2.0 * common).sqrt(),
            _ if a + b == 0.0 => 0.0,
            Distance::Cosine if a == 0.0 || b == 0.0 => 1.0,
            Distance::Cosine => 1.0 - common / (a * b).sqrt(),
            Distance::Jaccard => 1.0 - common / (a + b - common),
        }
    }
}

/// The distinct rows of a matrix, and which of them each row is.
#[derive(Clone, Debug)]
pub struct BinaryRows {
    pub cols: usize,
    ends: Vec<usize>,
    words: Vec<u32>,
    /// For each row of the matrix the number of its distinct row.
    pub distinct_of: Vec<u32>,
}

impl BinaryRows {
    /// The given rows; a word counts as present if its value is above zero.
    pub fn new(x: &Csr, rows: &[usize]) -> Self {
        let mut known: HashMap<Vec<u32>, u32, foldhash::fast::FixedState> = HashMap::default();
        let mut out = BinaryRows { cols: x.cols, ends: vec![0], words: Vec::new(), distinct_of: Vec::new() };
        let mut present = Vec::new();
        for &i in rows {
            present.clear();
            present.extend(x.row(i).iter().filter(|(_, v)| *v > 0.0).map(|(j, _)| j as u32));
            let next = known.len() as u32;
            let number = match known.get(present.as_slice()) {
                Some(number) => *number,
                None => {
                    known.insert(present.clone(), next);
                    out.words.extend_from_slice(&present);
                    out.ends.push(out.words.len());
                    next
                }
            };
            out.distinct_of.push(number);
        }
        out
    }

    /// How many distinct rows.
    pub fn len(&self) -> usize {
        self.ends.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words of a distinct row, ascending.
    pub fn words(&self, distinct: usize) -> &[u32] {
        &self.words[self.ends[distinct]..self.ends[distinct + 1]]
    }

    /// How many words a distinct row has.
    pub fn size(&self, distinct: usize) -> u32 {
        (self.ends[distinct + 1] - self.ends[distinct]) as u32
    }

    /// How often each distinct row occurs.
    pub fn multiplicities(&self) -> Vec<u32> {
        let mut times = vec![0; self.len()];
        self.distinct_of.iter().for_each(|&d| times[d as usize] += 1);
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand() {
        // {a, b, c} and {b, c, d, e}: 2 in common, 3 apart, union 5.
        let of = |distance: Distance| distance.of(2, 3, 4);
        assert_eq!(of(Distance::Hamming), 3.0);
        assert_eq!(of(Distance::Euclidean), 3f64.sqrt());
        assert!((of(Distance::Cosine) - (1.0 - 2.0 / 12f64.sqrt())).abs() < 1e-12);
        assert!((of(Distance::Jaccard) - 0.6).abs() < 1e-12);
        assert_eq!((Distance::Cosine.of(0, 0, 2), Distance::Cosine.of(0, 0, 0)), (1.0, 0.0));
        assert_eq!((Distance::Jaccard.of(0, 0, 2), Distance::Jaccard.of(0, 0, 0)), (1.0, 0.0));
    }

    #[test]
    fn equal_rows_are_one() {
        let x = Csr::new(3, vec![0, 2, 2, 4, 5], vec![0, 2, 0, 2, 1], vec![1.0, 5.0, 2.0, 1.0, 0.0]).unwrap();
        let rows = BinaryRows::new(&x, &[0, 1, 2, 3]);
        assert_eq!(rows.distinct_of, [0, 1, 0, 1]);
        assert_eq!((rows.words(0), rows.size(1)), (&[0, 2][..], 0));
        assert_eq!(rows.multiplicities(), [2, 2]);
    }
}
