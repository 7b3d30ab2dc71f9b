//! Sparse or dense rows, as a linear solver sees them: products with a vector, and sums into one.

use super::vector::{add_scaled, dot};
use crate::data::{Csr, Data, Dense};
use crate::error::{Error, Result};

#[derive(Clone, Copy, Debug)]
pub enum RowView<'a> {
    Sparse(&'a Csr),
    Dense(&'a Dense),
}

impl<'a> RowView<'a> {
    pub fn of(x: &'a Data) -> Result<Self> {
        match x {
            Data::Sparse(x) => Ok(RowView::Sparse(x)),
            Data::Dense(x) => Ok(RowView::Dense(x)),
            Data::Relational(_) => Err(Error::data("a linear model takes word weights or numeric columns")),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            RowView::Sparse(x) => x.rows(),
            RowView::Dense(x) => x.rows(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn cols(&self) -> usize {
        match self {
            RowView::Sparse(x) => x.cols,
            RowView::Dense(x) => x.cols,
        }
    }

    /// The product of row `i` with `weights`, which has an element for every column.
    #[inline]
    pub fn dot(&self, i: usize, weights: &[f64]) -> f64 {
        match self {
            RowView::Sparse(x) => x.row(i).dot(weights),
            RowView::Dense(x) => dot(x.row(i), weights),
        }
    }

    /// `into` += `factor` x row `i`.
    #[inline]
    pub fn add_scaled(&self, i: usize, factor: f64, into: &mut [f64]) {
        match self {
            RowView::Sparse(x) => x.row(i).iter().for_each(|(j, v)| into[j] += factor * f64::from(v)),
            RowView::Dense(x) => add_scaled(into, factor, x.row(i)),
        }
    }

    /// `into` += `factor` x the squares of row `i`.
    #[inline]
    pub fn add_scaled_squares(&self, i: usize, factor: f64, into: &mut [f64]) {
        let square = |v: f32| f64::from(v) * f64::from(v);
        match self {
            RowView::Sparse(x) => x.row(i).iter().for_each(|(j, v)| into[j] += factor * square(v)),
            RowView::Dense(x) => {
                into.iter_mut().zip(x.row(i)).for_each(|(sum, v)| *sum += factor * square(*v));
            }
        }
    }

    pub fn squared_norm(&self, i: usize) -> f64 {
        match self {
            RowView::Sparse(x) => x.row(i).squared_norm(),
            RowView::Dense(x) => dot(x.row(i), x.row(i)),
        }
    }

    /// The product of two rows; sparse ones must hold their columns in ascending order.
    pub fn row_product(&self, i: usize, k: usize) -> f64 {
        match self {
            RowView::Sparse(x) => x.row(i).dot_row(x.row(k)),
            RowView::Dense(x) => dot(x.row(i), x.row(k)),
        }
    }

    /// The entries of row `i` that are not zero.
    pub fn for_each_entry(&self, i: usize, mut visit: impl FnMut(usize, f64)) {
        match self {
            RowView::Sparse(x) => x.row(i).iter().for_each(|(j, v)| visit(j, f64::from(v))),
            RowView::Dense(x) => {
                let entries = x.row(i).iter().enumerate().filter(|(_, v)| **v != 0.0);
                entries.for_each(|(j, v)| visit(j, f64::from(*v)));
            }
        }
    }
}
