//! How names, constants and comparisons are written in SQL, so that a query sees a cell as a fact does.
//!
//! A missing cell is no fact, and an empty text is a missing cell. A constant is the text of a cell: in a column of
//! numbers it is written as a number, in one that declares nothing as both. SQLite puts words into columns of numbers
//! where it must, and holds every word to be more than any number. A column that the tables asked do not have is `NULL`
//! in every row.

use super::Relation;
use super::facts::{SourceColumn, Words};
use super::schema::Declared;

/// Where a value stands in a query: `t1.total`.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) text: String,
    declared: Option<Declared>,
    always: bool,
    /// What stands among the numbers of the column.
    words: Words,
    /// The places that together are this one, where no column is it alone.
    parts: Vec<String>,
}

impl Place {
    /// The places of a relation's arguments in the table with that alias.
    pub(super) fn of(relation: &Relation, alias: &str) -> Vec<Place> {
        let last = relation.arity() - 1;
        let at = |name: &String| format!("{alias}.{}", identifier(name));
        let place = |(argument, column): (usize, SourceColumn)| {
            let parts: Vec<String> = column.parts.iter().map(at).collect();
            let text = match (column.absent, parts.is_empty()) {
                (true, _) => "NULL".to_string(),
                (false, true) => at(&column.name),
                (false, false) => together(&parts),
            };
            let words = relation.source.as_ref().filter(|_| argument == last).map(|s| s.words.clone());
            let words = words.unwrap_or_default();
            Place { text, declared: column.declared, always: column.always && !column.absent, words, parts }
        };
        columns(relation).into_iter().enumerate().map(place).collect()
    }

    /// The same value under the name that an outer query sees.
    pub(super) fn named(&self, name: &str) -> Place {
        Place { text: name.into(), parts: Vec::new(), ..self.clone() }
    }

