//! Methods for examples that are rows of related tables.

pub mod o_rel;
pub mod o_rnd;
mod path_svm;
pub mod relocc;
pub mod relocc_random;
pub mod rpt;
pub mod s_rel;
pub mod s_rnd;

pub use path_svm::PathSvm;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::PuData;
use crate::error::{Error, Result};
use crate::method::Fitted;
use crate::note::Note;
use crate::parts::distance_forest::{ForestModel, Learned};
use crate::prior::hidden::{deal, hidden_ranks};
use crate::prior::{Ranker, cut_from_hidden, median_of_three};
use crate::relations::Relational;
use crate::run::Run;

/// Where the cut between positive and not positive comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// Labelled examples are hidden in the pile fold by fold; where they are ranked tells how many there are
    Hidden,
    /// The method's own threshold, as in the paper
    Natural,
}

/// Scores by the distances in a forest, with what was noted while it grew. `ranker` is the same method for other marks,
/// which the cut from hidden examples needs; without one the cut is the forest's own.
fn distances(
    (forest, mut notes): (Learned, Vec<Note>),
    train: &PuData,
    bindings: usize,
    ranker: Option<&Ranker>,
    run: &Run,
) -> Result<Fitted<ForestModel>> {
    let x = train.x.relational()?;
    let unlabeled = train.unlabeled();
    let (mut model, leaves) = ForestModel::new(&forest, x, &unlabeled, bindings, run)?;
    if let Some(ranker) = ranker {
        match hidden_share(ranker, train, run)? {
            Some((share, note)) => {
                model.cut_at(share, &leaves, x.rows(), &unlabeled);
                notes.push(note);
            }
            None => notes.push(Note::warning(
                &codes::POORLY_LEARNED,
                "too few examples to hide some from the others: the cut is the mean distance of the examples, and the number called positive says little",
            )),
        }
    }
    let scores = model.scores(&leaves, x.rows());
    Ok(Fitted::new(model, scores).with_notes(notes))
}

/// The share of the pile to call positive, from where hidden examples are ranked; none where none can be hidden, or the
/// others alone show nothing.
fn hidden_share(ranker: &Ranker, train: &PuData, run: &Run) -> Result<Option<(f64, Note)>> {
    let positives = train.positives().len();
    if positives < FEWEST_TO_HIDE {
        return Ok(None);
    }
    let folds = deal(positives, FOLDS, run)?;
    let ranks = match run.install(|| hidden_ranks(ranker, train, &folds, run)) {
        Ok(ranks) => ranks,
        // The others alone may show nothing that a test could ask for.
        Err(Error::Data(_)) => return Ok(None),
        Err(other) => return Err(other),
    };
    let prior = median_of_three(&ranks);
    let share = cut_from_hidden(&ranks, prior, &[prior]);
    let text = format!(
        "examples that were hidden in the pile stand above {:.1} % of it on average; by their ranks {:.1} % of the pile is called positive",
        100.0 * ranks.auc(),
        100.0 * share
    );
    Ok(Some((share, Note::info(&codes::LEARNED, text).field("pu_auc", ranks.auc()).field("cut", share))))
}

/// Into how many folds the examples are dealt, and how many there must be for one to be hidden from another.
const FOLDS: usize = 5;
const FEWEST_TO_HIDE: usize = 2;

/// As many rows as wanted to be taken for negative: those known not to be wanted first, then unlabelled ones, drawn where
/// they are too many.
fn negatives_first(train: &PuData, wanted: usize, stage: &str, run: &Run) -> Vec<usize> {
    let some = |rows: Vec<usize>, wanted: usize| {
        if rows.len() <= wanted {
            return rows;
        }
        let mut rng = run.rng(stage, 0);
        let mut drawn = rand::seq::index::sample(&mut rng, rows.len(), wanted).into_vec();
        drawn.sort_unstable();
        drawn.into_iter().map(|at| rows[at]).collect()
    };
    let mut rows = some(train.known_negatives(), wanted);
    let room = wanted - rows.len();
    rows.extend(some(train.unlabeled(), room));
    rows
}

/// Refuses data about which no rule can be written.
fn check_language(x: &Relational) -> Result<()> {
    if x.background.modes.is_empty() {
        return Err(Error::data(
            "there is no relation besides the target that rules could use; give facts and modes, or tables with references",
        ));
    }
    Ok(())
}

/// Refuses a forest without a tree: every example would get the same score.
fn check_forest(learned: &Learned) -> Result<()> {
    if learned.trees.is_empty() {
        return Err(Error::data(
            "no test on the facts tells the positives from the pile; check that they are about the same constants as the facts, or give more relations",
        ));
    }
    Ok(())
}

fn cap_note(capped: usize, cap: usize) -> Option<Note> {
    let text = format!(
        "{capped} times an example had more than {cap} bindings and the others were not tried; raise `bindings` to try them"
    );
    (capped > 0).then_some(Note::warning(&codes::POORLY_LEARNED, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dense, Mark};

    #[test]
    fn known_negatives_are_taken_before_the_pile() {
        let mark = |row: usize| [Mark::Wanted, Mark::Unwanted, Mark::Unread][(row / 3).min(2)];
        let marks: Vec<Mark> = (0..20).map(mark).collect();
        let train = PuData::of_marks(Dense::new(20, 1, vec![1.0; 20]).unwrap().into(), &marks).unwrap();
        let taken = |wanted: usize| negatives_first(&train, wanted, "test", &Run::new(0));
        assert_eq!(taken(100), (3..20).collect::<Vec<_>>());
        let some = taken(5);
        assert_eq!((some.len(), &some[..3]), (5, &[3, 4, 5][..]));
        assert!(some[3..].iter().all(|row| *row >= 6), "{some:?}");
        let few = taken(2);
        assert!(few.len() == 2 && few.iter().all(|row| (3..6).contains(row)), "{few:?}");
    }
}
