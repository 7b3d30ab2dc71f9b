//! Numbers mapped so that a linear model in the new space bends in the old one (Williams & Seeger 2001).
//!
//! With m landmarks drawn from the rows and the Gaussian kernel k, the map is φ(x) = L⁻¹ k(landmarks, x) where
//! L Lᵀ is the kernel of the landmarks: then φ(x)·φ(y) ≈ k(x, y), and lengths are at most 1.

use rand::seq::index::sample;
use rayon::prelude::*;

use crate::data::Dense;
use crate::error::{Error, Result};
use crate::model_file::{Reader, Writer};
use crate::parts::product::rows_times_rows;
use crate::run::Run;

pub struct Nystrom {
    landmarks: Dense,
    /// L⁻¹, row by row.
    inverse: Vec<f32>,
    gamma: f64,
}

pub const LANDMARKS: usize = 300;
/// Added to the diagonal, since landmarks may lie on each other.
const RIDGE: f64 = 1e-4;
/// Rows mapped by one product.
const BLOCK: usize = 256;

impl Nystrom {
    /// Rows are taken to be scaled to unit deviation; the kernel is exp(-½ |x - y|² / columns).
    pub fn fit(x: &Dense, run: &Run) -> Result<Self> {
        let drawn = sample(&mut run.rng("landmarks", 0), x.rows(), LANDMARKS.min(x.rows()));
        let mut rows = drawn.into_vec();
        rows.sort_unstable();
        Nystrom::with_landmarks(x.select(&rows), 0.5 / x.cols.max(1) as f64)
    }

    fn with_landmarks(landmarks: Dense, gamma: f64) -> Result<Self> {
        let m = landmarks.rows();
        let mut factor = vec![0.0; m * m];
        for i in 0..m {
            for j in 0..=i {
                let kernel =
                    gaussian(landmarks.row(i), landmarks.row(j), gamma) + if i == j { RIDGE } else { 0.0 };
                let known: f64 =
                    factor[i * m..i * m + j].iter().zip(&factor[j * m..j * m + j]).map(|(a, b)| a * b).sum();
                factor[i * m + j] = if i == j {
                    (kernel - known).max(RIDGE * RIDGE).sqrt()
                } else {
                    (kernel - known) / factor[j * m + j]
                };
            }
        }
        Ok(Nystrom { landmarks, inverse: inverse_of_lower(&factor, m), gamma })
    }

    pub fn map(&self, x: &Dense) -> Result<Dense> {
        if x.cols != self.landmarks.cols {
            let message =
                format!("the model knows {} columns, the rows have {}", self.landmarks.cols, x.cols);
            return Err(Error::data(message));
        }
        let m = self.landmarks.rows();
        let mut values = vec![0f32; x.rows() * m];
        values.par_chunks_mut(BLOCK * m.max(1)).enumerate().for_each(|(block, out)| {
            let rows = block * BLOCK..(block * BLOCK + out.len() / m.max(1));
            let kernel = |row: usize| {
                (0..m).map(move |j| gaussian(x.row(row), self.landmarks.row(j), self.gamma) as f32)
            };
            let kernels: Vec<f32> = rows.flat_map(kernel).collect();
            rows_times_rows(&kernels, &self.inverse, m, out);
        });
        Dense::new(x.rows(), m, values)
    }

    pub fn save(&self, out: &mut Writer) {
        out.dense("landmarks", &self.landmarks);
        out.value("gamma", &self.gamma);
    }

    pub fn load(file: &Reader) -> Result<Self> {
        Nystrom::with_landmarks(file.dense("landmarks")?, file.value("gamma")?)
    }
}

/// Column by column of the identity, by forward substitution.
fn inverse_of_lower(factor: &[f64], m: usize) -> Vec<f32> {
    let mut inverse = vec![0f32; m * m];
    for column in 0..m {
        let mut solved = vec![0.0; m];
        for i in column..m {
            let known: f64 =
                factor[i * m + column..i * m + i].iter().zip(&solved[column..i]).map(|(a, b)| a * b).sum();
            solved[i] = (f64::from(u8::from(i == column)) - known) / factor[i * m + i];
            inverse[i * m + column] = solved[i] as f32;
        }
    }
    inverse
}

fn gaussian(a: &[f32], b: &[f32], gamma: f64) -> f64 {
    let squared: f32 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
    (-gamma * f64::from(squared)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_the_kernel_where_landmarks_lie() {
        let x = Dense::new(4, 2, vec![0.0, 0.0, 1.0, 0.0, 0.0, 2.0, -1.0, 1.0]).unwrap();
        let map = Nystrom::fit(&x, &Run::new(0)).unwrap();
        let mapped = map.map(&x).unwrap();
        for i in 0..4 {
            for j in 0..4 {
                let product: f32 = mapped.row(i).iter().zip(mapped.row(j)).map(|(a, b)| a * b).sum();
                let kernel = gaussian(x.row(i), x.row(j), 0.25);
                assert!((f64::from(product) - kernel).abs() < 1e-3, "{i} {j}: {product} {kernel}");
            }
        }
    }

    #[test]
    fn equal_rows_stay_finite() {
        let x = Dense::new(5, 2, vec![1.0; 10]).unwrap();
        let mapped = Nystrom::fit(&x, &Run::new(0)).unwrap().map(&x).unwrap();
        assert!(mapped.values.iter().all(|v| v.is_finite()));
    }
}
