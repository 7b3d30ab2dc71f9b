//! Numbers as people write them: `1200.5`, `1,200.50`, `1.200,50`, `$1,200.50`, `12 %`.
//!
//! Which of point and comma is the mark of decimals is decided for a column as a whole, by the cells that can be read in
//! one way only, and kept with the model: `1,234` alone says nothing.

use serde::{Deserialize, Serialize};

/// What stands before the decimals of a column's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decimals {
    /// `0.5`; a comma groups thousands.
    #[default]
    Point,
    /// `0,5`; a point groups thousands.
    Comma,
}

impl Decimals {
    /// Whether numbers are written as programs write them.
    pub(super) fn is_point(&self) -> bool {
        *self == Decimals::Point
    }

    /// The number that a cell holds, which may be endless; `None` where it is none. A percentage is the number before its
    /// sign.
    pub(crate) fn number(self, cell: &str) -> Option<f64> {
        let cell = cell.trim();
        if let (Decimals::Point, Ok(number)) = (self, cell.parse()) {
            return Some(number);
        }
        if cell.len() > LONGEST {
            return None;
        }
        let bare = Bare::of(cell)?;
        let (mark, group) = match self {
            Decimals::Point => ('.', ','),
            Decimals::Comma => (',', '.'),
        };
        let (whole, decimals) = match bare.digits.split_once(mark) {
            Some((whole, decimals)) => (whole, Some(decimals)),
            None => (bare.digits, None),
        };
        if decimals.is_some_and(|decimals| !is_digits(decimals)) {
            return None;
        }
        // Telephone numbers have blanks too.
        let amount = bare.has_unit || decimals.is_some();
        let blank = |c: char| matches!(c, '\u{a0}' | '\u{202f}') || amount && c == ' ';
        if !(is_digits(whole) || is_grouped(whole, |c| c == group) || is_grouped(whole, blank)) {
            return None;
        }
        let plain: String = whole.chars().filter(char::is_ascii_digit).chain(['.']).collect();
        let number: f64 = (plain + decimals.unwrap_or("0")).parse().ok()?;
        Some(if bare.negative { -number } else { number })
    }

    /// How the numbers among these cells are written; `None` where they have commas and nobody can tell what these mean.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Option<Decimals> {
        let (mut point, mut comma, mut either) = (0, 0, 0);
        for cell in cells {
            let reads = |decimals: Decimals| decimals.number(cell).is_some();
            let dollars = cell.contains(['$', '£', '¥', '₹']);
            match (reads(Decimals::Point), reads(Decimals::Comma)) {
                (true, true) if cell.contains(',') && !dollars => either += 1,
                (true, _) if cell.contains(['.', ',']) => point += 1,
                (false, true) if cell.contains(['.', ',']) => comma += 1,
                _ => {}
            }
        }
        match point.cmp(&comma) {
            std::cmp::Ordering::Less => Some(Decimals::Comma),
            std::cmp::Ordering::Equal if either > 0 => None,
            _ => Some(Decimals::Point),
        }
    }
}

/// Signs of currencies and of shares that may stand beside a number.
const SIGNS: [char; 7] = ['$', '€', '£', '¥', '₹', '%', '‰'];

/// Longer cells are something else, and need not be looked through.
const LONGEST: usize = 64;

/// A number without its sign and its unit.
struct Bare<'a> {
    negative: bool,
    has_unit: bool,
    digits: &'a str,
}

impl<'a> Bare<'a> {
    fn of(cell: &'a str) -> Option<Self> {
        let (mut rest, mut negative, mut has_unit) = (cell, None, false);
        loop {
            rest = rest.trim();
            let first = rest.chars().next()?;
            if matches!(first, '-' | '+' | '−') && negative.is_none() {
                negative = Some(first != '+');
                rest = &rest[first.len_utf8()..];
            } else if let (Some(within), false) = (rest.strip_prefix(SIGNS), has_unit) {
                (rest, has_unit) = (within, true);
            } else if let (Some(within), false) = (rest.strip_suffix(SIGNS), has_unit) {
                (rest, has_unit) = (within, true);
            } else {
                return Some(Bare { negative: negative.unwrap_or(false), has_unit, digits: rest });
            }
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `1,234,567`: groups of three after the first, which has no zero in front.
fn is_grouped(text: &str, mark: impl Fn(char) -> bool) -> bool {
    let mut groups = text.split(mark);
    let first = groups.next().is_some_and(|g| is_digits(g) && g.len() <= 3 && !g.starts_with('0'));
    first && groups.all(|group| is_digits(group) && group.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_commas_signs_and_units() {
        for (cell, point, comma) in [
            ("1200.5", Some(1200.5), None),
            ("0,5", None, Some(0.5)),
            ("-1.234,5", None, Some(-1234.5)),
            ("1,234", Some(1234.0), Some(1.234)),
            ("0,123", None, Some(0.123)),
            ("+1,234,567.25", Some(1_234_567.25), None),
            ("$1,200.50", Some(1200.5), None),
            ("-$5", Some(-5.0), Some(-5.0)),
            ("$ -5", Some(-5.0), Some(-5.0)),
            ("12 %", Some(12.0), Some(12.0)),
            ("1 234,50 €", None, Some(1234.5)),
            ("€ 1\u{a0}200", Some(1200.0), Some(1200.0)),
            ("1e3", Some(1000.0), None),
            ("", None, None),
            ("$", None, None),
            ("--5", None, None),
            ("1,2,3", None, None),
            ("1,23.4", None, None),
            ("2024-01-01", None, None),
            ("€5 %", None, None),
            ("123 456 789", None, None),
            (",5", None, None),
        ] {
            let read = [Decimals::Point, Decimals::Comma].map(|decimals| decimals.number(cell));
            assert_eq!(read, [point, comma], "{cell}");
        }
    }

    #[test]
    fn a_column_tells_what_its_commas_mean() {
        let of = |cells: &[&str]| Decimals::of(cells.iter().copied());
        assert_eq!(of(&["3,14", "1,234", "2"]), Some(Decimals::Comma));
        assert_eq!(of(&["$1,200", "$30"]), Some(Decimals::Point));
        assert_eq!(of(&["1,234", "3.5"]), Some(Decimals::Point));
        assert_eq!(of(&["1.234", "2.5", "2,5"]), Some(Decimals::Point));
        assert_eq!(of(&["1,234", "2"]), None);
        assert_eq!(of(&["1", "x"]), Some(Decimals::Point));
    }
}
