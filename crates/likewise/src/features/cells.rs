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
