//! Literals answered from the indexes: joins that bind new variables, semi-joins that stop at a witness.

use std::cell::Cell;
use std::ops::Range;

use super::candidates::{Pattern, Slot};
use super::facts::{Facts, Index};
use super::literal::{Literal, Term, Variable};

/// The most bindings that are tried for one key, and whether that was ever too few.
#[derive(Debug)]
pub struct Budget {
    cap: usize,
    tried: Cell<usize>,
    capped: Cell<usize>,
}

impl Budget {
    pub fn new(cap: usize) -> Self {
        Budget { cap: cap.max(1), tried: Cell::new(0), capped: Cell::new(0) }
    }

    /// Starts the count for the next key.
    #[inline]
    pub fn restart(&self) {
        self.tried.set(0);
    }

    /// Counts one binding; false when the cap is reached.
    #[inline]
    pub fn spend(&self) -> bool {
        let tried = self.tried.get() + 1;
        self.tried.set(tried);
        if tried - 1 == self.cap {
            self.capped.set(self.capped.get() + 1);
        }
        tried <= self.cap
    }

    /// How many keys met the cap.
    pub fn capped(&self) -> usize {
        self.capped.get()
    }
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Variable(Variable),
    Constant(u32),
}

impl Value {
    #[inline]
    fn of(self, environment: &[u32]) -> u32 {
        match self {
            Value::Variable(v) => environment[v as usize],
            Value::Constant(c) => c,
        }
    }
}

/// One way into the facts: by an index, then narrowed and filtered by what else is bound.
struct Access<'a> {
    index: &'a Index,
    key: Value,
    /// The argument by which groups of the index are sorted, where it is bound.
    narrow: Option<(usize, Value)>,
    filters: Vec<(usize, Value)>,
}

/// A literal ready to be asked, given which variables are bound before it.
pub struct Probe<'a> {
    accesses: Vec<Access<'a>>,
    outputs: Vec<(usize, Variable)>,
    comparison: Option<Comparison>,
}

#[derive(Clone, Copy)]
enum Comparison {
    AtLeast(f64),
    Below(f64),
}

impl Comparison {
    #[inline]
    fn holds(self, number: f64) -> bool {
        match self {
            Comparison::AtLeast(t) => number >= t,
            Comparison::Below(t) => number < t,
        }
    }
}

impl<'a> Probe<'a> {
    /// `bound` says whether a variable has a value when the literal is asked. At least one must.
    pub fn new(facts: &'a Facts, literal: &Literal, bound: impl Fn(Variable) -> bool) -> Self {
        let values = literal.terms.iter().enumerate().map(|(argument, term)| {
            let value = match term {
                Term::Variable(v) if bound(*v) => Some(Value::Variable(*v)),
                Term::Constant(c) => Some(Value::Constant(*c)),
                _ => None,
            };
            (argument, value)
        });
        let values: Vec<(usize, Option<Value>)> = values.collect();
        let outputs = (literal.terms.iter().enumerate())
            .filter_map(|(argument, term)| match term {
                Term::Variable(v) if !bound(*v) => Some((argument, *v)),
                _ => None,
            })
            .collect();
        let comparison = literal.terms.iter().find_map(|term| match term {
            Term::AtLeast(t) => Some(Comparison::AtLeast(*t)),
            Term::Below(t) => Some(Comparison::Below(*t)),
            _ => None,
        });
        Probe::build(facts, literal.relation, &values, outputs, comparison)
    }

    /// The same for a pattern: its open constants and thresholds are left for the visitor to read.
    pub fn open(facts: &'a Facts, pattern: &Pattern) -> Self {
        let slots = pattern.slots.iter().enumerate();
        let values: Vec<(usize, Option<Value>)> = (slots.clone())
            .map(|(argument, slot)| match slot {
                Slot::Known(v) => (argument, Some(Value::Variable(*v))),
                _ => (argument, None),
            })
            .collect();
        let outputs = slots.filter_map(|(argument, slot)| match slot {
            Slot::New(v) => Some((argument, *v)),
            _ => None,
        });
        Probe::build(facts, pattern.relation, &values, outputs.collect(), None)
    }

    fn build(
        facts: &'a Facts,
        relation: u32,
        values: &[(usize, Option<Value>)],
        outputs: Vec<(usize, Variable)>,
        comparison: Option<Comparison>,
    ) -> Self {
        let relation = facts.relation(relation);
        let bound: Vec<(usize, Value)> = values.iter().filter_map(|(a, v)| v.map(|v| (*a, v))).collect();
        let accesses = (bound.iter())
            .filter_map(|&(argument, key)| relation.index(argument).map(|index| (argument, key, index)))
            .map(|(argument, key, index)| {
                let sorted_by = (0..relation.arity()).find(|&a| a != argument && relation.index(a).is_some());
                let rest = bound.iter().copied().filter(|(a, _)| *a != argument);
                let narrow = rest.clone().find(|(a, _)| Some(*a) == sorted_by);
                let filters = rest.filter(|(a, _)| narrow.is_none_or(|(n, _)| n != *a)).collect();
                Access { index, key, narrow, filters }
            })
            .collect();
        Probe { accesses, outputs, comparison }
    }

