//! LOGISTIC-SMOOTH: logistic regression, smoothed over the nearest neighbours.
//!
//! Rows that are alike are scored alike: each score is mixed with those of the ten rows most like it, which are mixed in
//! turn (`parts/smoothing.rs` has the formula). Use it where a class lies in small clusters, and as the plainest
//! step from `logistic` towards `pseudo-smooth`. New rows are scored by a linear
//! model that has learned the smoothed scores, unless the rows are kept.
//!
//! ```text
//! f = (1 - a) z + a W f,     W_{i j} = (cos_{i j}/d_j) / (Σ_k cos_{i k}/d_k),     d_j = Σ_i cos_{i j}
//! ```
//!
//! where z is the margin of `logistic` scaled to the pile's mean and deviation, and a is ½ unless set. The best share π of the
//! pile is positive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Candidacy, Effort, Fitted, Method, Negatives, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::parts::balanced_fit::BalancedFit;
use crate::parts::linear_in_space::{LinearInSpace, Smoothing};
use crate::parts::smoothing::{Smoother, USUAL};
use crate::parts::space::Space;
use crate::run::Run;

/// Logistic regression whose scores are smoothed over the nearest neighbours; where likeness is local.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogisticSmooth {
    /// Share of positives in the pile, at which the cut is placed; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// How much of a score comes from the neighbours; none means a half, or what hidden positives say in the automatic choice
    #[schemars(range(min = 0.0, max = 0.95))]
    pub from_neighbours: Option<f64>,
    /// Keep the rows too, so that a saved model smooths new rows as it did the old; the file is larger
    pub with_graph: bool,
    /// Let a model without the rows learn from the smoothed scores, so that it ranks new rows nearly as they would be
    pub distil: bool,
}

impl Default for LogisticSmooth {
    fn default() -> Self {
        LogisticSmooth { prior: None, from_neighbours: None, with_graph: false, distil: true }
    }
}

impl Method for LogisticSmooth {
    const SPEC: Spec = Spec {
        name: "logistic-smooth",
        family: "graph",
        title: "logistic regression whose scores are smoothed over the nearest neighbours; where likeness is local",
        paper: "this project; after Zhu & Ghahramani 2002, Learning from labeled and unlabeled data with label propagation",
        assumes: "Rows that are alike are mostly of one class (smoothness), and the examples are a random draw of theirs. The cut needs the share of positives in the pile, known or well estimated.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("up to 300 of the rows it learned from, where rows are numbers; with_graph keeps all"),
    };
    const POOL: &'static [Candidacy] = &[Candidacy {
        place: 90,
        kinds: &[Kind::Sparse, Kind::Dense],
        from: Effort::Thorough,
        parameters: &[],
    }];
    const NEGATIVES: Negatives = Negatives::Held;
    type Model = LinearInSpace;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearInSpace>> {
        let (prior, notes) = given_or_estimated(self.prior, train, run)?;
        let placed = Space::of(&train.x, run)?;
        let smoother = Smoother::of(&placed.x, train, run)?;
        let first = BalancedFit::of(&placed.x, train, 1.0, run)?;
        let (model, margins) = (first.model.clone(), first.margins.clone());
        let smoothing = Some(Smoothing {
            over: &smoother,
            amount: self.from_neighbours.unwrap_or(USUAL),
            with_graph: self.with_graph,
            distil: self.distil,
        });
        Ok(LinearInSpace::fitted(train, prior, &placed, model, margins, smoothing, run)?.with_notes(notes))
    }
}
