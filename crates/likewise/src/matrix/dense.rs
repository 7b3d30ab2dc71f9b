//! Rows of numbers, one after the other.

use std::sync::Arc;

use super::{Buffer, Field};
use crate::codes;
use crate::error::{Error, Result};
use crate::message::Message;

/// A matrix with every cell written down.
///
/// ```
/// use likewise::prelude::*;
/// let x = Dense::new(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!((x.rows(), x.row(1)), (2, &[4.0, 5.0, 6.0][..]));
/// assert!(Dense::new(1, 1, vec![f32::NAN]).is_err());
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// How many columns there are.
    pub cols: usize,
    /// Row by row.
    pub values: Buffer<f32>,
    rows: usize,
    /// What the columns were in their table; none where each is a number of its own.
    fields: Option<Arc<[Field]>>,
    directions: bool,
}

impl Dense {
    /// Checks the shape and that every value is a finite number.
    pub fn new(rows: usize, cols: usize, values: Vec<f32>) -> Result<Self> {
        Dense::from_buffer(rows, cols, values.into())
    }

    /// The same for values that may be lent.
    pub fn from_buffer(rows: usize, cols: usize, values: Buffer<f32>) -> Result<Self> {
        if values.len() != rows * cols {
            return Err(Error::data(format!(
                "{} values do not make {rows} rows of {cols} columns",
                values.len()
            )));
        }
        // A loop over all of them vectorises; one that may end at any of them does not.
        let finite = values.iter().fold(true, |all, v| all & v.is_finite());
        if !finite && let Some(at) = values.iter().position(|v| !v.is_finite()) {
            let (row, col) = (at / cols + 1, at % cols + 1);
            let text =
                format!("row {row}, column {col} is not a finite number (infinite, NaN, or too large)");
            let message = Message::new(&codes::NOT_A_NUMBER, text);
            return Err(Error::data(message.field("row", row).field("column", col)));
        }
        Ok(Dense { cols, values, rows, fields: None, directions: false })
    }

    /// The same rows, said to be embeddings: they are compared by their cosine as they are, and a single column of
    /// them means nothing.
    pub fn into_directions(self) -> Dense {
        Dense { directions: true, ..self }
    }

    /// Whether the rows are embeddings.
    pub fn are_directions(&self) -> bool {
        self.directions
    }

    /// The same matrix with what its columns were; they must cover it from the first column to the last.
    pub fn with_fields(mut self, fields: Arc<[Field]>) -> Result<Self> {
        let end = fields.iter().try_fold(0, |at, field| (field.start == at).then_some(at + field.width));
        if end != Some(self.cols) {
            return Err(Error::data(format!(
                "the fields do not cover {} columns one after the other",
                self.cols
            )));
        }
        self.fields = Some(fields);
        Ok(self)
    }

    /// What the columns were in their table. A matrix that knows of none has a number in each.
    pub fn fields(&self) -> Arc<[Field]> {
        match &self.fields {
            Some(fields) => fields.clone(),
            None => (0..self.cols).map(Field::number).collect(),
        }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f32] {
        &self.values[i * self.cols..(i + 1) * self.cols]
    }

    /// The rows in their order.
    pub fn iter_rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        (0..self.rows).map(|i| self.row(i))
    }

    /// Rows of nothing but zeros.
    pub fn zeros(rows: usize, cols: usize) -> Dense {
        Dense { cols, values: vec![0.0; rows * cols].into(), rows, fields: None, directions: false }
    }

    /// Adds the rows of another of the same width. The smaller of the two is moved into the memory of the larger.
    pub fn append(&mut self, mut other: Dense) -> Result<()> {
        if self.cols != other.cols {
            return Err(Error::data(format!(
                "rows of {} and of {} numbers do not make one matrix",
                self.cols, other.cols
            )));
        }
        if self.values.len() < other.values.len() && !other.values.is_lent() {
            other.values.to_mut().splice(0..0, self.values.iter().copied());
            self.values = other.values;
        } else {
            self.values.to_mut().extend_from_slice(&other.values);
        }
        self.rows += other.rows;
        Ok(())
    }

    /// Keeps the given rows, which ascend, in the memory they are in.
    pub fn keep(&mut self, rows: &[usize]) {
        let (cols, values) = (self.cols, self.values.to_mut());
        for (to, &from) in rows.iter().enumerate() {
            values.copy_within(from * cols..(from + 1) * cols, to * cols);
        }
        values.truncate(rows.len() * cols);
        self.rows = rows.len();
    }

    /// The given rows, in the given order.
    pub fn select(&self, rows: &[usize]) -> Dense {
        let mut values = Vec::with_capacity(rows.len() * self.cols);
        for &i in rows {
            values.extend_from_slice(self.row(i));
        }
        let (fields, directions) = (self.fields.clone(), self.directions);
        Dense { cols: self.cols, values: values.into(), rows: rows.len(), fields, directions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_added_before_and_behind() {
        let small = || Dense::new(1, 2, vec![1.0, 2.0]).unwrap();
        let large = || Dense::new(2, 2, vec![3.0, 4.0, 5.0, 6.0]).unwrap();
        let (mut first, mut second) = (small(), large());
        first.append(large()).unwrap();
        second.append(small()).unwrap();
        assert_eq!((first.rows(), &first.values), (3, &vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0].into()));
        assert_eq!((second.rows(), &second.values), (3, &vec![3.0, 4.0, 5.0, 6.0, 1.0, 2.0].into()));
        first.keep(&[0, 2]);
        assert_eq!((first.rows(), &first.values), (2, &vec![1.0, 2.0, 5.0, 6.0].into()));
        assert!(first.append(Dense::zeros(1, 3)).is_err());
    }

    #[test]
    fn says_where_a_bad_number_stands() {
        let error = Dense::new(2, 2, vec![1.0, 2.0, 3.0, f32::INFINITY]).unwrap_err();
        assert!(error.to_string().starts_with("row 2, column 2"), "{error}");
    }
}
