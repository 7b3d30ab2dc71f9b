//! Reads small inputs for the tests of the formats.

use crate::{Format, ReadOptions, Result, Source, Warnings, read_all};
use likewise::data::Table;

pub fn parse(format: Format, bytes: impl AsRef<[u8]>, options: &ReadOptions) -> Result<(Table, Warnings)> {
    read_all(&[Source::from_bytes("in", bytes.as_ref(), format)], options)
}

pub fn table(format: Format, bytes: impl AsRef<[u8]>) -> Table {
    parse(format, bytes, &ReadOptions::default()).unwrap().0
}

/// The message of the error that must come.
pub fn failure(format: Format, bytes: impl AsRef<[u8]>) -> String {
    parse(format, bytes, &ReadOptions::default()).unwrap_err().to_string()
}

pub fn skipping() -> ReadOptions {
    ReadOptions { skip_bad_rows: true, ..ReadOptions::default() }
}

pub fn only(columns: &[&str]) -> ReadOptions {
    ReadOptions { columns: Some(columns.iter().map(|c| c.to_string()).collect()), ..ReadOptions::default() }
}

pub fn requiring(columns: &[&str]) -> ReadOptions {
    ReadOptions { required: columns.iter().map(|c| c.to_string()).collect(), ..only(&[]) }
}

/// All cells, column by column, with the name first.
pub fn cells(table: &Table) -> Vec<Vec<String>> {
    (table.columns())
        .map(|(name, column)| {
            assert_eq!(column.len(), table.rows());
            let cells = (0..column.len()).map(|i| column.cell(i).into_owned());
            std::iter::once(name.to_string()).chain(cells).collect()
        })
        .collect()
}

pub fn lines(table: &Table) -> Vec<u64> {
    table.origins.iter().map(|(_, line)| *line).collect()
}
