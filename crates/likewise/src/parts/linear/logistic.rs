//! Logistic regression with soft labels, by L-BFGS.
//!
//! Solves:  min over w, b of  ½ w·w + C Σ_i [ a_i ln(1 + e^(-m_i)) + n_i ln(1 + e^(m_i)) ],  m_i = x_i·w + b
//!
//! Given: rows x_i, and how much each counts as positive (a_i) and as negative (n_i). A plain label has one
//! of them at 0; a row of uncertain label has both; one may be negative as long as a_i + n_i is not, which is
//! what unbiased PU risks need (the sum stays convex). The bias b is not penalised.
//!
//! X p of a search direction p is kept, so a line search needs no pass over the rows and can afford to be
//! nearly exact; that saves about half of the iterations.

use rayon::prelude::*;

use super::lbfgs::History;
use super::pass::Pass;
use super::vector::{add_scaled, dot};
use super::{ActiveColumns, LinearModel, RowView};
use crate::data::Data;
use crate::error::{Error, Result};
use crate::run::Run;

/// How strongly to fit and how exactly to solve.
#[derive(Clone, Debug)]
pub struct Logistic {
    /// Weight of the data against the size of w.
    pub c: f64,
    /// Stops when the next step promises to lower the objective by less than this share of it.
    pub tolerance: f64,
}

impl Default for Logistic {
    fn default() -> Self {
        Logistic { c: 1.0, tolerance: 1e-6 }
    }
}

/// How much one row counts as a positive and as a negative example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftLabel {
    pub positive: f64,
    pub negative: f64,
}

impl SoftLabel {
    pub fn hard(positive: bool, weight: f64) -> Self {
        if positive {
            SoftLabel { positive: weight, negative: 0.0 }
        } else {
            SoftLabel { positive: 0.0, negative: weight }
        }
    }

    /// The loss and its first and second derivative by the margin.
    fn loss(self, margin: f64) -> (f64, f64, f64) {
        let small = (-margin.abs()).exp();
        let (near, far) = (1.0 / (1.0 + small), small / (1.0 + small));
        let (p, q) = if margin >= 0.0 { (near, far) } else { (far, near) };
        let log = small.ln_1p();
        let loss = self.positive * ((-margin).max(0.0) + log) + self.negative * (margin.max(0.0) + log);
        (loss, self.negative * p - self.positive * q, (self.negative + self.positive) * p * q)
    }
}

/// What each of two sides weighs when they are to weigh the same: ten times the harmonic mean of their sizes.
///
/// Two samples tell as much of their difference as two of the size m = 2nu / (n + u) would. Beside a few positives a
/// pile of any size leaves a positive the weight 20, so that C says how closely the positives are fitted, whatever
/// lies in the pile; a weight that grows with the pile fits the accidents of the same positives ever more closely.
/// From 5 to 20 times m text of every length is ranked equally well at C = 1, with 10 to 200 positives.
pub fn even_weight(side: f64, other: f64) -> f64 {
    let sum = side + other;
    if sum > 0.0 { 2.0 * TIMES_THE_MEAN * side * other / sum } else { 0.0 }
}

const TIMES_THE_MEAN: f64 = 10.0;

/// Labels whose classes weigh the same in sum, whatever their sizes.
pub fn balanced(positive: &[bool]) -> Vec<SoftLabel> {
    let positives = positive.iter().filter(|p| **p).count().max(1) as f64;
    let others = positive.iter().filter(|p| !**p).count().max(1) as f64;
    let weight = even_weight(positives, others);
    let (a, b) = (weight / positives, weight / others);
    positive.iter().map(|&p| SoftLabel::hard(p, if p { a } else { b })).collect()
}

const MOST_ITERATIONS: usize = 1000;

