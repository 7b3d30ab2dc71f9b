//! Tables of other programs in this process, handed over by Arrow's C stream interface: the same cells as those of
//! a Parquet file with these columns.

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchReader};
use likewise::data::Table;

use crate::cells;
use crate::error::{Error, Result};

/// Reads a stream to its end. Columns that are neither text nor number (lists, structures) are left out.
///
/// # Safety
/// The stream must have been filled by a producer that keeps to the interface.
pub unsafe fn table_of_stream(stream: FFI_ArrowArrayStream, name: &str) -> Result<Table> {
    let failed = |error: arrow_schema::ArrowError| Error::Malformed {
        source_name: name.into(),
        line: None,
        problem: format!("cannot be read through Arrow ({error})"),
    };
    let batches = RecordBatchStreamReader::try_new(stream).map_err(failed)?;
    let schema = batches.schema();
    let readable: Vec<usize> =
        (0..schema.fields().len()).filter(|&at| cells::is_readable(schema.field(at).data_type())).collect();
    let columns = |batch: &RecordBatch| {
        let mut part = Table::from_source(name);
        for &at in &readable {
            part.push_column(schema.field(at).name(), cells::column(batch.column(at).as_ref()).0);
        }
        part
    };
    let mut table = columns(&RecordBatch::new_empty(schema.clone()));
    for batch in batches {
        let batch = batch.map_err(failed)?;
        let (before, mut part) = (table.rows() as u64, columns(&batch));
        part.origins = (1..=batch.num_rows() as u64).map(|row| (0, before + row)).collect();
        table.append(part)?;
    }
    Ok(table)
}
