//! What a path of a tree says, as a clause to read and as SQL to run.
//!
//! A test that failed means that no binding of the tests that held above it satisfies it too, so a negated
//! part repeats those of them that share a variable with it.

use super::literal::{Literal, Term, Variable, variable_name};
use super::sql::{self, Place};
use super::tree::Step;
use super::{Background, Domain, Relational};

/// The conjunction that held, and those that did not.
struct Rule<'a> {
    held: Vec<&'a Literal>,
    failed: Vec<Vec<&'a Literal>>,
}

fn rule<'a>(path: &[Step<'a>], head: usize) -> Rule<'a> {
    let mut held: Vec<&Literal> = Vec::new();
    let mut failed = Vec::new();
    for (test, holds) in path {
        if *holds {
            held.extend(test.iter());
        } else {
            let mut all: Vec<&Literal> = test.iter().collect();
            let inner =
                |l: &Literal| l.variables().filter(|v| *v as usize >= head).collect::<Vec<Variable>>();
            let mut joined: Vec<Variable> = all.iter().flat_map(|l| inner(l)).collect();
            let mut context: Vec<&Literal> = Vec::new();
            let mut left: Vec<&Literal> = held.clone();
            while let Some(at) = left.iter().position(|l| inner(l).iter().any(|v| joined.contains(v))) {
                let literal = left.remove(at);
                joined.extend(inner(literal));
                context.push(literal);
            }
            context.sort_by_key(|l| held.iter().position(|h| std::ptr::eq(*h, *l)));
            context.append(&mut all);
            failed.push(context);
        }
    }
    Rule { held, failed }
}

