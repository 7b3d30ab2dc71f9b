//! What a column is, as far as its name and its values tell.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use likewise::data::Table;
use likewise::relations::schema::{ColumnKind, Declared};
use likewise::relations::symbols::whole;

use super::missing::is_marker;

/// Up to so many distinct numbers are codes, not quantities.
const MOST_CODES: usize = 10;
/// Up to so many distinct words are categories.
const MOST_CATEGORIES: usize = 100;
/// Few enough to be categories even if rows are few too.
const SURELY_FEW: usize = 20;
/// Categories are short.
const LONGEST_CATEGORY: f64 = 40.0;
/// The share of values that must look alike.
const NEARLY_ALL: f64 = 0.95;
/// A column with so many repeated values is looked at no further, and with a larger share of them it is no key.
const MANY_REPEATS: u64 = 10;

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
    /// Hashes of all values as long as few came twice.
    unique: Option<HashSet<u64>>,
    pub(super) present: u64,
    /// Cells with nothing in them, and those that say in words that they are missing.
    pub(super) blanks: Met,
    pub(super) markers: Met,
    pub(super) marker_words: Vec<String>,
    /// Values that came before.
    pub(super) repeats: Met,
    /// Whole numbers that are written with a point.
    with_point: u64,
}

/// How often something was met, and where first.
#[derive(Clone, Debug, Default)]
pub struct Met {
    pub(super) count: u64,
    pub(super) first: String,
}

impl Met {
    fn add(&mut self, place: impl FnOnce() -> String) {
        if self.count == 0 {
            self.first = place();
        }
        self.count += 1;
    }
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

    /// `has_markers` says whether some words stand for a missing value.
    pub(crate) fn add(&mut self, batch: &Table, names: &[String], has_markers: bool) {
        self.rows += batch.rows() as u64;
        for (profile, name) in self.columns.iter_mut().zip(names) {
            let Some(column) = batch.get(name) else { continue };
            for row in 0..batch.rows() {
                profile.add(&column.cell(row), has_markers, &|| batch.place(row));
            }
        }
    }
}

impl ColumnProfile {
    pub(super) fn add(&mut self, cell: &str, has_markers: bool, place: &dyn Fn() -> String) {
        if cell.is_empty() {
            self.missing += 1;
            self.blanks.add(place);
            return;
        }
        if let Some(seen) = &mut self.unique {
            let mut hasher = DefaultHasher::new();
            cell.hash(&mut hasher);
            if !seen.insert(hasher.finish()) {
                self.repeats.add(|| format!("`{cell}` at {}", place()));
                if self.repeats.count > MANY_REPEATS && self.repeats.count * 10 > self.present {
                    self.unique = None;
                }
            }
        }
        if has_markers && is_marker(cell) {
            self.missing += 1;
            self.markers.add(place);
            if !self.marker_words.iter().any(|word| word == cell) {
                self.marker_words.push(cell.into());
            }
            return;
        }
        self.present += 1;
        self.with_point += u64::from(whole(cell).len() < cell.len());
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
    }

    /// So few values came twice that others may.
    pub(super) fn is_told_apart(&self) -> bool {
        self.unique.is_some()
    }

    /// Where all else is numbers, a word says that a value is missing.
    pub(super) fn has_gaps(&self) -> bool {
        self.markers.count > 0 && self.numbers == self.present
    }

    /// Whether a point behind whole numbers says nothing: none has one, or all do.
    pub(super) fn is_by_value(&self) -> bool {
        self.numbers > 0 && (self.with_point == 0 || self.with_point == self.present)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(cells: &[&str]) -> ColumnKind {
        let mut profile = Profile::new(1);
        cells.iter().for_each(|c| profile.columns[0].add(c, true, &String::new));
        profile.columns[0].kind(None)
    }

    #[test]
    fn what_is_declared_counts_more_than_values() {
        let kind = |declared: Declared, cells: &[&str]| {
            let mut profile = Profile::new(1);
            cells.iter().for_each(|c| profile.columns[0].add(c, true, &String::new));
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
}
