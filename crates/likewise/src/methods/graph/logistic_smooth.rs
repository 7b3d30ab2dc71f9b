//! LOGISTIC-SMOOTH: logistic regression, smoothed once over the nearest neighbours.
//!
//! Rows that are alike are scored alike: each score is mixed with those of the ten rows most like it
//! (`parts/smoothing.rs` has the formula). Use it where a class lies in small clusters, and as the plainest
//! step from `logistic` towards `pseudo-smooth`. New rows are scored by the linear part alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pseudo::fit_candidate;
use crate::automatic::Candidate;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Spec, Weights};
use crate::parts::scorer::CutModel;
use crate::run::Run;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogisticSmooth {
    /// Share of positives in the pile, at which the cut is placed; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
}

impl Method for LogisticSmooth {
    const SPEC: Spec = Spec {
        name: "logistic-smooth",
        family: "graph",
        title: "logistic regression whose scores are smoothed over the nearest neighbours; where likeness is local",
        paper: "this project; after Zhu & Ghahramani 2002, Learning from labeled and unlabeled data with label propagation",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
    };
    type Model = CutModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<CutModel>> {
        fit_candidate(Candidate::LogisticSmooth, self.prior, train, run)
    }
}
