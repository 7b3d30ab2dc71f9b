//! Who can rank new rows by how far they are from the known classes, and the rows as each of them reads these.

use super::class_likelihood;
use crate::data::{Data, Kind, PuData, Table};
use crate::error::Result;
use crate::features::{Features, Input, words::WordOptions};
use crate::method::{Entry, Parameters, Scores, Spec, Weights};
use crate::note::Note;
use crate::parts::naive_bayes::counts;
use crate::registry;
use crate::run::Run;

/// The name of the ranker that is no method of the registry, since it has to know the classes apart.
const CLASS_LIKELIHOOD: &str = "class-likelihood";

/// The methods that compete, the one that stays without evidence against it first. The new rows are mostly of known
/// classes, so the distance to the known decides, not a comparison of known with new, which finds little but differences
/// of time and thread.
const METHODS: [&str; 3] = ["knn-nb", "knn-novelty", "lgn"];

/// Scores rows; 0.5 or more is of a known class.
#[derive(Clone)]
pub(super) enum Ranker {
    Method(&'static dyn Entry, Parameters),
    ClassLikelihood,
}

impl Ranker {
    /// Those that compete, each with its defaults.
    pub fn competitors() -> Result<Vec<Ranker>> {
        let method = |name: &&str| Ok(Ranker::Method(registry::find(name)?, Parameters::new()));
        let mut all: Vec<Ranker> = METHODS.iter().map(method).collect::<Result<_>>()?;
        all.push(Ranker::ClassLikelihood);
        Ok(all)
    }

    pub fn name(&self) -> &'static str {
        match self {
            Ranker::Method(entry, _) => entry.spec().name,
            Ranker::ClassLikelihood => CLASS_LIKELIHOOD,
        }
    }

    /// What it wants of rows.
    pub fn spec(&self) -> Result<Spec> {
        match self {
            Ranker::Method(entry, _) => Ok(entry.spec()),
            Ranker::ClassLikelihood => Ok(registry::find("nb")?.spec()),
        }
    }

    /// The score of every row of `x`, the known ones first; `classes` are those of the known.
    pub fn scores(&self, x: &Data, classes: &[usize], run: &Run) -> Result<(Scores, Vec<Note>)> {
        match self {
            Ranker::Method(entry, parameters) => {
                let positive = (0..x.rows()).map(|row| row < classes.len()).collect();
                let fitted = entry.fit(parameters, &PuData::new(x.clone(), positive)?, run)?;
                Ok((fitted.scores, fitted.notes))
            }
            Ranker::ClassLikelihood => {
                let x = counts(x)?;
                Ok((run.install(|| class_likelihood::scores(x, classes))?, Vec::new()))
            }
        }
    }
}

/// The rows as one kind of ranker reads them.
#[derive(Clone)]
pub(super) struct View {
    features: Features,
    pub x: Data,
    /// Rows that hold nothing to judge.
    pub blank: Vec<usize>,
    pub notes: Vec<Note>,
}

/// The rows of a table as rankers read them, made once for all that read alike.
pub(super) struct Views<'a> {
    table: &'a Table,
    input: &'a Input,
    words: &'a WordOptions,
    made: Vec<(Weights, &'static [Kind], View)>,
}

impl<'a> Views<'a> {
    pub fn new(table: &'a Table, input: &'a Input, words: &'a WordOptions) -> Self {
        Views { table, input, words, made: Vec::new() }
    }

    pub fn of(&mut self, ranker: &Ranker, run: &Run) -> Result<View> {
        let spec = ranker.spec()?;
        let alike = |(weights, inputs, _): &&(Weights, &'static [Kind], View)| {
            *weights == spec.weights && *inputs == spec.inputs
        };
        if let Some((.., view)) = self.made.iter().find(alike) {
            return Ok(view.clone());
        }
        let input = self.input.knowing(self.made.iter().map(|(.., view)| (&view.features, &view.x)))?;
        let (features, x, notes) = Features::fit(self.table, &input, self.words, &spec, run)?;
        let view = View { blank: features.blank_rows(&x), features, x, notes };
        self.made.push((spec.weights, spec.inputs, view.clone()));
        Ok(view)
    }
}
