//! LP-PUL: label propagation from positives and from what lies farthest away (Carnevali, Rossi, Milios &
//! Lopes 2021).
//!
//! Every row is joined to its `k` nearest by cosine; an edge is 1/cosine long. The rows of the pile whose mean
//! shortest path to the positives is longest, `negatives` times as many as there are positives, become reliable
//! negatives. Then both labels spread over the graph (`parts::propagation`) and the larger one decides. Use it
//! when positives are few and form a cluster: with one to thirty labels it is among the strongest of the methods
//! that read a pile as a graph. New rows are answered for by their nearest training rows.
//!
//! ```text
//! d(x) = mean_{p ∈ P} of the shortest path from p to x,     an edge between i and j is 1/cos_{i j} long
//! f_i = (Σ_j cos_{i j} f_j) / (Σ_j cos_{i j})  for rows without label,  score = f₊ / (f₊ + f₋)
//! ```
//!
//! where f₊ starts at 1 on the positives and f₋ at 1 on the rows of largest d.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rand::seq::SliceRandom;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Csr, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::knn_graph::{CosineIndex, EdgeRule};
use crate::parts::known_negatives::with_known;
use crate::parts::propagation::{SpreadModel, Spreading, spread};
use crate::run::Run;

/// Label propagation on the nearest-neighbour graph, negatives far from the positives; for few labels.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LpPul {
    /// How many nearest rows each row is joined to
    #[schemars(range(min = 1, max = 100000))]
    pub k: usize,
    /// Join two rows only if each is among the nearest of the other
    pub mutual: bool,
    /// Leave out edges with a smaller cosine (with a large `k` this is the epsilon graph of the paper)
    #[schemars(range(min = 0, max = 1))]
    pub least_cosine: f64,
    /// How many reliable negatives for each positive; never more than half of the pile
    #[schemars(range(min = 0.01, max = 1000))]
    pub negatives: f64,
    /// How labels spread
    pub spreading: Spreading,
    /// Weight of the neighbours in LLGC; the rest is the row's own label
    #[schemars(range(min = 0.01, max = 0.99))]
    pub alpha: f64,
    /// What becomes of rows that no path joins to a positive
    pub unreachable: Unreachable,
    /// Distances are measured from at most this many positives, drawn at random
    #[schemars(range(min = 1, max = 1000000))]
    pub sources: usize,
}

/// What becomes of rows that no path joins to a positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unreachable {
    /// As `passive` while they are the smaller part of the pile, else as `farthest`
    ByShare,
    /// They are never reliable negatives, as in the authors' program; no label reaches them, so they end negative
    Passive,
    /// They count as the farthest rows
    Farthest,
}

impl Default for LpPul {
    fn default() -> Self {
        LpPul {
            k: 15,
            mutual: false,
            least_cosine: 0.0,
            negatives: 5.0,
            spreading: Spreading::Gfhf,
            alpha: 0.9,
            unreachable: Unreachable::ByShare,
            sources: 200,
        }
    }
}

impl Method for LpPul {
    const SPEC: Spec = Spec {
        name: "lp-pul",
        family: "graph",
        title: "label propagation on the nearest-neighbour graph, negatives far from the positives; for few labels",
        paper: "Carnevali, Rossi, Milios & Lopes 2021, A graph-based approach for positive and unlabeled learning",
        assumes: "Rows joined through others that are alike are of one class (clusters): the class lies together in the graph of nearest rows, and what is farthest from the examples there is negative.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("the rows it learned from"),
    };
    const NEGATIVES: Negatives = Negatives::Held;
    const HIDDEN_CUT: bool = true;
    type Model = SpreadModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<SpreadModel>> {
        let index = CosineIndex::new(&train.x)?;
        let rule = if self.mutual { EdgeRule::Both } else { EdgeRule::Either };
        let mut edges = index.graph(self.k, run)?.edges(rule);
        if self.least_cosine > 0.0 {
            edges = strong(&edges, self.least_cosine);
        }
        let positives = train.positives();
        let distances = distances_from(&edges, &self.sources_of(&positives, run), run)?;
        let (negatives, notes) = self.farthest(distances, train, positives.len());
        let negatives = with_known(negatives, train);
        let spread = spread(&edges, &positives, &negatives, self.spreading, self.alpha, run)?;
        let scores = spread.scores();
        Ok(Fitted::new(SpreadModel { index, spread, k: self.k }, scores).with_notes(notes))
    }
}

