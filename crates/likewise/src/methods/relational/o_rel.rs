//! O-Rel: a one-class SVM on the paths of RelOCC (Khot, Natarajan & Shavlik 2014, section 3.4).
//!
//! RelOCC finds the rules; each path of its trees is a feature of 0 or 1, and a one-class SVM is put around
//! the labelled examples there. Use it to see what RelOCC is worth as a choice of features alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::path_svm::{Machine, PathSvm};
use super::relocc::RelOcc;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::methods::{Fitted, Method, Spec, Weights};
use crate::run::Run;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ORel {
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

impl Default for ORel {
    fn default() -> Self {
        let RelOcc { trees, depth, literals, bindings, .. } = RelOcc::default();
        ORel { trees, depth, literals, nu: 0.5, gamma: None, bindings }
    }
}

impl Method for ORel {
    const SPEC: Spec = Spec {
        name: "o-rel",
        family: "relational",
        title: "one-class SVM on the paths of RelOCC: RelOCC as a choice of features",
        paper: "Khot, Natarajan & Shavlik 2014, Relational one-class classification: a non-parametric approach",
        inputs: &[Kind::Relational],
        weights: Weights::Count,
        inductive: true,
        uses_unlabeled: true,
    };
    type Model = PathSvm;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<PathSvm>> {
        let ORel { trees, depth, literals, bindings, .. } = *self;
        let forest = RelOcc { trees, depth, literals, bindings, ..RelOcc::default() };
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
        super::super::path_svm::tests::finds_the_red(ORel::default());
    }
}
