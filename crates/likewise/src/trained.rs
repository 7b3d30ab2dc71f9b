//! The road in one object: features and a method, fitted together, kept together, scored together.
//!
//! [`Trained`] scores, explains and is kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::codes;
use crate::correction::Correction;
use crate::data::{Csr, Data, PuData, Table, check_labels};
use crate::drift::{Baseline, Seen};
use crate::ends::{Ends, Moved};
use crate::error::{Error, Result};
use crate::features::{Features, rows::MatrixFeatures};
use crate::figures::count;
use crate::likeness::Likeness;
use crate::method::{
    Cause, Entry, Method, Model, Negatives, Parameters, Reason, Registered, Scores, Summary,
};
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::registry::find;
use crate::relations::Relational;
use crate::run::Run;

/// A trained recipe: what a model file holds.
pub struct Trained {
    /// The method that learned.
    pub method: String,
    /// All of its parameters.
    pub parameters: Parameters,
    /// The seed it learned with.
    pub seed: u64,
    /// What the caller calls unlabeled and positive, where they have names of their own.
    pub labels: Option<[serde_json::Value; 2]>,
    /// Where the class ends, as it was asked for; none where nobody has moved the method's own cut.
    pub ends: Option<Ends>,
    /// Where the scores of the model are cut instead of at 0.5, as margins.
    pub(crate) cut: Option<Moved>,
    /// What later marks have changed; none in a model that was never updated.
    pub(crate) correction: Option<Correction>,
    /// What new rows are compared with; none where nobody has asked for it, and in models of older versions.
    pub(crate) baseline: Option<Baseline>,
    /// How rows become numbers.
    pub features: Features,
    model: Box<dyn Model>,
    /// The examples that vectors are compared with in explanations, where there are vectors.
    likeness: Option<Likeness>,
}

/// A trained recipe with what it says of its own training rows.
pub struct Outcome {
    /// What scores, explains and is kept.
    pub trained: Trained,
    /// One score a training row, labelled ones too, in their order.
    pub scores: Scores,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// Why a row has its score: names and pushes, strongest first.
pub type Explanation = Vec<(String, f64)>;

const LIKENESS: &str = "likeness";

/// Fewer positives than this deserve a warning.
const FEW_POSITIVES: usize = 5;

/// Learns with a method of your choice from rows that are numbers, and gives what scores, explains and is kept.
///
/// Parameters are checked against their ranges, rows are brought into the form that the method takes, and scores keep
/// their promise, as everywhere. The method may be one of [`crate::methods`] or your own.
///
/// ```
/// use likewise::prelude::*;
///
/// let x = Dense::new(6, 1, vec![2.0, 1.9, 2.1, 1.8, -2.0, -1.9])?;
/// let marks = vec![true, true, false, false, false, false];
/// let method = methods::margin::logistic::Logistic { c: 10.0, ..Default::default() };
/// let outcome = fit(&method, x.into(), marks, &Run::new(0))?;
/// assert!(outcome.scores[2] > outcome.scores[4]);
/// let kept = Trained::from_bytes(outcome.trained.to_bytes()?)?;
/// let new = Dense::new(1, 1, vec![2.2])?;
/// assert!(kept.score_rows(new.into(), &Run::new(0))?[0] > 0.5);
/// # Ok::<(), likewise::Error>(())
/// ```
pub fn fit<M: Method>(method: &M, x: Data, positive: Vec<bool>, run: &Run) -> Result<Outcome> {
    let parameters = match serde_json::to_value(method) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => return Err(Error::parameter(M::SPEC.name, "the parameters are not plain values")),
    };
    fit_rows(entry_of::<M>(), &parameters, x, Vec::new(), positive, run)
}

/// A method of its own type as an entry.
fn entry_of<M: Method>() -> &'static dyn Entry {
    // Of no size, so nothing is allocated.
    Box::leak(Box::new(Registered::<M>::NEW))
}

/// Learns from rows that are numbers already, taken as they are; `names` may be empty.
pub fn fit_rows(
    method: &'static dyn Entry,
    parameters: &Parameters,
    x: Data,
    names: Vec<String>,
    positive: Vec<bool>,
    run: &Run,
) -> Result<Outcome> {
    let unwanted = vec![false; positive.len()];
    fit_marks(method, parameters, x, names, positive, unwanted, run)
}

/// The same where some rows are known not to be wanted.
pub fn fit_marks(
    method: &'static dyn Entry,
    parameters: &Parameters,
    x: Data,
    names: Vec<String>,
    positive: Vec<bool>,
    unwanted: Vec<bool>,
    run: &Run,
) -> Result<Outcome> {
    check_labels(&positive)?;
    let parameters = method.resolve(parameters)?;
    let (rows, x) = MatrixFeatures::fit(x, names, &method.spec())?;
    let train = PuData::new(x, positive)?.with_unwanted(unwanted)?;
    learn(method, parameters, Features::Matrix(rows), train, Vec::new(), run)
}

