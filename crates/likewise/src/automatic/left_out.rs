//! Rows left out of learning: how a method scores positives and rows of the pile that it has never seen.
//!
//! A method knows the rows it learned from: it has taken each row of the pile for a negative, and scores it lower than it
//! would a stranger. What tomorrow's rows are compared with must be strangers too. So positives and pile are dealt into
//! parts, and each part is scored by what was learned from the others.

use std::sync::Arc;

use rand::seq::SliceRandom;
use serde_json::Value;

use super::auto::Auto;
use super::blocks::{Blocks, learn_again};
use super::candidates::Candidate;
use super::hidden_folds::HiddenFolds;
use super::voices::{Placement, Voices};
use crate::data::{Data, PuData};
use crate::error::Result;
use crate::features::Features;
use crate::method::{Entry, Model, Parameters, Summary};
use crate::parts::space::Space;
use crate::prior::hidden;
use crate::run::Run;

/// What was learned without a part says of that part, on any scale that ranks alike.
pub struct Part {
    /// Rows of the pile that were learned from.
    pub learned: Vec<f64>,
    /// Rows of the pile that were left out.
    pub pile: Vec<f64>,
    /// Positives that were left out.
    pub positives: Vec<f64>,
}

/// Into how many parts rows are dealt.
const PARTS: usize = 10;
/// Rows of the pile that are dealt at most: enough to know a distribution by, and the cost does not grow with the pile.
const MOST_ROWS: usize = 20_000;

/// Deals, learns and scores; `as_new` are the rows as each would be if it alone had not been there. Of the automatic
/// choice, what it has chosen learns again, without choosing; none where that cannot be told from its name.
pub fn parts(
    entry: &'static dyn Entry,
    parameters: &Parameters,
    summary: Option<&Summary>,
    features: &Features,
    train: &PuData,
    as_new: &Data,
    run: &Run,
) -> Result<Option<Vec<Part>>> {
    let (positives, mut pile) = (train.positives(), train.unlabeled());
    pile.shuffle(&mut run.rng("rows left out", 0));
    pile.truncate(MOST_ROWS);
    let folds = hidden::deal(positives.len(), PARTS, run)?;
    let method = Learner::of(entry, parameters, summary, train)?;
    let mut parts = Vec::with_capacity(folds.len());
    for (k, fold) in folds.iter().enumerate() {
        run.step("leaving rows out", k as u64, folds.len() as u64)?;
        let hidden: Vec<usize> = fold.iter().map(|&p| positives[p]).collect();
        let of_part = |part: bool| {
            let rows = pile.iter().enumerate().filter(|(at, _)| (at % folds.len() == k) == part);
            rows.map(|(_, &row)| row).collect::<Vec<usize>>()
        };
        let (left, stayed) = (of_part(true), of_part(false));
        let mut rows = [train.known_negatives(), stayed.clone()].concat();
        rows.extend(positives.iter().filter(|row| !hidden.contains(row)));
        rows.sort_unstable();
        let run_of_part = run.with_seed(run.seed().wrapping_add(k as u64));
        let Some(learned) = method.learn(&train.select(&rows), &run_of_part)? else { return Ok(None) };
        let scores = |x: &Data, rows: &[usize]| ranked(&learned, features, &x.select(rows), run);
        parts.push(Part {
            learned: scores(&train.x, &stayed)?,
            pile: scores(as_new, &left)?,
            positives: scores(as_new, &hidden)?,
        });
    }
    Ok(Some(parts))
}

/// What ranks the rows; those that say nothing stand last.
fn ranked(learned: &Learned, features: &Features, x: &Data, run: &Run) -> Result<Vec<f64>> {
    let mut scores = learned.raw(x, run)?;
    for row in features.blank_rows(x) {
        scores[row] = f64::MIN;
    }
    Ok(scores)
}

/// What learns again.
enum Learner {
    Method(&'static dyn Entry, Parameters),
    Chosen { candidate: Candidate, prior: f64, with_graph: bool },
    Mixture(Box<Auto>, Box<Summary>),
}

/// What it has learned.
enum Learned {
    Model(Box<dyn Model>),
    Chosen { space: Arc<Space>, voices: Voices },
    Mixture(Blocks),
}

impl Learner {
    fn of(
        entry: &'static dyn Entry,
        parameters: &Parameters,
        summary: Option<&Summary>,
        train: &PuData,
    ) -> Result<Self> {
        let mut given = parameters.clone();
        if let (true, Some(summary)) = (entry.spec().name == super::AUTO, summary) {
            let auto: Option<Auto> = serde_json::from_value(Value::Object(given.clone())).ok();
            if let (Some(auto), false) = (&auto, summary.blocks.is_empty()) {
                return Ok(Learner::Mixture(Box::new(auto.clone()), Box::new(summary.clone())));
            }
            if let Some(auto) = auto
                && let Some(candidate) = auto.chosen(&summary.method, train.x.kind())?
            {
                let (prior, with_graph) = (summary.prior, auto.with_graph);
                return Ok(Learner::Chosen { candidate, prior, with_graph });
            }
        }
        // Where it cuts does not matter here, and looking for it takes several times as long.
        if entry.parameters().iter().any(|parameter| parameter.name == "cut") {
            given.insert("cut".into(), "natural".into());
        }
        Ok(Learner::Method(entry, given))
    }

    /// None where what was chosen cannot be told from its name.
    fn learn(&self, train: &PuData, run: &Run) -> Result<Option<Learned>> {
        match self {
            Learner::Method(entry, given) => Ok(Some(Learned::Model(entry.fit(given, train, run)?.model))),
            Learner::Chosen { candidate, prior, with_graph } => run.install(|| {
                let folds = HiddenFolds::new(train, PARTS, candidate.smooths(), run)?;
                let ranked = folds.fit(candidate, *prior, *with_graph)?;
                Ok(Some(Learned::Chosen { space: folds.space(), voices: ranked.voices }))
            }),
            Learner::Mixture(auto, told) => {
                Ok(run.install(|| learn_again(auto, told, train, run))?.map(Learned::Mixture))
            }
        }
    }
}

impl Learned {
    fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        match self {
            Learned::Model(model) => run.install(|| model.raw(x, run)),
            Learned::Mixture(blocks) => run.install(|| blocks.raw(x, run)),
            Learned::Chosen { space, voices } => {
                run.install(|| voices.raw(&Placement { given: x, placed: &space.map(x)? }, run))
            }
        }
    }
}
