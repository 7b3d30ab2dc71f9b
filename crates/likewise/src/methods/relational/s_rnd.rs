//! S-Rnd: an SVM on the paths of random trees, the pile as negatives (Khot, Natarajan & Shavlik 2014, section 4).
//!
//! The same as S-Rel on tests that were drawn instead of searched: what S-Rel has to beat.
//!
//! ```text
//! min ½ |w|² + C₊ Σ_P max(0, 1 - f(x_i)) + C Σ_U max(0, 1 + f(x_i)),     f(x) = w·φ(x) + b
//! φ(x)·φ(y) = exp(-γ |a(x) - a(y)|²)
//! ```
//!
//! where a(x) has a 1 for each path that x takes; C₊ = C |U|/|P| where balanced, else C.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::path_svm::{BetweenPaths, PathSvm};
use super::relocc_random::RelOccRandom;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Negatives, Spec, Weights};
use crate::run::Run;

/// SVM of positives against the pile on the paths of random trees; the baseline of s-rel.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SRnd(BetweenPaths);

impl Method for SRnd {
    const SPEC: Spec = Spec {
        name: "s-rnd",
        family: "relational",
        title: "SVM of positives against the pile on the paths of random trees; the baseline of s-rel",
        paper: "Khot, Natarajan & Shavlik 2014, Relational one-class classification: a non-parametric approach",
        assumes: "The pile is mostly negative, and which paths through trees of random tests a row follows tells the class.",
        inputs: &[Kind::Relational],
        weights: Weights::Count,
        keeps: Some("which paths its support vectors satisfy; these are examples it learned from"),
    };
    const NEGATIVES: Negatives = Negatives::First;
    type Model = PathSvm;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<PathSvm>> {
        let BetweenPaths { trees, depth, literals, bindings, .. } = self.0;
        let forest = RelOccRandom { trees, depth, literals, bindings, ..RelOccRandom::default() };
        self.0.fit(forest.forest(train, run)?, train, run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marked_lead_to_their_like() {
        super::super::path_svm::tests::finds_the_red(SRnd::default());
    }
}
