//! Rows as text: JSON lines, CSV, TSV.

use std::borrow::Cow;
use std::ops::Range;

use super::{Cells, Field, Output};
use crate::source::Format;

#[derive(Clone, Copy)]
pub(super) enum Encode {
    JsonLines,
    Delimited { delimiter: u8, safe: bool },
}

impl Encode {
    pub fn of(output: &Output) -> Encode {
        let safe = output.safe_csv;
        match output.format {
            Format::Csv => Encode::Delimited { delimiter: b',', safe },
            Format::Tsv => Encode::Delimited { delimiter: b'\t', safe },
            _ => Encode::JsonLines,
        }
    }

    pub fn header(self, fields: &[Field], out: &mut Vec<u8>) {
        if let Encode::Delimited { delimiter, safe } = self {
            let quote = fields.len() == 1 && seems_divided(&fields[0].name);
            let mut writer = csv_writer(delimiter, quote, out);
            writer
                .write_record(fields.iter().map(|f| text(&f.name, safe).into_owned()))
                .expect(MEMORY_TAKES_ALL);
            writer.flush().expect(MEMORY_TAKES_ALL);
        }
    }

    pub fn rows(self, fields: &[Field], columns: &[Cells<'_>], rows: Range<usize>, out: &mut Vec<u8>) {
        match self {
            Encode::JsonLines => json_lines(fields, columns, rows, out),
            Encode::Delimited { delimiter, safe } => delimited(delimiter, safe, columns, rows, out),
        }
    }
}

fn json_lines(fields: &[Field], columns: &[Cells<'_>], rows: Range<usize>, out: &mut Vec<u8>) {
    let keys: Vec<Vec<u8>> = (fields.iter().enumerate())
        .map(|(i, field)| {
            let mut key = if i == 0 { b"{".to_vec() } else { b",".to_vec() };
            json(&field.name, &mut key);
            key.push(b':');
            key
        })
        .collect();
    for row in rows {
        for (key, cells) in keys.iter().zip(columns) {
            out.extend_from_slice(key);
            match cells {
                Cells::Text(cells) => json(cells.get(row), out),
                Cells::Integer(cells) => json(&cells[row], out),
                Cells::Number(cells) => json(&cells[row], out),
                Cells::Boolean(cells) => json(&cells[row], out),
                Cells::Vectors(rows) => vector(rows.row(row), b"null", out),
            }
        }
        out.extend_from_slice(if keys.is_empty() { b"{}\n" } else { b"}\n" });
    }
}

fn vector(values: &[f32], missing: &[u8], out: &mut Vec<u8>) {
    if values.iter().all(|v| *v == 0.0) {
        out.extend_from_slice(missing);
    } else {
        json(values, out);
    }
}

/// Numbers are the shortest that read back as themselves; one that is not finite is null.
fn json<T: serde::Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("strings, numbers and booleans are JSON");
}

/// A spreadsheet runs what begins with these signs; behind a quote sign it is text.
fn text(cell: &str, safe: bool) -> Cow<'_, str> {
    match cell.as_bytes().first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') if safe => format!("'{cell}").into(),
        _ => cell.into(),
    }
}

fn delimited(delimiter: u8, safe: bool, columns: &[Cells<'_>], rows: Range<usize>, out: &mut Vec<u8>) {
    let quote = match columns {
        [Cells::Text(cells)] => rows.clone().any(|row| seems_divided(cells.get(row))),
        _ => false,
    };
    let mut writer = csv_writer(delimiter, quote, out);
    let mut number = Vec::new();
    for row in rows {
        for cells in columns {
            number.clear();
            let written;
            let cell = match cells {
                Cells::Text(cells) => {
                    written = text(cells.get(row), safe);
                    written.as_bytes()
                }
                Cells::Vectors(rows) => {
                    vector(rows.row(row), b"", &mut number);
                    &number
                }
                Cells::Number(cells) if !cells[row].is_finite() => b"",
                Cells::Number(cells) => {
                    json(&cells[row], &mut number);
                    &number
                }
                Cells::Integer(cells) => {
                    json(&cells[row], &mut number);
                    &number
                }
                Cells::Boolean(cells) if cells[row] => b"true",
                Cells::Boolean(_) => b"false",
            };
            writer.write_field(cell).expect(MEMORY_TAKES_ALL);
        }
        writer.write_record(None::<&[u8]>).expect(MEMORY_TAKES_ALL);
    }
    writer.flush().expect(MEMORY_TAKES_ALL);
}

/// Whoever looks for the separator of a file with a single column must not find one within its cells.
fn seems_divided(cell: &str) -> bool {
    cell.contains([',', ';', '\t', '|'])
}

fn csv_writer(delimiter: u8, quote: bool, out: &mut Vec<u8>) -> csv::Writer<&mut Vec<u8>> {
    let style = if quote { csv::QuoteStyle::Always } else { csv::QuoteStyle::Necessary };
    csv::WriterBuilder::new().delimiter(delimiter).quote_style(style).from_writer(out)
}

const MEMORY_TAKES_ALL: &str = "rows of equal width can be written to memory";
