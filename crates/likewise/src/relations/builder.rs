//! Collecting facts and building their indexes.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::facts::{Domain, Facts, Index, Relation, Source, Words};
use super::symbols::{Constants, whole};
use crate::error::{Error, Result};

/// How many cuts a column of numbers is given at most.
const CUTS: usize = 9;

/// Collects facts; `finish` sorts them and builds the indexes.
#[derive(Default)]
pub struct FactsBuilder {
    types: Vec<(String, Constants)>,
    type_numbers: HashMap<String, u32>,
    relations: Vec<Pending>,
    relation_numbers: HashMap<String, u32>,
    /// Types whose whole numbers are one constant, however they are written.
    by_value: HashSet<u32>,
}

struct Pending {
    name: String,
    domains: Vec<Domain>,
    columns: Vec<Vec<u32>>,
    numbers: Vec<f64>,
    source: Option<Source>,
    /// Thresholds that stand whatever the numbers are.
    cuts: Option<Vec<f64>>,
}

impl FactsBuilder {
    /// No facts yet.
    pub fn new() -> Self {
        FactsBuilder::default()
    }

    /// The type of that name, in any letter case; a new one if there is none.
    pub fn type_named(&mut self, name: &str) -> u32 {
        let types = &mut self.types;
        *self.type_numbers.entry(name.to_ascii_lowercase()).or_insert_with(|| {
            types.push((name.to_string(), Constants::default()));
            types.len() as u32 - 1
        })
    }

    /// Declares a relation, or finds it again; the same name with other arguments is refused.
    pub fn relation(&mut self, name: &str, domains: &[Domain]) -> Result<u32> {
        if let Some(&number) = self.relation_numbers.get(&name.to_ascii_lowercase()) {
            let known = &self.relations[number as usize];
            if known.domains == domains {
                return Ok(number);
            }
            return Err(Error::data(format!(
                "relation `{name}` is declared once as {} and once as {}; give it one list of argument types",
                self.signature(&known.name, &known.domains),
                self.signature(name, domains)
            )));
        }
        if domains.iter().filter(|d| **d == Domain::Number).count() > 1
            || domains.iter().all(|d| *d == Domain::Number)
        {
            return Err(Error::data(format!(
                "relation `{name}` needs at least one argument that is not a number, and at most one that is"
            )));
        }
        let number = self.relations.len() as u32;
        self.relation_numbers.insert(name.to_ascii_lowercase(), number);
        self.relations.push(Pending {
            name: name.to_string(),
            domains: domains.to_vec(),
            columns: domains.iter().map(|_| Vec::new()).collect(),
            numbers: Vec::new(),
            source: None,
            cuts: None,
        });
        Ok(number)
    }

    fn signature(&self, name: &str, domains: &[Domain]) -> String {
        let names: Vec<&str> = (domains.iter())
            .map(|d| match d {
                Domain::Type(t) => self.types[*t as usize].0.as_str(),
                Domain::Number => "number",
            })
            .collect();
        format!("{name}({})", names.join(","))
    }

