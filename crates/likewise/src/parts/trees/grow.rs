//! One extra tree: each node tries a few columns with one random split each and keeps the one that leaves the least
//! risk (Geurts, Ernst & Wehenkel 2006; Wilton et al. 2022).
//!
//! Rows that the tree does not learn from are carried along, so that they are scored by the way.

use std::ops::Range;

use rand::RngExt;
use rand_pcg::Pcg64;

use super::bins::{Bins, Codes};
use super::risk::{Held, PuRisk};
use super::split::{Mask, Split};

/// The field of a leaf.
pub const LEAF: u32 = u32::MAX;
/// So many rows of bytes stay in the nearest cache while several columns are read from them.
const BLOCK: usize = 256;
/// Rows of a node that take no more bytes are copied together, so that all nodes below find them near.
const NEAR: usize = 1 << 17;

/// A node; its left child is the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The column asked, or `LEAF`.
    pub field: u32,
    /// `shift << 8 | most` for a number, the place of a mask for a category.
    pub test: u32,
    /// Where those go that do not go left.
    pub right: u32,
    /// The share of positives here.
    pub value: f32,
}

/// What one tree has learned.
pub struct Tree {
    /// In the order in which they are reached, left before right.
    pub nodes: Vec<Node>,
    /// The levels that go left, for nodes that ask for a category.
    pub masks: Vec<Mask>,
    /// How much risk the splits of each column have taken away.
    pub importance: Vec<f64>,
}

/// The rows that one tree sees.
pub struct Sample {
    /// Labelled positives to learn from.
    pub positives: Vec<u32>,
    /// Rows of the pile to learn from.
    pub pile: Vec<u32>,
    /// Rows to score only.
    pub outside: Vec<u32>,
}

/// How trees grow.
pub struct Growth<'a> {
    /// The rows.
    pub codes: &'a Codes,
    /// How they became bytes.
    pub bins: &'a Bins,
    /// Share of positives in the pile.
    pub prior: f64,
    /// Columns tried in a node, constant ones not counted.
    pub tried: usize,
    /// Levels of nodes below the root.
    pub depth: usize,
}

/// A node to be made: its rows, and whose right child it is.
struct Open {
    positives: Range<usize>,
    pile: Range<usize>,
    outside: Range<usize>,
    right_of: Option<usize>,
    depth: usize,
    /// Whether rows are counted in the copy.
    near: bool,
}

/// The best split of a node so far.
struct Best {
    field: usize,
    split: Split,
    risk: f64,
    left: Held,
}

impl Growth<'_> {
    /// Grows a tree; `score` is told the value that every row outside ends with.
    pub fn tree(&self, mut sample: Sample, rng: &mut Pcg64, mut score: impl FnMut(u32, f32)) -> Tree {
        let held = Held { positives: sample.positives.len(), pile: sample.pile.len() };
        let risk = PuRisk::new(self.prior, held);
        let mut tree = Tree { nodes: Vec::new(), masks: Vec::new(), importance: vec![0.0; self.bins.cols()] };
        let mut search = Search::new(self);
        let mut set_aside = Vec::new();
        let mut copy = Copied::default();
        let mut open = vec![Open {
            positives: 0..held.positives,
            pile: 0..held.pile,
            outside: 0..sample.outside.len(),
            right_of: None,
            depth: 0,
            near: false,
        }];
        while let Some(Open { positives, pile, outside, right_of, depth, mut near }) = open.pop() {
            let at = tree.nodes.len();
            if let Some(parent) = right_of {
                tree.nodes[parent].right = at as u32;
            }
            let held = Held { positives: positives.len(), pile: pile.len() };
            let value = risk.value(held) as f32;
            tree.nodes.push(Node { field: LEAF, test: 0, right: 0, value });
            let before = risk.left(held);
            let rows = positives.len() + pile.len() + outside.len();
            if before > 0.0 && !near && rows * self.codes.fields() <= NEAR {
                near = true;
                copy.clear();
                copy.take(self.codes, &mut sample.positives[positives.clone()]);
                copy.take(self.codes, &mut sample.pile[pile.clone()]);
                copy.take(self.codes, &mut sample.outside[outside.clone()]);
            }
            let bytes = if near { &copy.bytes[..] } else { self.codes.bytes() };
            let best = match before > 0.0 && depth < self.depth {
                true => {
                    let rows = (&sample.positives[positives.clone()], &sample.pile[pile.clone()]);
                    search.best(bytes, rows, &risk, rng).filter(|best| best.risk < before)
                }
                false => None,
            };
            let Some(best) = best else {
                for &row in &sample.outside[outside] {
                    score(if near { copy.rows[row as usize] } else { row }, value);
                }
                continue;
            };
            let right =
                Held { positives: held.positives - best.left.positives, pile: held.pile - best.left.pile };
            // What is missing only later goes with the many.
            let more_left = best.left.pile > right.pile;
            let split =
                if more_left && !search.missing { best.split.with_missing_on_the_left() } else { best.split };
            self.credit(&mut tree, &best, before - best.risk, risk.value(best.left) > risk.value(right));
            let node = &mut tree.nodes[at];
            node.field = best.field as u32;
            node.test = match split {
                Split::AtMost { shift, most } => u32::from(shift) << 8 | u32::from(most),
                Split::Among(mask) => {
                    tree.masks.push(mask);
                    tree.masks.len() as u32 - 1
                }
            };
            let width = self.codes.fields();
            let mut part = |rows: &mut [u32]| {
                let byte = |row: u32| bytes[row as usize * width + best.field];
                match split {
                    Split::AtMost { shift, most } => {
                        partition(rows, |row| byte(row).wrapping_add(shift) <= most, &mut set_aside)
                    }
                    Split::Among(_) => partition(rows, |row| split.left(byte(row)), &mut set_aside),
                }
            };
            let (p, u, o) = (
                positives.start + part(&mut sample.positives[positives.clone()]),
                pile.start + part(&mut sample.pile[pile.clone()]),
                outside.start + part(&mut sample.outside[outside.clone()]),
            );
            let depth = depth + 1;
            open.push(Open {
                positives: p..positives.end,
                pile: u..pile.end,
                outside: o..outside.end,
                right_of: Some(at),
                depth,
                near,
            });
            open.push(Open {
                positives: positives.start..p,
                pile: pile.start..u,
                outside: outside.start..o,
                right_of: None,
                depth,
                near,
            });
        }
        tree
    }

    /// A number has its own column; the levels on the side with more positives share what their split was worth.
    fn credit(&self, tree: &mut Tree, best: &Best, gain: f64, left_is_positive: bool) {
        match best.split {
            Split::AtMost { .. } => tree.importance[self.bins.field(best.field).start] += gain,
            Split::Among(_) => {
                let columns: Vec<usize> = (0..=254)
                    .filter(|byte| best.split.left(*byte) == left_is_positive)
                    .flat_map(|byte| self.bins.columns_of(best.field, byte))
                    .collect();
                columns.iter().for_each(|&column| tree.importance[column] += gain / columns.len() as f64);
            }
        }
    }
}

