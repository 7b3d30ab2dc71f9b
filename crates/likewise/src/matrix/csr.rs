//! Compressed sparse rows: u32 columns, f32 values, columns ascending within a row.

use rayon::prelude::*;

use super::Buffer;
use crate::codes::{self, Code};
use crate::error::{Error, Result};

/// A matrix of which most cells are zero.
///
/// ```
/// use likewise::prelude::*;
/// // Two rows of three columns: (0, 5, 0) and (1, 0, 2).
/// let x = Csr::new(3, vec![0, 1, 3], vec![1, 0, 2], vec![5.0, 1.0, 2.0])?;
/// assert_eq!((x.rows(), x.column_sums(0..2)), (2, vec![1.0, 5.0, 2.0]));
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Csr {
    /// How many columns there are.
    pub cols: usize,
    /// Row `i` holds the entries `indptr[i]..indptr[i + 1]`; one more element than rows.
    pub indptr: Vec<usize>,
    /// The column of each entry.
    pub indices: Buffer<u32>,
    /// The value of each entry.
    pub values: Buffer<f32>,
}

/// One row, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct SparseRow<'a> {
    /// Columns, ascending.
    pub indices: &'a [u32],
    /// The value in each of these columns.
    pub values: &'a [f32],
}

impl<'a> SparseRow<'a> {
    /// Column and value of each entry.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, f32)> + use<'a> {
        self.indices.iter().zip(self.values).map(|(j, v)| (*j as usize, *v))
    }

    /// Whether every cell is zero.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// The sum of all values.
    pub fn sum(&self) -> f64 {
        self.values.iter().map(|v| f64::from(*v)).sum()
    }

    /// The sum of all squares.
    pub fn squared_norm(&self) -> f64 {
        self.values.iter().map(|v| f64::from(*v) * f64::from(*v)).sum()
    }

    /// The product with another row.
    pub fn dot_row(&self, other: SparseRow<'_>) -> f64 {
        let (mut a, mut b, mut sum) = (0, 0, 0.0);
        while a < self.len() && b < other.len() {
            match self.indices[a].cmp(&other.indices[b]) {
                std::cmp::Ordering::Less => a += 1,
                std::cmp::Ordering::Greater => b += 1,
                std::cmp::Ordering::Equal => {
                    sum += f64::from(self.values[a]) * f64::from(other.values[b]);
                    (a, b) = (a + 1, b + 1);
                }
            }
        }
        sum
    }

    /// The product with a vector that has an element for every column.
    pub fn dot(&self, weights: &[f64]) -> f64 {
        let (columns, values) = (self.indices.chunks_exact(4), self.values.chunks_exact(4));
        let rest = columns.remainder().iter().zip(values.remainder());
        let rest: f64 = rest.map(|(j, v)| f64::from(*v) * weights[*j as usize]).sum();
        // Four sums at a time: a single one would wait for itself at every step.
        let mut sums = [0.0; 4];
        for (j, v) in columns.zip(values) {
            for k in 0..4 {
                sums[k] += f64::from(v[k]) * weights[j[k] as usize];
            }
        }
        sums.iter().sum::<f64>() + rest
    }
}

impl Csr {
    /// Checks the shape, so that nothing behind it needs to: ascending columns below `cols`, finite values.
    pub fn new(cols: usize, indptr: Vec<usize>, indices: Vec<u32>, values: Vec<f32>) -> Result<Self> {
        Csr::from_buffers(cols, indptr, indices.into(), values.into())
    }

    /// The same for entries that may be lent.
    pub fn from_buffers(
        cols: usize,
        indptr: Vec<usize>,
        indices: Buffer<u32>,
        values: Buffer<f32>,
    ) -> Result<Self> {
        let refused = |code, what: &str| Err(Error::of(code, format!("a sparse matrix with {what}")));
        let shape = |what: &str| refused(&codes::UNUSABLE_DATA, what);
        if indptr.first() != Some(&0) || indptr.last() != Some(&indices.len()) || !indptr.is_sorted() {
            return shape("row ends that do not match its entries");
        }
        if indices.len() != values.len() {
            return shape("unequal numbers of columns and values");
        }
        let x = Csr { cols, indptr, indices, values };
        // Threads of a pool of our own only: those that rayon starts by itself would be lost in a forked process.
        let fault = match rayon::current_thread_index() {
            Some(_) => (0..x.rows()).into_par_iter().with_min_len(1024).find_map_first(|row| x.fault(row)),
            None => (0..x.rows()).find_map(|row| x.fault(row)),
        };
        fault.map_or(Ok(x), |(code, what)| refused(code, &what))
    }