    /// The relation of that name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.relation_numbers.get(&name.to_ascii_lowercase()).copied()
    }

    /// What the arguments of a relation are.
    pub fn domains(&self, relation: u32) -> &[Domain] {
        &self.relations[relation as usize].domains
    }

    /// Where the facts of a relation come from.
    pub fn set_source(&mut self, relation: u32, source: Source) {
        self.relations[relation as usize].source = Some(source);
    }

    /// Says that the relation's last column is declared to hold numbers and holds words too.
    pub fn set_has_words(&mut self, relation: u32) {
        if let Some(source) = &mut self.relations[relation as usize].source {
            source.words = Words::Many;
        }
    }

    /// Adds a cell that was met among the relation's numbers and is none.
    pub(super) fn add_word(&mut self, relation: u32, cell: &str) {
        if let Some(source) = &mut self.relations[relation as usize].source {
            source.words.add(cell);
        }
    }

    /// From now on `1.0` is the constant `1` of this type.
    pub(super) fn take_whole_numbers_by_value(&mut self, type_number: u32) {
        self.by_value.insert(type_number);
    }

    /// Thresholds for the relation's numbers, instead of their own quantiles.
    pub fn set_cuts(&mut self, relation: u32, cuts: Vec<f64>) {
        self.relations[relation as usize].cuts = Some(cuts);
    }

    /// How many types there are.
    pub fn types(&self) -> usize {
        self.types.len()
    }

    /// The facts of a relation so far, one column for each argument that is not a number.
    pub fn column_ids(&self, relation: u32) -> Vec<Vec<u32>> {
        let pending = &self.relations[relation as usize];
        let typed = pending.domains.iter().zip(&pending.columns).filter(|(d, _)| **d != Domain::Number);
        typed.map(|(_, column)| column.clone()).collect()
    }

    /// What a type is called.
    pub fn type_name(&self, type_number: u32) -> &str {
        &self.types[type_number as usize].0
    }

    /// The constants of a type.
    pub fn constants(&self, type_number: u32) -> &Constants {
        &self.types[type_number as usize].1
    }

    /// The number of a constant; a new one gets the next.
    pub fn intern(&mut self, type_number: u32, name: &str) -> u32 {
        let name = if self.by_value.contains(&type_number) { whole(name) } else { name };
        self.types[type_number as usize].1.intern(name)
    }

    /// Adds a fact as it is written. Refuses a wrong number of arguments and what is not a number.
    pub fn push<S: AsRef<str>>(&mut self, relation: u32, arguments: &[S]) -> Result<()> {
        let pending = &mut self.relations[relation as usize];
        if arguments.len() != pending.domains.len() {
            let takes = match pending.domains.len() {
                1 => "1 argument".to_string(),
                several => format!("{several} arguments"),
            };
            return Err(Error::data(format!(
                "relation `{}` takes {takes}, not {}",
                pending.name,
                arguments.len()
            )));
        }
        if let Some(at) = pending.domains.iter().position(|d| *d == Domain::Number) {
            match arguments[at].as_ref().trim().parse::<f64>() {
                Ok(number) if number.is_finite() => pending.numbers.push(number),
                _ => {
                    let text = arguments[at].as_ref();
                    return Err(Error::data(format!("`{text}` in `{}` is not a number", pending.name)));
                }
            }
        }
        for ((domain, column), argument) in pending.domains.iter().zip(&mut pending.columns).zip(arguments) {
            if let Domain::Type(t) = domain {
                column.push(self.types[*t as usize].1.intern(argument.as_ref()));
            }
        }
        Ok(())
    }

    /// Adds a fact whose constants are interned already; `number` is for its number argument.
    pub fn push_ids(&mut self, relation: u32, constants: &[u32], number: Option<f64>) {
        let pending = &mut self.relations[relation as usize];
        let mut constants = constants.iter();
        for (domain, column) in pending.domains.iter().zip(&mut pending.columns) {
            if let (Domain::Type(_), Some(&constant)) = (domain, constants.clone().next()) {
                column.push(constant);
                constants.next();
            }
        }
        pending.numbers.extend(number);
    }

    /// The facts, indexed.
    pub fn finish(self) -> Facts {
        let sizes: Vec<usize> = self.types.iter().map(|(_, constants)| constants.len()).collect();
        let relations = self.relations.into_par_iter().map(|pending| pending.finish(&sizes)).collect();
        Facts { types: self.types, relations }
    }
}

impl Pending {
    /// Sorts by all arguments and drops repeated facts; each further index is one counting sort away.
    fn finish(self, sizes: &[usize]) -> Relation {
        let Pending { name, domains, mut columns, mut numbers, source, cuts } = self;
        let typed: Vec<(usize, usize)> = (domains.iter().enumerate())
            .filter_map(|(a, d)| match d {
                Domain::Type(t) => Some((a, sizes[*t as usize])),
                Domain::Number => None,
            })
            .collect();
        let count = columns[typed[0].0].len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        if !numbers.is_empty() {
            order.par_sort_by(|&a, &b| numbers[a as usize].total_cmp(&numbers[b as usize]));
        }
        for &(argument, size) in typed.iter().rev() {
            order = counting_sort(&order, &columns[argument], size).0;
        }
        let same = |a: u32, b: u32| {
            typed.iter().all(|&(c, _)| columns[c][a as usize] == columns[c][b as usize])
                && (numbers.is_empty() || numbers[a as usize] == numbers[b as usize])
        };
        let mut kept = 0;
        for i in 0..order.len() {
            if kept == 0 || !same(order[kept - 1], order[i]) {
                order[kept] = order[i];
                kept += 1;
            }
        }
        order.truncate(kept);
        for column in columns.iter_mut().filter(|c| !c.is_empty()) {
            *column = order.iter().map(|&i| column[i as usize]).collect();
        }
        if !numbers.is_empty() {
            numbers = order.iter().map(|&i| numbers[i as usize]).collect();
        }
        let identity: Vec<u32> = (0..kept as u32).collect();
        let mut indexes: Vec<Option<Index>> = domains.iter().map(|_| None).collect();
        for &(argument, size) in &typed {
            let (order, offsets) = counting_sort(&identity, &columns[argument], size);
            let gather = |(c, column): (usize, &Vec<u32>)| {
                if c == argument { Vec::new() } else { in_order(column, &order) }
            };
            indexes[argument] = Some(Index {
                offsets,
                columns: columns.iter().enumerate().map(gather).collect(),
                numbers: in_order(&numbers, &order),
            });
        }
        let cuts = cuts.unwrap_or_else(|| quantile_cuts(numbers));
        Relation { name, domains, rows: kept, source, indexes, cuts }
    }
}

fn in_order<T: Copy>(column: &[T], order: &[u32]) -> Vec<T> {
    if column.is_empty() { Vec::new() } else { order.iter().map(|&i| column[i as usize]).collect() }
}

