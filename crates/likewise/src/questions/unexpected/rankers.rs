//! Who can rank new rows by how far they are from the known classes, and the rows as each of them reads these.

use super::class_likelihood;
use super::present::Presence;
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

/// What a ranker says of rows, known ones that new ones are compared with and new ones.
pub(super) struct Ranked {
    pub known: Scores,
    pub new: Scores,
    pub notes: Vec<Note>,
}

impl Ranker {
    /// Those that compete, each with its defaults, as far as they can read the rows.
    pub fn competitors(input: &Input) -> Result<Vec<Ranker>> {
        let method = |name: &&str| Ok(Ranker::Method(registry::find(name)?, Parameters::new()));
        let mut all: Vec<Ranker> = METHODS.iter().map(method).collect::<Result<_>>()?;
        all.push(Ranker::ClassLikelihood);
        let mut standing = Vec::new();
        for ranker in all {
            if input.readable_by(&ranker.spec()?) {
                standing.push(ranker);
            }
        }
        Ok(standing)
    }

    /// Who says how like rows are to one another, for [`Presence`]; it reads whatever can be read.
    pub fn of_likeness() -> Result<Ranker> {
        Ok(Ranker::Method(registry::find("knn-novelty")?, Parameters::new()))
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

    /// The scores of the rows of `x`, of which the first are known, of these classes; known rows of classes that are absent
    /// take no part.
    pub fn scores(
        &self,
        x: &Data,
        classes: &[usize],
        present: Option<&Presence>,
        run: &Run,
    ) -> Result<Ranked> {
        let Some(present) = present.filter(|present| !present.is_whole()) else {
            return self.scores_of_all(x, classes, run);
        };
        let mut rows = present.compared(classes);
        let compared: Vec<usize> = rows.iter().map(|&row| classes[row]).collect();
        rows.extend(classes.len()..x.rows());
        let mut ranked = self.scores_of_all(&rows_alone(x, rows), &compared, run)?;
        present.keep_stray(&ranked.known, &mut ranked.new);
        Ok(ranked)
    }

    fn scores_of_all(&self, x: &Data, classes: &[usize], run: &Run) -> Result<Ranked> {
        let (mut known, notes) = match self {
            Ranker::Method(entry, parameters) => {
                let positive = (0..x.rows()).map(|row| row < classes.len()).collect();
                let fitted = entry.fit(parameters, &PuData::new(x.clone(), positive)?, run)?;
                (fitted.scores, fitted.notes)
            }
            Ranker::ClassLikelihood => {
                let x = counts(x)?;
                (run.install(|| class_likelihood::scores(x, classes))?, Vec::new())
            }
        };
        let new = known.split_off(classes.len());
        Ok(Ranked { known, new, notes })
    }
}

/// These rows alone: words of others would count as words that nobody uses.
pub(super) fn rows_alone(x: &Data, rows: impl IntoIterator<Item = usize>) -> Data {
    match x.select(&rows.into_iter().collect::<Vec<_>>()) {
        Data::Sparse(x) => Data::from(x.without_unused_columns()),
        other => other,
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
