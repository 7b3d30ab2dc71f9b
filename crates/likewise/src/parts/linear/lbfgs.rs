//! The memory of L-BFGS: an approximate inverse Hessian made of the last few steps (Nocedal 1980).
//!
//! Steps are kept in single precision: the memory only shapes the next direction, and most of its cost is to read it.

use std::collections::VecDeque;

use super::vector::{add_scaled, dot, sum};

/// Steps remembered.
const MEMORY: usize = 6;

#[derive(Default)]
pub struct History {
    /// Oldest first.
    pairs: VecDeque<Pair>,
    /// The diagonal of the Hessian, where variables may be of very different size.
    pub diagonal: Option<Vec<f64>>,
}

/// A step, the change of the gradient along it, and the product of the two.
struct Pair {
    step: Vec<f32>,
    change: Vec<f32>,
    curvature: f64,
}

impl History {
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Remembers the step of `length` x `direction`, between these two gradients; one along which the function is not
    /// convex teaches nothing and is left out.
    pub fn push(&mut self, length: f64, direction: &[f64], before: &[f64], after: &[f64]) {
        let oldest = if self.pairs.len() == MEMORY { self.pairs.pop_front() } else { None };
        let (mut step, mut change) = oldest.map_or_else(Default::default, |pair| (pair.step, pair.change));
        step.clear();
        step.extend(direction.iter().map(|p| (length * p) as f32));
        change.clear();
        change.extend(after.iter().zip(before).map(|(new, old)| (new - old) as f32));
        let curvature = dot(&step, &change);
        if curvature > 0.0 {
            self.pairs.push_back(Pair { step, change, curvature });
        }
    }

    /// The direction to go: minus the approximate inverse Hessian times the gradient.
    pub fn direction(&self, gradient: &[f64], q: &mut [f64]) {
        q.iter_mut().zip(gradient).for_each(|(q, g)| *q = -g);
        let mut alphas = Vec::with_capacity(MEMORY);
        for Pair { step, change, curvature } in self.pairs.iter().rev() {
            let alpha = dot(step, q) / curvature;
            add_scaled(q, -alpha, change);
            alphas.push(alpha);
        }
        let last = self.pairs.back();
        match &self.diagonal {
            Some(diagonal) => {
                let size = |y: &[f32]| sum(y, diagonal, |y, h| f64::from(y) * f64::from(y) / h);
                let scale = last.map_or(1.0, |pair| pair.curvature / size(&pair.change));
                q.iter_mut().zip(diagonal).for_each(|(q, h)| *q *= scale / h);
            }
            None => {
                let scale = last.map_or(1.0, |pair| pair.curvature / dot(&pair.change, &pair.change));
                q.iter_mut().for_each(|q| *q *= scale);
            }
        }
        for (Pair { step, change, curvature }, alpha) in self.pairs.iter().zip(alphas.into_iter().rev()) {
            let beta = dot(change, q) / curvature;
            add_scaled(q, alpha - beta, step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a quadratic in two variables two independent steps teach the whole Hessian.
    #[test]
    fn learns_a_quadratic_exactly() {
        let hessian = |v: [f64; 2]| vec![4.0 * v[0] + v[1], v[0] + 2.0 * v[1]];
        for diagonal in [None, Some(vec![4.0, 2.0])] {
            let mut history = History { diagonal, ..History::default() };
            // Steps that are conjugate to each other: (1, 0) and (1, -4).
            for step in [[1.0, 0.0], [1.0, -4.0]] {
                history.push(1.0, &step, &[0.0; 2], &hessian(step));
            }
            let wanted = [0.3, -0.7];
            let mut direction = [0.0; 2];
            history.direction(&hessian(wanted), &mut direction);
            for k in 0..2 {
                assert!((direction[k] + wanted[k]).abs() < 1e-12, "{direction:?}");
            }
        }
    }

    #[test]
    fn a_step_of_negative_curvature_is_forgotten() {
        let mut history = History::default();
        history.push(1.0, &[1.0], &[0.0], &[-1.0]);
        assert!(history.is_empty());
        let mut direction = [0.0];
        history.direction(&[2.0], &mut direction);
        assert_eq!(direction, [-2.0]);
    }
}
