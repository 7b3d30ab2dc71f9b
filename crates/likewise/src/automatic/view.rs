//! What of joined rows a ranker of several blocks looks at.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::data::{Csr, Data, Part};
use crate::error::{Error, Result};

/// What of joined rows is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum View {
    /// All blocks as they are joined.
    Joined,
    /// All blocks, each made as long as it tells.
    Weighed(Vec<Stretch>),
    /// One of them alone.
    Part(Part),
}

/// By what the columns of a block are multiplied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Stretch {
    columns: Range<usize>,
    by: f32,
}

impl View {
    /// All blocks by their weights; the mean of the squared stretches is 1.
    pub fn joined(parts: &[Part], weights: &[u32]) -> Self {
        if weights.iter().all(|weight| *weight == weights[0]) {
            return View::Joined;
        }
        let mean = weights.iter().sum::<u32>() as f32 / weights.len() as f32;
        let stretch = |(part, weight): (&Part, &u32)| Stretch {
            columns: part.columns.clone(),
            by: (*weight as f32 / mean).sqrt(),
        };
        View::Weighed(parts.iter().zip(weights).map(stretch).collect())
    }

    pub fn of(&self, x: &Data) -> Result<Data> {
        match self {
            View::Joined => Ok(x.clone()),
            View::Weighed(stretches) => {
                let mut x = x.sparse()?.clone();
                let Csr { cols, indices, values, .. } = Arc::make_mut(&mut x);
                let mut by = vec![1.0; *cols];
                for Stretch { columns, by: own } in stretches {
                    let columns = by.get_mut(columns.clone());
                    columns
                        .ok_or_else(|| Error::data("the rows have fewer columns than their blocks"))?
                        .fill(*own);
                }
                values.iter_mut().zip(indices.iter()).for_each(|(value, j)| *value *= by[*j as usize]);
                Ok(Data::Sparse(x))
            }
            View::Part(part) => part.of(x.sparse()?),
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            View::Joined | View::Weighed(_) => "all joined",
            View::Part(part) => part.kind.name(),
        }
    }

    pub fn first_column(&self) -> usize {
        match self {
            View::Joined | View::Weighed(_) => 0,
            View::Part(part) => part.columns.start,
        }
    }

    /// Whether a file may hold it.
    pub fn is_sound(&self) -> bool {
        let sound =
            |columns: &Range<usize>, by: f32| by > 0.0 && by.is_finite() && columns.start <= columns.end;
        match self {
            View::Joined => true,
            View::Weighed(stretches) => stretches.iter().all(|one| sound(&one.columns, one.by)),
            View::Part(part) => sound(&part.columns, part.scale),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dense, PartKind, join};

    #[test]
    fn joined_rows_are_as_long_as_their_blocks_tell() {
        let block: Data = Dense::new(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap().into();
        let x: Data = join(&[(&block, 1.0), (&block, 1.0)]).unwrap().into();
        let part = |kind, columns| Part { kind, columns, scale: 1.0, fields: None };
        let parts = [part(PartKind::Columns, 0..2), part(PartKind::Vectors, 2..4)];
        assert_eq!(View::joined(&parts, &[7, 7]), View::Joined);
        let weighed = View::joined(&parts, &[30, 10]).of(&x).unwrap();
        let squared = |x: &Data, j: usize| -> f32 {
            let rows = x.sparse().unwrap();
            let of_row = |row: crate::data::SparseRow<'_>| -> f32 {
                row.iter().filter(|(at, _)| *at == j).map(|(_, v)| v * v).sum()
            };
            rows.iter_rows().map(of_row).sum()
        };
        // Squared lengths of 3 : 1 about a mean of 1.
        for (j, by) in [(0, 1.5), (1, 1.5), (2, 0.5), (3, 0.5)] {
            assert!((squared(&weighed, j) / squared(&x, j) - by).abs() < 1e-5, "{j}");
        }
    }
}
