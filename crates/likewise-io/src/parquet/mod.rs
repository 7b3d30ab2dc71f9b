//! Parquet: typed columns, read by row groups.
//!
//! Numbers become number columns, lists of numbers vectors, other lists JSON, everything else that fits in a cell becomes text. A
//! column of another type (structures, maps) is left out with a warning, or refused where it is required.

mod chunks;

use std::fs::File;
use std::io::{Seek, Write};

use likewise::data::Table;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use crate::batch::{choose_columns, to_table};
use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::input::{Input, Progress};
use crate::read::{Reading, RowReader};
use crate::source::{Location, Source};
use chunks::Chunks;

pub(crate) struct Parquet {
    batches: ParquetRecordBatchReader,
    rows: u64,
}

impl Parquet {
    pub fn open(source: &Source, reading: &mut Reading) -> Result<Self> {
        let file = seekable(source)?;
        let chunks = Chunks::of(file).map_err(|e| Error::io(&reading.name, e))?;
        let length = chunks.length();
        let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new(chunks));
        let builder = builder.map_err(|e| unreadable(reading, e))?;
        chunks::check(builder.metadata(), length).map_err(|e| unreadable(reading, e))?;
        let columns = choose_columns(builder.schema(), reading)?;
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns);
        let rows = builder.metadata().file_metadata().num_rows().max(0) as u64;
        let leaves =
            builder.metadata().row_groups().iter().flat_map(|group| group.columns().iter().enumerate());
        let leaves = leaves.filter(|(leaf, _)| mask.leaf_included(*leaf));
        let bytes = leaves.fold(0u64, |sum, (_, leaf)| sum.saturating_add_signed(leaf.uncompressed_size()));
        reading.progress = Progress::of(rows);
        let batch_rows = batch_rows(rows, bytes, reading);
        let batches = guarded(|| builder.with_projection(mask).with_batch_size(batch_rows).build());
        Ok(Parquet { batches: batches.map_err(|e| unreadable(reading, e))?, rows: 0 })
    }
}

impl RowReader for Parquet {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let batch = guarded(|| self.batches.next().transpose()).map_err(|e| unreadable(reading, e))?;
        batch.map(|batch| to_table(&batch, &mut self.rows, reading)).transpose()
    }
}

/// As many rows as the limits allow, judged by the mean row.
fn batch_rows(rows: u64, bytes: u64, reading: &Reading) -> usize {
    let mean = (bytes / rows.max(1)).max(1);
    let by_bytes = (reading.options.batch_bytes as u64 / mean).max(1);
    reading.options.batch_rows.clamp(1, by_bytes as usize)
}

/// Some formats are read from their end, so what comes as a stream is put in a file first.
pub(crate) fn seekable(source: &Source) -> Result<File> {
    if let (Location::File(path), None) = (&source.location, source.compression)
        && path.is_file()
    {
        return File::open(path).map_err(|e| Error::io(path.display().to_string(), e));
    }
    let mut input = Input::open(source)?;
    let failed = |e| Error::io("a temporary file", e);
    let mut file = tempfile::tempfile().map_err(failed)?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        match input.read(&mut buffer)? {
            0 => break,
            n => file.write_all(&buffer[..n]).map_err(failed)?,
        }
    }
    file.rewind().map_err(failed)?;
    Ok(file)
}

