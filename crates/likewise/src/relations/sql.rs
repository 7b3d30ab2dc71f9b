//! How names, constants and comparisons are written in SQL, so that a query sees a cell as a fact does.
//!
//! A missing cell is no fact, and an empty text is a missing cell. A constant is the text of a cell: in a column of
//! numbers it is written as a number, in one that declares nothing as both. SQLite puts words into columns of numbers
//! where it must, and holds every word to be more than any number.

use super::Relation;
use super::facts::SourceColumn;
use super::schema::Declared;

/// Where a value stands in a query: `t1.total`.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) text: String,
    declared: Option<Declared>,
    always: bool,
    has_words: bool,
}

impl Place {
    /// The places of a relation's arguments in the table with that alias.
    pub(super) fn of(relation: &Relation, alias: &str) -> Vec<Place> {
        let number = relation.number_argument();
        let place = |(argument, column): (usize, SourceColumn)| Place {
            text: format!("{alias}.{}", identifier(&column.name)),
            declared: column.declared,
            always: column.always,
            has_words: number == Some(argument)
                && relation.source.as_ref().is_some_and(|source| source.has_words),
        };
        columns(relation).into_iter().enumerate().map(place).collect()
    }

    /// The same value under the name that an outer query sees.
    pub(super) fn named(&self, name: &str) -> Place {
        Place { text: name.into(), ..self.clone() }
    }

    /// Whether the cell is this constant.
    pub(super) fn equals(&self, constant: &str) -> String {
        let number = is_number(constant);
        let place = &self.text;
        match self.declared {
            Some(Declared::Integer | Declared::Number | Declared::Boolean) if number => {
                format!("{place} = {constant}")
            }
            // What is no number stands in no such column, and PostgreSQL refuses to compare the two.
            Some(Declared::Integer | Declared::Number) => "1 = 0".into(),
            Some(Declared::Any) if number => format!("{place} IN ({}, {constant})", text_literal(constant)),
            _ => format!("{} = {}", self.exact(), text_literal(constant)),
        }
    }

    /// The cell as it is compared with others: a fact knows no collation, and what is computed has none.
    fn exact(&self) -> String {
        match self.declared {
            Some(Declared::Collated) => format!("{} || ''", self.text),
            _ => self.text.clone(),
        }
    }

    /// Whether two cells are the same constant.
    pub(super) fn joins(&self, other: &Place) -> String {
        let is_text = |place: &Place| matches!(place.declared, Some(Declared::Text | Declared::Collated));
        let (own, other_is) = (is_text(self), is_text(other));
        let both_told = self.declared.is_some() && other.declared.is_some();
        if both_told && own != other_is {
            return format!("CAST({} AS TEXT) = CAST({} AS TEXT)", self.exact(), other.exact());
        }
        format!("{} = {}", self.exact(), other.exact())
    }

    /// That the cell is not missing; none where it cannot be. An equation says as much of a cell that is not a text.
    pub(super) fn present(&self, in_equation: bool) -> Option<String> {
        let may_be_empty = matches!(self.declared, Some(Declared::Text | Declared::Collated | Declared::Any));
        match (self.always, may_be_empty, in_equation) {
            (true, _, _) | (false, false, true) => None,
            (false, true, _) => Some(format!("{} <> ''", self.text)),
            (false, false, false) => Some(format!("{} IS NOT NULL", self.text)),
        }
    }

    /// Whether the column is not declared to hold numbers, so that a cell must be made one.
    fn is_cast(&self) -> bool {
        matches!(self.declared, Some(Declared::Text | Declared::Collated | Declared::Any))
    }

    /// The cell as a number. PostgreSQL refuses to make a number of a word, and SQLite makes 0 of it: where words stand
    /// among the numbers, they become nothing. A number with an exponent is taken for a word there.
    pub(super) fn number(&self) -> String {
        let place = &self.text;
        let cast = format!("CAST({place} AS DOUBLE PRECISION)");
        match (self.is_cast(), self.has_words) {
            (false, _) => place.clone(),
            (true, false) => cast,
            (true, true) => {
                let text = format!("CAST({place} AS TEXT)");
                format!(
                    "CASE WHEN trim(ltrim({text}, '-'), '0123456789.') = '' AND trim({text}, '-.') <> '' \
                     AND {text} NOT LIKE '--%' AND {text} NOT LIKE '%.%.%' THEN {cast} END"
                )
            }
        }
    }

    /// Whether the cell is a number of at least this; the least number asks for any.
    pub(super) fn at_least(&self, threshold: f64) -> String {
        let any = threshold <= f64::MIN;
        if self.is_cast() && self.has_words {
            let number = self.number();
            return if any { format!("{number} IS NOT NULL") } else { format!("{number} >= {threshold}") };
        }
        let compared =
            if any { self.present(false) } else { Some(format!("{} >= {threshold}", self.number())) };
        // '' is no number either.
        let empty = (!any && self.is_cast()).then(|| format!("{} <> ''", self.text));
        let words = self.has_words.then(|| format!("typeof({}) <> 'text'", self.text));
        [compared, empty, words].into_iter().flatten().collect::<Vec<_>>().join(" AND ")
    }

