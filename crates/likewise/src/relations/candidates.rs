//! The literals that the modes allow at a node, given the variables that are visible there.
//!
//! Order matters, as equal gains go to the earlier candidate: mode order, existing variables before new
//! ones, tests of one literal before tests of two.

use std::collections::HashSet;

use super::facts::{Domain, Facts};
use super::literal::Variable;
use super::modes::{Mode, Sign};

/// A variable that tests may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visible {
    pub variable: Variable,
    pub type_number: u32,
    /// Whether it is an argument of the target.
    pub head: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    Known(Variable),
    New(Variable),
    /// Every constant in turn.
    Constant,
    /// Every cut of the numbers in turn.
    Threshold,
}

/// A literal with its constants still open.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub relation: u32,
    pub slots: Vec<Slot>,
}

/// A first literal and those that may follow it in a test of two.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub first: Pattern,
    pub seconds: Vec<Pattern>,
}

impl Pattern {
    pub fn known(&self) -> impl Iterator<Item = Variable> + '_ {
        self.slots.iter().filter_map(|s| match s {
            Slot::Known(v) => Some(*v),
            _ => None,
        })
    }

    pub fn new_variables<'a>(&'a self, facts: &'a Facts) -> impl Iterator<Item = Visible> + 'a {
        let domains = &facts.relation(self.relation).domains;
        self.slots.iter().zip(domains).filter_map(|(slot, domain)| match (slot, domain) {
            (Slot::New(variable), Domain::Type(t)) => {
                Some(Visible { variable: *variable, type_number: *t, head: false })
            }
            _ => None,
        })
    }

    /// Whether it stands for one literal and not for a family of them.
    pub fn is_closed(&self) -> bool {
        !self.slots.iter().any(|s| matches!(s, Slot::Constant | Slot::Threshold))
    }

    /// As a literal that comes after its new variables are bound.
    fn bound(&self) -> Pattern {
        let slots = (self.slots.iter())
            .map(|slot| match slot {
                Slot::New(v) => Slot::Known(*v),
                other => *other,
            })
            .collect();
        Pattern { relation: self.relation, slots }
    }
}

/// All candidates with up to `literals` literals; `next` is the first free variable.
pub fn candidates(
    facts: &Facts,
    modes: &[Mode],
    visible: &[Visible],
    next: Variable,
    literals: usize,
) -> Vec<Candidate> {
    let firsts = patterns(facts, modes, visible, next);
    let mut out: Vec<Candidate> = Vec::with_capacity(firsts.len());
    let mut asked = HashSet::new();
    for first in firsts {
        let added: Vec<Visible> = first.new_variables(facts).collect();
        let mut seconds = Vec::new();
        if literals > 1 && !added.is_empty() && first.is_closed() {
            let (all, bound) = ([visible, &added].concat(), first.bound());
            seconds = patterns(facts, modes, &all, next + added.len() as Variable);
            seconds.retain(|second| {
                second.known().any(|v| v >= next)
                    && *second != bound
                    && asked.insert(question(&first, second, next))
            });
        }
        out.push(Candidate { first, seconds });
    }
    out
}

/// The question that `first, second` asks, written so that `second, first` is written the same.
fn question(first: &Pattern, second: &Pattern, next: Variable) -> [(u32, Vec<Slot>); 2] {
    let written = |order: [&Pattern; 2]| {
        let mut renamed: Vec<Variable> = Vec::new();
        order.map(|pattern| {
            let slots = pattern.slots.iter().map(|slot| match slot {
                Slot::Known(v) | Slot::New(v) if *v >= next => {
                    let at = renamed.iter().position(|r| r == v).unwrap_or_else(|| {
                        renamed.push(*v);
                        renamed.len() - 1
                    });
                    Slot::New(next + at as Variable)
                }
                other => *other,
            });
            (pattern.relation, slots.collect())
        })
    };
    written([first, second]).min(written([second, first]))
}

/// The literals of all modes over the visible variables, each once, none with a variable twice.
fn patterns(facts: &Facts, modes: &[Mode], visible: &[Visible], next: Variable) -> Vec<Pattern> {
    let mut out: Vec<Pattern> = Vec::new();
    for mode in modes {
        let domains = &facts.relation(mode.relation).domains;
        let mut partial: Vec<(Vec<Slot>, Variable)> = vec![(Vec::new(), next)];
        for (sign, domain) in mode.signs.iter().zip(domains) {
            let fits = |v: &&Visible| *domain == Domain::Type(v.type_number);
            let mut extended = Vec::new();
            for (slots, free) in &partial {
                let mut extend = |slot: Slot, free: Variable| {
                    extended.push(([&slots[..], &[slot]].concat(), free));
                };
                let known = visible
                    .iter()
                    .filter(fits)
                    .filter(|v| *sign != Sign::Inner || !v.head)
                    .filter(|v| !slots.contains(&Slot::Known(v.variable)));
                match sign {
                    Sign::Known | Sign::Inner => {
                        known.for_each(|v| extend(Slot::Known(v.variable), *free));
                    }
                    Sign::Any => {
                        known.for_each(|v| extend(Slot::Known(v.variable), *free));
                        extend(Slot::New(*free), free + 1);
                    }
                    Sign::New => extend(Slot::New(*free), free + 1),
                    Sign::Constant => extend(Slot::Constant, *free),
                    Sign::Threshold => extend(Slot::Threshold, *free),
                }
            }
            partial = extended;
        }
        for (slots, _) in partial {
            let pattern = Pattern { relation: mode.relation, slots };
            if pattern.known().next().is_some() && !out.contains(&pattern) {
                out.push(pattern);
            }
        }
    }
    out
}
