//! How much each block counts in a mean of ranks: Fisher's discriminant between hidden positives and pile.
//!
//! ```text
//! w = Σ⁻¹ (μ₊ − μ),    Σ = ½ (S + (n S₊ + S) / (n + 1))
//! ```
//!
//! over the logarithmic ranks that the blocks give: μ₊ and S₊ are mean and covariance of the n hidden positives, μ and S
//! those of the pile, which also stands in for one more positive, so that a few of them that lie close together are not
//! taken for certain. Of the covariance of two blocks half counts (Friedman 1989, Regularized discriminant analysis): a
//! few positives tell least of it, and of blocks that all tell the class perfectly none should be silenced by rounding.
//! No weight is negative: a block that ranks the class last by chance is left out.

use super::voices::MOST_WEIGHT;

/// How much of what two blocks share is believed.
const SHARED: f64 = 0.5;

/// How far hidden positives stand from the pile, and how both scatter, under every view.
pub struct Apart {
    gains: Vec<f64>,
    spread: Vec<Vec<f64>>,
}

impl Apart {
    /// `pile[v]` and `hidden[v]` are the logarithmic ranks under view v, of the same rows for all views.
    pub fn of(pile: &[Vec<f64>], hidden: &[Vec<f64>]) -> Self {
        let mean = |values: &Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let means = |of: &[Vec<f64>]| of.iter().map(mean).collect::<Vec<f64>>();
        let (of_pile, of_hidden) = (means(pile), means(hidden));
        let covariance = |of: &[Vec<f64>], means: &[f64], a: usize, b: usize| {
            let products = of[a].iter().zip(&of[b]).map(|(x, y)| (x - means[a]) * (y - means[b]));
            products.sum::<f64>() / of[a].len().max(1) as f64
        };
        let n = hidden.first().map_or(0, Vec::len) as f64;
        let spread = |a: usize, b: usize| {
            let (own, theirs) = (covariance(hidden, &of_hidden, a, b), covariance(pile, &of_pile, a, b));
            0.5 * (theirs + (n * own + theirs) / (n + 1.0))
        };
        let views = 0..pile.len();
        Apart {
            gains: of_hidden.iter().zip(&of_pile).map(|(hidden, pile)| hidden - pile).collect(),
            spread: views.clone().map(|a| views.clone().map(|b| spread(a, b)).collect()).collect(),
        }
    }

    /// The weights of these views beside each other; all alike where none of them tells anything.
    pub fn weights(&self, views: &[usize]) -> Vec<u32> {
        let mut kept = views.to_vec();
        let found = loop {
            let found = self.solve(&kept);
            match (0..kept.len()).min_by(|&a, &b| found[a].total_cmp(&found[b])) {
                Some(least) if found[least] < 0.0 => kept.remove(least),
                _ => break found,
            };
        };
        let most = found.iter().copied().fold(0.0, f64::max);
        let weight = |view: &usize| {
            let own = kept.iter().position(|other| other == view).map_or(0.0, |at| found[at]);
            // What was asked for keeps a say.
            (f64::from(MOST_WEIGHT) * own / most).round().max(1.0) as u32
        };
        if most > 0.0 { views.iter().map(weight).collect() } else { vec![1; views.len()] }
    }

    /// Σ w = gains over these views; 0 for one that does not scatter.
    fn solve(&self, views: &[usize]) -> Vec<f64> {
        let n = views.len();
        let between = |a: usize, b: usize| self.spread[a][b] * if a == b { 1.0 } else { SHARED };
        let mut rows: Vec<Vec<f64>> = (views.iter())
            .map(|&a| views.iter().map(|&b| between(a, b)).chain([self.gains[a]]).collect())
            .collect();
        for pivot in 0..n {
            let own = rows[pivot].clone();
            // What is left of a view's scatter after the others: rounding where it repeats them.
            if own[pivot] <= 1e-9 * self.spread[views[pivot]][views[pivot]] {
                rows[pivot] = (0..=n).map(|column| if column == pivot { 1.0 } else { 0.0 }).collect();
                continue;
            }
            for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != pivot) {
                let factor = row[pivot] / own[pivot];
                row.iter_mut().zip(&own).for_each(|(value, own)| *value -= factor * own);
            }
        }
        (0..n).map(|k| rows[k][n] / rows[k][k]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Views of made-up moments.
    fn apart(gains: [f64; 2], between: f64) -> Apart {
        Apart { gains: gains.to_vec(), spread: vec![vec![1.0, between], vec![between, 1.0]] }
    }

    #[test]
    fn by_hand() {
        // Views that err apart count by their gains.
        assert_eq!(apart([2.0, 1.0], 0.0).weights(&[0, 1]), [100, 50]);
        // w ∝ (2 - ¼, 1 - ¼ · 2): half of what the second says the first has said.
        assert_eq!(apart([2.0, 1.0], 0.5).weights(&[0, 1]), [100, 29]);
        assert_eq!(apart([2.0, -1.0], 0.0).weights(&[0, 1]), [100, 1]);
        assert_eq!(apart([-2.0, -1.0], 0.0).weights(&[0, 1]), [1, 1]);
        assert_eq!(apart([2.0, 2.0], 1.0).weights(&[0, 1]), [100, 100]);
        assert_eq!(apart([2.0, 1.0], 0.0).weights(&[1]), [100]);
    }

    #[test]
    fn moments_by_hand() {
        let pile = [vec![0.0, 2.0], vec![0.0, 2.0]];
        let hidden = [vec![3.0, 5.0], vec![4.0, 2.0]];
        let apart = Apart::of(&pile, &hidden);
        assert_eq!(apart.gains, [3.0, 2.0]);
        // Both scatter by 1 everywhere; together by 1 in the pile and by -1 among the two hidden: ½ (1 + (2 · -1 + 1) / 3).
        assert!((apart.spread[0][0] - 1.0).abs() < 1e-12 && (apart.spread[0][1] - 1.0 / 3.0).abs() < 1e-12);
    }
}
