//! Isotonic regression: the rising sequence nearest to the given one.

/// Pools adjacent violators: minimises Σ weight (value - fit)² over all fits that never fall.
/// Neighbours that are pooled take their weighted mean; a pool without weight takes the plain mean.
pub fn rising(values: &[f64], weights: &[f64]) -> Vec<f64> {
    struct Pool {
        mean: f64,
        weight: f64,
        members: usize,
    }
    let mut pools: Vec<Pool> = Vec::new();
    for (value, weight) in values.iter().zip(weights) {
        let mut last = Pool { mean: *value, weight: *weight, members: 1 };
        while let Some(before) = pools.pop_if(|before| before.mean > last.mean) {
            let weight = before.weight + last.weight;
            let share = if weight > 0.0 {
                last.weight / weight
            } else {
                last.members as f64 / (last.members + before.members) as f64
            };
            last = Pool {
                mean: before.mean + share * (last.mean - before.mean),
                weight,
                members: before.members + last.members,
            };
        }
        pools.push(last);
    }
    pools.iter().flat_map(|pool| std::iter::repeat_n(pool.mean, pool.members)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pools_by_hand() {
        assert_eq!(rising(&[1.0, 3.0, 2.0, 4.0], &[1.0; 4]), [1.0, 2.5, 2.5, 4.0]);
        assert_eq!(rising(&[3.0, 1.0], &[3.0, 1.0]), [2.5, 2.5]);
        assert_eq!(rising(&[2.0, 1.0], &[0.0, 0.0]), [1.5, 1.5]);
    }

    proptest! {
        #[test]
        fn never_falls_and_keeps_the_mean(values in prop::collection::vec(-5.0f64..5.0, 1..40)) {
            let fit = rising(&values, &vec![1.0; values.len()]);
            prop_assert!(fit.windows(2).all(|w| w[0] <= w[1] + 1e-12));
            let (a, b): (f64, f64) = (values.iter().sum(), fit.iter().sum());
            prop_assert!((a - b).abs() < 1e-9);
        }
    }
}
