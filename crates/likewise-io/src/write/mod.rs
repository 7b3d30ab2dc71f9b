//! Columns out to a file or to standard output, batch by batch.
//!
//! A file is written beside its place and put there when it is complete, so nobody ever sees half of one and a
//! failed run leaves what was there before.

mod output;
mod outputs;
mod parquet;
mod parts;
mod rows;
mod sink;

pub use output::Output;
pub use outputs::Outputs;
pub use sink::{remove_unfinished, write_atomically};

use std::io::{BufWriter, Write};

use likewise::data::{Column, Dense, Texts};

use crate::compression::Packer;
use crate::error::{Error, Result};
use crate::source::Format;
use parquet::{ParquetRows, io_error};
use sink::Sink;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    Text,
    Integer,
    Number,
    Boolean,
    /// A vector of zeros is written as missing.
    Vectors,
}

/// A column of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub kind: CellKind,
}

/// The cells of one column of a batch. A number that is not finite is written as missing.
#[derive(Clone, Copy, Debug)]
pub enum Cells<'a> {
    Text(&'a Texts),
    Integer(&'a [i64]),
    Number(&'a [f64]),
    Boolean(&'a [bool]),
    Vectors(&'a Dense),
}

impl Field {
    pub fn new(name: impl Into<String>, kind: CellKind) -> Self {
        Field { name: name.into(), kind }
    }
}

impl Cells<'_> {
    pub fn kind(&self) -> CellKind {
        match self {
            Cells::Text(_) => CellKind::Text,
            Cells::Integer(_) => CellKind::Integer,
            Cells::Number(_) => CellKind::Number,
            Cells::Boolean(_) => CellKind::Boolean,
            Cells::Vectors(_) => CellKind::Vectors,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Cells::Text(cells) => cells.len(),
            Cells::Integer(cells) => cells.len(),
            Cells::Number(cells) => cells.len(),
            Cells::Boolean(cells) => cells.len(),
            Cells::Vectors(rows) => rows.rows(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> From<&'a Column> for Cells<'a> {
    fn from(column: &'a Column) -> Self {
        match column {
            Column::Text(cells) => Cells::Text(cells),
            Column::Number(cells) => Cells::Number(cells),
            Column::Vectors(rows) => Cells::Vectors(rows),
        }
    }
}

/// Writes tables of the same columns one after the other. Without `finish` nothing was ever written.
pub struct Writer {
    name: String,
    fields: Vec<Field>,
    body: Body,
}

enum Body {
    Rows { encode: rows::Encode, bytes: Vec<u8>, out: Packer<BufWriter<Sink>> },
    Parquet(ParquetRows<BufWriter<Sink>>),
}

impl Writer {
    pub fn create(output: &Output, fields: Vec<Field>) -> Result<Writer> {
        let name = output.name();
        let failed = |e| Error::io(&name, e);
        let out = BufWriter::with_capacity(1 << 18, Sink::open(output)?);
        let body = match output.format {
            Format::Parquet => {
                Body::Parquet(ParquetRows::new(&fields, out).map_err(io_error).map_err(failed)?)
            }
            _ => {
                let encode = rows::Encode::of(output);
                let mut bytes = Vec::new();
                encode.header(&fields, &mut bytes);
                let out = Packer::new(output.compression, out).map_err(failed)?;
                Body::Rows { encode, bytes, out }
            }
        };
        Ok(Writer { name, fields, body })
    }

    /// Adds rows; the columns are those of `create`, in that order, equally long.
    pub fn write(&mut self, columns: &[Cells<'_>]) -> Result<()> {
        let kinds = self.fields.iter().map(|f| f.kind);
        assert!(
            kinds.eq(columns.iter().map(Cells::kind)),
            "the columns are not those the writer was made for"
        );
        let rows = columns.first().map_or(0, Cells::len);
        assert!(columns.iter().all(|c| c.len() == rows), "the columns are not equally long");
        for start in (0..rows).step_by(ROWS_AT_ONCE) {
            let rows = start..rows.min(start + ROWS_AT_ONCE);
            let written = match &mut self.body {
                Body::Parquet(out) => out.write(columns, rows).map_err(io_error),
                Body::Rows { encode, bytes, out } => {
                    encode.rows(&self.fields, columns, rows, bytes);
                    let written = out.write_all(bytes);
                    bytes.clear();
                    written
                }
            };
            written.map_err(|e| Error::io(&self.name, e))?;
        }
        Ok(())
    }

    /// Writes what is left and puts the file in its place.
    pub fn finish(self) -> Result<()> {
        let name = self.name.clone();
        self.complete()?.finish().map_err(|e| Error::io(name, e))
    }

    /// Writes what is left; the file is still beside its place.
    fn complete(self) -> Result<Sink> {
        let out = match self.body {
            Body::Parquet(out) => out.finish().map_err(io_error),
            Body::Rows { bytes, mut out, .. } => out.write_all(&bytes).and_then(|()| out.finish()),
        };
        let sink = out.and_then(|out| out.into_inner().map_err(|e| e.into_error()));
        sink.map_err(|e| Error::io(&self.name, e))
    }
}

/// Bounds the memory for rows that are made but not yet written.
const ROWS_AT_ONCE: usize = 4096;
