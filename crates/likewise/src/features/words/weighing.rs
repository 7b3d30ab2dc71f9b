//! Counts → weights.

use crate::data::Csr;
use crate::method::Weights;

/// ln((1 + n) / (1 + df)) + 1 for every term.
pub(crate) fn idf<N: Into<u64>>(df: impl IntoIterator<Item = N>, n: u64) -> Vec<f32> {
    let of_term = |df: u64| (((1.0 + n as f64) / (1.0 + df as f64)).ln() + 1.0) as f32;
    df.into_iter().map(|df| of_term(df.into())).collect()
}

/// Rows under these weights; `idf` and the squared length of what a row lost are looked at for tf-idf alone.
pub(super) fn weigh(mut rows: Csr, weights: Weights, idf: &[f32], dropped: Option<&[f64]>) -> Csr {
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
            match dropped {
                Some(dropped) => rows.normalize_rows_beside(|row| dropped[row]),
                None => rows.normalize_rows(),
            }
        }
    }
    rows
}

/// Counts that came from elsewhere than text, weighed as if these rows were all there is.
pub fn weigh_counts(counts: Csr, weights: Weights) -> Csr {
    let idf = idf_of(&counts, weights);
    weigh(counts, weights, &idf, None)
}

/// Counts of further rows, weighed by how rare each term is in `learned`.
pub fn weigh_counts_as(learned: &Csr, counts: Csr, weights: Weights) -> Csr {
    weigh(counts, weights, &idf_of(learned, weights), None)
}

fn idf_of(counts: &Csr, weights: Weights) -> Vec<f32> {
    match weights {
        Weights::TfIdf => idf(counts.document_frequencies(), counts.rows() as u64),
        _ => Vec::new(),
    }
}
