//! Numbers → scaled columns; categories → one column a level; dates → numbers.
//!
//! A column is a number column if all its cells are numbers, a date column if all are dates, a category otherwise.
//! Methods that count take numbers cut into ten bins of equal share instead.

use std::sync::Arc;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::cells::{are_dates, date_numbers, number_with_commas, numbers};
use super::dates::DatePart;
use super::scale::Scale;
use crate::codes;
use crate::data;
use crate::data::value::truth;
use crate::data::{CsrBuilder, Data, Dense, MISSING, Table};
use crate::error::{Error, Result};
use crate::message::{Message, Setting};
use crate::model_file::{Reader, Writer};
use crate::note::Note;

const FEATURES: Setting = Setting::with("features", "COLUMN[,COLUMN]");

/// How numbers reach the method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Mean 0, standard deviation 1, dense rows.
    Scaled,
    /// One of ten bins, sparse rows of ones.
    Binned,
}

const BINS: usize = 10;
/// Numbers within this many deviations of the mean are said to be usual: the middle third of a bell.
const USUAL_DEVIATIONS: f64 = 0.43;
/// More levels than this are names or texts, not categories.
pub(crate) const MOST_LEVELS: usize = 1000;

/// Numbers and categories of a table, as fitted on the training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Columns {
    style: Style,
    fields: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Field {
    name: String,
    /// Which number of a date it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<DatePart>,
    form: Form,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    /// A missing value is the mean.
    Number(Scale),
    /// Upper ends of all bins but the last; a missing value is in no bin.
    Bins { ends: Vec<f64> },
    /// One column a level, in alphabetical order; a missing or unknown level is in none.
    Levels { levels: Vec<String> },
}

impl Form {
    fn width(&self) -> usize {
        match self {
            Form::Number(_) => 1,
            Form::Bins { ends } => ends.len() + 1,
            Form::Levels { levels } => levels.len(),
        }
    }
}

impl Columns {
    /// Learns scales, bins and levels, and gives the training rows under them.
    pub fn fit(table: &Table, names: &[String], style: Style) -> Result<(Columns, Data, Vec<Note>)> {
        if names.is_empty() {
            let message =
                Message::new(&codes::WHAT_TO_LEARN_FROM, "no feature column was named; name some with ");
            return Err(Error::data(message.setting(FEATURES)));
        }
        let (mut fields, mut commas) = (Vec::new(), Vec::new());
        for name in names {
            if are_dates(table.column(name)?) {
                for part in DatePart::ALL {
                    let form = number_form(&date_numbers(table, name, part)?, style);
                    fields.push(Field { name: name.clone(), date: Some(part), form });
                }
                continue;
            }
            let form = match numbers(table, name, None)? {
                Some(numbers) => number_form(&numbers, style),
                None => {
                    let cell = number_with_commas(table.column(name)?);
                    commas.extend(cell.map(|cell| with_commas(name, cell)));
                    level_form(table, name)?
                }
            };
            fields.push(Field { name: name.clone(), date: None, form });
        }
        let columns = Columns { style, fields };
        let (data, notes) = columns.transform(table)?;
        Ok((columns, data, commas.into_iter().chain(notes).collect()))
    }

    /// New rows under what was learned.
    pub fn transform(&self, table: &Table) -> Result<(Data, Vec<Note>)> {
        let mut notes = Vec::new();
        let mut cells = Vec::with_capacity(self.fields.len());
        for field in &self.fields {
            let (values, missing, unknown) = self.field_cells(field, table)?;
            let share = |n: usize| 100.0 * n as f64 / table.rows().max(1) as f64;
            // Of a date the first number says it for all.
            let said = field.date.is_some_and(|part| part != DatePart::Day);
            if missing > 0 && !said {
                let treated = match field.form {
                    Form::Number(_) => "the column's mean",
                    Form::Bins { .. } | Form::Levels { .. } => "no category",
                };
                let text = format!(
                    "column `{}`: {missing} missing values ({:.1} %) count as {treated}",
                    field.name,
                    share(missing)
                );
                let note = Note::info(&codes::MISSING_CELLS, text).field("column", field.name.as_str());
                notes.push(note.field("rows", missing));
            }
            if unknown > 0 {
                let text = format!(
                    "column `{}`: {unknown} values ({:.1} %) were never seen in training",
                    field.name,
                    share(unknown)
                );
                let note = Note::warning(&codes::UNKNOWN_VALUES, text).field("column", field.name.as_str());
                notes.push(note.field("rows", unknown));
            }
            cells.push(values);
        }
        let data = match self.style {
            Style::Scaled => self.dense(&cells, table.rows())?,
            Style::Binned => self.sparse(&cells, table.rows()),
        };
        Ok((data, notes))
    }

