//! Whatever goes out through a writer comes in through the reader of that format, cell by cell.

use likewise::data::{Column, Dense, Table, Texts};
use likewise_io::{CellKind, Cells, Field, Format, Output, ReadOptions, Source, Writer, read_all};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Values {
    Text(Vec<String>),
    Integer(Vec<i64>),
    Number(Vec<f64>),
    Boolean(Vec<bool>),
}

impl Values {
    fn kind(&self) -> CellKind {
        match self {
            Values::Text(_) => CellKind::Text,
            Values::Integer(_) => CellKind::Integer,
            Values::Number(_) => CellKind::Number,
            Values::Boolean(_) => CellKind::Boolean,
        }
    }
}

/// Text with all that trips a format: quotes, separators, line ends, escapes, nothing, other scripts.
fn odd_text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::collection::vec(
            prop::sample::select(vec!["\"", "'", ",", "\t", "\n", "\r\n", "\r", "\\", "{", "}", "%", "#", ":", " ", "a",
                "null", "1.0", "\u{0}", "\u{feff}", "é", "e\u{301}", "漢字", "😀", "\u{2028}", "\u{202e}"]),
            0..8,
        )
        .prop_map(|parts| parts.concat()),
        1 => any::<String>(),
    ]
}

/// Blanks around a name are lost in CSV: there they stand by mistake.
fn name() -> impl Strategy<Value = String> {
    odd_text()
        .prop_map(|name| name.trim().to_string())
        .prop_filter("a name", |name| !name.is_empty() && !name.starts_with('\u{feff}'))
}

fn values(rows: usize) -> impl Strategy<Value = Values> {
    let integers = prop_oneof![any::<i64>(), -9i64..10];
    let numbers = prop_oneof![any::<f64>(), -2f64..2.0, Just(-0.0), Just(f64::MIN_POSITIVE / 3.0)];
    prop_oneof![
        prop::collection::vec(odd_text(), rows).prop_map(Values::Text),
        prop::collection::vec(integers, rows).prop_map(Values::Integer),
        prop::collection::vec(numbers, rows).prop_map(Values::Number),
        prop::collection::vec(any::<bool>(), rows).prop_map(Values::Boolean),
    ]
}

fn columns() -> impl Strategy<Value = Vec<(String, Values)>> {
    (prop::collection::hash_set(name(), 1..5), 1usize..12).prop_flat_map(|(names, rows)| {
        let values = prop::collection::vec(values(rows), names.len());
        values.prop_map(move |values| names.iter().cloned().zip(values).collect())
    })
}

/// Writes the rows in two batches, split in the middle.
fn write(output: &Output, columns: &[(String, Values)]) {
    let fields = columns.iter().map(|(name, values)| Field::new(name, values.kind())).collect();
    let mut writer = Writer::create(output, fields).unwrap();
    let rows = match &columns[0].1 {
        Values::Text(values) => values.len(),
        Values::Integer(values) => values.len(),
        Values::Number(values) => values.len(),
        Values::Boolean(values) => values.len(),
    };
    for part in [0..rows / 2, rows / 2..rows] {
        let texts: Vec<Texts> = (columns.iter())
            .map(|(_, values)| match values {
                Values::Text(values) => values[part.clone()].iter().collect(),
                _ => Texts::new(),
            })
            .collect();
        let cells: Vec<_> = (columns.iter().zip(&texts))
            .map(|((_, values), texts)| match values {
                Values::Text(_) => Cells::Text(texts),
                Values::Integer(values) => Cells::Integer(&values[part.clone()]),
                Values::Number(values) => Cells::Number(&values[part.clone()]),
                Values::Boolean(values) => Cells::Boolean(&values[part.clone()]),
            })
            .collect();
        writer.write(&cells).unwrap();
    }
    writer.finish().unwrap();
}

