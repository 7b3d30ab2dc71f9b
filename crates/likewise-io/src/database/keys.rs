//! Which column names the rows of a table, where nothing declares it, and what keeps one from it.

use likewise::codes;
use likewise::figures::{count, rows};
use likewise::message::Message;
use likewise::note::Note;

use super::profile::{ColumnProfile, Profile};
use super::references::points_at;
use super::tables::FoundTable;
use crate::error::Error;

/// A column that would be the key but for some of its cells. Rows are numbered then, and a number says nothing to
/// anybody: least of all that it is a key.
#[derive(Clone, Debug)]
pub(crate) struct Flaw {
    pub table: String,
    pub column: String,
    /// What is wrong with it, and where.
    pub why: String,
}

pub(crate) enum KeyGuess {
    Key(String),
    Flawed(Flaw),
    None,
}

/// What each says to do.
const WAY_OUT: &str = "mend these cells, or name another key in a schema";

impl Flaw {
    /// What anybody should know of a table whose rows have no names.
    pub fn note(&self) -> Note {
        let Flaw { table, column, why } = self;
        let text = format!(
            "`{table}.{column}` would name the rows of `{table}`, but it {why}; nothing can refer to these rows: {WAY_OUT}"
        );
        let note = Note::warning(&codes::UNUSABLE_KEY, text);
        note.field("table", table.as_str()).field("column", column.as_str())
    }

    /// Refuses examples that would be looked for among the numbers of rows.
    pub fn error(&self) -> Error {
        let Flaw { table, column, why } = self;
        let text = format!(
            "rows of `{table}` cannot be named: `{table}.{column}` would be their key, but it {why}; {WAY_OUT}"
        );
        let message = Message::new(&codes::UNUSABLE_KEY, text);
        likewise::Error::data(message.field("table", table.as_str()).field("column", column.as_str())).into()
    }
}

impl Profile {
    /// The column that names the rows: called `id` or after the table, and different in every row. A column
    /// that is called after another table refers to it instead.
    pub(crate) fn guess_key(&self, found: &FoundTable, all: &[FoundTable]) -> KeyGuess {
        let wanted =
            |name: &str| ["id", "key"].contains(&&*name.to_lowercase()) || points_at(name, &found.name);
        let refers = |name: &String| found.references.iter().any(|r| r.column == *name);
        let named = (0..found.columns.len()).filter(|&at| wanted(&found.columns[at]));
        let of_another = |n: &str| all.iter().any(|t| t.name != found.name && points_at(n, &t.name));
        let of_its_kind =
            found.columns.first().filter(|n| n.to_lowercase().ends_with("id") && !of_another(n)).map(|_| 0);
        let suitable: Vec<usize> =
            named.chain(of_its_kind).filter(|&at| !refers(&found.columns[at])).collect();
        let flaw = |at: usize| self.columns[at].flaw(self.rows);
        if let Some(&at) = suitable.iter().find(|&&at| flaw(at).is_none()) {
            return KeyGuess::Key(found.columns[at].clone());
        }
        let nearly = suitable.into_iter().find(|&at| self.columns[at].is_nearly_a_key(self.rows));
        match nearly.and_then(|at| Some((at, flaw(at)?))) {
            Some((at, why)) => {
                KeyGuess::Flawed(Flaw { table: found.name.clone(), column: found.columns[at].clone(), why })
            }
            None => KeyGuess::None,
        }
    }
}

impl ColumnProfile {
    /// Why its cells do not tell rows apart; none where they do.
    pub(crate) fn flaw(&self, all: u64) -> Option<String> {
        let of = |met: u64| format!("{} of {}", count(met as usize), rows(all as usize));
        if self.blanks.count > 0 {
            return Some(format!("is empty in {} (the first: {})", of(self.blanks.count), self.blanks.first));
        }
        if self.has_gaps() {
            let word = self.marker_words.first().map_or("", String::as_str);
            return Some(format!(
                "says `{word}` in {} (the first: {})",
                of(self.markers.count),
                self.markers.first
            ));
        }
        if self.repeats.count > 0 {
            let repeats = of(self.repeats.count);
            return Some(format!("repeats an earlier row in {repeats} (the first: {})", self.repeats.first));
        }
        (all == 0).then(|| "has no rows".to_string())
    }

    /// A slip or two keep it from being a key.
    fn is_nearly_a_key(&self, all: u64) -> bool {
        let gaps = if self.has_gaps() { self.markers.count } else { 0 };
        let slips = self.blanks.count + gaps + self.repeats.count;
        self.is_told_apart() && slips * 10 <= all && all > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(columns: &[&[&str]]) -> Profile {
        let mut profile = Profile::new(columns.len());
        profile.rows = columns[0].len() as u64;
        for (at, cells) in columns.iter().enumerate() {
            for (row, cell) in cells.iter().enumerate() {
                profile.columns[at].add(cell, true, &|| format!("t:{}", row + 2));
            }
        }
        profile
    }

    fn table(name: &str, columns: &[&str]) -> FoundTable {
        let columns = columns.iter().map(|c| c.to_string()).collect();
        FoundTable { name: name.into(), columns, ..FoundTable::default() }
    }

    fn guess(columns: &[&[&str]], found: &FoundTable, all: &[FoundTable]) -> String {
        match profile(columns).guess_key(found, all) {
            KeyGuess::Key(key) => key,
            KeyGuess::Flawed(flaw) => format!("{} {}", flaw.column, flaw.why),
            KeyGuess::None => "none".into(),
        }
    }

    #[test]
    fn names_and_cells_tell_the_key() {
        let orders = table("orders", &["total", "order_id"]);
        let all = [orders.clone()];
        assert_eq!(guess(&[&["5", "6"], &["a", "b"]], &orders, &all), "order_id");
        assert_eq!(guess(&[&["5", "6", "7"], &["a", "b", "a"]], &orders, &all), "none");
        let items = table("items", &["order_id"]);
        assert_eq!(guess(&[&["1"]], &items, std::slice::from_ref(&items)), "order_id");
        assert_eq!(guess(&[&["1"]], &items, &[items.clone(), orders]), "none");
    }

    #[test]
    fn a_slip_in_a_key_is_told_with_its_place() {
        let orders = table("orders", &["id"]);
        let with = |last: &str| {
            let mut cells: Vec<String> = (1..=20).map(|i| i.to_string()).collect();
            cells.push(last.into());
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            guess(&[&cells], &orders, std::slice::from_ref(&orders))
        };
        assert_eq!(with("21"), "id");
        assert_eq!(with(""), "id is empty in 1 of 21 rows (the first: t:22)");
        assert_eq!(with("?"), "id says `?` in 1 of 21 rows (the first: t:22)");
        assert_eq!(with("7"), "id repeats an earlier row in 1 of 21 rows (the first: `7` at t:22)");
    }

    #[test]
    fn a_code_that_reads_like_a_missing_value_names_a_row() {
        let countries = table("countries", &["id"]);
        let codes: Vec<&str> = "DE FR IT ES US CN BR ZA KE NA".split(' ').collect();
        assert_eq!(guess(&[&codes], &countries, std::slice::from_ref(&countries)), "id");
    }
}