/// Learns from rows under features that were fitted on them.
pub fn learn(
    method: &'static dyn Entry,
    parameters: Parameters,
    features: Features,
    mut train: PuData,
    mut notes: Vec<Note>,
    run: &Run,
) -> Result<Outcome> {
    let labelled = train.positive.iter().filter(|p| **p).count();
    if labelled < FEW_POSITIVES {
        let text = format!(
            "only {labelled} positive examples: the answer can be far off; mark {FEW_POSITIVES} or more, better 30"
        );
        notes.push(Note::warning(&codes::FEW_EXAMPLES, text).field("examples", labelled));
    }
    train.parts = features.parts();
    let known = train.known_negatives().len();
    if known > 0 && method.negatives() == Negatives::LeftOut {
        let name = method.spec().name;
        let text =
            format!("{known} rows known not to be wanted were left out: method `{name}` has no use for them");
        notes.push(Note::warning(&codes::NEGATIVES_UNUSED, text).field("rows", known));
    }
    let fitted = method.fit(&parameters, &train, run)?;
    notes.extend(fitted.notes);
    let scores = last_if_blank(&features, &train.x, fitted.scores, &mut notes);
    let (method, seed) = (method.spec().name.to_string(), run.seed());
    let trained = Trained {
        method,
        parameters,
        seed,
        labels: None,
        ends: None,
        cut: None,
        correction: None,
        baseline: None,
        features,
        model: fitted.model,
        likeness: None,
    };
    Ok(Outcome { trained, scores, notes })
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
        seen: &mut Option<Seen>,
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
    pub fn score_rows_and_count(&self, x: Data, seen: &mut Option<Seen>, run: &Run) -> Result<Scores> {
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

    /// Why an example among related tables has its score.
    pub fn explain_related(&self, x: &Relational, row: usize, top: usize) -> Result<Explanation> {
        let reasons = self.model.explain(&Data::Relational(Arc::new(x.clone())), row, top)?;
        Ok(self.named(reasons))
    }

    /// Why row `row` of a table has its score.
    pub fn explain(&self, table: &Table, row: usize, top: usize, run: &Run) -> Result<Explanation> {
        let one = table.select(&[row]);
        let (x, _) = self.features.transform(&one, run)?;
        let reasons = self.reasons(&x, self.features.reasons_to_ask(top))?;
        let told = self.features.by_cells(&x, 0, reasons, top);
        let name = |cause| match cause {
            Cause::Feature(j) => self.features.told(j, &one, 0),
            Cause::Statement(text) => text,
        };
        let mut named: Explanation =
            told.reasons.into_iter().map(|reason| (name(reason.cause), reason.push)).collect();
        if let Some(push) = told.vectors.filter(|push| *push != 0.0) {
            let like = match &self.likeness {
                Some(likeness) => likeness.nearest(&self.features, &one, run)?,
                None => None,
            };
            let at = named.partition_point(|(_, other)| other.abs() >= push.abs());
            named.insert(at, (like.unwrap_or_else(|| "its vector".into()), push));
            named.truncate(top);
        }
        Ok(named)
    }

    /// Remembers what the user calls the examples, so that explanations can say which of them a vector is like.
    pub fn remember(&mut self, examples: &Table, ids: Vec<String>, run: &Run) -> Result<()> {
        self.likeness = Likeness::of(&self.features, examples, ids, run)?;
        Ok(())
    }

    /// Why row `row` of a matrix has its score.
    pub fn explain_rows(&self, x: Data, row: usize, top: usize) -> Result<Explanation> {
        let x = self.rows()?.transform(x.select(&[row]))?;
        Ok(self.named(self.reasons(&x, top)?))
    }

    /// Why the only row of `x` has its score; what was learned later speaks beside the model.
    fn reasons(&self, x: &Data, top: usize) -> Result<Vec<Reason>> {
        let mut reasons = self.model.explain(x, 0, top)?;
        if let Some(correction) = self.correction.as_ref().filter(|correction| correction.fits(x)) {
            for more in correction.reasons(x, 0, top) {
                match reasons.iter_mut().find(|reason| reason.cause == more.cause) {
                    Some(reason) => reason.push += more.push,
                    None => reasons.push(more),
                }
            }
            reasons.sort_by(|a, b| b.push.abs().total_cmp(&a.push.abs()));
            reasons.truncate(top);
        }
        Ok(reasons)
    }

    /// The features that count most whatever the row; none where the model has no such.
    pub fn portrait(&self, top: usize) -> Explanation {
        let mut named = self.model.portrait(self.features.reasons_to_ask(top));
        named.retain(|reason| !matches!(reason.cause, Cause::Feature(j) if self.features.is_vector(j)));
        named.truncate(top);
        self.named(named)
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

    fn named(&self, reasons: Vec<Reason>) -> Explanation {
        let name = |cause| match cause {
            Cause::Feature(j) => self.features.name(j),
            Cause::Statement(text) => text,
        };
        reasons.into_iter().map(|reason| (name(reason.cause), reason.push)).collect()
    }

    /// What an automatic choice says of itself.
    pub fn summary(&self) -> Option<&Summary> {
        self.model.summary()
    }

    /// The features that push most over many rows: the mean push of the strongest, named.
    pub fn telling_features(
        &self,
        table: &Table,
        rows: &[usize],
        top: usize,
        run: &Run,
    ) -> Result<Explanation> {
        let (x, _) = self.features.transform(&table.select(rows), run)?;
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for row in 0..rows.len() {
            let reasons = self.model.explain(&x, row, self.features.reasons_to_ask(top))?;
            for reason in self.features.by_cells(&x, row, reasons, top).reasons {
                if let Cause::Feature(j) = reason.cause {
                    *sums.entry(j).or_default() += reason.push / rows.len() as f64;
                }
            }
        }
        let strongest = Reason::strongest(sums, top).into_iter();
        Ok(strongest
            .filter_map(|reason| match reason.cause {
                Cause::Feature(j) => Some((self.features.name(j), reason.push)),
                Cause::Statement(_) => None,
            })
            .collect())
    }

    /// The bytes of a model file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.to_file()?.0)
    }

    /// The bytes of a model file, and what whoever gives it away should know.
    pub fn to_file(&self) -> Result<(Vec<u8>, Vec<Note>)> {
        let mut out = Writer::default();
        out.value("method", &self.method);
        out.value("parameters", &self.parameters);
        out.value("seed", &self.seed);
        if let Some(labels) = &self.labels {
            out.value("labels", labels);
        }
        if let Some(ends) = &self.ends {
            out.value("ends", ends);
        }
        if let Some(cut) = &self.cut {
            out.nested("moved", |out| cut.save(out));
        }
        if let Some(correction) = &self.correction {
            out.nested("correction", |out| correction.save(out));
        }
        if let Some(baseline) = &self.baseline {
            out.nested("baseline", |out| baseline.save(out));
        }
        out.nested("features", |out| self.features.save(out));
        out.nested("model", |out| self.model.save(out))?;
        if let Some(likeness) = &self.likeness {
            out.nested(LIKENESS, |out| likeness.save(out));
        }
        let rows = out.rows_kept();
        let text = format!(
            "the model keeps {} of the rows it learned from; whoever gets it can read their features",
            count(rows)
        );
        let kept = (rows > 0).then(|| Note::info(&codes::ROWS_KEPT, text).field("rows", rows));
        Ok((out.finish()?, kept.into_iter().collect()))
    }

    /// Reads the bytes of a model file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        let file = Reader::new(bytes)?;
        let method: String = file.value("method")?;
        let entry = find(&method).map_err(|_| {
            Error::model_file(format!("it was made by method `{method}`, which this version does not have"))
        })?;
        Self::load(&file, entry)
    }

    /// The same for a method of your own, which the registry does not know.
    pub fn from_bytes_of<M: Method>(bytes: Vec<u8>) -> Result<Self> {
        let file = Reader::new(bytes)?;
        match file.value::<String>("method")? {
            method if method == M::SPEC.name => Self::load(&file, entry_of::<M>()),
            method => Err(Error::model_file(format!("it was made by method `{method}`"))),
        }
    }

    fn load(file: &Reader, entry: &dyn Entry) -> Result<Self> {
        let method = entry.spec().name.to_string();
        let kept = file.nested(LIKENESS);
        let ends = if file.has_value("ends") { Some(file.value("ends")?) } else { None };
        Ok(Trained {
            likeness: if kept.has_value("ids") { Some(Likeness::load(&kept)?) } else { None },
            parameters: file.value("parameters")?,
            seed: file.value("seed")?,
            labels: if file.has_value("labels") { Some(file.value("labels")?) } else { None },
            cut: match ends {
                None | Some(Ends::Natural) => None,
                Some(_) => Some(Moved::load(&file.nested("moved"))?),
            },
            ends,
            correction: Correction::load(&file.nested("correction"))?,
            baseline: Baseline::load(&file.nested("baseline"))?,
            features: Features::load(&file.nested("features"))?,
            model: entry.load(&file.nested("model"))?,
            method,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use crate::features::Input;
    use crate::features::words::{StopWords, WordOptions};

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
            text.contains("only 2 positive examples") && text.contains("1 rows hold no usable word"),
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
