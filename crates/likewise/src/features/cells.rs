//! Cells of a column as numbers and dates, and what among them is neither.

use super::dates::{self, DatePart};
use super::numerals::Decimals;
use crate::data::{Column, Table, value};
use crate::error::Result;

/// A column with at least this share of numbers, or of dates, among its cells was meant as that.
const MEANT: f64 = 0.9;

/// Words for nothing, in columns of numbers and dates, where they can be nothing else. A category keeps them: `NA` is
/// Namibia too, `none` and `-` are answers, and as a level of its own what says nothing takes nothing away.
pub(crate) fn is_missing(cell: &str) -> bool {
    const WORDS: [&str; 21] = [
        "?", "NA", "N/A", "n/a", "na", "#N/A", "<NA>", "NaN", "nan", "NAN", "NaT", "NULL", "null", "Null",
        "\\N", "None", "none", "NONE", "-", "--", "n.a.",
    ];
    cell.is_empty() || cell.len() <= 4 && WORDS.contains(&cell)
}

/// The one spelling of a number, a truth value or a date that stands for all others; `None` for other cells.
pub(crate) fn spelled(cell: &str) -> Option<String> {
    value::spelled(cell).or_else(|| dates::spelled(cell))
}

/// What a column that is no text is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    Dates,
    Numbers(Decimals),
}

/// What nearly all cells that are there are; `None` for categories and texts.
pub(crate) fn meant(column: &Column) -> Option<Meant> {
    let cells = match column {
        Column::Number(_) => return Some(Meant::Numbers(Decimals::Point)),
        Column::Vectors(_) => return None,
        Column::Text(cells) => cells,
    };
    let filled = || cells.iter().map(str::trim).filter(|cell| !is_missing(cell));
    let all = filled().count();
    let mostly = |is: &dyn Fn(&str) -> bool| {
        let odd = (1.0 - MEANT) * all as f64 + 1e-9;
        filled().filter(|cell| !is(cell)).take(odd as usize + 1).count() as f64 <= odd
    };
    if all > 0 && mostly(&dates::is_date) {
        return Some(Meant::Dates);
    }
    if mostly(&|cell| cell.parse::<f64>().is_ok()) {
        return Some(Meant::Numbers(Decimals::Point));
    }
    if !mostly(&is_number) {
        return None;
    }
    let decimals = Decimals::of(filled())?;
    mostly(&|cell| decimals.number(cell).is_some()).then_some(Meant::Numbers(decimals))
}

/// Whether a cell is a number with one mark of decimals or the other.
fn is_number(cell: &str) -> bool {
    [Decimals::Point, Decimals::Comma].iter().any(|decimals| decimals.number(cell).is_some())
}

/// A cell of a column that is meant as numbers but written with commas, for decimals or for thousands: which of the two,
/// nobody can tell, so it is not read as numbers.
pub(crate) fn number_with_commas(column: &Column) -> Option<&str> {
    let Column::Text(cells) = column else { return None };
    let filled = || cells.iter().map(str::trim).filter(|cell| !is_missing(cell));
    let (all, numbers) = filled().fold((0, 0), |(all, n), cell| (all + 1, n + usize::from(is_number(cell))));
    let odd = filled().find(|cell| cell.contains(',') && is_number(cell));
    odd.filter(|_| numbers as f64 >= MEANT * f64::from(all))
}

/// One number a row; NaN: missing.
pub(crate) struct Numbers {
    pub values: Vec<f64>,
    pub odd: Odd,
}

/// Cells that are neither missing nor what the others of their column are. They count as missing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Odd {
    pub cells: usize,
    /// The row of the first.
    pub first: Option<usize>,
}

impl Odd {
    fn add(&mut self, row: usize) -> f64 {
        self.cells += 1;
        self.first.get_or_insert(row);
        f64::NAN
    }
}

/// The cells as numbers. What is endless is as odd as what is none.
pub(crate) fn numbers(table: &Table, name: &str, decimals: Decimals) -> Result<Numbers> {
    let mut odd = Odd::default();
    let values = match table.column(name)? {
        Column::Number(cells) => {
            let finite =
                |(row, value): (usize, &f64)| if value.is_infinite() { odd.add(row) } else { *value };
            cells.iter().enumerate().map(finite).collect()
        }
        column => (0..table.rows())
            .map(|row| {
                let cell = column.cell(row);
                if is_missing(cell.trim()) {
                    return f64::NAN;
                }
                let number = decimals.number(&cell).filter(|number| number.is_finite());
                number.unwrap_or_else(|| odd.add(row))
            })
            .collect(),
    };
    Ok(Numbers { values, odd })
}

/// One number of every date.
pub(crate) fn date_numbers(table: &Table, name: &str, part: DatePart) -> Result<Numbers> {
    let (column, mut odd) = (table.column(name)?, Odd::default());
    let mut number = |row: usize| {
        let cell = column.cell(row);
        if is_missing(cell.trim()) {
            return f64::NAN;
        }
        part.of(&cell).unwrap_or_else(|| odd.add(row))
    };
    Ok(Numbers { values: (0..table.rows()).map(&mut number).collect(), odd })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> Column {
        Column::Text(cells.iter().collect())
    }

    #[test]
    fn nine_of_ten_tell_what_a_column_is() {
        let tenth = |usual: &str, odd: &[&str]| {
            let cells: Vec<&str> =
                std::iter::repeat_n(usual, 9 * odd.len()).chain(odd.iter().copied()).collect();
            meant(&column(&cells))
        };
        assert_eq!(tenth("1.5", &["unknown"]), Some(Meant::Numbers(Decimals::Point)));
        assert_eq!(tenth("1,5", &["unknown"]), Some(Meant::Numbers(Decimals::Comma)));
        assert_eq!(tenth("$1,200.50", &["free"]), Some(Meant::Numbers(Decimals::Point)));
        assert_eq!(tenth("2024-03-01", &["soon", "N/A"]), Some(Meant::Dates));
        assert_eq!(meant(&column(&["1", "2", "x"])), None);
        assert_eq!(meant(&column(&["2024-03-01", "n/a", "NULL", "\\N"])), Some(Meant::Dates));
    }

    #[test]
    fn commas_that_tell_nothing_are_named() {
        let cells = column(&["1", "", "1,234", "3"]);
        assert_eq!((meant(&cells), number_with_commas(&cells)), (None, Some("1,234")));
        assert_eq!(number_with_commas(&column(&["x", "y", "1,234"])), None);
    }
}
