//! Unexpected: which new examples belong to none of the known classes, and which class the others belong to.
//!
//! The job of Li, Liu & Ng (2007), Figure 1: all known classes together are the positives, the new examples
//! are the pile, and what a method calls negative is unexpected. The rest goes to the known class that
//! multinomial naive Bayes (Equation 3) finds most likely.
//!
//! Under `auto` new rows are compared with the known classes that they hold (`present.rs`), and several compete: known
//! classes are hidden in turn (`hidden_classes.rs`), and who finds them best ranks the new rows (`competition.rs`). Where no one finds them, the answer says so.

mod class_likelihood;
mod competition;
mod hidden_classes;
mod known;
mod present;
mod rankers;

use serde::Serialize;

pub use competition::{Candidate, Competition, Placed};

use super::columns::{ColumnChoice, ids, repeated_ids};
use crate::codes;
use crate::data::{Csr, Data, Table, Texts};
use crate::decide::recenter;
use crate::error::{Error, Result};
use crate::features::{Features, Input, words::WordOptions};
use crate::figures::count;
use crate::method::{Entry, Parameters, Weights};
use crate::note::Note;
use crate::parts::conformal::{Goal, cut};
use crate::registry;
use crate::run::Run;
use hidden_classes::score_at;
use known::{Classifier, Known};
use present::Presence;
use rankers::{Ranked, Ranker, Views};

/// How to tell new rows of unknown classes from those of known ones.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::unexpected::{Classes, Unexpected};
/// use likewise::registry::find;
/// let known = Table::from_texts("text", ["engine wheel car", "car brake motor", "goal team ball", "team win ball"]);
/// let classes = ["cars", "cars", "sport", "sport"].map(String::from).to_vec();
/// let new = Table::from_texts("text", ["motor car engine", "protein enzyme cell gene protein enzyme gene"]);
/// let (parameters, columns) = (Default::default(), ColumnChoice::default());
/// let question = Unexpected { method: find("lgn")?, parameters, columns, words: WordOptions::default() };
/// let judged = question.ask(known, Classes::Given(classes), new, &Run::new(0))?;
/// assert_eq!(judged.verdicts[0].class.as_deref(), Some("cars"));
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Unexpected {
    /// How to learn; `auto` lets several compete.
    pub method: &'static dyn Entry,
    /// The method's parameters; what is left out has its default. `auto` has none here.
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
    pub ids: Texts,
    /// What is said of them.
    pub verdicts: Vec<Verdict>,
    /// The method that was used.
    pub method: &'static str,
    /// How those that competed found known classes that were hidden; none where a method was named or no class could be
    /// hidden.
    pub competition: Option<Competition>,
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
        let line = format!(
            "Method `{}`: {} of {} rows are unexpected; the others were given one of the known classes.",
            self.method,
            count(self.found()),
            count(self.verdicts.len())
        );
        match &self.competition {
            Some(found) if found.told => {
                format!("{line} Hidden known classes were found with F1 {:.2}.", found.f1())
            }
            Some(_) => format!("{line} Hidden known classes were not told; do not rely on the marks."),
            None => line,
        }
    }

    /// The figures of the answer.
    pub fn summary(&self) -> UnexpectedSummary<'_> {
        let Judged { method, competition, unnamed, .. } = self;
        let (rows, found) = (self.verdicts.len(), self.found());
        UnexpectedSummary { rows, found, method, unnamed: *unnamed, competition: competition.as_ref() }
    }
}

/// What was done, in figures.
#[derive(Clone, Debug, Serialize)]
pub struct UnexpectedSummary<'a> {
    /// New rows.
    pub rows: usize,
    /// Those of them that are unexpected.
    pub found: usize,
    /// The method that was used.
    pub method: &'static str,
    /// How many known rows took no part, since their class is blank.
    pub unnamed: usize,
    /// How hidden known classes were found.
    pub competition: Option<&'a Competition>,
}

impl Unexpected {
    /// Judges the new rows.
    pub fn ask(&self, known: Table, classes: Classes<'_>, new: Table, run: &Run) -> Result<Judged> {
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
        let (rankers, automatic) = self.rankers(&input)?;
        let search = Search { rankers, automatic, input, words: self.words.clone() };
        let Answer { verdicts, method, competition, notes: more } = search.run(&table, &classes, run)?;
        notes.extend(more);
        Ok(Judged { ids, verdicts, method, competition, unnamed, notes })
    }

    /// The method that was named, or all that compete for the automatic choice and can read the rows.
    fn rankers(&self, input: &Input) -> Result<(Vec<Ranker>, bool)> {
        let parameters = self.method.resolve(&self.parameters)?;
        if self.method.spec().name != registry::DEFAULT {
            return Ok((vec![Ranker::Method(self.method, parameters)], false));
        }
        let defaults = self.method.resolve(&Parameters::new())?;
        match parameters.iter().find(|(name, value)| defaults.get(*name) != Some(*value)) {
            None => Ok((Ranker::competitors(input)?, true)),
            Some((name, _)) => Err(Error::parameter(
                name,
                "those that compete for the automatic choice have their defaults; name the method that this is for",
            )),
        }
    }
}

struct Search {
    rankers: Vec<Ranker>,
    /// Whether the rankers compete; otherwise there is one, which was named.
    automatic: bool,
    input: Input,
    words: WordOptions,
}

