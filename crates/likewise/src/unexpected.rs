//! Which new examples belong to none of the known classes, and which class the others belong to.
//!
//! The job of Li, Liu & Ng (2007), Figure 1: all known classes together are the positives, the new examples
//! are the pile, and what a method calls negative is unexpected. The rest goes to the known class that
//! multinomial naive Bayes (Equation 3) finds most likely.

use crate::codes;
use crate::data::{Csr, Data, PuData, Table};
use crate::error::{Error, Result};
use crate::features::{Features, Input, words::WordOptions};
use crate::method::{Entry, Parameters, Weights};
use crate::note::Note;
use crate::parts::naive_bayes::Multinomial;
use crate::registry;
use crate::run::Run;

/// What `auto` means here. The new rows are mostly of known classes, so the distance to the known decides, not a
/// comparison of known with new, which finds little but differences of time and thread.
pub const AUTOMATIC: &str = "knn-nb";

/// The method of that name; `auto` takes its own route.
pub fn method(name: &str) -> Result<&'static dyn Entry> {
    registry::find(if name == registry::DEFAULT { AUTOMATIC } else { name })
}

pub struct Search {
    pub method: &'static dyn Entry,
    pub parameters: Parameters,
    pub input: Input,
    pub words: WordOptions,
}

/// What is said of one new example.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Larger is more likely unexpected; unexpected means above 0.5.
    pub score: f64,
    pub unexpected: bool,
    /// The known class, where the example is not unexpected.
    pub class: Option<String>,
}

impl Search {
    /// `table` holds the known examples first, then the new ones; `classes` are those of the known.
    pub fn run(&self, table: &Table, classes: &[String], run: &Run) -> Result<(Vec<Verdict>, Vec<Note>)> {
        let known = classes.len();
        let (features, x, mut notes) =
            Features::fit(table, &self.input, &self.words, &self.method.spec(), run)?;
        let positive: Vec<bool> = (0..table.rows()).map(|i| i < known).collect();
        let blank = features.blank_rows(&x);
        let train = PuData::new(x, positive)?;
        let fitted = self.method.fit(&self.parameters, &train, run)?;
        notes.extend(fitted.notes);
        let counts = self.counts(table, &train.x, run)?;
        let classifier = Classifier::fit(&counts, classes)?;
        let mut verdicts: Vec<Verdict> = (known..table.rows())
            .map(|row| {
                let score = 1.0 - fitted.scores[row];
                let unexpected = score > 0.5;
                Verdict { score, unexpected, class: (!unexpected).then(|| classifier.class(row).to_string()) }
            })
            .collect();
        let blank: Vec<usize> = blank.into_iter().filter(|row| *row >= known).collect();
        for &row in &blank {
            verdicts[row - known] = Verdict { score: 0.0, unexpected: false, class: None };
        }
        if !blank.is_empty() {
            let text = format!("{} examples hold no usable word; nothing is said of them", blank.len());
            notes.push(Note::info(&codes::LEARNED, text));
        }
        Ok((verdicts, notes))
    }

    /// Non-negative rows for the classifier: the method's own where they are counts, else counts made anew.
    fn counts(&self, table: &Table, x: &Data, run: &Run) -> Result<std::sync::Arc<Csr>> {
        let asked = self.words.weights.unwrap_or(self.method.spec().weights);
        match (x, &self.input) {
            (Data::Sparse(x), Input::Text(_)) if asked != Weights::TfIdf => Ok(x.clone()),
            (Data::Sparse(x), Input::Sparse) => Ok(x.clone()),
            (_, input) => {
                let words = WordOptions { weights: Some(Weights::Count), ..self.words.clone() };
                let spec = registry::find("nb")?.spec();
                let (_, x, _) = Features::fit(table, input, &words, &spec, run)?;
                Ok(x.sparse()?.clone())
            }
        }
    }
}

/// Multinomial naive Bayes over the known classes.
struct Classifier {
    names: Vec<String>,
    best: Vec<usize>,
}

impl Classifier {
    fn fit(x: &Csr, classes: &[String]) -> Result<Self> {
        if x.values.iter().any(|v| *v < 0.0) {
            return Err(Error::data("the features hold negative numbers; classes are told apart by counts"));
        }
        let mut names: Vec<String> = classes.to_vec();
        names.sort();
        names.dedup();
        let mut members = vec![Vec::new(); names.len()];
        for (row, class) in classes.iter().enumerate() {
            let class = names.binary_search(class).expect("every class is among the names");
            members[class].push(row);
        }
        let models: Vec<(f64, Multinomial)> = (members.iter())
            .map(|rows| {
                let prior = (rows.len() as f64 / classes.len() as f64).ln();
                (prior, Multinomial::from_counts(&x.column_sums(rows.iter().copied()), 1.0))
            })
            .collect();
        let best = (x.iter_rows())
            .map(|row| {
                let log = |(prior, model): &(f64, Multinomial)| prior + row.dot(&model.log_probabilities);
                let scores: Vec<f64> = models.iter().map(log).collect();
                crate::decide::ranking(&scores)[0]
            })
            .collect();
        Ok(Classifier { names, best })
    }

    fn class(&self, row: usize) -> &str {
        &self.names[self.best[row]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    #[test]
    fn known_classes_are_named_and_strangers_are_not() {
        let known =
            ["engine wheel motor car", "car wheel brake motor", "goal team match ball", "team ball goal win"];
        let new =
            ["motor car engine brake", "ball team goal", "protein enzyme cell gene protein enzyme gene", ""];
        let mut table = Table::from_source("t");
        table.push_column("text", Column::Text(known.iter().chain(&new).collect()));
        table.origins = (0..8).map(|i| (0, i + 1)).collect();
        let classes: Vec<String> = ["cars", "cars", "sport", "sport"].iter().map(|c| c.to_string()).collect();
        let search = Search {
            method: crate::registry::find("lgn").unwrap(),
            parameters: Parameters::new(),
            input: Input::Text(vec!["text".into()]),
            words: WordOptions::default(),
        };
        let (verdicts, _) = search.run(&table, &classes, &Run::new(0)).unwrap();
        assert_eq!(verdicts[0].class.as_deref(), Some("cars"));
        assert_eq!(verdicts[1].class.as_deref(), Some("sport"));
        assert!(verdicts[2].unexpected && verdicts[2].class.is_none());
        assert_eq!((verdicts[3].score, verdicts[3].unexpected), (0.0, false));
    }
}
