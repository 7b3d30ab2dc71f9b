//! A minimum spanning tree of rows, and the smallest distance across any split of them.
//!
//! Cut property: whatever the split, the smallest distance between its two sides is the smallest tree edge
//! that crosses it. So one tree serves every split, and each costs one walk through the edges.
//!
//! The tree is exact for every distance and needs memory linear in the rows; the time grows with their
//! square. Rows of few words find their neighbours through lists of the rows that hold a word (`lists`),
//! dense ones through bits and popcount (`packed`); whichever is estimated cheaper is taken.

mod lists;
mod packed;

use rayon::prelude::*;

use crate::error::Result;
use crate::parts::binary_rows::{BinaryRows, Distance};
use crate::run::Run;

/// Two distinct rows and their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub a: u32,
    pub b: u32,
    pub distance: f64,
}

/// A tree over the distinct rows, its edges from the shortest on.
#[derive(Clone, Debug)]
pub struct SpanningTree {
    pub edges: Vec<Edge>,
}

/// From this many rows on, the work is divided.
const DIVIDE: usize = 4096;
/// Into so many blocks of rows. Each pair of blocks gives a tree of its own, and the tree of all rows is
/// the tree of the edges of these: an edge that is longest on some cycle among two blocks' rows is longest
/// on that cycle among all rows.
const BLOCKS: usize = 4;

impl SpanningTree {
    pub fn new(rows: &BinaryRows, distance: Distance, run: &Run) -> Result<Self> {
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        // The square root changes no comparison, so the Euclidean tree is the Hamming tree.
        let compared = if distance == Distance::Euclidean { Distance::Hamming } else { distance };
        let mut edges = if all.len() < DIVIDE {
            tree_of(rows, &all, compared, run)?
        } else {
            let block = |k: usize| all.iter().copied().skip(k).step_by(BLOCKS);
            let pairs: Vec<(usize, usize)> =
                (0..BLOCKS).flat_map(|i| (i + 1..BLOCKS).map(move |j| (i, j))).collect();
            let parts: Vec<Vec<Edge>> = (pairs.par_iter())
                .map(|&(i, j)| {
                    let mut part: Vec<u32> = block(i).chain(block(j)).collect();
                    part.sort_unstable();
                    tree_of(rows, &part, compared, run)
                })
                .collect::<Result<_>>()?;
            shortest(parts.concat(), rows.len())
        };
        edges.sort_by(order);
        if distance == Distance::Euclidean {
            edges.iter_mut().for_each(|edge| edge.distance = edge.distance.sqrt());
        }
        Ok(SpanningTree { edges })
    }

    /// The smallest distance between a row on one side and a row on the other; none if a side is empty.
    /// `side` has an element for every row of the matrix, so equal rows may lie on different sides.
    pub fn smallest_across(&self, rows: &BinaryRows, side: &[bool]) -> Option<f64> {
        let mut side_of = vec![None; rows.len()];
        for (&distinct, &side) in rows.distinct_of.iter().zip(side) {
            match side_of[distinct as usize] {
                Some(other) if other != side => return Some(0.0),
                _ => side_of[distinct as usize] = Some(side),
            }
        }
        let crosses = |edge: &&Edge| side_of[edge.a as usize] != side_of[edge.b as usize];
        self.edges.iter().find(crosses).map(|edge| edge.distance)
    }
}

fn order(a: &Edge, b: &Edge) -> std::cmp::Ordering {
    a.distance.total_cmp(&b.distance).then((a.a, a.b).cmp(&(b.a, b.b)))
}

/// Prim's algorithm over some of the rows, by whichever way is cheaper.
fn tree_of(rows: &BinaryRows, part: &[u32], distance: Distance, run: &Run) -> Result<Vec<Edge>> {
    if lists::cost(rows, part) <= packed::cost(rows, part) {
        lists::tree(rows, part, distance, run)
    } else {
        packed::tree(rows, part, distance, run)
    }
}