    /// For each row the scaled number, or the level counted from 0 (NaN: none); how many are missing, unknown.
    fn field_cells(&self, field: &Field, table: &Table) -> Result<(Vec<f64>, usize, usize)> {
        let number_cells = || {
            if let Some(part) = field.date {
                return date_numbers(table, &field.name, part);
            }
            let found = numbers(table, &field.name, Some(1.0))?;
            found.ok_or_else(|| {
                Error::data(format!("column `{}` held numbers in training, not here", field.name))
            })
        };
        match &field.form {
            Form::Number(scale) => {
                let cells = number_cells()?;
                let missing = cells.iter().filter(|v| v.is_nan()).count();
                // Adding 0 makes a negative zero, which means missing, an ordinary one.
                let scaled: Vec<f64> = (cells.iter())
                    .map(|v| if v.is_nan() { f64::from(MISSING) } else { scale.apply(*v) + 0.0 })
                    .collect();
                if let Some(row) = scaled.iter().position(|v| !(*v as f32).is_finite()) {
                    return Err(Error::data(format!(
                        "{}: column `{}` holds {:e}, which is too large beside the others to be compared with them; mend the cell or leave it empty (a missing value)",
                        table.place(row),
                        field.name,
                        cells[row]
                    )));
                }
                Ok((scaled, missing, 0))
            }
            Form::Bins { ends } => {
                let cells = number_cells()?;
                let missing = cells.iter().filter(|v| v.is_nan()).count();
                let bin =
                    |v: &f64| if v.is_nan() { f64::NAN } else { ends.partition_point(|end| end < v) as f64 };
                Ok((cells.iter().map(bin).collect(), missing, 0))
            }
            Form::Levels { levels } => {
                let column = table.column(&field.name)?;
                let (mut missing, mut unknown) = (0, 0);
                let level = |row| {
                    let cell = column.cell(row);
                    if cell.is_empty() {
                        missing += 1;
                        return f64::NAN;
                    }
                    match level_of(levels, &cell) {
                        Some(level) => level as f64,
                        None => {
                            unknown += 1;
                            f64::NAN
                        }
                    }
                };
                let values = (0..table.rows()).map(level).collect();
                Ok((values, missing, unknown))
            }
        }
    }

    fn dense(&self, cells: &[Vec<f64>], rows: usize) -> Result<Data> {
        let width = self.width();
        let mut values = vec![0f32; rows * width];
        let mut offset = 0;
        for (field, cells) in self.fields.iter().zip(cells) {
            for (row, &cell) in cells.iter().enumerate() {
                match field.form {
                    Form::Number(_) if cell == 0.0 => values[row * width + offset] = cell as f32,
                    Form::Number(_) => values[row * width + offset] = cell as f32 + 0.0,
                    _ if cell.is_nan() => {}
                    _ => values[row * width + offset + cell as usize] = 1.0,
                }
            }
            offset += field.form.width();
        }
        Ok(Data::Dense(Arc::new(Dense::new(rows, width, values)?.with_fields(self.layout())?)))
    }

    /// Which columns of the dense rows are numbers, and which runs of them are one category.
    pub(super) fn layout(&self) -> Arc<[data::Field]> {
        let mut start = 0;
        let place = |field: &Field| {
            let width = field.form.width();
            start += width;
            let category = matches!(field.form, Form::Levels { .. });
            data::Field { start: start - width, width, category, gaps: true }
        };
        self.fields.iter().map(place).collect()
    }

    fn sparse(&self, cells: &[Vec<f64>], rows: usize) -> Data {
        let width = self.width();
        let mut out = CsrBuilder::with_capacity(width, rows, rows * cells.len());
        for row in 0..rows {
            let mut offset = 0;
            let mut entries = Vec::with_capacity(cells.len());
            for (field, cells) in self.fields.iter().zip(cells) {
                if !cells[row].is_nan() {
                    entries.push(((offset + cells[row] as usize) as u32, 1.0));
                }
                offset += field.form.width();
            }
            out.push_entries(entries);
        }
        Data::Sparse(Arc::new(out.finish()))
    }

