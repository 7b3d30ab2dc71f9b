//! Passes over all rows with a column of ones for the bias: X p, and Σ r_i x_i.
//!
//! Sums are made in chunks that depend on the data alone, so they are the same on any number of threads.

use rayon::prelude::*;

use super::Rows;
use super::vector::add_scaled;

pub struct Pass<'a> {
    x: Rows<'a>,
    chunk: usize,
}

impl<'a> Pass<'a> {
    pub fn over(x: Rows<'a>) -> Self {
        let entries = match x {
            Rows::Sparse(x) => x.nnz(),
            Rows::Dense(x) => x.values.len(),
        };
        // Each chunk sums into a vector of its own; there are only so many that these stay a small part of the work.
        let chunks = (entries / (4 * (x.cols() + 1))).clamp(1, 64);
        Pass { x, chunk: x.len().div_ceil(chunks).max(1) }
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
    pub fn weighted_sum(&self, r: &[f64]) -> Vec<f64> {
        self.sum(r, |i, r, sum| self.x.add_scaled(i, r, sum))
    }

    /// Σ r_i x_i² for each column, and Σ r_i as the last element.
    pub fn weighted_square_sum(&self, r: &[f64]) -> Vec<f64> {
        self.sum(r, |i, r, sum| self.x.add_scaled_squares(i, r, sum))
    }

    fn sum(&self, r: &[f64], add: impl Fn(usize, f64, &mut [f64]) + Sync) -> Vec<f64> {
        let d = self.x.cols();
        let sums: Vec<Vec<f64>> = (r.par_chunks(self.chunk).enumerate())
            .map(|(c, r)| {
                let mut sum = vec![0.0; d + 1];
                for (k, &r) in r.iter().enumerate() {
                    add(c * self.chunk + k, r, &mut sum[..d]);
                    sum[d] += r;
                }
                sum
            })
            .collect();
        let mut sums = sums.into_iter();
        let mut total = sums.next().unwrap_or_else(|| vec![0.0; d + 1]);
        sums.for_each(|sum| add_scaled(&mut total, 1.0, &sum));
        total
    }
}
