//! Where rows stand among those that were learned from: shares of the pile, counted in bins of bounded number.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A score ladder: scores that given shares of the pile reach, best first. New scores are told by the steps between which
/// they lie, so a stream of any length is a list of counts, and counts of parts add up to those of the whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// Descending; `scores[j]` is reached by the share `shares[j]` of the pile.
    scores: Vec<f64>,
    shares: Vec<f64>,
    /// For each step, the share of the pile above its score, and at or above it.
    ties: Vec<[f64; 2]>,
}

/// Steps of the ladder; their shares are the cubes of equal steps, so that they are closest near the top.
const STEPS: u32 = 128;
/// A step needs so many rows above it.
const LEAST_ROWS: f64 = 2.0;

/// The shares at which ladders of piles of so many rows have their steps.
pub fn shares(rows: usize, cut: f64) -> Vec<f64> {
    let cubes = (1..STEPS).map(|k| (f64::from(k) / f64::from(STEPS)).powi(3));
    let mut shares: Vec<f64> =
        cubes.chain([cut]).filter(|q| *q < 1.0 && q * rows as f64 >= LEAST_ROWS).collect();
    shares.sort_by(f64::total_cmp);
    shares.dedup();
    shares
}

impl Ladder {
    /// The ladder of these scores with steps at these ascending shares.
    pub fn of(scores: &[f64], shares: &[f64]) -> Self {
        let mut sorted = scores.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let n = sorted.len() as f64;
        let mut ladder = Ladder { scores: Vec::new(), shares: Vec::new(), ties: Vec::new() };
        for &share in shares {
            let Some(at) = ((share * n).round() as usize).checked_sub(1) else { continue };
            let Some(&score) = sorted.get(at) else { continue };
            let above = sorted.partition_point(|s| *s > score) as f64 / n;
            let with = sorted.partition_point(|s| *s >= score) as f64 / n;
            ladder.scores.push(score);
            ladder.shares.push(share);
            ladder.ties.push([above, with]);
        }
        ladder
    }

    /// The shares of the steps, ascending.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The scores of the steps, descending.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// No row yet.
    pub fn counts(&self) -> LadderCounts {
        LadderCounts { rows: 0, units: vec![0; self.scores.len() + 1] }
    }

    /// Adds rows. One whose score many rows of the pile share stands anywhere among these, so it counts for each of the
    /// bins that they fill by the part that they fill.
    pub fn add(&self, counts: &mut LadderCounts, scores: &[f64]) {
        counts.rows += scores.len() as u64;
        for score in scores {
            let first = self.scores.partition_point(|step| step > score);
            if self.scores.get(first) != Some(score) {
                counts.units[first] += UNIT;
                continue;
            }
            let [above, with] = self.ties[first];
            let mut left = UNIT;
            let mut from = above;
            for (bin, units) in counts.units.iter_mut().enumerate().skip(first) {
                let end = self.shares.get(bin).copied().unwrap_or(1.0);
                if end >= with || bin == self.scores.len() {
                    *units += left;
                    break;
                }
                let part = (end - from).max(0.0) / (with - above).max(f64::MIN_POSITIVE);
                let part = ((part * UNIT as f64) as u64).min(left);
                *units += part;
                left -= part;
                from = from.max(end);
            }
        }
    }

    /// Refuses a damaged one.
    pub fn check(&self) -> Result<()> {
        let n = self.scores.len();
        let falls = self.scores.windows(2).all(|pair| pair[0] >= pair[1]);
        let rises = self.shares.windows(2).all(|pair| pair[0] < pair[1]);
        let within = self.shares.iter().chain(self.ties.iter().flatten()).all(|q| (0.0..=1.0).contains(q));
        let whole = self.shares.len() == n && self.ties.len() == n && n > 0;
        if whole && falls && rises && within && self.scores.iter().all(|score| score.is_finite()) {
            return Ok(());
        }
        Err(Error::model_file("what it was learned from is not told in order"))
    }
}

