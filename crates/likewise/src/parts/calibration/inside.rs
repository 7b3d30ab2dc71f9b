//! What a one-class boundary can say: how many of the positives are less typical than this row.
//!
//! Without negatives there is no probability of the class. But the margins of held-out positives say what
//! share F(m) of the class lies at or below a margin m; `recenter` then puts the boundary m = 0 at one half:
//! 0 is outside all positives, 1 is deeper inside than any, and 0.75 is deeper than half of those inside.

use crate::decide::recenter;
use crate::error::Result;
use crate::model_file::{Reader, Writer};

#[derive(Clone, Debug, PartialEq)]
pub struct InsideShare {
    /// Distinct margins of held-out positives, ascending, and the share of positives at or below each.
    knots: Vec<(f64, f64)>,
}

impl InsideShare {
    pub fn fit(margins: &[f64]) -> Self {
        let mut sorted: Vec<f64> = margins.to_vec();
        sorted.sort_by(f64::total_cmp);
        let mut knots: Vec<(f64, f64)> = Vec::new();
        for (k, &margin) in sorted.iter().enumerate() {
            let share = (k + 1) as f64 / (sorted.len() + 1) as f64;
            match knots.last_mut() {
                Some(last) if last.0 == margin => last.1 = share,
                _ => knots.push((margin, share)),
            }
        }
        InsideShare { knots }
    }

    /// The share of positives at or below a margin, strictly increasing: straight between the knots, and
    /// towards 0 and 1 outside them at the pace of their spread.
    fn share(&self, margin: f64) -> f64 {
        let (Some(&(first, low)), Some(&(last, high))) = (self.knots.first(), self.knots.last()) else {
            return 0.5;
        };
        let spread = if last > first { last - first } else { first.abs().max(1.0) };
        if margin < first {
            return low / (1.0 + (first - margin) / spread);
        }
        if margin >= last {
            return 1.0 - (1.0 - high) / (1.0 + (margin - last) / spread);
        }
        let above = self.knots.partition_point(|(m, _)| *m <= margin);
        let ((m0, s0), (m1, s1)) = (self.knots[above - 1], self.knots[above]);
        s0 + (s1 - s0) * (margin - m0) / (m1 - m0)
    }

    pub fn save(&self, out: &mut Writer) {
        let (margins, shares): (Vec<f64>, Vec<f64>) = self.knots.iter().copied().unzip();
        out.f64s("inside.margins", &[margins.len()], &margins);
        out.f64s("inside.shares", &[shares.len()], &shares);
    }

    pub fn load(file: &Reader) -> Result<Self> {
        let margins = file.read_f64s("inside.margins")?.into_iter();
        Ok(InsideShare { knots: margins.zip(file.read_f64s("inside.shares")?).collect() })
    }

    pub fn score(&self, margin: f64) -> f64 {
        recenter(self.share(margin), self.share(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn four_positives_by_hand() {
        // Shares 0.2, 0.4, 0.6, 0.8 at -1, 1, 2, 3; the boundary 0 lies half-way between the first two: 0.3.
        let inside = InsideShare::fit(&[3.0, -1.0, 2.0, 1.0]);
        assert_eq!(inside.score(0.0), 0.5);
        assert!((inside.score(2.0) - (0.5 + 0.5 * (0.6 - 0.3) / 0.7)).abs() < 1e-12);
        assert!((inside.score(-1.0) - 0.5 * 0.2 / 0.3).abs() < 1e-12);
        assert!(inside.score(-1e9) < 1e-6 && inside.score(1e9) > 1.0 - 1e-6);
    }

    proptest! {
        #[test]
        fn larger_margins_never_score_less(
            margins in prop::collection::vec(-5.0f64..5.0, 1..20),
            a in -20.0f64..20.0,
            b in -20.0f64..20.0,
        ) {
            let inside = InsideShare::fit(&margins);
            let (low, high) = (inside.score(a.min(b)), inside.score(a.max(b)));
            prop_assert!(low <= high && low >= 0.0 && high <= 1.0);
            prop_assert_eq!(inside.score(0.0), 0.5);
        }
    }
}
