//! PSEUDO-SMOOTH: logistic regression, smoothed over the neighbours, pseudo-labelled, and smoothed again.
//!
//! Two cheap steps that each use the pile: rows that are alike are scored alike (`parts/smoothing.rs`), and the
//! surest join the positives (`parts/pseudo_labels.rs`). Together they rank best of all where positives are few.
//! Use it for text with ten to a few hundred examples. New rows are scored by a linear
//! model that has learned the smoothed scores, unless the rows are kept.
//!
//! ```text
//! g = (1 - a) z(f) + a W g     f by logistic
//! f' by pseudo, its rows the best of the pile under g
//! score = (1 - a) z(f') + a W score
//! ```
//!
//! where z scales to the pile's mean and deviation, W are the neighbours' weights (`logistic-smooth` has them), and a is ½
//! unless set or told by hidden positives. The best share π of the pile is positive.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Candidacy, Effort, Fitted, Method, Negatives, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::parts::balanced_fit::BalancedFit;
use crate::parts::linear_in_space::{LinearInSpace, Smoothing};
use crate::parts::pseudo_labels::refit;
use crate::parts::smoothing::{Smoother, USUAL};
use crate::parts::space::Space;
use crate::run::{Key, Run};

/// Logistic regression smoothed over neighbours, pseudo-labelled, smoothed again; the best ranker of text.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PseudoSmooth {
    /// Share of positives in the pile: it sets how many rows join and where the cut lies; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// How much of a first score comes from the neighbours, before rows join the positives; none means a half, or what
    /// hidden positives say in the automatic choice
    #[schemars(range(min = 0.0, max = 0.95))]
    pub from_neighbours_first: Option<f64>,
    /// The same for the last score
    #[schemars(range(min = 0.0, max = 0.95))]
    pub from_neighbours: Option<f64>,
    /// Keep the rows too, so that a saved model smooths new rows as it did the old; the file is larger
    pub with_graph: bool,
    /// Let a model without the rows learn from the smoothed scores, so that it ranks new rows nearly as they would be
    pub distil: bool,
}

impl Default for PseudoSmooth {
    fn default() -> Self {
        PseudoSmooth {
            prior: None,
            from_neighbours_first: None,
            from_neighbours: None,
            with_graph: false,
            distil: true,
        }
    }
}

impl Method for PseudoSmooth {
    const SPEC: Spec = Spec {
        name: "pseudo-smooth",
        family: "graph",
        title: "logistic regression smoothed over neighbours, pseudo-labelled, smoothed again; the best ranker of text",
        paper: "this project; after Zhu & Ghahramani 2002 and Lee 2013",
        assumes: "Rows that are alike are mostly of one class (smoothness), the examples are a random draw of theirs, and the rows ranked best are mostly of it. The share of positives in the pile is known or well estimated.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("up to 300 of the rows it learned from, where rows are numbers; with_graph keeps all"),
    };
    // The best on average over many tasks of text; of numbers a mean of ranks is.
    const POOL: &'static [Candidacy] = &[
        Candidacy { place: 0, kinds: &[Kind::Sparse], from: Effort::Quick, parameters: &[] },
        Candidacy { place: 10, kinds: &[Kind::Dense], from: Effort::Normal, parameters: &[] },
    ];
    const NEGATIVES: Negatives = Negatives::Held;
    type Model = LinearInSpace;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearInSpace>> {
        let (prior, notes) = given_or_estimated(self.prior, train, run)?;
        let placed = Space::of(&train.x, run)?;
        let x = &placed.x;
        let smoother = Smoother::of(x, train, run)?;
        let before = self.from_neighbours_first.unwrap_or(USUAL);
        let key = Key::new("fit with pseudo-labels", x.identity()).labels(&train.positive);
        let key = key.labels(&train.unwanted).number(prior).number(before);
        let last = run.shared(key, || {
            let first = BalancedFit::of(x, train, 1.0, run)?;
            let smoothed = smoother.smooth(&first.margins, train, before);
            let model = refit(x, train, &smoothed, prior, &first, run)?;
            let margins = Arc::new(model.margins(x)?);
            Ok(BalancedFit { model, margins, side: first.side })
        })?;
        let (model, margins) = (last.model.clone(), last.margins.clone());
        let smoothing = Some(Smoothing {
            over: &smoother,
            amount: self.from_neighbours.unwrap_or(USUAL),
            with_graph: self.with_graph,
            distil: self.distil,
        });
        Ok(LinearInSpace::fitted(train, prior, &placed, model, margins, smoothing, run)?.with_notes(notes))
    }
}
