//! Readers and writers: the doors through which rows come in and answers go out.
//!
//! A [`Source`] says where rows are and in what format; [`read`] streams them as tables of bounded size,
//! [`read_all`] gathers them in one. A [`Writer`] takes columns batch by batch and puts a file in its place
//! only when it is complete. Each format is one file here, and knows nothing of the others.
//!
//! ```
//! use likewise_io::{Cells, Field, Format, CellKind, Output, ReadOptions, Source, Writer, read};
//!
//! # fn main() -> likewise_io::Result<()> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("out.csv");
//! let source = Source::from_bytes("built in", "text\nrefund please\nhello\n".as_bytes(), Format::Csv);
//! let fields = vec![Field::new("text", CellKind::Text), Field::new("line", CellKind::Integer)];
//! let mut writer = Writer::create(&Output::parse(&path)?, fields)?;
//! for batch in read(&source, &ReadOptions::default())? {
//!     let batch = batch?;
//!     let lines: Vec<i64> = batch.origins.iter().map(|(_, line)| *line as i64).collect();
//!     writer.write(&[batch.column("text")?.into(), Cells::Integer(&lines)])?;
//! }
//! writer.finish()?;
//! # assert_eq!(std::fs::read_to_string(path).unwrap(), "text,line\nrefund please,2\nhello,3\n");
//! # Ok(())
//! # }
//! ```

mod arff;
mod arrow;
mod batch;
mod cells;
mod compression;
mod csv;
pub mod database;
pub mod embedding;
mod encoding;
mod error;
mod folder;
mod guard;
mod input;
mod json;
mod jsonl;
mod lines;
mod memory;
mod npy;
mod objects;
mod parquet;
mod read;
mod references;
mod signature;
mod sort;
mod source;
mod svmlight;
mod text;
mod vectors;
mod warnings;
mod write;
mod xlsx;

pub use arrow::table_of_stream;
pub use compression::open_unpacked;
pub use csv::Separator;
pub use encoding::Encoding;
pub use error::{Error, Result};
pub use memory::{Bytes, Memory};
pub use npy::read_npy;
pub use read::{Batches, ReadOptions, read, read_all};
pub use sort::{SORT_MEMORY, Sorter};
pub use source::{Format, Source};
pub use warnings::{Tally, Warnings};
pub use write::{CellKind, Cells, Field, Output, Outputs, Writer, remove_unfinished, write_atomically};

#[cfg(test)]
mod testing;
