//! Cells of a column as numbers and dates, and what is neither, named with its place.

use super::dates::{self, DatePart};
use crate::codes;
use crate::data::{Column, Table};
use crate::error::{Error, Result};

/// A column with at least this share of numbers among its cells was meant as numbers.
const MEANT_AS_NUMBERS: f64 = 0.9;

/// The cells as numbers (NaN: missing), or `None` if the column is a category. Text among numbers is an error
/// that names its place; `meant` is the share of numbers from which on a column must hold nothing else.
pub(crate) fn numbers(table: &Table, name: &str, meant: Option<f64>) -> Result<Option<Vec<f64>>> {
    let cells = match table.column(name)? {
        Column::Number(cells) => {
            return match cells.iter().position(|v| v.is_infinite()) {
                Some(row) => Err(not_finite(table, row, name, "an infinite number")),
                None => Ok(Some(cells.clone())),
            };
        }
        Column::Vectors(_) => return Ok(None),
        Column::Text(cells) => cells,
    };
    let mut values = Vec::with_capacity(cells.len());
    let (mut filled, mut wrong, mut first_wrong) = (0usize, 0usize, None);
    let mut endless = None;
    for (row, cell) in cells.iter().enumerate() {
        let cell = cell.trim();
        if is_missing(cell) {
            values.push(f64::NAN);
            continue;
        }
        filled += 1;
        match cell.parse::<f64>() {
            Ok(value) if value.is_finite() => values.push(value),
            Ok(_) => {
                endless.get_or_insert((row, cell));
                values.push(f64::NAN);
            }
            Err(_) => {
                wrong += 1;
                first_wrong.get_or_insert((row, cell));
                values.push(f64::NAN);
            }
        }
    }
    let share = (filled - wrong) as f64 / filled.max(1) as f64;
    if wrong > 0 && meant.is_none() && share < MEANT_AS_NUMBERS {
        return Ok(None);
    }
    // Only now: `12e345` among names is a name.
    if let Some((row, cell)) = endless {
        return Err(not_finite(table, row, name, cell));
    }
    match first_wrong {
        None => Ok(Some(values)),
        Some((row, cell)) => Err(Error::of(
            &codes::NOT_A_NUMBER,
            format!(
                "{}: column `{name}` holds numbers, but here stands `{cell}`{}; mend the cell, leave it empty, or leave the column out",
                table.place(row),
                if wrong > 1 { format!(" (and {} more such cells)", wrong - 1) } else { String::new() },
            ),
        )),
    }
}

/// A cell of a column that is meant as numbers but written with commas, for decimals or for thousands: which of the two,
/// nobody can tell, so it is not read as numbers.
pub(crate) fn number_with_commas(column: &Column) -> Option<&str> {
    let Column::Text(cells) = column else { return None };
    let filled = || cells.iter().map(str::trim).filter(|cell| !is_missing(cell));
    let meant = |cell: &str| cell.parse::<f64>().is_ok() || has_commas(cell);
    let (all, numbers) = filled().fold((0, 0), |(all, n), cell| (all + 1, n + usize::from(meant(cell))));
    filled().find(|cell| has_commas(cell)).filter(|_| numbers as f64 >= MEANT_AS_NUMBERS * f64::from(all))
}

/// `0,5`, `1.234,5`, `1,234` and `1,234.5`.
fn has_commas(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    let only = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let grouped = |text: &str, mark: char| {
        let mut groups = text.split(mark);
        groups.next().is_some_and(|first| only(first) && first.len() <= 3)
            && groups.all(|group| only(group) && group.len() == 3)
    };
    let decimal = digits
        .split_once(',')
        .is_some_and(|(whole, part)| only(part) && (only(whole) || grouped(whole, '.')));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    decimal || whole.contains(',') && grouped(whole, ',') && only(part)
}

/// Whether every cell that is there is a date, and some are.
pub(crate) fn are_dates(column: &Column) -> bool {
    let Column::Text(cells) = column else { return false };
    let mut filled = cells.iter().map(str::trim).filter(|cell| !is_missing(cell)).peekable();
    filled.peek().is_some() && filled.all(dates::is_date)
}

/// One number of every date; NaN: missing.
pub(super) fn date_numbers(table: &Table, name: &str, part: DatePart) -> Result<Vec<f64>> {
    let column = table.column(name)?;
    let number = |row: usize| {
        let cell = column.cell(row);
        if is_missing(cell.trim()) {
            return Ok(f64::NAN);
        }
        part.of(&cell).ok_or_else(|| {
            let (place, cell) = (table.place(row), cell.trim());
            let text = format!(
                "{place}: column `{name}` held dates in training, but here stands `{cell}`; write it like 2024-03-01 or 2024-03-01T12:30:00Z, or leave it empty"
            );
            Error::of(&codes::NOT_A_NUMBER, text)
        })
    };
    (0..table.rows()).map(number).collect()
}

pub(crate) fn is_missing(cell: &str) -> bool {
    matches!(cell, "" | "?" | "NA" | "N/A" | "NaN" | "nan" | "null" | "None")
}

fn not_finite(table: &Table, row: usize, name: &str, cell: &str) -> Error {
    let advice = "mend the cell or leave it empty (a missing value)";
    Error::data(format!(
        "{}: column `{name}` holds {cell}, which is not a finite number; {advice}",
        table.place(row)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_for_decimals_and_for_thousands() {
        for cell in ["0,5", "-12,25", "1.234,5", "1,234", "+1,234,567.25", "12345,6"] {
            assert!(has_commas(cell), "{cell}");
        }
        for cell in ["5", "0.5", "1,2,3", "a,5", ",", "1,", ",5", "1,23.4", "1,2345.6", "2024-01-01"] {
            assert!(!has_commas(cell), "{cell}");
        }
        let column = |cells: &[&str]| Column::Text(cells.iter().collect());
        assert_eq!(number_with_commas(&column(&["1", "", "2,5", "3"])), Some("2,5"));
        assert_eq!(number_with_commas(&column(&["x", "y", "2,5"])), None);
    }
}