    /// Whether the cell is this constant.
    pub(super) fn equals(&self, constant: &str) -> String {
        let number = is_number(constant);
        let place = &self.text;
        match self.declared {
            Some(Declared::Integer | Declared::Number | Declared::Boolean) if number => {
                format!("{place} = {constant}")
            }
            // What is no number stands in such a column in SQLite alone; PostgreSQL refuses to compare the two.
            Some(Declared::Integer | Declared::Number) if self.words == Words::None => "1 = 0".into(),
            Some(Declared::Any) if is_as_written(constant) => {
                format!("{place} IN ({}, {constant})", text_literal(constant))
            }
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
        if !self.parts.is_empty() && self.parts.len() == other.parts.len() {
            let equal = self.parts.iter().zip(&other.parts).map(|(own, other)| format!("{own} = {other}"));
            return equal.collect::<Vec<_>>().join(" AND ");
        }
        let is_text = |place: &Place| matches!(place.declared, Some(Declared::Text | Declared::Collated));
        let is_any = |place: &Place| place.declared == Some(Declared::Any);
        let both_told = self.declared.is_some() && other.declared.is_some();
        if both_told && (is_text(self) != is_text(other) || is_any(self) || is_any(other)) {
            return format!("{} = {}", self.as_text(), other.as_text());
        }
        format!("{} = {}", self.exact(), other.exact())
    }

    /// The cell as the text that a fact holds: a whole number has no point, which databases write.
    fn as_text(&self) -> String {
        let place = &self.text;
        let whole = format!("{place} = CAST({place} AS BIGINT)");
        let without_point = format!("CAST(CAST({place} AS BIGINT) AS TEXT)");
        match self.declared {
            Some(Declared::Number) => {
                format!("CASE WHEN {whole} THEN {without_point} ELSE CAST({place} AS TEXT) END")
            }
            Some(Declared::Any) => format!(
                "CASE WHEN typeof({place}) = 'real' AND {whole} THEN {without_point} ELSE CAST({place} AS TEXT) END"
            ),
            _ => format!("CAST({} AS TEXT)", self.exact()),
        }
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
    /// among the numbers, they become nothing. Where they are too many to be named, a number with an exponent is taken
    /// for one of them.
    pub(super) fn number(&self) -> String {
        let place = &self.text;
        let cast = format!("CAST({place} AS DOUBLE PRECISION)");
        match (self.is_cast(), &self.words) {
            (false, _) => place.clone(),
            (true, Words::None) => cast,
            (true, Words::Few(words)) => {
                let words: Vec<String> = words.iter().map(|word| text_literal(word)).collect();
                format!("CASE WHEN {place} NOT IN ('', {}) THEN {cast} END", words.join(", "))
            }
            (true, Words::Many) => {
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
        let has_words = self.words != Words::None;
        if self.is_cast() && has_words {
            let number = self.number();
            return if any { format!("{number} IS NOT NULL") } else { format!("{number} >= {threshold}") };
        }
        let compared =
            if any { self.present(false) } else { Some(format!("{} >= {threshold}", self.number())) };
        // '' is no number either.
        let empty = (!any && self.is_cast()).then(|| format!("{} <> ''", self.text));
        let words = has_words.then(|| format!("typeof({}) IN ('integer', 'real')", self.text));
        [compared, empty, words].into_iter().flatten().collect::<Vec<_>>().join(" AND ")
    }

    /// Whether the cell is a number below this.
    pub(super) fn below(&self, threshold: f64) -> String {
        let empty = if self.is_cast() && self.words == Words::None {
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
    let argument =
        |a: usize| SourceColumn { name: format!("argument{a}"), always: true, ..SourceColumn::default() };
    match &relation.source {
        Some(source) => source.columns.clone(),
        None => (1..=relation.arity()).map(argument).collect(),
    }
}

/// Places as one text, from which each can be told.
fn together(parts: &[String]) -> String {
    let last = parts.len().saturating_sub(1);
    let text = |(at, part): (usize, &String)| match at == last {
        true => format!("CAST({part} AS TEXT)"),
        false => format!("length(CAST({part} AS TEXT)) || ':' || CAST({part} AS TEXT)"),
    };
    parts.iter().enumerate().map(text).collect::<Vec<_>>().join(" || ")
}

/// A number just as one is written out: what reads `+3` or `1e2` can only have been a text.
fn is_as_written(text: &str) -> bool {
    text.parse::<i64>().is_ok_and(|number| number.to_string() == text)
        || text.parse::<f64>().is_ok_and(|number| number.is_finite() && number.to_string() == text)
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
        Place { text: "t1.a".into(), declared, always: false, words: Words::None, parts: Vec::new() }
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
            (Some(Any), "+3", "t1.a = '+3'"),
            (Some(Any), "1e2", "t1.a = '1e2'"),
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
        let total = Place { words: Words::Many, ..place(Some(Declared::Number)) };
        assert_eq!(total.at_least(2.5), "t1.a >= 2.5 AND typeof(t1.a) IN ('integer', 'real')");
        assert_eq!(total.at_least(f64::MIN), "t1.a IS NOT NULL AND typeof(t1.a) IN ('integer', 'real')");
        assert_eq!(total.equals("n/a"), "t1.a = 'n/a'");
        let few = Place { words: Words::Few(vec!["n/a".into()]), ..place(Some(Declared::Text)) };
        assert_eq!(
            few.below(2.5),
            "CASE WHEN t1.a NOT IN ('', 'n/a') THEN CAST(t1.a AS DOUBLE PRECISION) END < 2.5"
        );
        assert_eq!(
            place(Some(Declared::Text)).below(2.5),
            "CAST(t1.a AS DOUBLE PRECISION) < 2.5 AND t1.a <> ''"
        );
    }

    #[test]
    fn cells_of_different_types_are_compared_as_facts_are() {
        let joined = |own: Declared, other: Declared| {
            let other = Place { text: "t2.b".into(), ..place(Some(other)) };
            place(Some(own)).joins(&other)
        };
        assert_eq!(joined(Declared::Integer, Declared::Number), "t1.a = t2.b");
        let whole = "CASE WHEN t1.a = CAST(t1.a AS BIGINT) THEN CAST(CAST(t1.a AS BIGINT) AS TEXT) ELSE CAST(t1.a AS TEXT) END";
        assert_eq!(joined(Declared::Number, Declared::Text), format!("{whole} = CAST(t2.b AS TEXT)"));
        assert!(joined(Declared::Any, Declared::Any).contains("typeof(t2.b) = 'real'"));
        let row = |parts: [&str; 2]| Place { parts: parts.map(String::from).to_vec(), ..place(None) };
        assert_eq!(row(["t1.a", "t1.b"]).joins(&row(["t2.a", "t2.b"])), "t1.a = t2.a AND t1.b = t2.b");
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        assert_eq!(
            ["order", "orders", "Odd \"Name\"", "2nd"].map(identifier),
            ["\"order\"", "orders", "\"Odd \"\"Name\"\"\"", "\"2nd\""]
        );
    }
}
