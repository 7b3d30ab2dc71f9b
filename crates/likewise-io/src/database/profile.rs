//! What a column is, as far as its name and its values tell.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use likewise::codes;
use likewise::data::Table;
use likewise::note::Note;
use likewise::relations::schema::{ColumnKind, Declared, Schema};

use super::schema_file::Said;
use super::tables::{FoundTable, TableSource};
use crate::error::Result;

/// Up to so many distinct numbers are codes, not quantities.
const MOST_CODES: usize = 10;
/// Up to so many distinct words are categories.
const MOST_CATEGORIES: usize = 100;
/// Few enough to be categories even if rows are few too.
const SURELY_FEW: usize = 20;
/// Categories are short.
const LONGEST_CATEGORY: f64 = 40.0;
/// The share of values that must be keys of another table for a guess at a reference.
const NEARLY_ALL: f64 = 0.95;

/// What was seen of a table.
#[derive(Clone, Debug)]
pub struct Profile {
    pub rows: u64,
    pub columns: Vec<ColumnProfile>,
}

#[derive(Clone, Debug, Default)]
pub struct ColumnProfile {
    pub missing: u64,
    pub numbers: u64,
    pub dates: u64,
    pub smallest: f64,
    pub largest: f64,
    length: u64,
    /// Up to one more than is ever asked about.
    distinct: HashSet<String>,
    /// Hashes of all values as long as none came twice.
    unique: Option<HashSet<u64>>,
    present: u64,
}

impl Profile {
    pub(crate) fn new(columns: usize) -> Self {
        let fresh = || ColumnProfile {
            smallest: f64::INFINITY,
            largest: f64::NEG_INFINITY,
            unique: Some(HashSet::new()),
            ..ColumnProfile::default()
        };
        Profile { rows: 0, columns: (0..columns).map(|_| fresh()).collect() }
    }

    pub(crate) fn add(&mut self, batch: &Table, names: &[String]) {
        self.rows += batch.rows() as u64;
        for (profile, name) in self.columns.iter_mut().zip(names) {
            let Some(column) = batch.get(name) else { continue };
            (0..batch.rows()).for_each(|row| profile.add(&column.cell(row)));
        }
    }

    /// The column that names the rows: called `id` or after the table, and different in every row. A column
    /// that is called after another table refers to it instead.
    pub(crate) fn guess_key(&self, found: &FoundTable, all: &[FoundTable]) -> Option<String> {
        let wanted =
            |name: &str| ["id", "key"].contains(&&*name.to_lowercase()) || points_at(name, &found.name);
        let unique = |at: &usize| self.columns[*at].is_unique(self.rows);
        let named = (0..found.columns.len()).filter(|&at| wanted(&found.columns[at])).find(unique);
        let first_of_its_kind = || {
            let of_another = |n: &str| all.iter().any(|t| t.name != found.name && points_at(n, &t.name));
            let suits =
                found.columns.first().is_some_and(|n| n.to_lowercase().ends_with("id") && !of_another(n));
            (suits && unique(&0)).then_some(0)
        };
        named.or_else(first_of_its_kind).map(|at| found.columns[at].clone())
    }
}

impl ColumnProfile {
    fn add(&mut self, cell: &str) {
        if cell.is_empty() {
            self.missing += 1;
            return;
        }
        self.present += 1;
        self.length += cell.len() as u64;
        if let Ok(number) = cell.trim().parse::<f64>()
            && number.is_finite()
        {
            self.numbers += 1;
            self.smallest = self.smallest.min(number);
            self.largest = self.largest.max(number);
        }
        self.dates += u64::from(looks_like_a_date(cell));
        if self.distinct.len() <= MOST_CATEGORIES && !self.distinct.contains(cell) {
            self.distinct.insert(cell.to_string());
        }
        if let Some(seen) = &mut self.unique {
            let mut hasher = DefaultHasher::new();
            cell.hash(&mut hasher);
            if !seen.insert(hasher.finish()) {
                self.unique = None;
            }
        }
    }

