//! The rows are the same in batches of any size, packed or not.

use std::io::Write;

use likewise_io::{Format, ReadOptions, Source, read, read_all};
use proptest::prelude::*;

/// A file of each format, with rows that start with different keys, are bad, or span lines.
fn files() -> Vec<(Format, Vec<u8>)> {
    let csv = "id,text\n1,a\n2,\"b\n\"\"c\"\"\"\n\nbad\n3,\u{e9}\n4,\n".to_string();
    let jsonl = (0..40).map(|i| match i % 5 {
        0 => format!("{{\"id\": {i}, \"text\": \"a\\n{i}\"}}\n"),
        1 => format!("{{\"text\": \"b\", \"id\": {i}, \"k{i}\": [1]}}\n"),
        2 => "{broken\n".into(),
        3 => "{}\n\n".into(),
        _ => format!("{{\"n\": {i}.50}}\r\n"),
    });
    let arff = "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@attribute b numeric\n@data\n";
    vec![
        (Format::Tsv, csv.replace(',', "\t").into_bytes()),
        (Format::Csv, csv.into_bytes()),
        (Format::Jsonl, jsonl.collect::<String>().into_bytes()),
        (Format::Text, b"one\n\ntwo\xff\r\nthree".to_vec()),
        (Format::Svmlight, b"+1 1:2 7:1\n-1\n# aside\n1 7:1 2:1\n1 9:1\n0 3:0.5 # x\n".to_vec()),
        (Format::Arff, format!("{arff}1,x,2\n?,y,?\nbad\n% aside\n3,?,4\n").into_bytes()),
        (Format::Arff, format!("{arff}{{0 1,2 5}}\n{{1 y}}\nbad\n{{}}\n{{2 ?}}\n").into_bytes()),
        (Format::Parquet, parquet()),
    ]
}

fn parquet() -> Vec<u8> {
    use likewise_io::{CellKind, Cells, Field, Output, Writer};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let fields = vec![
        Field::new("id", CellKind::Integer),
        Field::new("text", CellKind::Text),
        Field::new("n", CellKind::Number),
    ];
    let mut writer = Writer::create(&Output::parse(&path).unwrap(), fields).unwrap();
    for start in [0i64, 30] {
        let ids: Vec<i64> = (start..start + 30).map(|i| if i == 50 { i64::MAX } else { i }).collect();
        let texts = ids.iter().map(|i| format!("text {i}")).collect();
        let numbers: Vec<f64> =
            ids.iter().map(|i| if i % 4 == 0 { f64::NAN } else { *i as f64 / 4.0 }).collect();
        writer.write(&[Cells::Integer(&ids), Cells::Text(&texts), Cells::Number(&numbers)]).unwrap();
    }
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

fn all(format: Format, bytes: Vec<u8>, batch_rows: usize, batch_bytes: usize) -> String {
    let options = ReadOptions { skip_bad_rows: true, batch_rows, batch_bytes, ..ReadOptions::default() };
    let source = Source::from_bytes("in", bytes, format);
    for batch in read(&source, &options).unwrap() {
        let rows = batch.unwrap().rows();
        assert!(rows > 0 && rows <= batch_rows.max(1), "a batch of {rows} rows");
    }
    // Missing numbers are NaN, which equal nothing; their text does.
    format!("{:?}", read_all(&[source], &options).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_size_of_batches_does_not_matter(batch_rows in 0usize..70, batch_bytes in 0usize..400) {
        for (format, bytes) in files() {
            let whole = all(format, bytes.clone(), usize::MAX, usize::MAX);
            prop_assert_eq!(all(format, bytes, batch_rows, batch_bytes), whole);
        }
    }
}

#[test]
fn packing_does_not_matter() {
    for (format, bytes) in files() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&bytes).unwrap();
        let gzip = gzip.finish().unwrap();
        let zstd = zstd::encode_all(&bytes[..], 1).unwrap();
        let plain = all(format, bytes, 7, usize::MAX);
        assert_eq!(all(format, gzip, 7, usize::MAX), plain, "{format} gzip");
        assert_eq!(all(format, zstd, 7, usize::MAX), plain, "{format} zstd");
    }
}

#[test]
fn a_file_that_is_cut_off_is_never_taken_for_a_whole_one() {
    let text: String = (0..2000).map(|i| format!("{{\"id\": {i}, \"text\": \"{}\"}}\n", i * 7919)).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
    for whole in [gzip.finish().unwrap(), zstd] {
        for length in (5..whole.len()).step_by(97).chain([whole.len() - 1]) {
            let source = Source::from_bytes("in.gz", &whole[..length], Format::Jsonl);
            let error = read_all(&[source], &ReadOptions::default()).unwrap_err().to_string();
            assert!(error.contains("the file is cut off; copy or download it again"), "{length}: {error}");
        }
    }
}
