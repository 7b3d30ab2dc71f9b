//! The weights of labelled examples and trees: coordinate gradient descent on the squared error.
//!
//! d_i depends on two leaves only. With M_i the distances between the leaves of tree i and a_i the sum of
//! alpha in each leaf, tree i adds beta_i (M_i a_i)[leaf of y] to P(y ∉ L): no pair of examples is formed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::parts::linear::vector::dot;
use crate::parts::simplex;

/// Trees as far as the weights need them, and the weights.
pub struct Weighted {
    /// Distances between the leaves of each tree, row by row.
    distances: Vec<Vec<f64>>,
    /// M_i a_i by leaf, for each tree.
    spread: Vec<Vec<f64>>,
    /// The weight of each labelled example; they sum to 1.
    pub alpha: Vec<f64>,
    /// The weight of each tree; they sum to 1.
    pub beta: Vec<f64>,
}

/// Which gradient is followed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Gradient {
    /// Of the mean squared error, as the text says
    Mean,
    /// Of the sum of squared errors, as the formulas are printed
    Sum,
}

impl Weighted {
    pub fn new(labelled: usize) -> Self {
        let alpha = vec![1.0 / labelled as f64; labelled];
        Weighted { distances: Vec::new(), spread: Vec::new(), alpha, beta: Vec::new() }
    }

    pub fn trees(&self) -> usize {
        self.beta.len()
    }

    /// Makes room for one more tree: the old weights keep their proportions, the new one gets its share.
    pub fn announce_tree(&mut self) {
        let trees = self.trees() as f64;
        self.beta.iter_mut().for_each(|b| *b *= trees / (trees + 1.0));
        self.beta.push(1.0 / (trees + 1.0));
    }

    /// Adds the tree that was announced; `leaves` are those of the labelled examples.
    pub fn add_tree(&mut self, distances: Vec<f64>, leaves: &[u32]) {
        self.spread.push(spread(&distances, leaves, &self.alpha));
        self.distances.push(distances);
    }

    /// Forgets that a tree was announced.
    pub fn withdraw_tree(&mut self) {
        self.beta.pop();
        let sum: f64 = self.beta.iter().sum();
        self.beta.iter_mut().for_each(|b| *b /= sum);
    }

    /// What tree `i` adds to P(y ∉ L) in each of its leaves.
    pub fn outside_by_leaf(&self, tree: usize) -> Vec<f64> {
        self.spread[tree].iter().map(|s| self.beta[tree] * s).collect()
    }

    /// P(y ∉ L) of an example (Eq. 1 and 2); `leaf(i)` is its leaf in tree i.
    pub fn outside(&self, leaf: impl Fn(usize) -> u32) -> f64 {
        let trees = self.spread.iter().zip(&self.beta).enumerate();
        trees.map(|(i, (spread, beta))| beta * spread[leaf(i) as usize]).sum()
    }

    /// `leaves[i]` holds the leaf in tree i of every example of the sample, labelled ones first.
    pub fn learn(&mut self, leaves: &[Vec<u32>], gradient: Gradient, step: f64, rounds: usize) {
        let labelled = self.alpha.len();
        let examples = leaves[0].len();
        let scale = match gradient {
            Gradient::Mean => 2.0 / examples as f64,
            Gradient::Sum => 2.0,
        };
        for _ in 0..rounds {
            let residuals = self.residuals(leaves);
            for (tree, leaves) in leaves.iter().enumerate() {
                let size = self.spread[tree].len();
                let mut sums = vec![0.0; size];
                leaves.iter().zip(&residuals).for_each(|(leaf, r)| sums[*leaf as usize] += r);
                let pull: Vec<f64> =
                    self.distances[tree].chunks_exact(size).map(|row| dot(row, &sums)).collect();
                for (alpha, leaf) in self.alpha.iter_mut().zip(&leaves[..labelled]) {
                    *alpha += step * scale * self.beta[tree] * pull[*leaf as usize];
                }
            }
            simplex::project(&mut self.alpha);
            for (tree, leaves) in leaves.iter().enumerate() {
                self.spread[tree] = spread(&self.distances[tree], &leaves[..labelled], &self.alpha);
            }
            let residuals = self.residuals(leaves);
            for (tree, leaves) in leaves.iter().enumerate() {
                let spread = &self.spread[tree];
                let pull: f64 =
                    leaves.iter().zip(&residuals).map(|(leaf, r)| r * spread[*leaf as usize]).sum();
                self.beta[tree] += step * scale * pull;
            }
            simplex::project(&mut self.beta);
        }
    }

