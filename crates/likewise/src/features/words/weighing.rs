//! Counts → weights.

use crate::data::Csr;
use crate::method::Weights;

/// ln((1 + n) / (1 + df)) + 1 for every term.
pub(crate) fn idf(df: &[u32], n: usize) -> Vec<f32> {
    df.iter().map(|df| (((1.0 + n as f64) / (1.0 + f64::from(*df))).ln() + 1.0) as f32).collect()
}

/// Rows under these weights; `idf` is looked at for tf-idf alone.
pub(super) fn weigh(mut rows: Csr, weights: Weights, idf: &[f32]) -> Csr {
    match weights {
        Weights::Count => {}
        Weights::Binary => rows.values.iter_mut().for_each(|v| *v = 1.0),
        Weights::BinaryUnit => {
            rows.values.iter_mut().for_each(|v| *v = 1.0);
            rows.normalize_rows();
        }
        Weights::TfIdf => {
            for (value, term) in rows.values.iter_mut().zip(&rows.indices) {
                *value = (1.0 + value.ln()) * idf[*term as usize];
            }
            rows.normalize_rows();
        }
    }
    rows
}

/// Counts that came from elsewhere than text, weighed as if these rows were all there is.
pub fn weigh_counts(counts: Csr, weights: Weights) -> Csr {
    let idf = idf_of(&counts, weights);
    weigh(counts, weights, &idf)
}

/// Counts of further rows, weighed by how rare each term is in `learned`.
pub fn weigh_counts_as(learned: &Csr, counts: Csr, weights: Weights) -> Csr {
    weigh(counts, weights, &idf_of(learned, weights))
}

fn idf_of(counts: &Csr, weights: Weights) -> Vec<f32> {
    match weights {
        Weights::TfIdf => idf(&counts.document_frequencies(), counts.rows()),
        _ => Vec::new(),
    }
}
