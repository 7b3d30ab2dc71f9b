//! Features that sum up all that an example is related to: counts, shares, modes, averages
//! (Neville, Jensen, Friedland & Hay 2003).
//!
//! A feature is a path, one or two literals that lead from an example to others, and what is asked of all
//! its bindings at once: how many there are, how often a value occurs, which is the most frequent, what
//! the mean of a number is.

use rayon::prelude::*;

use super::bindings::{Bindings, Projection};
use super::candidates::{Candidate, Pattern, Slot};
use super::facts::{Domain, Facts};
use super::joins::{Budget, Probe};
use super::literal::{Literal, Term, Test, Variable, quoted, test_text, variable_name};
use super::rules;
use super::{Background, Relational};

/// Values of one variable that become features, at most.
const MOST_VALUES: usize = 100;

/// Stands for "any number".
const ANY: Term = Term::AtLeast(f64::MIN);

/// What is asked of all bindings of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aggregate {
    /// How many there are.
    Count,
    /// In how many the variable has the value.
    CountOf { variable: Variable, value: u32 },
    /// In what share of them it has.
    ShareOf { variable: Variable, value: u32 },
    /// 1 if no other value is more frequent; the first by name among equals.
    ModeIs { variable: Variable, value: u32 },
    /// The mean of the number in the last literal.
    Average,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    pub path: Test,
    pub aggregate: Aggregate,
}

/// A feature with its values; what is undefined is NaN.
pub struct FeatureColumn {
    pub feature: Feature,
    pub values: Vec<f64>,
}

/// All features of all candidates for the examples, and how many keys met the cap on bindings.
pub fn columns(
    facts: &Facts,
    candidates: &[Candidate],
    examples: &Bindings,
    cap: usize,
) -> (Vec<FeatureColumn>, usize) {
    let head = examples.variables() as Variable;
    let mut paths: Vec<Path> = Vec::new();
    for candidate in candidates {
        paths.push(Path::new(&[&candidate.first], head));
        paths.extend(candidate.seconds.iter().map(|second| Path::new(&[&candidate.first, second], head)));
    }
    let found: Vec<(Vec<FeatureColumn>, usize)> = paths
        .par_iter()
        .map(|path| {
            let projection = examples.project(&path.known(examples));
            let (values, capped) = path.evaluate(facts, examples, &projection, cap);
            (path.columns(facts, &values, &projection), capped)
        })
        .collect();
    let capped = found.iter().map(|(_, c)| c).sum();
    (found.into_iter().flat_map(|(columns, _)| columns).collect(), capped)
}

/// One feature for other examples.
pub fn column(facts: &Facts, feature: &Feature, examples: &Bindings, cap: usize) -> Vec<f64> {
    let path = Path { test: feature.path.clone(), variables: feature.variable().into_iter().collect() };
    let projection = examples.project(&path.known(examples));
    let (values, _) = path.evaluate(facts, examples, &projection, cap);
    by_row(&path.of_keys(facts, &values, feature.aggregate), &projection)
}

impl Feature {
    /// The type of a variable of the path.
    pub(super) fn value_type(&self, variable: Variable, facts: &Facts) -> Option<u32> {
        value_type(&self.path, variable, facts)
    }

    fn variable(&self) -> Option<Variable> {
        match self.aggregate {
            Aggregate::CountOf { variable, .. }
            | Aggregate::ShareOf { variable, .. }
            | Aggregate::ModeIs { variable, .. } => Some(variable),
            Aggregate::Count | Aggregate::Average => None,
        }
    }

