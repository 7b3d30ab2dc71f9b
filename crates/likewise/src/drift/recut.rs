//! A cut for new rows: what decided at training, asked again with the share of positives that they have.

use super::{Baseline, Comparison, SeenRows};
use crate::ends::{Ends, Moved};
use crate::measure::{estimated_f1, estimated_precision, recall_within};

impl Baseline {
    /// The cut for rows that were counted so; none where the share of positives is not known, or nothing was counted.
    /// `ends` is what decided at training: a recall or a precision keep their meaning, and everything else becomes the best
    /// believed F1, 2 π' G₊ / (H + π'). A share or a number of rows needs nothing of this ([`best`]).
    pub fn recut(&self, seen: &SeenRows, compared: &Comparison, ends: Option<Ends>) -> Option<Moved> {
        let (found, recall) = (seen.standing.reached(), self.told.positives.reached());
        let rows = seen.standing.rows as f64;
        let scores = self.told.ladder.scores();
        if scores.is_empty() || rows == 0.0 {
            return None;
        }
        let last = scores.len() - 1;
        // At least one row: of nothing no cut is the best.
        let prior = compared.positives.map(|share| share.share.max(1.0 / rows));
        let step = match (ends, prior) {
            (Some(Ends::Recall(wanted)), _) => recall.partition_point(|r| *r < wanted - 1e-9).min(last),
            (_, None) => return None,
            (Some(Ends::Precision(wanted)), Some(prior)) => {
                let holds = |j: &usize| estimated_precision(recall[*j], prior, found[*j]) >= wanted - 1e-9;
                (0..=last).rev().find(holds).unwrap_or(0)
            }
            (_, Some(prior)) => {
                let f1 = |j: usize| {
                    let recall = if found[j] > 0.0 { recall_within(recall[j], prior, found[j]) } else { 0.0 };
                    estimated_f1(recall, prior, found[j])
                };
                (0..=last).max_by(|a, b| f1(*a).total_cmp(&f1(*b)).then(b.cmp(a))).unwrap_or(last)
            }
        };
        Some(Moved::at(scores[step], scores))
    }
}

/// The cut that marks the best of these rows: a share or a number of them, whatever they are. None where something else
/// decides, or there is no row.
pub fn best(scores: &[f64], ends: Option<Ends>) -> Option<Moved> {
    let rows = match ends? {
        Ends::Share(share) => (share * scores.len() as f64).round() as usize,
        Ends::Top(top) => top,
        _ => return None,
    };
    (!scores.is_empty()).then(|| Moved::after(scores, rows.min(scores.len())))
}