    /// What is wrong with a row. Sums over all its entries, since loops that may end at any entry do not vectorise.
    fn fault(&self, row: usize) -> Option<(&'static Code, String)> {
        let SparseRow { indices, values } = self.row(row);
        let pairs = indices.iter().zip(indices.get(1..).unwrap_or_default());
        let ascending = pairs.fold(true, |all, (a, b)| all & (a < b));
        if !ascending || indices.last().is_some_and(|j| *j as usize >= self.cols) {
            let what = format!("columns out of order or range in row {row}, counted from 0");
            return Some((&codes::UNUSABLE_DATA, what));
        }
        let finite = values.iter().fold(true, |all, v| all & v.is_finite());
        let what = || format!("a value that is not a finite number in row {row}, counted from 0");
        (!finite).then(|| (&codes::NOT_A_NUMBER, what()))
    }

    /// No rows yet.
    pub fn empty(cols: usize) -> Self {
        Csr { cols, indptr: vec![0], indices: Buffer::default(), values: Buffer::default() }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.indptr.len() - 1
    }

    /// How many entries there are.
    pub fn nnz(&self) -> usize {
        self.indices.len()
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> SparseRow<'_> {
        let entries = self.indptr[i]..self.indptr[i + 1];
        SparseRow { indices: &self.indices[entries.clone()], values: &self.values[entries] }
    }

    /// The rows in their order.
    pub fn iter_rows(&self) -> impl ExactSizeIterator<Item = SparseRow<'_>> {
        (0..self.rows()).map(|i| self.row(i))
    }

    /// The given rows, in the given order.
    pub fn select(&self, rows: &[usize]) -> Csr {
        let nnz = rows.iter().map(|&i| self.indptr[i + 1] - self.indptr[i]).sum();
        let mut out = CsrBuilder::with_capacity(self.cols, rows.len(), nnz);
        for &i in rows {
            out.push_row(self.row(i));
        }
        out.finish()
    }

    /// Columns become rows, in O(non-zeros); entries of a column stay in row order.
    pub fn transpose(&self) -> Csr {
        let mut indptr = vec![0usize; self.cols + 1];
        for &j in &self.indices {
            indptr[j as usize + 1] += 1;
        }
        for j in 0..self.cols {
            indptr[j + 1] += indptr[j];
        }
        let mut next = indptr.clone();
        let mut indices = vec![0u32; self.nnz()];
        let mut values = vec![0f32; self.nnz()];
        for (i, row) in self.iter_rows().enumerate() {
            for (j, v) in row.iter() {
                indices[next[j]] = i as u32;
                values[next[j]] = v;
                next[j] += 1;
            }
        }
        Csr { cols: self.rows(), indptr, indices: indices.into(), values: values.into() }
    }

    /// The sum of the given rows for each column.
    pub fn column_sums(&self, rows: impl IntoIterator<Item = usize>) -> Vec<f64> {
        let mut sums = vec![0.0; self.cols];
        for i in rows {
            for (j, v) in self.row(i).iter() {
                sums[j] += f64::from(v);
            }
        }
        sums
    }

    /// The same rows over the columns that they hold, in the old order.
    pub fn without_unused_columns(&self) -> Csr {
        let mut column_of = vec![u32::MAX; self.cols];
        let mut kept = 0;
        for (column, df) in self.document_frequencies().into_iter().enumerate() {
            if df > 0 {
                column_of[column] = kept;
                kept += 1;
            }
        }
        let mut out = CsrBuilder::with_capacity(kept as usize, self.rows(), self.nnz());
        for row in self.iter_rows() {
            let held = row.iter().filter(|(_, value)| *value != 0.0);
            out.push_entries(held.map(|(column, value)| (column_of[column], value)));
        }
        out.finish()
    }

    /// In how many rows each column is not zero.
    pub fn document_frequencies(&self) -> Vec<u32> {
        let mut df = vec![0; self.cols];
        for (&j, &v) in self.indices.iter().zip(&self.values) {
            df[j as usize] += u32::from(v != 0.0);
        }
        df
    }

    /// Scales every row to Euclidean length 1; an empty row stays empty.
    pub fn normalize_rows(&mut self) {
        self.normalize_rows_beside(|_| 0.0);
    }

    /// The same as if every row had more columns, of this squared length together.
    pub fn normalize_rows_beside(&mut self, beside: impl Fn(usize) -> f64) {
        for i in 0..self.rows() {
            let length = (self.row(i).squared_norm() + beside(i)).sqrt();
            if length > 0.0 {
                let scale = (1.0 / length) as f32;
                let entries = self.indptr[i]..self.indptr[i + 1];
                self.values[entries].iter_mut().for_each(|v| *v *= scale);
            }
        }
    }
}

