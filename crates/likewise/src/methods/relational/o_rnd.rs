//! O-Rnd: a one-class SVM on the paths of random trees (Khot, Natarajan & Shavlik 2014, section 4).
//!
//! The same as O-Rel on tests that were drawn instead of searched: what O-Rel has to beat.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::path_svm::{Machine, PathSvm};
use super::relocc_random::RelOccRandom;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::methods::{Fitted, Method, Spec, Weights};
use crate::run::Run;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ORnd {
    /// Trees whose paths are the features
    #[schemars(range(min = 1, max = 1000))]
    pub trees: usize,
    /// Tests one after the other in a tree, at most
    #[schemars(range(min = 1, max = 12))]
    pub depth: usize,
    /// Literals that one test may join
    #[schemars(range(min = 1, max = 2))]
    pub literals: usize,
    /// Largest share of the labelled examples left outside
    #[schemars(range(min = 1e-6, max = 1.0))]
    pub nu: f64,
    /// Width of the radial kernel; none means 1 / number of paths
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
    /// Bindings of new variables that are tried for one example, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub bindings: usize,
}

impl Default for ORnd {
    fn default() -> Self {
        let RelOccRandom { trees, depth, literals, bindings, .. } = RelOccRandom::default();
        ORnd { trees, depth, literals, nu: 0.5, gamma: None, bindings }
    }
}

impl Method for ORnd {
    const SPEC: Spec = Spec {
        name: "o-rnd",
        family: "relational",
        title: "one-class SVM on the paths of random trees; the baseline of o-rel",
        paper: "Khot, Natarajan & Shavlik 2014, Relational one-class classification: a non-parametric approach",
        inputs: &[Kind::Relational],
        weights: Weights::Count,
        inductive: true,
        uses_unlabeled: true,
    };
    type Model = PathSvm;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<PathSvm>> {
        let ORnd { trees, depth, literals, bindings, .. } = *self;
        let forest = RelOccRandom { trees, depth, literals, bindings, ..RelOccRandom::default() };
        let (learned, notes) = forest.forest(train.x.relational()?, train, run)?;
        let machine = Machine::OneClass { nu: self.nu };
        let fitted = PathSvm::fit(&learned, train, bindings, &machine, self.gamma, run)?;
        Ok(fitted.with_notes(notes))
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
