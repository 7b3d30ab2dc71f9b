//! What is learned of one column: a scale, bins or levels, and what these make of its cells.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::cells::{Numbers, Odd, date_numbers, numbers};
use super::columns::Style;
use super::dates::DatePart;
use super::numerals::Decimals;
use super::scale::Scale;
use crate::codes;
use crate::data::value::truth;
use crate::data::{MISSING, Table};
use crate::error::{Error, Result};
use crate::message::{Message, Setting};

const BINS: usize = 10;
/// Characters of a cell that a message shows.
const MOST_SHOWN: usize = 40;
/// More levels than this are names or texts, not categories.
pub(crate) const MOST_LEVELS: usize = 1000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Field {
    pub name: String,
    /// Which number of a date it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<DatePart>,
    /// How its numbers are written.
    #[serde(default, skip_serializing_if = "Decimals::is_point")]
    pub decimals: Decimals,
    pub form: Form,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    /// A missing value is the mean.
    Number(Scale),
    /// Upper ends of all bins but the last; a missing value is in no bin.
    Bins { ends: Vec<f64> },
    /// One column a level, in alphabetical order; a missing or unknown level is in none.
    Levels { levels: Vec<String> },
}

impl Form {
    pub fn width(&self) -> usize {
        match self {
            Form::Number(_) => 1,
            Form::Bins { ends } => ends.len() + 1,
            Form::Levels { levels } => levels.len(),
        }
    }
}

/// What a field says of each row.
pub(super) struct Told {
    /// The scaled number, or the level counted from 0 (NaN: none).
    pub values: Vec<f64>,
    pub missing: usize,
    pub odd: Odd,
    /// How many hold a level that was never seen.
    pub unknown: usize,
}

/// Where so many cells are filled and none is a number, the column is another one.
const ENOUGH: usize = 10;

impl Field {
    /// The numbers of a column that held numbers or dates in training, and how many cells are missing.
    fn numbers(&self, table: &Table) -> Result<(Numbers, usize)> {
        let numbers = match self.date {
            Some(part) => date_numbers(table, &self.name, part)?,
            None => numbers(table, &self.name, self.decimals)?,
        };
        let none = numbers.values.iter().filter(|v| v.is_nan()).count();
        if let Some(first) = numbers.odd.first
            && numbers.odd.cells >= ENOUGH
            && none == numbers.values.len()
        {
            let (place, cell) = (table.place(first), table.column(&self.name)?.cell(first));
            let (what, like) = match self.date {
                Some(_) => ("dates", "2024-03-01 or 2024-03-01T12:30:00Z"),
                None => ("numbers", "1200.5"),
            };
            let text = format!(
                "{place}: column `{}` held {what} in training, and no cell here is one, such as `{}`; write them like {like}, or leave them empty",
                self.name,
                shown(&cell)
            );
            return Err(Error::of(&codes::NOT_A_NUMBER, text));
        }
        let missing = none - numbers.odd.cells;
        Ok((numbers, missing))
    }

    pub fn told(&self, table: &Table) -> Result<Told> {
        match &self.form {
            Form::Number(scale) => {
                let (Numbers { values: cells, odd }, missing) = self.numbers(table)?;
                // Adding 0 makes a negative zero, which means missing, an ordinary one.
                let values: Vec<f64> = (cells.iter())
                    .map(|v| if v.is_nan() { f64::from(MISSING) } else { scale.apply(*v) + 0.0 })
                    .collect();
                if let Some(row) = values.iter().position(|v| !(*v as f32).is_finite()) {
                    return Err(Error::data(format!(
                        "{}: column `{}` holds {:e}, which is too large beside the others to be compared with them; mend the cell or leave it empty (a missing value)",
                        table.place(row),
                        self.name,
                        cells[row]
                    )));
                }
                Ok(Told { values, missing, odd, unknown: 0 })
            }
            Form::Bins { ends } => {
                let (Numbers { values, odd }, missing) = self.numbers(table)?;
                let bin =
                    |v: &f64| if v.is_nan() { f64::NAN } else { ends.partition_point(|end| end < v) as f64 };
                Ok(Told { values: values.iter().map(bin).collect(), missing, odd, unknown: 0 })
            }
            Form::Levels { levels } => {
                let column = table.column(&self.name)?;
                let (mut missing, mut unknown) = (0, 0);
                let level = |row| {
                    let cell = column.cell(row);
                    if cell.trim().is_empty() {
                        missing += 1;
                        return f64::NAN;
                    }
                    level_of(levels, &cell).map_or_else(
                        || {
                            unknown += 1;
                            f64::NAN
                        },
                        |level| level as f64,
                    )
                };
                let values = (0..table.rows()).map(level).collect();
                Ok(Told { values, missing, odd: Odd::default(), unknown })
            }
        }
    }
}

pub(super) fn number_form(values: &[f64], style: Style) -> Form {
    let mut known: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
    if style == Style::Binned {
        known.sort_by(f64::total_cmp);
        let mut ends: Vec<f64> = (1..BINS)
            .filter_map(|k| known.get((known.len() * k / BINS).saturating_sub(1)).copied())
            .collect();
        ends.dedup();
        if ends.last() == known.last() {
            ends.pop();
        }
        return Form::Bins { ends };
    }
    Form::Number(Scale::of(known.into_iter()))
}

/// A cell in a message.
pub(super) fn shown(cell: &str) -> String {
    let cell = cell.trim();
    cell.char_indices().nth(MOST_SHOWN).map_or(cell.into(), |(end, _)| format!("{}…", &cell[..end]))
}

/// The place of a level; a truth value may be spelled otherwise than in training.
fn level_of(levels: &[String], cell: &str) -> Option<usize> {
    let exact = levels.binary_search_by(|level| level.as_str().cmp(cell)).ok();
    exact
        .or_else(|| truth(cell).and_then(|value| levels.iter().position(|level| truth(level) == Some(value))))
}

pub(super) fn level_form(table: &Table, name: &str) -> Result<Form> {
    let column = table.column(name)?;
    let mut seen: HashMap<String, (), foldhash::fast::FixedState> = HashMap::default();
    for row in 0..table.rows() {
        let cell = column.cell(row);
        if !cell.trim().is_empty() && !seen.contains_key(cell.as_ref()) {
            seen.insert(cell.into_owned(), ());
        }
        if seen.len() > MOST_LEVELS {
            let text = format!(
                "column `{name}` has more than {MOST_LEVELS} different values: it is not a category; leave it out, or name it, if it holds documents, with "
            );
            let message = Message::new(&codes::NOT_A_CATEGORY, text).field("column", name);
            return Err(Error::data(message.setting(Setting::with("text", "COLUMN"))));
        }
    }
    // A truth value is one level however files spell it, and has one name.
    let named = |level: String| truth(&level).map_or(level, |value| value.to_string());
    let mut levels: Vec<String> = seen.into_keys().map(named).collect();
    levels.sort();
    levels.dedup();
    Ok(Form::Levels { levels })
}