/// `advisedby(A,B) :- professor(B), not (publication(C,A), publication(C,B)).`
pub fn clause(path: &[Step<'_>], background: &Background) -> String {
    let arity = background.target.types.len();
    let rule = rule(path, arity);
    let text = |literals: &[&Literal]| {
        literals.iter().map(|l| l.text(&background.facts)).collect::<Vec<_>>().join(", ")
    };
    let mut parts: Vec<String> = Vec::new();
    if !rule.held.is_empty() {
        parts.push(text(&rule.held));
    }
    for literals in &rule.failed {
        let inside = text(literals);
        parts.push(if literals.len() == 1 { format!("not {inside}") } else { format!("not ({inside})") });
    }
    let variables: Vec<String> = (0..arity as Variable).map(variable_name).collect();
    let body = if parts.is_empty() { "true".into() } else { parts.join(", ") };
    format!("{}({}) :- {body}.", background.target.name, variables.join(","))
}

/// A query that answers whether one example satisfies the path.
pub fn sql(path: &[Step<'_>], x: &Relational, row: usize) -> String {
    let arity = x.background.target.types.len();
    let constants: Vec<&str> = x.constants(row).collect();
    let rule = rule(path, arity);
    let mut parts = Vec::new();
    if !rule.held.is_empty() {
        parts.push(exists(&rule.held, x, &constants));
    }
    parts.extend(rule.failed.iter().map(|literals| format!("NOT {}", exists(literals, x, &constants))));
    if parts.is_empty() { "SELECT 1 = 1".into() } else { format!("SELECT {}", parts.join(" AND ")) }
}

fn exists(literals: &[&Literal], x: &Relational, constants: &[&str]) -> String {
    format!("EXISTS (SELECT 1 FROM {})", body(literals, x, constants).from())
}

/// The parts of a query over some literals.
pub(super) struct Body {
    tables: Vec<String>,
    conditions: Vec<String>,
    places: Vec<(Variable, Place)>,
    /// Where the number of the last literal that has one stands.
    pub(super) number: Option<Place>,
}

impl Body {
    /// What stands after `FROM`.
    pub(super) fn from(&self) -> String {
        let condition = if self.conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", self.conditions.join(" AND "))
        };
        format!("{}{condition}", self.tables.join(", "))
    }

    /// The column that gives a variable its value.
    pub(super) fn place(&self, variable: Variable) -> Option<&Place> {
        self.places.iter().find(|(v, _)| *v == variable).map(|(_, place)| place)
    }

    /// The variables in the order in which they were met, with the columns that give them their values.
    pub(super) fn places(&self) -> &[(Variable, Place)] {
        &self.places
    }
}

/// `constants` are the arguments of the example that is asked about.
pub(super) fn body(literals: &[&Literal], x: &Relational, constants: &[&str]) -> Body {
    let mut body = Body { tables: Vec::new(), conditions: Vec::new(), places: Vec::new(), number: None };
    let mut in_equations: Vec<Variable> = Vec::new();
    for (number, literal) in literals.iter().enumerate() {
        let relation = x.facts().relation(literal.relation);
        let alias = format!("t{}", number + 1);
        body.tables.push(format!("{} AS {alias}", sql::table(relation)));
        for ((term, domain), place) in
            literal.terms.iter().zip(&relation.domains).zip(Place::of(relation, &alias))
        {
            let condition = match (term, domain) {
                (Term::Variable(v), _) => match (constants.get(*v as usize), body.place(*v)) {
                    (Some(constant), _) => place.equals(constant),
                    (None, Some(known)) => {
                        in_equations.push(*v);
                        place.joins(known)
                    }
                    (None, None) => {
                        body.places.push((*v, place));
                        continue;
                    }
                },
                (Term::Constant(c), Domain::Type(t)) => place.equals(x.facts().constants(*t).name(*c)),
                (Term::AtLeast(t), _) if *t > f64::MIN => place.at_least(*t),
                (Term::Below(t), _) => place.below(*t),
                _ => {
                    let any = place.at_least(f64::MIN);
                    body.number = Some(place);
                    any
                }
            };
            body.conditions.push(condition);
        }
    }
    let present = |(v, place): &(Variable, Place)| place.present(in_equations.contains(v));
    body.conditions.extend(body.places.iter().filter_map(present));
    body.conditions.retain(|condition| !condition.is_empty());
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::{FactsBuilder, Source, SourceColumn, Target, Test, Words, modes};
    use std::sync::Arc;

    fn shop() -> Relational {
        let mut builder = FactsBuilder::new();
        let text = "item(+order,-product)\nprice(+product,>number)\nlate(+order)\nkind(+product,#kind)";
        let modes = modes::declare(&modes::parse(text).unwrap().declarations, &mut builder).unwrap();
        let item = builder.find("item").unwrap();
        builder.push(item, &["o1", "p'1"]).unwrap();
        let kind = builder.find("kind").unwrap();
        builder.push(kind, &["p'1", "Toy"]).unwrap();
        let column = |name: &str| SourceColumn { name: name.into(), always: true, ..SourceColumn::default() };
        let columns = vec![column("id"), column("product id")];
        builder.set_source(item, Source { table: "order".into(), columns, words: Words::None });
        let order = builder.type_named("order");
        let target = Target { name: "refund".into(), types: vec![order] };
        let background = Background::new(builder.finish(), modes, target);
        Relational::new(Arc::new(background), vec![vec![0]]).unwrap()
    }

    fn literal(x: &Relational, name: &str, terms: Vec<Term>) -> Literal {
        Literal { relation: x.facts().named(name).unwrap(), terms }
    }

    #[test]
    fn a_path_reads_as_clause_and_as_query() {
        let x = shop();
        let (a, b) = (Term::Variable(0), Term::Variable(1));
        let item: Test = vec![literal(&x, "item", vec![a, b])];
        let late: Test = vec![literal(&x, "late", vec![a])];
        let dear: Test = vec![literal(&x, "price", vec![b, Term::AtLeast(9.5)])];
        let toy: Test = vec![literal(&x, "kind", vec![b, Term::Constant(0)])];
        let path: Vec<Step<'_>> = vec![(&item, true), (&late, false), (&dear, false), (&toy, true)];
        assert_eq!(
            clause(&path, &x.background),
            "refund(A) :- item(A,B), kind(B,'Toy'), not late(A), not (item(A,B), price(B) >= 9.5)."
        );
        assert_eq!(
            sql(&path, &x, 0),
            "SELECT EXISTS (SELECT 1 FROM \"order\" AS t1, kind AS t2 WHERE t1.id = 'o1' AND t2.argument1 = t1.\"product id\" AND t2.argument2 = 'Toy') \
             AND NOT EXISTS (SELECT 1 FROM late AS t1 WHERE t1.argument1 = 'o1') \
             AND NOT EXISTS (SELECT 1 FROM \"order\" AS t1, price AS t2 WHERE t1.id = 'o1' AND t2.argument1 = t1.\"product id\" AND t2.argument2 >= 9.5)"
        );
        assert_eq!(
            (clause(&[], &x.background).as_str(), sql(&[], &x, 0).as_str()),
            ("refund(A) :- true.", "SELECT 1 = 1")
        );
        assert_eq!(x.atom(0), "refund(o1)");
    }
}
