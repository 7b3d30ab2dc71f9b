//! Facts, modes, joins and first-order trees: what relational methods stand on.
//!
//! Read in this order: [`symbols`] (constants as numbers), [`facts`] (columns and indexes), [`modes`]
//! (which literals may be asked), [`literal`], [`candidates`] (all literals at a node), [`bindings`] and
//! [`joins`] (who satisfies them), [`search`] (all candidates of a node at once), [`tree`], [`grow`],
//! [`saved`] (trees by name), [`rules`] (paths as clauses and as SQL). Tables come in by [`schema`] and [`tables`],
//! and [`kept`] is what a model remembers of them.

#[doc(hidden)]
pub mod aggregates;
#[doc(hidden)]
pub mod atoms;
#[doc(hidden)]
pub mod bindings;
#[doc(hidden)]
pub mod bits;
mod builder;
#[doc(hidden)]
pub mod candidates;
#[doc(hidden)]
pub mod combinations;
mod declare;
#[doc(hidden)]
pub mod facts;
#[doc(hidden)]
pub mod grow;
#[doc(hidden)]
pub mod joins;
#[doc(hidden)]
pub mod kept;
#[doc(hidden)]
pub mod leaks;
#[doc(hidden)]
pub mod literal;
#[doc(hidden)]
pub mod modes;
#[doc(hidden)]
pub mod rules;
#[doc(hidden)]
pub mod saved;
#[doc(hidden)]
pub mod saved_feature;
#[doc(hidden)]
pub mod schema;
#[doc(hidden)]
pub mod search;
mod sql;
#[doc(hidden)]
pub mod symbols;
#[doc(hidden)]
pub mod tables;
#[doc(hidden)]
pub mod tree;

pub use builder::FactsBuilder;
pub use facts::{Domain, Facts, Relation, Source, SourceColumn, Words};
pub use kept::KeptSchema;
pub use literal::{Literal, Term, Test, Variable};
pub use modes::{Mode, Sign};

use std::sync::Arc;

use crate::error::{Error, Result};
use candidates::Visible;

/// What is to be learned: a relation and the types of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// What is to be learned.
    pub name: String,
    /// The types of its arguments.
    pub types: Vec<u32>,
}

/// What is known besides the examples: the facts, and the literals that rules may use.
#[derive(Clone, Debug)]
pub struct Background {
    /// What is known.
    pub facts: Facts,
    /// The literals that rules may use.
    pub modes: Vec<Mode>,
    /// What the examples are examples of.
    pub target: Target,
    /// How the tables behind the facts were read; none for facts from files.
    pub schema: Option<Arc<KeptSchema>>,
}

impl Background {
    /// The target's own relation never becomes a feature. Where the examples are the rows of the table of that name,
    /// the relation between what these refer to is another one.
    pub fn new(facts: Facts, mut modes: Vec<Mode>, target: Target) -> Self {
        let is_table = |relation: u32| {
            let source = facts.relation(relation).source.as_ref();
            let own = target.types.first().map(|t| facts.type_name(*t));
            target.types.len() == 1
                && source.is_some_and(|s| own.is_some_and(|own| own.eq_ignore_ascii_case(&s.table)))
        };
        if let Some(own) = facts.find(&target.name).filter(|own| !is_table(*own)) {
            modes.retain(|m| m.relation != own);
        }
        Background { facts, modes, target, schema: None }
    }

    /// The target with the types of its arguments: `refund(orders)`.
    pub fn signature(&self) -> String {
        let types: Vec<&str> = self.target.types.iter().map(|t| self.facts.type_name(*t)).collect();
        format!("{}({})", self.target.name, types.join(","))
    }

    /// The variables that a rule starts with.
    pub fn head(&self) -> Vec<Visible> {
        let variables = self.target.types.iter().enumerate();
        variables.map(|(v, t)| Visible { variable: v as Variable, type_number: *t, head: true }).collect()
    }
}

/// Examples of a target over a shared base of facts. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Relational {
    /// What is known besides the examples.
    pub background: Arc<Background>,
    /// One column for each argument of the target.
    arguments: Arc<Vec<Vec<u32>>>,
}

impl Relational {
    /// `arguments` holds one column of constants for each argument of the target.
    pub fn new(background: Arc<Background>, arguments: Vec<Vec<u32>>) -> Result<Self> {
        let (name, arity) = (&background.target.name, background.target.types.len());
        if arguments.len() != arity || arity == 0 {
            return Err(Error::data(format!(
                "the target `{name}` has {arity} arguments, but the examples have {}",
                arguments.len()
            )));
        }
        if arguments.iter().any(|column| column.len() != arguments[0].len()) {
            return Err(Error::data(format!("the examples of `{name}` have columns of unequal length")));
        }
        Ok(Relational { background, arguments: Arc::new(arguments) })
    }

    /// How many examples there are.
    pub fn rows(&self) -> usize {
        self.arguments[0].len()
    }

    /// The given examples, in the given order.
    pub fn select(&self, rows: &[usize]) -> Relational {
        let arguments = self.arguments.iter().map(|a| rows.iter().map(|&i| a[i]).collect()).collect();
        Relational { background: self.background.clone(), arguments: Arc::new(arguments) }
    }

    /// One column of constants for each argument.
    pub fn arguments(&self) -> &[Vec<u32>] {
        &self.arguments
    }

    /// The facts behind the examples.
    pub fn facts(&self) -> &Facts {
        &self.background.facts
    }

    /// The constants of one example.
    pub fn constants(&self, row: usize) -> impl Iterator<Item = &str> {
        let types = &self.background.target.types;
        self.arguments.iter().zip(types).map(move |(a, t)| self.facts().constants(*t).name(a[row]))
    }

    /// What the facts say of the example itself, as `name=value`: of a row of a table, its own columns.
    pub fn glance(&self, row: usize) -> String {
        let types = &self.background.target.types;
        let several = types.len() > 1;
        let told = self.arguments.iter().zip(types).map(|(column, &t)| {
            let told = self.facts().told_of(t, column[row]).join(" ");
            match several && !told.is_empty() {
                true => format!("{}: {told}", self.facts().constants(t).name(column[row])),
                false => told,
            }
        });
        told.filter(|told| !told.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// The example as it would be written in a file of facts.
    pub fn atom(&self, row: usize) -> String {
        let constants: Vec<String> = self.constants(row).map(literal::quoted).collect();
        format!("{}({})", self.background.target.name, constants.join(","))
    }
}
