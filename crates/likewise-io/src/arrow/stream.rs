//! Tables of other programs in this process, handed over by Arrow's C stream interface: the same cells as those of
//! a Parquet file with these columns.

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::DataType;
use likewise::data::Table;

use crate::cells;
use crate::error::{Error, Result};

/// Reads a stream to its end. Columns that are neither text nor number nor lists of these are left out, and named beside
/// the table. What comes as a dictionary is a category, whatever its values look like.
///
/// # Safety
/// The stream must have been filled by a producer that keeps to the interface.
pub unsafe fn table_of_stream(stream: FFI_ArrowArrayStream, name: &str) -> Result<(Table, Vec<String>)> {
    let failed = |error: arrow_schema::ArrowError| Error::Malformed {
        source_name: name.into(),
        line: None,
        problem: format!("cannot be read through Arrow ({error})"),
    };
    let batches = RecordBatchStreamReader::try_new(stream).map_err(failed)?;
    let schema = batches.schema();
    let is_list = |at: usize| cells::is_list_of_numbers(schema.field(at).data_type());
    let is_readable = |at: usize| cells::is_readable(schema.field(at).data_type());
    let readable: Vec<usize> = (0..schema.fields().len()).filter(|&at| is_readable(at)).collect();
    let named = |at: usize| schema.field(at).name().clone();
    let left_out = (0..schema.fields().len()).filter(|at| !is_readable(*at));
    let left_out = left_out.map(|at| format!("`{}` ({})", named(at), schema.field(at).data_type())).collect();
    let is_category = |at: &usize| matches!(schema.field(*at).data_type(), DataType::Dictionary(..));
    let columns = |batch: &RecordBatch| {
        let mut part = Table::from_source(name);
        part.categories = readable.iter().copied().filter(is_category).map(named).collect();
        for &at in &readable {
            let array = batch.column(at).as_ref();
            let vectors = is_list(at).then(|| cells::vectors(array).ok()).flatten();
            part.push_column(schema.field(at).name(), vectors.unwrap_or_else(|| cells::column(array).0));
        }
        part
    };
    let mut table: Option<Table> = None;
    for batch in batches {
        let batch = batch.map_err(failed)?;
        let (before, mut part) = (table.as_ref().map_or(0, Table::rows) as u64, columns(&batch));
        part.origins = (1..=batch.num_rows() as u64).map(|row| (0, before + row)).collect();
        match &mut table {
            Some(table) => table.append(part)?,
            None => table = Some(part),
        }
    }
    Ok((table.unwrap_or_else(|| columns(&RecordBatch::new_empty(schema.clone()))), left_out))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use arrow_array::{
        ArrayRef, BooleanArray, Date32Array, Int64Array, ListArray, RecordBatchIterator, StringArray,
    };
    use likewise::data::Column;

    #[test]
    fn cells_are_those_of_a_file_and_rows_count_on_over_batches() {
        let batch = |first: i64| {
            let list = ListArray::from_iter_primitive::<arrow_array::types::Int32Type, _, _>([
                Some([Some(1)]),
                None,
            ]);
            let columns: [(&str, ArrayRef); 5] = [
                ("text", Arc::new(StringArray::from(vec![Some("a"), None]))),
                ("size", Arc::new(Int64Array::from(vec![Some(first), None]))),
                ("flag", Arc::new(BooleanArray::from(vec![true, false]))),
                ("day", Arc::new(Date32Array::from(vec![0, 1]))),
                ("list", Arc::new(list)),
            ];
            RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
                .unwrap()
        };
        // A number that doubles cannot hold turns the column into text.
        let batches = vec![batch(1), batch((1 << 53) + 1)];
        let schema = batches[0].schema();
        let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        // SAFETY: the stream was just made of a reader.
        let (table, left_out) = unsafe { table_of_stream(stream, "the frame") }.unwrap();
        assert!(left_out.is_empty() && table.categories.is_empty());
        assert_eq!(table.column_names(), ["text", "size", "flag", "day", "list"]);
        assert_eq!((table.rows(), table.place(3)), (4, "the frame:4".into()));
        let cells = |name: &str| -> Vec<String> {
            (0..4).map(|row| table.column(name).unwrap().cell(row).into_owned()).collect()
        };
        assert_eq!(cells("text"), ["a", "", "a", ""]);
        assert_eq!(cells("size"), ["1", "", "9007199254740993", ""]);
        assert_eq!(cells("flag"), ["true", "false", "true", "false"]);
        assert_eq!(cells("day"), ["1970-01-01", "1970-01-02", "1970-01-01", "1970-01-02"]);
        assert!(matches!(table.column("size").unwrap(), Column::Text(_)));
        assert!(
            matches!(table.column("list").unwrap(), Column::Vectors(x) if x.values == [1.0, 0.0, 1.0, 0.0])
        );
    }
}