struct Answer {
    verdicts: Vec<Verdict>,
    method: &'static str,
    competition: Option<Competition>,
    notes: Vec<Note>,
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
    fn run(&self, table: &Table, classes: &[String], run: &Run) -> Result<Answer> {
        let known = Known::of(classes);
        let first = known.classes.len();
        let mut views = Views::new(table, &self.input, &self.words);
        let mut ranker = self.rankers[0].clone();
        let mut notes = Vec::new();
        let present = match self.automatic {
            true => Some(Presence::look(&views.of(&Ranker::of_likeness()?, run)?.x, &known.classes, run)?),
            false => None,
        };
        let mut view = views.of(&ranker, run)?;
        let mut ranked = ranker.scores(&view.x, &known.classes, present.as_ref(), run)?;
        let (mut competition, mut told) = (None, None);
        if let Some(present) = &present {
            notes.extend(present.note(&known.names));
            let pile = (ranked.new.len(), share_of_unexpected(&ranked));
            match competition::compete(self.rankers.clone(), &mut views, (&known, present), pile, run)? {
                None => told = Some(nothing_hidden(&ranker, &known)),
                Some(outcome) => {
                    if outcome.winner.name() != ranker.name() {
                        ranker = outcome.winner;
                        view = views.of(&ranker, run)?;
                        ranked = ranker.scores(&view.x, &known.classes, Some(present), run)?;
                    }
                    if let Some(p_value) = outcome.p_value {
                        let threshold = score_at(&ranked.known, p_value);
                        ranked.new.iter_mut().for_each(|score| *score = recenter(*score, threshold));
                    }
                    (competition, told) = (Some(outcome.competition), Some(outcome.note));
                }
            }
        }
        notes.extend(view.notes);
        notes.extend(ranked.notes);
        notes.extend(told);
        let class = self.classes(table, &mut views, &view.x, &ranker, (&known, present), run)?;
        let mut verdicts: Vec<Verdict> = (ranked.new.iter().zip(class))
            .map(|(score, class)| {
                let score = 1.0 - score;
                let unexpected = score > 0.5;
                Verdict { score, unexpected, class: class.filter(|_| !unexpected) }
            })
            .collect();
        let blank: Vec<usize> = view.blank.into_iter().filter(|row| *row >= first).collect();
        for &row in &blank {
            verdicts[row - first] = Verdict { score: 0.0, unexpected: false, class: None };
        }
        if !blank.is_empty() {
            let text =
                format!("{} examples hold no usable word; nothing is said of them", count(blank.len()));
            notes.push(Note::info(&codes::BLANK_ROWS, text).field("rows", blank.len()));
        }
        Ok(Answer { verdicts, method: ranker.name(), competition, notes })
    }

    /// The class of each new row: the one that naive Bayes finds most likely, or, where there is nothing but vectors, that of
    /// the nearest known rows.
    fn classes(
        &self,
        table: &Table,
        views: &mut Views<'_>,
        x: &Data,
        ranker: &Ranker,
        (known, present): (&Known, Option<Presence>),
        run: &Run,
    ) -> Result<Vec<Option<String>>> {
        if self.input.readable_by(&registry::find("nb")?.spec()) {
            let counts = self.counts(table, x, ranker.spec()?.weights, run)?;
            let classifier = Classifier::fit(&counts, known)?;
            let new = known.classes.len()..table.rows();
            return Ok(new.map(|row| Some(classifier.class(row).to_string())).collect());
        }
        let present = match present {
            Some(present) => present,
            None => Presence::look(&views.of(&Ranker::of_likeness()?, run)?.x, &known.classes, run)?,
        };
        let name = |vote: &Option<usize>| vote.map(|class| known.names[class].clone());
        Ok(present.votes.iter().map(name).collect())
    }

    /// Non-negative rows for the classifier: the ranker's own where they are counts, else counts made anew.
    fn counts(&self, table: &Table, x: &Data, weights: Weights, run: &Run) -> Result<std::sync::Arc<Csr>> {
        let asked = self.words.weights.unwrap_or(weights);
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

/// Of the new rows.
fn share_of_unexpected(ranked: &Ranked) -> f64 {
    cut(&ranked.known, &ranked.new, Goal::Rarer).map_or(0.0, |cut| 1.0 - cut.share)
}

fn nothing_hidden(ranker: &Ranker, known: &Known) -> Note {
    let why = match known.names.len() {
        1 => "only one class is known",
        _ => "the known classes are too small to do without some of their rows",
    };
    let text = format!(
        "no known class could be hidden to see what would be found, since {why}; `{}` was taken unseen",
        ranker.name()
    );
    Note::info(&codes::NOTHING_HIDDEN, text)
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
            rankers: vec![Ranker::Method(registry::find("lgn").unwrap(), Parameters::new())],
            automatic: false,
            input: Input::Text(vec!["text".into()]),
            words: WordOptions::default(),
        };
        let verdicts = search.run(&table, &classes, &Run::new(0)).unwrap().verdicts;
        assert_eq!(verdicts[0].class.as_deref(), Some("cars"));
        assert_eq!(verdicts[1].class.as_deref(), Some("sport"));
        assert!(verdicts[2].unexpected && verdicts[2].class.is_none());
        assert_eq!((verdicts[3].score, verdicts[3].unexpected), (0.0, false));
    }
}
