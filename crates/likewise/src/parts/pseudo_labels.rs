//! One round of pseudo-labels: the surest rows of the pile join the positives, lightly, and leave the negatives.
//!
//! With n positives, m pile rows and a share π of positives among them: the best min(0.4 π m, 20 n) rows become
//! positives of weight 0.2, the best min(0.5 π m, 25 n) are no longer negatives, and a balanced logistic
//! regression is fitted anew. The caps keep a prior that is far too high from doing harm when n is small. One
//! round only: further ones drift.

use crate::data::{Data, PuData};
use crate::decide::ranking;
use crate::error::Result;
use crate::parts::balanced_fit::BalancedFit;
use crate::parts::known_negatives::NegativeSide;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::{Logistic, SoftLabel, even_weight};
use crate::run::Run;

const TAKEN: f64 = 0.4;
const MOST_TAKEN: usize = 20;
const SPARED: f64 = 0.5;
const MOST_SPARED: usize = 25;
const WEIGHT: f64 = 0.2;

/// Refits on the pseudo-labels that `scores` suggest; `start` is the fit that made them. Rows known not to be wanted
/// stay negative whatever their scores, and weigh what they did in that fit.
pub fn refit(
    x: &Data,
    train: &PuData,
    scores: &[f64],
    prior: f64,
    start: &BalancedFit,
    run: &Run,
) -> Result<LinearModel> {
    let labels = labels(train, &start.side, scores, prior);
    Logistic::default().fit(x, &labels, Some(&start.model), run)
}

/// Both sides weigh the same in sum; a row that is spared weighs nothing.
fn labels(train: &PuData, side: &NegativeSide, scores: &[f64], prior: f64) -> Vec<SoftLabel> {
    let (positive, pile) = (&train.positive, train.unlabeled());
    let n = positive.iter().filter(|p| **p).count();
    let of_pile: Vec<f64> = pile.iter().map(|&i| scores[i]).collect();
    let believed = prior * pile.len() as f64;
    let taken = ((TAKEN * believed) as usize).min(MOST_TAKEN * n);
    let spared = ((SPARED * believed) as usize).min(MOST_SPARED * n).max(taken).min(pile.len() - 1);
    let weight = |(&p, &unwanted): (&bool, &bool)| (p, if p { 1.0 } else { side.weight(unwanted) });
    let mut weights: Vec<(bool, f64)> = positive.iter().zip(&train.unwanted).map(weight).collect();
    for (at, best) in ranking(&of_pile).into_iter().take(spared).enumerate() {
        weights[pile[best]] = (true, if at < taken { WEIGHT } else { 0.0 });
    }
    let sum = |side: bool| weights.iter().filter(|(s, _)| *s == side).map(|(_, w)| w).sum::<f64>();
    let weight = even_weight(sum(true), sum(false));
    let (positive_unit, negative_unit) = (weight / sum(true), weight / sum(false));
    weights
        .into_iter()
        .map(|(side, w)| SoftLabel::hard(side, w * if side { positive_unit } else { negative_unit }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    /// The first row is positive.
    fn of_rows(n: usize) -> PuData {
        let x = Dense::new(n, 1, vec![0.0; n]).unwrap();
        PuData::new(x.into(), (0..n).map(|i| i == 0).collect()).unwrap()
    }

    #[test]
    fn what_is_not_wanted_never_joins() {
        let scores: Vec<f64> = (0..11).map(|i| -f64::from(i)).collect();
        let train = of_rows(11).with_unwanted((0..11).map(|i| i == 1).collect()).unwrap();
        let labels = labels(&train, &NegativeSide::of(&train), &scores, 0.8);
        assert!(labels[1].positive == 0.0 && labels[1].negative > 0.0, "{:?}", labels[1]);
        // κ = 1/2: the known negative alone weighs more than any row of the pile.
        assert!(labels[1].negative > 2.0 * labels[10].negative && labels[2].positive > 0.0);
    }

    #[test]
    fn the_surest_join_and_some_are_spared() {
        // Ten pile rows of prior 0.8: 0.4 x 8 = 3 join, 0.5 x 8 = 4 are spared, 6 stay negative.
        let train = of_rows(11);
        let scores: Vec<f64> = (0..11).map(|i| -f64::from(i)).collect();
        let labels = labels(&train, &NegativeSide::of(&train), &scores, 0.8);
        // 1 + 3 · 0.2 against 6: each side weighs 20 · 1.6 · 6 / 7.6.
        let weight = 20.0 * 1.6 * 6.0 / 7.6;
        let unit = weight / 1.6;
        assert!((labels[0].positive - unit).abs() < 1e-12);
        assert!((labels[3].positive - WEIGHT * unit).abs() < 1e-12);
        assert_eq!(labels[4], SoftLabel::hard(true, 0.0));
        assert!((labels[10].negative - weight / 6.0).abs() < 1e-12);
    }

    #[test]
    fn few_positives_cap_what_joins() {
        let train = of_rows(1001);
        let labels = labels(&train, &NegativeSide::of(&train), &vec![0.0; 1001], 0.9);
        assert_eq!(labels.iter().filter(|l| l.positive > 0.0).count(), 1 + MOST_TAKEN);
        assert_eq!(labels.iter().filter(|l| l.negative > 0.0).count(), 1000 - MOST_SPARED);
    }
}
