//! What a paper is here: its tables, the claims that can be checked, and what cannot be run.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::contestants::EVERY;
use crate::error::Result;
use crate::lab::Lab;

/// One number of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    pub paper: String,
    /// The name of its [`PaperTable`].
    pub table: String,
    pub row: String,
    pub column: String,
    pub metric: String,
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
    pub parameters: Map<String, Value>,
}

impl Cell {
    /// A cell of a table, its value still to be given.
    pub fn new(paper: &str, table: &str, row: &str, column: &str, metric: &str) -> Self {
        Cell {
            paper: paper.into(),
            table: table.into(),
            row: row.into(),
            column: column.into(),
            metric: metric.into(),
            paper_value: None,
            value: f64::NAN,
            sd: 0.0,
            trials: 0,
            seconds: 0.0,
            method: String::new(),
            parameters: Map::new(),
        }
    }

    pub fn by(mut self, method: &str, parameters: &Map<String, Value>) -> Self {
        self.method = method.into();
        self.parameters = parameters.clone();
        self
    }

    pub fn printed(mut self, paper_value: Option<f64>) -> Self {
        self.paper_value = paper_value;
        self
    }

    /// Mean, spread and mean time of the trials; `None` without any.
    pub fn of(mut self, trials: &[(f64, f64)]) -> Option<Self> {
        if trials.is_empty() {
            return None;
        }
        let values: Vec<f64> = trials.iter().map(|(value, _)| *value).collect();
        (self.value, self.sd) = mean_and_sd(&values);
        self.seconds = trials.iter().map(|(_, seconds)| seconds).sum::<f64>() / trials.len() as f64;
        self.trials = trials.len();
        Some(self)
    }

    /// The spread worth showing. The mean of single trials, one a task, has none; and what is but the rounding of sums is
    /// none either.
    pub fn spread(&self) -> Option<f64> {
        (self.trials > 1 && self.sd > 1e-9).then_some(self.sd)
    }

    pub fn difference(&self) -> Option<f64> {
        self.paper_value.map(|paper| self.value - paper)
    }
}

/// How a table is read; its cells carry its name.
#[derive(Clone, Debug)]
pub struct PaperTable {
    pub name: &'static str,
    pub title: &'static str,
    /// What to know before comparing.
    pub note: &'static str,
    /// Digits after the point.
    pub digits: usize,
    /// Columns are numbers on this axis: the report draws a curve for each row.
    pub axis: Option<&'static str>,
}

/// Something a paper says that its numbers must show.
pub struct Claim {
    pub text: &'static str,
    /// Whether our numbers show it; `None` where they were not run.
    pub holds: fn(&Numbers<'_>) -> Option<bool>,
}

/// A paper and how to run it.
pub struct Paper {
    /// As typed after `reproduce`.
    pub name: &'static str,
    pub title: &'static str,
    pub tables: &'static [PaperTable],
    pub claims: &'static [Claim],
    /// What was found when it was tried, in plain words.
    pub findings: &'static [&'static str],
    /// What cannot be run, and why.
    pub missing: &'static [&'static str],
    pub reproduce: fn(&Lab) -> Result<Vec<Cell>>,
}

impl Paper {
    /// Whether one of its tables holds every method that takes its data.
    pub fn compares_every_method(&self) -> bool {
        self.tables.iter().any(|table| table.name == EVERY)
    }
}

/// The cells of one paper, for its claims.
pub struct Numbers<'a>(pub &'a [Cell]);

impl Numbers<'_> {
    /// Our value.
    pub fn ours(&self, table: &str, row: &str, column: &str, metric: &str) -> Option<f64> {
        self.find(table, row, column, metric).map(|cell| cell.value)
    }

    pub fn find(&self, table: &str, row: &str, column: &str, metric: &str) -> Option<&Cell> {
        let same = |cell: &&Cell| {
            cell.table == table && cell.row == row && cell.column == column && cell.metric == metric
        };
        self.0.iter().find(same)
    }
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

    #[test]
    fn a_cell_without_trials_is_none() {
        let cell = Cell::new("p", "t", "r", "c", "f1").printed(Some(0.5));
        assert!(cell.clone().of(&[]).is_none());
        let cell = cell.of(&[(0.4, 1.0), (0.8, 3.0)]).unwrap();
        assert!((cell.value - 0.6).abs() < 1e-12 && (cell.difference().unwrap() - 0.1).abs() < 1e-12);
        assert_eq!((cell.trials, cell.seconds), (2, 2.0));
    }
}
