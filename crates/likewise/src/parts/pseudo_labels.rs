//! One round of pseudo-labels: the surest rows of the pile join the positives, lightly, and leave the negatives.
//!
//! With n positives, m pile rows and a share π of positives among them: the best min(0.4 π m, 20 n) rows become
//! positives of weight 0.2, the best min(0.5 π m, 25 n) are no longer negatives, and a balanced logistic
//! regression is fitted anew. The caps keep a prior that is far too high from doing harm when n is small. One
//! round only: further ones drift.

use crate::data::Data;
use crate::decide::ranking;
use crate::error::Result;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::{Logistic, SoftLabel, even_weight};
use crate::run::Run;

const TAKEN: f64 = 0.4;
const MOST_TAKEN: usize = 20;
const SPARED: f64 = 0.5;
const MOST_SPARED: usize = 25;
const WEIGHT: f64 = 0.2;

/// Refits on the pseudo-labels that `scores` suggest; `start` is the model that made them.
pub fn refit(
    x: &Data,
    positive: &[bool],
    scores: &[f64],
    prior: f64,
    c: f64,
    start: Option<&LinearModel>,
    run: &Run,
) -> Result<LinearModel> {
    let labels = labels(positive, scores, prior);
    Logistic { c, ..Logistic::default() }.fit(x, &labels, start, run)
}

/// Both sides weigh the same in sum; a row that is spared weighs nothing.
fn labels(positive: &[bool], scores: &[f64], prior: f64) -> Vec<SoftLabel> {
    let pile: Vec<usize> = (0..positive.len()).filter(|&i| !positive[i]).collect();
    let n = positive.len() - pile.len();
    let of_pile: Vec<f64> = pile.iter().map(|&i| scores[i]).collect();
    let believed = prior * pile.len() as f64;
    let taken = ((TAKEN * believed) as usize).min(MOST_TAKEN * n);
    let spared = ((SPARED * believed) as usize).min(MOST_SPARED * n).max(taken).min(pile.len() - 1);
    let mut weights: Vec<(bool, f64)> = positive.iter().map(|&p| (p, 1.0)).collect();
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

    #[test]
    fn the_surest_join_and_some_are_spared() {
        // Ten pile rows of prior 0.8: 0.4 x 8 = 3 join, 0.5 x 8 = 4 are spared, 6 stay negative.
        let positive: Vec<bool> = (0..11).map(|i| i == 0).collect();
        let scores: Vec<f64> = (0..11).map(|i| -f64::from(i)).collect();
        let labels = labels(&positive, &scores, 0.8);
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
        let positive: Vec<bool> = (0..1001).map(|i| i == 0).collect();
        let labels = labels(&positive, &vec![0.0; 1001], 0.9);
        assert_eq!(labels.iter().filter(|l| l.positive > 0.0).count(), 1 + MOST_TAKEN);
        assert_eq!(labels.iter().filter(|l| l.negative > 0.0).count(), 1000 - MOST_SPARED);
    }
}