impl Logistic {
    /// The minimiser, started from `start` (a model of similar labels, say) or from zero.
    pub fn fit(
        &self,
        x: &Data,
        labels: &[SoftLabel],
        start: Option<&LinearModel>,
        run: &Run,
    ) -> Result<LinearModel> {
        let x = RowView::of(x)?;
        if x.len() != labels.len() {
            return Err(Error::data(format!("{} rows but {} labels", x.len(), labels.len())));
        }
        match ActiveColumns::of(x) {
            Some(active) => {
                let start = start.map(|model| active.narrow(model));
                Ok(active.widen(self.minimise(RowView::Sparse(&active.x), labels, start, run)?))
            }
            None => self.minimise(x, labels, start.cloned(), run),
        }
    }

    /// The value of the module's formula at a model.
    pub fn objective(&self, x: &Data, labels: &[SoftLabel], model: &LinearModel) -> Result<f64> {
        let loss: f64 = model.margins(x)?.iter().zip(labels).map(|(m, label)| label.loss(*m).0).sum();
        Ok(0.5 * dot(&model.weights, &model.weights) + self.c * loss)
    }

    fn minimise(
        &self,
        x: RowView,
        labels: &[SoftLabel],
        start: Option<LinearModel>,
        run: &Run,
    ) -> Result<LinearModel> {
        let d = x.cols();
        let mut pass = Pass::over(x);
        // The bias is the last element, after one for each feature.
        let mut w = vec![0.0; d + 1];
        let mut margins = vec![0.0; x.len()];
        if let Some(model) = start {
            w[..d].copy_from_slice(&model.weights);
            w[d] = model.bias;
            margins = pass.products(&w);
        }
        let mut size = dot(&w[..d], &w[..d]);
        let mut losses = Losses::at(self.c, labels, &margins);
        let (mut gradient, mut next, mut direction) = (vec![0.0; d + 1], vec![0.0; d + 1], vec![0.0; d + 1]);
        pass.weighted_sum(&losses.slopes, &mut gradient);
        add_scaled(&mut gradient, 1.0, &w[..d]);
        let mut history = History::default();
        for iteration in 0..MOST_ITERATIONS {
            run.step("logistic regression", iteration as u64, MOST_ITERATIONS as u64)?;
            // Columns of numbers differ in size from the start. Those of words do not: their curvature is worth a pass
            // only when the margins have taken shape.
            let look =
                if matches!(x, RowView::Dense(_)) { iteration % 3 == 0 } else { [2, 5].contains(&iteration) };
            if look {
                history.diagonal = Some(self.hessian_diagonal(&mut pass, labels, &margins));
            }
            history.direction(&gradient, &mut direction);
            let decrement = -dot(&gradient, &direction);
            let value = 0.5 * size + losses.loss;
            // The quadratic model falls by half of -g·p, written so that a NaN ends the search as well.
            let worthwhile = 0.5 * decrement > self.tolerance * value.abs();
            if !worthwhile {
                break;
            }
            let products = pass.products(&direction);
            let penalty =
                Penalty { wp: dot(&w[..d], &direction[..d]), pp: dot(&direction[..d], &direction[..d]) };
            let Some(length) = losses.search(&margins, &products, &penalty, history.is_empty()) else {
                break;
            };
            add_scaled(&mut w, length, &direction);
            add_scaled(&mut margins, length, &products);
            size = dot(&w[..d], &w[..d]);
            pass.weighted_sum(&losses.slopes, &mut next);
            add_scaled(&mut next, 1.0, &w[..d]);
            history.push(length, &direction, &gradient, &next);
            std::mem::swap(&mut gradient, &mut next);
        }
        let bias = w.pop().expect("the bias");
        Ok(LinearModel { weights: w, bias })
    }

    fn hessian_diagonal(&self, pass: &mut Pass, labels: &[SoftLabel], margins: &[f64]) -> Vec<f64> {
        let curvatures: Vec<f64> =
            labels.iter().zip(margins).map(|(label, m)| self.c * label.loss(*m).2).collect();
        let bias = pass.columns();
        let mut diagonal = vec![0.0; bias + 1];
        pass.weighted_square_sum(&curvatures, &mut diagonal);
        diagonal[..bias].iter_mut().for_each(|h| *h += 1.0);
        diagonal[bias] = diagonal[bias].max(f64::MIN_POSITIVE);
        diagonal
    }
}

