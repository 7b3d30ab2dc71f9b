//! Platt's sigmoid: P(y = 1 | m) = 1 / (1 + exp(-(slope m + offset))), by maximum likelihood.
//!
//! The targets are drawn in a little, to (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2) (Platt 1999), and the likelihood is
//! maximised by Newton's method with step halving (Lin, Lin & Weng 2007). Fit it on out-of-fold margins: a
//! model's margins of its own training rows are too large.

use crate::decide::logistic;
use crate::error::{Error, Result};
use crate::model_file::{Reader, Writer};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platt {
    slope: f64,
    offset: f64,
}

impl Platt {
    /// A slope below zero would turn the ranking round: such margins teach nothing, and every row gets the
    /// share of positives.
    pub fn fit(margins: &[f64], positive: &[bool]) -> Self {
        let n_positive = positive.iter().filter(|p| **p).count() as f64;
        let n_negative = positive.len() as f64 - n_positive;
        let (high, low) = ((n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n_negative + 2.0));
        let targets: Vec<f64> = positive.iter().map(|&p| if p { high } else { low }).collect();
        Platt::fit_targets(margins, &targets)
    }

    /// The same for rows that are positive with the probability that `targets` gives.
    pub fn fit_targets(margins: &[f64], targets: &[f64]) -> Self {
        // Margins of unit size keep the Newton system well conditioned.
        let scale = margins.iter().fold(0.0f64, |a, m| a.max(m.abs())).max(f64::MIN_POSITIVE);
        let scaled: Vec<f64> = margins.iter().map(|m| m / scale).collect();
        let positive: f64 = targets.iter().sum();
        let base = ((positive + 1.0) / (targets.len() as f64 - positive + 1.0)).ln();
        let (slope, offset) = newton(&scaled, targets, base);
        if slope > 0.0 && slope.is_finite() && offset.is_finite() {
            Platt { slope: slope / scale, offset }
        } else {
            Platt { slope: 0.0, offset: base }
        }
    }

    pub fn save(&self, out: &mut Writer) {
        out.f64s("platt", &[2], &[self.slope, self.offset]);
    }

    pub fn load(file: &Reader) -> Result<Self> {
        match file.read_f64s("platt")?[..] {
            [slope, offset] => Ok(Platt { slope, offset }),
            _ => Err(Error::model_file("`platt` is not a slope and an offset")),
        }
    }

    pub fn probability(&self, margin: f64) -> f64 {
        logistic(self.log_odds(margin))
    }

    pub fn log_odds(&self, margin: f64) -> f64 {
        self.slope * margin + self.offset
    }
}

fn newton(margins: &[f64], targets: &[f64], base: f64) -> (f64, f64) {
    let loss = |slope: f64, offset: f64| -> f64 {
        let rows = margins.iter().zip(targets);
        rows.map(|(m, t)| {
            let z = slope * m + offset;
            // -t ln p - (1 - t) ln(1 - p) = ln(1 + e^-|z|) + max(z, 0) - t z
            (-z.abs()).exp().ln_1p() + z.max(0.0) - t * z
        })
        .sum()
    };
    let (mut slope, mut offset) = (0.0, base);
    let mut value = loss(slope, offset);
    for _ in 0..100 {
        let (mut g, mut h) = ([0.0; 2], [1e-12, 0.0, 1e-12]);
        for (m, t) in margins.iter().zip(targets) {
            let p = logistic(slope * m + offset);
            let curvature = p * (1.0 - p);
            g[0] += (p - t) * m;
            g[1] += p - t;
            h[0] += curvature * m * m;
            h[1] += curvature * m;
            h[2] += curvature;
        }
        let determinant = h[0] * h[2] - h[1] * h[1];
        let step = [-(h[2] * g[0] - h[1] * g[1]) / determinant, -(h[0] * g[1] - h[1] * g[0]) / determinant];
        let descent = g[0] * step[0] + g[1] * step[1];
        let worthwhile = descent < -1e-12 * (1.0 + value);
        if !worthwhile {
            break;
        }
        let mut length = 1.0;
        while length > 1e-10 {
            let next = loss(slope + length * step[0], offset + length * step[1]);
            if next < value + 1e-4 * length * descent {
                (slope, offset, value) = (slope + length * step[0], offset + length * step[1], next);
                break;
            }
            length *= 0.5;
        }
        if length <= 1e-10 {
            break;
        }
    }
    (slope, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_margins_by_hand() {
        // Two values of the margin and two parameters: both groups are fitted exactly.
        // At 1: 3 of 4 positive; at -2: 1 of 4. Targets 5/6 and 1/6: means (3·5 + 1)/24 = 2/3 and 1/3.
        let margins = [1.0, 1.0, 1.0, 1.0, -2.0, -2.0, -2.0, -2.0];
        let positive = [true, true, true, false, true, false, false, false];
        let platt = Platt::fit(&margins, &positive);
        assert!((platt.probability(1.0) - 2.0 / 3.0).abs() < 1e-9, "{platt:?}");
        assert!((platt.probability(-2.0) - 1.0 / 3.0).abs() < 1e-9, "{platt:?}");
    }

    #[test]
    fn a_ranking_the_wrong_way_round_is_not_believed() {
        let platt = Platt::fit(&[1.0, 2.0, -1.0, -2.0], &[false, false, true, false]);
        assert_eq!(platt.probability(-100.0), platt.probability(100.0));
    }

    #[test]
    fn separated_and_constant_margins_stay_finite() {
        for margins in [[1e6, 1e6, -1e6, -1e6], [0.0; 4]] {
            let platt = Platt::fit(&margins, &[true, true, false, false]);
            let p: Vec<f64> = margins.iter().map(|m| platt.probability(*m)).collect();
            assert!(p.iter().all(|p| p.is_finite()) && p[0] >= p[2], "{p:?}");
        }
    }
}
