//! The nearest rows of each of many rows, and the undirected graph they make.

use crate::data::{Csr, CsrBuilder};

/// For every asked row, its neighbours from the most alike on. At most k each, fewer where fewer are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbours {
    /// Row `i` has the entries `ends[i]..ends[i + 1]`; one more element than rows.
    ends: Vec<usize>,
    rows: Vec<u32>,
    cosines: Vec<f32>,
}

/// When two rows are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeRule {
    /// One is among the nearest of the other.
    Either,
    /// Each is among the nearest of the other.
    Both,
}

impl Neighbours {
    pub(super) fn with_capacity(rows: usize, k: usize) -> Self {
        let mut ends = Vec::with_capacity(rows + 1);
        ends.push(0);
        Neighbours { ends, rows: Vec::with_capacity(rows * k), cosines: Vec::with_capacity(rows * k) }
    }

    pub(super) fn push_row(&mut self, neighbours: &[(u32, f32)]) {
        self.rows.extend(neighbours.iter().map(|(row, _)| *row));
        self.cosines.extend(neighbours.iter().map(|(_, cosine)| *cosine));
        self.ends.push(self.rows.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The neighbours of row `i` with their cosines, most alike first.
    pub fn of(&self, i: usize) -> impl ExactSizeIterator<Item = (usize, f32)> + '_ {
        let entries = self.ends[i]..self.ends[i + 1];
        self.rows[entries.clone()].iter().zip(&self.cosines[entries]).map(|(row, c)| (*row as usize, *c))
    }

    /// The undirected graph of these neighbours: a symmetric matrix of cosines without a diagonal.
    ///
    /// Only for the neighbours of a set of rows among themselves (`CosineIndex::graph`).
    pub fn edges(&self, rule: EdgeRule) -> Csr {
        let n = self.len();
        let chosen = self.by_row();
        let choosers = chosen.transpose();
        let mut out = CsrBuilder::with_capacity(n, n, self.rows.len());
        let mut joined: Vec<(u32, f32)> = Vec::new();
        for i in 0..n {
            let (mine, theirs) = (chosen.row(i), choosers.row(i));
            joined.clear();
            let (mut a, mut b) = (0, 0);
            while a < mine.len() || b < theirs.len() {
                let left = mine.indices.get(a).copied().unwrap_or(u32::MAX);
                let right = theirs.indices.get(b).copied().unwrap_or(u32::MAX);
                let cosine = if left <= right { mine.values[a] } else { theirs.values[b] };
                if left == right || rule == EdgeRule::Either {
                    joined.push((left.min(right), cosine));
                }
                a += usize::from(left <= right);
                b += usize::from(right <= left);
            }
            out.push_entries(joined.iter().copied());
        }
        out.finish()
    }

    /// The same entries as a sparse matrix, whose columns must ascend.
    fn by_row(&self) -> Csr {
        let mut out = CsrBuilder::with_capacity(self.len(), self.len(), self.rows.len());
        let mut row: Vec<(u32, f32)> = Vec::new();
        for i in 0..self.len() {
            row.clear();
            row.extend(self.of(i).map(|(j, cosine)| (j as u32, cosine)));
            row.sort_unstable_by_key(|(j, _)| *j);
            out.push_entries(row.iter().copied());
        }
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 and 1 choose each other, 2 chooses 1.
    fn three() -> Neighbours {
        let mut out = Neighbours::with_capacity(3, 1);
        out.push_row(&[(1, 0.5)]);
        out.push_row(&[(0, 0.5)]);
        out.push_row(&[(1, 0.25)]);
        out
    }

    #[test]
    fn either_joins_what_one_side_chose() {
        let edges = three().edges(EdgeRule::Either);
        assert_eq!(edges.indptr, [0, 1, 3, 4]);
        assert_eq!(edges.indices, [1, 0, 2, 1]);
        assert_eq!(edges.values, [0.5, 0.5, 0.25, 0.25]);
    }

    #[test]
    fn both_joins_what_each_side_chose() {
        let edges = three().edges(EdgeRule::Both);
        assert_eq!((edges.indptr, edges.indices), (vec![0, 1, 2, 2], vec![1, 0].into()));
    }
}
