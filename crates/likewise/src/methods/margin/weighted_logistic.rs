//! Weighted logistic regression (Lee & Liu 2003).
//!
//! The pile is a noisy set of negatives, so positives and pile are weighted until they count the same, and
//! how closely to fit is chosen by a measure that needs no negatives: recall² / Pr[f = 1], which grows with
//! precision x recall. Use it instead of `logistic` with a few dozen positives or more, when the right C is not 1.
//!
//! ```text
//! r² / Pr[f = 1],   r = recall on held-out positives,   Pr[f = 1] = share of the held-out pile accepted
//! ```
//!
//! Both come from out-of-fold margins. Ties go to the smoother model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::measure::recall_squared_at_zero;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::folds::{deal, out_of_fold};
use crate::parts::known_negatives::fit_balanced;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::Logistic;
use crate::run::Run;

/// Weighted logistic regression, its C chosen by recall²/Pr[f=1]; for a few dozen positives or more.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeightedLogistic {
    /// How closely to fit the examples (C); none means chosen from .01 to 100 by recall²/Pr[f=1]
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: Option<f64>,
    /// Parts into which the rows are dealt to choose C
    #[schemars(range(min = 2, max = 100))]
    pub folds: u32,
}

impl Default for WeightedLogistic {
    fn default() -> Self {
        WeightedLogistic { c: None, folds: 5 }
    }
}

const GRID: [f64; 9] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];

impl Method for WeightedLogistic {
    const SPEC: Spec = Spec {
        name: "weighted-logistic",
        family: "margin",
        title: "weighted logistic regression, its C chosen by recall²/Pr[f=1]; for a few dozen positives or more",
        paper: "Lee & Liu 2003, Learning with positive and unlabeled examples using weighted logistic regression",
        assumes: "The examples are a random draw of their class, so that recall measured on some of them, left out, is the recall of the class. A weighted sum of the columns tells it.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Beside;
    const HIDDEN_CUT: bool = true;
    type Model = LinearModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearModel>> {
        let (c, note) = match self.c {
            Some(c) => (c, None),
            None => self.choose(train, run)?,
        };
        let solver = Logistic { c, ..Logistic::default() };
        let (model, ..) = fit_balanced(&solver, &train.x, train, None, run)?;
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(note.into_iter().collect()))
    }
}

impl WeightedLogistic {
    fn choose(&self, train: &PuData, run: &Run) -> Result<(f64, Option<Note>)> {
        let Some(fold) = deal(&train.positive, self.folds as usize, run) else {
            let text = "C cannot be chosen with a single positive; C = 1 was taken";
            return Ok((1.0, Some(Note::warning(&codes::POORLY_LEARNED, text))));
        };
        let mut best = (1.0, 0.0);
        for (k, &c) in GRID.iter().enumerate() {
            run.step("choosing C", k as u64, GRID.len() as u64)?;
            let silent = run.without_progress();
            let solver = Logistic { c, tolerance: 1e-4 };
            let margins = out_of_fold(train, &fold, |taught, tested| {
                fit_balanced(&solver, &taught.x, taught, None, &silent)?.0.margins(tested)
            })?;
            let merit = recall_squared_at_zero(&margins, train);
            if merit > best.1 {
                best = (c, merit);
            }
        }
        let text = format!("C = {} chosen: recall²/Pr[f=1] = {:.2} out of fold", best.0, best.1);
        Ok((best.0, Some(Note::info(&codes::LEARNED, text))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};
    use rand::RngExt;
    use std::sync::Arc;

    /// One column that tells the class and thirty of noise: a close fit is fooled by the noise.
    fn noisy() -> PuData {
        let mut rng = Run::new(2).rng("rows", 0);
        let mut values = Vec::new();
        for i in 0..200 {
            values.push(if i < 60 { 1.0 } else { -1.0 });
            values.extend((0..30).map(|_| rng.random_range(-3.0f32..3.0)));
        }
        let x = Data::Dense(Arc::new(Dense::new(200, 31, values).unwrap()));
        PuData::new(x, (0..200).map(|i| i < 30).collect()).unwrap()
    }

    #[test]
    fn prefers_a_smooth_fit_where_a_close_one_learns_noise() {
        let method = WeightedLogistic::default();
        let (c, note) = method.choose(&noisy(), &Run::new(0)).unwrap();
        assert!(c < 1.0, "{c}");
        assert!(note.as_ref().is_some_and(|n| n.to_string().contains("chosen")));
    }

    #[test]
    fn a_given_c_is_taken_and_one_positive_is_warned_of() {
        let train = noisy();
        let given = WeightedLogistic { c: Some(2.0), ..WeightedLogistic::default() };
        assert!(given.fit(&train, &Run::new(0)).unwrap().notes.is_empty());
        let one = PuData::new(train.x, (0..200).map(|i| i == 0).collect()).unwrap();
        let fitted = WeightedLogistic::default().fit(&one, &Run::new(0)).unwrap();
        assert!(matches!(&fitted.notes[..], [note] if note.is_warning()));
    }
}