    /// Every row has a value of its own.
    fn is_unique(&self, rows: u64) -> bool {
        self.missing == 0 && rows > 0 && self.unique.is_some()
    }

    /// How many distinct values there are, where they are few.
    pub fn distinct(&self) -> Option<usize> {
        (self.distinct.len() <= MOST_CATEGORIES).then_some(self.distinct.len())
    }

    /// What the column is: as declared, where that says it, and else as its values look.
    pub(crate) fn kind(&self, declared: Option<Declared>) -> ColumnKind {
        let distinct = self.distinct();
        if self.present == 0 {
            return ColumnKind::Ignored;
        }
        let few_codes = distinct.is_some_and(|few| few <= MOST_CODES);
        match declared {
            Some(Declared::Opaque) => return ColumnKind::Ignored,
            Some(Declared::Time) => return ColumnKind::Time,
            Some(Declared::Boolean) if few_codes => return ColumnKind::Category,
            // SQLite allows words there; with nothing else it is no column of numbers.
            Some(Declared::Number) if self.numbers > 0 => return ColumnKind::Number,
            // Codes come again and again, quantities need not.
            Some(Declared::Integer) if self.numbers > 0 => {
                let repeated = distinct.is_some_and(|few| few as u64 * 2 <= self.present);
                return if few_codes && repeated { ColumnKind::Category } else { ColumnKind::Number };
            }
            _ => {}
        }
        if self.numbers == self.present && !matches!(declared, Some(Declared::Text | Declared::Collated)) {
            return if few_codes { ColumnKind::Category } else { ColumnKind::Number };
        }
        if self.dates as f64 >= NEARLY_ALL * self.present as f64 {
            return ColumnKind::Time;
        }
        let short = self.length as f64 <= LONGEST_CATEGORY * self.present as f64;
        match distinct {
            Some(few)
                if short
                    && (few as u64 * 2 <= self.present
                        || few <= SURELY_FEW && (few as u64) < self.present) =>
            {
                ColumnKind::Category
            }
            _ => ColumnKind::Text,
        }
    }
}

/// `2026-05-17`, with or without a time after it.
fn looks_like_a_date(cell: &str) -> bool {
    let digits =
        |from: usize, to: usize| cell.get(from..to).is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()));
    let dash = |at: usize| cell.get(at..at + 1) == Some("-");
    digits(0, 4)
        && dash(4)
        && digits(5, 7)
        && dash(7)
        && digits(8, 10)
        && cell.get(10..11).is_none_or(|next| next == " " || next == "T")
}

/// `order` and `orders`, `company` and `companies`.
pub(crate) fn same_thing(one: &str, other: &str) -> bool {
    let stem = |word: &str| match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word
            .strip_suffix("es")
            .filter(|w| w.ends_with(['s', 'x', 'h']))
            .or(word.strip_suffix('s'))
            .unwrap_or(word)
            .to_string(),
    };
    one == other || stem(one) == stem(other)
}

