//! Rows that are made of several blocks: words, columns and vectors side by side.
//!
//! Joined rows are one sparse matrix. Every block stands in columns of its own, multiplied by a power of two that
//! brings it to about the length of the others; a block is taken out again bit for bit.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Csr, CsrBuilder, Data, Dense, Field};
use crate::error::{Error, Result};

/// What the columns of a block are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// Words.
    Words,
    /// Numbers, categories and dates.
    Columns,
    /// Embeddings.
    Vectors,
}

impl PartKind {
    /// As a person reads it.
    pub fn name(self) -> &'static str {
        match self {
            PartKind::Words => "words",
            PartKind::Columns => "columns",
            PartKind::Vectors => "vectors",
        }
    }
}

/// One block of joined rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// What its columns are.
    pub kind: PartKind,
    /// Which columns of the joined rows are its own.
    pub columns: Range<usize>,
    /// What its values were multiplied by, a power of two.
    pub scale: f32,
    /// What its columns were in their table, counted from its own first; none where each is a number of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<Field>>,
}

impl Part {
    /// The block of joined rows as it was before it was joined.
    pub fn of(&self, joined: &Csr) -> Result<Data> {
        if joined.cols < self.columns.end || self.columns.start > self.columns.end {
            let (have, want) = (joined.cols, self.columns.end);
            return Err(Error::data(format!("the rows have {have} columns, their blocks {want}")));
        }
        let (first, width) = (self.columns.start, self.columns.len());
        let own = |row: usize| {
            let row = joined.row(row);
            let start = row.indices.partition_point(|&j| (j as usize) < self.columns.start);
            let end = row.indices.partition_point(|&j| (j as usize) < self.columns.end);
            let indices = row.indices[start..end].iter().map(move |&j| j as usize - first);
            indices.zip(row.values[start..end].iter().map(|v| v / self.scale))
        };
        if self.kind == PartKind::Words {
            let mut out = CsrBuilder::with_capacity(width, joined.rows(), joined.nnz());
            (0..joined.rows()).for_each(|row| out.push_entries(own(row).map(|(j, v)| (j as u32, v))));
            return Ok(Data::Sparse(Arc::new(out.finish())));
        }
        let mut values = vec![0f32; joined.rows() * width];
        for row in 0..joined.rows() {
            own(row).for_each(|(j, v)| values[row * width + j] = v);
        }
        let x = Dense::new(joined.rows(), width, values)?;
        let x = if self.kind == PartKind::Vectors { x.into_directions() } else { x };
        let x = match &self.fields {
            Some(fields) => x.with_fields(fields.clone().into())?,
            None => x,
        };
        Ok(Data::Dense(Arc::new(x)))
    }
}

/// The power of two that brings the rows that hold something nearest to length 1 on the mean; 1 where none does.
pub(crate) fn unit_scale(x: &Data) -> f32 {
    let square = |values: &[f32]| values.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
    let squares: Vec<f64> = match x {
        Data::Dense(x) => x.iter_rows().map(square).collect(),
        Data::Sparse(x) => x.iter_rows().map(|row| square(row.values)).collect(),
        Data::Relational(_) => Vec::new(),
    };
    let filled = squares.iter().filter(|square| **square > 0.0).count();
    let length = (squares.iter().sum::<f64>() / filled.max(1) as f64).sqrt();
    match length > 0.0 && length.is_finite() {
        true => 2f64.powi((-length.log2()).round().clamp(-100.0, 100.0) as i32) as f32,
        false => 1.0,
    }
}

/// Blocks of equally many rows side by side, each multiplied by its scale.
pub(crate) fn join(blocks: &[(&Data, f32)]) -> Result<Csr> {
    let rows = blocks.first().map_or(0, |(x, _)| x.rows());
    let width: usize = blocks.iter().map(|(x, _)| x.cols().unwrap_or(0)).sum();
    let mut out = CsrBuilder::with_capacity(width, rows, 0);
    let mut entries: Vec<(u32, f32)> = Vec::new();
    for row in 0..rows {
        entries.clear();
        let mut offset = 0;
        for (x, scale) in blocks {
            match x {
                Data::Sparse(x) => {
                    let own = x.row(row);
                    entries.extend(own.iter().map(|(j, v)| ((offset + j) as u32, v * scale)));
                }
                Data::Dense(x) => {
                    let own = x.row(row).iter().enumerate().filter(|(_, v)| v.to_bits() != 0);
                    entries.extend(own.map(|(j, v)| ((offset + j) as u32, v * scale)));
                }
                Data::Relational(_) => return Err(Error::data("related tables are not joined with columns")),
            }
            offset += x.cols().unwrap_or(0);
        }
        out.push_with_gaps(entries.drain(..));
    }
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_joined_comes_out_bit_for_bit() {
        let words = Csr::new(3, vec![0, 1, 3], vec![2, 0, 1], vec![1.0, 0.6, 0.8]).unwrap();
        let columns = Dense::new(2, 2, vec![0.1, -3.3, 0.0, 7.7]).unwrap();
        let vectors = Dense::new(2, 2, vec![0.0, 0.0, 0.6, 0.8]).unwrap().into_directions();
        let blocks: [Data; 3] = [words.into(), columns.into(), vectors.into()];
        let scales = blocks.each_ref().map(unit_scale);
        assert_eq!(scales, [1.0, 0.125, 1.0], "lengths 1, 5.9 and 1");
        let joined = join(&blocks.each_ref().iter().copied().zip(scales).collect::<Vec<_>>()).unwrap();
        assert_eq!((joined.cols, joined.row(0).indices), (7, &[2u32, 3, 4][..]));
        let kinds = [PartKind::Words, PartKind::Columns, PartKind::Vectors];
        let ranges = [0..3, 3..5, 5..7];
        for ((block, kind), (columns, scale)) in blocks.iter().zip(kinds).zip(ranges.into_iter().zip(scales))
        {
            let fields = None;
            let own = Part { kind, columns, scale, fields }.of(&joined).unwrap();
            assert_eq!(own.kind(), block.kind());
            match (&own, block) {
                (Data::Dense(own), Data::Dense(block)) => assert_eq!(own, block),
                _ => assert_eq!(own.sparse().unwrap(), block.sparse().unwrap()),
            }
        }
        let beyond = Part { kind: PartKind::Words, columns: 3..9, scale: 1.0, fields: None };
        assert!(beyond.of(&joined).is_err());
    }
}
