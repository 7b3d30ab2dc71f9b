//! How probable a row is: the share of positives among rows of its score.
//!
//! Positives hidden in the pile tell how the class stands along the ranking, the prior how much of the pile it is. Where
//! positives stand ρ times as dense as the pile, a row is positive with probability min(1, a ρ), and a is such that the
//! mean over the pile is the prior ([`RankDensity`]; Ivanov 2020 has the idea). The same with either end of the prior's range
//! gives the range of each probability: nothing is claimed that the range of the prior does not allow.

use std::fmt;

use serde::Serialize;

use crate::automatic::certainty::ranks_of_class;
use crate::error::{Error, Result};
use crate::method::{Range, Summary};
use crate::model_file::{Reader, Writer};
use crate::prior::RankDensity;

/// How probable a row is, and the range of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Probability {
    /// What is believed.
    pub probability: f64,
    /// If the prior is at the lower end of its range.
    pub low: f64,
    /// If it is at the upper end.
    pub high: f64,
}

/// The columns of a probability where rows are written, in the order of [`Probability::cells`].
pub const COLUMNS: [&str; 3] = ["probability", "probability_low", "probability_high"];

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} ({:.2} to {:.2})", self.probability, self.low, self.high)
    }
}

impl Probability {
    /// The numbers in the order of [`COLUMNS`].
    pub fn cells(&self) -> [f64; 3] {
        [self.probability, self.low, self.high]
    }
}

/// Scores to probabilities: a rising stair.
#[derive(Clone, Debug, PartialEq)]
pub struct Probabilities {
    prior: f64,
    /// Positives that were hidden.
    hidden: usize,
    /// The lowest score of each step, rising.
    from: Vec<f64>,
    /// What rows of that step are worth.
    steps: Vec<Probability>,
}

impl Probabilities {
    /// From what hidden positives say of a ranking, and the scores that it gives the pile; none where none were hidden.
    pub fn of(said: &Summary, pile: &[f64]) -> Option<Self> {
        let ranks = ranks_of_class(said).filter(|_| !pile.is_empty())?;
        let density = RankDensity::of(&ranks);
        let range = Range { low: said.prior_low.min(said.prior), high: said.prior_high.max(said.prior) };
        let posteriors = [said.prior, range.low, range.high].map(|prior| density.posterior(prior));
        let mut sorted = pile.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let rank = |row: usize| row as f64 / sorted.len() as f64;
        // A step is as long as a segment of ranks, or as the rows of one score where these are more.
        let mut starts: Vec<usize> = Vec::new();
        let mut row = 0;
        while row < sorted.len() {
            let segment_of = |row: usize| density.segment(rank(row + 1));
            if starts.last().is_none_or(|&start| segment_of(start) != segment_of(row)) {
                starts.push(row);
            }
            row += sorted[row..].partition_point(|score| score.total_cmp(&sorted[row]).is_ge());
        }
        let ends: Vec<usize> = starts[1..].iter().copied().chain([sorted.len()]).collect();
        let mut found = Probabilities {
            prior: said.prior,
            hidden: ranks.positives(),
            from: Vec::with_capacity(starts.len()),
            steps: Vec::with_capacity(starts.len()),
        };
        for (start, end) in starts.into_iter().zip(ends).rev() {
            let mean = |posterior: &Vec<f64>| {
                let sum = density.sum_to(rank(end), posterior) - density.sum_to(rank(start), posterior);
                (sum / (rank(end) - rank(start))).clamp(0.0, 1.0)
            };
            // They rise by construction; what is left of it after rounding is made to.
            let least = found.steps.last().map_or([0.0; 3], Probability::cells);
            let means = posteriors.each_ref().map(mean);
            let [probability, low, high] = std::array::from_fn(|at| means[at].max(least[at]));
            let step = Probability { probability, low: low.min(probability), high: high.max(probability) };
            if found.steps.last() != Some(&step) {
                found.from.push(sorted[end - 1]);
                found.steps.push(step);
            }
        }
        Some(found)
    }

    /// How probable a row of this score is.
    pub fn at(&self, score: f64) -> Probability {
        let step = self.from.partition_point(|from| from.total_cmp(&score).is_le());
        self.steps[step.saturating_sub(1)]
    }

