//! Numbers mapped so that a linear model in the new space bends in the old one (Williams & Seeger 2001).
//!
//! With m landmarks drawn from the rows and the Gaussian kernel k, the map is φ(x) = L⁻¹ k(landmarks, x) where
//! L Lᵀ is the kernel of the landmarks: then φ(x)·φ(y) ≈ k(x, y), and lengths are at most 1. The kernel is
//! exp(-½ |x - y|² / columns) of columns scaled to unit deviation, so rows may come in any unit.

use rand::seq::index::sample;
use rayon::prelude::*;

use crate::data::Dense;
use crate::error::{Error, Result};
use crate::features::scale::Scale;
use crate::model_file::{Reader, Writer};
use crate::parts::product::rows_times_rows;
use crate::run::Run;

pub struct Nystrom {
    /// Of each column.
    scales: Vec<Scale>,
    /// Scaled.
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
    pub fn fit(x: &Dense, run: &Run) -> Result<Self> {
        let drawn = sample(&mut run.rng("landmarks", 0), x.rows(), LANDMARKS.min(x.rows()));
        let mut rows = drawn.into_vec();
        rows.sort_unstable();
        let scales: Vec<Scale> = (0..x.cols).into_par_iter().map(|j| scale_of_column(x, j)).collect();
        let values = rows.iter().flat_map(|&i| scaled(x.row(i), &scales)).collect();
        Nystrom::with_landmarks(scales, Dense::new(rows.len(), x.cols, values)?)
    }

    fn with_landmarks(scales: Vec<Scale>, landmarks: Dense) -> Result<Self> {
        let gamma = 0.5 / landmarks.cols.max(1) as f64;
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
        Ok(Nystrom { scales, landmarks, inverse: inverse_of_lower(&factor, m), gamma })
    }

    pub fn map(&self, x: &Dense) -> Result<Dense> {
        self.check_columns(x)?;
        let m = self.landmarks.rows();
        let mut values = vec![0f32; x.rows() * m];
        values.par_chunks_mut(BLOCK * m.max(1)).enumerate().for_each(|(block, out)| {
            let rows = block * BLOCK..(block * BLOCK + out.len() / m.max(1));
            let mut kernels = Vec::with_capacity(out.len());
            for row in rows {
                let row: Vec<f32> = scaled(x.row(row), &self.scales).collect();
                kernels.extend(self.landmarks.iter_rows().map(|l| gaussian(&row, l, self.gamma) as f32));
            }
            rows_times_rows(&kernels, &self.inverse, m, out);
        });
        Dense::new(x.rows(), m, values)
    }

    fn check_columns(&self, x: &Dense) -> Result<()> {
        if x.cols == self.landmarks.cols {
            return Ok(());
        }
        Err(Error::data(format!("the model knows {} columns, the rows have {}", self.landmarks.cols, x.cols)))
    }

    /// By how much each column of a row raises w·φ(x): its value less that with the column at its mean.
    pub fn pushes(&self, x: &Dense, row: usize, weights: &[f64]) -> Result<Vec<f64>> {
        self.check_columns(x)?;
        let row: Vec<f32> = scaled(x.row(row), &self.scales).collect();
        let mut pushes = vec![0.0; row.len()];
        for (at, landmark) in self.landmarks.iter_rows().enumerate() {
            // w·φ(x) = v·k(landmarks, x) with v = L⁻ᵀ w.
            let inverse = self.inverse.chunks_exact(self.landmarks.rows());
            let v: f64 = inverse.zip(weights).map(|(row, w)| f64::from(row[at]) * w).sum();
            let apart = |x: f32, l: f32| (f64::from(x) - f64::from(l)).powi(2);
            let distance: f64 = row.iter().zip(landmark).map(|(x, l)| apart(*x, *l)).sum();
            let kernel = (-self.gamma * distance).exp();
            for (push, (&x, &l)) in pushes.iter_mut().zip(row.iter().zip(landmark)) {
                // The mean of a scaled column is 0.
                let without = (distance - apart(x, l) + apart(0.0, l)).max(0.0);
                *push += v * (kernel - (-self.gamma * without).exp());
            }
        }
        Ok(pushes)
    }

    pub fn save(&self, out: &mut Writer) {
        out.dense("landmarks", &self.landmarks);
        out.kept_rows(self.landmarks.rows());
        let of_columns = |number: fn(&Scale) -> f64| self.scales.iter().map(number).collect::<Vec<f64>>();
        out.f64s("means", &[self.scales.len()], &of_columns(|s| s.mean));
        out.f64s("scales", &[self.scales.len()], &of_columns(|s| s.scale));
    }