/// Moves the rows that go left to the front, all in their order, and tells how many they are.
fn partition(rows: &mut [u32], goes_left: impl Fn(u32) -> bool, set_aside: &mut Vec<u32>) -> usize {
    set_aside.resize(rows.len().max(set_aside.len()), 0);
    let (mut left, mut right) = (0, 0);
    for i in 0..rows.len() {
        let row = rows[i];
        let to_left = goes_left(row);
        rows[left] = row;
        set_aside[right] = row;
        left += usize::from(to_left);
        right += usize::from(!to_left);
    }
    rows[left..].copy_from_slice(&set_aside[..right]);
    left
}

/// The rows of a node one after the other, and which they are.
#[derive(Default)]
struct Copied {
    bytes: Vec<u8>,
    rows: Vec<u32>,
}

impl Copied {
    fn clear(&mut self) {
        self.bytes.clear();
        self.rows.clear();
    }

    /// Copies these rows, which from now on are counted here.
    fn take(&mut self, codes: &Codes, rows: &mut [u32]) {
        for row in rows {
            self.bytes.extend_from_slice(codes.row(*row as usize));
            self.rows.push(*row);
            *row = self.rows.len() as u32 - 1;
        }
    }
}

/// Looks for the split of a node; keeps its memory from node to node.
struct Search<'a> {
    growth: &'a Growth<'a>,
    /// The fields, those drawn for this node first.
    order: Vec<usize>,
    /// The bytes of the node's rows, positives before the pile, column by column.
    bytes: Vec<u8>,
    /// Whether something was missing in the best column.
    missing: bool,
}

impl<'a> Search<'a> {
    fn new(growth: &'a Growth) -> Self {
        let order = (0..growth.codes.fields()).collect();
        Search { growth, order, bytes: Vec::new(), missing: false }
    }

    /// The split that leaves the least risk among those tried. Columns that are constant here are replaced by others.
    fn best(&mut self, all: &[u8], rows: (&[u32], &[u32]), risk: &PuRisk, rng: &mut Pcg64) -> Option<Best> {
        let (positives, pile) = rows;
        let held = Held { positives: positives.len(), pile: pile.len() };
        let n = held.positives + held.pile;
        let (mut drawn, mut tried) = (0, 0);
        let mut best: Option<Best> = None;
        while tried < self.growth.tried && drawn < self.order.len() {
            let from = drawn;
            let wanted = (self.growth.tried - tried).min(self.order.len() - drawn);
            for _ in 0..wanted {
                let other = rng.random_range(drawn..self.order.len());
                self.order.swap(drawn, other);
                drawn += 1;
            }
            self.gather(all, from..drawn, positives, pile);
            for (k, at) in (from..drawn).enumerate() {
                let (field, bytes) = (self.order[at], &self.bytes[k * n..(k + 1) * n]);
                let split = match self.growth.bins.field(field).category {
                    true => Split::of_levels(bytes, rng),
                    false => Split::of_numbers(bytes, rng),
                };
                let Some(split) = split else { continue };
                tried += 1;
                let (of_positives, of_pile) = bytes.split_at(held.positives);
                let left = Held { positives: split.count(of_positives), pile: split.count(of_pile) };
                let right = Held { positives: held.positives - left.positives, pile: held.pile - left.pile };
                let left_over = risk.left(left) + risk.left(right);
                if best.as_ref().is_none_or(|best| left_over < best.risk) {
                    self.missing = bytes.contains(&super::bins::NONE);
                    best = Some(Best { field, split, risk: left_over, left });
                }
            }
        }
        best
    }

    /// Reads the bytes of these places of the order, block by block, so that a row is fetched once for all columns.
    fn gather(&mut self, all: &[u8], places: Range<usize>, positives: &[u32], pile: &[u32]) {
        let n = positives.len() + pile.len();
        self.bytes.resize((places.len() * n).max(self.bytes.len()), 0);
        let width = self.growth.codes.fields();
        for (start, rows) in [(0, positives), (positives.len(), pile)] {
            for (block, rows) in rows.chunks(BLOCK).enumerate() {
                let from = start + block * BLOCK;
                for (k, &field) in self.order[places.clone()].iter().enumerate() {
                    let bytes = &mut self.bytes[k * n + from..][..rows.len()];
                    bytes
                        .iter_mut()
                        .zip(rows)
                        .for_each(|(byte, &row)| *byte = all[row as usize * width + field]);
                }
            }
        }
    }
}
