//! Excel's `.xlsx`: a sheet with a header line, the first that holds something and is not hidden.
//!
//! A column of nothing but numbers becomes a number column; dates are written as ISO 8601. Cells are kept as they come:
//! one that stands by itself in the last corner of a sheet makes no table of billions.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use calamine::{Data, DataRef, ExcelDateTime, Reader, Sheet, SheetVisible, Xlsx as Workbook, XlsxError};
use likewise::data::{Column, Table, Texts};

use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::input::{Input, LONGEST_ROW};
use crate::read::{Reading, RowReader};
use crate::source::list;

pub(crate) struct Xlsx {
    /// The rows that hold something below the header, each with its number and its cells by column.
    rows: Vec<(u32, Row)>,
    /// The columns to read: their place in the sheet and their name.
    columns: Vec<(u32, String)>,
    given: usize,
}

type Row = BTreeMap<u32, Data>;

/// What a sheet of Excel can have.
const MOST_ROWS: u32 = 1 << 20;
const MOST_COLUMNS: u32 = 1 << 14;
/// What a cell of a table takes at least.
const CELL: usize = 12;

impl Xlsx {
    pub fn open(input: Input, reading: &mut Reading) -> Result<Self> {
        let bytes = whole(input, reading)?;
        let failed = |e: String| Error::Malformed {
            source_name: reading.name.clone(),
            line: None,
            problem: format!(
                "cannot be read as .xlsx ({e}); open it in a spreadsheet and save it as .xlsx or .csv"
            ),
        };
        let mut book: Workbook<_> = guarded(|| Workbook::new(Cursor::new(bytes))).map_err(failed)?;
        let sheets = book.sheets_metadata().to_vec();
        let is_candidate = |sheet: &Sheet| match &reading.options.sheet {
            Some(wanted) => *wanted == sheet.name,
            None => sheet.visible == SheetVisible::Visible,
        };
        let mut chosen = None;
        for Sheet { name, .. } in sheets.iter().filter(|sheet| is_candidate(sheet)) {
            let sheet = guarded(|| rows_of(&mut book, name)).map_err(failed)?;
            if !sheet.is_empty() {
                chosen = Some((name, sheet));
                break;
            }
        }
        let others = |read: &str| -> String {
            let others = sheets.iter().filter(|sheet| sheet.name != read);
            list(others.map(|sheet| match sheet.visible {
                SheetVisible::Visible => format!("`{}`", sheet.name),
                _ => format!("`{}` (hidden)", sheet.name),
            }))
        };
        let Some((name, sheet)) = chosen else {
            let problem = match &reading.options.sheet {
                Some(wanted) if sheets.iter().any(|sheet| sheet.name == *wanted) => {
                    format!("the sheet `{wanted}` is empty; the others are {}", others(wanted))
                }
                Some(wanted) => format!("there is no sheet `{wanted}`; there are {}", others(wanted)),
                None if sheets.iter().any(|sheet| sheet.visible != SheetVisible::Visible) => {
                    format!("no sheet holds anything but hidden ones, which have to be named: {}", others(""))
                }
                None => return Ok(Xlsx { rows: Vec::new(), columns: Vec::new(), given: 0 }),
            };
            return Err(Error::Malformed { source_name: reading.name.clone(), line: None, problem });
        };
        if sheets.len() > 1 && reading.options.sheet.is_none() {
            reading.warnings.note(format!(
                "{}: the sheet `{name}` is read, not {}",
                reading.name,
                others(name)
            ));
            reading.warnings.other_sheets = true;
        }
        let used: BTreeSet<u32> = sheet.values().flat_map(|row| row.keys().copied()).collect();
        let first = used.first().copied().unwrap_or(0);
        let mut rows = sheet.into_iter();
        let (line, header) = rows.next().unwrap_or_default();
        let mut names: Vec<String> = Vec::with_capacity(used.len());
        let mut known = std::collections::HashSet::new();
        for column in &used {
            let name = match header.get(column).map(text).unwrap_or_default().trim() {
                "" => format!("column {}", column - first + 1),
                name => name.to_string(),
            };
            if !known.insert(name.clone()) {
                let problem = format!("the header has two columns `{name}`; rename one of them");
                return Err(reading.malformed(u64::from(line) + 1, problem));
            }
            names.push(name);
        }
        reading.check_required(&names)?;
        let columns = used.into_iter().zip(names).filter(|(_, name)| reading.wants(name)).collect();
        Ok(Xlsx { rows: rows.collect(), columns, given: 0 })
    }
}

/// The rows of a sheet that hold something.
fn rows_of(book: &mut Workbook<Cursor<Vec<u8>>>, name: &str) -> Result<BTreeMap<u32, Row>, String> {
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    let mut cells = match book.worksheet_cells_reader(name) {
        // A chart on a sheet of its own.
        Err(XlsxError::NotAWorksheet(_)) => return Ok(rows),
        cells => cells.map_err(|e| e.to_string())?,
    };
    while let Some(cell) = cells.next_cell().map_err(|e| e.to_string())? {
        let (row, column) = cell.get_position();
        if row >= MOST_ROWS || column >= MOST_COLUMNS {
            let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
            return Err(format!("a cell in row {row} and column {column}, which no sheet has"));
        }
        if *cell.get_value() != DataRef::Empty {
            rows.entry(row).or_default().insert(column, cell.get_value().clone().into());
        }
    }
    Ok(rows)
}

