//! Literals and the tests made of them.
//!
//! A test is a conjunction of one or two literals, true of an example if some binding of its new
//! variables makes all of them facts. Variables are numbered: first the arguments of the target, then
//! those that the tests above have introduced.

use super::facts::{Domain, Facts};

pub type Variable = u16;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    Variable(Variable),
    Constant(u32),
    /// A number of at least this.
    AtLeast(f64),
    /// A number below this.
    Below(f64),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    pub relation: u32,
    pub terms: Vec<Term>,
}

pub type Test = Vec<Literal>;

impl Literal {
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.terms.iter().filter_map(|t| match t {
            Term::Variable(v) => Some(*v),
            _ => None,
        })
    }

    /// As in a clause: `publication(C,A)`, `age(A) >= 40`.
    pub fn text(&self, facts: &Facts) -> String {
        let relation = facts.relation(self.relation);
        let mut comparison = String::new();
        let mut arguments = Vec::new();
        for (term, domain) in self.terms.iter().zip(&relation.domains) {
            match (term, domain) {
                (Term::Variable(v), _) => arguments.push(variable_name(*v)),
                (Term::Constant(c), Domain::Type(t)) => arguments.push(quoted(facts.constants(*t).name(*c))),
                (Term::Constant(_), Domain::Number) => {}
                (Term::AtLeast(t), _) => comparison = format!(" >= {t}"),
                (Term::Below(t), _) => comparison = format!(" < {t}"),
            }
        }
        format!("{}({}){comparison}", relation.name, arguments.join(","))
    }
}

pub fn test_text(test: &[Literal], facts: &Facts) -> String {
    test.iter().map(|l| l.text(facts)).collect::<Vec<_>>().join(", ")
}

/// A, B, … Z, A1, B1, …
pub fn variable_name(variable: Variable) -> String {
    let letter = char::from(b'A' + (variable % 26) as u8);
    if variable < 26 { letter.to_string() } else { format!("{letter}{}", variable / 26) }
}

/// A constant as Prolog would write it: quoted unless it is a plain word or a number.
pub fn quoted(constant: &str) -> String {
    let mut letters = constant.chars();
    let word = letters.next().is_some_and(|c| c.is_lowercase() || c.is_ascii_digit())
        && letters.all(|c| c.is_alphanumeric() || c == '_');
    if word || constant.parse::<f64>().is_ok_and(f64::is_finite) {
        constant.to_string()
    } else {
        format!("'{}'", constant.replace('\\', "\\\\").replace('\'', "\\'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_constants_read_like_prolog() {
        assert_eq!([0, 25, 26, 53].map(variable_name), ["A", "Z", "A1", "B2"]);
        assert_eq!(["ann", "3.5", "Ann", "it's", ""].map(quoted), ["ann", "3.5", "'Ann'", "'it\\'s'", "''"]);
    }
}
