//! The matrix to factorise, its values in the precision of the factors.

use std::borrow::Cow;

use super::panel::Real;
use crate::data::Csr;

/// Compressed rows; those of a `Csr` are borrowed where nothing has to change.
pub struct Entries<'a, T: Real> {
    cols: usize,
    indptr: Cow<'a, [usize]>,
    indices: Cow<'a, [u32]>,
    values: Cow<'a, [T]>,
}

impl<'a, T: Real> Entries<'a, T> {
    pub fn new(v: &'a Csr) -> Self {
        Entries::with_values(v, T::from_f32s(&v.values))
    }

    /// The non-zeros of `v`, but with these values.
    pub fn with_values(v: &'a Csr, values: Cow<'a, [T]>) -> Self {
        assert_eq!(values.len(), v.nnz(), "one value for each entry");
        let (indptr, indices) = (Cow::Borrowed(&v.indptr[..]), Cow::Borrowed(&v.indices[..]));
        Entries { cols: v.cols, indptr, indices, values }
    }

    pub fn rows(&self) -> usize {
        self.indptr.len() - 1
    }

    /// The columns and values of a row.
    #[inline]
    pub fn row(&self, i: usize) -> (&[u32], &[T]) {
        let entries = self.indptr[i]..self.indptr[i + 1];
        (&self.indices[entries.clone()], &self.values[entries])
    }

    /// Columns become rows; entries of a column stay in row order.
    pub fn transpose(&self) -> Entries<'static, T> {
        let mut indptr = vec![0usize; self.cols + 1];
        for &j in self.indices.iter() {
            indptr[j as usize + 1] += 1;
        }
        for j in 0..self.cols {
            indptr[j + 1] += indptr[j];
        }
        let mut next = indptr.clone();
        let mut indices = vec![0u32; self.indices.len()];
        let mut values = vec![T::default(); self.values.len()];
        for i in 0..self.rows() {
            let (columns, row) = self.row(i);
            for (&j, &v) in columns.iter().zip(row) {
                let place = &mut next[j as usize];
                indices[*place] = i as u32;
                values[*place] = v;
                *place += 1;
            }
        }
        Entries { cols: self.rows(), indptr: indptr.into(), indices: indices.into(), values: values.into() }
    }

    /// The first row with a value below zero.
    pub fn negative_row(&self) -> Option<usize> {
        (0..self.rows()).find(|&i| self.row(i).1.iter().any(|x| *x < T::default()))
    }
}