fn whole(mut input: Input, reading: &Reading) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match input.read(&mut buffer)? {
            0 => return Ok(bytes),
            n => bytes.extend_from_slice(&buffer[..n]),
        }
        if bytes.len() > LONGEST_ROW {
            let problem = format!("more than {} MiB; save it as .csv", LONGEST_ROW >> 20);
            return Err(Error::Malformed { source_name: reading.name.clone(), line: None, problem });
        }
    }
}

impl RowReader for Xlsx {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut table = reading.table();
        let mut taken = Vec::new();
        while !reading.batch_is_full(taken.len(), CELL * self.columns.len() * taken.len()) {
            // A line without anything in it is no row, as in CSV.
            let Some((line, _)) = self.rows.get(self.given) else { break };
            table.origins.push((0, u64::from(*line) + 1));
            taken.push(self.given);
            self.given += 1;
        }
        if taken.is_empty() {
            return Ok(None);
        }
        for (i, name) in &self.columns {
            let cell = |row: &usize| self.rows[*row].1.get(i).unwrap_or(&Data::Empty);
            let is_number = |row: &usize| matches!(cell(row), Data::Empty | Data::Int(_) | Data::Float(_));
            if taken.iter().all(is_number) {
                let numbers = taken.iter().map(|row| number(cell(row)));
                table.push_column(name, Column::Number(numbers.collect()));
            } else {
                let texts: Texts = taken.iter().map(|row| text(cell(row))).collect();
                reading.push_lists(&mut table, name, texts)?;
            }
        }
        Ok(Some(table))
    }
}

fn number(cell: &Data) -> f64 {
    match cell {
        Data::Int(value) => *value as f64,
        Data::Float(value) => *value,
        _ => f64::NAN,
    }
}

