//! Linear support vector machines by dual coordinate descent (Hsieh et al. 2008).
//!
//! Solves:  min over w, b of  ½ (w·w + b²) + Σ_i C_i max(0, 1 - y_i (x_i·w + b))^k,   k = 1 or 2
//! by its dual:  min over α of  ½ αᵀ(Q + D)α - Σ α_i,   0 ≤ α_i ≤ U_i,   Q_ij = y_i y_j (x_i·x_j + 1)
//!     k = 1:  D_ii = 0, U_i = C_i;      k = 2:  D_ii = 1/(2 C_i), U_i = ∞
//!
//! Given: rows, labels, and a weight C_i for each row (0 leaves a row out). One α at a time is set to the best
//! value while w = Σ α_i y_i (x_i, 1) is kept up to date; rows that stay at a bound are set aside until the rest
//! has converged. The bias is an ordinary weight of a column of ones, as in LIBLINEAR.

use rand::seq::SliceRandom;

use super::{ActiveColumns, LinearModel, RowView};
use crate::data::Data;
use crate::error::{Error, Result};
use crate::run::Run;

/// The power of the hinge: how a row on the wrong side is punished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hinge {
    /// By its distance (L1 loss).
    Linear,
    /// By the square of its distance (L2 loss).
    Squared,
}

#[derive(Clone, Debug)]
pub struct LinearSvm {
    pub hinge: Hinge,
    /// Stops when the projected gradients of all rows lie within a band this wide.
    pub tolerance: f64,
}

impl Default for LinearSvm {
    fn default() -> Self {
        LinearSvm { hinge: Hinge::Linear, tolerance: 1e-3 }
    }
}

/// The model and the dual variables, from which a similar problem can be started.
#[derive(Clone, Debug)]
pub struct SvmSolution {
    pub model: LinearModel,
    pub alphas: Vec<f64>,
}

/// Epochs after which the search ends even if the band is wider.
const MOST_EPOCHS: u64 = 1000;

impl LinearSvm {
    /// `start`: the dual variables of a similar problem over the same rows.
    pub fn fit(
        &self,
        x: &Data,
        positive: &[bool],
        c: &[f64],
        start: Option<&[f64]>,
        run: &Run,
    ) -> Result<SvmSolution> {
        let x = RowView::of(x)?;
        if x.len() != positive.len() || x.len() != c.len() {
            return Err(Error::data(format!("{} rows but {} labels", x.len(), positive.len())));
        }
        match ActiveColumns::of(x) {
            Some(active) => {
                let found = self.descend(RowView::Sparse(&active.x), positive, c, start, run)?;
                Ok(SvmSolution { model: active.widen(found.model), alphas: found.alphas })
            }
            None => self.descend(x, positive, c, start, run),
        }
    }

    /// The primal value of the module's formula.
    pub fn objective(&self, x: &Data, positive: &[bool], c: &[f64], model: &LinearModel) -> Result<f64> {
        let loss = model.margins(x)?.into_iter().zip(positive).zip(c).map(|((m, &p), c)| {
            let short = (1.0 - signed(p, m)).max(0.0);
            c * if self.hinge == Hinge::Linear { short } else { short * short }
        });
        let size: f64 = model.weights.iter().map(|w| w * w).sum::<f64>() + model.bias * model.bias;
        Ok(0.5 * size + loss.sum::<f64>())
    }

    fn descend(
        &self,
        x: RowView,
        positive: &[bool],
        c: &[f64],
        start: Option<&[f64]>,
        run: &Run,
    ) -> Result<SvmSolution> {
        let bounds: Vec<Bound> = c.iter().map(|&c| Bound::new(self.hinge, c)).collect();
        let mut w = vec![0.0; x.cols()];
        let mut bias = 0.0;
        let mut alphas = vec![0.0; x.len()];
        for (i, &alpha) in start.into_iter().flatten().enumerate() {
            alphas[i] = alpha.clamp(0.0, bounds[i].most);
            let push = signed(positive[i], alphas[i]);
            x.add_scaled(i, push, &mut w);
            bias += push;
        }
        let diagonal: Vec<f64> =
            bounds.iter().enumerate().map(|(i, bound)| x.squared_norm(i) + 1.0 + bound.diagonal).collect();
        let mut active: Vec<u32> = (0..x.len() as u32).filter(|&i| c[i as usize] > 0.0).collect();
        let all = active.len();
        let mut rng = run.rng("linear svm", 0);
        // The projected gradients of the last epoch: rows at a bound that push further out are set aside.
        let (mut last_high, mut last_low) = (f64::INFINITY, f64::NEG_INFINITY);
        for epoch in 0..MOST_EPOCHS {
            run.step("linear svm", epoch, MOST_EPOCHS)?;
            let (mut high, mut low) = (f64::NEG_INFINITY, f64::INFINITY);
            active.shuffle(&mut rng);
            let mut kept = 0;
            for k in 0..active.len() {
                let i = active[k] as usize;
                let alpha = alphas[i];
                let margin = x.dot(i, &w) + bias;
                let gradient = signed(positive[i], margin) - 1.0 + alpha * bounds[i].diagonal;
                let (at_zero, at_most) = (alpha <= 0.0, alpha >= bounds[i].most);
                if at_zero && gradient > last_high || at_most && gradient < last_low {
                    continue;
                }
                active[kept] = active[k];
                kept += 1;
                if at_zero && gradient > 0.0 || at_most && gradient < 0.0 {
                    (high, low) = (high.max(0.0), low.min(0.0));
                    continue;
                }
                (high, low) = (high.max(gradient), low.min(gradient));
                if gradient.abs() > 1e-12 {
                    alphas[i] = (alpha - gradient / diagonal[i]).clamp(0.0, bounds[i].most);
                    let push = signed(positive[i], alphas[i] - alpha);
                    x.add_scaled(i, push, &mut w);
                    bias += push;
                }
            }
            active.truncate(kept);
            if high - low <= self.tolerance || kept == 0 {
                if kept == all {
                    break;
                }
                active = (0..x.len() as u32).filter(|&i| c[i as usize] > 0.0).collect();
                (last_high, last_low) = (f64::INFINITY, f64::NEG_INFINITY);
                continue;
            }
            last_high = if high > 0.0 { high } else { f64::INFINITY };
            last_low = if low < 0.0 { low } else { f64::NEG_INFINITY };
        }
        Ok(SvmSolution { model: LinearModel { weights: w, bias }, alphas })
    }
}