/// Sets references where a column's name or values point at another table's key.
pub(crate) fn guess_references(
    source: &dyn TableSource,
    schema: &mut Schema,
    profiles: &[Profile],
    said: &Said,
    notes: &mut Vec<Note>,
) -> Result<()> {
    let keys: Vec<Option<Keys>> =
        (0..schema.tables.len()).map(|t| Keys::read(source, schema, t)).collect::<Result<_>>()?;
    for table in 0..schema.tables.len() {
        let own = schema.tables[table].name.clone();
        let may_refer = |at: usize, name: &String| {
            let fixed = said.of(&own).and_then(|s| s.kind(name)).is_some();
            let column = &schema.tables[table].columns[at];
            let cannot = Some(Declared::Number) == column.declared
                || matches!(column.declared, Some(Declared::Boolean | Declared::Time | Declared::Opaque));
            !fixed
                && !cannot
                && !matches!(column.kind, ColumnKind::Reference(_) | ColumnKind::Key)
                && profiles[table].columns[at].present > 0
        };
        let names: Vec<String> = schema.tables[table].columns.iter().map(|c| c.name.clone()).collect();
        let mut guesses: Vec<Guess> = (names.iter().enumerate())
            .filter(|(at, name)| may_refer(*at, name))
            .map(|(at, name)| Guess::new(at, name, schema, &keys))
            .filter(|guess| !guess.found.is_empty())
            .collect();
        let columns: Vec<String> = guesses.iter().map(|g| names[g.column].clone()).collect();
        if columns.is_empty() {
            continue;
        }
        source.stream(table, &columns, &mut |batch| {
            for (guess, name) in guesses.iter_mut().zip(&columns) {
                let Some(column) = batch.get(name) else { continue };
                (0..batch.rows()).for_each(|row| guess.add(&column.cell(row), &keys));
            }
            Ok(())
        })?;
        for guess in guesses {
            if let Some(to) = guess.best(&names[guess.column], schema) {
                let name = &names[guess.column];
                let text = format!("`{own}.{name}` is taken to refer to `{to}`");
                let note = Note::info(&codes::REFERENCE_GUESSED, text);
                notes.push(note.field("column", format!("{own}.{name}")).field("table", to.as_str()));
                schema.tables[table].columns[guess.column].kind = ColumnKind::Reference(to);
            }
        }
    }
    Ok(())
}

/// Tables that a column may refer to, and how many of its values are keys there.
struct Guess {
    column: usize,
    present: u64,
    found: Vec<(usize, u64)>,
}

impl Guess {
    fn new(column: usize, name: &str, schema: &Schema, keys: &[Option<Keys>]) -> Self {
        let worth_asking = |other: &usize| {
            keys[*other].as_ref().is_some_and(|k| k.words || points_at(name, &schema.tables[*other].name))
        };
        Guess { column, present: 0, found: (0..keys.len()).filter(worth_asking).map(|t| (t, 0)).collect() }
    }

    fn add(&mut self, cell: &str, keys: &[Option<Keys>]) {
        if cell.is_empty() {
            return;
        }
        self.present += 1;
        for (table, count) in &mut self.found {
            *count += u64::from(keys[*table].as_ref().is_some_and(|k| k.values.contains(cell)));
        }
    }

    /// The table its name says, or the only one its values fit.
    fn best(&self, name: &str, schema: &Schema) -> Option<String> {
        let fits = |(_, count): &&(usize, u64)| *count as f64 >= NEARLY_ALL * self.present as f64;
        let fitting: Vec<&str> =
            self.found.iter().filter(fits).map(|(t, _)| schema.tables[*t].name.as_str()).collect();
        let named = fitting.iter().find(|table| points_at(name, table));
        let only = if fitting.len() == 1 { fitting.first() } else { None };
        named.or(only).map(|table| table.to_string())
    }
}

struct Keys {
    values: HashSet<String>,
    /// Some are not numbers, so that a match says more than that both count from 1.
    words: bool,
}

impl Keys {
    fn read(source: &dyn TableSource, schema: &Schema, table: usize) -> Result<Option<Keys>> {
        let Some(key) = schema.tables[table].single_key().map(str::to_string) else { return Ok(None) };
        let mut values = HashSet::new();
        source.stream(table, std::slice::from_ref(&key), &mut |batch| {
            if let Some(column) = batch.get(&key) {
                values.extend((0..batch.rows()).map(|row| column.cell(row).into_owned()));
            }
            Ok(())
        })?;
        let words = values.iter().any(|v| v.parse::<f64>().is_err());
        Ok(Some(Keys { values, words }))
    }
}

