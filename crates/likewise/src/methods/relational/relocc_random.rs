//! RND: RelOCC with tests drawn instead of searched (Khot, Natarajan & Shavlik 2014, section 4).
//!
//! At every node any test is taken that does not send more than 95 % of the examples one way; distances
//! and weights are those of RelOCC. It is the paper's baseline: what the search adds is the difference.
//!
//! ```text
//! D(x_j, y) = Σ_i β_i d_i(x_j, y)   (1)     P(y ∉ L) = Σ_j α_j D(x_j, y)   (2)
//! ```
//!
//! where d_i is exp(-λ n) for two examples that part at depth n of tree i, and 0 for two in one leaf.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::relocc::Threshold;
use super::{Cut, cap_note, check_forest, check_language, distances};
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::distance_forest::{ForestModel, Gradient, Learned, Sampling, Settings, learn};
use crate::prior::Ranker;
use crate::relations::grow::Shape;
use crate::run::Run;

/// RelOCC with tests drawn at random instead of searched; the baseline that shows what the search adds.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelOccRandom {
    /// Trees in the forest
    #[schemars(range(min = 1, max = 1000))]
    pub trees: usize,
    /// Tests one after the other in a tree, at most
    #[schemars(range(min = 1, max = 12))]
    pub depth: usize,
    /// Literals that one test may join
    #[schemars(range(min = 1, max = 2))]
    pub literals: usize,
    /// Largest share of a node's examples that a test may send one way
    #[schemars(range(min = 0.5, max = 1.0))]
    pub largest_share: f64,
    /// How fast distances shrink with the depth at which two paths part
    #[schemars(range(min = 0.0, max = 100.0))]
    pub lambda: f64,
    /// Unlabelled examples a tree for each labelled one, drawn at random
    #[schemars(range(min = 0.1, max = 1e6))]
    pub unlabeled: f64,
    /// Unlabelled examples that are looked at in training, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub pool: usize,
    /// Whether weights follow the gradient of the mean or of the sum of squared errors
    pub gradient: Gradient,
    /// Step of the gradient descent on the weights
    #[schemars(range(min = 0.0, max = 1.0))]
    pub step: f64,
    /// Steps on the weights after each tree
    #[schemars(range(min = 0, max = 100_000))]
    pub rounds: usize,
    /// Where the cut between positive and not positive comes from
    pub cut: Cut,
    /// With cut=natural: how far out an example may be and still be called positive
    pub threshold: Threshold,
    /// With threshold=quantile: the share of labelled examples that are called positive
    #[schemars(range(min = 0.0, max = 1.0))]
    pub quantile: f64,
    /// Bindings of new variables that are tried for one example, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub bindings: usize,
}

impl Default for RelOccRandom {
    fn default() -> Self {
        RelOccRandom {
            trees: 10,
            depth: 3,
            literals: 2,
            largest_share: 0.95,
            lambda: 0.5,
            unlabeled: 30.0,
            pool: 10_000,
            gradient: Gradient::Mean,
            step: 0.001,
            rounds: 20,
            cut: Cut::Hidden,
            threshold: Threshold::Mean,
            quantile: 0.9,
            bindings: 1000,
        }
    }
}

impl RelOccRandom {
    /// The forest alone, for methods that use its paths as features.
    pub(super) fn forest(&self, train: &PuData, run: &Run) -> Result<(Learned, Vec<Note>)> {
        let x = train.x.relational()?;
        check_language(x)?;
        let settings = Settings {
            trees: self.trees,
            shape: Shape { depth: self.depth, literals: self.literals, cap: self.bindings },
            lambda: self.lambda,
            gradient: self.gradient,
            step: self.step,
            rounds: self.rounds,
            sampling: Sampling::Random,
            unlabeled: Some(self.unlabeled),
            drawn: self.unlabeled,
            pool: Some(self.pool),
            threshold: self.threshold.rule(self.quantile),
            random_tests: Some(self.largest_share),
        };
        let learned =
            learn(x, &train.positives(), &train.known_negatives(), &train.unlabeled(), &settings, run)?;
        check_forest(&learned)?;
        let notes = cap_note(learned.capped, self.bindings).into_iter().collect();
        Ok((learned, notes))
    }
}

impl Method for RelOccRandom {
    const SPEC: Spec = Spec {
        name: "relocc-random",
        family: "relational",
        title: "RelOCC with tests drawn at random instead of searched; the baseline that shows what the search adds",
        paper: "Khot, Natarajan & Shavlik 2014, Relational one-class classification: a non-parametric approach",
        assumes: "Rows of the class have relations in common that even tests drawn at random meet. For the cut the examples must be a random draw of their class.",
        inputs: &[Kind::Relational],
        weights: Weights::Count,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::First;
    type Model = ForestModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<ForestModel>> {
        let ranker = (self.cut == Cut::Hidden).then(|| {
            let natural = RelOccRandom { cut: Cut::Natural, ..self.clone() };
            let rank = move |train: &PuData, run: &Run| Ok(natural.fit(train, run)?.scores);
            Ranker::new(Self::SPEC.name, Self::SPEC, rank)
        });
        distances(self.forest(train, run)?, train, self.bindings, ranker.as_ref(), run)
    }
}
