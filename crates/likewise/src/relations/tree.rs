//! First-order trees: a test at each inner node, no values in the leaves.
//!
//! A test is asked together with all tests that held above it, so it may use their variables; below its
//! "no" branch its own new variables are unknown. Two examples are as far apart as the depth at which
//! their paths part says (Khot, Natarajan & Shavlik 2014, section 3.1).

use rayon::prelude::*;

use super::bindings::Bindings;
use super::literal::{Literal, Test, Variable, test_text};
use super::{Facts, Relational};
use crate::error::Result;
use crate::run::Run;

/// Examples that are routed together.
const BLOCK: usize = 32_768;

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Leaf(u32),
    Split { test: Test, yes: usize, no: usize },
}

/// Nodes in depth-first order, "yes" before "no"; leaves are numbered in that order.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub nodes: Vec<Node>,
}

/// A step from the root: a test, and whether it held.
pub type Step<'a> = (&'a Test, bool);

impl Tree {
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|n| matches!(n, Node::Leaf(_))).count()
    }

    /// The tests on the way to each leaf, by leaf.
    pub fn paths(&self) -> Vec<Vec<Step<'_>>> {
        let mut out = vec![Vec::new(); self.leaves()];
        self.collect_paths(0, &mut Vec::new(), &mut out);
        out
    }

    fn collect_paths<'a>(&'a self, node: usize, path: &mut Vec<Step<'a>>, out: &mut [Vec<Step<'a>>]) {
        match &self.nodes[node] {
            Node::Leaf(leaf) => out[*leaf as usize] = path.clone(),
            Node::Split { test, yes, no } => {
                for (child, holds) in [(*yes, true), (*no, false)] {
                    path.push((test, holds));
                    self.collect_paths(child, path, out);
                    path.pop();
                }
            }
        }
    }

    /// d(leaf, leaf'): 0 for the same leaf, else exp(-lambda depth) of the node where their paths part.
    /// Row by row.
    pub fn distances(&self, lambda: f64) -> Vec<f64> {
        let paths = self.paths();
        let apart = |a: &[Step<'_>], b: &[Step<'_>]| {
            a.iter().zip(b).position(|(x, y)| !std::ptr::eq(x.0, y.0) || x.1 != y.1)
        };
        let rows = paths
            .iter()
            .enumerate()
            .flat_map(|(i, a)| paths.iter().enumerate().map(move |(j, b)| (i, a, j, b)));
        rows.map(|(i, a, j, b)| match apart(a, b) {
            Some(depth) if i != j => (-lambda * depth as f64).exp(),
            _ => 0.0,
        })
        .collect()
    }

    /// The leaf of each of the given rows.
    pub fn route(&self, x: &Relational, rows: &[usize], cap: usize, run: &Run) -> Result<Vec<u32>> {
        let live = self.live_variables();
        let blocks: Vec<Vec<u32>> = rows
            .par_chunks(BLOCK)
            .map(|block| {
                run.step("routing", 0, 0)?;
                Ok(self.route_block(x, block, &live, cap))
            })
            .collect::<Result<_>>()?;
        Ok(blocks.concat())
    }

    fn route_block(&self, x: &Relational, rows: &[usize], live: &[Vec<Variable>], cap: usize) -> Vec<u32> {
        let mut leaves = vec![0; rows.len()];
        let everybody: Vec<u32> = (0..rows.len() as u32).collect();
        let mut open = vec![(0, everybody, Bindings::of_examples(x.arguments(), rows))];
        while let Some((node, examples, bindings)) = open.pop() {
            match &self.nodes[node] {
                Node::Leaf(leaf) => examples.iter().for_each(|&e| leaves[e as usize] = *leaf),
                Node::Split { test, yes, no } => {
                    let answer = bindings.ask(x.facts(), test, cap);
                    let side = |wanted: bool| -> Vec<u32> {
                        let of_node = examples.iter().enumerate();
                        of_node.filter(|(i, _)| answer.examples.get(*i) == wanted).map(|(_, e)| *e).collect()
                    };
                    let (held, failed) = (side(true), side(false));
                    if !failed.is_empty() {
                        open.push((*no, failed, bindings.without(&answer)));
                    }
                    if !held.is_empty() {
                        let keep = |v: Variable| live[*yes].contains(&v);
                        open.push((*yes, held, bindings.within(x.facts(), test, &answer, keep, cap).0));
                    }
                }
            }
        }
        leaves
    }

    /// For each node the variables that it or a node below it asks about.
    fn live_variables(&self) -> Vec<Vec<Variable>> {
        let mut live: Vec<Vec<Variable>> = vec![Vec::new(); self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if let Node::Split { test, yes, no } = node {
                let mut all: Vec<Variable> = test.iter().flat_map(Literal::variables).collect();
                all.extend(live[*yes].iter().chain(&live[*no]));
                all.sort_unstable();
                all.dedup();
                live[number] = all;
            }
        }
        live
    }

    /// The tree as indented lines.
    pub fn text(&self, facts: &Facts) -> Vec<String> {
        let mut lines = Vec::new();
        let mut open = vec![(0, 0)];
        while let Some((node, depth)) = open.pop() {
            let indent = "  ".repeat(depth);
            match &self.nodes[node] {
                Node::Leaf(leaf) => lines.push(format!("{indent}leaf {leaf}")),
                Node::Split { test, yes, no } => {
                    lines.push(format!("{indent}{}", test_text(test, facts)));
                    open.push((*no, depth + 1));
                    open.push((*yes, depth + 1));
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::Term;

    /// p(A) ? (q(A) ? leaf 0 : leaf 1) : leaf 2
    fn small() -> Tree {
        let test = |relation| vec![Literal { relation, terms: vec![Term::Variable(0)] }];
        let nodes = vec![
            Node::Split { test: test(0), yes: 1, no: 4 },
            Node::Split { test: test(1), yes: 2, no: 3 },
            Node::Leaf(0),
            Node::Leaf(1),
            Node::Leaf(2),
        ];
        Tree { nodes }
    }

    #[test]
    fn leaves_that_part_early_are_far_apart() {
        // Leaves 0 and 1 part at depth 1, both part from leaf 2 at the root.
        let near = (-0.5f64).exp();
        assert_eq!(small().distances(0.5), [0.0, near, 1.0, near, 0.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(Tree { nodes: vec![Node::Leaf(0)] }.distances(0.5), [0.0]);
        assert_eq!(small().paths()[1].iter().map(|(_, held)| *held).collect::<Vec<_>>(), [true, false]);
    }
}
