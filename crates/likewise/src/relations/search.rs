//! All candidate tests of a node at once.
//!
//! Candidates that share their first literal share its join; each distinct value of the variables that a
//! test touches is asked once; all constants of an open slot come out of one pass. What remains of a test
//! is whom it covers, summed up: that is all a splitting criterion needs.

use rayon::prelude::*;

use super::bindings::{Bindings, Projection};
use super::bits::Bits;
use super::candidates::{Candidate, Pattern, Slot};
use super::facts::Facts;
use super::joins::{Budget, Probe};
use super::literal::{Literal, Term, Test, Variable};
use super::modes::MOST_CONSTANTS;
use super::symbols::TupleSet;

/// Two numbers an example, in the order of the node's examples; what they mean is the criterion's affair.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    pub first: &'a [f64],
    pub second: &'a [f64],
}

/// How many examples, and the sums of their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    pub count: usize,
    pub first: f64,
    pub second: f64,
}

impl Sums {
    pub fn of_all(weights: Weights<'_>) -> Sums {
        let mut sums = Sums::default();
        (0..weights.first.len()).for_each(|example| sums.add(example, weights));
        sums
    }

    #[inline]
    fn add(&mut self, example: usize, weights: Weights<'_>) {
        self.count += 1;
        self.first += weights.first[example];
        self.second += weights.second[example];
    }

    pub fn minus(&self, other: &Sums) -> Sums {
        Sums {
            count: self.count - other.count,
            first: self.first - other.first,
            second: self.second - other.second,
        }
    }
}

/// A test and whom it covers.
#[derive(Clone, Debug)]
pub struct Tried {
    pub test: Test,
    pub covered: Sums,
}

/// The tests of all candidates in their order, and how many keys met the cap on bindings.
pub fn try_all(
    facts: &Facts,
    candidates: &[Candidate],
    bindings: &Bindings,
    weights: Weights<'_>,
    cap: usize,
) -> (Vec<Tried>, usize) {
    let tasks = tasks(candidates, bindings);
    let mut sets: Vec<&[Variable]> = tasks.iter().map(|t| &t.variables[..]).collect();
    sets.sort_unstable();
    sets.dedup();
    let projections: Vec<Projection> = sets.par_iter().map(|set| bindings.project(set)).collect();
    let results: Vec<(Vec<Ranked>, usize)> = tasks
        .par_iter()
        .map(|task| {
            let at = sets.binary_search(&&task.variables[..]).expect("projected");
            task.run(facts, &candidates[task.candidate], bindings, &projections[at], weights, cap)
        })
        .collect();
    let capped = results.iter().map(|(_, c)| c).sum();
    let mut ranked: Vec<Ranked> = results.into_iter().flat_map(|(ranked, _)| ranked).collect();
    ranked.sort_by_key(|r| r.rank);
    (ranked.into_iter().map(|r| r.tried).collect(), capped)
}

struct Ranked {
    /// One literal before two, then the first literal, the second, the constant.
    rank: (bool, usize, usize, usize),
    tried: Tried,
}

/// A first literal with those second literals that touch the same variables of the node.
struct Task {
    candidate: usize,
    variables: Vec<Variable>,
    seconds: Vec<usize>,
    with_first: bool,
}

fn tasks(candidates: &[Candidate], bindings: &Bindings) -> Vec<Task> {
    let mut out: Vec<Task> = Vec::new();
    for (number, candidate) in candidates.iter().enumerate() {
        let touched = |second: Option<&Pattern>| {
            let known = candidate.first.known().chain(second.into_iter().flat_map(Pattern::known));
            let mut variables: Vec<Variable> = known.filter(|v| bindings.has(*v)).collect();
            variables.sort_unstable();
            variables.dedup();
            variables
        };
        let start = out.len();
        out.push(Task { candidate: number, variables: touched(None), seconds: Vec::new(), with_first: true });
        for (at, second) in candidate.seconds.iter().enumerate() {
            let variables = touched(Some(second));
            match out[start..].iter_mut().find(|t| t.variables == variables) {
                Some(task) => task.seconds.push(at),
                None => out.push(Task { candidate: number, variables, seconds: vec![at], with_first: false }),
            }
        }
    }
    out
}