/// Builds a `Csr` row by row.
pub struct CsrBuilder {
    cols: usize,
    indptr: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f32>,
}

impl CsrBuilder {
    /// Room for so many rows and entries.
    pub fn with_capacity(cols: usize, rows: usize, nnz: usize) -> Self {
        let mut indptr = Vec::with_capacity(rows + 1);
        indptr.push(0);
        CsrBuilder { cols, indptr, indices: Vec::with_capacity(nnz), values: Vec::with_capacity(nnz) }
    }

    /// Adds a row as it is.
    pub fn push_row(&mut self, row: SparseRow<'_>) {
        self.indices.extend_from_slice(row.indices);
        self.values.extend_from_slice(row.values);
        self.indptr.push(self.indices.len());
    }

    /// Columns must ascend; zeros are left out.
    pub fn push_entries(&mut self, entries: impl IntoIterator<Item = (u32, f32)>) {
        for (j, v) in entries {
            if v != 0.0 {
                self.indices.push(j);
                self.values.push(v);
            }
        }
        self.indptr.push(self.indices.len());
    }

    /// Adds a row in which [`super::MISSING`] is kept: a zero to whoever computes, and a gap to whoever looks for one.
    pub fn push_with_gaps(&mut self, entries: impl IntoIterator<Item = (u32, f32)>) {
        for (j, v) in entries.into_iter().filter(|(_, v)| v.to_bits() != 0) {
            self.indices.push(j);
            self.values.push(v);
        }
        self.indptr.push(self.indices.len());
    }

    /// The matrix of what was added.
    pub fn finish(self) -> Csr {
        Csr { cols: self.cols, indptr: self.indptr, indices: self.indices.into(), values: self.values.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn small() -> Csr {
        Csr::new(3, vec![0, 2, 2, 3], vec![0, 2, 1], vec![1.0, 2.0, 3.0]).unwrap()
    }

    #[test]
    fn refuses_what_is_not_a_matrix() {
        assert!(Csr::new(3, vec![0, 2], vec![2, 0], vec![1.0, 2.0]).is_err());
        assert!(Csr::new(2, vec![0, 1], vec![2], vec![1.0]).is_err());
        assert!(Csr::new(3, vec![0, 1], vec![0], vec![f32::NAN]).is_err());
        assert!(Csr::new(3, vec![0, 5], vec![0], vec![1.0]).is_err());
    }

    #[test]
    fn rows_multiply_where_their_columns_meet() {
        let x = Csr::new(4, vec![0, 3, 5], vec![0, 2, 3, 1, 2], vec![1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!((x.row(0).dot_row(x.row(1)), x.row(1).dot_row(x.row(1))), (10.0, 41.0));
    }

    #[test]
    fn selects_and_sums() {
        let x = small().select(&[2, 0]);
        assert_eq!(x.row(0).indices, [1]);
        assert_eq!(small().column_sums(0..3), [1.0, 3.0, 2.0]);
    }

    proptest! {
        #[test]
        fn transposing_twice_is_the_identity(rows in prop::collection::vec(prop::collection::btree_map(0u32..7, 1i8..9, 0..6), 0..9)) {
            let mut builder = CsrBuilder::with_capacity(7, rows.len(), 0);
            for row in &rows {
                builder.push_entries(row.iter().map(|(j, v)| (*j, f32::from(*v))));
            }
            let x = builder.finish();
            prop_assert_eq!(x.transpose().transpose(), x);
        }
    }
}
