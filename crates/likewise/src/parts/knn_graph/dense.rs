//! Rows of numbers: blocked products of unit rows, then exact cosines for the few that may win.

use std::ops::Range;
use std::sync::Arc;

use super::top::{Top, best, slack};
use crate::data::Dense;
use crate::parts::product::rows_times_rows;

/// How many stored rows are multiplied at a time.
const BLOCK: usize = 1024;

pub(super) struct DenseIndex {
    rows: Arc<Dense>,
    /// The rows scaled to length 1; a zero row stays zero.
    units: Vec<f32>,
    lengths: Vec<f64>,
}

impl DenseIndex {
    pub fn new(rows: &Arc<Dense>) -> Self {
        let lengths: Vec<f64> = rows.iter_rows().map(length).collect();
        let units = rows.iter_rows().zip(&lengths).flat_map(|(row, &length)| unit(row, length)).collect();
        DenseIndex { rows: rows.clone(), units, lengths }
    }

    /// The k nearest stored rows of the given rows of `x`.
    pub fn nearest(
        &self,
        x: &Dense,
        wanted: Range<usize>,
        exclude_self: bool,
        k: usize,
    ) -> Vec<Vec<(u32, f32)>> {
        let cols = self.rows.cols;
        let lengths: Vec<f64> = wanted.clone().map(|i| length(x.row(i))).collect();
        let queries: Vec<f32> =
            wanted.clone().zip(&lengths).flat_map(|(i, &length)| unit(x.row(i), length)).collect();
        let slack = slack(cols);
        let mut tops: Vec<Top> = wanted.clone().map(|_| Top::new(k + usize::from(exclude_self))).collect();
        tops.iter_mut().for_each(|top| top.start(slack, -slack));
        let mut products = vec![0f32; wanted.len() * BLOCK];
        for first in (0..self.rows.rows()).step_by(BLOCK) {
            let count = BLOCK.min(self.rows.rows() - first);
            let stored = &self.units[first * cols..(first + count) * cols];
            let products = &mut products[..wanted.len() * count];
            rows_times_rows(&queries, stored, cols, products);
            for (top, scores) in tops.iter_mut().zip(products.chunks_exact(count)) {
                top.push_all(scores, first);
            }
        }
        let exact = |((i, length), top): ((usize, f64), &mut Top)| {
            let cosines = top.candidates().filter(|&j| !(exclude_self && j as usize == i)).map(|j| {
                let dot: f64 = x
                    .row(i)
                    .iter()
                    .zip(self.rows.row(j as usize))
                    .map(|(a, b)| f64::from(*a) * f64::from(*b))
                    .sum();
                (j, dot)
            });
            // Asked of the product, not of the cosine: a zero row has none, and `min` would make 1 of it.
            let alike = cosines.filter(|(_, dot)| *dot > 0.0);
            let cosine =
                |(j, dot): (u32, f64)| (j, (dot / (length * self.lengths[j as usize])).min(1.0) as f32);
            best(alike.map(cosine).collect(), k)
        };
        wanted.zip(lengths).zip(&mut tops).map(exact).collect()
    }
}

fn length(row: &[f32]) -> f64 {
    row.iter().map(|v| f64::from(*v) * f64::from(*v)).sum::<f64>().sqrt()
}

fn unit(row: &[f32], length: f64) -> impl Iterator<Item = f32> + '_ {
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    row.iter().map(move |v| (f64::from(*v) * scale) as f32)
}
