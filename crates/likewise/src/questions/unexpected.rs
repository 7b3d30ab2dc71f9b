//! Unexpected: which new examples belong to none of the known classes, and which class the others belong to.
//!
//! The job of Li, Liu & Ng (2007), Figure 1: all known classes together are the positives, the new examples
//! are the pile, and what a method calls negative is unexpected. The rest goes to the known class that
//! multinomial naive Bayes (Equation 3) finds most likely.

use serde::Serialize;

use super::columns::{ColumnChoice, ids, repeated_ids};
use crate::codes;
use crate::data::{Csr, Data, PuData, Table};
use crate::error::{Error, Result};
use crate::features::{Features, Input, words::WordOptions};
use crate::figures::count;
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

/// How to tell new rows of unknown classes from those of known ones.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::unexpected::{Classes, Unexpected, method};
/// let known = Table::from_texts("text", ["engine wheel car", "car brake motor", "goal team ball", "team win ball"]);
/// let classes = ["cars", "cars", "sport", "sport"].map(String::from).to_vec();
/// let new = Table::from_texts("text", ["motor car engine", "protein enzyme cell gene protein enzyme gene"]);
/// let (parameters, columns) = (Default::default(), ColumnChoice::default());
/// let question = Unexpected { method: method("lgn")?, parameters, columns, words: WordOptions::default() };
/// let judged = question.ask(known, Classes::Given(classes), new, &Run::new(0))?;
/// assert_eq!(judged.verdicts[0].class.as_deref(), Some("cars"));
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Unexpected {
    /// How to learn.
    pub method: &'static dyn Entry,
    /// The method's parameters; what is left out has its default.
    pub parameters: Parameters,
    /// Which columns are learned from, and what rows are called.
    pub columns: ColumnChoice,
    /// How text becomes words.
    pub words: WordOptions,
}

/// The classes of the known rows.
pub enum Classes<'a> {
    /// This column of their table names them.
    Column(&'a str),
    /// One for each row.
    Given(Vec<String>),
}

/// The answer, in the order of the new rows.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// What the user calls the new rows.
    pub ids: Vec<String>,
    /// What is said of them.
    pub verdicts: Vec<Verdict>,
    /// The method that was used.
    pub method: &'static str,
    /// How many known rows took no part, since their class is blank.
    pub unnamed: usize,
    /// What the user should know.
    pub notes: Vec<Note>,
}

impl Judged {
    /// How many new rows are unexpected.
    pub fn found(&self) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.unexpected).count()
    }

    /// What was done, in a plain line.
    pub fn line(&self) -> String {
        format!(
            "Method `{}`: {} of {} rows are unexpected; the others were given one of the known classes.",
            self.method,
            count(self.found()),
            count(self.verdicts.len())
        )
    }
}

impl Unexpected {
    /// Judges the new rows.
    pub fn ask(&self, known: Table, classes: Classes<'_>, new: Table, run: &Run) -> Result<Judged> {
        let parameters = self.method.resolve(&self.parameters)?;
        let label = match classes {
            Classes::Column(name) => Some(name),
            Classes::Given(_) => None,
        };
        let classes = match classes {
            Classes::Given(classes) if classes.len() != known.rows() => {
                let text = format!("{} known rows but {} classes", known.rows(), classes.len());
                return Err(Error::of(&codes::INPUTS_DIFFER, text));
            }
            Classes::Given(classes) => classes,
            Classes::Column(name) => {
                let column = known.column(name)?;
                (0..known.rows()).map(|row| column.cell(row).into_owned()).collect()
            }
        };
        let named: Vec<usize> = (0..classes.len()).filter(|&row| !classes[row].trim().is_empty()).collect();
        let unnamed = classes.len() - named.len();
        if named.is_empty() {
            return Err(Error::of(
                &codes::UNNAMED_CLASS,
                "the class of every known row is blank: no class is known; name the column that holds it",
            ));
        }
        let mut notes = Vec::new();
        if unnamed > 0 {
            let text = format!("known rows left out because their class is blank: {}", count(unnamed));
            notes.push(Note::warning(&codes::UNNAMED_CLASS, text).field("rows", unnamed));
        }
        let (input, taken) = self.columns.looked(&known, label)?;
        notes.extend(taken);
        input.names().into_iter().try_for_each(|name| new.column(name).map(|_| ()))?;
        let id = self.columns.id.as_deref();
        let ids = ids(&new, id, 0)?;
        notes.extend(repeated_ids(&new, &ids, id));
        let (mut table, classes) = match unnamed {
            0 => (known, classes),
            _ => (known.select(&named), named.iter().map(|&row| classes[row].clone()).collect()),
        };
        table.append(new)?;
        let search = Search { method: self.method, parameters, input, words: self.words.clone() };
        let (verdicts, more) = search.run(&table, &classes, run)?;
        notes.extend(more);
        Ok(Judged { ids, verdicts, method: self.method.spec().name, unnamed, notes })
    }
}

struct Search {
    method: &'static dyn Entry,
    parameters: Parameters,
    input: Input,
    words: WordOptions,
}

/// What is said of one new example.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Larger is more likely unexpected; unexpected means above 0.5.
    pub score: f64,
    /// Whether it belongs to none of the known classes.
    pub unexpected: bool,
    /// The known class, where the example is not unexpected.
    pub class: Option<String>,
}

impl Search {
    /// `table` holds the known examples first, then the new ones; `classes` are those of the known.
    fn run(&self, table: &Table, classes: &[String], run: &Run) -> Result<(Vec<Verdict>, Vec<Note>)> {
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
            let text =
                format!("{} examples hold no usable word; nothing is said of them", count(blank.len()));
            notes.push(Note::info(&codes::BLANK_ROWS, text).field("rows", blank.len()));
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