fn text(cell: &Data) -> String {
    match cell {
        Data::Empty | Data::Error(_) => String::new(),
        Data::Int(value) => value.to_string(),
        Data::Float(value) => value.to_string(),
        Data::Bool(true) => "true".into(),
        Data::Bool(false) => "false".into(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::DateTime(moment) => date(moment),
    }
}

/// A day, or a moment where it is not midnight; a time of day or a span stays a number of days.
fn date(moment: &ExcelDateTime) -> String {
    if moment.is_duration() || moment.as_f64() < 1.0 {
        return moment.as_f64().to_string();
    }
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second, milli) {
        (0, 0, 0, 0) => date,
        (_, _, _, 0) => format!("{date}T{hour:02}:{minute:02}:{second:02}"),
        _ => format!("{date}T{hour:02}:{minute:02}:{second:02}.{milli:03}"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use likewise::data::Column;
    use zip::CompressionMethod;
    use zip::write::{SimpleFileOptions, ZipWriter};

    use crate::Format::Xlsx;
    use crate::testing::{cells, failure, lines, only, parse, requiring, table};

    /// A workbook of sheets, each the XML of its rows. Style 1 is a date.
    fn book(sheets: &[(&str, &str)]) -> Vec<u8> {
        let main = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
        let relations = "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"";
        let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let (mut names, mut links) = (String::new(), String::new());
        let mut files = vec![
            (
                "[Content_Types].xml".to_string(),
                "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>".to_string(),
            ),
            (
                "_rels/.rels".into(),
                format!(
                    "<Relationships {relations}><Relationship Id=\"r\" Type=\"{kind}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
                ),
            ),
            (
                "xl/styles.xml".into(),
                format!(
                    "<styleSheet {main}><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>"
                ),
            ),
        ];
        for (i, (name, rows)) in sheets.iter().enumerate() {
            let state = if name.starts_with("hidden") { " state=\"hidden\"" } else { "" };
            names += &format!("<sheet name=\"{name}\" sheetId=\"{0}\"{state} r:id=\"s{0}\"/>", i + 1);
            links += &format!(
                "<Relationship Id=\"s{0}\" Type=\"{kind}/worksheet\" Target=\"worksheets/sheet{0}.xml\"/>",
                i + 1
            );
            files.push((
                format!("xl/worksheets/sheet{}.xml", i + 1),
                format!("<worksheet {main}><sheetData>{rows}</sheetData></worksheet>"),
            ));
        }
        links += &format!("<Relationship Id=\"st\" Type=\"{kind}/styles\" Target=\"styles.xml\"/>");
        files.push((
            "xl/workbook.xml".into(),
            format!("<workbook {main}><sheets>{names}</sheets></workbook>"),
        ));
        files.push((
            "xl/_rels/workbook.xml.rels".into(),
            format!("<Relationships {relations}>{links}</Relationships>"),
        ));
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        for (name, content) in files {
            zip.start_file(name, options).unwrap();
            zip.write_all(content.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn text(place: &str, text: &str) -> String {
        format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
    }

    fn sheet() -> String {
        let number = |place: &str, value: &str| format!("<c r=\"{place}\"><v>{value}</v></c>");
        let head = [text("A1", "text"), text("B1", "size"), text("C1", "paid"), text("D1", "day")].concat();
        let first = [text("A2", "refund"), number("B2", "1.5")].concat()
            + "<c r=\"C2\" t=\"b\"><v>1</v></c><c r=\"D2\" s=\"1\"><v>45322</v></c>";
        let last =
            text("A4", "parcel") + "<c r=\"C4\" t=\"b\"><v>0</v></c><c r=\"D4\" s=\"1\"><v>45322.5</v></c>";
        format!("<row r=\"1\">{head}</row><row r=\"2\">{first}</row><row r=\"4\">{last}</row>")
    }

    #[test]
    fn the_first_sheet_with_something_in_it_is_a_table() {
        let read = table(Xlsx, book(&[("empty", ""), ("data", &sheet())]));
        let days = ["day", "2024-01-31", "2024-01-31T12:00:00"];
        assert_eq!(
            cells(&read),
            [["text", "refund", "parcel"], ["size", "1.5", ""], ["paid", "true", "false"], days]
        );
        assert!(matches!(read.column("size").unwrap(), Column::Number(_)));
        assert_eq!(lines(&read), [2, 4]);
    }

    #[test]
    fn several_sheets_are_said_and_columns_chosen() {
        let bytes = book(&[("data", &sheet()), ("more", &sheet())]);
        let (read, warnings) = parse(Xlsx, &bytes, &only(&["size"])).unwrap();
        assert_eq!(
            (cells(&read).len(), warnings.notes()),
            (1, &["in: the sheet `data` is read, not `more`".to_string()][..])
        );
        let message = parse(Xlsx, &bytes, &requiring(&["txt"])).unwrap_err().to_string();
        assert!(
            message.ends_with("(did you mean `text`?); it has `text`, `size`, `paid`, `day`"),
            "{message}"
        );
        let small = crate::ReadOptions { batch_rows: 1, ..Default::default() };
        assert_eq!(cells(&parse(Xlsx, &bytes, &small).unwrap().0), cells(&table(Xlsx, &bytes)));
    }

    #[test]
    fn hidden_sheets_are_skipped_and_any_can_be_named() {
        let more = "<row r=\"1\">".to_string()
            + &text("A1", "other")
            + "</row><row r=\"2\">"
            + &text("A2", "x")
            + "</row>";
        let bytes = book(&[("hidden lists", &more), ("none", ""), ("data", &sheet())]);
        let (read, warnings) = parse(Xlsx, &bytes, &Default::default()).unwrap();
        assert_eq!((cells(&read).len(), warnings.other_sheets), (4, true));
        assert_eq!(warnings.notes(), ["in: the sheet `data` is read, not `hidden lists` (hidden), `none`"]);
        let named = |name: &str| crate::ReadOptions { sheet: Some(name.into()), ..Default::default() };
        let (read, warnings) = parse(Xlsx, &bytes, &named("hidden lists")).unwrap();
        assert_eq!((cells(&read), warnings.is_empty()), (vec![vec!["other".to_string(), "x".into()]], true));
        let message = |name: &str| parse(Xlsx, &bytes, &named(name)).unwrap_err().to_string();
        assert_eq!(
            message("dat"),
            "in: there is no sheet `dat`; there are `hidden lists` (hidden), `none`, `data`"
        );
        assert!(message("none").starts_with("in: the sheet `none` is empty"));
        assert!(
            failure(Xlsx, book(&[("hidden", &more)]))
                .contains("hidden ones, which have to be named: `hidden`")
        );
    }

    #[test]
    fn a_cell_far_from_the_others_makes_no_table_of_billions() {
        let with = |place: &str| {
            let stray = format!("<row r=\"9\"><c r=\"{place}\"><v>5</v></c></row>");
            book(&[("data", &format!("{}{stray}", sheet()))])
        };
        let read = table(Xlsx, with("XFD1048576"));
        assert_eq!((read.rows(), lines(&read)[2]), (3, 1_048_576));
        assert_eq!(read.column_names()[4..], ["column 16384"]);
        assert!(
            failure(Xlsx, with("A2147483648")).contains("row 2147483648 and column 1, which no sheet has")
        );
    }

    #[test]
    fn what_is_no_workbook_is_told() {
        assert!(failure(Xlsx, "a,b\n1,2\n").contains("cannot be read as .xlsx"));
        let whole = book(&[("data", &sheet())]);
        for at in (0..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x81;
            let _ = parse(Xlsx, damaged, &Default::default());
            let _ = parse(Xlsx, &whole[..at], &Default::default());
        }
        assert_eq!(
            failure(Xlsx, book(&[("none", "")])),
            "in: there are no rows in it; give a file with data"
        );
    }
}