    pub fn load(file: &Reader) -> Result<Self> {
        let (landmarks, means, scales) =
            (file.dense("landmarks")?, file.read_f64s("means")?, file.read_f64s("scales")?);
        let usable = means.iter().all(|m| m.is_finite()) && scales.iter().all(|s| *s > 0.0);
        if means.len() != landmarks.cols || scales.len() != landmarks.cols || !usable {
            return Err(Error::model_file("the scales of its columns are damaged"));
        }
        let scales = means.into_iter().zip(scales).map(|(mean, scale)| Scale { mean, scale }).collect();
        Nystrom::with_landmarks(scales, landmarks)
    }
}

/// A column of zeros and ones says whether, not how much, and stays as it is: scaled, a rare level of a category
/// would outweigh every other column.
fn scale_of_column(x: &Dense, j: usize) -> Scale {
    let mut column = (0..x.rows()).map(|i| f64::from(x.row(i)[j]));
    let scale = Scale::of(column.clone());
    let whether = column.all(|v| v == 0.0 || v == 1.0);
    if whether { Scale { scale: 1.0, ..scale } } else { scale }
}

/// Values far outside what was seen stay finite.
fn scaled<'a>(row: &'a [f32], scales: &'a [Scale]) -> impl Iterator<Item = f32> + 'a {
    let far = f64::from(f32::MAX);
    row.iter().zip(scales).map(move |(v, scale)| scale.apply(f64::from(*v)).clamp(-far, far) as f32)
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

    fn corners() -> Dense {
        Dense::new(4, 2, vec![0.0, 0.0, 1.0, 0.0, 0.0, 2.0, -1.0, 1.0]).unwrap()
    }

    fn dot(a: &[f32], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * b).sum()
    }

    #[test]
    fn products_are_the_kernel_where_landmarks_lie() {
        let x = corners();
        let map = Nystrom::fit(&x, &Run::new(0)).unwrap();
        let mapped = map.map(&x).unwrap();
        // The deviations of the columns are √½ and √(11/16).
        let squares = |i: usize, j: usize| {
            let apart = |c: usize| f64::from(x.row(i)[c] - x.row(j)[c]).powi(2);
            apart(0) / 0.5 + apart(1) / 0.6875
        };
        for i in 0..4 {
            for j in 0..4 {
                let product: f32 = mapped.row(i).iter().zip(mapped.row(j)).map(|(a, b)| a * b).sum();
                let kernel = (-0.25 * squares(i, j)).exp();
                assert!((f64::from(product) - kernel).abs() < 1e-3, "{i} {j}: {product} {kernel}");
            }
        }
    }

    #[test]
    fn a_push_is_what_the_column_at_its_mean_would_take_away() {
        let (x, weights) = (corners(), [1.0, -2.0, 0.5, 3.0]);
        let map = Nystrom::fit(&x, &Run::new(0)).unwrap();
        let one = |row: [f32; 2]| Dense::new(1, 2, row.to_vec()).unwrap();
        let value = |row: [f32; 2]| dot(map.map(&one(row)).unwrap().row(0), &weights);
        let pushes = map.pushes(&one([0.5, -1.0]), 0, &weights).unwrap();
        // The means are 0 and 3/4.
        for (push, without) in pushes.iter().zip([[0.0, -1.0], [0.5, 0.75]]) {
            let expected = value([0.5, -1.0]) - value(without);
            assert!((push - expected).abs() < 1e-4, "{push} {expected}");
        }
        let far = map.pushes(&one([f32::MAX, f32::MIN]), 0, &weights).unwrap();
        assert!(far.iter().all(|push| push.is_finite()));
    }

    #[test]
    fn flags_keep_their_unit() {
        let x = Dense::new(4, 2, vec![0.0, 0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 2.0]).unwrap();
        let scales = Nystrom::fit(&x, &Run::new(0)).unwrap().scales;
        assert_eq!((scales[0], scales[1].scale), (Scale { mean: 0.25, scale: 1.0 }, 0.75f64.sqrt()));
    }

    #[test]
    fn equal_and_huge_rows_stay_finite() {
        let equal = Dense::new(5, 2, vec![1.1; 10]).unwrap();
        let huge = Dense::new(2, 2, vec![f32::MAX, 0.0, f32::MIN, f32::MAX]).unwrap();
        for fitted in [&equal, &huge] {
            let map = Nystrom::fit(fitted, &Run::new(0)).unwrap();
            for x in [&equal, &huge] {
                assert!(map.map(x).unwrap().values.iter().all(|v| v.is_finite()));
            }
        }
    }
}
