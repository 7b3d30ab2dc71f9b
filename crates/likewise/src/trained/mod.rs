//! The road in one object: features and a method, fitted together, kept together, scored together.
//!
//! [`Trained`] scores, explains and is kept: `learn.rs` makes one, `end.rs` says where the class ends, `explain.rs` why a
//! row has its score, `file.rs` keeps it.

mod end;
mod explain;
mod file;
mod learn;

pub use end::Asked;
pub use explain::{Explanation, RuleReason};
pub use learn::{Outcome, fit, fit_marks, fit_rows, learn, learn_from_sums};

use std::sync::Arc;

use crate::correction::Correction;
use crate::data::{Csr, Data, Table};
use crate::drift::{Baseline, SeenRows};
use crate::ends::{Ends, Moved};
use crate::error::{Error, Result};
use crate::features::{Features, rows::MatrixFeatures};
use crate::likeness::Likeness;
use crate::method::{Model, Parameters, Scores, Summary};
use crate::note::Note;
use crate::probability::Probabilities;
use crate::relations::Relational;
use crate::run::Run;

/// A trained recipe: what a model file holds.
///
/// ```
/// use likewise::prelude::*;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund now", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// let trained = Find::new(Some("nb"), false)?.ask(&problem, &Run::new(0))?.trained;
/// let kept = Trained::from_bytes(trained.to_bytes()?)?;
/// let (scores, _) = kept.score(&Table::from_texts("text", ["my money", "a parcel"]), &Run::new(0))?;
/// assert!(scores[0] > scores[1]);
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Trained {
    /// The method that learned.
    pub method: String,
    /// All of its parameters.
    pub parameters: Parameters,
    /// The seed it learned with.
    pub seed: u64,
    /// What the caller calls unlabeled and positive, where they have names of their own.
    pub labels: Option<[serde_json::Value; 2]>,
    /// Whether probabilities are asked for where others ask for scores.
    pub calibrated: bool,
    /// Where the class ends, as it was asked for; none where nobody has moved the method's own cut.
    pub ends: Option<Ends>,
    /// Where the scores of the model are cut instead of at 0.5, as margins.
    pub(crate) cut: Option<Moved>,
    /// What later marks have changed; none in a model that was never updated.
    pub(crate) correction: Option<Correction>,
    /// What new rows are compared with; none where nobody has asked for it, and in models of older versions.
    pub(crate) baseline: Option<Baseline>,
    /// How probable rows of a score are; none where no positives were hidden to learn it.
    pub(crate) probabilities: Option<Probabilities>,
    /// How rows become numbers.
    pub features: Features,
    model: Box<dyn Model>,
    /// The examples that vectors are compared with in explanations, where there are vectors.
    likeness: Option<Likeness>,
}

/// A document without a usable word says nothing: it is ranked last and never called positive.
fn last_if_blank(features: &Features, x: &Data, mut scores: Scores, notes: &mut Vec<Note>) -> Scores {
    let blank = features.blank_rows(x);
    for &row in &blank {
        scores[row] = 0.0;
    }
    if !blank.is_empty() {
        notes.push(features.blank_note(blank.len()));
    }
    scores
}

impl Trained {
    /// The scores of new rows, and what there is to say of them.
    pub fn score(&self, table: &Table, run: &Run) -> Result<(Scores, Vec<Note>)> {
        let (x, mut notes) = self.features.transform(table, run)?;
        let scores = self.public(&x, self.model.score(&x, run)?);
        Ok((last_if_blank(&self.features, &x, scores, &mut notes), notes))
    }

    /// The same, and counts what is compared with the rows that were learned from, where the model has these.
    pub fn score_and_count(
        &self,
        table: &Table,
        seen: &mut Option<SeenRows>,
        run: &Run,
    ) -> Result<(Scores, Vec<Note>)> {
        let Some(baseline) = &self.baseline else { return self.score(table, run) };
        let (x, mut notes, known) = self.features.transform_and_known(table, run)?;
        let scores = self.public(&x, self.model.score(&x, run)?);
        let scores = last_if_blank(&self.features, &x, scores, &mut notes);
        let seen = seen.get_or_insert_with(|| baseline.nothing_seen());
        baseline.count(seen, &scores, &known, &x);
        Ok((scores, notes))
    }

    /// The same of rows that are numbers already.
    pub fn score_rows_and_count(&self, x: Data, seen: &mut Option<SeenRows>, run: &Run) -> Result<Scores> {
        let x = self.rows()?.transform(x)?;
        let scores = self.public(&x, self.model.score(&x, run)?);
        if let Some(baseline) = &self.baseline {
            let seen = seen.get_or_insert_with(|| baseline.nothing_seen());
            baseline.count(seen, &scores, &[], &x);
        }
        Ok(scores)
    }

    /// How many examples it was learned from, where it knows.
    pub(crate) fn examples(&self) -> Option<usize> {
        let of_summary = self.summary().map(|summary| summary.positives);
        of_summary.or(self.baseline.as_ref().map(Baseline::examples))
    }

