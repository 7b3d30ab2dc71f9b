//! O-Rnd: a one-class SVM on the paths of random trees (Khot, Natarajan & Shavlik 2014, section 4).
//!
//! The same as O-Rel on tests that were drawn instead of searched: what O-Rel has to beat.
//!
//! ```text
//! min ½ |w|² - ν n ρ + Σ_P max(0, ρ - w·φ(x_i)),     φ(x)·φ(y) = exp(-γ |a(x) - a(y)|²)
//! ```
//!
//! where a(x) has a 1 for each path that x takes. Positive where w·φ(x) ≥ ρ.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::path_svm::{AroundPaths, PathSvm};
use super::relocc_random::RelOccRandom;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Negatives, Spec, Weights};
use crate::run::Run;

/// One-class SVM on the paths of random trees; the baseline of o-rel.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ORnd(AroundPaths);

impl Method for ORnd {
    const SPEC: Spec = Spec {
        name: "o-rnd",
        family: "relational",
        title: "one-class SVM on the paths of random trees; the baseline of o-rel",
        paper: "Khot, Natarajan & Shavlik 2014, Relational one-class classification: a non-parametric approach",
        assumes: "Rows of the class follow the same paths through trees of random tests as its examples do, all but a share ν of these.",
        inputs: &[Kind::Relational],
        weights: Weights::Count,
        keeps: Some("which paths its support vectors satisfy; these are examples it learned from"),
    };
    const NEGATIVES: Negatives = Negatives::First;
    type Model = PathSvm;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<PathSvm>> {
        let AroundPaths { trees, depth, literals, bindings, .. } = self.0;
        let forest = RelOccRandom { trees, depth, literals, bindings, ..RelOccRandom::default() };
        self.0.fit(forest.forest(train, run)?, train, run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marked_lead_to_their_like() {
        super::super::path_svm::tests::finds_the_red(ORnd::default());
    }
}
