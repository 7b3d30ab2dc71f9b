//! Rows as Parquet.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{Float32Builder, ListBuilder};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, RecordBatch};
use arrow_schema::{DataType, Field as ArrowField, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;

use super::{CellKind, Cells, Field};

/// A row group is held in memory until it is complete.
const ROW_GROUP_BYTES: usize = 64 << 20;

pub(super) struct ParquetRows<W: Write + Send> {
    schema: Arc<Schema>,
    writer: ArrowWriter<W>,
}

impl<W: Write + Send> ParquetRows<W> {
    pub fn new(fields: &[Field], out: W) -> Result<Self> {
        let fields = fields.iter().map(|field| match field.kind {
            CellKind::Text => ArrowField::new(&field.name, DataType::LargeUtf8, false),
            CellKind::Integer => ArrowField::new(&field.name, DataType::Int64, false),
            CellKind::Number => ArrowField::new(&field.name, DataType::Float64, true),
            CellKind::Boolean => ArrowField::new(&field.name, DataType::Boolean, false),
            CellKind::Vectors => {
                ArrowField::new_list(&field.name, ArrowField::new_list_field(DataType::Float32, true), true)
            }
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_bytes(Some(ROW_GROUP_BYTES))
            .build();
        let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties))?;
        Ok(ParquetRows { schema, writer })
    }

    pub fn write(&mut self, columns: &[Cells<'_>], rows: Range<usize>) -> Result<()> {
        let arrays = columns.iter().map(|cells| -> ArrayRef {
            match cells {
                Cells::Text(cells) => {
                    Arc::new(LargeStringArray::from_iter_values(rows.clone().map(|i| cells.get(i))))
                }
                Cells::Integer(cells) => Arc::new(Int64Array::from(cells[rows.clone()].to_vec())),
                Cells::Number(cells) => Arc::new(Float64Array::from_iter(
                    cells[rows.clone()].iter().map(|v| v.is_finite().then_some(*v)),
                )),
                Cells::Boolean(cells) => Arc::new(BooleanArray::from(cells[rows.clone()].to_vec())),
                Cells::Vectors(all) => {
                    let mut lists = ListBuilder::new(Float32Builder::new());
                    for vector in rows.clone().map(|row| all.row(row)) {
                        let missing = vector.iter().all(|v| *v == 0.0);
                        if !missing {
                            lists.values().append_slice(vector);
                        }
                        lists.append(!missing);
                    }
                    Arc::new(lists.finish())
                }
            }
        });
        let batch = RecordBatch::try_new(self.schema.clone(), arrays.collect())?;
        self.writer.write(&batch)
    }

    pub fn finish(self) -> Result<W> {
        self.writer.into_inner()
    }
}

/// The error of the file below, where that is what failed.
pub(super) fn io_error(error: ParquetError) -> std::io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => *error,
            Err(other) => std::io::Error::other(other),
        },
        other => std::io::Error::other(other),
    }
}