    /// What new rows are compared with.
    pub fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_ref()
    }

    /// How probable rows of a score are.
    pub fn probabilities(&self) -> Option<&Probabilities> {
        self.probabilities.as_ref()
    }

    /// The scores of new rows of a model that was trained on such rows.
    pub fn score_rows(&self, x: Data, run: &Run) -> Result<Scores> {
        let x = self.rows()?.transform(x)?;
        Ok(self.public(&x, self.model.score(&x, run)?))
    }

    /// The scores of rows that are in their features already, as if they were new.
    pub(crate) fn score_placed(&self, x: &Data, run: &Run) -> Result<Scores> {
        Ok(self.public(x, self.score_again(x, run)?))
    }

    /// The same as if nobody had moved the cut.
    pub(crate) fn score_again(&self, x: &Data, run: &Run) -> Result<Scores> {
        Ok(last_if_blank(&self.features, x, self.model.score(x, run)?, &mut Vec::new()))
    }

    /// Where the cut was moved to, and with what was learned later.
    fn public(&self, x: &Data, scores: Scores) -> Scores {
        let scores = self.moved(scores);
        let Some(correction) = self.correction.as_ref().filter(|correction| correction.fits(x)) else {
            return scores;
        };
        scores.iter().enumerate().map(|(row, score)| correction.score(x, row, *score)).collect()
    }

    fn moved(&self, mut scores: Scores) -> Scores {
        if let Some(cut) = &self.cut {
            scores.iter_mut().for_each(|score| *score = cut.score(*score));
        }
        scores
    }

    /// The same for examples of related tables.
    pub fn score_related(&self, x: &Relational, run: &Run) -> Result<Scores> {
        Ok(self.moved(self.model.score(&Data::Relational(Arc::new(x.clone())), run)?))
    }

    /// The examples under the paths of the model's trees, and the rule of each path.
    pub fn path_features(&self, x: &Relational, run: &Run) -> Result<(Csr, Vec<String>)> {
        let found = self.model.own_features(&Data::Relational(Arc::new(x.clone())), run)?;
        found.ok_or_else(|| {
            Error::data(format!(
                "method `{}` makes no path features; train one of relocc, relocc-random, o-rel, o-rnd, s-rel, s-rnd",
                self.method
            ))
        })
    }

    fn rows(&self) -> Result<&MatrixFeatures> {
        match &self.features {
            Features::Matrix(rows) => Ok(rows),
            Features::Words { .. } => Err(Error::data("this model reads text; give it documents")),
            Features::Columns(_) | Features::Vectors(_) | Features::Joined(_) => Err(Error::data(format!(
                "this model reads the columns {}; give it a table that has them",
                self.features.columns_read().join(", ")
            ))),
            Features::Related { target, .. } => {
                Err(Error::data(format!("this model is of `{target}`, about related tables, not about rows")))
            }
        }
    }

    /// What an automatic choice says of itself.
    pub fn summary(&self) -> Option<&Summary> {
        self.model.summary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, PuData};
    use crate::features::Input;
    use crate::features::words::{StopWords, WordOptions};
    use crate::methods::find;

    fn table(texts: &[&str]) -> Table {
        let mut table = Table::from_source("t");
        table.push_column("text", Column::Text(texts.iter().collect()));
        table.origins = (0..texts.len()).map(|i| (0, i as u64 + 1)).collect();
        table
    }

    fn outcome() -> (Table, Outcome) {
        let table = table(&[
            "refund money",
            "money back refund",
            "late parcel",
            "",
            "refund money please",
            "parcel lost",
        ]);
        let method = find("nb").unwrap();
        let input = Input::Text(vec!["text".into()]);
        let words = WordOptions { stop_words: StopWords::English, ..WordOptions::default() };
        let (features, x, notes) =
            Features::fit(&table, &input, &words, &method.spec(), &Run::new(0)).unwrap();
        let train = PuData::new(x, vec![true, true, false, false, false, false]).unwrap();
        let parameters = method.resolve(&Parameters::new()).unwrap();
        let outcome = learn(method, parameters, features, train, notes, &Run::new(0)).unwrap();
        (table, outcome)
    }

    #[test]
    fn blank_documents_come_last_and_few_positives_are_mentioned() {
        let (_, outcome) = outcome();
        assert_eq!(outcome.scores[3], 0.0);
        assert!(outcome.scores[4] > outcome.scores[2]);
        let text = format!("{:?}", outcome.notes);
        assert!(
            text.contains("only 2 positive examples")
                && text.contains("1 row without a usable word is ranked last"),
            "{text}"
        );
    }

    #[test]
    fn a_loaded_model_scores_and_explains_as_before() {
        let (table, outcome) = outcome();
        let loaded = Trained::from_bytes(outcome.trained.to_bytes().unwrap()).unwrap();
        assert_eq!(loaded.score(&table, &Run::new(0)).unwrap().0, outcome.scores);
        let why = loaded.explain(&table, 4, 1, &Run::new(0)).unwrap();
        assert_eq!(why[0].0, "money");
        assert!(why[0].1 > 0.0);
    }
}
