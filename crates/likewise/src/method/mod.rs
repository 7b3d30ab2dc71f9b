//! The contract: what a method is, what it gives, and what everybody may rely on.
//!
//! A [`Method`] is its parameters and `fit`; [`Fitted`] is what comes out, a [`Model`] among it, which scores, explains
//! and is kept. [`Spec`] says what the method is and takes, [`Parameter`] describes a parameter as data, and [`Entry`]
//! is a method with its types erased, so that doors can walk all of them. A [`CountMethod`] learns from sums over the
//! pile. [`Summary`] is what is known of an answer.

mod counted;
mod drawn;
mod entry;
mod negatives;
mod parameters;
mod pool;
mod summary;

pub(crate) use counted::exact;
pub use counted::{ColumnCounts, CountMethod, Counted};
pub use drawn::{CHANCE, Drawn};
pub(crate) use entry::registered;
pub use entry::{Entry, FromSums, Registered, parse_settings};
pub use negatives::Negatives;
pub use parameters::{Parameter, ParameterChoice, ParameterKind, Parameters, range_words};
pub use pool::{Candidacy, Effort};
pub(crate) use summary::WEAK;
pub use summary::{BlockVoice, Range, Summary, Tried};

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::data::{Csr, Data, Kind, PuData};
use crate::error::Result;
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::run::Run;

/// What the registry, the help text and the Python docs say of a method.
#[derive(Clone, Debug, Serialize)]
pub struct Spec {
    /// As typed after `--method`.
    pub name: &'static str,
    /// The folder it lives in: the idea it belongs to.
    pub family: &'static str,
    /// One line: what it is and when to use it.
    pub title: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// What must be true of examples and pile for its answer to be, in one or two sentences.
    pub assumes: &'static str,
    /// The kinds of rows it takes.
    pub inputs: &'static [Kind],
    /// What it wants of words.
    pub weights: Weights,
    /// Which of the rows it learned from its model keeps, and when; none where it keeps none. Whoever gets the model
    /// can read them.
    pub keeps: Option<&'static str>,
}

impl Spec {
    /// Whether it learns from rows of this kind.
    pub fn takes(&self, kind: Kind) -> bool {
        let wanted = if kind == Kind::Vectors { Kind::Dense } else { kind };
        self.inputs.contains(&wanted)
    }

    /// Whether blocks of different kinds can be joined for it: what counts words takes nothing else beside them.
    pub fn takes_joined(&self) -> bool {
        self.weights == Weights::TfIdf && self.takes(Kind::Sparse) && self.takes(Kind::Dense)
    }

    /// Whether it refuses negative numbers: what takes words alone counts them.
    pub fn non_negative(&self) -> bool {
        !self.inputs.iter().any(|kind| matches!(kind, Kind::Dense | Kind::Relational))
    }
}

/// How word counts are weighted before a method sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// How often the word occurs.
    Count,
    /// Whether the word occurs.
    Binary,
    /// Whether the word occurs, rows of length 1.
    #[serde(rename = "binary-unit")]
    BinaryUnit,
    /// (1 + ln count) x inverse document frequency, rows of length 1.
    TfIdf,
}

impl Weights {
    /// All of them.
    pub const ALL: [Weights; 4] = [Weights::Count, Weights::Binary, Weights::BinaryUnit, Weights::TfIdf];
}

/// A method is its parameters. Its file holds the parameters, `fit`, the model, `score`, tests.
///
/// Each field's doc comment is its help text everywhere; `#[schemars(range(min = …, max = …))]` is its
/// range, checked before `fit`. Fields are plain numbers, flags, texts, options of these, or enums of
/// unit variants (kebab-case).
pub trait Method:
    Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static
{
    /// What the method is and takes.
    const SPEC: Spec;
    /// How it stands for the automatic choice; most methods do not.
    const POOL: &'static [Candidacy] = &[];
    /// Whether it learns from the rows as they are, also where the automatic choice gives numbers under a map to others.
    const AS_GIVEN: bool = false;
    /// How it learns from rows known not to be wanted; a method that does not say gets none of them.
    const NEGATIVES: Negatives = Negatives::LeftOut;
    /// Whether `find` cuts its ranking where positives hidden in the pile say, unless told otherwise: the method ranks,
    /// and where it would cut by itself is not its point.
    const HIDDEN_CUT: bool = false;
    /// How it learns from what a pile adds up to; none where it needs the rows of the pile themselves.
    const COUNTED: Option<Counted<Self>> = None;
    /// What it learns.
    type Model: Model;

    /// Named sets of parameters, such as the paper as printed: `--set reading=printed`. The first is the default.
    fn readings() -> Vec<Reading<Self>> {
        Vec::new()
    }

    /// What a range on one field cannot say.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Learns from positives and pile.
    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<Self::Model>>;
}