impl Task {
    fn run(
        &self,
        facts: &Facts,
        candidate: &Candidate,
        bindings: &Bindings,
        projection: &Projection,
        weights: Weights<'_>,
        cap: usize,
    ) -> (Vec<Ranked>, usize) {
        let budget = Budget::new(cap);
        let first = Probe::open(facts, &candidate.first);
        let mut first_holds = Collector::new(facts, &candidate.first, projection.keys());
        let mut seconds: Vec<(Probe<'_>, Collector)> = (self.seconds.iter())
            .map(|&at| {
                let pattern = &candidate.seconds[at];
                (Probe::open(facts, pattern), Collector::new(facts, pattern, projection.keys()))
            })
            .collect();
        let open = seconds.iter().filter(|(_, c)| !matches!(c, Collector::Closed(_))).count();
        let mut environment = vec![0; self.environment_width(candidate, bindings)];
        for key in 0..projection.keys() {
            projection.load(key, &mut environment);
            if seconds.is_empty() {
                first_holds.ask(&first, &mut environment, key);
                continue;
            }
            budget.restart();
            let mut wanted = seconds.len() - open;
            let mut any = false;
            first.each(&mut environment, |environment, _, _| {
                if !budget.spend() {
                    return false;
                }
                any = true;
                for (probe, holds) in &mut seconds {
                    let before = holds.settled(key);
                    if !before {
                        holds.ask(probe, environment, key);
                        wanted -= usize::from(holds.settled(key));
                    }
                }
                wanted > 0 || open > 0
            });
            if any && self.with_first {
                first_holds.mark(key);
            }
        }
        let mut out = Vec::new();
        let mut emit = |second: Option<usize>, holds: Collector, pattern: &Pattern| {
            for (sub, (terms, covered)) in holds.sums(bindings, projection, weights).into_iter().enumerate() {
                let mut test = Vec::with_capacity(2);
                if second.is_some() {
                    test.push(literal(&candidate.first, &[]));
                }
                test.push(literal(pattern, &terms));
                let rank = (second.is_some(), self.candidate, second.unwrap_or(0), sub);
                out.push(Ranked { rank, tried: Tried { test, covered } });
            }
        };
        if self.with_first {
            emit(None, first_holds, &candidate.first);
        }
        for (&at, (_, holds)) in self.seconds.iter().zip(seconds) {
            emit(Some(at), holds, &candidate.seconds[at]);
        }
        (out, budget.capped())
    }

    fn environment_width(&self, candidate: &Candidate, bindings: &Bindings) -> usize {
        let patterns =
            std::iter::once(&candidate.first).chain(self.seconds.iter().map(|&s| &candidate.seconds[s]));
        let variables = patterns.flat_map(|p| &p.slots).filter_map(|s| match s {
            Slot::Known(v) | Slot::New(v) => Some(*v as usize + 1),
            _ => None,
        });
        variables.max().unwrap_or(0).max(bindings.variables())
    }
}

/// The pattern with its open slots filled.
fn literal(pattern: &Pattern, filling: &[Term]) -> Literal {
    let mut filling = filling.iter();
    let terms = (pattern.slots.iter())
        .map(|slot| match slot {
            Slot::Known(v) | Slot::New(v) => Term::Variable(*v),
            Slot::Constant | Slot::Threshold => *filling.next().expect("a term for every open slot"),
        })
        .collect();
    Literal { relation: pattern.relation, terms }
}

/// What is remembered of a pattern, key by key.
enum Collector {
    /// Whether it holds.
    Closed(Bits),
    /// Which constants it holds for.
    Constants {
        arguments: Vec<usize>,
        seen: TupleSet,
        last_key: Vec<u32>,
        starts: Vec<u32>,
        numbers: Vec<u32>,
    },
    /// The smallest and the largest number it holds for.
    Range { cuts: Vec<f64>, low: Vec<f64>, high: Vec<f64> },
}

impl Collector {
    fn new(facts: &Facts, pattern: &Pattern, keys: usize) -> Self {
        if pattern.slots.contains(&Slot::Threshold) {
            let cuts = facts.relation(pattern.relation).cuts().to_vec();
            return Collector::Range {
                cuts,
                low: vec![f64::INFINITY; keys],
                high: vec![f64::NEG_INFINITY; keys],
            };
        }
        let arguments: Vec<usize> =
            (0..pattern.slots.len()).filter(|&a| pattern.slots[a] == Slot::Constant).collect();
        if arguments.is_empty() {
            return Collector::Closed(Bits::new(keys));
        }
        let seen = TupleSet::new(arguments.len());
        Collector::Constants {
            arguments,
            seen,
            last_key: Vec::new(),
            starts: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Whether nothing more can be learned about the key.
    #[inline]
    fn settled(&self, key: usize) -> bool {
        matches!(self, Collector::Closed(bits) if bits.get(key))
    }

    fn mark(&mut self, key: usize) {
        if let Collector::Closed(bits) = self {
            bits.set(key);
        }
    }

    /// Keys are asked in ascending order, possibly several times with other bindings.
    #[inline]
    fn ask(&mut self, probe: &Probe<'_>, environment: &mut [u32], key: usize) {
        match self {
            Collector::Closed(bits) => {
                if probe.exists(environment) {
                    bits.set(key);
                }
            }
            Collector::Constants { arguments, seen, last_key, starts, numbers } => {
                while starts.len() <= key {
                    starts.push(numbers.len() as u32);
                }
                let mut tuple = [0u32; MOST_CONSTANTS];
                probe.each(environment, |_, index, at| {
                    tuple.iter_mut().zip(arguments.iter()).for_each(|(t, a)| *t = index.value(*a, at));
                    let number = seen.insert(&tuple[..arguments.len()]);
                    if number as usize == last_key.len() {
                        last_key.push(u32::MAX);
                    }
                    if last_key[number as usize] != key as u32 {
                        last_key[number as usize] = key as u32;
                        numbers.push(number);
                    }
                    true
                });
            }
            Collector::Range { low, high, .. } => {
                probe.each(environment, |_, index, at| {
                    low[key] = low[key].min(index.number(at));
                    high[key] = high[key].max(index.number(at));
                    true
                });
            }
        }
    }

    /// The sums of every test the pattern stands for, with the terms of its open slots, in order.
    fn sums(
        self,
        bindings: &Bindings,
        projection: &Projection,
        weights: Weights<'_>,
    ) -> Vec<(Vec<Term>, Sums)> {
        match self {
            Collector::Closed(keys) => {
                let mut sums = Sums::default();
                let mut last = usize::MAX;
                bindings.each_key(projection, |example, key| {
                    if example != last && keys.get(key) {
                        last = example;
                        sums.add(example, weights);
                    }
                });
                vec![(Vec::new(), sums)]
            }
            Collector::Constants { seen, mut starts, numbers, .. } => {
                starts.resize(projection.keys() + 1, numbers.len() as u32);
                let mut sums = vec![Sums::default(); seen.len()];
                let mut last = vec![usize::MAX; seen.len()];
                bindings.each_key(projection, |example, key| {
                    for &number in &numbers[starts[key] as usize..starts[key + 1] as usize] {
                        if last[number as usize] != example {
                            last[number as usize] = example;
                            sums[number as usize].add(example, weights);
                        }
                    }
                });
                let mut order: Vec<u32> = (0..seen.len() as u32).collect();
                order.sort_by(|&a, &b| seen.get(a).cmp(seen.get(b)));
                (order.into_iter())
                    .map(|n| (seen.get(n).iter().map(|c| Term::Constant(*c)).collect(), sums[n as usize]))
                    .collect()
            }
            Collector::Range { cuts, low, high } => {
                let mut extremes = vec![(f64::INFINITY, f64::NEG_INFINITY); bindings.examples()];
                bindings.each_key(projection, |example, key| {
                    let (smallest, largest) = &mut extremes[example];
                    *smallest = smallest.min(low[key]);
                    *largest = largest.max(high[key]);
                });
                let tests = cuts.iter().flat_map(|&cut| [Term::AtLeast(cut), Term::Below(cut)]);
                tests
                    .map(|term| {
                        let mut sums = Sums::default();
                        for (example, (smallest, largest)) in extremes.iter().enumerate() {
                            let holds = match term {
                                Term::AtLeast(cut) => *largest >= cut,
                                Term::Below(cut) => *smallest < cut,
                                _ => false,
                            };
                            if holds {
                                sums.add(example, weights);
                            }
                        }
                        (vec![term], sums)
                    })
                    .collect()
            }
        }
    }
}
