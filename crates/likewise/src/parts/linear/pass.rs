//! Passes over all rows with a column of ones for the bias: X p, and Σ r_i x_i.
//!
//! Sums are made in chunks that depend on the data alone, so they are the same on any number of threads.

use rayon::prelude::*;

use super::RowView;
use super::vector::add_scaled;

pub struct Pass<'a> {
    x: RowView<'a>,
    chunk: usize,
    /// What each chunk of rows adds up to.
    sums: Vec<Vec<f64>>,
}

/// Columns whose sums over the chunks are added together at a time.
const COLUMNS: usize = 4096;

impl<'a> Pass<'a> {
    pub fn over(x: RowView<'a>) -> Self {
        let entries = match x {
            RowView::Sparse(x) => x.nnz(),
            RowView::Dense(x) => x.values.len(),
        };
        // Each chunk sums into a vector of its own; there are only so many that these stay a small part of the work.
        let chunks = (entries / (4 * (x.cols() + 1))).clamp(1, 64);
        let chunk = x.len().div_ceil(chunks).max(1);
        let sums = vec![vec![0.0; x.cols() + 1]; x.len().div_ceil(chunk)];
        Pass { x, chunk, sums }
    }

    /// Columns of the rows, without the one for the bias.
    pub fn columns(&self) -> usize {
        self.x.cols()
    }

    /// x_i·p + bias for every row; the bias is the last element of `p`.
    pub fn products(&self, p: &[f64]) -> Vec<f64> {
        let (weights, bias) = p.split_at(self.x.cols());
        (0..self.x.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|i| self.x.dot(i, weights) + bias[0])
            .collect()
    }

    /// Σ r_i x_i, and Σ r_i as the last element.
    pub fn weighted_sum(&mut self, r: &[f64], total: &mut [f64]) {
        let x = self.x;
        self.sum(r, total, |i, r, sum| x.add_scaled(i, r, sum))
    }

    /// Σ r_i x_i² for each column, and Σ r_i as the last element.
    pub fn weighted_square_sum(&mut self, r: &[f64], total: &mut [f64]) {
        let x = self.x;
        self.sum(r, total, |i, r, sum| x.add_scaled_squares(i, r, sum))
    }

    fn sum(&mut self, r: &[f64], total: &mut [f64], add: impl Fn(usize, f64, &mut [f64]) + Sync) {
        let (d, chunk) = (self.x.cols(), self.chunk);
        (self.sums.par_iter_mut().zip(r.par_chunks(chunk))).enumerate().for_each(|(c, (sum, r))| {
            sum.fill(0.0);
            for (k, &r) in r.iter().enumerate() {
                add(c * chunk + k, r, &mut sum[..d]);
                sum[d] += r;
            }
        });
        total.par_chunks_mut(COLUMNS).enumerate().for_each(|(c, total)| {
            let columns = c * COLUMNS..c * COLUMNS + total.len();
            total.fill(0.0);
            self.sums.iter().for_each(|sum| add_scaled(total, 1.0, &sum[columns.clone()]));
        });
    }
}
