//! One column of numbers brought to mean 0 and deviation 1.

use serde::{Deserialize, Serialize};

/// Mean and spread of a column.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// The mean of the training rows.
    pub mean: f64,
    /// What a difference from the mean is divided by.
    pub scale: f64,
}

impl Scale {
    /// A column whose values are all the same, or that has none, keeps its unit.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let (mut n, mut sum, mut low, mut high) = (0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        for value in values.clone() {
            n += 1.0;
            sum += value;
            low = value.min(low);
            high = value.max(high);
        }
        if low >= high {
            return Scale { mean: if n > 0.0 { low } else { 0.0 }, scale: 1.0 };
        }
        let mean = sum / n;
        let deviation = (values.map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt();
        Scale { mean, scale: if deviation > 0.0 && deviation.is_finite() { deviation } else { 1.0 } }
    }

    /// The value in units of the spread, from the mean.
    pub fn apply(&self, value: f64) -> f64 {
        (value - self.mean) / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_deviation_by_hand() {
        let scale = Scale::of([1.0, 3.0, 5.0, 7.0].into_iter());
        assert_eq!((scale.mean, scale.scale), (4.0, 5f64.sqrt()));
        assert_eq!(scale.apply(4.0 + 2.0 * 5f64.sqrt()), 2.0);
    }

    #[test]
    fn equal_values_keep_their_unit_to_the_last_bit() {
        // The mean of three tenths, summed, is not a tenth, and a deviation of 1e-17 would not be zero.
        assert_eq!(Scale::of([0.1; 3].into_iter()), Scale { mean: 0.1, scale: 1.0 });
        assert_eq!(Scale::of(std::iter::empty()), Scale { mean: 0.0, scale: 1.0 });
    }
}
