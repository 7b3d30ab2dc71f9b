//! PU-LP: label propagation from what the Katz index finds close and far (Ma & Zhang 2017).
//!
//! In the graph that joins every row to its `k` nearest by cosine, the Katz index of two rows counts all walks
//! between them, longer ones for less (`parts::katz`). In `rounds` steps the rows of the pile closest on average
//! to the positives and to those found before become reliable positives, `positives` times as many as were
//! labelled; then the least close, as many as there are positives of both kinds, become reliable negatives, and
//! labels spread (`parts::propagation`). Use it when positives are few and the class is one dense region.
//!
//! ```text
//! K = Σ_l a^l A^l = (I - a A)^{-1} - I     closeness of x to S = Σ_{y ∈ S} K(x, y)
//! f_i = (Σ_j cos_{i j} f_j) / (Σ_j cos_{i j})  for rows without label,  score = f₊ / (f₊ + f₋)
//! ```
//!
//! where A is 1 for rows that are joined and 0 for others, and l ≥ 1.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Csr, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::katz::{closeness, largest_eigenvalue};
use crate::parts::knn_graph::{CosineIndex, EdgeRule};
use crate::parts::known_negatives::with_known;
use crate::parts::propagation::{SpreadModel, Spreading, spread};
use crate::run::Run;

/// Label propagation, reliable positives and negatives by the Katz index; for few labels, one dense class.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PuLp {
    /// How many nearest rows each row is joined to
    #[schemars(range(min = 1, max = 1000))]
    pub k: usize,
    /// What a walk loses with every step (the paper's alpha); left out: half of the largest allowed value
    #[schemars(range(min = 1e-6, max = 1))]
    pub attenuation: Option<f64>,
    /// Reliable positives to find, as a multiple of the labelled ones (the paper's lambda)
    #[schemars(range(min = 0, max = 100))]
    pub positives: f64,
    /// In how many steps they are found (the paper's m)
    #[schemars(range(min = 1, max = 100))]
    pub rounds: usize,
}

impl Default for PuLp {
    fn default() -> Self {
        PuLp { k: 15, attenuation: None, positives: 0.6, rounds: 3 }
    }
}

impl Method for PuLp {
    const SPEC: Spec = Spec {
        name: "pu-lp",
        family: "graph",
        title: "label propagation, reliable positives and negatives by the Katz index; for few labels, one dense class",
        paper: "Ma & Zhang 2017, PU-LP: a novel approach for positive and unlabeled learning by label propagation",
        assumes: "Rows joined through others that are alike are of one class (clusters), and the class is one dense region of the graph of nearest rows: what is closest to the examples there is positive, what is least close negative.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("the rows it learned from"),
    };
    const NEGATIVES: Negatives = Negatives::Held;
    const HIDDEN_CUT: bool = true;
    type Model = SpreadModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<SpreadModel>> {
        let index = CosineIndex::new(&train.x)?;
        let edges = index.graph(self.k, run)?.edges(EdgeRule::Either);
        let largest = largest_eigenvalue(&edges);
        let limit = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        let attenuation = self.attenuation.unwrap_or(limit / 2.0);
        let mut notes = Vec::new();
        if attenuation >= limit {
            notes.push(Note::warning(&codes::POORLY_LEARNED, format!(
                "attenuation {attenuation} is not below {limit:.4}, where the Katz index ends to be a sum of walks; leave it out to be safe"
            )));
        }
        let (positives, negatives) = self.reliable(&edges, train, attenuation, run)?;
        let spread = spread(&edges, &positives, &negatives, Spreading::Gfhf, 0.5, run)?;
        let scores = spread.scores();
        Ok(Fitted::new(SpreadModel { index, spread, k: self.k }, scores).with_notes(notes))
    }
}

impl PuLp {
    /// All positives, labelled ones first, and as many negatives (at most half of what is left of the pile).
    fn reliable(
        &self,
        edges: &Csr,
        train: &PuData,
        attenuation: f64,
        run: &Run,
    ) -> Result<(Vec<usize>, Vec<usize>)> {
        let mut positives = train.positives();
        let mut pile = train.unlabeled();
        let each = (self.positives / self.rounds as f64 * positives.len() as f64) as usize;
        let each = each.min(pile.len() / (4 * self.rounds));
        for _ in 0..self.rounds {
            if each > 0 {
                let close = closeness(edges, &positives, attenuation, run)?;
                pile.sort_by(|&a, &b| close[b].total_cmp(&close[a]).then(a.cmp(&b)));
                positives.extend(pile.drain(..each));
            }
        }
        let close = closeness(edges, &positives, attenuation, run)?;
        pile.sort_by(|&a, &b| close[a].total_cmp(&close[b]).then(a.cmp(&b)));
        pile.truncate(positives.len().min(pile.len().div_ceil(2)));
        Ok((positives, with_known(pile, train)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use std::sync::Arc;

    /// A path 0 - 1 - 2 - 3 - 4 - 5.
    fn path() -> Csr {
        let mut edges = crate::data::CsrBuilder::with_capacity(6, 6, 10);
        for i in 0..6u32 {
            let ends = [i.checked_sub(1), Some(i + 1).filter(|j| *j < 6)];
            edges.push_entries(ends.into_iter().flatten().map(|j| (j, 1.0)));
        }
        edges.finish()
    }

    #[test]
    fn reliable_rows_by_hand() {
        // From row 0 the index falls along the path: row 1 is closest; from {0, 1} the far end is least close.
        let x = Data::Sparse(Arc::new(Csr::new(1, vec![0; 7], vec![], vec![]).unwrap()));
        let train = PuData::new(x, (0..6).map(|i| i == 0).collect()).unwrap();
        let method = PuLp { positives: 1.0, rounds: 1, ..PuLp::default() };
        let (positives, negatives) = method.reliable(&path(), &train, 0.2, &Run::new(0)).unwrap();
        assert_eq!((positives, negatives), (vec![0, 1], vec![5, 4]));
    }

    #[test]
    fn a_too_large_attenuation_is_said() {
        let rows = (0..24).flat_map(|i| [if i % 2 == 0 { 1.0 } else { -1.0 }, i as f32 / 50.0]).collect();
        let x = Data::Dense(Arc::new(crate::data::Dense::new(24, 2, rows).unwrap()));
        let train = PuData::new(x, (0..24).map(|i| i == 0 || i == 2).collect()).unwrap();
        let quiet = PuLp { k: 4, ..PuLp::default() }.fit(&train, &Run::new(0)).unwrap();
        assert!(quiet.notes.is_empty());
        assert!((0..24).all(|i| (quiet.scores[i] >= 0.5) == (i % 2 == 0)), "{:?}", quiet.scores);
        let loud =
            PuLp { k: 4, attenuation: Some(0.9), ..PuLp::default() }.fit(&train, &Run::new(0)).unwrap();
        assert!(loud.notes[0].to_string().contains("0.9"));
    }
}
