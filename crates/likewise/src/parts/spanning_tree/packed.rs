//! Prim's algorithm with rows as bits: what two rows have in common is counted 64 words at a time.

use super::Edge;
use crate::error::Result;
use crate::parts::binary_rows::{BinaryRows, Distance};
use crate::run::Run;

/// Steps of about a nanosecond.
pub fn cost(rows: &BinaryRows, part: &[u32]) -> f64 {
    let pairs = 0.5 * (part.len() as f64).powi(2);
    pairs * (2.0 + 0.5 * rows.cols.div_ceil(64) as f64)
}

/// The tree of these rows, in the order it grew.
pub fn tree(rows: &BinaryRows, part: &[u32], distance: Distance, run: &Run) -> Result<Vec<Edge>> {
    let Some((&first, others)) = part.split_first() else { return Ok(Vec::new()) };
    let bits = Bits::new(rows, part);
    // The rows outside the tree: their place among the bits, and the nearest row inside.
    let mut outside: Vec<Outside> = (others.iter().enumerate())
        .map(|(k, &row)| Outside {
            place: k + 1,
            row,
            size: rows.size(row as usize),
            near: first,
            distance: f64::INFINITY,
        })
        .collect();
    let mut edges = Vec::with_capacity(others.len());
    let (mut place, mut row) = (0, first);
    while !outside.is_empty() {
        if edges.len() % 256 == 0 {
            run.step("growing the spanning tree", edges.len() as u64, others.len() as u64)?;
        }
        let (own, size) = (bits.row(place), rows.size(row as usize));
        let mut nearest = 0;
        let mut smallest = f64::INFINITY;
        for (k, other) in outside.iter_mut().enumerate() {
            let common = common(own, bits.row(other.place));
            let d = distance.of(common, size, other.size);
            if d < other.distance {
                (other.distance, other.near) = (d, row);
            }
            if other.distance < smallest {
                (smallest, nearest) = (other.distance, k);
            }
        }
        let next = outside.swap_remove(nearest);
        edges.push(Edge { a: next.near.min(next.row), b: next.near.max(next.row), distance: next.distance });
        (place, row) = (next.place, next.row);
    }
    Ok(edges)
}

struct Outside {
    place: usize,
    row: u32,
    size: u32,
    near: u32,
    distance: f64,
}

#[inline]
fn common(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

struct Bits {
    width: usize,
    bits: Vec<u64>,
}

impl Bits {
    fn new(rows: &BinaryRows, part: &[u32]) -> Self {
        let width = rows.cols.div_ceil(64);
        let mut bits = vec![0u64; width * part.len()];
        for (place, &row) in part.iter().enumerate() {
            for &word in rows.words(row as usize) {
                bits[place * width + word as usize / 64] |= 1 << (word % 64);
            }
        }
        Bits { width, bits }
    }

    fn row(&self, place: usize) -> &[u64] {
        &self.bits[place * self.width..(place + 1) * self.width]
    }
}
