//! Linear one-class SVM by dual coordinate descent on pairs (Chou, Lin & Lin 2020).
//!
//! Solves:  min over w, ρ, ξ of  ½ w·w - ν n ρ + Σ ξ_i,   w·x_i ≥ ρ - ξ_i,  ξ_i ≥ 0
//! by its dual:  min over α of  ½ |Σ α_i x_i|²,   0 ≤ α_i ≤ 1,  Σ α_i = ν n
//!
//! At most a share ν of the rows falls outside w·x = ρ, and at least ν of them support it. In each round the
//! gradients x_i·w of all rows are computed, the worst pairs of one row to raise and one to lower are taken,
//! and weight is moved within each pair.

use rayon::prelude::*;

use super::{LinearModel, RowView};
use crate::data::Data;
use crate::error::Result;
use crate::run::Run;

#[derive(Clone, Debug)]
pub struct LinearOneClass {
    /// The largest share of rows left outside.
    pub nu: f64,
    /// Stops when no pair of gradients is further apart than this share of ρ.
    pub tolerance: f64,
}

/// Rounds after which the search ends even if some pair is further apart.
const MOST_ROUNDS: u64 = 10_000;

impl LinearOneClass {
    /// The model w·x - ρ: its bias is -ρ.
    pub fn fit(&self, x: &Data, run: &Run) -> Result<LinearModel> {
        let x = RowView::of(x)?;
        let n = x.len();
        let mut alphas = vec![0.0; n];
        let mut left = self.nu * n as f64;
        for alpha in &mut alphas {
            *alpha = left.clamp(0.0, 1.0);
            left -= *alpha;
        }
        let mut w = vec![0.0; x.cols()];
        (0..n).for_each(|i| x.add_scaled(i, alphas[i], &mut w));
        let norms: Vec<f64> = (0..n).map(|i| x.squared_norm(i)).collect();
        let pairs = (n / 10).clamp(1, 1000);
        for round in 0..MOST_ROUNDS {
            run.step("linear one-class svm", round, MOST_ROUNDS)?;
            let gradients: Vec<f64> = (0..n).into_par_iter().map(|i| x.dot(i, &w)).collect();
            let lowest = worst(&gradients, pairs, |i| alphas[i] < 1.0, |g| g);
            let highest = worst(&gradients, pairs, |i| alphas[i] > 0.0, |g| -g);
            let (Some(&up), Some(&down)) = (lowest.first(), highest.first()) else { break };
            let size = gradients[up].abs().max(gradients[down].abs());
            if gradients[down] - gradients[up] <= self.tolerance * size {
                break;
            }
            for (&up, &down) in lowest.iter().zip(&highest) {
                let gap = x.dot(down, &w) - x.dot(up, &w);
                if up == down || gap <= 0.0 {
                    continue;
                }
                let curvature = (norms[up] + norms[down] - 2.0 * x.row_product(up, down)).max(1e-12);
                let moved = (gap / curvature).min(1.0 - alphas[up]).min(alphas[down]);
                alphas[up] += moved;
                alphas[down] -= moved;
                x.add_scaled(up, moved, &mut w);
                x.add_scaled(down, -moved, &mut w);
            }
        }
        let rho = offset(x, &w, &alphas);
        Ok(LinearModel { weights: w, bias: -rho })
    }
}

/// The `most` allowed rows with the smallest key, smallest first, ties by row.
fn worst(
    gradients: &[f64],
    most: usize,
    allowed: impl Fn(usize) -> bool,
    key: impl Fn(f64) -> f64,
) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..gradients.len()).filter(|&i| allowed(i)).collect();
    let order = |a: &usize, b: &usize| key(gradients[*a]).total_cmp(&key(gradients[*b])).then(a.cmp(b));
    if rows.len() > most {
        rows.select_nth_unstable_by(most, order);
        rows.truncate(most);
    }
    rows.sort_unstable_by(order);
    rows
}

/// ρ: the mean gradient of the free rows, or the middle between the two sides where none is free.
fn offset(x: RowView, w: &[f64], alphas: &[f64]) -> f64 {
    let (mut free, mut sum) = (0, 0.0);
    let (mut below, mut above) = (f64::NEG_INFINITY, f64::INFINITY);
    for (i, &alpha) in alphas.iter().enumerate() {
        let gradient = x.dot(i, w);
        if alpha >= 1.0 {
            below = below.max(gradient);
        } else if alpha <= 0.0 {
            above = above.min(gradient);
        } else {
            free += 1;
            sum += gradient;
        }
    }
    match (free > 0, below.is_finite(), above.is_finite()) {
        (true, _, _) => sum / f64::from(free),
        (false, true, true) => 0.5 * (below + above),
        (false, true, false) => below,
        (false, _, _) => above,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    fn rows(values: &[f32], cols: usize) -> Data {
        Data::Dense(Arc::new(Dense::new(values.len() / cols, cols, values.to_vec()).unwrap()))
    }

    #[test]
    fn two_rows_by_hand() {
        // ν n = 1: w is the point of the segment between (1, 0) and (0, 2) nearest to the origin, (0.8, 0.4).
        let solver = LinearOneClass { nu: 0.5, tolerance: 1e-12 };
        let model = solver.fit(&rows(&[1.0, 0.0, 0.0, 2.0], 2), &Run::new(0)).unwrap();
        let wanted = [0.8, 0.4, -0.8];
        for (found, wanted) in model.weights.iter().chain([&model.bias]).zip(wanted) {
            assert!((found - wanted).abs() < 1e-9, "{model:?}");
        }
    }

    #[test]
    fn nu_bounds_the_share_outside() {
        let values: Vec<f32> = (0..100).map(|i| 1.0 + (i * 37 % 100) as f32 / 100.0).collect();
        for nu in [0.05, 0.2, 0.5] {
            let solver = LinearOneClass { nu, tolerance: 1e-9 };
            let model = solver.fit(&rows(&values, 1), &Run::new(0)).unwrap();
            let margins = model.margins(&rows(&values, 1)).unwrap();
            let outside = margins.iter().filter(|m| **m < -1e-9).count() as f64 / 100.0;
            let on_or_outside = margins.iter().filter(|m| **m < 1e-9).count() as f64 / 100.0;
            assert!(outside <= nu + 1e-9 && on_or_outside >= nu, "{nu}: {outside} {on_or_outside}");
        }
    }

    #[test]
    fn equal_rows_and_one_row_are_solved() {
        for n in [1, 7] {
            let model = LinearOneClass { nu: 0.5, tolerance: 1e-6 }
                .fit(&rows(&vec![2.0; n], 1), &Run::new(0))
                .unwrap();
            assert!(model.margins(&rows(&[2.0], 1)).unwrap()[0].abs() < 1e-9);
        }
    }
}
