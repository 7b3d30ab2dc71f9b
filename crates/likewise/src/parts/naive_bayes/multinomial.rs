//! The multinomial model of a class: how likely each word is in its documents.

/// Word probabilities of one class, smoothed as in Equation 2 of Li, Liu & Ng (2007):
/// Pr(w|c) = (s + N(w,c)) / (s |V| + sum of N(·,c)), with s = 1 for Laplace.
#[derive(Clone, Debug)]
pub struct Multinomial {
    pub log_probabilities: Vec<f64>,
}

impl Multinomial {
    pub fn from_counts(counts: &[f64], smoothing: f64) -> Self {
        let total: f64 = counts.iter().sum::<f64>() + smoothing * counts.len() as f64;
        Multinomial { log_probabilities: counts.iter().map(|n| ((smoothing + n) / total).ln()).collect() }
    }
}

/// ln Pr(w|+) - ln Pr(w|-) for every word: the weights of the two-class model.
pub fn log_ratio(positive: &Multinomial, negative: &Multinomial) -> Vec<f64> {
    positive.log_probabilities.iter().zip(&negative.log_probabilities).map(|(p, n)| p - n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laplace_by_hand() {
        let class = Multinomial::from_counts(&[3.0, 0.0], 1.0);
        assert!((class.log_probabilities[0] - (4.0f64 / 5.0).ln()).abs() < 1e-12);
        assert!((class.log_probabilities[1] - (1.0f64 / 5.0).ln()).abs() < 1e-12);
    }
}
