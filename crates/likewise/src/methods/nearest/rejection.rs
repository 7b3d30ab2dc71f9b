//! The threshold that a given share of the positives would miss.

/// The similarity below which a share `reject` of the positives lies, interpolated between neighbours.
/// A hair is left for rounding, so that a copy of the last accepted positive is accepted too.
pub fn threshold(mut similarities: Vec<f64>, reject: f64) -> f64 {
    similarities.sort_by(f64::total_cmp);
    let at = reject * (similarities.len() - 1) as f64;
    let (below, rest) = (at.floor() as usize, at.fract());
    let above = (below + 1).min(similarities.len() - 1);
    similarities[below] + rest * (similarities[above] - similarities[below]) - 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpolates_between_the_positives() {
        let found = threshold(vec![0.9, 0.1, 0.5], 0.25);
        assert!((found - 0.3).abs() < 1e-8, "{found}");
        assert!(threshold(vec![1.0], 0.5) < 1.0);
    }
}