/// What the dual asks of one row.
struct Bound {
    most: f64,
    diagonal: f64,
}

impl Bound {
    fn new(hinge: Hinge, c: f64) -> Self {
        match hinge {
            Hinge::Linear => Bound { most: c, diagonal: 0.0 },
            Hinge::Squared if c > 0.0 => Bound { most: f64::INFINITY, diagonal: 0.5 / c },
            Hinge::Squared => Bound { most: 0.0, diagonal: 0.0 },
        }
    }
}

fn signed(positive: bool, value: f64) -> f64 {
    if positive { value } else { -value }
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
        // x = 3 positive and x = 1 negative. With large C both margins are 1: 3w + b = 1, w + b = -1.
        let x = rows(&[3.0, 1.0], 1);
        let solver = LinearSvm { hinge: Hinge::Linear, tolerance: 1e-10 };
        let found = solver.fit(&x, &[true, false], &[1e6; 2], None, &Run::new(0)).unwrap();
        assert!((found.model.weights[0] - 1.0).abs() < 1e-6 && (found.model.bias + 2.0).abs() < 1e-6);
        // C = 0.1 keeps both at the bound: w = 0.1 (3 - 1), b = 0.1 (1 - 1).
        let found = solver.fit(&x, &[true, false], &[0.1; 2], None, &Run::new(0)).unwrap();
        assert!((found.model.weights[0] - 0.2).abs() < 1e-9 && found.model.bias.abs() < 1e-9);
        assert_eq!(found.alphas, [0.1, 0.1]);
        // Squared, C = 1/2: (Q + I) α = 1 with Q = [[10, -4], [-4, 2]], so α = (7, 15) / 17.
        let squared = LinearSvm { hinge: Hinge::Squared, tolerance: 1e-12 };
        let found = squared.fit(&x, &[true, false], &[0.5; 2], None, &Run::new(0)).unwrap();
        assert!((found.alphas[0] - 7.0 / 17.0).abs() < 1e-9 && (found.alphas[1] - 15.0 / 17.0).abs() < 1e-9);
    }

    /// Primal and dual meet at the solution, for either loss and unequal weights.
    #[test]
    fn the_duality_gap_closes() {
        let values: Vec<f32> = (0..120).map(|i| ((i * 29 % 41) as f32 - 20.0) / 10.0).collect();
        let x = rows(&values, 3);
        let positive: Vec<bool> = (0..40).map(|i| values[3 * i] + 0.3 * values[3 * i + 1] > 0.4).collect();
        let c: Vec<f64> = (0..40).map(|i| if i == 7 { 0.0 } else { 0.2 + (i % 5) as f64 }).collect();
        for hinge in [Hinge::Linear, Hinge::Squared] {
            let solver = LinearSvm { hinge, tolerance: 1e-9 };
            let found = solver.fit(&x, &positive, &c, None, &Run::new(0)).unwrap();
            let primal = solver.objective(&x, &positive, &c, &found.model).unwrap();
            let size = found.model.weights.iter().map(|w| w * w).sum::<f64>() + found.model.bias.powi(2);
            let extra = |(a, c): (&f64, &f64)| {
                if hinge == Hinge::Squared && *c > 0.0 { a * a / (4.0 * c) } else { 0.0 }
            };
            let dual = found.alphas.iter().sum::<f64>()
                - 0.5 * size
                - found.alphas.iter().zip(&c).map(extra).sum::<f64>();
            assert!((primal - dual).abs() < 1e-6 * primal, "{hinge:?}: {primal} {dual}");
            assert_eq!(found.alphas[7], 0.0);
            let again = solver.fit(&x, &positive, &c, Some(&found.alphas), &Run::new(9)).unwrap();
            assert!((solver.objective(&x, &positive, &c, &again.model).unwrap() - primal).abs() < 1e-6);
        }
    }
}