    /// The shortest group of facts that can hold a match.
    #[inline]
    fn nearest(&self, environment: &[u32]) -> Option<(&Access<'a>, Range<usize>)> {
        let mut best: Option<(&Access<'a>, Range<usize>)> = None;
        for access in &self.accesses {
            let group = access.index.group(access.key.of(environment));
            if best.as_ref().is_none_or(|(_, range)| group.len() < range.len()) {
                let empty = group.is_empty();
                best = Some((access, group));
                if empty {
                    break;
                }
            }
        }
        let (access, mut range) = best?;
        if let Some((argument, value)) = access.narrow {
            let value = value.of(environment);
            let column = &access.index.column(argument)[range.clone()];
            let from = column.partition_point(|&c| c < value);
            let count = column[from..].partition_point(|&c| c == value);
            range = range.start + from..range.start + from + count;
        }
        Some((access, range))
    }

    /// Calls `visit` with the place of every match until it returns false. Returns whether all were visited.
    #[inline]
    pub fn each(
        &self,
        environment: &mut [u32],
        mut visit: impl FnMut(&mut [u32], &Index, usize) -> bool,
    ) -> bool {
        let Some((access, range)) = self.nearest(environment) else { return true };
        for at in range {
            let fits = access.filters.iter().all(|(a, v)| access.index.value(*a, at) == v.of(environment))
                && self.comparison.is_none_or(|c| c.holds(access.index.number(at)));
            if !fits {
                continue;
            }
            for &(argument, variable) in &self.outputs {
                environment[variable as usize] = access.index.value(argument, at);
            }
            if !visit(environment, access.index, at) {
                return false;
            }
        }
        true
    }

    /// Whether there is a match at all.
    #[inline]
    pub fn exists(&self, environment: &[u32]) -> bool {
        let Some((access, mut range)) = self.nearest(environment) else { return false };
        if access.filters.is_empty() && self.comparison.is_none() {
            return !range.is_empty();
        }
        range.any(|at| {
            access.filters.iter().all(|(a, v)| access.index.value(*a, at) == v.of(environment))
                && self.comparison.is_none_or(|c| c.holds(access.index.number(at)))
        })
    }
}

/// A test ready to be asked: its literals one after the other.
pub struct Query<'a> {
    probes: Vec<Probe<'a>>,
}

impl<'a> Query<'a> {
    /// `bound` says which variables have values before the test.
    pub fn new(facts: &'a Facts, test: &[Literal], bound: impl Fn(Variable) -> bool) -> Self {
        let mut introduced: Vec<Variable> = Vec::new();
        let probes = (test.iter())
            .map(|literal| {
                let probe = Probe::new(facts, literal, |v| bound(v) || introduced.contains(&v));
                introduced.extend(literal.variables().filter(|v| !bound(*v)));
                probe
            })
            .collect();
        Query { probes }
    }

    /// Whether some binding of the new variables satisfies all literals.
    pub fn satisfied(&self, environment: &mut [u32], budget: &Budget) -> bool {
        budget.restart();
        satisfied(&self.probes, environment, budget)
    }

    /// Calls `visit` for every binding until it returns false.
    pub fn solutions(&self, environment: &mut [u32], budget: &Budget, visit: &mut dyn FnMut(&[u32]) -> bool) {
        budget.restart();
        solutions(&self.probes, environment, budget, visit);
    }
}

fn satisfied(probes: &[Probe<'_>], environment: &mut [u32], budget: &Budget) -> bool {
    match probes {
        [] => true,
        [last] => last.exists(environment),
        [first, rest @ ..] => {
            let mut found = false;
            first.each(environment, |environment, _, _| {
                if !budget.spend() {
                    return false;
                }
                found = satisfied(rest, environment, budget);
                !found
            });
            found
        }
    }
}

fn solutions(
    probes: &[Probe<'_>],
    environment: &mut [u32],
    budget: &Budget,
    visit: &mut dyn FnMut(&[u32]) -> bool,
) -> bool {
    match probes {
        [] => visit(environment),
        [first, rest @ ..] => first.each(environment, |environment, _, _| {
            budget.spend() && solutions(rest, environment, budget, visit)
        }),
    }
}
