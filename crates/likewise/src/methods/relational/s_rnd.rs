//! S-Rnd: an SVM on the paths of random trees, the pile as negatives (Khot, Natarajan & Shavlik 2014, section 4).
//!
//! The same as S-Rel on tests that were drawn instead of searched: what S-Rel has to beat.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::path_svm::{Machine, PathSvm, skew_note};
use super::relocc_random::RelOccRandom;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::methods::{Fitted, Method, Spec, Weights};
use crate::run::Run;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SRnd {
    /// Trees whose paths are the features
    #[schemars(range(min = 1, max = 1000))]
    pub trees: usize,
    /// Tests one after the other in a tree, at most
    #[schemars(range(min = 1, max = 12))]
    pub depth: usize,
    /// Literals that one test may join
    #[schemars(range(min = 1, max = 2))]
    pub literals: usize,
    /// Price of an error
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// Let the labelled examples weigh as much as the pile; the paper does not
    pub balanced: bool,
    /// Unlabeled examples that count as negative, at most
    #[schemars(range(min = 1, max = 1_000_000))]
    pub pile: usize,
    /// Width of the radial kernel; none means 1 / number of paths
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
    /// Bindings of new variables that are tried for one example, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub bindings: usize,
}

impl Default for SRnd {
    fn default() -> Self {
        let RelOccRandom { trees, depth, literals, bindings, .. } = RelOccRandom::default();
        SRnd { trees, depth, literals, c: 1.0, balanced: true, pile: 3000, gamma: None, bindings }
    }
}

impl Method for SRnd {
    const SPEC: Spec = Spec {
        name: "s-rnd",
        family: "relational",
        title: "SVM of positives against the pile on the paths of random trees; the baseline of s-rel",
        paper: "Khot, Natarajan & Shavlik 2014, Relational one-class classification: a non-parametric approach",
        inputs: &[Kind::Relational],
        weights: Weights::Count,
        inductive: true,
        uses_unlabeled: true,
    };
    type Model = PathSvm;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<PathSvm>> {
        let SRnd { trees, depth, literals, bindings, .. } = *self;
        let forest = RelOccRandom { trees, depth, literals, bindings, ..RelOccRandom::default() };
        let (learned, mut notes) = forest.forest(train.x.relational()?, train, run)?;
        let machine = Machine::TwoClass { c: self.c, pile: self.pile, balanced: self.balanced };
        let fitted = PathSvm::fit(&learned, train, bindings, &machine, self.gamma, run)?;
        notes.extend(skew_note(&fitted, train));
        Ok(fitted.with_notes(notes))
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