    /// `count(publication(C,A)) >= 3`
    pub fn text(&self, threshold: f64, background: &Background) -> String {
        let facts = &background.facts;
        let path = test_text(&self.path, facts).replace(&format!(" >= {}", f64::MIN), "");
        let value = |variable: Variable, value: u32| {
            let name =
                value_type(&self.path, variable, facts).map_or("?", |t| facts.constants(t).name(value));
            (variable_name(variable), quoted(name))
        };
        match self.aggregate {
            Aggregate::Count => format!("count({path}) >= {threshold}"),
            Aggregate::CountOf { variable, value: v } => {
                let (name, v) = value(variable, v);
                format!("count({path}, {name} = {v}) >= {threshold}")
            }
            Aggregate::ShareOf { variable, value: v } => {
                let (name, v) = value(variable, v);
                format!("share({name} = {v} in {path}) >= {threshold}")
            }
            Aggregate::ModeIs { variable, value: v } => {
                let (name, v) = value(variable, v);
                format!("mode({name} in {path}) = {v}")
            }
            Aggregate::Average => format!("average({path}) >= {threshold}"),
        }
    }

    /// A condition on one example, over its distinct bindings: a row that stands twice is one fact.
    pub fn sql(&self, threshold: f64, x: &Relational, row: usize) -> String {
        let literals: Vec<&Literal> = self.path.iter().collect();
        let constants: Vec<&str> = x.constants(row).collect();
        let body = rules::body(&literals, x, &constants);
        let name = |variable: Variable| format!("v{variable}");
        let mut columns: Vec<String> =
            body.places().iter().map(|(v, place)| format!("{} AS {}", place.text, name(*v))).collect();
        columns.extend(body.number.as_ref().map(|place| format!("{} AS n", place.number())));
        if columns.is_empty() {
            columns.push("1 AS one".into());
        }
        let from = format!("FROM (SELECT DISTINCT {} FROM {}) AS b", columns.join(", "), body.from());
        let facts = x.facts();
        let equals = |variable: Variable, v: u32| {
            let value = value_type(&self.path, variable, facts).map_or("?", |t| facts.constants(t).name(v));
            body.place(variable).map_or("1 = 0".into(), |place| place.named(&name(variable)).equals(value))
        };
        match self.aggregate {
            Aggregate::Count => format!("(SELECT count(*) {from}) >= {threshold}"),
            Aggregate::CountOf { variable, value } => format!(
                "(SELECT count(CASE WHEN {} THEN 1 END) {from}) >= {threshold}",
                equals(variable, value)
            ),
            Aggregate::ShareOf { variable, value } => format!(
                "(SELECT avg(CASE WHEN {} THEN 1.0 ELSE 0 END) {from}) >= {threshold}",
                equals(variable, value)
            ),
            Aggregate::ModeIs { variable, value } => {
                let column = name(variable);
                format!(
                    "(SELECT {} {from} GROUP BY {column} ORDER BY count(*) DESC, CAST({column} AS TEXT) LIMIT 1)",
                    equals(variable, value)
                )
            }
            Aggregate::Average => format!("(SELECT avg(n) {from}) >= {threshold}"),
        }
    }
}

fn value_type(path: &[Literal], variable: Variable, facts: &Facts) -> Option<u32> {
    path.iter().find_map(|literal| {
        let domains = &facts.relation(literal.relation).domains;
        literal.terms.iter().zip(domains).find_map(|(term, domain)| match (term, domain) {
            (Term::Variable(v), Domain::Type(t)) if *v == variable => Some(*t),
            _ => None,
        })
    })
}

/// A path with the variables whose values are tallied.
struct Path {
    test: Test,
    variables: Vec<Variable>,
}

/// A value and how often it was met.
type Tally = (u32, u32);

/// What the bindings of each key add up to.
struct PathValues {
    count: Vec<f64>,
    /// By tallied variable: where the tallies of each key start, and the tallies.
    tallies: Vec<(Vec<u32>, Vec<Tally>)>,
    sum: Vec<f64>,
}

