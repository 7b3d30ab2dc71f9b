//! The pile, best first.

use serde::Serialize;

use super::problem::Problem;
use crate::data::Texts;
use crate::decide::{is_positive, ranking};
use crate::probability::Probability;

/// The pile of a problem, best first. All lists are of one length.
///
/// ```
/// use likewise::prelude::*;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund please", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// let scores = [1.0, 1.0, 1.0, 0.1, 0.9, 0.2];
/// let ranking = Ranking::of(&problem, &scores);
/// assert_eq!((ranking.ids == ["3", "4", "1"], ranking.found()), (true, 1));
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// Rows of the problem.
    #[serde(skip)]
    pub rows: Vec<usize>,
    /// What the user calls them.
    pub ids: Texts,
    /// Where they stand in the user's own input, counted from 0.
    pub positions: Vec<usize>,
    /// Within [0, 1], larger is more likely positive.
    pub scores: Vec<f64>,
    /// Whether they are marked: a score of 0.5 or more.
    pub positive: Vec<bool>,
    /// How probable they are, where that was asked for and is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probabilities: Option<Vec<Probability>>,
}

impl Ranking {
    /// From the scores of all rows of the problem. Equal scores keep the order of their rows.
    pub fn of(problem: &Problem, scores: &[f64]) -> Self {
        Ranking::in_order_of(problem, scores, scores)
    }

    /// In the order of scores from before the cut was moved: two that differ by a last bit can become equal by that.
    pub(super) fn in_order_of(problem: &Problem, before: &[f64], scores: &[f64]) -> Self {
        let rows: Vec<usize> = {
            let pile = problem.pile();
            let of_pile: Vec<f64> = pile.iter().map(|&row| before[row]).collect();
            ranking(&of_pile).into_iter().map(|at| pile[at]).collect()
        };
        let scores: Vec<f64> = rows.iter().map(|&row| scores[row]).collect();
        Ranking {
            ids: problem.ids.select(&rows),
            positions: rows.iter().map(|&row| problem.positions[row]).collect(),
            positive: scores.iter().map(|score| is_positive(*score)).collect(),
            rows,
            scores,
            probabilities: None,
        }
    }

    /// How many rows were ranked.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there was nothing to rank.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many rows are marked.
    pub fn found(&self) -> usize {
        self.positive.iter().filter(|positive| **positive).count()
    }
}
