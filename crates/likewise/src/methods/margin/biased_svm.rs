//! Biased SVM (Liu, Dai, Li, Lee & Yu 2003).
//!
//! A linear SVM of the positives against the pile in which an error on a positive costs C₊ and one on a pile
//! row C₋, much less, because pile rows may be positive. Both are chosen by recall² / Pr[f = 1] from
//! out-of-fold margins. Use it with a few dozen positives or more, where the cut matters as much as the ranking.
//!
//! ```text
//! min over w, b of  ½ (w·w + b²) + C₊ Σ_P max(0, 1 - f(x_i)) + C₋ Σ_U max(0, 1 + f(x_i)),   f(x) = x·w + b
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::measure::recall_squared_at_zero;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::balanced_fit::negative_side;
use crate::parts::folds::{deal, out_of_fold};
use crate::parts::known_negatives::NegativeSide;
use crate::parts::linear::LinearModel;
use crate::parts::linear::svm::{Hinge, LinearSvm};
use crate::run::Run;

/// Linear SVM whose costs for positives and pile are chosen by recall²/Pr[f=1]; needs a few dozen
/// positives.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BiasedSvm {
    /// Cost of an error on a pile row (C-); none means chosen from .01 to 1
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c_pile: Option<f64>,
    /// How many times more an error on a positive costs (C+/C-); none means chosen from 3 to 300
    #[schemars(range(min = 1e-6, max = 1e9))]
    pub ratio: Option<f64>,
    /// Parts into which the rows are dealt to choose the costs
    #[schemars(range(min = 2, max = 100))]
    pub folds: u32,
}

impl Default for BiasedSvm {
    fn default() -> Self {
        BiasedSvm { c_pile: None, ratio: None, folds: 3 }
    }
}

const COSTS: [f64; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];
const RATIOS: [f64; 5] = [3.0, 10.0, 30.0, 100.0, 300.0];

impl Method for BiasedSvm {
    const SPEC: Spec = Spec {
        name: "biased-svm",
        family: "margin",
        title: "linear SVM whose costs for positives and pile are chosen by recall²/Pr[f=1]; needs a few dozen positives",
        paper: "Liu, Dai, Li, Lee & Yu 2003, Building text classifiers using positive and unlabeled examples",
        assumes: "The examples are a random draw of their class, so that recall measured on some of them, left out, is the recall of the class. A plane nearly separates it from the rest.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Beside;
    const HIDDEN_CUT: bool = true;
    type Model = LinearModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearModel>> {
        let explained = negative_side(train, run)?.part;
        let (costs, note) = self.choose(train, explained, run)?;
        let model = costs.fit(train, explained, 1e-3, run)?;
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(note.into_iter().collect()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Costs {
    pile: f64,
    ratio: f64,
}

impl Costs {
    fn fit(self, train: &PuData, explained: f64, tolerance: f64, run: &Run) -> Result<LinearModel> {
        let side = NegativeSide::explained(train, explained);
        let cost = |(&p, &unwanted): (&bool, &bool)| match p {
            true => self.pile * self.ratio,
            false => self.pile * side.weight(unwanted),
        };
        let c: Vec<f64> = train.positive.iter().zip(&train.unwanted).map(cost).collect();
        let solver = LinearSvm { hinge: Hinge::Linear, tolerance };
        Ok(solver.fit(&train.x, &train.positive, &c, None, run)?.model)
    }
}

impl BiasedSvm {
    /// The best pair of the grid, or of what the user left open; ties go to the smaller costs.
    fn choose(&self, train: &PuData, explained: f64, run: &Run) -> Result<(Costs, Option<Note>)> {
        let open = |given: Option<f64>, grid: &[f64]| given.map_or(grid.to_vec(), |value| vec![value]);
        let grid: Vec<Costs> = open(self.c_pile, &COSTS)
            .into_iter()
            .flat_map(|pile| open(self.ratio, &RATIOS).into_iter().map(move |ratio| Costs { pile, ratio }))
            .collect();
        if let [only] = grid[..] {
            return Ok((only, None));
        }
        let Some(fold) = deal(&train.positive, self.folds as usize, run) else {
            let costs = Costs { pile: self.c_pile.unwrap_or(0.1), ratio: self.ratio.unwrap_or(30.0) };
            let text = format!("costs cannot be chosen with a single positive; {costs:?} were taken");
            return Ok((costs, Some(Note::warning(&codes::POORLY_LEARNED, text))));
        };
        let mut best = (grid[0], 0.0);
        for (k, &costs) in grid.iter().enumerate() {
            run.step("choosing costs", k as u64, grid.len() as u64)?;
            let silent = run.without_progress();
            let margins = out_of_fold(train, &fold, |taught, tested| {
                costs.fit(taught, explained, 0.05, &silent)?.margins(tested)
            })?;
            let merit = recall_squared_at_zero(&margins, train);
            if merit > best.1 {
                best = (costs, merit);
            }
        }
        let text = format!(
            "C- = {} and C+ = {} chosen: recall²/Pr[f=1] = {:.2} out of fold",
            best.0.pile,
            best.0.pile * best.0.ratio,
            best.1
        );
        Ok((best.0, Some(Note::info(&codes::LEARNED, text))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};
    use std::sync::Arc;

    /// Twenty positives at 1, of which eight are labelled, and sixty rows at -1.
    fn train() -> PuData {
        let values = (0..80).map(|i| if i < 20 { 1.0 } else { -1.0 }).collect();
        let x = Data::Dense(Arc::new(Dense::new(80, 1, values).unwrap()));
        PuData::new(x, (0..80).map(|i| i < 8).collect()).unwrap()
    }

    #[test]
    fn the_pile_must_cost_less_than_the_positives() {
        // At 1 lie 8 positives and 12 pile rows: with equal costs the pile wins and all are negative.
        let equal = BiasedSvm { c_pile: Some(1.0), ratio: Some(1.0), folds: 3 };
        let scores = equal.fit(&train(), &Run::new(0)).unwrap().scores;
        assert!(scores.iter().all(|s| *s < 0.5));
        let chosen = BiasedSvm::default().fit(&train(), &Run::new(0)).unwrap();
        for (i, score) in chosen.scores.iter().enumerate() {
            assert_eq!(*score >= 0.5, i < 20, "row {i}");
        }
        assert!(matches!(&chosen.notes[..], [note] if !note.is_warning()));
    }
}
