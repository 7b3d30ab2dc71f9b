//! Embeddings: rows of equally many numbers, of which only the direction counts.
//!
//! Every vector is brought to length 1 and nothing else: no scaling of single numbers, no map. Several columns of
//! vectors stand side by side, each with an equal share of the row's length. A vector of zeros is a missing one.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::embedding::{Embedded, Embedding};
use crate::codes;
use crate::data::list::{self, List};
use crate::data::{Column, Data, Dense, Table};
use crate::error::{Error, Result};
use crate::message::{Message, Setting};
use crate::run::Run;

/// The columns of vectors, and how long the vectors of each are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VectorColumns {
    names: Vec<String>,
    lengths: Vec<usize>,
    /// Where the only column is none of the table's, but made of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made: Option<Embedded>,
}

/// What vectors are called that are made of text.
const MADE: &str = "embedding";

/// Squared lengths this near to 1 are taken as 1, so that vectors of length 1 are read where they are.
const NEAR: f64 = 1e-3;

impl VectorColumns {
    /// Learns how long the vectors are, and gives the rows.
    pub fn fit(table: &Table, names: &[String]) -> Result<(Self, Data)> {
        let lengths = names.iter().map(|name| Ok(vectors(table, name)?.cols)).collect::<Result<_>>()?;
        let columns = VectorColumns { names: names.to_vec(), lengths, made: None };
        let x = columns.given(table)?;
        if columns.width() == 0 || x.dense()?.values.iter().all(|v| *v == 0.0) {
            let text = format!("no row has a vector in {}; name another column with ", listed(names));
            let message = Message::new(&codes::NO_VECTORS, text);
            return Err(Error::data(message.setting(Setting::with("vectors", "COLUMN"))));
        }
        Ok((columns, x))
    }

    /// Makes the vectors of the rows' own text.
    pub fn make(table: &Table, made: &Embedded, run: &Run) -> Result<(Self, Data)> {
        let (names, lengths) = (vec![MADE.to_string()], vec![made.needed()?.width()]);
        let columns = VectorColumns { names, lengths, made: Some(made.of_any_table()) };
        let x = Data::Dense(made.vectors(table, run)?);
        if x.dense()?.values.iter().all(|v| *v == 0.0) {
            let text = format!("the embedding `{}` knows no word of {}", made.name(), listed(made.columns()));
            let text = format!("{text}; give one for the language of the text with ");
            let message = Message::new(&codes::NO_VECTORS, text);
            return Err(Error::data(message.setting(Setting::with("embed", "FILE"))));
        }
        Ok((columns, x))
    }

    /// New rows; their vectors must be as long as those of training.
    pub fn transform(&self, table: &Table, run: &Run) -> Result<Data> {
        match &self.made {
            Some(made) => Ok(Data::Dense(made.vectors(table, run)?)),
            None => {
                self.check_given(table)?;
                self.given(table)
            }
        }
    }

    /// Vectors that stood in a file beside the rows of training are easily forgotten, and rows without them have scores
    /// that mean nothing. A reader of objects delivers an empty column where it was told of one that is not there.
    fn check_given(&self, table: &Table) -> Result<()> {
        for (name, length) in self.names.iter().zip(&self.lengths) {
            let is_there = match table.get(name) {
                Some(Column::Vectors(x)) if x.cols == 0 && table.rows() > 0 => {
                    table.known_names().contains(name)
                }
                column => column.is_some(),
            };
            if !is_there {
                let text = format!(
                    "{} has no column `{name}`, and the model learned from the vectors in it, of {length} numbers each; give each row its vector in that column",
                    table.sources.first().map_or("the input", String::as_str)
                );
                let message = Message::new(&codes::NO_VECTORS, text).field("column", name.as_str());
                let file = Setting::with("vectors", "FILE.npy");
                return Err(Error::data(
                    message.offer(", or a file with the vectors of the rows with ", file),
                ));
            }
        }
        Ok(())
    }

    fn given(&self, table: &Table) -> Result<Data> {
        let mut columns = Vec::with_capacity(self.names.len());
        for (name, &length) in self.names.iter().zip(&self.lengths) {
            let x = vectors(table, name)?;
            // Without a single vector there is nothing to be of another length.
            if x.cols != length && x.cols != 0 {
                let text = format!(
                    "{} has vectors of {} numbers in column `{name}`, the model was trained on vectors of {length}",
                    table.sources.first().map_or("the input", String::as_str),
                    x.cols
                );
                return Err(Error::of(&codes::NO_VECTORS, text));
            }
            columns.push(x);
        }
        if let ([x], true) = (&columns[..], self.width() > 0)
            && x.cols == self.width()
            && x.iter_rows().all(|row| is_unit(squared(row)))
        {
            return Ok(Data::Dense(Arc::new(Dense::clone(x).into_directions())));
        }
        let share = 1.0 / (self.names.len() as f64).sqrt();
        let width = self.width();
        let mut values = vec![0f32; table.rows() * width];
        let mut offset = 0;
        for (x, &length) in columns.iter().zip(&self.lengths) {
            for (row, vector) in x.iter_rows().enumerate().filter(|_| x.cols == length) {
                let size = squared(vector).sqrt();
                if size > 0.0 {
                    let out = &mut values[row * width + offset..][..length];
                    out.iter_mut().zip(vector).for_each(|(o, v)| *o = (f64::from(*v) * share / size) as f32);
                }
            }
            offset += length;
        }
        Ok(Data::Dense(Arc::new(Dense::new(table.rows(), width, values)?.into_directions())))
    }

