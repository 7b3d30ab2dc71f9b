//! The readers agree with the `csv` crate and with the values of serde_json, and no bytes make them panic.

use likewise::data::Table;
use likewise_io::{Format, ReadOptions, Source, Warnings, read_all};
use proptest::prelude::*;
use serde_json::Value;

fn read(text: &str, format: Format) -> Result<(Table, Warnings), String> {
    // Lists of numbers as cells: as vectors they would be of single precision.
    let vectors = Some(Vec::new());
    let options = ReadOptions { skip_bad_rows: true, batch_rows: 3, vectors, ..ReadOptions::default() };
    read_all(&[Source::from_bytes("in", text.as_bytes(), format)], &options).map_err(|e| e.to_string())
}

/// The rows of the `csv` crate, each with the line it starts on.
fn reference(text: &str) -> Vec<(u64, Vec<String>)> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text.as_bytes());
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    loop {
        let before = reader.position().byte() as usize;
        if !reader.read_record(&mut record).unwrap() {
            return rows;
        }
        let blank = text[before..].bytes().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let line = 1 + text[..before + blank].matches('\n').count();
        rows.push((line as u64, record.iter().map(String::from).collect()));
    }
}

fn soup() -> impl Strategy<Value = String> {
    let parts = vec!["\"", "\"\"", ",", ",", "\n", "\r\n", "\r", "x", "y z", "é", "\t"];
    prop::collection::vec(prop::sample::select(parts), 0..40).prop_map(|parts| parts.concat())
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-c\"\\\\é]{0,3}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// JSON with every character that can be escaped escaped.
fn escaped(value: &Value) -> String {
    let mut out = String::new();
    for letter in value.to_string().chars() {
        if letter.is_ascii() {
            out.push(letter);
        } else {
            letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04X}"));
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn csv_rows_and_their_lines(soup in soup()) {
        let text = format!("a,b\n1,2\n{soup}");
        let rows = reference(&text);
        // Within an open quote the appended row would be part of a cell.
        let ends_in_quotes = reference(&format!("{text}\nlast,row")).last().unwrap().1 != ["last", "row"];
        match read(&text, Format::Csv) {
            Err(message) => {
                prop_assert!(ends_in_quotes, "{}", message);
                prop_assert!(message.contains("ends within a quoted cell"), "{}", message);
            }
            Ok((table, warnings)) => {
                prop_assert!(!ends_in_quotes);
                let (good, bad): (Vec<_>, Vec<_>) = rows[1..].iter().partition(|(_, row)| row.len() == 2);
                prop_assert_eq!(warnings.skipped.rows, bad.len() as u64);
                let cell = |name: &str, i| table.column(name).unwrap().cell(i).into_owned();
                let found: Vec<_> =
                    (0..table.rows()).map(|i| (table.origins[i].1, vec![cell("a", i), cell("b", i)])).collect();
                prop_assert_eq!(found.iter().collect::<Vec<_>>(), good);
            }
        }
    }

    #[test]
    fn json_values(rows in prop::collection::vec(prop::collection::hash_map("[a-d]", json(), 0..4), 1..8)) {
        let objects: Vec<Value> = rows.into_iter().map(|row| Value::Object(row.into_iter().collect())).collect();
        for write in [Value::to_string, escaped] {
            let text: String = objects.iter().map(|object| write(object) + "\n").collect();
            let (table, warnings) = read(&text, Format::Jsonl).unwrap();
            prop_assert!(warnings.is_empty());
            for (i, object) in objects.iter().enumerate() {
                for (name, column) in table.columns() {
                    let cell = column.cell(i);
                    match object.get(name) {
                        None | Some(Value::Null) => prop_assert_eq!(cell, ""),
                        Some(Value::String(text)) => prop_assert_eq!(cell, text.as_str()),
                        Some(other) => prop_assert_eq!(cell, write(other)),
                    }
                }
            }
        }
    }

    #[test]
    fn no_bytes_break_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..200), soup in soup()) {
        for format in Format::ALL {
            for bytes in [bytes.clone(), soup.clone().into_bytes()] {
                for skip_bad_rows in [false, true] {
                    let options = ReadOptions { skip_bad_rows, ..ReadOptions::default() };
                    match read_all(&[Source::from_bytes("in", bytes.clone(), format)], &options) {
                        Ok((table, _)) => prop_assert!(table.rows() > 0),
                        Err(error) => prop_assert!(error.to_string().starts_with("in"), "{}", error),
                    }
                }
            }
        }
    }
}