/// The losses of all rows at one point of a line margins + t products.
struct Losses<'a> {
    c: f64,
    labels: &'a [SoftLabel],
    /// C x the sum of the losses.
    loss: f64,
    /// C x the derivative of each row's loss by its margin.
    slopes: Vec<f64>,
}

/// The derivatives of ½|w + t p|² by t: w·p + t p·p and p·p.
struct Penalty {
    wp: f64,
    pp: f64,
}

impl<'a> Losses<'a> {
    fn at(c: f64, labels: &'a [SoftLabel], margins: &[f64]) -> Self {
        let mut losses = Losses { c, labels, loss: 0.0, slopes: vec![0.0; margins.len()] };
        losses.move_to(margins, margins, 0.0);
        losses
    }

    /// Evaluates at margins + t products; returns the first and second derivative of the loss by t.
    fn move_to(&mut self, margins: &[f64], products: &[f64], t: f64) -> (f64, f64) {
        const CHUNK: usize = 2048;
        let (c, labels) = (self.c, self.labels);
        let sums: Vec<[f64; 3]> = (self.slopes.par_chunks_mut(CHUNK).enumerate())
            .map(|(chunk, slopes)| {
                let mut sums = [0.0; 3];
                for (k, slope) in slopes.iter_mut().enumerate() {
                    let i = chunk * CHUNK + k;
                    let (loss, derivative, curvature) = labels[i].loss(margins[i] + t * products[i]);
                    *slope = c * derivative;
                    sums[0] += c * loss;
                    sums[1] += *slope * products[i];
                    sums[2] += c * curvature * products[i] * products[i];
                }
                sums
            })
            .collect();
        let total = sums.iter().fold([0.0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
        self.loss = total[0];
        (total[1], total[2])
    }

    /// The step length t: Newton's method in one dimension until the slope has fallen to 0.3 of what it was.
    /// Leaves `self` there. None where the line does not descend.
    fn search(
        &mut self,
        margins: &[f64],
        products: &[f64],
        penalty: &Penalty,
        first_step: bool,
    ) -> Option<f64> {
        let start = penalty.wp + dot(&self.slopes, products);
        let descends = start < 0.0;
        if !descends {
            return None;
        }
        let mut t = 1.0;
        if first_step {
            let (_, curvature) = self.move_to(margins, products, 0.0);
            t = -start / (curvature + penalty.pp);
        }
        // The function is convex, so the minimum stays between these.
        let (mut low, mut high) = (0.0, f64::INFINITY);
        for _ in 0..40 {
            let (slope, curvature) = self.move_to(margins, products, t);
            let slope = slope + penalty.wp + t * penalty.pp;
            if slope.abs() <= -0.3 * start {
                break;
            }
            if slope < 0.0 {
                low = t
            } else {
                high = t
            }
            let newton = t - slope / (curvature + penalty.pp);
            t = if newton > low && newton < high.min(10.0 * t) {
                newton
            } else if high.is_finite() {
                0.5 * (low + high)
            } else {
                10.0 * t
            };
        }
        t.is_finite().then_some(t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Dense};
    use std::sync::Arc;

    fn exact(c: f64) -> Logistic {
        Logistic { c, tolerance: 1e-14 }
    }

    /// Ten rows in two columns, not separable, the second column a thousand times as large.
    fn numbers() -> (Data, Vec<bool>) {
        let small = [0.1, 0.9, 0.4, 0.7, 0.2, 0.8, 0.35, 0.6, 0.5, 0.3f32];
        let values = (0..10).flat_map(|i| [small[i], 1000.0 * ((i * 7 % 10) as f32 / 10.0 - 0.4)]).collect();
        (Data::Dense(Arc::new(Dense::new(10, 2, values).unwrap())), (0..10).map(|i| i % 4 == 0).collect())
    }

    fn sparse(x: &Data) -> Data {
        let x = x.dense().unwrap();
        let indptr = (0..=x.rows()).map(|i| i * x.cols).collect();
        let indices = (0..x.rows()).flat_map(|_| 0..x.cols as u32).collect();
        Data::Sparse(Arc::new(Csr::new(x.cols, indptr, indices, x.values.to_vec()).unwrap()))
    }

    #[test]
    fn one_row_of_each_class_by_hand() {
        // x = ±1, so by symmetry b = 0, and each weighs 10, so w solves w = 20 C (1 - p(w)): at C = (1 + e)/20 that is
        // w = 1.
        let x = Data::Dense(Arc::new(Dense::new(2, 1, vec![1.0, -1.0]).unwrap()));
        let labels = balanced(&[true, false]);
        assert_eq!(labels, [SoftLabel::hard(true, 10.0), SoftLabel::hard(false, 10.0)]);
        let model = exact((1.0 + 1f64.exp()) / 20.0).fit(&x, &labels, None, &Run::new(0)).unwrap();
        assert!((model.weights[0] - 1.0).abs() < 1e-6 && model.bias.abs() < 1e-6, "{model:?}");
    }

    #[test]
    fn the_gradient_is_zero_at_the_answer_on_rows_of_both_kinds() {
        let (x, positive) = numbers();
        let labels = balanced(&positive);
        let model = exact(2.0).fit(&x, &labels, None, &Run::new(0)).unwrap();
        let again = exact(2.0).fit(&sparse(&x), &labels, None, &Run::new(0)).unwrap();
        let solver = exact(2.0);
        let best = solver.objective(&x, &labels, &model).unwrap();
        let other = solver.objective(&x, &labels, &again).unwrap();
        assert!((best - other).abs() < 1e-6 * best, "{best} {other}");
        for k in 0..3 {
            for step in [1e-4, -1e-4] {
                let mut moved = model.clone();
                if k < 2 {
                    moved.weights[k] += step
                } else {
                    moved.bias += step
                }
                assert!(solver.objective(&x, &labels, &moved).unwrap() > best);
            }
        }
    }

    #[test]
    fn a_row_half_positive_and_half_negative_is_two_half_rows() {
        let (x, positive) = numbers();
        let mut labels = balanced(&positive);
        labels[4] = SoftLabel { positive: 0.3, negative: 0.7 };
        let soft = exact(1.0).fit(&x, &labels, None, &Run::new(0)).unwrap();
        labels[4] = SoftLabel::hard(true, 0.3);
        labels.push(SoftLabel::hard(false, 0.7));
        let rows: Vec<usize> = (0..10).chain([4]).collect();
        let twice = exact(1.0).fit(&x.select(&rows), &labels, None, &Run::new(0)).unwrap();
        assert!((soft.weights[0] - twice.weights[0]).abs() < 1e-6);
        assert!((soft.bias - twice.bias).abs() < 1e-6);
    }

    #[test]
    fn a_warm_start_ends_where_a_cold_one_does() {
        let (x, positive) = numbers();
        let labels = balanced(&positive);
        let cold = exact(1.0).fit(&x, &labels, None, &Run::new(0)).unwrap();
        let other = exact(0.01).fit(&x, &labels, None, &Run::new(0)).unwrap();
        let warm = exact(1.0).fit(&x, &labels, Some(&other), &Run::new(0)).unwrap();
        assert!((cold.weights[0] - warm.weights[0]).abs() < 1e-6);
        assert!((cold.weights[0] - other.weights[0]).abs() > 1e-3, "{cold:?} {other:?}");
    }

    #[test]
    fn only_one_label_or_only_empty_rows_stay_finite() {
        let empty = Data::Sparse(Arc::new(Csr::new(3, vec![0, 0, 0], vec![], vec![]).unwrap()));
        let model = Logistic::default().fit(&empty, &balanced(&[true, false]), None, &Run::new(0)).unwrap();
        assert_eq!((model.weights.len(), model.bias), (3, 0.0));
        let (x, _) = numbers();
        let model = Logistic::default().fit(&x, &balanced(&[true; 10]), None, &Run::new(0)).unwrap();
        assert!(model.margins(&x).unwrap().iter().all(|m| m.is_finite()));
    }
}