    /// Whether a model file can have kept them.
    pub fn check(&self) -> Result<()> {
        let most = 1usize << 24;
        let small = self.lengths.iter().all(|length| *length <= most) && self.lengths.len() <= most;
        let one = self.made.is_none() || (self.lengths.len() == 1 && self.width() > 0);
        match self.names.len() == self.lengths.len() && small && one && self.width() <= most {
            true => Ok(()),
            false => Err(Error::model_file("the lengths of its vectors are damaged")),
        }
    }

    /// The columns of vectors that are read; none where they are made of text.
    pub fn names(&self) -> &[String] {
        if self.made.is_some() { &[] } else { &self.names }
    }

    /// The text and what makes vectors of it, where they are made.
    pub fn made(&self) -> Option<&Embedded> {
        self.made.as_ref()
    }

    /// Takes the embedding that was learned with.
    pub(super) fn give(&mut self, embedding: Arc<dyn Embedding>) -> Result<()> {
        let width = self.width();
        self.made.as_mut().map_or(Ok(()), |made| made.give(embedding, width))
    }

    /// How many numbers a row has.
    pub fn width(&self) -> usize {
        self.lengths.iter().sum()
    }

    /// `column[7]`.
    pub fn name(&self, mut j: usize) -> String {
        for (name, &length) in self.names.iter().zip(&self.lengths) {
            if j < length {
                return format!("{name}[{}]", j + 1);
            }
            j -= length;
        }
        format!("vector[{}]", j + 1)
    }
}

/// A column with at least this share of vectors of one length among its cells was meant as vectors.
const MEANT_AS_VECTORS: f64 = 0.9;
/// A list of a single number is hardly a vector.
const SHORTEST: usize = 2;

/// A column that readers left as text, although nearly all of its cells are lists of equally many numbers: the first
/// cell that is none, named with its place.
pub(crate) fn odd_vector(table: &Table, name: &str) -> Option<Error> {
    let Some(Column::Text(cells)) = table.get(name) else { return None };
    let filled = || {
        let cells = cells.iter().enumerate().map(|(row, cell)| (row, cell.trim()));
        cells.filter(|(_, cell)| !cell.is_empty())
    };
    let (mut all, mut of_length) = (0usize, BTreeMap::<usize, usize>::new());
    for (_, cell) in filled() {
        all += 1;
        if let Ok(length) = length_of_list(cell) {
            *of_length.entry(length).or_default() += 1;
        }
    }
    let (length, rows) = of_length.into_iter().max_by_key(|(_, rows)| *rows)?;
    if length < SHORTEST || rows == all || (rows as f64) < MEANT_AS_VECTORS * all as f64 {
        return None;
    }
    let odd = filled().find_map(|(row, cell)| match length_of_list(cell) {
        Ok(found) if found == length => None,
        Ok(0) => Some((row, "an empty list, no vector".into())),
        Ok(1) => Some((row, format!("a vector of 1 number where the others have {length}"))),
        Ok(found) => Some((row, format!("a vector of {found} numbers where the others have {length}"))),
        Err(problem) => Some((row, problem)),
    });
    let (row, problem) = odd?;
    let text = format!(
        "{}: column `{name}`: {problem}; mend the row, leave its vector empty, or leave the column out with ",
        table.place(row)
    );
    let message = Message::new(&codes::BAD_VECTOR, text).field("column", name);
    Some(Error::data(message.setting(Setting::with("except", "COLUMN"))))
}

/// How many numbers a cell such as `[0.5, 1]` has, or why it is no vector.
fn length_of_list(cell: &str) -> std::result::Result<usize, String> {
    let list = List::of(cell);
    if !list.tells() {
        return Err("no list of numbers".into());
    }
    let mut length = 0;
    for number in list.items() {
        length += 1;
        match number.parse::<f32>() {
            Ok(value) if value.is_finite() => {}
            Ok(value) => {
                return Err(format!("number {length} of the vector is {value}, not a finite number"));
            }
            Err(_) if matches!(number, "" | "null") => {
                return Err(format!("number {length} of the vector is missing"));
            }
            Err(_) => return Err(list::no_number(number)),
        }
    }
    Ok(length)
}

fn squared(row: &[f32]) -> f64 {
    row.iter().map(|v| f64::from(*v) * f64::from(*v)).sum()
}

fn is_unit(squared: f64) -> bool {
    squared == 0.0 || (squared - 1.0).abs() < NEAR
}