/// One row in the counts of a ladder, so that it can be shared out among bins and sums stay exact.
const UNIT: u64 = 1 << 16;

/// How many rows stand in each bin of a ladder, best first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LadderCounts {
    /// How many rows.
    pub rows: u64,
    units: Vec<u64>,
}

impl LadderCounts {
    /// Adds those of another part.
    pub fn merge(&mut self, other: &LadderCounts) {
        self.rows += other.rows;
        self.units.iter_mut().zip(&other.units).for_each(|(sum, more)| *sum += more);
    }

    /// The share of rows in each bin.
    pub fn parts(&self) -> Vec<f64> {
        let all = (self.rows * UNIT).max(1) as f64;
        self.units.iter().map(|units| *units as f64 / all).collect()
    }

    /// The share of rows that reach each step.
    pub fn reached(&self) -> Vec<f64> {
        reached(&self.parts())
    }

    /// Refuses a damaged one.
    pub fn check(&self, ladder: &Ladder) -> Result<()> {
        let sum = self.units.iter().try_fold(0u64, |sum, units| sum.checked_add(*units));
        if self.units.len() == ladder.scores.len() + 1 && sum.is_some() && sum == self.rows.checked_mul(UNIT)
        {
            return Ok(());
        }
        Err(Error::model_file("counts of what it was learned from do not add up"))
    }
}

/// The share that reaches each step, from the shares in the bins; the last bin lies below all steps.
pub fn reached(parts: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let add = |part: &f64| {
        sum += part;
        f64::min(sum, 1.0)
    };
    parts[..parts.len().saturating_sub(1)].iter().map(add).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pile_among_itself_stands_where_its_steps_are() {
        let scores: Vec<f64> = (0..1000).map(|i| f64::from(i) / 1000.0).collect();
        let ladder = Ladder::of(&scores, &shares(1000, 0.1));
        let mut counts = ladder.counts();
        ladder.add(&mut counts, &scores);
        for (share, reached) in ladder.shares().iter().zip(counts.reached()) {
            assert!((share - reached).abs() <= 0.0005 + 1e-12, "{share} {reached}");
        }
        ladder.check().unwrap();
        counts.check(&ladder).unwrap();
    }

    #[test]
    fn equal_scores_are_shared_out() {
        // The best tenth stands out, the next 60 % are equal, the rest is lower.
        let pile: Vec<f64> = (0..100)
            .map(|i| {
                if i < 10 {
                    0.9
                } else if i < 70 {
                    0.5
                } else {
                    0.1
                }
            })
            .collect();
        let ladder = Ladder::of(&pile, &[0.1, 0.4, 0.7]);
        let mut counts = ladder.counts();
        ladder.add(&mut counts, &[0.5, 0.5, 0.9, 0.1, 0.6]);
        let reached = counts.reached();
        // 0.9 reaches all; 0.6 all but the first; two rows of 0.5 the second with half of them, the third with both.
        for (found, expected) in reached.iter().zip([0.2, 0.6, 0.8]) {
            assert!((found - expected).abs() < 1e-4, "{reached:?}");
        }
        counts.check(&ladder).unwrap();
    }

    #[test]
    fn parts_add_up_and_nothing_is_odd() {
        let pile: Vec<f64> = (0..500).map(|i| f64::from(i % 7) / 7.0).collect();
        let ladder = Ladder::of(&pile, &shares(500, 0.2));
        let rows: Vec<f64> = (0..300).map(|i| f64::from(i % 13) / 13.0).collect();
        let (mut whole, mut one, mut two) = (ladder.counts(), ladder.counts(), ladder.counts());
        ladder.add(&mut whole, &rows);
        ladder.add(&mut one, &rows[..120]);
        ladder.add(&mut two, &rows[120..]);
        one.merge(&two);
        assert_eq!(one, whole);
        assert!(Ladder::of(&[], &shares(0, 0.1)).check().is_err());
        assert!(ladder.counts().parts().iter().all(|part| *part == 0.0));
    }
}