impl LpPul {
    fn sources_of(&self, positives: &[usize], run: &Run) -> Vec<usize> {
        let mut sources = positives.to_vec();
        if sources.len() > self.sources {
            sources.shuffle(&mut run.rng("lp-pul sources", 0));
            sources.truncate(self.sources);
            sources.sort_unstable();
        }
        sources
    }

    /// The reliable negatives, and whether there could not be as many as asked for.
    fn farthest(&self, distances: Distances, train: &PuData, positives: usize) -> (Vec<usize>, Vec<Note>) {
        let mut pile = train.unlabeled();
        let asked = ((self.negatives * positives as f64) as usize).max(1);
        let most = (pile.len() / 2).max(1);
        let reached = pile.iter().filter(|&&i| distances.reached[i]).count();
        let farthest = match self.unreachable {
            Unreachable::ByShare => 2 * reached < pile.len(),
            Unreachable::Passive => false,
            Unreachable::Farthest => true,
        };
        let distances = distances.means(farthest);
        if !farthest {
            pile.retain(|&i| distances[i] > 0.0);
        }
        pile.sort_by(|&a, &b| distances[b].total_cmp(&distances[a]));
        pile.truncate(asked.min(most));
        let note = format!("{most} reliable negatives instead of {asked}: the pile is too small for more");
        (pile, if asked > most { vec![Note::info(&codes::LEARNED, note)] } else { Vec::new() })
    }
}

/// The edges with at least this cosine.
fn strong(edges: &Csr, least: f64) -> Csr {
    let mut out = crate::data::CsrBuilder::with_capacity(edges.cols, edges.rows(), edges.nnz());
    for row in edges.iter_rows() {
        let kept = row.iter().filter(|(_, cosine)| f64::from(*cosine) >= least);
        out.push_entries(kept.map(|(j, cosine)| (j as u32, cosine)));
    }
    out.finish()
}

/// Shortest paths from several sources, added up.
struct Distances {
    /// Over the sources that reach the row.
    sums: Vec<f64>,
    /// How far the sources that do not reach it reach.
    missing: Vec<f64>,
    reached: Vec<bool>,
    sources: usize,
}

impl Distances {
    /// Where no path leads, the distance is 0, or that to the farthest row that is reached.
    fn means(self, unreachable_is_far: bool) -> Vec<f64> {
        let weight = if unreachable_is_far { 1.0 } else { 0.0 };
        let sums = self.sums.iter().zip(&self.missing);
        sums.map(|(sum, missing)| (sum + weight * missing) / self.sources as f64).collect()
    }
}

fn distances_from(edges: &Csr, sources: &[usize], run: &Run) -> Result<Distances> {
    const AT_ONCE: usize = 8;
    let n = edges.rows();
    let mut all = Distances {
        sums: vec![0.0; n],
        missing: vec![0.0; n],
        reached: vec![false; n],
        sources: sources.len(),
    };
    for (batch, some) in sources.chunks(AT_ONCE).enumerate() {
        run.step("distances", (batch * AT_ONCE) as u64, sources.len() as u64)?;
        let found: Vec<Vec<f64>> = some.par_iter().map(|&source| shortest_paths(edges, source)).collect();
        for distances in found {
            let farthest = distances.iter().filter(|d| d.is_finite()).fold(1.0, |m: f64, d| m.max(*d));
            for (i, distance) in distances.into_iter().enumerate() {
                if distance.is_finite() {
                    all.sums[i] += distance;
                    all.reached[i] = true;
                } else {
                    all.missing[i] += farthest;
                }
            }
        }
    }
    Ok(all)
}