/// The rows in the order of a column, equal ones as they stood, and where each value's rows start.
fn counting_sort(order: &[u32], column: &[u32], size: usize) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0u32; size + 1];
    for &row in order {
        offsets[column[row as usize] as usize + 1] += 1;
    }
    for value in 0..size {
        offsets[value + 1] += offsets[value];
    }
    let mut next = offsets.clone();
    let mut sorted = vec![0u32; order.len()];
    for &row in order {
        let at = &mut next[column[row as usize] as usize];
        sorted[*at as usize] = row;
        *at += 1;
    }
    (sorted, offsets)
}

/// Distinct quantiles; a fact at the smallest value is never cut off, as `>=` holds there for all.
fn quantile_cuts(mut numbers: Vec<f64>) -> Vec<f64> {
    if numbers.is_empty() {
        return Vec::new();
    }
    numbers.par_sort_unstable_by(f64::total_cmp);
    let smallest = numbers[0];
    let mut cuts: Vec<f64> =
        (1..=CUTS).map(|q| numbers[q * numbers.len() / (CUTS + 1)]).filter(|&c| c > smallest).collect();
    let largest = numbers[numbers.len() - 1];
    if cuts.is_empty() && largest > smallest {
        cuts.push(largest);
    }
    cuts.dedup();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::symbols::UNKNOWN;
    use proptest::prelude::*;

    #[test]
    fn facts_are_found_by_each_argument_and_kept_once() {
        let mut builder = FactsBuilder::new();
        let (person, film) = (builder.type_named("person"), builder.type_named("film"));
        let cast = builder.relation("cast", &[Domain::Type(film), Domain::Type(person)]).unwrap();
        for fact in [["f2", "ann"], ["f1", "bob"], ["f2", "bob"], ["f1", "bob"]] {
            builder.push(cast, &fact).unwrap();
        }
        let facts = builder.finish();
        let cast = facts.relation(facts.named("CAST").unwrap());
        assert_eq!(cast.rows, 3);
        let bob = facts.constants(person).find("bob").unwrap();
        let by_person = cast.index(1).unwrap();
        let films: Vec<&str> = by_person.column(0)[by_person.group(bob)]
            .iter()
            .map(|&f| facts.constants(film).name(f))
            .collect();
        assert_eq!(films, ["f2", "f1"]);
        assert!(by_person.group(UNKNOWN).is_empty());
        assert_eq!((cast.distinct(0), cast.distinct(1)), (2, 2));
        assert_eq!(cast.tuples().count(), 3);
    }

    #[test]
    fn what_contradicts_a_declaration_is_refused() {
        let mut builder = FactsBuilder::new();
        let person = builder.type_named("person");
        assert_eq!(builder.type_named("Person"), person);
        let age = builder.relation("age", &[Domain::Type(person), Domain::Number]).unwrap();
        let message = |r: Result<()>| r.unwrap_err().to_string();
        assert!(message(builder.push(age, &["ann"])).contains("takes 2 arguments, not 1"));
        assert!(message(builder.push(age, &["ann", "old"])).contains("`old` in `age` is not a number"));
        let again = builder.relation("Age", &[Domain::Type(person)]).unwrap_err().to_string();
        assert!(again.contains("age(person,number)") && again.contains("Age(person)"), "{again}");
        assert!(builder.relation("n", &[Domain::Number]).is_err());
    }

    #[test]
    fn cuts_are_distinct_quantiles() {
        assert_eq!(
            quantile_cuts((0..100).map(f64::from).collect()),
            [10., 20., 30., 40., 50., 60., 70., 80., 90.]
        );
        assert_eq!(quantile_cuts(vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]), [1.0]);
        assert!(quantile_cuts(vec![3.0; 5]).is_empty());
    }

    proptest! {
        #[test]
        fn every_index_holds_the_same_facts(rows in prop::collection::vec((0u32..9, 0u32..5, 0u32..3), 0..60)) {
            let mut builder = FactsBuilder::new();
            let t = builder.type_named("t");
            (0..9).for_each(|i| { builder.intern(t, &i.to_string()); });
            let p = builder.relation("p", &[Domain::Type(t); 3]).unwrap();
            rows.iter().for_each(|&(a, b, c)| builder.push_ids(p, &[a, b, c], None));
            let facts = builder.finish();
            let mut distinct: Vec<_> = rows.clone();
            distinct.sort_unstable();
            distinct.dedup();
            for argument in 0..3 {
                let index = facts.relation(p).index(argument).unwrap();
                let mut seen = Vec::new();
                for constant in 0..9 {
                    let group: Vec<[u32; 3]> = index.group(constant).map(|at| {
                        std::array::from_fn(|a| if a == argument { constant } else { index.value(a, at) })
                    }).collect();
                    prop_assert!(group.is_sorted());
                    seen.extend(group.into_iter().map(|[a, b, c]| (a, b, c)));
                }
                seen.sort_unstable();
                prop_assert_eq!(&seen, &distinct);
            }
        }
    }
}
