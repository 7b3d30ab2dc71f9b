//! Relations that are the target under another name.
//!
//! A rule that asks for the answer is of no use on examples whose answer is unknown. A relation is a copy
//! if, on arguments of the target's types, it names nearly the same examples as the target does. So is a column
//! of which one value stands at nearly the same examples and at no others: `yes` beside many a `no`. A column that
//! predicts the target well has that value at hidden positives too, and is none.

use std::collections::HashMap;

use super::facts::{Domain, Facts, Source};
use super::modes::Sign;
use super::schema::{ColumnKind, Schema};
use super::symbols::TupleSet;
use super::{Background, Target};
use crate::codes;
use crate::note::Note;

/// The share that two sets must have in common to be called copies.
const NEARLY_ALL: f64 = 0.95;

/// Fewer known examples than this could be any relation's by chance.
const FEWEST: usize = 5;

/// Takes the copies of the target out of the modes, and says so. `positives` has one column an argument.
pub fn remove(background: &mut Background, positives: &[Vec<u32>]) -> Vec<Note> {
    let target = &background.target;
    let facts = &background.facts;
    let mut known = vec![examples(positives)];
    if let Some(own) = facts.find(&target.name) {
        let relation = facts.relation(own);
        if relation.domains.len() == target.types.len() && relation.number_argument().is_none() {
            let mut set = TupleSet::new(target.types.len());
            relation.tuples().for_each(|t| {
                set.insert(&t);
            });
            known.push(set);
        }
    }
    known.retain(|set| set.len() >= FEWEST);
    let mut used: Vec<u32> = background.modes.iter().map(|m| m.relation).collect();
    used.sort_unstable();
    used.dedup();
    let leaks: Vec<u32> =
        used.iter().copied().filter(|r| known.iter().any(|set| is_copy(facts, *r, target, set))).collect();
    // Rules ask for values of such columns alone.
    let is_asked = |relation: u32| {
        let of_values = |sign: &Sign| matches!(sign, Sign::Constant | Sign::Threshold);
        background.modes.iter().any(|m| m.relation == relation && m.signs.last().is_some_and(of_values))
    };
    let telling_value = |relation: &u32| {
        let set_of = |set| telling_value(facts, *relation, target, set);
        let value = known.iter().filter(|_| is_asked(*relation)).find_map(set_of)?;
        Some((*relation, value))
    };
    let columns: Vec<(u32, String)> =
        used.iter().filter(|relation| !leaks.contains(relation)).filter_map(telling_value).collect();
    // A table whose rows are the marked examples tells of them with all it has, and so does what refers to it.
    let is_rows = |leak: &&u32| {
        let relation = facts.relation(**leak);
        relation.source.as_ref().is_some_and(|source| source.table == relation.name)
    };
    let tables: Vec<String> =
        leaks.iter().filter(is_rows).map(|leak| facts.relation(*leak).name.clone()).collect();
    let schema = background.schema.as_ref().map(|kept| &kept.schema);
    let told = |relation: u32| {
        leaks.contains(&relation)
            || columns.iter().any(|(column, _)| *column == relation)
            || tells(facts, schema, &tables, relation)
    };
    background.modes.retain(|m| !told(m.relation));
    let mut notes: Vec<Note> = (leaks.iter())
        .map(|leak| {
            Note::warning(
                &codes::LEAKING_COLUMN,
                format!(
                    "relation `{}` names the same examples as `{}` and is left out of the rules",
                    background.facts.relation(*leak).name,
                    background.target.name
                ),
            )
        })
        .collect();
    notes.extend(columns.iter().map(|(column, value)| {
        let relation = background.facts.relation(*column);
        let name = match &relation.source {
            Some(Source { table, columns, .. }) => {
                format!("column `{table}.{}`", columns.last().map_or("", |c| c.name.as_str()))
            }
            None => format!("relation `{}`", relation.name),
        };
        let text = format!(
            "{name} has `{value}` at the examples of `{}` and at nothing else, and is left out of the rules",
            background.target.name
        );
        Note::warning(&codes::LEAKING_COLUMN, text)
            .field("relation", relation.name.as_str())
            .field("value", value.as_str())
    }));
    notes
}

/// Whether a relation comes from one of these tables, or from a column that refers to one.
pub fn tells(facts: &Facts, schema: Option<&Schema>, tables: &[String], relation: u32) -> bool {
    let is_one = |name: &str| tables.iter().any(|table| table.eq_ignore_ascii_case(name));
    let refers = |table: &str, column: &str| {
        let column = schema.and_then(|s| s.table(table)).and_then(|t| t.column(column));
        matches!(column.map(|c| &c.kind), Some(ColumnKind::Reference(to)) if is_one(to))
    };
    let source = facts.relation(relation).source.as_ref();
    source.is_some_and(|s| is_one(&s.table) || s.columns.iter().any(|c| refers(&s.table, &c.name)))
}

