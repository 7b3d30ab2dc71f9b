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

use super::linear::logistic::SoftLabel;

/// Soft labels that make the logistic solver minimise n (π E_P[ℓ] + μ N), n the rows, but no more of them than make a
/// positive weigh 20, as in a balanced fit (`even_weight`): a larger pile does not make the positives tell more.
pub fn labels(positive: &[bool], prior: f64, mu: f64) -> Vec<SoftLabel> {
    let labelled = positive.iter().filter(|p| **p).count() as f64;
    let pile = positive.len() as f64 - labelled;
    let n = (labelled + pile).min(MOST_A_POSITIVE * labelled / prior);
    let (of_positive, of_pile) = (n * prior / labelled, n / pile);
    positive
        .iter()
        .map(|&p| match p {
            true => SoftLabel { positive: of_positive, negative: -mu * of_positive },
            false => SoftLabel { positive: 0.0, negative: mu * of_pile },
        })
        .collect()
}

const MOST_A_POSITIVE: f64 = 20.0;

/// N(f) from margins: what the unbiased risk takes for the risk on negatives; below 0 it is overfitted.
pub fn negative_risk(margins: &[f64], positive: &[bool], prior: f64) -> f64 {
    let mean_loss = |wanted: bool| {
        let losses = margins.iter().zip(positive).filter(|(_, p)| **p == wanted).map(|(m, _)| {
            // ℓ(-m) = ln(1 + e^m)
            m.max(0.0) + (-m.abs()).exp().ln_1p()
        });
        let (sum, count) = losses.fold((0.0, 0), |(sum, count), loss| (sum + loss, count + 1));
        sum / f64::from(count)
    };
    mean_loss(false) - prior * mean_loss(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // One positive and three pile rows, π = 0.5: the positive weighs 4 · 0.5, a pile row 4/3.
        let labels = labels(&[true, false, false, false], 0.5, 1.0);
        assert_eq!(labels[0], SoftLabel { positive: 2.0, negative: -2.0 });
        assert!((labels[1].negative - 4.0 / 3.0).abs() < 1e-12);
        // At margin 0 every loss is ln 2: N = ln 2 (1 - π).
        let n = negative_risk(&[0.0; 4], &[true, false, false, false], 0.5);
        assert!((n - 0.5 * 2f64.ln()).abs() < 1e-12);
    }
}
