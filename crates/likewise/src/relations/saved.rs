//! Trees by name: what a model file keeps, so that a model can meet other facts than those it was grown on.

use serde::{Deserialize, Serialize};

use super::literal::{Literal, Term, Variable};
use super::symbols::UNKNOWN;
use super::tree::{Node, Tree};
use super::{Background, Domain, Facts};
use crate::error::{Error, Result};

/// More nodes than any tree we grow has.
const MOST_NODES: usize = 1 << 20;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SavedTerm {
    Variable(Variable),
    Constant(String),
    AtLeast(f64),
    Below(f64),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedLiteral {
    relation: String,
    terms: Vec<SavedTerm>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SavedNode {
    Leaf,
    Split { test: Vec<SavedLiteral>, yes: usize, no: usize },
}

/// What a model is about, by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedTarget {
    name: String,
    types: Vec<String>,
}

impl SavedTarget {
    pub fn new(background: &Background) -> Self {
        let target = &background.target;
        let types = target.types.iter().map(|t| background.facts.type_name(*t).to_string()).collect();
        SavedTarget { name: target.name.clone(), types }
    }

    pub fn arity(&self) -> usize {
        self.types.len()
    }

    /// Refuses examples of other types.
    pub fn check(&self, background: &Background) -> Result<()> {
        let types: Vec<&str> =
            background.target.types.iter().map(|t| background.facts.type_name(*t)).collect();
        let same = types.len() == self.types.len()
            && types.iter().zip(&self.types).all(|(a, b)| a.eq_ignore_ascii_case(b));
        if same {
            return Ok(());
        }
        Err(Error::data(format!(
            "the model is of `{}({})`, but the examples are of `{}`",
            self.name,
            self.types.join(","),
            background.signature()
        )))
    }
}

/// A tree with the names of relations and constants instead of their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedTree {
    nodes: Vec<SavedNode>,
}

impl SavedTree {
    pub fn new(tree: &Tree, facts: &Facts) -> Self {
        let saved = |literal: &Literal| SavedLiteral::new(literal, facts);
        let nodes = (tree.nodes.iter())
            .map(|node| match node {
                Node::Leaf(_) => SavedNode::Leaf,
                Node::Split { test, yes, no } => {
                    SavedNode::Split { test: test.iter().map(saved).collect(), yes: *yes, no: *no }
                }
            })
            .collect();
        SavedTree { nodes }
    }

    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|n| matches!(n, SavedNode::Leaf)).count()
    }

    /// Whether the nodes are a tree in depth-first order over tests that can be asked. A file may say anything.
    pub fn check(&self, head: usize) -> Result<()> {
        let broken = || Error::model_file("a tree in it is broken");
        if self.nodes.is_empty() || self.nodes.len() > MOST_NODES {
            return Err(broken());
        }
        let mut reached = vec![false; self.nodes.len()];
        let mut open = vec![(0, head)];
        while let Some((number, known)) = open.pop() {
            match reached.get_mut(number) {
                Some(reached) if !*reached => *reached = true,
                _ => return Err(broken()),
            }
            if let SavedNode::Split { test, yes, no } = &self.nodes[number] {
                if *yes != number + 1 || *no <= *yes {
                    return Err(broken());
                }
                let inner = check_test(test, known).ok_or_else(broken)?;
                open.extend([(*no, known), (*yes, inner)]);
            }
        }
        if reached.iter().all(|r| *r) { Ok(()) } else { Err(broken()) }
    }

    /// The tree over these facts. A constant that they do not have makes its literal false.
    pub fn bind(&self, background: &Background) -> Result<Tree> {
        let facts = &background.facts;
        let mut nodes = vec![Node::Leaf(0); self.nodes.len()];
        let mut leaves = 0;
        let mut open = vec![(0, background.target.types.clone())];
        while let Some((number, mut types)) = open.pop() {
            nodes[number] = match &self.nodes[number] {
                SavedNode::Leaf => {
                    leaves += 1;
                    Node::Leaf(leaves - 1)
                }
                SavedNode::Split { test, yes, no } => {
                    open.push((*no, types.clone()));
                    let test = test.iter().map(|l| l.bind(facts, &mut types)).collect::<Result<_>>()?;
                    open.push((*yes, types));
                    Node::Split { test, yes: *yes, no: *no }
                }
            };
        }
        Ok(Tree { nodes })
    }
}

/// The number of variables after a test, if each literal can be asked when its turn comes.
pub(super) fn check_test(test: &[SavedLiteral], known: usize) -> Option<usize> {
    let mut next = known;
    if test.is_empty() {
        return None;
    }
    for literal in test {
        let before = next;
        let mut joined = false;
        for term in &literal.terms {
            match term {
                SavedTerm::Variable(v) if (*v as usize) < before => joined = true,
                SavedTerm::Variable(v) if *v as usize == next => next += 1,
                SavedTerm::Variable(_) => return None,
                SavedTerm::AtLeast(t) | SavedTerm::Below(t) if !t.is_finite() => return None,
                _ => {}
            }
        }
        if !joined {
            return None;
        }
    }
    Some(next)
}

impl SavedLiteral {
    pub(super) fn new(literal: &Literal, facts: &Facts) -> Self {
        let relation = facts.relation(literal.relation);
        let terms = (literal.terms.iter().zip(&relation.domains))
            .map(|(term, domain)| match (term, domain) {
                (Term::Variable(v), _) => SavedTerm::Variable(*v),
                (Term::Constant(c), Domain::Type(t)) => {
                    SavedTerm::Constant(facts.constants(*t).name(*c).to_string())
                }
                (Term::Constant(_), Domain::Number) => SavedTerm::Constant(String::new()),
                (Term::AtLeast(t), _) => SavedTerm::AtLeast(*t),
                (Term::Below(t), _) => SavedTerm::Below(*t),
            })
            .collect();
        SavedLiteral { relation: relation.name.clone(), terms }
    }

    /// `types` holds the types of the variables so far, and gains those of new ones.
    pub(super) fn bind(&self, facts: &Facts, types: &mut Vec<u32>) -> Result<Literal> {
        let number = facts
            .named(&self.relation)
            .map_err(|e| Error::data(format!("these are not the data that the model was trained on: {e}")))?;
        let relation = facts.relation(number);
        let differ = || {
            Error::data(format!(
                "relation `{}` has other arguments here than in the data that the model was trained on",
                self.relation
            ))
        };
        if relation.arity() != self.terms.len() {
            return Err(differ());
        }
        let terms = (self.terms.iter().zip(&relation.domains))
            .map(|(term, domain)| match (term, domain) {
                (SavedTerm::Variable(v), Domain::Type(t)) => {
                    if *v as usize == types.len() {
                        types.push(*t);
                    }
                    if types[*v as usize] == *t { Ok(Term::Variable(*v)) } else { Err(differ()) }
                }
                (SavedTerm::Constant(name), Domain::Type(t)) => {
                    Ok(Term::Constant(facts.constants(*t).find(name).unwrap_or(UNKNOWN)))
                }
                (SavedTerm::AtLeast(t), Domain::Number) => Ok(Term::AtLeast(*t)),
                (SavedTerm::Below(t), Domain::Number) => Ok(Term::Below(*t)),
                _ => Err(differ()),
            })
            .collect::<Result<_>>()?;
        Ok(Literal { relation: number, terms })
    }
}
