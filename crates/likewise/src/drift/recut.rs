//! A cut for new rows: what decided at training, asked again with the share of positives that they have.

use super::{Baseline, Comparison, Seen};
use crate::ends::{Ends, Moved};
use crate::measure::{estimated_f1, estimated_precision, recall_within};

impl Baseline {
    /// The cut for rows that were counted so; none where the share of positives is not known, or nothing was counted.
    /// `ends` is what decided at training: a recall, a precision, a share or a number keep their meaning, and everything
    /// else becomes the best believed F1, 2 π' G₊ / (H + π').
    pub fn recut(&self, seen: &Seen, compared: &Comparison, ends: Option<Ends>) -> Option<Moved> {
        let (found, recall) = (seen.standing.reached(), self.told.positives.reached());
        let rows = seen.standing.rows as f64;
        let scores = self.told.ladder.scores();
        if scores.is_empty() || rows == 0.0 {
            return None;
        }
        let last = scores.len() - 1;
        let up_to = |share: f64| found.partition_point(|reached| *reached <= share).saturating_sub(1);
        // At least one row: of nothing no cut is the best.
        let prior = compared.positives.map(|share| share.share.max(1.0 / rows));
        let step = match (ends, prior) {
            (Some(Ends::Share(share)), _) => up_to(share),
            (Some(Ends::Top(top)), _) => up_to(top as f64 / rows),
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