/// Kruskal's algorithm over given edges.
fn shortest(mut edges: Vec<Edge>, rows: usize) -> Vec<Edge> {
    edges.sort_by(order);
    let mut parent: Vec<u32> = (0..rows as u32).collect();
    fn root(parent: &mut [u32], mut i: u32) -> u32 {
        while parent[i as usize] != i {
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    edges.retain(|edge| {
        let (a, b) = (root(&mut parent, edge.a), root(&mut parent, edge.b));
        parent[a as usize] = b;
        a != b
    });
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, CsrBuilder};
    use proptest::prelude::*;
    use rand::RngExt;

    fn matrix(rows: &[Vec<bool>]) -> Csr {
        let cols = rows.first().map_or(0, Vec::len);
        let mut out = CsrBuilder::with_capacity(cols, rows.len(), 0);
        for row in rows {
            out.push_entries(row.iter().enumerate().map(|(j, v)| (j as u32, f32::from(u8::from(*v)))));
        }
        out.finish()
    }

    fn by_brute_force(rows: &[Vec<bool>], side: &[bool], distance: Distance) -> Option<f64> {
        let size = |row: &[bool]| row.iter().filter(|v| **v).count() as u32;
        let mut smallest: Option<f64> = None;
        for (_, a) in rows.iter().enumerate().filter(|(i, _)| side[*i]) {
            for (_, b) in rows.iter().enumerate().filter(|(j, _)| !side[*j]) {
                let common = a.iter().zip(b).filter(|(x, y)| **x && **y).count() as u32;
                let d = distance.of(common, size(a), size(b));
                smallest = Some(smallest.map_or(d, |s| s.min(d)));
            }
        }
        smallest
    }

    fn is_close(a: Option<f64>, b: Option<f64>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-12,
            (a, b) => a == b,
        }
    }

    proptest! {
        #[test]
        fn every_split_has_its_smallest_distance_on_the_tree(
            rows in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.3), 12), 2..40),
            sides in prop::collection::vec(prop::collection::vec(any::<bool>(), 40), 4),
        ) {
            let x = matrix(&rows);
            let all: Vec<usize> = (0..rows.len()).collect();
            let binary = BinaryRows::new(&x, &all);
            let part: Vec<u32> = (0..binary.len() as u32).collect();
            for distance in Distance::ALL {
                let root = |edges: Vec<Edge>| match distance {
                    Distance::Euclidean => edges.into_iter().map(|e| Edge { distance: e.distance.sqrt(), ..e }).collect(),
                    _ => edges,
                };
                let compared = if distance == Distance::Euclidean { Distance::Hamming } else { distance };
                let run = Run::new(0);
                let trees = [
                    SpanningTree::new(&binary, distance, &run).unwrap().edges,
                    root(lists::tree(&binary, &part, compared, &run).unwrap()),
                    root(packed::tree(&binary, &part, compared, &run).unwrap()),
                ];
                for mut edges in trees {
                    prop_assert_eq!(edges.len(), binary.len() - 1);
                    edges.sort_by(order);
                    let tree = SpanningTree { edges };
                    for side in &sides {
                        let side = &side[..rows.len()];
                        let (found, expected) =
                            (tree.smallest_across(&binary, side), by_brute_force(&rows, side, distance));
                        prop_assert!(is_close(found, expected), "{:?}: {:?} instead of {:?}", distance, found, expected);
                    }
                }
            }
        }
    }

    #[test]
    fn the_divided_tree_is_as_short_as_the_whole_one() {
        let mut rng = Run::new(5).rng("rows", 0);
        let rows: Vec<Vec<bool>> =
            (0..DIVIDE + 500).map(|_| (0..60).map(|_| rng.random_bool(0.12)).collect()).collect();
        let x = matrix(&rows);
        let binary = BinaryRows::new(&x, &(0..rows.len()).collect::<Vec<_>>());
        assert!(binary.len() > DIVIDE);
        let part: Vec<u32> = (0..binary.len() as u32).collect();
        for distance in [Distance::Hamming, Distance::Cosine] {
            let divided = SpanningTree::new(&binary, distance, &Run::new(0)).unwrap().edges;
            let length = |edges: &[Edge]| edges.iter().map(|e| e.distance).sum::<f64>();
            assert_eq!(divided.len(), binary.len() - 1);
            for whole in [lists::tree, packed::tree] {
                let whole = whole(&binary, &part, distance, &Run::new(0)).unwrap();
                assert!((length(&divided) - length(&whole)).abs() < 1e-6, "{distance:?}");
            }
        }
    }
}
