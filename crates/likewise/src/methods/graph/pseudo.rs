//! PSEUDO: logistic regression, one round of pseudo-labels, and logistic regression again.
//!
//! The surest rows of the pile join the positives with little weight, and those believed positive stop being
//! negatives (`parts/pseudo_labels.rs` has the formula). One round lifts the ranking most when positives are few.
//! Use it where the pile is large and the examples are under a hundred.
//!
//! ```text
//! weight 0.2 as positives:  the best min(0.4 π m, 20 n) rows of the pile
//! weight 0 as negatives:  the best min(0.5 π m, 25 n) rows
//! min over w, b of  ½ w·w + C Σ_i s_i ln(1 + exp(-y_i (x_i·w + b)))   as logistic, with these weights among the s_i
//! ```
//!
//! for n positives and m pile rows, of which a share π is positive. The best share π of the pile is positive.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Candidacy, Effort, Fitted, Method, Negatives, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::parts::balanced_fit::BalancedFit;
use crate::parts::linear_in_space::LinearInSpace;
use crate::parts::pseudo_labels::refit;
use crate::parts::space::Space;
use crate::run::Run;

/// Logistic regression with one round of pseudo-labels from the pile; for few positives.
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
        assumes: "The examples are a random draw of their class, and the rows of the pile that a first model ranks best are mostly of it. How many join, and the cut, need the share of positives, known or well estimated.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("up to 300 of the rows it learned from, where rows are numbers"),
    };
    const POOL: &'static [Candidacy] = &[Candidacy {
        place: 20,
        kinds: &[Kind::Sparse, Kind::Dense],
        from: Effort::Normal,
        parameters: &[],
    }];
    const NEGATIVES: Negatives = Negatives::Beside;
    type Model = LinearInSpace;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearInSpace>> {
        let (prior, notes) = given_or_estimated(self.prior, train, run)?;
        let placed = Space::of(&train.x, run)?;
        let first = BalancedFit::of(&placed.x, train, 1.0, run)?;
        let model = refit(&placed.x, train, &first.margins, prior, &first, run)?;
        let margins = Arc::new(model.margins(&placed.x)?);
        Ok(LinearInSpace::fitted(train, prior, &placed, model, margins, None, run)?.with_notes(notes))
    }
}
