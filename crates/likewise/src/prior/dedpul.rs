//! DEDPUL (Ivanov 2020) on ranks: density of the positives over density of the pile.
//!
//! With ρ = f_P/f_U along the ranking, a row is positive with probability min(1, π ρ), and the mean of
//! that over the pile must be π again. Below the true π the pile explains everything: the equation holds
//! for every smaller value, so the answer is the largest that fulfils it.
//!
//! The ranks of the pile are uniform, so on x = -ln(rank) the pile is known exactly (exponential); only
//! the positives need a kernel. ρ must rise with x, which isotonic regression enforces. Low by nature
//! where the top of the ranking is noisy: the median with estimators that are high takes care of it.

use super::ranks::Ranks;
use crate::parts::isotonic::rising;

/// How far the mean posterior may fall short of π.
const TOLERANCE: f64 = 1e-3;
const BINS: usize = 512;

/// The estimate from the ratio of densities.
pub fn dedpul(ranks: &Ranks) -> f64 {
    let (pile, ratio) = density_ratio(ranks);
    let shortfall = |a: f64| a - pile.iter().zip(&ratio).map(|(u, r)| u * (a * r).min(1.0)).sum::<f64>();
    // The shortfall is zero at a = 0, convex and never falls: bisection finds where it leaves the tolerance.
    let (mut low, mut high) = (0.0, 1.0);
    if shortfall(high) <= TOLERANCE {
        return high;
    }
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if shortfall(middle) <= TOLERANCE { low = middle } else { high = middle }
    }
    low
}

/// The mass of the pile in each bin of x = -ln(rank), and ρ there, rising, with mean 1 over the pile.
fn density_ratio(ranks: &Ranks) -> (Vec<f64>, Vec<f64>) {
    let x: Vec<f64> = ranks.shares().iter().map(|r| -r.ln()).collect();
    let width = (2.0 * ranks.pile() as f64).ln() / BINS as f64;
    let mut positives = vec![0.0; BINS];
    for x in &x {
        positives[((x / width) as usize).min(BINS - 1)] += 1.0;
    }
    let edge = |bin: usize| if bin == BINS { 0.0 } else { (-(bin as f64) * width).exp() };
    let pile: Vec<f64> = (0..BINS).map(|bin| edge(bin) - edge(bin + 1)).collect();
    let kernel = Kernel::new(bandwidth(&x) / width);
    let (f_p, f_u) = (kernel.smooth(&positives), kernel.smooth(&pile));
    let raw: Vec<f64> = f_p.iter().zip(&f_u).map(|(p, u)| p / u.max(f64::MIN_POSITIVE)).collect();
    let mut ratio = rising(&raw, &pile);
    let mean: f64 = pile.iter().zip(&ratio).map(|(u, r)| u * r).sum();
    ratio.iter_mut().for_each(|r| *r /= mean);
    (pile, ratio)
}

/// Twice Silverman's rule: the ratio of two densities needs more smoothing than either.
fn bandwidth(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let deviation = (x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
    let mut sorted = x.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quartile = |share: f64| sorted[((n - 1.0) * share).round() as usize];
    let spread = match (quartile(0.75) - quartile(0.25)) / 1.34 {
        range if range > 0.0 => range.min(deviation),
        _ => deviation,
    };
    1.8 * spread * n.powf(-0.2)
}

/// A Gaussian over bins, mirrored at both ends so that no mass leaves.
struct Kernel {
    weights: Vec<f64>,
}

impl Kernel {
    fn new(deviation: f64) -> Self {
        let deviation = deviation.max(0.5);
        let reach = ((4.0 * deviation).ceil() as usize).min(BINS - 1);
        let weights = (0..=reach).map(|d| (-0.5 * (d as f64 / deviation).powi(2)).exp()).collect();
        Kernel { weights }
    }

    fn smooth(&self, mass: &[f64]) -> Vec<f64> {
        let bins = mass.len() as isize;
        let mirror = |bin: isize| {
            let bin = if bin < 0 { -1 - bin } else { bin };
            (if bin >= bins { 2 * bins - 1 - bin } else { bin }) as usize
        };
        let mut out = vec![0.0; mass.len()];
        for (bin, mass) in mass.iter().enumerate().filter(|(_, m)| **m > 0.0) {
            for (d, weight) in self.weights.iter().enumerate() {
                let (bin, d) = (bin as isize, d as isize);
                out[mirror(bin + d)] += weight * mass;
                if d > 0 {
                    out[mirror(bin - d)] += weight * mass;
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_keeps_the_mass_within_the_bins() {
        let kernel = Kernel::new(40.0);
        let whole: f64 = kernel.weights[0] + 2.0 * kernel.weights[1..].iter().sum::<f64>();
        for at in [0, 3, BINS - 1] {
            let mut mass = vec![0.0; BINS];
            mass[at] = 1.0;
            assert!((kernel.smooth(&mass).iter().sum::<f64>() - whole).abs() < 1e-9 * whole);
        }
    }

    #[test]
    fn finds_a_clean_split_and_no_split() {
        // All positives evenly within the best 20 % of the pile: π = 0.2.
        let split = Ranks::of_counts((0..1000).map(|i| 1 + 2 * i), 10_000);
        assert!((dedpul(&split) - 0.2).abs() < 0.03, "{}", dedpul(&split));
        // Positives spread as the pile is: all of it may be positive.
        let none = Ranks::of_counts((0..1000).map(|i| 5 + 10 * i), 10_000);
        assert!(dedpul(&none) > 0.9, "{}", dedpul(&none));
    }
}
