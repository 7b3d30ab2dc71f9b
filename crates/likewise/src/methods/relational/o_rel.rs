//! O-Rel: a one-class SVM on the paths of RelOCC (Khot, Natarajan & Shavlik 2014, section 3.4).
//!
//! RelOCC finds the rules; each path of its trees is a feature of 0 or 1, and a one-class SVM is put around
//! the labelled examples there. Use it to see what RelOCC is worth as a choice of features alone.
//!
//! ```text
//! min ½ |w|² - ν n ρ + Σ_P max(0, ρ - w·φ(x_i)),     φ(x)·φ(y) = exp(-γ |a(x) - a(y)|²)
//! ```
//!
//! where a(x) has a 1 for each path that x takes. Positive where w·φ(x) ≥ ρ.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::path_svm::{AroundPaths, PathSvm};
use super::relocc::RelOcc;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Negatives, Spec, Weights};
use crate::run::Run;

/// One-class SVM on the paths of RelOCC: RelOCC as a choice of features.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ORel(AroundPaths);

impl Method for ORel {
    const SPEC: Spec = Spec {
        name: "o-rel",
        family: "relational",
        title: "one-class SVM on the paths of RelOCC: RelOCC as a choice of features",
        paper: "Khot, Natarajan & Shavlik 2014, Relational one-class classification: a non-parametric approach",
        assumes: "Rows of the class follow the same paths through the trees of RelOCC as its examples do, all but a share ν of these. Of the pile nothing more is assumed than by `relocc`.",
        inputs: &[Kind::Relational],
        weights: Weights::Count,
        keeps: Some("which paths its support vectors satisfy; these are examples it learned from"),
    };
    const NEGATIVES: Negatives = Negatives::First;
    type Model = PathSvm;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<PathSvm>> {
        let AroundPaths { trees, depth, literals, bindings, .. } = self.0;
        let forest = RelOcc { trees, depth, literals, bindings, ..RelOcc::default() };
        self.0.fit(forest.forest(train, run)?, train, run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marked_lead_to_their_like() {
        super::super::path_svm::tests::finds_the_red(ORel::default());
    }
}
