//! Readers and writers: the doors through which rows come in and answers go out.
//!
//! A [`Source`] says where rows are and in what format; [`read`] streams them as tables of bounded size,
//! [`read_all`] gathers them in one. A [`Writer`] takes columns batch by batch and puts a file in its place
//! only when it is complete. Each format is one file here, and knows nothing of the others.

mod arff;
mod compression;
mod csv;
mod error;
mod folder;
mod input;
mod jsonl;
mod lines;
mod parquet;
mod read;
mod source;
mod svmlight;
mod text;
mod warnings;
mod write;

pub use error::{Error, Result};
pub use read::{Batches, ReadOptions, read, read_all};
pub use source::{Format, Source};
pub use warnings::{Tally, Warnings};
pub use write::{Cells, Field, Kind, Output, Writer, write_atomically};

#[cfg(test)]
mod testing;