fn examples(columns: &[Vec<u32>]) -> TupleSet {
    let mut set = TupleSet::new(columns.len());
    let mut tuple = vec![0; columns.len()];
    for row in 0..columns.first().map_or(0, Vec::len) {
        tuple.iter_mut().zip(columns).for_each(|(t, column)| *t = column[row]);
        set.insert(&tuple);
    }
    set
}

/// Whether the relation, seen through some choice of its arguments, is nearly the same set.
fn is_copy(facts: &Facts, relation: u32, target: &Target, known: &TupleSet) -> bool {
    let relation = facts.relation(relation);
    let typed: Vec<u32> = (relation.domains.iter())
        .filter_map(|d| match d {
            Domain::Type(t) => Some(*t),
            Domain::Number => None,
        })
        .collect();
    let least = (NEARLY_ALL * known.len() as f64).ceil() as usize;
    let most_others = known.len() - least.min(known.len());
    choices(&typed, &target.types).into_iter().any(|choice| {
        let mut common = TupleSet::new(choice.len());
        let mut others = TupleSet::new(choice.len());
        let mut tuple = vec![0; choice.len()];
        for fact in relation.tuples() {
            tuple.iter_mut().zip(&choice).for_each(|(t, &argument)| *t = fact[argument]);
            let side = if known.contains(&tuple) { &mut common } else { &mut others };
            side.insert(&tuple);
            if others.len() > most_others {
                return false;
            }
        }
        common.len() >= least
    })
}

/// The value of the relation's last argument, a constant or a number, whose facts name nearly the same set, where there
/// are other values too.
fn telling_value(facts: &Facts, relation: u32, target: &Target, known: &TupleSet) -> Option<String> {
    let relation = facts.relation(relation);
    let (last, arguments) = relation.domains.split_last()?;
    let typed: Option<Vec<u32>> = (arguments.iter())
        .map(|d| match d {
            Domain::Type(t) => Some(*t),
            Domain::Number => None,
        })
        .collect();
    let arguments = &typed.filter(|typed| typed.len() == target.types.len())?[..];
    let least = (NEARLY_ALL * known.len() as f64).ceil() as usize;
    let most_others = known.len() - least.min(known.len());
    choices(arguments, &target.types).into_iter().find_map(|choice| {
        let mut of_value: HashMap<u64, (TupleSet, TupleSet)> = HashMap::new();
        let mut tuple = vec![0; choice.len()];
        for (fact, number) in relation.numbered_tuples() {
            tuple.iter_mut().zip(&choice).for_each(|(t, &argument)| *t = fact[argument]);
            let fresh = || (TupleSet::new(choice.len()), TupleSet::new(choice.len()));
            let value = match last {
                Domain::Type(_) => u64::from(fact[arguments.len()]),
                Domain::Number => number.to_bits(),
            };
            let (common, others) = of_value.entry(value).or_insert_with(fresh);
            // More than enough others are enough.
            match known.contains(&tuple) {
                true => common.insert(&tuple),
                false if others.len() <= most_others => others.insert(&tuple),
                false => 0,
            };
        }
        let is_copy = |(_, (common, others)): &(&u64, &(TupleSet, TupleSet))| {
            common.len() >= least && others.len() <= most_others
        };
        let value = of_value.iter().filter(is_copy).map(|(value, _)| *value).min()?;
        Some(match last {
            Domain::Type(t) => facts.constants(*t).name(value as u32).to_string(),
            Domain::Number => f64::from_bits(value).to_string(),
        })
    })
}