impl Path {
    /// Open constants become variables whose values are tallied. Variables that are not the example's are
    /// numbered in the order in which they appear.
    fn new(patterns: &[&Pattern], head: Variable) -> Self {
        let mut renamed: Vec<Option<Variable>> = Vec::new();
        let mut variables = Vec::new();
        let mut literal = |pattern: &Pattern| {
            let terms = pattern.slots.iter().map(|slot| match slot {
                Slot::Known(v) | Slot::New(v) if *v < head => Term::Variable(*v),
                Slot::Known(v) | Slot::New(v) => {
                    let at = renamed.iter().position(|r| *r == Some(*v)).unwrap_or_else(|| {
                        renamed.push(Some(*v));
                        renamed.len() - 1
                    });
                    Term::Variable(head + at as Variable)
                }
                Slot::Constant => {
                    renamed.push(None);
                    variables.push(head + renamed.len() as Variable - 1);
                    Term::Variable(head + renamed.len() as Variable - 1)
                }
                Slot::Threshold => ANY,
            });
            Literal { relation: pattern.relation, terms: terms.collect() }
        };
        let test = patterns.iter().map(|p| literal(p)).collect();
        Path { test, variables }
    }

    fn known(&self, examples: &Bindings) -> Vec<Variable> {
        let mut known: Vec<Variable> =
            self.test.iter().flat_map(Literal::variables).filter(|v| examples.has(*v)).collect();
        known.sort_unstable();
        known.dedup();
        known
    }

    fn has_number(&self) -> bool {
        self.test
            .last()
            .is_some_and(|l| l.terms.iter().any(|t| matches!(t, Term::AtLeast(_) | Term::Below(_))))
    }

    fn evaluate(
        &self,
        facts: &Facts,
        examples: &Bindings,
        projection: &Projection,
        cap: usize,
    ) -> (PathValues, usize) {
        let mut introduced: Vec<Variable> = Vec::new();
        let probes: Vec<Probe<'_>> = (self.test.iter())
            .map(|literal| {
                let probe = Probe::new(facts, literal, |v| examples.has(v) || introduced.contains(&v));
                introduced.extend(literal.variables().filter(|v| !examples.has(*v)));
                probe
            })
            .collect();
        let width = self.test.iter().flat_map(Literal::variables).max().map_or(0, |v| v as usize + 1);
        let mut environment = vec![0; width.max(examples.variables())];
        let budget = Budget::new(cap);
        let has_number = self.has_number();
        let mut values = PathValues {
            count: Vec::with_capacity(projection.keys()),
            tallies: self.variables.iter().map(|_| (vec![0], Vec::new())).collect(),
            sum: Vec::with_capacity(if has_number { projection.keys() } else { 0 }),
        };
        let mut own: Vec<Vec<u32>> = vec![Vec::new(); self.variables.len()];
        for key in 0..projection.keys() {
            projection.load(key, &mut environment);
            budget.restart();
            let (mut count, mut sum) = (0usize, 0.0);
            own.iter_mut().for_each(Vec::clear);
            each_solution(&probes, &mut environment, &budget, &mut |environment, number| {
                count += 1;
                sum += number();
                own.iter_mut().zip(&self.variables).for_each(|(o, v)| o.push(environment[*v as usize]));
            });
            values.count.push(count as f64);
            if has_number {
                values.sum.push(sum);
            }
            for (own, (starts, tallies)) in own.iter_mut().zip(&mut values.tallies) {
                own.sort_unstable();
                tallies.extend(own.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)));
                starts.push(tallies.len() as u32);
            }
        }
        (values, budget.capped())
    }

    /// Every feature of the path that differs between keys.
    fn columns(&self, facts: &Facts, values: &PathValues, projection: &Projection) -> Vec<FeatureColumn> {
        let several = values.count.iter().any(|c| *c > 1.0);
        let mut aggregates = Vec::new();
        if self.has_number() {
            aggregates.push(Aggregate::Average);
        } else {
            aggregates.push(Aggregate::Count);
        }
        for (variable, (_, tallies)) in self.variables.iter().zip(&values.tallies) {
            let mut seen: Vec<u32> = tallies.iter().map(|(value, _)| *value).collect();
            seen.sort_unstable();
            let mut by_frequency: Vec<(usize, u32)> =
                seen.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0])).collect();
            by_frequency.sort_by_key(|(count, value)| (std::cmp::Reverse(*count), *value));
            for (_, value) in by_frequency.into_iter().take(MOST_VALUES) {
                aggregates.push(Aggregate::CountOf { variable: *variable, value });
                if several {
                    aggregates.push(Aggregate::ShareOf { variable: *variable, value });
                    aggregates.push(Aggregate::ModeIs { variable: *variable, value });
                }
            }
        }
        (aggregates.into_iter())
            .filter_map(|aggregate| {
                let of_keys = self.of_keys(facts, values, aggregate);
                let varies = of_keys.iter().any(|v| v.to_bits() != of_keys[0].to_bits());
                varies.then(|| FeatureColumn {
                    feature: Feature { path: self.test.clone(), aggregate },
                    values: by_row(&of_keys, projection),
                })
            })
            .collect()
    }

    fn of_keys(&self, facts: &Facts, values: &PathValues, aggregate: Aggregate) -> Vec<f64> {
        let tallies = |variable: Variable| {
            let at = self.variables.iter().position(|v| *v == variable).expect("a tallied variable");
            let (starts, all) = &values.tallies[at];
            starts.windows(2).map(move |w| &all[w[0] as usize..w[1] as usize])
        };
        let of = |own: &[(u32, u32)], value: u32| {
            own.binary_search_by_key(&value, |(v, _)| *v).map_or(0.0, |at| f64::from(own[at].1))
        };
        match aggregate {
            Aggregate::Count => values.count.clone(),
            Aggregate::CountOf { variable, value } => tallies(variable).map(|own| of(own, value)).collect(),
            Aggregate::ShareOf { variable, value } => {
                tallies(variable).zip(&values.count).map(|(own, count)| of(own, value) / count).collect()
            }
            Aggregate::ModeIs { variable, value } => {
                let name =
                    |v: u32| value_type(&self.test, variable, facts).map(|t| facts.constants(t).name(v));
                tallies(variable)
                    .map(|own| {
                        let mode = own.iter().max_by_key(|(v, count)| (*count, std::cmp::Reverse(name(*v))));
                        mode.map_or(f64::NAN, |(v, _)| f64::from(u8::from(*v == value)))
                    })
                    .collect()
            }
            Aggregate::Average => {
                values.sum.iter().zip(&values.count).map(|(sum, count)| sum / count).collect()
            }
        }
    }
}

