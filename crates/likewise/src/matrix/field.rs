//! What the columns of a matrix were in their table, for methods that ask: a number, or a category spread over a run of
//! columns, one a level.

use serde::{Deserialize, Serialize};

/// A missing number. It is zero, the mean of a scaled column, to everybody who computes with it; only who looks at its
/// bits can tell.
pub const MISSING: f32 = -0.0;

/// One column of a table, as the run of a matrix's columns that it has become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The first of its columns.
    pub start: usize,
    /// How many columns it has.
    pub width: usize,
    /// Whether each column is a level, with 1 in the column of a row's own and nothing else in the row.
    pub category: bool,
    /// Whether [`MISSING`] means missing here; in a matrix that somebody made it is a zero like any other.
    pub gaps: bool,
}

impl Field {
    /// A number in this column, never missing.
    pub fn number(column: usize) -> Self {
        Field { start: column, width: 1, category: false, gaps: false }
    }

    /// The number of a row; none where it is missing.
    pub fn number_of(&self, row: &[f32]) -> Option<f32> {
        let cell = row[self.start];
        (!self.gaps || cell.to_bits() != MISSING.to_bits()).then_some(cell)
    }

    /// The level of a row, counted from 0; none where it is missing or was unknown.
    pub fn level(&self, row: &[f32]) -> Option<usize> {
        row[self.start..self.start + self.width].iter().position(|cell| *cell != 0.0)
    }
}