/// All ways to pick different arguments with the wanted types, in order.
fn choices(typed: &[u32], wanted: &[u32]) -> Vec<Vec<usize>> {
    wanted.iter().fold(vec![Vec::new()], |partial: Vec<Vec<usize>>, want| {
        let extend = |done: &Vec<usize>| {
            let fits = (0..typed.len()).filter(|a| typed[*a] == *want && !done.contains(a));
            fits.map(|a| [&done[..], &[a]].concat()).collect::<Vec<_>>()
        };
        partial.iter().flat_map(extend).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::{FactsBuilder, modes};

    /// Forty items: ten are marked, twenty red, and `of` says what is in a column beside.
    fn left_of_columns(of: impl Fn(u32) -> &'static str) -> (Vec<String>, String) {
        let mut builder = FactsBuilder::new();
        let text = "colour(+item,#colour)\nstate(+item,#state)";
        let modes = modes::declare(&modes::parse(text).unwrap().declarations, &mut builder).unwrap();
        let [colour, state] = ["colour", "state"].map(|name| builder.find(name).unwrap());
        for item in 0..40 {
            let red = if item < 20 { "red" } else { "blue" };
            builder.push(colour, &[format!("i{item}"), red.into()]).unwrap();
            if !of(item).is_empty() {
                builder.push(state, &[format!("i{item}"), of(item).into()]).unwrap();
            }
        }
        let target = Target { name: "refund".into(), types: vec![builder.type_named("item")] };
        let mut background = Background::new(builder.finish(), modes, target);
        let notes = remove(&mut background, &[(0..10).collect()]);
        let names = background.modes.iter().map(|m| background.facts.relation(m.relation).name.clone());
        (names.collect(), notes.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_column_whose_value_stands_at_the_examples_alone_is_left_out() {
        for no in ["no", ""] {
            let (left, said) = left_of_columns(|item| if item < 10 { "yes" } else { no });
            assert_eq!(left, ["colour"], "{said}");
            assert!(said.contains("left out of the rules"), "{said}");
        }
        let (_, said) = left_of_columns(|item| if item < 10 { "yes" } else { "no" });
        assert!(
            said.contains("relation `state` has `yes` at the examples of `refund` and at nothing else"),
            "{said}"
        );
        // What holds for hidden positives too predicts them, and stays; colour does so throughout.
        let (left, said) = left_of_columns(|item| if item < 12 { "yes" } else { "no" });
        assert_eq!((left.len(), said.as_str()), (2, ""));
    }

    #[test]
    fn a_copy_that_is_declared_a_number_is_one_too() {
        let left = |number: fn(u32) -> u32| {
            let mut builder = FactsBuilder::new();
            let text = "colour(+item,#colour)\nrefunded(+item,>number)";
            let modes = modes::declare(&modes::parse(text).unwrap().declarations, &mut builder).unwrap();
            let [colour, refunded] = ["colour", "refunded"].map(|name| builder.find(name).unwrap());
            for item in 0..40 {
                builder.push(colour, &[format!("i{item}"), "red".into()]).unwrap();
                builder.push(refunded, &[format!("i{item}"), number(item).to_string()]).unwrap();
            }
            let target = Target { name: "refund".into(), types: vec![builder.type_named("item")] };
            let mut background = Background::new(builder.finish(), modes, target);
            let notes = remove(&mut background, &[(0..10).collect()]);
            (background.modes.len(), notes.iter().map(ToString::to_string).collect::<String>())
        };
        let (modes, said) = left(|item| u32::from(item < 10));
        assert!(modes == 1 && said.contains("relation `refunded` has `1` at the examples"), "{said}");
        let (modes, said) = left(|item| item);
        assert_eq!((modes, said.as_str()), (2, ""));
    }

    #[test]
    fn the_target_and_its_copies_are_left_out() {
        let mut builder = FactsBuilder::new();
        let text = "advises(+p,-p)\nadvised_by(+p,-p)\nadvised_by(-p,+p)\nthesis(+p,-p,-t)\nmeets(+p,-p)\nstudent(+p)";
        let modes = modes::declare(&modes::parse(text).unwrap().declarations, &mut builder).unwrap();
        for i in 0..40u32 {
            let (student, professor) = (format!("s{i}"), format!("p{}", i / 4));
            let mut push = |name: &str, arguments: &[&String]| {
                let relation = builder.find(name).unwrap();
                builder.push(relation, arguments).unwrap();
            };
            push("advised_by", &[&student, &professor]);
            push("advises", &[&professor, &student]);
            push("thesis", &[&student, &professor, &format!("t{i}")]);
            push("student", &[&student]);
            for j in 0..3 {
                push("meets", &[&student, &format!("p{}", (i / 4 + j) % 10)]);
            }
        }
        let p = builder.type_named("p");
        let target = Target { name: "Advised_By".into(), types: vec![p, p] };
        let mut background = Background::new(builder.finish(), modes, target);
        // Ten of the forty are marked: the copies are told by the target's own facts.
        let notes = remove(&mut background, &[(0..10).collect(), (0..10).collect()]);
        let left: Vec<&str> =
            background.modes.iter().map(|m| background.facts.relation(m.relation).name.as_str()).collect();
        assert_eq!(left, ["meets", "student"]);
        assert_eq!(notes.len(), 2);
        assert!(
            format!("{notes:?}").contains("relation `thesis` names the same examples as `Advised_By`"),
            "{notes:?}"
        );
    }
}
