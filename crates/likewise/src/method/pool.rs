//! How a method stands for the automatic choice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::Kind;

/// One line by which a method joins the pool of candidates, in the method's own file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidacy {
    /// Candidates are tried in ascending order of this number. The lowest is the one that stays unless another is
    /// clearly better: the best on average over many tasks. Of equals the lower wins.
    pub place: u16,
    /// For which kinds of rows.
    pub kinds: &'static [Kind],
    /// From which effort on.
    pub from: Effort,
    /// What differs from the method's defaults, as typed: `("c", "10")`.
    pub parameters: &'static [(&'static str, &'static str)],
}

/// How much to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// No choice among candidates: pseudo-labels with smoothing, unless the pile is mostly positive
    Quick,
    /// Choose from the pool that the notes found enough
    Normal,
    /// Choose from a larger pool, with several strengths of fit
    Thorough,
}
