//! The unbiased and the non-negative PU risk of a linear model with the logistic loss ℓ(m) = ln(1 + e^(-m)).
//!
//! With π the share of positives in the pile, the risk of a classifier on the whole pile is, without any
//! negative (du Plessis et al. 2015):
//!
//! ```text
//! R(f) = π E_P[ℓ(f)] + N(f),    N(f) = E_U[ℓ(-f)] - π E_P[ℓ(-f)]
//! ```
//!
//! N stands for the risk on negatives. Weighted by 0 ≤ μ ≤ 1, π E_P[ℓ(f)] + μ N(f) is convex in a linear f,
//! because ℓ(m) - μ ℓ(-m) is: its curvature is 1 - μ times that of ℓ.
//!
//! Known negatives bring a supervised risk beside it (PNU: Sakai et al. 2017, Equation 8), weighted by their share κ of
//! the marks ([`NegativeSide`]). The risk on positives is the same in both, so what they change is the estimate of N:
//!
//! ```text
//! π E_P[ℓ(f)] + μ N'(f),    N'(f) = (1 - κ) N(f) + κ (1 - π) E_N[ℓ(-f)]
//! ```
//!
//! μ stands before both parts. Before N alone it would leave ten known negatives nearly all of the say wherever a
//! flexible model drives N down to 0.

use super::known_negatives::NegativeSide;
use super::linear::logistic::SoftLabel;
use crate::data::PuData;

/// Soft labels that make the logistic solver minimise n times the risk, n the rows, but no more of them than make a
/// positive weigh 20, as in a balanced fit (`even_weight`): a larger pile does not make the positives tell more.
pub fn labels(train: &PuData, side: &NegativeSide, prior: f64, mu: f64) -> Vec<SoftLabel> {
    let labelled = train.positive.iter().filter(|p| **p).count() as f64;
    let known = train.unwanted.iter().filter(|n| **n).count() as f64;
    let pile = train.positive.len() as f64 - labelled - known;
    let n = train.positive.len() as f64;
    let n = n.min(MOST_A_POSITIVE * labelled / prior);
    let (of_positive, of_pile) = (n * prior / labelled, n / pile);
    let known_part = mu * side.share * (1.0 - prior) * n / known;
    let mu = (1.0 - side.share) * mu;
    (train.positive.iter().zip(&train.unwanted))
        .map(|marks| match marks {
            (true, _) => SoftLabel { positive: of_positive, negative: -mu * of_positive },
            (_, true) => SoftLabel { positive: 0.0, negative: known_part },
            _ => SoftLabel { positive: 0.0, negative: mu * of_pile },
        })
        .collect()
}

const MOST_A_POSITIVE: f64 = 20.0;

/// N'(f) from margins: what the unbiased risk takes for the risk on negatives; below 0 it is overfitted.
pub fn negative_risk(margins: &[f64], train: &PuData, side: &NegativeSide, prior: f64) -> f64 {
    let mean_loss = |rows: Vec<usize>| {
        let losses = rows.into_iter().map(|row| {
            // ℓ(-m) = ln(1 + e^m)
            margins[row].max(0.0) + (-margins[row].abs()).exp().ln_1p()
        });
        let (sum, count) = losses.fold((0.0, 0), |(sum, count), loss| (sum + loss, count + 1));
        sum / f64::from(count)
    };
    let unbiased = mean_loss(train.unlabeled()) - prior * mean_loss(train.positives());
    if !side.is_known() {
        return unbiased;
    }
    let supervised = (1.0 - prior) * mean_loss(train.known_negatives());
    (1.0 - side.share) * unbiased + side.share * supervised
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    #[test]
    fn by_hand() {
        // One positive and three pile rows, π = 0.5: the positive weighs 4 · 0.5, a pile row 4/3.
        let x = Dense::new(4, 1, vec![0.0; 4]).unwrap();
        let train = PuData::new(x.into(), vec![true, false, false, false]).unwrap();
        let found = labels(&train, &NegativeSide::of(&train), 0.5, 1.0);
        assert_eq!(found[0], SoftLabel { positive: 2.0, negative: -2.0 });
        assert!((found[1].negative - 4.0 / 3.0).abs() < 1e-12);
        // At margin 0 every loss is ln 2: N = ln 2 (1 - π).
        let n = negative_risk(&[0.0; 4], &train, &NegativeSide::of(&train), 0.5);
        assert!((n - 0.5 * 2f64.ln()).abs() < 1e-12);
        // One row is known not to be wanted, κ = 1/2: it weighs ½ · ½ · 4, the PU risk of the others is halved.
        let marked = train.with_unwanted(vec![false, true, false, false]).unwrap();
        let found = labels(&marked, &NegativeSide::of(&marked), 0.5, 1.0);
        assert_eq!(found[1], SoftLabel { positive: 0.0, negative: 1.0 });
        assert_eq!(found[0], SoftLabel { positive: 2.0, negative: -1.0 });
        assert_eq!(found[2], SoftLabel { positive: 0.0, negative: 1.0 });
        // Whatever μ, the known row keeps to the pile: both halve.
        let halved = labels(&marked, &NegativeSide::of(&marked), 0.5, 0.5);
        assert_eq!((halved[1].negative, halved[2].negative), (0.5, 0.5));
        // ½ ln 2 (1 - π) of the unbiased estimate and as much of the known row.
        let n = negative_risk(&[0.0; 4], &marked, &NegativeSide::of(&marked), 0.5);
        assert!((n - 0.5 * 2f64.ln()).abs() < 1e-12);
    }
}