    /// The same for rows of which another share is positive: the odds change by what the odds of the share do.
    pub fn for_share(&self, share: f64, range: Range) -> Self {
        let odds = |share: f64| share / (1.0 - share);
        // So many hidden positives cannot tell a certainty from a chance of one in twice as many.
        let most = 1.0 - 0.5 / (self.hidden + 1) as f64;
        let moved = |probability: f64, share: f64| {
            let odds = odds(probability.min(most)) * odds(share.min(most)) / odds(self.prior.min(most));
            if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 }
        };
        let step = |step: &Probability| Probability {
            probability: moved(step.probability, share),
            low: moved(step.probability, range.low.min(share)),
            high: moved(step.probability, range.high.max(share)),
        };
        let mut other = self.clone();
        other.prior = share;
        other.steps.iter_mut().for_each(|of| *of = step(of));
        other
    }

    /// Keeps it.
    pub fn save(&self, out: &mut Writer) {
        out.value("prior", &self.prior);
        out.value("hidden", &self.hidden);
        out.f64s("from", &[self.from.len()], &self.from);
        let steps: Vec<f64> = self.steps.iter().flat_map(Probability::cells).collect();
        out.f64s("steps", &[self.steps.len(), 3], &steps);
    }

    /// Reads a kept one; none where the model has none.
    pub fn load(file: &Reader) -> Result<Option<Self>> {
        if !file.has_value("hidden") {
            return Ok(None);
        }
        let (prior, from) = (file.value("prior")?, file.read_f64s("from")?);
        let steps: Vec<Probability> = (file.read_f64s("steps")?.chunks_exact(3))
            .map(|cells| Probability { probability: cells[0], low: cells[1], high: cells[2] })
            .collect();
        let within = |p: &Probability| {
            0.0 <= p.low && p.low <= p.probability && p.probability <= p.high && p.high <= 1.0
        };
        let rising = from.windows(2).all(|pair| pair[0] < pair[1]);
        let sound = !steps.is_empty() && steps.len() == from.len() && steps.iter().all(within) && rising;
        if !sound || !(0.0..=1.0).contains(&prior) {
            return Err(Error::model_file("its probabilities are none"));
        }
        Ok(Some(Probabilities { prior, hidden: file.value("hidden")?, from, steps }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hidden positives stand evenly among the best tenth of the pile.
    fn said(prior: f64, positives: usize) -> Summary {
        let ranks: Vec<f64> = (1..=positives).map(|k| 0.1 * k as f64 / positives as f64).collect();
        let json = serde_json::json!({
            "prior": prior, "prior_low": 0.5 * prior, "prior_high": (2.0 * prior).min(1.0), "method": "nb",
            "because": "", "routed_to_unexpected": false, "candidates": [], "cut": 0.0, "pile": 1000,
            "positives": positives, "found": 0, "recall": 0.0, "recall_low": 0.0, "recall_high": 0.0,
            "precision_low": 0.0, "precision_high": 0.0, "f1_low": 0.0, "f1_high": 0.0, "recall_curve": [],
            "warnings": [], "hidden_ranks": ranks,
        });
        serde_json::from_value(json).unwrap()
    }

    fn scores() -> Vec<f64> {
        (0..1000).map(|i| f64::from(i) / 1000.0).collect()
    }

    fn mean(found: &Probabilities, scores: &[f64]) -> f64 {
        scores.iter().map(|score| found.at(*score).probability).sum::<f64>() / scores.len() as f64
    }

    #[test]
    fn they_add_up_to_the_prior_and_rise_with_the_score() {
        let tied: Vec<f64> = scores().iter().map(|score| (score * 7.0).floor()).collect();
        for scores in [scores(), tied, vec![0.3; 1000]] {
            for prior in [0.02, 0.1, 0.6] {
                let found = Probabilities::of(&said(prior, 40), &scores).unwrap();
                assert!((mean(&found, &scores) - prior).abs() < 1e-6, "{prior}: {}", mean(&found, &scores));
                assert!(found.steps.windows(2).all(|pair| pair[0].probability <= pair[1].probability));
                assert!(found.from.len() <= 41);
            }
        }
    }

    #[test]
    fn where_all_positives_stand_the_probability_is_their_share() {
        // A tenth of the pile holds them all; half of it is positive where the prior is a twentieth.
        let found = Probabilities::of(&said(0.05, 200), &scores()).unwrap();
        let (top, end) = (found.at(0.96), found.at(0.5));
        assert!((top.probability - 0.5).abs() < 0.1, "{top:?}");
        assert!((top.low - 0.25).abs() < 0.06 && top.high > 0.9, "{top:?}");
        assert!(end.probability < 0.01, "{end:?}");
        assert_eq!((found.at(7.0), found.at(-1.0)), (found.at(0.9999), found.at(0.0)));
    }

    #[test]
    fn another_share_changes_the_odds() {
        let found = Probabilities::of(&said(0.05, 200), &scores()).unwrap();
        let odds = |p: f64| p / (1.0 - p);
        let other = found.for_share(0.5, Range { low: 0.4, high: 0.6 });
        let (before, after) = (found.at(0.96), other.at(0.96));
        let expected = odds(before.probability) * odds(0.5) / odds(0.05);
        assert!((odds(after.probability) - expected).abs() < 1e-9 * expected);
        assert!(after.low < after.probability && after.probability < after.high);
        let none = found.for_share(0.0, Range { low: 0.0, high: 1.0 }).at(0.96);
        assert_eq!(none.cells(), [0.0, 0.0, none.high]);
    }

    #[test]
    fn without_hidden_positives_nothing_is_said() {
        let mut nothing = said(0.05, 20);
        nothing.hidden_ranks.clear();
        assert_eq!(Probabilities::of(&nothing, &scores()), None);
    }
}
