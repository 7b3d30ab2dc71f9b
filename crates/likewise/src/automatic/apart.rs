//! How much each block counts in a mean of ranks, and how long it is beside the others in joined rows: Fisher's
//! discriminant between hidden positives and pile.
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
//!
//! A block that is short in the joined rows has no say in who is whose neighbour, so lengths rest on what is more than
//! chance: there the gains g = μ₊ - μ are drawn to their mean (James & Stein 1961, its positive part),
//!
//! ```text
//! g_v ← ḡ + max(0, 1 - Σ_v e_v² / Σ_v (g_v - ḡ)²) (g_v - ḡ),    e_v: standard error of g_v - ḡ
//! ```

use super::voices::MOST_WEIGHT;

/// How much of what two blocks share is believed.
const SHARED: f64 = 0.5;

/// How far hidden positives stand from the pile, and how both scatter, under every view.
pub struct Apart {
    gains: Vec<f64>,
    spread: Vec<Vec<f64>>,
    /// Σ e_v²: what chance adds to the squares of the gains' deviations.
    chance: f64,
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
            chance: chance(hidden),
        }
    }

    /// How long all views are to be beside each other where their rows are joined.
    pub fn lengths(&self) -> Vec<u32> {
        let mean = self.gains.iter().sum::<f64>() / self.gains.len() as f64;
        let squares: f64 = self.gains.iter().map(|gain| (gain - mean).powi(2)).sum();
        let kept = if squares > self.chance { 1.0 - self.chance / squares } else { 0.0 };
        let gains = self.gains.iter().map(|gain| mean + kept * (gain - mean)).collect();
        let views: Vec<usize> = (0..self.gains.len()).collect();
        Apart { gains, spread: self.spread.clone(), chance: 0.0 }.weights(&views)
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

/// Σ e_v² over the views, from how the ranks of the same positives differ between them.
fn chance(hidden: &[Vec<f64>]) -> f64 {
    let n = hidden.first().map_or(0, Vec::len);
    let views = hidden.len() as f64;
    let means: Vec<f64> = (0..n).map(|i| hidden.iter().map(|own| own[i]).sum::<f64>() / views).collect();
    let square_of_error = |own: &Vec<f64>| {
        let beside: Vec<f64> = own.iter().zip(&means).map(|(own, mean)| own - mean).collect();
        let mean = beside.iter().sum::<f64>() / n as f64;
        let squares: f64 = beside.iter().map(|x| (x - mean).powi(2)).sum();
        squares / (n * n.saturating_sub(1)).max(1) as f64
    };
    hidden.iter().map(square_of_error).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Views of made-up moments.
    fn apart(gains: [f64; 2], between: f64) -> Apart {
        Apart { gains: gains.to_vec(), spread: vec![vec![1.0, between], vec![between, 1.0]], chance: 0.0 }
    }

    #[test]
    fn lengths_leave_out_what_may_be_chance() {
        let lengths = |chance: f64| Apart { chance, ..apart([2.0, 1.0], 0.0) }.lengths();
        // The squares of the deviations ±½ are ½ together; with half of it by chance the gains are 1.75 and 1.25.
        assert_eq!(
            [lengths(0.0), lengths(0.25), lengths(0.5), lengths(9.0)],
            [[100, 50], [100, 71], [100, 100], [100, 100]]
        );
        // Beside their mean the first view's ranks are ½ and -½, the second's the opposite: e² = ½ / (2 · 1) each.
        assert_eq!(chance(&[vec![3.0, 5.0], vec![2.0, 6.0]]), 0.5);
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
