//! Arrow IPC: the file format, which Feather 2 is, and the stream. Columns become what those of Parquet do.

mod sizes;
mod stream;

pub use stream::table_of_stream;

use std::fs::File;
use std::io::{BufReader, Read, Seek};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::ArrowError;
use likewise::data::Table;

use crate::batch::{choose_columns, to_table};
use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::parquet::seekable;
use crate::read::{Reading, RowReader};
use crate::source::Source;

const FILE: &[u8; 6] = b"ARROW1";
const FEATHER_1: &[u8; 4] = b"FEA1";

pub(crate) struct Arrow {
    batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>,
    /// What is left of a batch that is larger than ours, and how many of its rows make one of ours.
    rest: Option<(RecordBatch, usize)>,
    rows: u64,
}

impl Arrow {
    pub fn open(source: &Source, reading: &mut Reading) -> Result<Self> {
        let mut file = seekable(source)?;
        let failed = |e| Error::io(source.name(), e);
        let mut start = Vec::new();
        (&mut file).take(FILE.len() as u64).read_to_end(&mut start).map_err(failed)?;
        file.rewind().map_err(failed)?;
        if start.starts_with(FEATHER_1) {
            return Err(unreadable(reading, "it is of Feather's first version, which is no Arrow"));
        }
        if start.is_empty() {
            return Ok(Arrow { batches: Box::new(std::iter::empty()), rest: None, rows: 0 });
        }
        let sizes = match start == FILE {
            true => guarded(|| sizes::check_file(&mut file)),
            false => guarded(|| sizes::check_stream(&mut file)),
        };
        sizes.map_err(|e| unreadable(reading, e))?;
        file.rewind().map_err(failed)?;
        let batches = if start == FILE { of_file(file, reading) } else { of_stream(file, reading) };
        Ok(Arrow { batches: batches?, rest: None, rows: 0 })
    }

    fn next(&mut self, reading: &Reading) -> Result<Option<RecordBatch>> {
        let (batch, most) = match self.rest.take() {
            Some(rest) => rest,
            None => loop {
                let next = guarded(|| self.batches.next().transpose()).map_err(|e| unreadable(reading, e))?;
                let Some(batch) = next else { return Ok(None) };
                if batch.num_rows() > 0 {
                    let mean = (batch.get_array_memory_size() / batch.num_rows()).max(1);
                    let most = reading.options.batch_rows.min(reading.options.batch_bytes / mean).max(1);
                    break (batch, most);
                }
            },
        };
        if batch.num_rows() <= most {
            return Ok(Some(batch));
        }
        self.rest = Some((batch.slice(most, batch.num_rows() - most), most));
        Ok(Some(batch.slice(0, most)))
    }
}

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

fn of_file(file: File, reading: &mut Reading) -> Result<Batches> {
    let whole = guarded(|| FileReader::try_new(BufReader::new(&file), None).map(|reader| reader.schema()));
    let schema = whole.map_err(|e| unreadable(reading, e))?;
    let columns = choose_columns(&schema, reading)?;
    let reader = guarded(|| FileReader::try_new(BufReader::new(file), Some(columns)));
    Ok(Box::new(reader.map_err(|e| unreadable(reading, e))?))
}

fn of_stream(mut file: File, reading: &mut Reading) -> Result<Batches> {
    let schema = guarded(|| StreamReader::try_new(BufReader::new(&file), None).map(|reader| reader.schema()));
    let schema = schema.map_err(|e| unreadable(reading, e))?;
    let columns = choose_columns(&schema, reading)?;
    file.rewind().map_err(|e| Error::io(&reading.name, e))?;
    let reader = guarded(|| StreamReader::try_new(BufReader::new(file), Some(columns)));
    Ok(Box::new(reader.map_err(|e| unreadable(reading, e))?))
}

impl RowReader for Arrow {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let batch = self.next(reading)?;
        batch.map(|batch| to_table(&batch, &mut self.rows, reading)).transpose()
    }
}

fn unreadable(reading: &Reading, error: impl std::fmt::Display) -> Error {
    Error::Malformed {
        source_name: reading.name.clone(),
        line: None,
        problem: format!("cannot be read as Arrow ({error}); check that it is complete, or write it again"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::*;
    use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
    use likewise::data::Column;

    use crate::Format::Arrow;
    use crate::testing::{cells, failure, lines, only, parse, requiring, skipping, table};

    fn batch() -> RecordBatch {
        let texts = StringArray::from(vec![Some("refund"), None, Some("parcel")]);
        let vectors = FixedSizeListArray::from_iter_primitive::<types::Float32Type, _, _>(
            [Some(vec![Some(1.0), Some(2.0)]), None, Some(vec![Some(0.5), Some(0.0)])],
            2,
        );
        RecordBatch::try_from_iter_with_nullable([
            ("text", Arc::new(texts) as ArrayRef, true),
            ("paid", Arc::new(BooleanArray::from(vec![true, false, true])), true),
            ("size", Arc::new(Float64Array::from(vec![Some(1.5), None, Some(2.0)])), true),
            ("v", Arc::new(vectors), true),
        ])
        .unwrap()
    }

    fn files() -> Vec<Vec<u8>> {
        let batch = batch();
        let mut all = Vec::new();
        for compression in
            [None, Some(arrow_ipc::CompressionType::LZ4_FRAME), Some(arrow_ipc::CompressionType::ZSTD)]
        {
            let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
            let mut file =
                FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options.clone()).unwrap();
            let mut stream =
                StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
            for _ in 0..2 {
                file.write(&batch).unwrap();
                stream.write(&batch).unwrap();
            }
            all.push(file.into_inner().unwrap());
            all.push(stream.into_inner().unwrap());
        }
        all
    }

    #[test]
    fn file_and_stream_are_told_apart_and_read_alike() {
        for bytes in files() {
            let read = table(Arrow, &bytes);
            assert_eq!(cells(&read)[0], ["text", "refund", "", "parcel", "refund", "", "parcel"]);
            assert_eq!(cells(&read)[1][..4], ["paid", "true", "false", "true"]);
            assert!(matches!(read.column("size").unwrap(), Column::Number(_)));
            assert!(matches!(read.column("v").unwrap(), Column::Vectors(x) if x.row(4) == [0.0, 0.0]));
            assert_eq!(lines(&read), [1, 2, 3, 4, 5, 6]);
            let small = crate::ReadOptions { batch_rows: 2, ..Default::default() };
            // Missing numbers are NaN, which equal nothing; their text does.
            assert_eq!(format!("{:?}", parse(Arrow, &bytes, &small).unwrap().0), format!("{read:?}"));
            assert_eq!(cells(&parse(Arrow, &bytes, &only(&["paid"])).unwrap().0).len(), 1);
            let message = parse(Arrow, &bytes, &requiring(&["txt"])).unwrap_err().to_string();
            assert!(message.contains("no column `txt` (did you mean `text`?)"), "{message}");
        }
    }

    #[test]
    fn damage_anywhere_is_an_error_or_harmless() {
        for whole in files() {
            for at in 0..whole.len() {
                let mut bytes = whole.clone();
                bytes[at] ^= 0x81;
                let _ = parse(Arrow, bytes, &skipping());
                let _ = parse(Arrow, &whole[..at], &skipping());
            }
        }
        assert!(failure(Arrow, "a,b\n1,2\n").contains("cannot be read as Arrow"));
        assert!(failure(Arrow, b"FEA1xxxx").contains("first version"));
        assert_eq!(failure(Arrow, ""), "in: there are no rows in it; give a file with data");
    }
}