fn unreadable(reading: &Reading, error: impl std::fmt::Display) -> Error {
    Error::Malformed {
        source_name: reading.name.clone(),
        line: None,
        problem: format!("cannot be read as Parquet ({error}); check that it is complete, or write it again"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int8Type;
    use arrow_array::*;
    use likewise::data::Column;
    use parquet::arrow::ArrowWriter;

    use crate::Format::Parquet;
    use crate::testing::{cells, failure, lines, only, parse, requiring, skipping, table};

    fn file(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
        let batch =
            RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true))).unwrap();
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        bytes
    }

    #[test]
    fn every_type_that_fits_in_a_cell() {
        let words = [Some("a"), None];
        let columns: Vec<(&str, ArrayRef, [&str; 2])> = vec![
            ("utf8", Arc::new(StringArray::from_iter(words)), ["a", ""]),
            ("large", Arc::new(LargeStringArray::from_iter(words)), ["a", ""]),
            ("view", Arc::new(StringViewArray::from_iter(words)), ["a", ""]),
            ("dictionary", Arc::new(DictionaryArray::<Int8Type>::from_iter(words)), ["a", ""]),
            ("binary", Arc::new(BinaryArray::from_iter([Some("ü"), None])), ["ü", ""]),
            ("boolean", Arc::new(BooleanArray::from(vec![Some(true), Some(false)])), ["true", "false"]),
            ("i8", Arc::new(Int8Array::from(vec![Some(-3), None])), ["-3", ""]),
            ("i64", Arc::new(Int64Array::from(vec![7, 1 << 53])), ["7", "9007199254740992"]),
            ("id", Arc::new(Int64Array::from(vec![Some((1 << 53) + 1), None])), ["9007199254740993", ""]),
            ("u64", Arc::new(UInt64Array::from(vec![u64::MAX, 5])), ["18446744073709551615", "5"]),
            ("f32", Arc::new(Float32Array::from(vec![Some(0.5), None])), ["0.5", ""]),
            ("f64", Arc::new(Float64Array::from(vec![0.1, -2.0])), ["0.1", "-2"]),
            (
                "decimal",
                Arc::new(Decimal128Array::from(vec![1250, -1]).with_precision_and_scale(9, 2).unwrap()),
                ["12.5", "-0.01"],
            ),
            ("date", Arc::new(Date32Array::from(vec![Some(19_753), None])), ["2024-01-31", ""]),
            (
                "local",
                Arc::new(TimestampMillisecondArray::from(vec![0, 1_500])),
                ["1970-01-01T00:00:00", "1970-01-01T00:00:01.500"],
            ),
            (
                "universal",
                Arc::new(TimestampMicrosecondArray::from(vec![Some(1), None]).with_timezone("+02:00")),
                ["1970-01-01T00:00:00.000001Z", ""],
            ),
            ("time", Arc::new(Time32SecondArray::from(vec![3_661, 0])), ["01:01:01", "00:00:00"]),
            ("null", Arc::new(NullArray::new(2)), ["", ""]),
        ];
        let read = table(Parquet, file(columns.iter().map(|(n, a, _)| (*n, a.clone())).collect()));
        for ((name, _, expected), read) in columns.iter().zip(cells(&read)) {
            assert_eq!(read, [*name, expected[0], expected[1]]);
        }
        for (name, is_number) in
            [("i8", true), ("i64", true), ("id", false), ("f32", true), ("decimal", true), ("boolean", false)]
        {
            assert_eq!(matches!(read.column(name).unwrap(), Column::Number(_)), is_number, "{name}");
        }
        assert_eq!(lines(&read), [1, 2]);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced_and_counted_by_row() {
        let odd: ArrayRef = Arc::new(BinaryArray::from_iter_values([&b"x"[..], b"\xff"]));
        let (read, warnings) =
            parse(Parquet, file(vec![("a", odd.clone()), ("b", odd)]), &skipping()).unwrap();
        assert_eq!(cells(&read)[0], ["a", "x", "\u{fffd}"]);
        assert_eq!((warnings.not_utf8.rows, warnings.not_utf8.first.as_deref()), (1, Some("in:2")));
    }

    #[test]
    fn a_column_that_is_no_cell_is_left_out_or_refused() {
        let late: ArrayRef = Arc::new(StringArray::from(vec!["late"]));
        let field = arrow_schema::Field::new("why", arrow_schema::DataType::Utf8, true);
        let tags = StructArray::from(vec![(Arc::new(field), late)]);
        let columns =
            vec![("tags", Arc::new(tags) as ArrayRef), ("text", Arc::new(StringArray::from(vec!["x"])))];
        let bytes = file(columns);
        let (read, warnings) = parse(Parquet, &bytes, &skipping()).unwrap();
        assert_eq!(cells(&read), [["text", "x"]]);
        assert!(
            warnings.messages()[0].contains("cannot be read: `tags` (Struct"),
            "{:?}",
            warnings.messages()
        );
        assert!(parse(Parquet, &bytes, &only(&["text"])).unwrap().1.is_empty());
        let message = parse(Parquet, &bytes, &requiring(&["tags"])).unwrap_err().to_string();
        assert!(message.contains("the column `tags` is of type Struct"), "{message}");
        let message = parse(Parquet, &bytes, &requiring(&["txt"])).unwrap_err().to_string();
        assert_eq!(message, "in has no column `txt` (did you mean `text`?); it has `tags`, `text`");
    }

    #[test]
    fn lists_of_integers_are_vectors_too() {
        fn all<T: ArrowPrimitiveType>(of: fn(i8) -> T::Native) -> Vec<ArrayRef> {
            let rows =
                || [Some([3i8, 4]), None, Some([0, 5])].map(|row| row.map(|row| row.map(|v| Some(of(v)))));
            vec![
                Arc::new(ListArray::from_iter_primitive::<T, _, _>(rows())),
                Arc::new(LargeListArray::from_iter_primitive::<T, _, _>(rows())),
                Arc::new(FixedSizeListArray::from_iter_primitive::<T, _, _>(rows(), 2)),
            ]
        }
        let widths = [
            all::<types::Int8Type>(|v| v),
            all::<types::Int16Type>(i16::from),
            all::<types::Int32Type>(i32::from),
            all::<types::Int64Type>(i64::from),
            all::<types::UInt8Type>(|v| v as u8),
            all::<types::UInt16Type>(|v| v as u16),
            all::<types::UInt32Type>(|v| v as u32),
            all::<types::UInt64Type>(|v| v as u64),
        ];
        for array in widths.into_iter().flatten() {
            let kind = array.data_type().clone();
            let read = table(Parquet, file(vec![("v", array)]));
            let Column::Vectors(x) = read.column("v").unwrap() else { panic!("{kind}") };
            assert_eq!(x.values, [3.0, 4.0, 0.0, 0.0, 0.0, 5.0], "{kind}");
        }
    }

    #[test]
    fn lists_of_numbers_are_vectors() {
        use arrow_array::types::{Float16Type, Float32Type, Float64Type};
        use half::f16;
        let rows = |v: [Option<[f64; 2]>; 3]| v.map(|row| row.map(|row| row.map(Some).to_vec()));
        let values = [None, Some([0.5, -2.0]), Some([0.0, 0.25])];
        let doubles = ListArray::from_iter_primitive::<Float64Type, _, _>(rows(values));
        let singles = LargeListArray::from_iter_primitive::<Float32Type, _, _>(
            rows(values).map(|row| row.map(|row| row.into_iter().map(|v| v.map(|v| v as f32)))),
        );
        let halves = FixedSizeListArray::from_iter_primitive::<Float16Type, _, _>(
            rows(values).map(|row| row.map(|row| row.into_iter().map(|v| v.map(f16::from_f64)))),
            2,
        );
        let bytes = file(vec![("d", Arc::new(doubles)), ("s", Arc::new(singles)), ("h", Arc::new(halves))]);
        let read = table(Parquet, &bytes);
        for name in ["d", "s", "h"] {
            let Column::Vectors(x) = read.column(name).unwrap() else { panic!("{name}") };
            assert_eq!((x.rows(), &x.values), (3, &vec![0.0, 0.0, 0.5, -2.0, 0.0, 0.25].into()), "{name}");
        }
        let none = crate::ReadOptions { vectors: Some(Vec::new()), ..Default::default() };
        let (read, warnings) = parse(Parquet, &bytes, &none).unwrap();
        assert_eq!(
            (&cells(&read)[0][..], warnings.is_empty()),
            (&["d", "", "[0.5,-2]", "[0,0.25]"].map(String::from)[..], true)
        );
    }

    #[test]
    fn other_lists_are_written_as_in_json_and_spans_in_seconds() {
        let mut tags = builder::ListBuilder::new(builder::StringBuilder::new());
        tags.append_value([Some("late"), None, Some("a \"b\"")]);
        tags.append_value([None::<&str>; 0]);
        let mut nested = builder::ListBuilder::new(builder::ListBuilder::new(builder::BooleanBuilder::new()));
        nested.append_value([Some([Some(true)])]);
        nested.append_null();
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("tags", Arc::new(tags.finish())),
            ("nested", Arc::new(nested.finish())),
            ("took", Arc::new(DurationMillisecondArray::from(vec![Some(1500), None]))),
        ];
        let read = table(Parquet, file(columns));
        let tags = ["tags", "[\"late\",null,\"a \\\"b\\\"\"]", "[]"];
        assert_eq!(cells(&read), [tags, ["nested", "[[true]]", ""], ["took", "1.5", ""]]);
    }

    #[test]
    fn lists_that_are_no_vectors_are_text_or_refused() {
        let lists = |rows: Vec<Vec<f64>>| {
            let rows = rows.into_iter().map(|row| Some(row.into_iter().map(Some).collect::<Vec<_>>()));
            file(vec![("v", Arc::new(ListArray::from_iter_primitive::<types::Float64Type, _, _>(rows)))])
        };
        let named = crate::ReadOptions { vectors: Some(vec!["v".into()]), ..Default::default() };
        for (rows, problem) in [
            (vec![vec![1.0, 2.0], vec![3.0]], "a vector of 1 number where the first has 2"),
            (vec![vec![1.0], vec![f64::NAN]], "number 1 of the vector is NaN, not a finite number"),
            (vec![vec![1.0], vec![1e308]], "number 1 of the vector is inf, not a finite number"),
        ] {
            let bytes = lists(rows);
            let message = parse(Parquet, &bytes, &named).unwrap_err().to_string();
            assert_eq!(message, format!("in:2: column `v`: {problem}"));
            assert!(matches!(table(Parquet, &bytes).column("v").unwrap(), Column::Text(_)));
        }
        assert_eq!(cells(&table(Parquet, lists(vec![vec![1.0, 2.5], vec![]]))), [["v", "[1,2.5]", "[]"]]);
    }

    #[test]
    fn no_rows_or_no_parquet() {
        assert!(failure(Parquet, "a,b\n1,2\n").contains("cannot be read as Parquet"));
        assert!(failure(Parquet, "").contains("cannot be read as Parquet"));
        let empty = file(vec![("a", Arc::new(StringArray::from(Vec::<&str>::new())))]);
        assert_eq!(failure(Parquet, empty), "in: there are no rows in it; give a file with data");
    }

    #[test]
    fn damage_anywhere_is_an_error_or_harmless() {
        let texts = (0..200).map(|i| format!("text {}", i % 7)).collect::<Vec<_>>();
        let whole = file(vec![
            ("text", Arc::new(StringArray::from(texts))),
            ("n", Arc::new(Int64Array::from_iter_values(0..200))),
        ]);
        let damaged = |at: usize, flip: u8| {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            let _ = parse(Parquet, bytes, &skipping());
        };
        (0..whole.len()).for_each(|at| [0x01, 0x80, 0xff].iter().for_each(|flip| damaged(at, *flip)));
        (0..whole.len()).for_each(|length| drop(parse(Parquet, &whole[..length], &skipping())));
    }

    /// The file with its only column said to stand elsewhere.
    fn moved(whole: &[u8], start: i64, size: i64) -> Vec<u8> {
        use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
        let metadata =
            ParquetMetaDataReader::new().parse_and_finish(&bytes::Bytes::copy_from_slice(whole)).unwrap();
        let groups = metadata.row_groups().iter().map(|group| {
            let column = group.column(0).clone().into_builder().set_data_page_offset(start);
            let column =
                column.set_dictionary_page_offset(None).set_total_compressed_size(size).build().unwrap();
            group.clone().into_builder().set_column_metadata(vec![column]).build().unwrap()
        });
        let groups = groups.collect();
        let metadata = metadata.into_builder().set_row_groups(groups).build();
        let mut bytes = whole.to_vec();
        ParquetMetaDataWriter::new(&mut bytes, &metadata).finish().unwrap();
        bytes
    }

    #[test]
    fn a_page_header_that_the_file_cuts_off_is_an_error() {
        let texts = (0..2000).map(|i| format!("text {i}")).collect::<Vec<_>>();
        let whole = file(vec![("text", Arc::new(StringArray::from(texts)))]);
        let length = moved(&whole, 4, 10).len() as i64;
        for before_the_end in 1..60 {
            let bytes = moved(&whole, length - before_the_end, before_the_end);
            assert!(failure(Parquet, bytes).contains("cannot be read as Parquet"), "{before_the_end}");
        }
        for (start, size) in [(length, 10), (-1, 10), (4, i64::MAX), (4, -1), (i64::MAX, i64::MAX)] {
            let message = failure(Parquet, moved(&whole, start, size));
            assert!(message.contains("lies outside of the file"), "{message}");
        }
    }
}
