//! Arrow batches as tables, for every format that delivers them.

use std::collections::BTreeSet;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use likewise::data::{Column, Table};

use crate::cells;
use crate::error::{Error, Result};
use crate::read::{Reading, Vectors};

/// The places of the wanted columns.
pub(crate) fn choose_columns(schema: &Schema, reading: &mut Reading) -> Result<Vec<usize>> {
    let names: Vec<_> = schema.fields().iter().map(|f| f.name().clone()).collect();
    reading.check_required(&names)?;
    let mut columns = Vec::new();
    for (i, field) in schema.fields().iter().enumerate() {
        let (name, kind) = (field.name(), field.data_type());
        if !reading.wants(name) {
            continue;
        }
        if cells::is_readable(kind) {
            columns.push(i);
        } else if reading.options.required.contains(name) || reading.vectors(name) == Vectors::Surely {
            let problem = format!(
                "the column `{name}` is of type {kind}, which is neither text nor number; turn it into one"
            );
            return Err(Error::Malformed { source_name: reading.name.clone(), line: None, problem });
        } else {
            reading.warnings.left_out_columns.push(format!("`{name}` ({kind})"));
        }
    }
    Ok(columns)
}

/// The rows of a batch; `before` is the number of those that came before, and grows by them.
pub(crate) fn to_table(batch: &RecordBatch, before: &mut u64, reading: &mut Reading) -> Result<Table> {
    let mut table = reading.table();
    let rows = batch.num_rows() as u64;
    table.origins = (*before + 1..=*before + rows).map(|row| (0, row)).collect();
    let mut replaced = BTreeSet::new();
    for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
        let name = field.name();
        if cells::is_list_of_numbers(field.data_type()) && reading.vectors(name) != Vectors::No {
            match (cells::vectors(array.as_ref()), reading.vectors(name)) {
                (Ok(column), _) => {
                    table.push_column(name, column);
                    continue;
                }
                (Err(wrong), Vectors::Surely) => return Err(reading.bad_vector(&table, name, wrong)),
                (Err(_), _) => {}
            }
        }
        let (column, rows) = cells::column(array.as_ref());
        replaced.extend(rows);
        match column {
            Column::Text(cells) => reading.push_lists(&mut table, name, cells)?,
            column => table.push_column(name, column),
        }
    }
    for row in replaced {
        reading.count_not_utf8(*before + row as u64 + 1);
    }
    *before += rows;
    reading.progress.advance(rows);
    Ok(table)
}
