//! Many values of p at once: one pass over a row gives its log-odds at every value.

use super::counts::Event;
use super::positive::{Correction, PositiveBayes};
use crate::data::Csr;

/// The models of a list of priors, word by word beside each other.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorGrid {
    pub event: Event,
    pub priors: Vec<f64>,
    /// The weights of word w at all priors are `weights[w * priors.len()..][..priors.len()]`.
    pub weights: Vec<f64>,
    pub biases: Vec<f64>,
}

impl PriorGrid {
    pub fn new(bayes: &PositiveBayes, priors: Vec<f64>, correction: Correction) -> Self {
        let models: Vec<_> = priors.iter().map(|p| bayes.model(*p, correction)).collect();
        let words = bayes.pile.words.len();
        let mut weights = Vec::with_capacity(words * priors.len());
        for w in 0..words {
            weights.extend(models.iter().map(|model| model.weights[w]));
        }
        let biases = models.iter().map(|model| model.bias).collect();
        PriorGrid { event: bayes.event, priors, weights, biases }
    }

    pub fn words(&self) -> usize {
        self.weights.len() / self.priors.len()
    }

    /// The log-odds of a row at every prior.
    pub fn margins(&self, x: &Csr, row: usize) -> Vec<f64> {
        let g = self.priors.len();
        let mut margins = vec![0.0; g];
        for (j, v) in self.event.entries(x.row(row)) {
            let weights = &self.weights[j * g..][..g];
            margins.iter_mut().zip(weights).for_each(|(margin, weight)| *margin += v * weight);
        }
        margins.iter_mut().zip(&self.biases).for_each(|(margin, bias)| *margin += bias);
        margins
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::naive_bayes::{WordCounts, WordPrior};

    #[test]
    fn the_grid_is_its_single_models() {
        let bayes = PositiveBayes {
            event: Event::Bernoulli,
            positive: WordCounts { rows: 3.0, words: vec![2.0, 1.0, 0.0] },
            pile: WordCounts { rows: 9.0, words: vec![4.0, 2.0, 5.0] },
            absent: true,
            words: WordPrior::Even(1.0),
        };
        let x = Csr::new(3, vec![0, 2, 2], vec![0, 2], vec![1.0, 1.0]).unwrap();
        let grid = PriorGrid::new(&bayes, vec![0.1, 0.6], Correction::Calvo);
        for row in 0..2 {
            let margins = grid.margins(&x, row);
            for (g, p) in [0.1, 0.6].into_iter().enumerate() {
                let single = bayes.model(p, Correction::Calvo).margin(&x, row);
                assert!((margins[g] - single).abs() < 1e-12);
            }
        }
    }
}
