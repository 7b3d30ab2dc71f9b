//! PSEUDO-SMOOTH: logistic regression, smoothed over the neighbours, pseudo-labelled, and smoothed again.
//!
//! Two cheap steps that each use the pile: rows that are alike are scored alike (`parts/smoothing.rs`), and the
//! surest join the positives (`parts/pseudo_labels.rs`). Together they rank best of all where positives are few.
//! Use it for text with ten to a few hundred examples. New rows are scored by the linear part alone.

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
pub struct PseudoSmooth {
    /// Share of positives in the pile: it sets how many rows join and where the cut lies; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
}

impl Method for PseudoSmooth {
    const SPEC: Spec = Spec {
        name: "pseudo-smooth",
        family: "graph",
        title: "logistic regression smoothed over neighbours, pseudo-labelled, smoothed again; the best ranker of text",
        paper: "this project; after Zhu & Ghahramani 2002 and Lee 2013",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
    };
    type Model = CutModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<CutModel>> {
        fit_candidate(Candidate::PseudoSmooth, self.prior, train, run)
    }
}
