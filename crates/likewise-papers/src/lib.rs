//! The papers' experiments, rerun on real data.
//!
//! One module a paper: its tasks, its protocol, its table. Each gives a list of [`Cell`]s, which any door
//! can print, write or compare; [`data`] finds and reads the data sets. No method lives here.

pub mod data;
mod error;
pub mod onb;

pub use error::{Error, Result};

use serde::Serialize;

/// One number of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    pub paper: &'static str,
    pub table: &'static str,
    pub row: String,
    pub column: String,
    pub metric: &'static str,
    /// What the paper prints there, where it prints something comparable.
    pub paper_value: Option<f64>,
    /// The mean over the trials.
    pub value: f64,
    /// Their standard deviation.
    pub sd: f64,
    pub trials: usize,
    /// Seconds of one trial, on average.
    pub seconds: f64,
    /// The method behind the row and what was set; empty where the row is no method.
    pub method: String,
    pub parameters: serde_json::Map<String, serde_json::Value>,
}

/// Mean and standard deviation (0 for a single trial).
pub fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    if values.len() < 2 {
        return (mean, 0.0);
    }
    (mean, (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_by_hand() {
        let (mean, sd) = mean_and_sd(&[1.0, 2.0, 3.0]);
        assert_eq!((mean, sd), (2.0, 1.0));
        assert_eq!(mean_and_sd(&[5.0]), (5.0, 0.0));
    }
}
