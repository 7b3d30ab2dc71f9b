//! The memory of L-BFGS: an approximate inverse Hessian made of the last few steps (Nocedal 1980).

use std::collections::VecDeque;

use super::vector::{add_scaled, dot};

/// Steps remembered.
const MEMORY: usize = 6;

#[derive(Default)]
pub struct History {
    /// (step s, change of the gradient y, s·y), oldest first.
    pairs: VecDeque<(Vec<f64>, Vec<f64>, f64)>,
    /// The diagonal of the Hessian, where variables may be of very different size.
    pub diagonal: Option<Vec<f64>>,
}

impl History {
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Remembers a step; one along which the function is not convex teaches nothing and is left out.
    pub fn push(&mut self, step: Vec<f64>, change: Vec<f64>) {
        let curvature = dot(&step, &change);
        if curvature > 0.0 {
            if self.pairs.len() == MEMORY {
                self.pairs.pop_front();
            }
            self.pairs.push_back((step, change, curvature));
        }
    }

    /// The direction to go: minus the approximate inverse Hessian times the gradient.
    pub fn direction(&self, gradient: &[f64]) -> Vec<f64> {
        let mut q: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut alphas = Vec::with_capacity(MEMORY);
        for (s, y, sy) in self.pairs.iter().rev() {
            let alpha = dot(s, &q) / sy;
            add_scaled(&mut q, -alpha, y);
            alphas.push(alpha);
        }
        let last = self.pairs.back();
        match &self.diagonal {
            Some(diagonal) => {
                let size = |y: &[f64]| y.iter().zip(diagonal).map(|(y, h)| y * y / h).sum::<f64>();
                let scale = last.map_or(1.0, |(_, y, sy)| sy / size(y));
                q.iter_mut().zip(diagonal).for_each(|(q, h)| *q *= scale / h);
            }
            None => {
                let scale = last.map_or(1.0, |(_, y, sy)| sy / dot(y, y));
                q.iter_mut().for_each(|q| *q *= scale);
            }
        }
        for ((s, y, sy), alpha) in self.pairs.iter().zip(alphas.into_iter().rev()) {
            let beta = dot(y, &q) / sy;
            add_scaled(&mut q, alpha - beta, s);
        }
        q
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
                history.push(step.to_vec(), hessian(step));
            }
            let wanted = [0.3, -0.7];
            let direction = history.direction(&hessian(wanted));
            for k in 0..2 {
                assert!((direction[k] + wanted[k]).abs() < 1e-12, "{direction:?}");
            }
        }
    }

    #[test]
    fn a_step_of_negative_curvature_is_forgotten() {
        let mut history = History::default();
        history.push(vec![1.0], vec![-1.0]);
        assert!(history.is_empty());
        assert_eq!(history.direction(&[2.0]), [-2.0]);
    }
}
