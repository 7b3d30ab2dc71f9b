//! Files as honest people have them, of every format.

use std::io::{Cursor, Read, Write};
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, FixedSizeListArray, Float64Array, RecordBatch, StringArray,
    types,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use likewise::data::{Dense, Texts};
use likewise_io::{CellKind, Cells, Field, Format, Output, Writer};
use rand::RngExt;
use rand_pcg::Pcg64;
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, ZipArchive};

use crate::alter;

const CSV: &str =
    "id,text,size,paid\n1,refund please,1.5,true\n2,\"late, \"\"again\"\"\",,false\n3,\"two\nlines\",-3e2,\n";

pub fn rows(format: Format) -> Vec<Vec<u8>> {
    let texts: Vec<String> = match format {
        Format::Csv => vec![CSV.into(), CSV.replace(',', ";"), CSV.replace('\n', "\r\n")],
        Format::Tsv => vec![CSV.replace(',', "\t")],
        Format::Jsonl => vec![
            "{\"id\":1,\"text\":\"refund\",\"size\":1.5,\"v\":[1,2.5]}\n{\"id\":\"b\",\"text\":null,\"more\":{\"a\":[true]}}\n\n{\"text\":\"\\u00e9\\n\"}\n".into(),
        ],
        Format::Json => vec![
            "[{\"id\":1,\"text\":\"refund\",\"v\":[1,2.5]},\n {\"id\":\"b\",\"more\":{\"a\":[true]}}]".into(),
            "{\"text\":\"a\"} {\"text\":\"b\"}".into(),
        ],
        Format::Text => vec!["refund please\n\nsecond line\r\nüber\n".into()],
        Format::Svmlight => vec!["+1 1:0.5 7:2 # a\n-1 qid:3 2:1e-3\n0\n".into()],
        Format::Arff => vec![
            "% c\n@relation 'r x'\n@attribute size numeric\n@attribute kind {a,'b c'}\n@attribute text string\n@attribute day date \"yyyy-MM-dd\"\n@data\n1,a,'x, y',\"2024-01-01\"\n?,'b c',z,?\n".into(),
            "@relation s\n@attribute a numeric\n@attribute b {x,y}\n@attribute c numeric\n@data\n{0 1,2 5}\n{1 y}\n{}\n".into(),
        ],
        Format::Ris => vec![
            "TY  - JOUR\r\nID  - a1\r\nTI  - Learning\r\nAU  - Li, X.\r\nN2  - We learn\r\nfrom examples.\r\nPY  - 2007/01/05/\r\nER  - \r\n\r\nTY  - CHAP\r\nT1  - Another\r\nER  -\r\n".into(),
        ],
        Format::PubMed => vec![
            "\nPMID- 101\nTI  - Learning from\n      positives.\nLID - 10.1/y [doi]\nAB  - We learn.\nDP  - 2007 Jan 5\n\nPMID- 102\nTI  - Second\n".into(),
        ],
        Format::Parquet => return parquet(),
        Format::Arrow => return arrow(),
        Format::Npy => return npy(),
        Format::Xlsx => return vec![workbook()],
    };
    texts.into_iter().map(String::into_bytes).collect()
}

fn parquet() -> Vec<Vec<u8>> {
    let folder = crate::folder();
    let path = folder.path().join("rows.parquet");
    [3, 400]
        .map(|rows| {
            let fields = vec![
                Field::new("text", CellKind::Text),
                Field::new("size", CellKind::Number),
                Field::new("n", CellKind::Integer),
                Field::new("paid", CellKind::Boolean),
                Field::new("v", CellKind::Vectors),
            ];
            let texts: Texts = (0..rows).map(|i| format!("refund {}", i % 7)).collect();
            let numbers: Vec<f64> =
                (0..rows).map(|i| if i % 5 == 0 { f64::NAN } else { i as f64 / 3.0 }).collect();
            let integers: Vec<i64> = (0..rows as i64).collect();
            let flags: Vec<bool> = (0..rows).map(|i| i % 2 == 0).collect();
            let vectors = Dense::new(rows, 2, vec![0.5; 2 * rows]).expect("two numbers a row");
            let mut writer =
                Output::parse(&path).and_then(|output| Writer::create(&output, fields)).expect("a writer");
            let cells = [
                Cells::Text(&texts),
                Cells::Number(&numbers),
                Cells::Integer(&integers),
                Cells::Boolean(&flags),
                Cells::Vectors(&vectors),
            ];
            writer.write(&cells).and_then(|()| writer.finish()).expect("a file");
            std::fs::read(&path).expect("the file")
        })
        .into()
}