fn check(read: &Table, columns: &[(String, Values)]) -> Result<(), TestCaseError> {
    let names: Vec<_> = columns.iter().map(|(name, _)| name).collect();
    prop_assert_eq!(read.column_names().iter().collect::<Vec<_>>(), names);
    for (name, values) in columns {
        let column = read.column(name).unwrap();
        let cells: Vec<String> = (0..read.rows()).map(|i| column.cell(i).into_owned()).collect();
        match values {
            Values::Text(values) => prop_assert_eq!(&cells, values),
            Values::Integer(values) => {
                prop_assert_eq!(cells, values.iter().map(i64::to_string).collect::<Vec<_>>())
            }
            Values::Boolean(values) => {
                prop_assert_eq!(cells, values.iter().map(bool::to_string).collect::<Vec<_>>())
            }
            Values::Number(values) => {
                for (cell, value) in cells.iter().zip(values) {
                    if value.is_finite() {
                        prop_assert_eq!(cell.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{}", cell);
                    } else {
                        prop_assert_eq!(cell, "");
                    }
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_cell_survives_every_format(columns in columns()) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.csv", "a.tsv", "a.jsonl", "a.parquet", "a.csv.gz", "a.tsv.zst", "a.ndjson.gz", "a.jsonl.zst"] {
            let path = folder.path().join(name);
            write(&Output::parse(&path).unwrap(), &columns);
            let sources = [Source::parse(&path, None).unwrap()];
            let (read, warnings) = read_all(&sources, &ReadOptions::default()).unwrap();
            prop_assert!(warnings.is_empty());
            check(&read, &columns)?;
        }
    }

    #[test]
    fn svmlight_rows_survive(
        rows in prop::collection::vec(
            ("[-+]?[0-9a-z]{1,4}", prop::collection::btree_map(1u32..60, any::<f32>().prop_filter("finite", |v| v.is_finite() && *v != 0.0), 0..8)),
            1..12,
        ),
        comment in "[^\n\r]{0,12}",
    ) {
        let mut text = format!("# {comment}\n");
        for (label, row) in &rows {
            text += label;
            row.iter().for_each(|(index, value)| text += &format!(" {index}:{value}"));
            text += &format!(" # {comment}\n");
        }
        let source = Source::from_bytes("in", text.into_bytes(), Format::Svmlight);
        let (read, _) = read_all(&[source], &ReadOptions::default()).unwrap();
        prop_assert_eq!(read.rows(), rows.len());
        let x = &read.sparse.as_ref().unwrap().x;
        for (i, (label, row)) in rows.iter().enumerate() {
            prop_assert_eq!(read.column("label").unwrap().cell(i), label.as_str());
            let found: Vec<_> = x.row(i).iter().map(|(j, v)| (j as u32 + 1, v)).collect();
            prop_assert_eq!(found, row.clone().into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn arff_rows_survive(
        names in prop::collection::hash_set(odd_text(), 3),
        nominal in prop::collection::vec(odd_text(), 1..4),
        rows in prop::collection::vec((prop::option::of(-1e6f32..1e6), any::<prop::sample::Index>(), odd_text()), 1..10),
    ) {
        let names: Vec<_> = names.into_iter().collect();
        let mut values = nominal.clone();
        values.dedup();
        let declared = values.iter().map(|v| arff_quoted(v)).collect::<Vec<_>>().join(", ");
        let header = format!(
            "@relation r\n@attribute {} numeric\n@attribute {} {{{declared}}}\n@attribute {} string\n@data\n",
            arff_quoted(&names[0]), arff_quoted(&names[1]), arff_quoted(&names[2]),
        );
        let (mut dense, mut sparse) = (header.clone(), header);
        for (number, class, note) in &rows {
            let shown = number.map_or("?".into(), |n| n.to_string());
            let (class, note) = (arff_quoted(class.get::<String>(&values)), arff_quoted(note));
            dense += &format!("{shown},{class} , {note}\n");
            sparse += &format!("{{0 {}, 1 {class},2 {note} }}\n", number.unwrap_or(0.0));
        }
        for (text, is_sparse) in [(dense, false), (sparse, true)] {
            let source = Source::from_bytes("in", text.into_bytes(), Format::Arff);
            let (read, _) = read_all(&[source], &ReadOptions::default()).unwrap();
            for (i, (number, class, note)) in rows.iter().enumerate() {
                prop_assert_eq!(read.column(&names[1]).unwrap().cell(i), class.get(&values).as_str());
                prop_assert_eq!(read.column(&names[2]).unwrap().cell(i), note.as_str());
                if is_sparse {
                    let x = &read.sparse.as_ref().unwrap().x;
                    prop_assert_eq!(x.row(i).sum() as f32, number.unwrap_or(0.0));
                } else {
                    let Column::Number(cells) = read.column(&names[0]).unwrap() else { panic!("text") };
                    match number {
                        None => prop_assert!(cells[i].is_nan()),
                        Some(number) => prop_assert_eq!(cells[i] as f32, *number),
                    }
                }
            }
        }
    }
}

fn arff_quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r");
    format!("'{escaped}'")
}

#[test]
fn vectors_survive_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let rows = Dense::new(3, 2, vec![0.1, -2.5e-7, 0.0, 0.0, 3.0, f32::MAX]).unwrap();
    let ids: Texts = ["a", "b", "c"].into_iter().collect();
    for name in ["v.csv", "v.tsv", "v.jsonl.gz", "v.parquet"] {
        let output = Output::parse(folder.path().join(name)).unwrap();
        let fields = vec![Field::new("id", CellKind::Text), Field::new("v", CellKind::Vectors)];
        let mut writer = Writer::create(&output, fields).unwrap();
        writer.write(&[Cells::Text(&ids), Cells::Vectors(&rows)]).unwrap();
        writer.finish().unwrap();
        let source = Source::parse(folder.path().join(name), None).unwrap();
        let options = ReadOptions { vectors: Some(vec!["v".into()]), ..ReadOptions::default() };
        let (read, _) = read_all(&[source], &options).unwrap();
        assert_eq!(read.column("v").unwrap(), &Column::Vectors(rows.clone()), "{name}");
    }
}