/// The values of keys by row; at the root an example has one.
fn by_row(of_keys: &[f64], projection: &Projection) -> Vec<f64> {
    projection.key_of_row().iter().map(|&key| of_keys[key as usize]).collect()
}

/// Sees one binding, and through the second argument the number of the last literal.
type Visit<'a> = dyn FnMut(&[u32], &dyn Fn() -> f64) + 'a;

/// Visits every binding.
fn each_solution(
    probes: &[Probe<'_>],
    environment: &mut [u32],
    budget: &Budget,
    visit: &mut Visit<'_>,
) -> bool {
    match probes {
        [] => true,
        [last] => last.each(environment, |environment, index, at| {
            let more = budget.spend();
            if more {
                visit(environment, &|| index.number_or_zero(at));
            }
            more
        }),
        [first, rest @ ..] => first.each(environment, |environment, _, _| {
            budget.spend() && each_solution(rest, environment, budget, visit)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::candidates::candidates;
    use crate::relations::{FactsBuilder, Target, modes};
    use std::sync::Arc;

    /// ann has the films f1 (drama, 2), f2 (drama, 4), f3 (crime, 9); bob has f3; cy has none.
    fn films() -> Relational {
        let mut builder = FactsBuilder::new();
        let text = "cast(-film,+person)\nkind(+film,#kind)\nrating(+film,>number)";
        let modes = modes::declare(&modes::parse(text).unwrap().declarations, &mut builder).unwrap();
        let [cast, kind, rating] = ["cast", "kind", "rating"].map(|n| builder.find(n).unwrap());
        for (film, genre, stars) in [("f1", "drama", "2"), ("f2", "drama", "4"), ("f3", "crime", "9")] {
            builder.push(cast, &[film, "ann"]).unwrap();
            builder.push(kind, &[film, genre]).unwrap();
            builder.push(rating, &[film, stars]).unwrap();
        }
        builder.push(cast, &["f3", "bob"]).unwrap();
        let person = builder.type_named("person");
        let column = ["ann", "bob", "cy"].map(|n| builder.intern(person, n)).to_vec();
        let target = Target { name: "famous".into(), types: vec![person] };
        Relational::new(Arc::new(Background::new(builder.finish(), modes, target)), vec![column]).unwrap()
    }

    #[test]
    fn every_aggregate_by_hand() {
        let x = films();
        let examples = Bindings::of_examples(x.arguments(), &[0, 1, 2]);
        let all = candidates(x.facts(), &x.background.modes, &x.background.head(), 1, 2);
        let (found, capped) = columns(x.facts(), &all, &examples, 100);
        assert_eq!(capped, 0);
        let described: Vec<(String, Vec<f64>)> =
            found.iter().map(|c| (c.feature.text(1.0, &x.background), c.values.clone())).collect();
        let of = |text: &str| {
            let found = described.iter().find(|(t, _)| t == text);
            found.unwrap_or_else(|| panic!("{text} is not in {described:?}")).1.clone()
        };
        assert_eq!(of("count(cast(B,A)) >= 1"), [3.0, 1.0, 0.0]);
        assert_eq!(of("count(cast(B,A), kind(B,C), C = drama) >= 1"), [2.0, 0.0, 0.0]);
        let share = of("share(C = drama in cast(B,A), kind(B,C)) >= 1");
        assert!((share[0] - 2.0 / 3.0).abs() < 1e-12 && share[1] == 0.0 && share[2].is_nan());
        let mode = of("mode(C in cast(B,A), kind(B,C)) = drama");
        assert!(mode[0] == 1.0 && mode[1] == 0.0 && mode[2].is_nan());
        let average = of("average(cast(B,A), rating(B)) >= 1");
        assert!(average[0] == 5.0 && average[1] == 9.0 && average[2].is_nan());
        for column in &found {
            let again = super::column(x.facts(), &column.feature, &examples, 100);
            let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&again), bits(&column.values), "{:?}", column.feature);
        }
    }

    #[test]
    fn aggregates_as_sql() {
        let x = films();
        let examples = Bindings::of_examples(x.arguments(), &[0, 1, 2]);
        let all = candidates(x.facts(), &x.background.modes, &x.background.head(), 1, 2);
        let sql: Vec<String> =
            columns(x.facts(), &all, &examples, 100).0.iter().map(|c| c.feature.sql(1.0, &x, 0)).collect();
        for expected in [
            "(SELECT count(*) FROM (SELECT DISTINCT t1.argument1 AS v1 FROM \"cast\" AS t1 WHERE t1.argument2 = 'ann') AS b) >= 1",
            "(SELECT avg(n) FROM (SELECT DISTINCT t1.argument1 AS v1, t2.argument2 AS n FROM \"cast\" AS t1, rating AS t2 WHERE t1.argument2 = 'ann' AND t2.argument1 = t1.argument1) AS b) >= 1",
            "(SELECT v2 = 'drama' FROM (SELECT DISTINCT t1.argument1 AS v1, t2.argument2 AS v2 FROM \"cast\" AS t1, kind AS t2 WHERE t1.argument2 = 'ann' AND t2.argument1 = t1.argument1) AS b GROUP BY v2 ORDER BY count(*) DESC, CAST(v2 AS TEXT) LIMIT 1)",
        ] {
            assert!(sql.iter().any(|s| s == expected), "{expected} is not in {sql:#?}");
        }
    }
}
