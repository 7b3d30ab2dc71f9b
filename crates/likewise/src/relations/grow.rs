//! Growing a first-order tree from the top, after TILDE (Blockeel & De Raedt 1998).

use rand::RngExt;
use rand_pcg::Pcg64;

use super::bindings::Bindings;
use super::candidates::{Visible, candidates};
use super::literal::{Test, Variable};
use super::search::{Sums, Tried, Weights, try_all};
use super::tree::{Node, Tree};
use super::{Background, Domain, Relational, Sign};
use crate::error::Result;
use crate::run::Run;

/// A gain must exceed the best one before it by this share, so that rounding never decides between equals.
const ROUNDING: f64 = 1e-12;

/// What makes a split good.
pub trait Criterion: Sync {
    /// Whether a split of the node can gain anything.
    fn open(&self, node: &Sums) -> bool;

    /// Only splits with a gain above zero are made.
    fn gain(&self, depth: usize, yes: &Sums, no: &Sums) -> f64;
}

/// How a test is chosen among those that gain.
pub enum SplitChoice {
    /// The largest gain; the earlier of equals.
    Best,
    /// Any, with equal chances.
    Random(Pcg64),
}

/// The shape of the trees.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub depth: usize,
    /// Literals a test may have: 1 or 2.
    pub literals: usize,
    /// Bindings tried for one example.
    pub cap: usize,
}

pub struct Grown {
    pub tree: Tree,
    /// The leaf of each row it was grown on.
    pub leaves: Vec<u32>,
    /// How often the cap on bindings cut something off.
    pub capped: usize,
}

/// Grows a tree on the given rows of `x`; `weights` are in the order of `rows`.
pub fn grow(
    x: &Relational,
    rows: &[usize],
    weights: Weights<'_>,
    shape: Shape,
    criterion: &dyn Criterion,
    choice: &mut SplitChoice,
    run: &Run,
) -> Result<Grown> {
    let mut grower = Grower {
        background: &x.background,
        weights,
        shape,
        criterion,
        choice,
        run,
        nodes: Vec::new(),
        count: 0,
        leaves: vec![0; rows.len()],
        capped: 0,
    };
    let bindings = Bindings::of_examples(x.arguments(), rows);
    let visible = x.background.head();
    let next = visible.len() as Variable;
    grower.node(visible, next, (0..rows.len()).collect(), bindings, 0)?;
    Ok(Grown { tree: Tree { nodes: grower.nodes }, leaves: grower.leaves, capped: grower.capped })
}

struct Grower<'a> {
    background: &'a Background,
    weights: Weights<'a>,
    shape: Shape,
    criterion: &'a dyn Criterion,
    choice: &'a mut SplitChoice,
    run: &'a Run,
    nodes: Vec<Node>,
    count: u32,
    leaves: Vec<u32>,
    capped: usize,
}

impl Grower<'_> {
    /// Adds the node of these examples and everything below it; returns its number.
    fn node(
        &mut self,
        visible: Vec<Visible>,
        next: Variable,
        examples: Vec<usize>,
        bindings: Bindings,
        depth: usize,
    ) -> Result<usize> {
        self.run.step("growing a tree", 0, 0)?;
        let number = self.nodes.len();
        let Some(test) = self.choose(&visible, next, &examples, &bindings, depth) else {
            self.nodes.push(Node::Leaf(self.count));
            examples.iter().for_each(|&e| self.leaves[e] = self.count);
            self.count += 1;
            return Ok(number);
        };
        let facts = &self.background.facts;
        let answer = bindings.ask(facts, &test, self.shape.cap);
        self.capped += answer.capped;
        let side = |held: bool| -> Vec<usize> {
            let of_node = examples.iter().enumerate();
            of_node.filter(|(i, _)| answer.examples.get(*i) == held).map(|(_, e)| *e).collect()
        };
        let (held, failed) = (side(true), side(false));
        let mut inner = visible.clone();
        let mut inner_next = next;
        for literal in &test {
            for (term, domain) in literal.terms.iter().zip(&facts.relation(literal.relation).domains) {
                if let (super::Term::Variable(v), Domain::Type(t)) = (term, domain)
                    && *v >= inner_next
                {
                    inner_next = v + 1;
                    if self.usable(*t) {
                        inner.push(Visible { variable: *v, type_number: *t, head: false });
                    }
                }
            }
        }
        let last = depth + 1 >= self.shape.depth;
        let keep = |v: Variable| !last && inner.iter().any(|i| i.variable == v);
        let (within, capped) = bindings.within(facts, &test, &answer, keep, self.shape.cap);
        self.capped += capped;
        let without = bindings.without(&answer);
        drop(bindings);
        self.nodes.push(Node::Leaf(u32::MAX));
        let yes = self.node(inner, inner_next, held, within, depth + 1)?;
        let no = self.node(visible, next, failed, without, depth + 1)?;
        self.nodes[number] = Node::Split { test, yes, no };
        Ok(number)
    }

    fn choose(
        &mut self,
        visible: &[Visible],
        next: Variable,
        examples: &[usize],
        bindings: &Bindings,
        depth: usize,
    ) -> Option<Test> {
        let gather = |of: &[f64]| -> Vec<f64> { examples.iter().map(|&e| of[e]).collect() };
        let (first, second) = (gather(self.weights.first), gather(self.weights.second));
        let weights = Weights { first: &first, second: &second };
        let all = Sums::of_all(weights);
        if depth >= self.shape.depth || examples.len() < 2 || !self.criterion.open(&all) {
            return None;
        }
        let facts = &self.background.facts;
        let tests = candidates(facts, &self.background.modes, visible, next, self.shape.literals);
        let (tried, capped) = try_all(facts, &tests, bindings, weights, self.shape.cap);
        self.capped += capped;
        let gain = |t: &Tried| {
            let no = all.minus(&t.covered);
            let splits = t.covered.count > 0 && no.count > 0;
            if splits { self.criterion.gain(depth, &t.covered, &no) } else { 0.0 }
        };
        match self.choice {
            SplitChoice::Best => {
                let mut best: Option<(f64, Tried)> = None;
                for candidate in tried {
                    let gain = gain(&candidate);
                    let bar = best.as_ref().map_or(ROUNDING, |(b, _)| b * (1.0 + ROUNDING));
                    if gain > bar {
                        best = Some((gain, candidate));
                    }
                }
                best.map(|(_, t)| t.test)
            }
            SplitChoice::Random(rng) => {
                let mut eligible: Vec<Tried> = tried.into_iter().filter(|t| gain(t) > 0.0).collect();
                if eligible.is_empty() {
                    return None;
                }
                let drawn = rng.random_range(0..eligible.len());
                Some(eligible.swap_remove(drawn).test)
            }
        }
    }

    /// Whether some literal can be asked about a variable of that type.
    fn usable(&self, type_number: u32) -> bool {
        self.background.modes.iter().any(|mode| {
            let domains = &self.background.facts.relation(mode.relation).domains;
            mode.signs.iter().zip(domains).any(|(sign, domain)| {
                *domain == Domain::Type(type_number) && matches!(sign, Sign::Known | Sign::Any | Sign::Inner)
            })
        })
    }
}
