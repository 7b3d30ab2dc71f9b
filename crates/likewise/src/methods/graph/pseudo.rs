//! PSEUDO: logistic regression, one round of pseudo-labels, and logistic regression again.
//!
//! The surest rows of the pile join the positives with little weight, and those believed positive stop being
//! negatives (`parts/pseudo_labels.rs` has the formula). One round lifts the ranking most when positives are few.
//! Use it where the pile is large and the examples are under a hundred.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::automatic::{Candidate, Workbench};
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::parts::scorer::{Cut, CutModel};
use crate::run::Run;

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pseudo {
    /// Share of positives in the pile: it sets how many rows join and where the cut lies; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
}

impl Method for Pseudo {
    const SPEC: Spec = Spec {
        name: "pseudo",
        family: "graph",
        title: "logistic regression with one round of pseudo-labels from the pile; for few positives",
        paper: "this project; after Lee 2013, Pseudo-label",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
    };
    type Model = CutModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<CutModel>> {
        fit_candidate(Candidate::Pseudo, self.prior, train, run)
    }
}

/// A candidate of the automatic choice as a method of its own: the cut lies at the prior.
pub(super) fn fit_candidate(
    candidate: Candidate,
    prior: Option<f64>,
    train: &PuData,
    run: &Run,
) -> Result<Fitted<CutModel>> {
    let (prior, notes) = given_or_estimated(prior, train, run)?;
    let bench = Workbench::new(train, 2, candidate.smooths(), run)?;
    let ranked = bench.fit(candidate, prior, false, run)?;
    let pile = train.unlabeled();
    let count = ((prior * pile.len() as f64).round() as usize).clamp(1, pile.len());
    let cut = |raw: &[f64]| Cut::after(&pile.iter().map(|&i| raw[i]).collect::<Vec<_>>(), count);
    let of_training = cut(&ranked.scores);
    let scores = ranked.scores.iter().map(|raw| of_training.score(*raw)).collect();
    let of_new = cut(&ranked.scorer.raw(&bench.train.x, run)?);
    let model = CutModel { space: bench.space, scorer: ranked.scorer, cut: of_new };
    Ok(Fitted::new(model, scores).with_notes(notes))
}