fn arrow() -> Vec<Vec<u8>> {
    let texts = StringArray::from(vec![Some("refund"), None, Some("parcel")]);
    let kinds: DictionaryArray<types::Int8Type> = vec!["a", "b", "a"].into_iter().collect();
    let vectors = FixedSizeListArray::from_iter_primitive::<types::Float32Type, _, _>(
        [Some(vec![Some(1.0), Some(2.0)]), None, Some(vec![Some(0.5), Some(0.0)])],
        2,
    );
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("text", Arc::new(texts) as ArrayRef, true),
        ("kind", Arc::new(kinds), true),
        ("paid", Arc::new(BooleanArray::from(vec![true, false, true])), true),
        ("size", Arc::new(Float64Array::from(vec![Some(1.5), None, Some(2.0)])), true),
        ("v", Arc::new(vectors), true),
    ])
    .expect("columns of one length");
    let mut file = FileWriter::try_new(Vec::new(), &batch.schema()).expect("a writer");
    let mut stream = StreamWriter::try_new(Vec::new(), &batch.schema()).expect("a writer");
    for _ in 0..2 {
        file.write(&batch).expect("written");
        stream.write(&batch).expect("written");
    }
    vec![file.into_inner().expect("a file"), stream.into_inner().expect("a stream")]
}

fn npy() -> Vec<Vec<u8>> {
    let file = |header: &str, values: &[u8]| {
        let mut header = header.to_string();
        while !(header.len() + 11).is_multiple_of(64) {
            header.push(' ');
        }
        header.push('\n');
        [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), values].concat()
    };
    let single: Vec<u8> = (0..6).flat_map(|i| (i as f32 / 2.0).to_le_bytes()).collect();
    let double: Vec<u8> = (0..6).flat_map(|i| f64::from(i).to_le_bytes()).collect();
    vec![
        file("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", &single),
        file("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", &double),
        file("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }", &[1, 2, 3, 4]),
    ]
}

fn workbook() -> Vec<u8> {
    let main = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
    let package = "http://schemas.openxmlformats.org/package/2006";
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let text =
        |place: &str, text: &str| format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let rows = format!(
        "<row r=\"1\">{}{}<c r=\"C1\" t=\"s\"><v>0</v></c></row><row r=\"2\">{}<c r=\"B2\"><v>1.5</v></c><c r=\"C2\" s=\"1\"><v>45322</v></c></row><row r=\"4\">{}<c r=\"B4\" t=\"b\"><v>1</v></c><c r=\"C4\" t=\"e\"><v>#DIV/0!</v></c></row>",
        text("A1", "text"),
        text("B1", "size"),
        text("A2", "refund"),
        text("A4", "parcel")
    );
    let files = [
        ("[Content_Types].xml", format!("<Types xmlns=\"{package}/content-types\"/>")),
        (
            "_rels/.rels",
            format!(
                "<Relationships xmlns=\"{package}/relationships\"><Relationship Id=\"r\" Type=\"{kind}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/styles.xml",
            format!(
                "<styleSheet {main}><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>"
            ),
        ),
        (
            "xl/sharedStrings.xml",
            format!("<sst {main} count=\"1\" uniqueCount=\"1\"><si><t>day</t></si></sst>"),
        ),
        ("xl/worksheets/sheet1.xml", format!("<worksheet {main}><sheetData>{rows}</sheetData></worksheet>")),
        (
            "xl/workbook.xml",
            format!(
                "<workbook {main}><sheets><sheet name=\"data\" sheetId=\"1\" r:id=\"s1\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{package}/relationships\"><Relationship Id=\"s1\" Type=\"{kind}/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"st\" Type=\"{kind}/styles\" Target=\"styles.xml\"/><Relationship Id=\"ss\" Type=\"{kind}/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>"
            ),
        ),
    ];
    zipped(files.map(|(name, content)| (name.to_string(), content.into_bytes())))
}

fn zipped(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, content) in files {
        zip.start_file(name, options)
            .and_then(|()| Ok(zip.write_all(&content)?))
            .expect("a name not yet taken");
    }
    zip.finish().expect("a whole archive").into_inner()
}

/// One member altered as text, the archive itself whole.
pub fn alter_zip(rng: &mut Pcg64, file: &[u8]) -> Vec<u8> {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(file)) else { return file.to_vec() };
    let altered = rng.random_range(0..archive.len());
    let mut files = Vec::new();
    for at in 0..archive.len() {
        let Ok(mut member) = archive.by_index(at) else { continue };
        let Ok(name) = member.name().map(|name| name.into_owned()) else { continue };
        let mut content = Vec::new();
        if member.read_to_end(&mut content).is_err() {
            continue;
        }
        let words = [
            "<row r=\"1048577\">",
            "r=\"XFE1\"",
            "t=\"s\"",
            "<v>",
            "</v>",
            "&amp;",
            "&#0;",
            "<!--",
            "r=\"A0\"",
            "t=\"d\"",
        ];
        if at == altered {
            (0..rng.random_range(1..4)).for_each(|_| alter::text(rng, &mut content, &words));
        }
        files.push((name, content));
    }
    zipped(files)
}
