//! How dense positives stand along a ranking, beside the rows of the pile, whose ranks are uniform.
//!
//! The density falls with the rank, so its estimate is Grenander's: the slopes of the least concave curve above the
//! recall curve. Beyond the last hidden positive it would be 0; one positive more than were hidden, which may stand
//! anywhere (Laplace), keeps it from that. The kernel of `dedpul` would not do: it is wide, to keep the prior from being
//! misled, and blurs where the class ends.

use super::ranks::Ranks;
use crate::parts::isotonic::rising;

/// ρ = f_P / f_U in segments of the ranking, best first; it falls, and its mean over the pile is 1.
pub struct RankDensity {
    /// Where segments begin and end: from 0 to 1.
    edges: Vec<f64>,
    ratio: Vec<f64>,
}

/// Where no factor makes probabilities with the mean that is asked for.
const MOST: f64 = 1e12;

impl RankDensity {
    /// From where hidden positives stand.
    pub fn of(ranks: &Ranks) -> Self {
        let mut edges = vec![0.0];
        let mut gained = Vec::new();
        let mut reached = 0.0;
        for (rank, recall) in ranks.recall_curve() {
            edges.push(rank.min(1.0));
            gained.push(recall - reached);
            reached = recall;
        }
        if edges.last().is_some_and(|last| *last < 1.0) {
            edges.push(1.0);
            gained.push(0.0);
        }
        let widths: Vec<f64> = edges.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let backwards = |values: &mut dyn Iterator<Item = f64>| {
            let mut values: Vec<f64> = values.collect();
            values.reverse();
            values
        };
        let slopes = backwards(&mut gained.iter().zip(&widths).map(|(gain, width)| gain / width));
        let falling = rising(&slopes, &backwards(&mut widths.iter().copied()));
        let n = ranks.positives() as f64;
        let mut density = RankDensity { edges: vec![0.0], ratio: Vec::new() };
        for (slope, edge) in falling.into_iter().rev().zip(&edges[1..]) {
            let ratio = (n * slope + 1.0) / (n + 1.0);
            // Slopes that rounding alone tells apart are one.
            match density.ratio.last() {
                Some(last) if last - ratio <= 1e-9 * last => {
                    *density.edges.last_mut().expect("an edge") = *edge
                }
                _ => {
                    density.edges.push(*edge);
                    density.ratio.push(ratio);
                }
            }
        }
        density
    }

    /// The mean over the pile of min(1, a ρ).
    fn explained(&self, a: f64) -> f64 {
        let widths = self.edges.windows(2).map(|pair| pair[1] - pair[0]);
        widths.zip(&self.ratio).map(|(width, ratio)| width * (a * ratio).min(1.0)).sum()
    }

    /// The probability min(1, a ρ) in each segment, with the a that makes its mean over the pile the prior.
    pub fn posterior(&self, prior: f64) -> Vec<f64> {
        let (mut low, mut high) = (0.0, prior);
        // What exceeds 1 is missing elsewhere: a is the prior or more.
        while self.explained(high) < prior && high < MOST {
            (low, high) = (high, 2.0 * high);
        }
        while high - low > 1e-12 * high {
            let middle = 0.5 * (low + high);
            if self.explained(middle) < prior { low = middle } else { high = middle }
        }
        self.ratio.iter().map(|ratio| (high * ratio).min(1.0)).collect()
    }

    /// The segment in which a rank falls.
    pub fn segment(&self, rank: f64) -> usize {
        self.edges[1..].partition_point(|edge| *edge < rank).min(self.ratio.len() - 1)
    }

    /// The mean over the pile of what stands in the segments, as far as this rank.
    pub fn sum_to(&self, rank: f64, of_segments: &[f64]) -> f64 {
        let last = self.segment(rank);
        let widths = self.edges.windows(2).map(|pair| pair[1] - pair[0]);
        let before: f64 = widths.zip(of_segments).take(last).map(|(width, value)| width * value).sum();
        before + (rank - self.edges[last]) * of_segments[last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_of_the_curve_above() {
        // Recall 1/2 at .1, 3/4 at .5, 1 at .6: the second and third slope are one, .5 / .5.
        let ranks = Ranks::of_shares(vec![0.05, 0.1, 0.5, 0.6], 1000);
        let density = RankDensity::of(&ranks);
        let laplace = |slope: f64| (4.0 * slope + 1.0) / 5.0;
        assert_eq!(density.edges, [0.0, 0.1, 0.6, 1.0]);
        for (ratio, slope) in density.ratio.iter().zip([5.0, 1.0, 0.0]) {
            assert!((ratio - laplace(slope)).abs() < 1e-12, "{ratio} and {}", laplace(slope));
        }
        assert!((density.sum_to(1.0, &density.ratio) - 1.0).abs() < 1e-12);
        for prior in [1e-6, 0.1, 0.5, 0.99, 1.0] {
            let posterior = density.posterior(prior);
            assert!((density.sum_to(1.0, &posterior) - prior).abs() < 1e-9, "{prior}");
            assert!(posterior.iter().all(|p| (0.0..=1.0).contains(p)));
        }
    }

    #[test]
    fn positives_spread_as_the_pile_is_stand_as_dense() {
        let ranks = Ranks::of_counts((0..1000).map(|i| 5 + 10 * i), 10_000);
        let density = RankDensity::of(&ranks);
        // The first stands half a step from the top, and none on the last rows.
        assert!(
            density.ratio.len() == 3 && (density.ratio[1] - 1.0).abs() < 1e-9,
            "{:?}",
            density.ratio.len()
        );
    }
}
