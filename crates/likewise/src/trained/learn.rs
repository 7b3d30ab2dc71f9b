//! Features and a method, fitted together.

use super::{Trained, last_if_blank};
use crate::codes;
use crate::data::{Data, PuData, check_labels};
use crate::ends::Ends;
use crate::error::{Error, Result};
use crate::features::{Features, rows::MatrixFeatures};
use crate::method::{ColumnCounts, Entry, Method, Model, Negatives, Parameters, Registered, Scores};
use crate::note::Note;
use crate::run::Run;

/// A trained recipe with what it says of its own training rows.
pub struct Outcome {
    /// What scores, explains and is kept.
    pub trained: Trained,
    /// One score a training row, labelled ones too, in their order.
    pub scores: Scores,
    /// What the user should know.
    pub notes: Vec<Note>,
}

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
pub(super) fn entry_of<M: Method>() -> &'static dyn Entry {
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
    notes.extend(few_positives(&train));
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
    Ok(Outcome { trained: trained(method, parameters, features, fitted.model, run), scores, notes })
}

/// Learns from marked rows and from what the pile adds up to, under features made of the sums of both. What comes out is
/// what [`learn`] gives from the rows themselves, with the method's own cut.
pub fn learn_from_sums(
    method: &'static dyn Entry,
    parameters: Parameters,
    features: Features,
    marked: &PuData,
    pile: &ColumnCounts,
    run: &Run,
) -> Result<(Trained, Vec<Note>)> {
    let model = method.finish(&parameters, marked, pile, run)?;
    let trained = trained(method, parameters, features, model, run);
    Ok((Trained { ends: Some(Ends::Natural), ..trained }, few_positives(marked).into_iter().collect()))
}

fn few_positives(train: &PuData) -> Option<Note> {
    let labelled = train.positive.iter().filter(|p| **p).count();
    let examples = if labelled == 1 { "example" } else { "examples" };
    let text = format!(
        "only {labelled} positive {examples}: the answer can be far off; mark {FEW_POSITIVES} or more, better 30"
    );
    let note = || Note::warning(&codes::FEW_EXAMPLES, text).field("examples", labelled);
    (labelled < FEW_POSITIVES).then(note)
}

/// A recipe of which nobody has said anything yet but how it was learned.
fn trained(
    method: &dyn Entry,
    parameters: Parameters,
    features: Features,
    model: Box<dyn Model>,
    run: &Run,
) -> Trained {
    Trained {
        method: method.spec().name.to_string(),
        parameters,
        seed: run.seed(),
        labels: None,
        calibrated: false,
        ends: None,
        cut: None,
        correction: None,
        baseline: None,
        probabilities: None,
        features,
        model,
        likeness: None,
    }
}
