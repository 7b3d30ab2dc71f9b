//! What marked rows say of the rows most like them, beyond what their words say.
//!
//! A linear learner misses something at a marked row i: r_i = y_i max(0, 1 - y_i f_i). If rows that are alike are missed
//! alike, the residual of an unread row can be told from those of its neighbours (Jia & Benson 2020, Residual correlation
//! in graph neural network regression):
//!
//! ```text
//! ρ   = Σ c_ij r_i r_j / Σ ½ c_ij (r_i² + r_j²),   over joined rows i, j that are both marked; none below 0
//! g_i = r_i where i is marked, else ρ Σ_j c_ij g_j / Σ_j c_ij,   j over the rows joined with i
//! ```
//!
//! and the row is ranked by f_i + g_i. c is the cosine. The marks themselves tell how much neighbours count: ρ is near 1
//! where a class lies in clusters, and falls to what is left as the learner comes to know them. A row far from every mark
//! keeps its score. Who is whose neighbour never changes, so it is searched once, and a ranking costs a few passes.

use std::sync::Arc;

use rayon::prelude::*;

use crate::data::{Csr, Data};
use crate::error::Result;
use crate::parts::smoothing::{WHOLE_GRAPH, joined};
use crate::run::Run;

/// Who is most like whom among the rows of a pile.
pub struct Neighbours {
    /// The cosine of any two rows that are joined.
    edges: Csr,
    /// The sum of each row's cosines.
    sums: Vec<f32>,
}

/// How far a mark is heard, in steps from row to row; each step counts ρ times the one before.
const STEPS: usize = 10;
/// Rows that a thread takes at a time.
const ROWS: usize = 1024;

impl Neighbours {
    /// Whether they are worth searching among so many rows: beyond that it takes minutes, and a ranking its second.
    pub fn are_found_among(rows: usize) -> bool {
        rows <= WHOLE_GRAPH
    }

    /// Searches; seconds for tens of thousands of rows, and memory for some ten neighbours a row.
    pub fn of(x: &Arc<Csr>, run: &Run) -> Result<Neighbours> {
        let edges = run.install(|| joined(&Data::Sparse(x.clone()), run))?;
        let sums = (0..edges.rows()).map(|row| edges.row(row).values.iter().sum()).collect();
        Ok(Neighbours { edges, sums })
    }

    /// Adds to the scores of unread rows what their neighbours say, and returns ρ. Rows after those that were searched
    /// have no neighbours. A mark is 1 for wanted, -1 for unwanted and 0 for none.
    pub(super) fn correct(&self, scores: &mut [f32], marks: &[i8]) -> f64 {
        let rows = self.edges.rows().min(scores.len());
        let missed = |row: usize| {
            let y = f32::from(marks[row]);
            y * (1.0 - y * scores[row]).max(0.0)
        };
        let mut residual: Vec<f32> = (0..rows).map(missed).collect();
        let rho = self.correlation(&residual, marks);
        if rho <= 0.0 {
            return 0.0;
        }
        let mut next = residual.clone();
        for _ in 0..STEPS {
            next.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, next)| {
                for (k, value) in next.iter_mut().enumerate() {
                    let row = chunk * ROWS + k;
                    if marks[row] == 0 && self.sums[row] > 0.0 {
                        let heard: f32 = self.edges.row(row).iter().map(|(j, c)| c * residual[j]).sum();
                        *value = rho as f32 * heard / self.sums[row];
                    }
                }
            });
            std::mem::swap(&mut residual, &mut next);
        }
        let unread = scores.iter_mut().zip(&residual).zip(marks).filter(|(_, mark)| **mark == 0);
        unread.for_each(|((score, residual), _)| *score += residual);
        rho
    }

    fn correlation(&self, residual: &[f32], marks: &[i8]) -> f64 {
        let (mut both, mut each) = (0.0, 0.0);
        for row in (0..residual.len()).filter(|&row| marks[row] != 0) {
            let own = f64::from(residual[row]);
            for (other, cosine) in self.edges.row(row).iter().filter(|(other, _)| marks[*other] != 0) {
                let (cosine, other) = (f64::from(cosine), f64::from(residual[other]));
                both += cosine * own * other;
                each += cosine * (own * own + other * other) / 2.0;
            }
        }
        if each > 0.0 { both / each } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain 0 - 1 - 2 - 3 - 4 of equal cosines, and row 5 alone.
    fn chain() -> Neighbours {
        let mut edges = crate::data::CsrBuilder::with_capacity(6, 6, 8);
        let near = |row: u32| [row.checked_sub(1), Some(row + 1)].into_iter().flatten().filter(|j| *j < 5);
        (0..5).for_each(|row| edges.push_entries(near(row).map(|j| (j, 0.5)).collect::<Vec<_>>()));
        edges.push_entries([]);
        Neighbours { edges: edges.finish(), sums: vec![0.5, 1.0, 1.0, 1.0, 0.5, 0.0] }
    }

    #[test]
    fn what_was_missed_is_handed_on_as_far_as_marks_agree() {
        let mut scores = [0.0, 0.5, 0.0, 0.0, 0.0, 0.0];
        let rho = chain().correct(&mut scores, &[1, 1, 0, 0, 0, 0]);
        // Residuals 1 and ½: ρ = ½ / ((1 + ¼)/2).
        assert!((rho - 0.8).abs() < 1e-6, "{rho}");
        assert_eq!((scores[0], scores[1], scores[5]), (0.0, 0.5, 0.0), "marks and lone rows stay");
        // g₄ = ρ g₃, g₃ = ½ρ (g₂ + g₄), g₂ = ½ρ (½ + g₃).
        let g3 = |g2: f32| 0.4 * g2 / (1.0 - 0.4 * 0.8);
        let g2 = 0.2 / (1.0 - 0.4 * g3(1.0));
        // Ten steps come near it; one would give 0.2 and 0.
        assert!((scores[2] - g2).abs() < 5e-3 && (scores[3] - g3(g2)).abs() < 5e-3, "{scores:?}");
    }

    #[test]
    fn neighbours_that_disagree_say_nothing() {
        let mut scores = [0.0f32; 6];
        assert_eq!(chain().correct(&mut scores, &[1, -1, 0, 0, 0, 0]), 0.0);
        assert_eq!(scores, [0.0; 6]);
        // Two marks that are not joined tell nothing either.
        assert_eq!(chain().correct(&mut scores, &[1, 0, 0, 1, 0, 0]), 0.0);
        assert_eq!(scores, [0.0; 6]);
    }
}
