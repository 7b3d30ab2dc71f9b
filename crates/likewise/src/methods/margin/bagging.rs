//! Bagging of the pile (Mordelet & Vert 2014).
//!
//! Each round draws a small bag from the pile with replacement, learns the positives against it, and scores
//! the rows that were not drawn; a row's score is its mean over the rounds that did not use it. A small bag
//! holds few hidden positives, and different ones each time, so their harm averages out.
//! Use it with few positives and a large pile; it is also the cheapest method here for a huge pile.
//!
//! ```text
//! f(x) = mean over the rounds t with x not in U_t of  x·w_t + b_t,   (w_t, b_t) from P against U_t
//! ```
//!
//! The mean of linear functions is linear: for rows outside the pile one weight vector holds all rounds, and
//! inside it only the rows of the bags need a correction.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use rand::RngExt;

use crate::data::{Kind, PuData};
use crate::decide::squash;
use crate::error::Result;
use crate::method::{Candidacy, Effort, Fitted, Method, Negatives, Spec, Weights};
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::{Logistic, balanced};
use crate::run::Run;

/// Many logistic regressions against small bags of the pile, scored out of bag; for few positives.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bagging {
    /// Bags drawn from the pile
    #[schemars(range(min = 1, max = 100_000))]
    pub rounds: u32,
    /// Rows in a bag; none means as many as there are positives
    #[schemars(range(min = 1))]
    pub bag: Option<u32>,
    /// How closely each round fits its examples (C); smaller is smoother
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
}

impl Default for Bagging {
    fn default() -> Self {
        Bagging { rounds: 15, bag: None, c: 1.0 }
    }
}

/// Rounds learned at a time; their models are added in order.
const BLOCK: u32 = 16;

impl Method for Bagging {
    const SPEC: Spec = Spec {
        name: "bagging",
        family: "margin",
        title: "many logistic regressions against small bags of the pile, scored out of bag; for few positives",
        paper: "Mordelet & Vert 2014, A bagging SVM to learn from positive and unlabeled examples",
        assumes: "The examples are a random draw of their class, and the pile is negative enough that a small bag of it holds few positives. A weighted sum of the columns tells the class.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const POOL: &'static [Candidacy] = &[Candidacy {
        place: 50,
        kinds: &[Kind::Sparse, Kind::Dense],
        from: Effort::Normal,
        parameters: &[],
    }];
    const NEGATIVES: Negatives = Negatives::Beside;
    type Model = LinearModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearModel>> {
        let (positives, pile, known) = (train.positives(), train.unlabeled(), train.known_negatives());
        let size = self.bag.map_or(positives.len(), |n| n as usize);
        let solver = Logistic { c: self.c, ..Logistic::default() };
        let silent = run.without_progress();
        let round = |t: u32| -> Result<Round> {
            let mut rng = run.rng("bagging", u64::from(t));
            let mut bag: Vec<usize> = (0..size).map(|_| pile[rng.random_range(0..pile.len())]).collect();
            // A bag of as many rows as there are positives, and every known negative: each weighs what a mark weighs.
            let rows: Vec<usize> = positives.iter().chain(&bag).chain(&known).copied().collect();
            let x = train.x.select(&rows);
            let is_positive: Vec<bool> = (0..rows.len()).map(|k| k < positives.len()).collect();
            let model = solver.fit(&x, &balanced(&is_positive), None, &silent)?;
            bag.sort_unstable();
            bag.dedup();
            let margins = model.margins(&train.x.select(&bag))?;
            Ok(Round { model, in_bag: bag.into_iter().zip(margins).collect() })
        };

        let mut model = LinearModel { weights: vec![0.0; train.x.cols().unwrap_or(0)], bias: 0.0 };
        // For each row: how often it was in a bag, and the sum of its margins there.
        let mut in_bag = vec![(0u32, 0.0); train.x.rows()];
        let share = 1.0 / f64::from(self.rounds);
        for block in (0..self.rounds).step_by(BLOCK as usize) {
            run.step("bagging", u64::from(block), u64::from(self.rounds))?;
            let last = (block + BLOCK).min(self.rounds);
            let rounds: Vec<Round> = (block..last).into_par_iter().map(round).collect::<Result<_>>()?;
            for round in rounds {
                model.add_scaled(share, &round.model);
                for (row, margin) in round.in_bag {
                    in_bag[row].0 += 1;
                    in_bag[row].1 += margin;
                }
            }
        }
        let scores = (model.margins(&train.x)?.into_iter().zip(in_bag))
            .map(|(mean, (bags, sum))| {
                let outside = f64::from(self.rounds - bags);
                let out_of_bag = (mean * f64::from(self.rounds) - sum) / outside;
                squash(if outside > 0.0 { out_of_bag } else { mean })
            })
            .collect();
        Ok(Fitted::new(model, scores))
    }
}

/// What one round leaves: its model, and the margins of the rows it learned as negative.
struct Round {
    model: LinearModel,
    in_bag: Vec<(usize, f64)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};
    use std::sync::Arc;

    fn train() -> PuData {
        let mut rng = Run::new(1).rng("rows", 0);
        let values =
            (0..60).map(|i| if i < 20 { 1.0 } else { 0.0 } + rng.random_range(-1.0f32..1.0)).collect();
        let x = Data::Dense(Arc::new(Dense::new(60, 1, values).unwrap()));
        PuData::new(x, (0..60).map(|i| i < 10).collect()).unwrap()
    }

    /// The definition, round by round and row by row.
    #[test]
    fn scores_are_means_over_the_rounds_that_did_not_use_the_row() {
        let (train, run) = (train(), Run::new(4));
        let method = Bagging { rounds: 5, bag: Some(12), c: 1.0 };
        let fitted = method.fit(&train, &run).unwrap();
        let mut sums = vec![(0.0, 0); 60];
        for t in 0..5 {
            let mut rng = run.rng("bagging", t);
            let bag: Vec<usize> = (0..12).map(|_| 10 + rng.random_range(0..50)).collect();
            let rows: Vec<usize> = (0..10).chain(bag.iter().copied()).collect();
            let labels: Vec<bool> = (0..22).map(|k| k < 10).collect();
            let model =
                Logistic::default().fit(&train.x.select(&rows), &balanced(&labels), None, &run).unwrap();
            for (row, margin) in model.margins(&train.x).unwrap().into_iter().enumerate() {
                if !bag.contains(&row) {
                    sums[row] = (sums[row].0 + margin, sums[row].1 + 1);
                }
            }
        }
        for (row, (sum, count)) in sums.into_iter().enumerate() {
            assert!(count > 0);
            assert!((fitted.scores[row] - squash(sum / f64::from(count))).abs() < 1e-9, "row {row}");
        }
    }

    #[test]
    fn a_row_that_is_in_every_bag_still_has_a_score() {
        let train = train();
        let small = PuData::new(train.x.select(&[0, 1, 2, 30]), vec![true, true, true, false]).unwrap();
        let fitted = Bagging::default().fit(&small, &Run::new(0)).unwrap();
        let margins = fitted.model.margins(&small.x).unwrap();
        assert_eq!(fitted.scores[3], squash(margins[3]));
    }
}
