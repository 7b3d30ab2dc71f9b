//! Which columns refer to other tables, where nothing declares it.

use std::collections::HashSet;

use likewise::codes;
use likewise::note::Note;
use likewise::relations::schema::{ColumnKind, Declared, Schema};
use likewise::relations::symbols::whole;

use super::keys::Flaw;
use super::missing::is_marker;
use super::profile::Profile;
use super::schema_file::Said;
use super::tables::{TableSource, place_in};
use crate::error::Result;

/// The share of values that must be keys of another table for a guess at a reference.
const NEARLY_ALL: f64 = 0.95;

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
    flaws: &[Flaw],
    notes: &mut Vec<Note>,
) -> Result<()> {
    // Where a key is none for a few of its cells, numbers of rows stand in for it, and nobody refers to these.
    let is_flawed = |t: usize| flaws.iter().any(|flaw| flaw.table == schema.tables[t].name);
    let read = |t: usize| if is_flawed(t) { Ok(None) } else { Keys::read(source, schema, t) };
    let keys: Vec<Option<Keys>> = (0..schema.tables.len()).map(read).collect::<Result<_>>()?;
    for table in 0..schema.tables.len() {
        let own = schema.tables[table].name.clone();
        let may_refer = |at: usize, name: &String| {
            let fixed = said.of(&own).and_then(|s| s.kind(name)).is_some();
            let column = &schema.tables[table].columns[at];
            let cannot =
                matches!(column.declared, Some(Declared::Boolean | Declared::Time | Declared::Opaque));
            !fixed
                && !cannot
                && !matches!(column.kind, ColumnKind::Reference(_))
                && profiles[table].columns[at].present > 0
        };
        let names: Vec<String> = schema.tables[table].columns.iter().map(|c| c.name.clone()).collect();
        let mut guesses: Vec<Guess> = (names.iter().enumerate())
            .filter(|(at, name)| may_refer(*at, name))
            .map(|(at, name)| Guess::new(at, name, table, schema, &keys))
            .filter(|guess| !guess.found.is_empty())
            .collect();
        let columns: Vec<String> = guesses.iter().map(|g| names[g.column].clone()).collect();
        if columns.is_empty() {
            continue;
        }
        source.stream(place_in(source, &own)?, &columns, &mut |batch| {
            for (guess, name) in guesses.iter_mut().zip(&columns) {
                let Some(column) = batch.get(name) else { continue };
                (0..batch.rows()).for_each(|row| guess.add(&column.cell(row), &keys, source.has_markers()));
            }
            Ok(())
        })?;
        for guess in guesses {
            if let Some(to) = guess.best(&names[guess.column], schema) {
                let name = &names[guess.column];
                let before = schema.tables[table].columns[guess.column].kind.clone();
                schema.tables[table].columns[guess.column].kind = ColumnKind::Reference(to.clone());
                // Keys that are called after each other say nothing of what a row is.
                if schema.type_of(&schema.tables[table]).is_err() {
                    schema.tables[table].columns[guess.column].kind = before;
                    continue;
                }
                let text = format!("`{own}.{name}` is taken to refer to `{to}`");
                let note = Note::info(&codes::REFERENCE_GUESSED, text);
                notes.push(note.field("column", format!("{own}.{name}")).field("table", to.as_str()));
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
    fn new(column: usize, name: &str, table: usize, schema: &Schema, keys: &[Option<Keys>]) -> Self {
        let own = &schema.tables[table];
        let is_key = own.single_key().is_some_and(|key| key.eq_ignore_ascii_case(name));
        // Keys and quantities have values of their own, so that only a name can tell that they are another table's.
        let by_name_alone = is_key || own.columns[column].declared == Some(Declared::Number);
        let worth_asking = |other: &usize| {
            let named = points_at(name, &schema.tables[*other].name);
            let possible = !is_key || *other != table && !points_at(name, &own.name);
            possible && keys[*other].as_ref().is_some_and(|k| k.words && !by_name_alone || named)
        };
        Guess { column, present: 0, found: (0..keys.len()).filter(worth_asking).map(|t| (t, 0)).collect() }
    }

    fn add(&mut self, cell: &str, keys: &[Option<Keys>], has_markers: bool) {
        let is_key = |table: usize| keys[table].as_ref().is_some_and(|keys| keys.hold(cell));
        let is_missing = has_markers && is_marker(cell) && !self.found.iter().any(|(t, _)| is_key(*t));
        if cell.is_empty() || is_missing {
            return;
        }
        self.present += 1;
        for (table, count) in &mut self.found {
            *count += u64::from(is_key(*table));
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
    /// `1.0` is `1`.
    by_value: bool,
}

impl Keys {
    fn read(source: &dyn TableSource, schema: &Schema, table: usize) -> Result<Option<Keys>> {
        let Some(column) = schema.tables[table].key_column() else { return Ok(None) };
        let (key, by_value) = (column.name.clone(), column.by_value);
        let mut values: HashSet<String> = HashSet::new();
        let place = place_in(source, &schema.tables[table].name)?;
        source.stream(place, std::slice::from_ref(&key), &mut |batch| {
            if let Some(column) = batch.get(&key) {
                let name = |cell: &str| if by_value { whole(cell).to_string() } else { cell.to_string() };
                values.extend((0..batch.rows()).map(|row| name(&column.cell(row))));
            }
            Ok(())
        })?;
        let words = values.iter().any(|v| v.parse::<f64>().is_err());
        Ok(Some(Keys { values, words, by_value }))
    }

    fn hold(&self, cell: &str) -> bool {
        self.values.contains(if self.by_value { whole(cell) } else { cell })
    }
}

/// A name without what says that it is one of a key, in small letters.
fn bare(column: &str) -> String {
    let ends = ["_id", "_ID", "Id", "ID", " id"];
    ends.iter().find_map(|end| column.strip_suffix(end)).unwrap_or(column).to_lowercase()
}

/// `customer_id`, `customerId`, `customer` for a table `customers`.
pub(crate) fn is_named_after(column: &str, table: &str) -> bool {
    let bare = bare(column);
    !bare.is_empty() && same_thing(&bare, &table.to_lowercase())
}

/// The same, and `first_customer`.
pub(crate) fn points_at(column: &str, table: &str) -> bool {
    let (bare, table) = (bare(column), table.to_lowercase());
    let last = bare.rsplit(['_', ' ']).next().unwrap_or(&bare);
    !bare.is_empty() && (same_thing(&bare, &table) || same_thing(last, &table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_where_a_reference_leads() {
        for (column, table) in [
            ("customer_id", "customers"),
            ("CustomerID", "customer"),
            ("company", "companies"),
            ("home_city", "cities"),
        ] {
            assert!(points_at(column, table), "{column} {table}");
        }
        assert!(!points_at("id", "orders") && !points_at("paid", "pa") && !points_at("amount", "orders"));
    }
}
