//! Facts in columns, with an index for each argument that a literal can bind.
//!
//! An index is an array of offsets by the dense number of a constant; the other arguments lie in its
//! order, sorted within a group. Following a reference is two look-ups, and no hash is computed.

use std::ops::Range;

use super::schema::Declared;
use super::symbols::Constants;
use crate::error::{Error, Result, nearest_name};

/// What an argument ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// The constants of a type.
    Type(u32),
    /// Any number; literals compare it with a threshold.
    Number,
}

/// The table and the columns that a relation was read from, for rules as SQL.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    pub table: String,
    /// One for each argument.
    pub columns: Vec<SourceColumn>,
    /// What its last column holds besides numbers, as SQLite allows whatever is declared.
    pub words: Words,
}

/// The cells of a column of numbers that are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Words {
    #[default]
    None,
    /// All of them, each once.
    Few(Vec<String>),
    Many,
}

/// More different words than this are not listed in a query.
const MOST_WORDS: usize = 12;

impl Words {
    /// Adds a cell that is no number.
    pub(super) fn add(&mut self, cell: &str) {
        match self {
            Words::None => *self = Words::Few(vec![cell.into()]),
            Words::Few(words) if words.iter().any(|word| word == cell) => {}
            Words::Few(words) if words.len() < MOST_WORDS => words.push(cell.into()),
            Words::Few(_) | Words::Many => *self = Words::Many,
        }
    }
}

/// A column as a query needs to know it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceColumn {
    pub name: String,
    pub declared: Option<Declared>,
    /// Every row has a value: it is the key.
    pub always: bool,
    /// The columns that together name a row, where none does alone.
    pub parts: Vec<String>,
    /// The tables that are asked lack it.
    pub absent: bool,
}

/// The facts of one relation.
#[derive(Clone, Debug)]
pub struct Relation {
    pub name: String,
    pub domains: Vec<Domain>,
    /// Distinct facts.
    pub rows: usize,
    pub source: Option<Source>,
    pub(super) indexes: Vec<Option<Index>>,
    pub(super) cuts: Vec<f64>,
}

/// The facts grouped by one argument.
#[derive(Clone, Debug)]
pub struct Index {
    pub(super) offsets: Vec<u32>,
    /// By argument; empty for the argument that groups and for a number.
    pub(super) columns: Vec<Vec<u32>>,
    pub(super) numbers: Vec<f64>,
}

impl Index {
    /// Where the facts with that constant stand.
    #[inline]
    pub fn group(&self, constant: u32) -> Range<usize> {
        let at = constant as usize;
        if at + 1 < self.offsets.len() {
            self.offsets[at] as usize..self.offsets[at + 1] as usize
        } else {
            0..0
        }
    }

    #[inline]
    pub fn value(&self, argument: usize, at: usize) -> u32 {
        self.columns[argument][at]
    }

    #[inline]
    pub fn column(&self, argument: usize) -> &[u32] {
        &self.columns[argument]
    }

    #[inline]
    pub fn number(&self, at: usize) -> f64 {
        self.numbers[at]
    }

    /// The number of a fact, or 0 where the relation has none.
    pub fn number_or_zero(&self, at: usize) -> f64 {
        self.numbers.get(at).copied().unwrap_or(0.0)
    }
}

impl Relation {
    pub fn arity(&self) -> usize {
        self.domains.len()
    }

    /// The facts by one of their constants; none for an argument that is a number.
    pub fn index(&self, argument: usize) -> Option<&Index> {
        self.indexes[argument].as_ref()
    }

    /// The argument that is a number, if one is.
    pub fn number_argument(&self) -> Option<usize> {
        self.domains.iter().position(|d| *d == Domain::Number)
    }

    /// Quantiles of its numbers, ascending: the thresholds worth asking about.
    pub fn cuts(&self) -> &[f64] {
        &self.cuts
    }

    /// How many constants have at least one fact there.
    pub fn distinct(&self, argument: usize) -> usize {
        self.index(argument).map_or(0, |i| i.offsets.windows(2).filter(|w| w[0] < w[1]).count())
    }

