//! Weights that are at least 0 and sum to 1.

/// Moves `weights` to the nearest point of the simplex: min |w - v|² s.t. w ≥ 0, Σ w = 1.
///
/// The solution is w = max(v - θ, 0); θ follows from the sorted values (Held, Wolfe & Crowder 1974).
pub fn project(weights: &mut [f64]) {
    let mut sorted = weights.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut theta) = (0.0, 0.0);
    for (i, value) in sorted.iter().enumerate() {
        sum += value;
        let candidate = (sum - 1.0) / (i + 1) as f64;
        if *value > candidate {
            theta = candidate;
        }
    }
    weights.iter_mut().for_each(|w| *w = (*w - theta).max(0.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_weights_by_hand() {
        let mut w = [0.8, 0.6];
        project(&mut w); // theta = 0.2
        assert!((w[0] - 0.6).abs() < 1e-15 && (w[1] - 0.4).abs() < 1e-15);
        let mut w = [2.0, 0.5];
        project(&mut w);
        assert_eq!(w, [1.0, 0.0]);
    }

    proptest! {
        #[test]
        fn no_point_of_the_simplex_is_nearer(v in prop::collection::vec(-2.0f64..2.0, 1..9), other in prop::collection::vec(0.01f64..1.0, 9)) {
            let mut w = v.clone();
            project(&mut w);
            prop_assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-12 && w.iter().all(|x| *x >= 0.0));
            let total: f64 = other[..v.len()].iter().sum();
            let distance = |p: &[f64]| p.iter().zip(&v).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            let other: Vec<f64> = other[..v.len()].iter().map(|x| x / total).collect();
            prop_assert!(distance(&w) <= distance(&other) + 1e-12);
        }
    }
}