/// Dijkstra's distances from one row; infinite where no path leads.
fn shortest_paths(edges: &Csr, source: usize) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; edges.rows()];
    distances[source] = 0.0;
    let mut queue = BinaryHeap::from([Place { distance: 0.0, row: source as u32 }]);
    while let Some(Place { distance, row }) = queue.pop() {
        if distance > distances[row as usize] {
            continue;
        }
        for (j, cosine) in edges.row(row as usize).iter() {
            let further = distance + 1.0 / f64::from(cosine);
            if further < distances[j] {
                distances[j] = further;
                queue.push(Place { distance: further, row: j as u32 });
            }
        }
    }
    distances
}

/// A row in the queue; the nearest leaves first.
#[derive(PartialEq)]
struct Place {
    distance: f64,
    row: u32,
}

impl Eq for Place {}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.row.cmp(&self.row))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use std::sync::Arc;

    /// Edges 0-1 (cosine 0.5), 1-2 (0.5), 0-2 (0.2); row 3 apart.
    fn triangle() -> Csr {
        let cosines = vec![0.5, 0.2, 0.5, 0.5, 0.2, 0.5];
        Csr::new(4, vec![0, 2, 4, 6, 6], vec![1, 2, 0, 2, 0, 1], cosines).unwrap()
    }

    #[test]
    fn the_shorter_way_round_is_taken() {
        let found = shortest_paths(&triangle(), 0);
        assert_eq!(found[..3], [0.0, 2.0, 4.0]);
        assert!(found[3].is_infinite());
    }

    #[test]
    fn unreachable_rows_are_near_or_far_as_asked() {
        let found = || distances_from(&triangle(), &[0, 1], &Run::new(0)).unwrap();
        assert_eq!(found().means(false), [1.0, 1.0, 3.0, 0.0]);
        assert_eq!(found().means(true), [1.0, 1.0, 3.0, 3.0]);
    }

    /// Words 0-2 make one chain of rows, words 3-5 another; word 2 and word 3 meet in one row.
    fn two_chains() -> PuData {
        let rows: [&[u32]; 9] = [&[0, 1], &[0], &[1], &[1, 2], &[2, 3], &[3, 4], &[4, 5], &[4], &[]];
        let mut x = crate::data::CsrBuilder::with_capacity(6, 9, 0);
        rows.iter().for_each(|row| x.push_entries(row.iter().map(|j| (*j, 1.0))));
        PuData::new(Data::Sparse(Arc::new(x.finish())), (0..9).map(|i| i == 0).collect()).unwrap()
    }

    #[test]
    fn labels_stop_where_the_chains_meet() {
        for spreading in [Spreading::Gfhf, Spreading::Llgc] {
            let method = LpPul { k: 3, negatives: 2.0, spreading, ..LpPul::default() };
            let fitted = method.fit(&two_chains(), &Run::new(0)).unwrap();
            let positive: Vec<bool> = fitted.scores.iter().map(|s| *s >= 0.5).collect();
            assert_eq!(positive[..4], [true; 4], "{spreading:?}: {:?}", fitted.scores);
            assert_eq!(positive[5..], [false; 4], "{spreading:?}: {:?}", fitted.scores);
            assert_eq!(fitted.scores[8], 0.0, "an empty row is negative");
        }
    }

    #[test]
    fn new_rows_ask_their_neighbours() {
        use crate::method::Model;
        let fitted =
            LpPul { k: 2, negatives: 2.0, ..LpPul::default() }.fit(&two_chains(), &Run::new(0)).unwrap();
        let new = Csr::new(6, vec![0, 2, 4, 4], vec![0, 1, 4, 5], vec![1.0; 4]).unwrap();
        let new = Data::Sparse(Arc::new(new));
        let scores = fitted.model.score(&new, &Run::new(0)).unwrap();
        assert!(scores[0] > 0.5 && scores[1] < 0.5 && scores[2] == 0.0, "{scores:?}");
        let why = fitted.model.explain(&new, 0, 1).unwrap();
        assert!(why[0].push > 0.0);
    }
}