    /// Every fact as the numbers of its constants; an argument that is a number is left out.
    pub fn tuples(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        self.numbered_tuples().map(|(tuple, _)| tuple)
    }

    /// The same, each with its number, or 0 where the relation has none.
    pub fn numbered_tuples(&self) -> impl Iterator<Item = (Vec<u32>, f64)> + '_ {
        let key = self.domains.iter().position(|d| *d != Domain::Number);
        let index = key.and_then(|k| self.index(k).map(|index| (k, index)));
        index.into_iter().flat_map(move |(key, index)| {
            (0..index.offsets.len().saturating_sub(1) as u32).flat_map(move |constant| {
                index.group(constant).map(move |at| {
                    let typed =
                        (0..self.arity()).filter(|&a| a == key || !matches!(self.domains[a], Domain::Number));
                    let tuple = typed.map(|a| if a == key { constant } else { index.value(a, at) });
                    (tuple.collect(), index.number_or_zero(at))
                })
            })
        })
    }
}

/// Of one relation, so many facts are told at a glance.
const MOST_TOLD: usize = 3;

/// A base of facts: types with their constants, relations with their facts.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub(super) types: Vec<(String, Constants)>,
    pub(super) relations: Vec<Relation>,
}

impl Facts {
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    pub fn relation(&self, number: u32) -> &Relation {
        &self.relations[number as usize]
    }

    /// The relation of that name, in any letter case.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.relations.iter().position(|r| r.name.eq_ignore_ascii_case(name)).map(|i| i as u32)
    }

    /// The relation of that name, or an error that lists those that exist.
    pub fn named(&self, name: &str) -> Result<u32> {
        self.find(name).ok_or_else(|| {
            let known = self.relations.iter().map(|r| r.name.as_str());
            Error::data(format!("there is no relation `{name}`{}", known_names(name, known)))
        })
    }

    pub fn types(&self) -> impl ExactSizeIterator<Item = (&str, &Constants)> {
        self.types.iter().map(|(name, constants)| (name.as_str(), constants))
    }

    pub fn type_name(&self, number: u32) -> &str {
        &self.types[number as usize].0
    }

    pub fn constants(&self, type_number: u32) -> &Constants {
        &self.types[type_number as usize].1
    }

    pub fn type_named(&self, name: &str) -> Result<u32> {
        let at = self.types.iter().position(|(n, _)| n.eq_ignore_ascii_case(name));
        at.map(|i| i as u32).ok_or_else(|| {
            let known = self.types.iter().map(|(n, _)| n.as_str());
            Error::data(format!("there is no type `{name}`{}", known_names(name, known)))
        })
    }

    /// What is said of one constant alone, as `name=value`: the columns of its own row, or facts of two arguments.
    pub(super) fn told_of(&self, type_number: u32, constant: u32) -> Vec<String> {
        let mut told = Vec::new();
        for relation in
            self.relations.iter().filter(|r| r.domains.first() == Some(&Domain::Type(type_number)))
        {
            let source = relation.source.as_ref();
            let is_own = |s: &Source| s.table.eq_ignore_ascii_case(self.type_name(type_number));
            let (2, true, Some(index)) = (relation.arity(), source.is_none_or(is_own), relation.index(0))
            else {
                continue;
            };
            let name = source.and_then(|s| s.columns.get(1)).map_or(&relation.name, |column| &column.name);
            told.extend(index.group(constant).take(MOST_TOLD).map(|at| match relation.domains[1] {
                Domain::Type(t) => format!("{name}={}", self.constants(t).name(index.value(1, at))),
                Domain::Number => format!("{name}={}", index.number(at)),
            }));
        }
        told
    }

    /// All facts of all relations.
    pub fn rows(&self) -> usize {
        self.relations.iter().map(|r| r.rows).sum()
    }
}

fn known_names<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let hint =
        nearest_name(typed, known.clone()).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
    let names: Vec<_> = known.collect();
    if names.is_empty() {
        format!("{hint}; none is known")
    } else {
        format!("{hint}; known: {}", names.join(", "))
    }
}