    /// The columns of the table that are read.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.fields.iter().map(|f| f.name.clone()).collect();
        names.dedup();
        names
    }

    /// How many columns the rows have.
    pub fn width(&self) -> usize {
        self.fields.iter().map(|f| f.form.width()).sum()
    }

    /// The field of column `j`, and the first of its columns.
    fn field_of(&self, j: usize) -> Option<(&Field, usize)> {
        let mut offset = 0;
        for field in &self.fields {
            if j < offset + field.form.width() {
                return Some((field, offset));
            }
            offset += field.form.width();
        }
        None
    }

    /// The columns of which a row is in one at most, where column `j` is one of such.
    pub(super) fn alternatives(&self, j: usize) -> Option<std::ops::Range<usize>> {
        let (field, first) = self.field_of(j)?;
        (!matches!(field.form, Form::Number(_))).then(|| first..first + field.form.width())
    }

    /// What column `j` says of a row of the table: `country = FR`, `amount 312 (high)`.
    pub(super) fn told(&self, j: usize, table: &Table, row: usize) -> String {
        let Some((Field { name, date, form: Form::Number(scale) }, _)) = self.field_of(j) else {
            return self.name(j);
        };
        let Some(column) = table.get(name) else { return self.name(j) };
        let (cell, value) = match date {
            None => (column.cell(row).trim().to_string(), column.number(row)),
            Some(part) => {
                let value = part.of(&column.cell(row)).unwrap_or(f64::NAN);
                (
                    if *part == DatePart::Day { column.cell(row).into_owned() } else { value.to_string() },
                    value,
                )
            }
        };
        if value.is_nan() {
            return format!("{} missing", self.name(j));
        }
        let (low, high) = if *date == Some(DatePart::Day) { ("early", "late") } else { ("low", "high") };
        let place = match scale.apply(value) {
            far if far > USUAL_DEVIATIONS => high,
            far if far < -USUAL_DEVIATIONS => low,
            _ => "usual",
        };
        format!("{} {cell} ({place})", self.name(j))
    }

    /// `column`, `column = level` or `low < column <= high`.
    pub fn name(&self, j: usize) -> String {
        if let Some((Field { name, date, form }, first)) = self.field_of(j) {
            let j = j - first;
            let name = &match date {
                None | Some(DatePart::Day) => name.clone(),
                Some(part) => format!("{name}: {}", part.name()),
            };
            return match form {
                Form::Number(_) => name.clone(),
                Form::Levels { levels } => format!("{name} = {}", levels[j]),
                Form::Bins { ends } => match (j.checked_sub(1).map(|i| ends[i]), ends.get(j)) {
                    (None, None) => name.clone(),
                    (None, Some(high)) => format!("{name} <= {high}"),
                    (Some(low), None) => format!("{name} > {low}"),
                    (Some(low), Some(high)) => format!("{low} < {name} <= {high}"),
                },
            };
        }
        format!("feature {}", j + 1)
    }

    /// Keeps them in a model file.
    pub fn save(&self, out: &mut Writer) {
        out.value("columns", self);
    }

    /// Reads them from a model file.
    pub fn load(file: &Reader) -> Result<Self> {
        file.value("columns")
    }
}