    /// Whether the cell is a number below this.
    pub(super) fn below(&self, threshold: f64) -> String {
        let empty = if self.is_cast() && !self.has_words {
            format!(" AND {} <> ''", self.text)
        } else {
            String::new()
        };
        format!("{} < {threshold}{empty}", self.number())
    }
}

/// The table of a relation; facts from a file are shown as if they were one.
pub(super) fn table(relation: &Relation) -> String {
    identifier(relation.source.as_ref().map_or(relation.name.as_str(), |source| source.table.as_str()))
}

fn columns(relation: &Relation) -> Vec<SourceColumn> {
    let argument = |a: usize| SourceColumn { name: format!("argument{a}"), declared: None, always: true };
    match &relation.source {
        Some(source) => source.columns.clone(),
        None => (1..=relation.arity()).map(argument).collect(),
    }
}

/// A number as SQL reads it, written as a cell would be: `5`, `-2.5`, not `05` or `1_000`.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let whole = digits.split(['.', 'e', 'E']).next().unwrap_or_default();
    !whole.is_empty()
        && (whole == "0" || !whole.starts_with('0'))
        && text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b))
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Words that SQLite or PostgreSQL read as their own.
const RESERVED: &str = "add all alter analyse analyze and any array as asc asymmetric authorization autoincrement \
    between binary both by case cast check collate collation column commit concurrently constraint create cross \
    current_catalog current_date current_role current_schema current_time current_timestamp current_user default \
    deferrable delete desc distinct do drop else end escape except exists false fetch for foreign freeze from full \
    grant group having ilike in index initially inner insert intersect into is isnull join key lateral leading left \
    like limit localtime localtimestamp natural not nothing notnull null offset on only or order outer overlaps \
    placing primary references returning right select session_user set similar some symmetric table tablesample \
    then to trailing transaction true union unique update user using values variadic verbose view when where window \
    with";

pub(super) fn identifier(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !RESERVED.split_whitespace().any(|word| word == name);
    if plain { name.to_string() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

pub(super) fn text_literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(declared: Option<Declared>) -> Place {
        Place { text: "t1.a".into(), declared, always: false, has_words: false }
    }

    #[test]
    fn constants_are_written_as_the_column_holds_them() {
        use Declared::{Any, Boolean, Collated, Integer, Number, Text, Time};
        for (declared, constant, expected) in [
            (Some(Integer), "5", "t1.a = 5"),
            (Some(Integer), "9007199254740993", "t1.a = 9007199254740993"),
            (Some(Integer), "five", "1 = 0"),
            (Some(Number), "-2.5", "t1.a = -2.5"),
            (Some(Text), "05", "t1.a = '05'"),
            (Some(Text), "5", "t1.a = '5'"),
            (Some(Boolean), "1", "t1.a = 1"),
            (Some(Boolean), "true", "t1.a = 'true'"),
            (Some(Time), "2026-05-17", "t1.a = '2026-05-17'"),
            (Some(Any), "5", "t1.a IN ('5', 5)"),
            (Some(Any), "it's", "t1.a = 'it''s'"),
            (Some(Collated), "Ulm", "t1.a || '' = 'Ulm'"),
            (None, "5", "t1.a = '5'"),
        ] {
            assert_eq!(place(declared).equals(constant), expected);
        }
    }

    #[test]
    fn a_missing_cell_is_no_fact() {
        assert_eq!(place(None).present(false).unwrap(), "t1.a IS NOT NULL");
        assert_eq!(place(None).present(true), None);
        assert_eq!(place(Some(Declared::Text)).present(true).unwrap(), "t1.a <> ''");
        assert_eq!(Place { always: true, ..place(None) }.present(false), None);
    }

    #[test]
    fn words_are_no_numbers() {
        let total = Place { has_words: true, ..place(Some(Declared::Number)) };
        assert_eq!(total.at_least(2.5), "t1.a >= 2.5 AND typeof(t1.a) <> 'text'");
        assert_eq!(total.at_least(f64::MIN), "t1.a IS NOT NULL AND typeof(t1.a) <> 'text'");
        assert_eq!(
            place(Some(Declared::Text)).below(2.5),
            "CAST(t1.a AS DOUBLE PRECISION) < 2.5 AND t1.a <> ''"
        );
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        assert_eq!(
            ["order", "orders", "Odd \"Name\"", "2nd"].map(identifier),
            ["\"order\"", "orders", "\"Odd \"\"Name\"\"\"", "\"2nd\""]
        );
    }
}
