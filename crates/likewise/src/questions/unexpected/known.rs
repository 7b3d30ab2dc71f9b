//! The known classes, and to which of them a row is most likely to belong.

use crate::data::Csr;
use crate::error::{Error, Result};
use crate::parts::naive_bayes::Multinomial;

/// The classes by name, and the place of each known row among them.
pub(super) struct Known {
    pub names: Vec<String>,
    pub classes: Vec<usize>,
}

impl Known {
    pub fn of(classes: &[String]) -> Self {
        let mut names: Vec<String> = classes.to_vec();
        names.sort();
        names.dedup();
        let place = |class: &String| names.binary_search(class).expect("every class is among the names");
        Known { classes: classes.iter().map(place).collect(), names }
    }
}

/// The rows of each class.
pub(super) fn members(classes: &[usize]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); classes.iter().max().map_or(0, |last| last + 1)];
    classes.iter().enumerate().for_each(|(row, &class)| members[class].push(row));
    members
}

/// Multinomial naive Bayes over the known classes.
pub(super) struct Classifier<'a> {
    names: &'a [String],
    best: Vec<usize>,
}

impl<'a> Classifier<'a> {
    pub fn fit(x: &Csr, known: &'a Known) -> Result<Self> {
        if x.values.iter().any(|v| *v < 0.0) {
            return Err(Error::data("the features hold negative numbers; classes are told apart by counts"));
        }
        let models: Vec<(f64, Multinomial)> = (members(&known.classes).into_iter())
            .map(|rows| {
                let prior = (rows.len() as f64 / known.classes.len() as f64).ln();
                (prior, Multinomial::from_counts(&x.column_sums(rows), 1.0))
            })
            .collect();
        let best = (x.iter_rows())
            .map(|row| {
                let log = |(prior, model): &(f64, Multinomial)| prior + row.dot(&model.log_probabilities);
                let scores: Vec<f64> = models.iter().map(log).collect();
                crate::decide::ranking(&scores)[0]
            })
            .collect();
        Ok(Classifier { names: &known.names, best })
    }

    pub fn class(&self, row: usize) -> &str {
        &self.names[self.best[row]]
    }
}
