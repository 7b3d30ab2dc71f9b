//! Wilson's interval of a share: where the share itself may lie of which so many rows show this one.

/// How many standard deviations hold 95 % under the normal curve.
pub const OF_95_PERCENT: f64 = 1.96;

/// The interval of a share of so many rows, which need not be a whole number.
pub fn wilson(share: f64, rows: f64, deviations: f64) -> (f64, f64) {
    let z = deviations;
    let shrink = 1.0 + z * z / rows;
    let middle = (share + z * z / (2.0 * rows)) / shrink;
    let half = z / shrink * (share * (1.0 - share) / rows + z * z / (4.0 * rows * rows)).max(0.0).sqrt();
    ((middle - half).clamp(0.0, share), (middle + half).clamp(share, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_by_hand() {
        // 5 of 20 at z = 2: (0.25 + 0.1 ± 2 sqrt(0.009375 + 0.0025)) / 1.2.
        let (low, high) = wilson(0.25, 20.0, 2.0);
        assert!((low - 0.110_045).abs() < 1e-6 && (high - 0.473_288).abs() < 1e-6, "{low} {high}");
        assert_eq!((wilson(0.0, 10.0, 2.0).0, wilson(1.0, 10.0, 2.0).1), (0.0, 1.0));
    }
}
