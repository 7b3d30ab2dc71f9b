//! Weights for methods that are given counts but also need likeness: (1 + ln count) idf, unit rows.

use crate::data::Csr;
use crate::features::words::idf;

/// Inverse document frequencies, ln((1 + n) / (1 + df)) + 1, learned from the rows of a training set.
#[derive(Clone, Debug)]
pub struct TfIdf {
    pub idf: Vec<f32>,
}

impl TfIdf {
    pub fn fit(counts: &Csr) -> Self {
        TfIdf { idf: idf(counts.document_frequencies(), counts.rows() as u64) }
    }

    /// Values below 1 are not counts of anything; they count as they are, without the logarithm.
    pub fn apply(&self, counts: &Csr) -> Csr {
        let mut out = counts.clone();
        for (value, &j) in out.values.iter_mut().zip(&counts.indices) {
            let count = if *value > 1.0 { 1.0 + value.ln() } else { *value };
            *value = count * self.idf[j as usize];
        }
        out.normalize_rows();
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_documents_by_hand() {
        // Word 0 is in both (idf 1), word 1 in one of two (idf ln(3/2) + 1).
        let counts = Csr::new(2, vec![0, 2, 3], vec![0, 1, 0], vec![2.0, 1.0, 5.0]).unwrap();
        let rows = TfIdf::fit(&counts).apply(&counts);
        let (a, b) = (1.0 + 2f64.ln(), 1.5f64.ln() + 1.0);
        assert!((f64::from(rows.values[0]) - a / a.hypot(b)).abs() < 1e-6);
        assert!((f64::from(rows.values[1]) - b / a.hypot(b)).abs() < 1e-6);
        assert!((rows.values[2] - 1.0).abs() < 1e-6);
    }
}
