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

use crate::codes;
use crate::data::PuData;
use crate::error::{Error, Result};
use crate::method::Fitted;
use crate::note::Note;
use crate::parts::distance_forest::{ForestModel, Learned};
use crate::relations::Relational;
use crate::run::Run;

/// Scores by the distances in a forest, with what was noted while it grew.
fn distances(
    (forest, notes): (Learned, Vec<Note>),
    train: &PuData,
    bindings: usize,
    run: &Run,
) -> Result<Fitted<ForestModel>> {
    let x = train.x.relational()?;
    let (model, leaves) = ForestModel::new(&forest, x, &train.unlabeled(), bindings, run)?;
    let scores = model.scores(&leaves, x.rows());
    Ok(Fitted::new(model, scores).with_notes(notes))
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
