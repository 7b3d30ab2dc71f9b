//! Prim's algorithm through lists of the rows that hold a word: only rows that share a word are visited.
//!
//! Rows without a common word need no visit. By cosine and Jaccard they lie at distance 1, further than any
//! row that shares a word. By Hamming they lie at the sum of their sizes, so of all rows inside the tree
//! only the smallest counts, and of all rows outside only the smallest too.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Edge;
use crate::error::Result;
use crate::parts::binary_rows::{BinaryRows, Distance};
use crate::run::Run;

/// Steps of about a nanosecond.
pub fn cost(rows: &BinaryRows, part: &[u32]) -> f64 {
    let mut held = vec![0u32; rows.cols];
    part.iter().flat_map(|&row| rows.words(row as usize)).for_each(|&word| held[word as usize] += 1);
    let visits: f64 = held.iter().map(|n| 0.5 * f64::from(*n).powi(2)).sum();
    2.0 * visits + 100.0 * part.len() as f64
}

/// The tree of these rows, in the order it grew.
pub fn tree(rows: &BinaryRows, part: &[u32], distance: Distance, run: &Run) -> Result<Vec<Edge>> {
    if part.is_empty() {
        return Ok(Vec::new());
    }
    let mut grower = Grower::new(rows, part, distance);
    let mut edges = Vec::with_capacity(part.len() - 1);
    let mut last = grower.smallest_outside().expect("a row");
    loop {
        grower.take(last);
        let Some(next) = grower.next() else { return Ok(edges) };
        if edges.len() % 256 == 0 {
            run.step("growing the spanning tree", edges.len() as u64, part.len() as u64)?;
        }
        let (a, b) = (part[next.inside as usize], part[next.outside as usize]);
        edges.push(Edge { a: a.min(b), b: a.max(b), distance: next.distance });
        last = next.outside;
    }
}

/// A way from the tree to a row outside; rows are numbered by their place in the part.
#[derive(Clone, Copy, PartialEq)]
struct Way {
    distance: f64,
    outside: u32,
    inside: u32,
}

impl Eq for Way {}

/// The shortest way comes out of the heap first.
impl Ord for Way {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.distance.total_cmp(&self.distance))
            .then_with(|| (other.outside, other.inside).cmp(&(self.outside, self.inside)))
    }
}

impl PartialOrd for Way {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Grower<'a> {
    rows: &'a BinaryRows,
    part: &'a [u32],
    distance: Distance,
    sizes: Vec<u32>,
    /// For each word the rows outside that hold it, and some inside that were not yet cleared away.
    holders: Vec<Vec<u32>>,
    inside: Vec<bool>,
    /// The shortest way found to each row outside.
    nearest: Vec<f64>,
    ways: BinaryHeap<Way>,
    /// All rows by size, the smallest last; those inside are dropped when they come up.
    by_size: Vec<u32>,
    smallest_inside: Option<u32>,
    /// Words in common with the row just taken; zero between rows.
    common: Vec<u32>,
    touched: Vec<u32>,
}

impl<'a> Grower<'a> {
    fn new(rows: &'a BinaryRows, part: &'a [u32], distance: Distance) -> Self {
        let n = part.len();
        let sizes: Vec<u32> = part.iter().map(|&row| rows.size(row as usize)).collect();
        let mut holders = vec![Vec::new(); rows.cols];
        for (place, &row) in part.iter().enumerate() {
            rows.words(row as usize).iter().for_each(|&word| holders[word as usize].push(place as u32));
        }
        let mut by_size: Vec<u32> = (0..n as u32).collect();
        by_size.sort_by_key(|&place| std::cmp::Reverse((sizes[place as usize], place)));
        Grower {
            rows,
            part,
            distance,
            sizes,
            holders,
            inside: vec![false; n],
            nearest: vec![f64::INFINITY; n],
            ways: BinaryHeap::new(),
            by_size,
            smallest_inside: None,
            common: vec![0; n],
            touched: Vec::new(),
        }
    }

    /// Puts a row into the tree and finds the ways that it opens.
    fn take(&mut self, row: u32) {
        let size = self.sizes[row as usize];
        self.inside[row as usize] = true;
        if self.smallest_inside.is_none_or(|other| size < self.sizes[other as usize]) {
            self.smallest_inside = Some(row);
        }
        let (inside, common, touched) = (&self.inside, &mut self.common, &mut self.touched);
        for &word in self.rows.words(self.part[row as usize] as usize) {
            self.holders[word as usize].retain(|&other| {
                if inside[other as usize] {
                    return false;
                }
                if common[other as usize] == 0 {
                    touched.push(other);
                }
                common[other as usize] += 1;
                true
            });
        }
        for other in self.touched.drain(..) {
            let at = other as usize;
            let distance = self.distance.of(self.common[at], size, self.sizes[at]);
            self.common[at] = 0;
            if distance < self.nearest[at] {
                self.nearest[at] = distance;
                self.ways.push(Way { distance, outside: other, inside: row });
            }
        }
    }

    /// The shortest way out of the tree; none when every row is inside.
    fn next(&mut self) -> Option<Way> {
        while self.ways.peek().is_some_and(|way| self.inside[way.outside as usize]) {
            self.ways.pop();
        }
        let outside = self.smallest_outside()?;
        let inside = self.smallest_inside?;
        // As far as two rows of these sizes can lie apart; if they share words, a shorter way is known.
        let apart = self.distance.of(0, self.sizes[inside as usize], self.sizes[outside as usize]);
        let apart = Way { distance: apart, outside, inside };
        match self.ways.peek() {
            Some(way) if way.distance <= apart.distance => self.ways.pop(),
            _ => Some(apart),
        }
    }

    fn smallest_outside(&mut self) -> Option<u32> {
        while self.by_size.last().is_some_and(|&row| self.inside[row as usize]) {
            self.by_size.pop();
        }
        self.by_size.last().copied()
    }
}