/// One way to read a paper: a name, a line of help, and the parameters it means.
pub struct Reading<M> {
    /// As it is typed.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What the name stands for.
    pub parameters: M,
}

/// One number a row, within [0, 1]; positive means at least 0.5 (see `decide`).
pub type Scores = Vec<f64>;

/// The model, the scores of all training rows in their order, and notes for the user.
pub struct Fitted<M: ?Sized> {
    /// What was learned.
    pub model: Box<M>,
    /// One a training row, in their order.
    pub scores: Scores,
    /// The scores before the method's own cut, on any scale that ranks alike; none where it has no other.
    pub raw: Option<Arc<Vec<f64>>>,
    /// What the user should know.
    pub notes: Vec<Note>,
}

impl<M: ?Sized> Fitted<M> {
    /// What ranks the training rows: the raw scores where there are any.
    pub fn ranking_scores(self) -> Arc<Vec<f64>> {
        self.raw.unwrap_or_else(|| Arc::new(self.scores))
    }
}

impl<M: Model> Fitted<M> {
    /// A model and its scores of the training rows.
    pub fn new(model: M, scores: Scores) -> Self {
        Fitted { model: Box::new(model), scores, raw: None, notes: Vec::new() }
    }

    /// Adds the scores before the method's own cut.
    pub fn with_raw(mut self, raw: Arc<Vec<f64>>) -> Self {
        self.raw = Some(raw);
        self
    }

    /// Adds what the user should know.
    pub fn with_notes(mut self, notes: Vec<Note>) -> Self {
        self.notes = notes;
        self
    }
}

/// What was learned: it scores, explains and is kept.
pub trait Model: Send + Sync + 'static {
    /// The scores of any rows in the form of the training rows.
    fn score(&self, x: &Data, run: &Run) -> Result<Scores>;

    /// The scores before the model's own cut, on any scale that ranks alike.
    fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        self.score(x, run)
    }

    /// The weight of every feature, where a weighted sum of them is what the raw scores are or start from.
    fn weights(&self) -> Option<&[f64]> {
        None
    }

    /// Keeps the model.
    fn save(&self, out: &mut Writer) -> Result<()>;

    /// Reads a kept model.
    fn load(file: &Reader) -> Result<Self>
    where
        Self: Sized;

    /// The rows under the features that the model has made for itself, and what these are called; most
    /// models have made none.
    fn own_features(&self, _x: &Data, _run: &Run) -> Result<Option<(Csr, Vec<String>)>> {
        Ok(None)
    }

    /// The `top` strongest reasons for the score of one row, strongest first.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>>;

    /// The `top` features that count most whatever the row, strongest first; none where the model has no such.
    fn portrait(&self, _top: usize) -> Vec<Reason> {
        Vec::new()
    }

    /// What an automatic choice says of itself.
    fn summary(&self) -> Option<&Summary> {
        None
    }
}

/// One reason for a score; `push` is positive where it speaks for the class.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// What speaks for or against the class.
    pub cause: Cause,
    /// How much, above 0 where it speaks for the class.
    pub push: f64,
}

/// What a reason is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A column of the rows (a word, a number).
    Feature(usize),
    /// A rule that the row satisfies, and the query that says the same.
    Rule {
        /// In the literals of the related tables.
        clause: String,
        /// In SQL.
        query: String,
    },
    /// Anything else, in words.
    Statement(String),
}

impl Reason {
    /// The `top` features whose push is largest in size, ties by column. A weight of a model file may be as large as any
    /// number is, and what it pushes by is still one.
    pub fn strongest(pushes: impl IntoIterator<Item = (usize, f64)>, top: usize) -> Vec<Reason> {
        let bounded = |(j, push): (usize, f64)| (j, push.clamp(f64::MIN, f64::MAX));
        let mut pushes: Vec<_> = pushes.into_iter().filter(|(_, push)| *push != 0.0).map(bounded).collect();
        pushes.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        pushes.truncate(top);
        pushes.into_iter().map(|(j, push)| Reason { cause: Cause::Feature(j), push }).collect()
    }
}
