//! Numbers → scaled columns; categories → one column a level; dates → numbers.
//!
//! A column is a number column if nine of ten of its cells are numbers, a date column if they are dates, a category
//! otherwise. The cells that are neither count as missing, with a warning.
//! Methods that count take numbers cut into ten bins of equal share instead.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::cells::{Meant, date_numbers, meant, number_with_commas, numbers};
use super::dates::DatePart;
use super::fields::{Field, Form, Told, level_form, number_form, shown};
use super::numerals::Decimals;
use crate::codes;
use crate::data;
use crate::data::{CsrBuilder, Data, Dense, Table};
use crate::error::{Error, Result};
use crate::figures::count;
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

/// Numbers within this many deviations of the mean are said to be usual: the middle third of a bell.
const USUAL_DEVIATIONS: f64 = 0.43;

/// Numbers and categories of a table, as fitted on the training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Columns {
    style: Style,
    fields: Vec<Field>,
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
            let field = |date, decimals, form| Field { name: name.clone(), date, decimals, form };
            let column = table.column(name)?;
            match meant(column).filter(|_| !table.categories.contains(name)) {
                Some(Meant::Dates) => {
                    for part in DatePart::ALL {
                        let form = number_form(&date_numbers(table, name, part)?.values, style);
                        fields.push(field(Some(part), Decimals::Point, form));
                    }
                }
                Some(Meant::Numbers(decimals)) => {
                    let form = number_form(&numbers(table, name, decimals)?.values, style);
                    fields.push(field(None, decimals, form));
                }
                None => {
                    commas.extend(number_with_commas(column).map(|cell| with_commas(name, cell)));
                    fields.push(field(None, Decimals::Point, level_form(table, name)?));
                }
            }
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
            let Told { values, missing, odd, unknown } = field.told(table)?;
            let share = |n: usize| 100.0 * n as f64 / table.rows().max(1) as f64;
            // Of a date the first number says it for all.
            let said = field.date.is_some_and(|part| part != DatePart::Day);
            let treated = match field.form {
                Form::Number(_) => "the column's mean",
                Form::Bins { .. } | Form::Levels { .. } => "no category",
            };
            if let (Some(first), false) = (odd.first, said) {
                let are = if field.date.is_some() { "dates" } else { "numbers" };
                let (none, cells) = (if odd.cells == 1 { "is none" } else { "are none" }, count(odd.cells));
                let text = format!(
                    "column `{}` holds {are}, and {cells} of its cells ({:.1} %) {none}, such as `{}` ({}): counted as missing, as {treated}; mend them or leave them empty",
                    field.name,
                    share(odd.cells),
                    shown(&table.column(&field.name)?.cell(first)),
                    table.place(first)
                );
                let note = Note::warning(&codes::NOT_A_NUMBER, text).field("column", field.name.as_str());
                notes.push(note.field("rows", odd.cells));
            }
            if missing > 0 && !said {
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
        let Some((Field { name, date, decimals, form: Form::Number(scale) }, _)) = self.field_of(j) else {
            return self.name(j);
        };
        let Some(column) = table.get(name) else { return self.name(j) };
        let (cell, value) = match date {
            // As a number, whatever the file it came from has made of it: `354` and `354.0` are one.
            None => {
                let value = decimals.number(&column.cell(row)).filter(|value| value.is_finite());
                let value = value.unwrap_or(f64::NAN);
                (value.to_string(), value)
            }
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
        if let Some((Field { name, date, form, .. }, first)) = self.field_of(j) {
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

fn with_commas(name: &str, cell: &str) -> Note {
    let text = format!(
        "column `{name}` holds numbers with commas, such as `{cell}`, which may stand before decimals or between thousands, and is taken for a category; write decimals with a point and thousands without a mark to have numbers"
    );
    Note::warning(&codes::NOT_A_NUMBER, text).field("column", name)
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
    fn text_among_numbers_is_missing_and_told() {
        let mut cells = ["1", "$1,200.50", "5 %", "2"].repeat(5);
        (cells[7], cells[9], cells[11]) = ("many", "inf", "n/a");
        let (columns, data, notes) =
            Columns::fit(&table(&[("n", &cells)]), &names(&["n"]), Style::Scaled).unwrap();
        assert_eq!((columns.width(), data.dense().unwrap().row(7)), (1, &[0.0][..]));
        let said: Vec<String> = notes.iter().map(Note::to_string).collect();
        assert!(
            said[0].starts_with(
                "column `n` holds numbers, and 2 of its cells (10.0 %) are none, such as `many` (t.csv:9): counted as missing"
            ) && notes[0].is_warning(),
            "{said:?}"
        );
        assert!(said[1].starts_with("column `n`: 1 missing values"), "{said:?}");
        let (_, notes) = columns.transform(&table(&[("n", &["many", "3"])])).unwrap();
        assert!(notes[0].to_string().contains("1 of its cells (50.0 %) is none"), "{notes:?}");
        let message = columns.transform(&table(&[("n", &["many"; 10])])).unwrap_err().to_string();
        assert!(
            message.starts_with("t.csv:2: column `n` held numbers in training, and no cell"),
            "{message}"
        );
        let hashes = table(&[("hash", &["b6589f", "57e2073", "356a19", "da4b92"])]);
        assert_eq!(Columns::fit(&hashes, &names(&["hash"]), Style::Scaled).unwrap().0.width(), 4);
    }

    #[test]
    fn what_commas_mean_is_kept_for_new_rows() {
        let t = table(&[("n", &["3,5", "1.000,5", ""])]);
        let (columns, _, _) = Columns::fit(&t, &names(&["n"]), Style::Scaled).unwrap();
        let kept: Columns = serde_json::from_str(&serde_json::to_string(&columns).unwrap()).unwrap();
        let one = |cell| kept.transform(&table(&[("n", &[cell])])).unwrap().0;
        assert_eq!(one("3,500").dense().unwrap().values, one("3,5").dense().unwrap().values);
    }

    #[test]
    fn a_word_for_nothing_is_a_level_of_a_category() {
        let t = table(&[("land", &["NA", "DE", "none", " "])]);
        let (columns, _, notes) = Columns::fit(&t, &names(&["land"]), Style::Scaled).unwrap();
        assert_eq!(columns.width(), 3);
        assert!(notes[0].to_string().contains("1 missing"), "{notes:?}");
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