fn vectors<'a>(table: &'a Table, name: &str) -> Result<&'a Dense> {
    match table.column(name)? {
        Column::Vectors(x) => Ok(x),
        Column::Text(_) | Column::Number(_) => Err(odd_vector(table, name).unwrap_or_else(|| {
            let source = table.sources.first().map_or("the input", String::as_str);
            let text = format!(
                "column `{name}` of {source} holds no vectors: lists of equally many numbers, such as [0.1, 0.7]"
            );
            Error::of(&codes::NO_VECTORS, text)
        })),
    }
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, x: Dense) -> Table {
        Table::from_columns(vec![(name.into(), Column::Vectors(x))]).unwrap()
    }

    #[test]
    fn only_the_direction_counts_and_zeros_stay_zeros() {
        let t = table("v", Dense::new(3, 2, vec![3.0, 4.0, 0.0, 0.0, 0.0, -2.0]).unwrap());
        let (columns, x) = VectorColumns::fit(&t, &["v".into()]).unwrap();
        assert_eq!(x.dense().unwrap().values, [0.6, 0.8, 0.0, 0.0, 0.0, -1.0]);
        assert!(x.dense().unwrap().are_directions());
        assert_eq!(columns.name(1), "v[2]");
        let other = table("v", Dense::new(1, 3, vec![1.0, 0.0, 0.0]).unwrap());
        let message = columns.transform(&other, &Run::new(0)).unwrap_err().to_string();
        assert!(message.contains("vectors of 3 numbers in column `v`"), "{message}");
    }

    #[test]
    fn several_columns_share_the_length() {
        let mut t = table("v", Dense::new(1, 2, vec![0.0, 2.0]).unwrap());
        t.push_column("w", Column::Vectors(Dense::new(1, 1, vec![-5.0]).unwrap()));
        let (_, x) = VectorColumns::fit(&t, &["v".into(), "w".into()]).unwrap();
        let half = 0.5f64.sqrt() as f32;
        assert_eq!(x.dense().unwrap().values, [0.0, half, -half]);
    }

    #[test]
    fn one_odd_cell_among_vectors_is_named() {
        let odd = |cell: &str| {
            let cells = (0..20).map(|row| if row == 7 { cell.to_string() } else { format!("[{row}, 1.5]") });
            let texts = Column::Text(cells.collect());
            let table = Table::from_columns(vec![("v".into(), texts)]).unwrap();
            odd_vector(&table, "v").map(|error| error.to_string())
        };
        assert_eq!((odd("[1, 2]"), odd("")), (None, None));
        for (cell, problem) in [
            ("[1]", "a vector of 1 number where the others have 2"),
            ("[]", "an empty list, no vector"),
            ("[1 ... 2]", "`...` stands where NumPy left numbers out"),
            ("[1, null]", "number 2 of the vector is missing"),
            ("[1,]", "number 2 of the vector is missing"),
            ("[1e300, 2]", "number 1 of the vector is inf, not a finite number"),
            ("[1, \"a\"]", "`\"a\"` is no number"),
            ("unknown", "no list of numbers"),
        ] {
            let said = odd(cell).unwrap();
            assert!(said.starts_with(&format!("the rows:8: column `v`: {problem}")), "{cell}: {said}");
            assert!(said.contains("; mend the row, leave its vector empty"), "{cell}: {said}");
        }
        // Lists of any length are something else.
        let baskets = Column::Text((0..20).map(|row| ["[1]", "[1,2]", "[1,2,3]"][row % 3]).collect());
        assert!(odd_vector(&Table::from_columns(vec![("v".into(), baskets)]).unwrap(), "v").is_none());
    }

    #[test]
    fn new_rows_without_the_column_are_asked_for_it() {
        let (columns, _) =
            VectorColumns::fit(&table("v", Dense::new(1, 2, vec![1.0, 0.0]).unwrap()), &["v".into()])
                .unwrap();
        let mut empty = table("v", Dense::zeros(2, 0));
        empty.known = vec!["text".to_string()].into();
        for rows in [Table::from_texts("text", ["x", "y"]), empty.clone()] {
            let message = columns.transform(&rows, &Run::new(0)).unwrap_err().to_string();
            assert!(
                message.contains("no column `v`, and the model learned from the vectors in it"),
                "{message}"
            );
            assert!(message.ends_with("`vectors` = FILE.npy"), "{message}");
        }
        // The column is there, and blank in these rows.
        empty.known = vec!["v".to_string()].into();
        assert_eq!(columns.transform(&empty, &Run::new(0)).unwrap().rows(), 2);
    }

    #[test]
    fn what_is_no_vector_is_named() {
        let empty = table("v", Dense::zeros(2, 4));
        assert!(
            VectorColumns::fit(&empty, &["v".into()])
                .unwrap_err()
                .to_string()
                .contains("no row has a vector")
        );
        let texts = Table::from_texts("v", ["x"]);
        let message = VectorColumns::fit(&texts, &["v".into()]).unwrap_err().to_string();
        assert!(message.contains("column `v` of the rows holds no vectors"), "{message}");
    }
}