    /// I(y ∉ L) - P(y ∉ L), labelled examples first.
    fn residuals(&self, leaves: &[Vec<u32>]) -> Vec<f64> {
        let labelled = self.alpha.len();
        (0..leaves[0].len())
            .map(|y| f64::from(u8::from(y >= labelled)) - self.outside(|tree| leaves[tree][y]))
            .collect()
    }
}

fn spread(distances: &[f64], leaves: &[u32], alpha: &[f64]) -> Vec<f64> {
    let size = distances.len().isqrt();
    let mut sums = vec![0.0; size];
    leaves.iter().zip(alpha).for_each(|(leaf, a)| sums[*leaf as usize] += a);
    distances.chunks_exact(size).map(|row| dot(row, &sums)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same gradients summed over pairs of examples, as the paper prints them.
    fn error(leaves: &[Vec<u32>], distances: &[Vec<f64>], alpha: &[f64], beta: &[f64]) -> f64 {
        let d = |i: usize, x: usize, y: usize| {
            let size = distances[i].len().isqrt();
            distances[i][leaves[i][x] as usize * size + leaves[i][y] as usize]
        };
        let outside = |y: usize| -> f64 {
            let pairs = (0..alpha.len()).flat_map(|j| (0..beta.len()).map(move |i| (j, i)));
            pairs.map(|(j, i)| alpha[j] * beta[i] * d(i, j, y)).sum()
        };
        let examples = leaves[0].len();
        (0..examples).map(|y| (f64::from(u8::from(y >= alpha.len())) - outside(y)).powi(2)).sum::<f64>()
            / examples as f64
    }

    #[test]
    fn a_step_follows_the_gradient_over_pairs() {
        let near = (-0.5f64).exp();
        let distances = vec![vec![0.0, near, 1.0, near, 0.0, 1.0, 1.0, 1.0, 0.0], vec![0.0, 1.0, 1.0, 0.0]];
        let leaves = vec![vec![0, 0, 1, 2, 2, 1, 0], vec![0, 1, 0, 1, 1, 0, 1]];
        let (alpha, beta) = (vec![0.5, 0.3, 0.2], vec![0.6, 0.4]);
        let mut weighted = Weighted::new(3);
        for (distances, leaves) in distances.iter().zip(&leaves) {
            weighted.announce_tree();
            weighted.add_tree(distances.clone(), &leaves[..3]);
        }
        (weighted.alpha, weighted.beta) = (alpha.clone(), beta.clone());
        for tree in 0..2 {
            weighted.spread[tree] = spread(&distances[tree], &leaves[tree][..3], &alpha);
        }
        let step = 1e-3;
        weighted.learn(&leaves, Gradient::Mean, step, 1);
        let slope = |at: &[f64], of: &dyn Fn(&[f64]) -> f64, k: usize| {
            let (mut up, mut down) = (at.to_vec(), at.to_vec());
            up[k] += 1e-6;
            down[k] -= 1e-6;
            (of(&up) - of(&down)) / 2e-6
        };
        let mut expected: Vec<f64> = (0..3)
            .map(|j| alpha[j] - step * slope(&alpha, &|a| error(&leaves, &distances, a, &beta), j))
            .collect();
        simplex::project(&mut expected);
        for (found, expected) in weighted.alpha.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-9, "{:?} {expected}", weighted.alpha);
        }
        let alpha = weighted.alpha.clone();
        let mut expected: Vec<f64> = (0..2)
            .map(|i| beta[i] - step * slope(&beta, &|b| error(&leaves, &distances, &alpha, b), i))
            .collect();
        simplex::project(&mut expected);
        for (found, expected) in weighted.beta.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-9, "{:?} {expected}", weighted.beta);
        }
    }
}