fn number_form(values: &[f64], style: Style) -> Form {
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

/// The place of a level; a truth value may be spelled otherwise than in training.
fn level_of(levels: &[String], cell: &str) -> Option<usize> {
    let exact = levels.binary_search_by(|level| level.as_str().cmp(cell)).ok();
    exact
        .or_else(|| truth(cell).and_then(|value| levels.iter().position(|level| truth(level) == Some(value))))
}

fn with_commas(name: &str, cell: &str) -> Note {
    let text = format!(
        "column `{name}` holds numbers with commas, such as `{cell}`, and is taken for a category; write decimals with a point and thousands without a mark to have numbers"
    );
    Note::warning(&codes::NOT_A_NUMBER, text).field("column", name)
}

fn level_form(table: &Table, name: &str) -> Result<Form> {
    let column = table.column(name)?;
    let mut seen: HashMap<String, (), foldhash::fast::FixedState> = HashMap::default();
    for row in 0..table.rows() {
        let cell = column.cell(row);
        if !cell.is_empty() && !seen.contains_key(cell.as_ref()) {
            seen.insert(cell.into_owned(), ());
        }
        if seen.len() > MOST_LEVELS {
            let text = format!(
                "column `{name}` has more than {MOST_LEVELS} different values: it is not a category; leave it out, or name it, if it holds documents, with "
            );
            let message = Message::new(&codes::NOT_A_CATEGORY, text).field("column", name);
            return Err(Error::data(message.setting(Setting::flag("text"))));
        }
    }
    let mut levels: Vec<String> = seen.into_keys().collect();
    levels.sort();
    // Where two files spell one truth value differently, it is still one level: the last spelling, `true`, stays.
    let all = levels.clone();
    levels.retain(|level| match truth(level) {
        Some(value) => all.iter().rfind(|other| truth(other) == Some(value)) == Some(level),
        None => true,
    });
    Ok(Form::Levels { levels })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    fn table(columns: &[(&str, &[&str])]) -> Table {
        let mut table = Table::from_source("t.csv");
        for (name, cells) in columns {
            table.push_column(*name, Column::Text(cells.iter().collect()));
        }
        table.origins = (0..columns[0].1.len()).map(|i| (0, i as u64 + 2)).collect();
        table
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| n.to_string()).collect()
    }

    #[test]
    fn numbers_are_scaled_and_categories_spread() {
        let t = table(&[("age", &["1", "3", ""]), ("town", &["b", "a", "b"])]);
        let (columns, data, notes) = Columns::fit(&t, &names(&["age", "town"]), Style::Scaled).unwrap();
        assert_eq!(data.dense().unwrap().values, [-1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!((0..3).map(|j| columns.name(j)).collect::<Vec<_>>(), ["age", "town = a", "town = b"]);
        assert!(matches!(&notes[..], [note] if note.to_string().contains("`age`: 1 missing")));
        assert_eq!(
            (&notes[0].message.fields["column"], &notes[0].message.fields["rows"]),
            (&"age".into(), &1.into())
        );
        let (new, notes) = columns.transform(&table(&[("age", &["2"]), ("town", &["c"])])).unwrap();
        assert_eq!(new.dense().unwrap().values, [0.0, 0.0, 0.0]);
        assert!(matches!(&notes[..], [note] if note.to_string().contains("never seen")));
    }

    #[test]
    fn counting_methods_get_bins() {
        let cells: Vec<String> = (0..100).map(|i| i.to_string()).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let (columns, data, _) =
            Columns::fit(&table(&[("n", &cells)]), &names(&["n"]), Style::Binned).unwrap();
        let x = data.sparse().unwrap();
        assert_eq!((x.cols, x.nnz()), (10, 100));
        assert!(x.document_frequencies().iter().all(|df| *df == 10));
        assert_eq!(columns.name(1), "9 < n <= 19");
    }

    #[test]
    fn text_among_numbers_is_found() {
        let mut cells = vec!["1"; 20];
        cells[7] = "many";
        let message =
            Columns::fit(&table(&[("n", &cells)]), &names(&["n"]), Style::Scaled).unwrap_err().to_string();
        assert!(
            message.starts_with("t.csv:9: column `n` holds numbers, but here stands `many`"),
            "{message}"
        );
        let message = Columns::fit(&table(&[("n", &["1", "inf"])]), &names(&["n"]), Style::Scaled)
            .unwrap_err()
            .to_string();
        assert!(message.starts_with("t.csv:3"), "{message}");
        let hashes = table(&[("hash", &["b6589f", "57e2073", "356a19", "da4b92"])]);
        assert_eq!(Columns::fit(&hashes, &names(&["hash"]), Style::Scaled).unwrap().0.width(), 4);
    }

    #[test]
    fn a_truth_value_is_one_level_however_it_is_spelled() {
        let t = table(&[("paid", &["True", "False", "true", "maybe"])]);
        let (columns, data, _) = Columns::fit(&t, &names(&["paid"]), Style::Scaled).unwrap();
        let x = data.dense().unwrap();
        assert_eq!(x.row(0), x.row(2));
        let (new, notes) = columns.transform(&table(&[("paid", &["TRUE", "false"])])).unwrap();
        assert_eq!((new.dense().unwrap().row(0), new.dense().unwrap().row(1)), (x.row(0), x.row(1)));
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn a_number_that_dwarfs_the_others_is_named_with_its_place() {
        let t = table(&[("size", &["1", "2", "1e308", "-1e308"])]);
        let message = Columns::fit(&t, &names(&["size"]), Style::Scaled).unwrap_err().to_string();
        assert!(message.starts_with("t.csv:4: column `size` holds 1e308"), "{message}");
    }

    #[test]
    fn a_constant_column_stays_finite() {
        let (_, data, _) =
            Columns::fit(&table(&[("n", &["5", "5"])]), &names(&["n"]), Style::Scaled).unwrap();
        assert_eq!(data.dense().unwrap().values, [0.0, 0.0]);
    }
}
