//! LOGISTIC-SPARED: logistic regression after the rows believed positive have left the negatives.
//!
//! A first balanced logistic regression ranks the pile; its best share π, where the hidden positives are, then counts as
//! neither positive nor negative, and the regression is fitted again. Use it where the share of positives in the pile is
//! large and roughly known.
//!
//! ```text
//! weights of the second fit:  0 for the π m best of the m pile rows, else those of logistic
//! ```

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Kind, PuData};
use crate::decide::ranking;
use crate::error::Result;
use crate::method::{Candidacy, Effort, Fitted, Method, Negatives, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::parts::balanced_fit::BalancedFit;
use crate::parts::known_negatives::{NegativeSide, balanced};
use crate::parts::linear::logistic::{Logistic, SoftLabel};
use crate::parts::linear_in_space::LinearInSpace;
use crate::parts::space::Space;
use crate::run::Run;

/// Logistic regression that leaves rows believed positive out of the negatives; for a large share of
/// positives.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogisticSpared {
    /// Share of positives in the pile: it sets how many rows are spared and where the cut lies; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
}

impl Method for LogisticSpared {
    const SPEC: Spec = Spec {
        name: "logistic-spared",
        family: "margin",
        title: "logistic regression that leaves rows believed positive out of the negatives; for a large share of positives",
        paper: "this project; after Liu et al. 2003, Building text classifiers using positive and unlabeled examples",
        assumes: "The examples are a random draw of their class, and the share of positives in the pile is known or well estimated: as many of the best rows of a first ranking are taken to be those positives.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("up to 300 of the rows it learned from, where rows are numbers"),
    };
    const POOL: &'static [Candidacy] = &[Candidacy {
        place: 100,
        kinds: &[Kind::Sparse, Kind::Dense],
        from: Effort::Thorough,
        parameters: &[],
    }];
    const NEGATIVES: Negatives = Negatives::Beside;
    type Model = LinearInSpace;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearInSpace>> {
        let (prior, notes) = given_or_estimated(self.prior, train, run)?;
        let placed = Space::of(&train.x, run)?;
        let first = BalancedFit::of(&placed.x, train, 1.0, run)?;
        let labels = spared(train, &first.side, &first.margins, prior);
        let model = Logistic::default().fit(&placed.x, &labels, Some(&first.model), run)?;
        let margins = Arc::new(model.margins(&placed.x)?);
        Ok(LinearInSpace::fitted(train, prior, &placed, model, margins, None, run)?.with_notes(notes))
    }
}

/// Balanced labels in which the best share of the pile is neither positive nor negative; one row stays negative.
fn spared(train: &PuData, side: &NegativeSide, scores: &[f64], share: f64) -> Vec<SoftLabel> {
    let pile = train.unlabeled();
    let of_pile: Vec<f64> = pile.iter().map(|&i| scores[i]).collect();
    let count = ((share * pile.len() as f64) as usize).min(pile.len() - 1);
    let mut labels = balanced(train, side);
    for best in ranking(&of_pile).into_iter().take(count) {
        labels[pile[best]] = SoftLabel::hard(false, 0.0);
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};

    #[test]
    fn the_best_share_of_the_pile_weighs_nothing() {
        let x = Data::Dense(Arc::new(Dense::new(5, 1, vec![0.0; 5]).unwrap()));
        let train = PuData::new(x, vec![true, false, false, false, false]).unwrap();
        let side = NegativeSide::of(&train);
        let labels = spared(&train, &side, &[9.0, 1.0, 4.0, 3.0, 2.0], 0.5);
        // 1 against 4: each side weighs 20 · 4 / 5, before the best are spared.
        assert_eq!(labels[0], SoftLabel::hard(true, 16.0));
        assert_eq!((labels[2], labels[3]), (SoftLabel::hard(false, 0.0), SoftLabel::hard(false, 0.0)));
        assert_eq!((labels[1], labels[4]), (SoftLabel::hard(false, 4.0), SoftLabel::hard(false, 4.0)));
        assert!(spared(&train, &side, &[0.0; 5], 1.0).iter().any(|label| label.negative > 0.0));
    }
}