/// `customer_id`, `customerId`, `customer`, `first_customer` for a table `customers`.
fn points_at(column: &str, table: &str) -> bool {
    let bare =
        ["_id", "_ID", "Id", "ID", " id"].iter().find_map(|end| column.strip_suffix(end)).unwrap_or(column);
    let (bare, table) = (bare.to_lowercase(), table.to_lowercase());
    let last = bare.rsplit(['_', ' ']).next().unwrap_or(&bare);
    !bare.is_empty() && (same_thing(&bare, &table) || same_thing(last, &table))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(cells: &[&str]) -> ColumnKind {
        let mut profile = Profile::new(1);
        cells.iter().for_each(|c| profile.columns[0].add(c));
        profile.columns[0].kind(None)
    }

    #[test]
    fn what_is_declared_counts_more_than_values() {
        let kind = |declared: Declared, cells: &[&str]| {
            let mut profile = Profile::new(1);
            cells.iter().for_each(|c| profile.columns[0].add(c));
            profile.columns[0].kind(Some(declared))
        };
        let nine = ["1", "2", "3", "4", "5", "6", "7", "8", "9.5"];
        assert_eq!(kind(Declared::Number, &nine), ColumnKind::Number);
        assert_eq!(kind(Declared::Number, &["2", "2", "many"]), ColumnKind::Number);
        assert_eq!(kind(Declared::Number, &["red", "blue", "red"]), ColumnKind::Category);
        assert_eq!(kind(Declared::Integer, &["1", "2", "3", "4"]), ColumnKind::Number);
        assert_eq!(kind(Declared::Integer, &["1", "2", "1", "2"]), ColumnKind::Category);
        let codes: Vec<String> = (0..60).map(|i| format!("{:05}", 1000 + i % 30)).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        assert_eq!(kind(Declared::Text, &codes), ColumnKind::Category);
        assert_eq!(kind(Declared::Any, &codes), ColumnKind::Number);
        assert_eq!(kind(Declared::Boolean, &["1", "0", "1"]), ColumnKind::Category);
        assert_eq!(kind(Declared::Time, &["20260517", "20260518"]), ColumnKind::Time);
        assert_eq!(kind(Declared::Opaque, &["a", "b"]), ColumnKind::Ignored);
    }

    #[test]
    fn values_tell_the_kind() {
        let many: Vec<String> = (0..200).map(|i| format!("{}.5", i)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(kind(&many), ColumnKind::Number);
        assert_eq!(kind(&["0", "1", "1", "0"]), ColumnKind::Category);
        assert_eq!(kind(&["red", "blue", "red", ""]), ColumnKind::Category);
        assert_eq!(kind(&["2026-01-02", "2025-12-31 10:00", "2024-05-06T07:08"]), ColumnKind::Time);
        assert_eq!(kind(&["Ann Lee", "Bob Moe", "Cy Fox"]), ColumnKind::Text);
        assert_eq!(kind(&["", ""]), ColumnKind::Ignored);
    }

    #[test]
    fn names_tell_the_key_and_where_a_reference_leads() {
        for (column, table) in [
            ("customer_id", "customers"),
            ("CustomerID", "customer"),
            ("company", "companies"),
            ("home_city", "cities"),
        ] {
            assert!(points_at(column, table), "{column} {table}");
        }
        assert!(!points_at("id", "orders") && !points_at("paid", "pa") && !points_at("amount", "orders"));
        let found = FoundTable {
            name: "orders".into(),
            columns: vec!["total".into(), "order_id".into()],
            ..FoundTable::default()
        };
        let mut profile = Profile::new(2);
        profile.rows = 2;
        for (at, cells) in [["5", "6"], ["a", "b"]].iter().enumerate() {
            cells.iter().for_each(|c| profile.columns[at].add(c));
        }
        let all = [found.clone()];
        assert_eq!(profile.guess_key(&found, &all), Some("order_id".into()));
        profile.columns[1].add("a");
        assert_eq!(profile.guess_key(&found, &all), None);
        let items =
            FoundTable { name: "items".into(), columns: vec!["order_id".into()], ..FoundTable::default() };
        let mut profile = Profile::new(1);
        profile.rows = 1;
        profile.columns[0].add("1");
        assert_eq!(profile.guess_key(&items, std::slice::from_ref(&items)), Some("order_id".into()));
        assert_eq!(profile.guess_key(&items, &[items.clone(), found]), None);
    }
}
