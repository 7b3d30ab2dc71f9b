//! CSV and TSV: a header line, then as many cells in every row.

mod separator;

pub use separator::Separator;

use std::collections::HashSet;

use csv_core::ReadRecordResult;
use likewise::data::{Table, Texts};

use crate::error::Result;
use crate::input::{Input, LONGEST_ROW};
use crate::read::{Reading, RowReader};

const BUFFER: usize = 1 << 20;
/// How much of the file is looked at to find its separator.
const LOOKED_AT: usize = 1 << 16;

pub(crate) struct Delimited {
    records: Records,
    /// The columns to read: their place in a row and their name.
    columns: Vec<(usize, String)>,
    width: usize,
}

/// The rows of the file, one at a time, in buffers that are used again.
struct Records {
    input: Input,
    machine: csv_core::Reader,
    buffer: Vec<u8>,
    unread: std::ops::Range<usize>,
    ended: bool,
    /// The cells of the current row, one after the other, and where each ends; the buffers reach beyond.
    bytes: Vec<u8>,
    length: usize,
    ends: Vec<usize>,
    cells: usize,
    /// The line on which the current row starts.
    line: u64,
}

impl Delimited {
    /// `usual` is what separates cells unless the user or the file says otherwise.
    pub fn open(input: Input, usual: u8, reading: &mut Reading) -> Result<Self> {
        let mut records = Records::new(input, usual);
        records.look()?;
        let named = separator::told(&records.buffer[records.unread.clone()]);
        if let Some((_, length)) = named {
            records.unread.start += length;
        }
        let (separator, found) = match (reading.options.separator, named) {
            (Some(said), _) => (said.byte(), false),
            (None, Some((named, _))) => (named.byte(), false),
            (None, None) => {
                (separator::find(&records.buffer[records.unread.clone()], records.ended, usual), true)
            }
        };
        if separator != usual {
            records.machine = csv_core::ReaderBuilder::new().delimiter(separator).build();
            if found {
                reading.warnings.note_separator(&reading.name, &char::from(separator).to_string());
            }
        }
        if named.is_some() {
            records.machine.set_line(2);
        }
        let Some(width) = records.next(reading)? else {
            return Ok(Delimited { records, columns: Vec::new(), width: 0 });
        };
        let mut names = Vec::with_capacity(width);
        let mut known = HashSet::new();
        for i in 0..width {
            let name = match reading.text(records.cell_bytes(i), records.line).trim() {
                "" => format!("column {}", i + 1),
                name => name.to_string(),
            };
            if !known.insert(name.clone()) {
                return Err(reading.malformed(
                    records.line,
                    format!("the header has two columns `{name}`; rename one of them"),
                ));
            }
            names.push(name);
        }
        reading.check_required(&names)?;
        let columns = names.into_iter().enumerate().filter(|(_, name)| reading.wants(name)).collect();
        Ok(Delimited { records, columns, width })
    }
}

impl RowReader for Delimited {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut table = reading.table();
        let mut cells = vec![Texts::new(); self.columns.len()];
        let mut bytes = 0;
        while !reading.batch_is_full(table.rows(), bytes) {
            let Some(width) = self.records.next(reading)? else { break };
            bytes += self.records.length;
            if width != self.width {
                reading.bad_row(self.records.line, self.wrong_width(width))?;
                continue;
            }
            self.push_row(&mut cells, reading);
            table.origins.push((0, self.records.line));
        }
        if table.rows() == 0 {
            return Ok(None);
        }
        for ((_, name), cells) in self.columns.iter().zip(cells) {
            reading.push_lists(&mut table, name, cells)?;
        }
        Ok(Some(table))
    }
}

impl Delimited {
    fn push_row(&self, cells: &mut [Texts], reading: &mut Reading) {
        let records = &self.records;
        let row = std::str::from_utf8(records.bytes()).unwrap_or_default();
        let mut replaced = false;
        for ((i, _), cells) in self.columns.iter().zip(cells) {
            match row.get(records.place(*i)) {
                Some(cell) => cells.push(cell),
                None => {
                    let cell = String::from_utf8_lossy(records.cell_bytes(*i));
                    replaced |= matches!(cell, std::borrow::Cow::Owned(_));
                    cells.push(&cell);
                }
            }
        }
        if replaced {
            reading.count_not_utf8(records.line);
        }
    }

    fn wrong_width(&self, width: usize) -> String {
        let cells = if width == 1 { "1 cell".into() } else { format!("{width} cells") };
        let several_lines = memchr::memchr(b'\n', self.records.bytes()).is_some();
        let quote = if several_lines { " (it runs over several lines: is a quote not closed?)" } else { "" };
        format!("{cells} where the header has {}{quote}", self.width)
    }
}

impl Records {
    fn new(input: Input, delimiter: u8) -> Self {
        Records {
            input,
            machine: csv_core::ReaderBuilder::new().delimiter(delimiter).build(),
            buffer: vec![0; BUFFER],
            unread: 0..0,
            ended: false,
            bytes: vec![0; 1 << 12],
            length: 0,
            ends: vec![0; 1 << 6],
            cells: 0,
            line: 0,
        }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn place(&self, cell: usize) -> std::ops::Range<usize> {
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] };
        start..self.ends[cell]
    }

    fn cell_bytes(&self, cell: usize) -> &[u8] {
        &self.bytes[self.place(cell)]
    }

    /// Reads the next row and gives the number of its cells. Blank lines are no rows.
    fn next(&mut self, reading: &Reading) -> Result<Option<usize>> {
        if !self.skip_blank_lines()? {
            return Ok(None);
        }
        self.line = self.machine.line();
        (self.length, self.cells) = (0, 0);
        loop {
            let at_end = self.unread.is_empty() && !self.fill()?;
            // Where a line end does not finish the last row, a quote is open.
            let input = if at_end { b"\n" } else { &self.buffer[self.unread.clone()] };
            let (result, read, written, ended) =
                self.machine.read_record(input, &mut self.bytes[self.length..], &mut self.ends[self.cells..]);
            if !at_end {
                self.unread.start += read;
            }
            self.length += written;
            self.cells += ended;
            match result {
                ReadRecordResult::Record => return Ok(Some(self.cells)),
                ReadRecordResult::OutputFull if self.length < LONGEST_ROW => {
                    self.bytes.resize(self.bytes.len() * 2, 0)
                }
                ReadRecordResult::OutputFull => {
                    return Err(reading.malformed(
                        self.line,
                        format!(
                            "a row of more than {} MiB starts here: is a quote not closed?",
                            LONGEST_ROW >> 20
                        ),
                    ));
                }
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
                ReadRecordResult::InputEmpty | ReadRecordResult::End if at_end => {
                    return Err(reading.malformed(
                        self.line,
                        "the file ends within a quoted cell of the row that starts here; close the quote",
                    ));
                }
                ReadRecordResult::InputEmpty | ReadRecordResult::End => {}
            }
        }
    }

    /// Goes to the start of the next row; `false` at the end of the file.
    fn skip_blank_lines(&mut self) -> Result<bool> {
        loop {
            while let Some(&byte) = self.buffer[self.unread.clone()].first() {
                match byte {
                    b'\n' => self.machine.set_line(self.machine.line() + 1),
                    b'\r' => {}
                    _ => return Ok(true),
                }
                self.unread.start += 1;
            }
            if !self.fill()? {
                return Ok(false);
            }
        }
    }

    /// Reads the beginning without using it up.
    fn look(&mut self) -> Result<()> {
        while !self.ended && self.unread.end < LOOKED_AT {
            let read = self.input.read(&mut self.buffer[self.unread.end..])?;
            self.unread.end += read;
            self.ended = read == 0;
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<bool> {
        if !self.ended {
            self.unread = 0..self.input.read(&mut self.buffer)?;
            self.ended = self.unread.is_empty();
        }
        Ok(!self.ended)
    }
}

#[cfg(test)]
mod tests {
    use likewise::data::Column;

    use crate::Format::{Csv, Tsv};
    use crate::testing::{cells, failure, lines, only, parse, requiring, skipping, table};

    #[test]
    fn quotes_line_ends_and_blank_lines() {
        let read = table(Csv, "id,text\r\n1,\"a \"\"b\"\", c\"\r\n\r\n2,\"two\nlines\"\n3,\n\n4,last");
        let texts = ["text", "a \"b\", c", "two\nlines", "", "last"];
        assert_eq!(cells(&read), [vec!["id", "1", "2", "3", "4"], texts.to_vec()]);
        assert_eq!(lines(&read), [2, 4, 6, 8]);
        assert_eq!(cells(&table(Tsv, "a\tb\n1\t\"x\ty\"\n")), [["a", "1"], ["b", "x\ty"]]);
    }

    #[test]
    fn another_separator_is_found_and_said_or_told() {
        let (read, warnings) = parse(Csv, "id;text\n1;a, b\n", &skipping()).unwrap();
        assert_eq!(cells(&read), [["id", "1"], ["text", "a, b"]]);
        assert_eq!(warnings.notes(), ["in: cells are separated by `;`"]);
        let told = crate::ReadOptions { separator: Some(",".parse().unwrap()), ..skipping() };
        let (read, warnings) = parse(Csv, "id;text\n1;a\n", &told).unwrap();
        assert_eq!(
            (cells(&read), warnings.notes()),
            (vec![vec!["id;text".into(), "1;a".to_string()]], &[][..])
        );
        let (read, warnings) = parse(Tsv, "a,b\n1,2\n", &skipping()).unwrap();
        assert_eq!(
            (cells(&read).len(), warnings.notes()),
            (2, &["in: cells are separated by `,`".to_string()][..])
        );
    }

    #[test]
    fn what_excel_writes_before_the_header_is_no_row() {
        let (read, warnings) = parse(Csv, "sep=;\r\n id ; text\r\n1;a, b\r\n2;x\r\n", &skipping()).unwrap();
        assert_eq!(cells(&read), [["id", "1", "2"], ["text", "a, b", "x"]]);
        assert_eq!((lines(&read), warnings.notes().len()), (vec![3, 4], 0));
    }

    #[test]
    fn other_encodings_are_read() {
        let sixteen: Vec<u8> = "\u{feff}id;text\n1;é\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(cells(&table(Csv, sixteen)), [["id", "1"], ["text", "é"]]);
        let latin = crate::ReadOptions { encoding: Some("latin1".parse().unwrap()), ..skipping() };
        assert_eq!(cells(&parse(Csv, b"text\ncaf\xe9\n", &latin).unwrap().0), [["text", "café"]]);
        assert_eq!(cells(&parse(Csv, "\u{feff}text\ncafé\n", &latin).unwrap().0), [["text", "café"]]);
    }

    #[test]
    fn lists_are_vectors_where_they_are_looked_for_or_named() {
        let text = "id,v\n1,\"[1, 2.5]\"\n2,\n";
        assert!(matches!(table(Csv, text).column("v").unwrap(), Column::Vectors(_)));
        let none = crate::ReadOptions { vectors: Some(Vec::new()), ..Default::default() };
        assert_eq!(cells(&parse(Csv, text, &none).unwrap().0)[1], ["v", "[1, 2.5]", ""]);
        let vectors = crate::ReadOptions { vectors: Some(vec!["v".into()]), ..Default::default() };
        assert_eq!(cells(&parse(Csv, text, &vectors).unwrap().0)[1], ["v", "[1,2.5]", ""]);
        let message = parse(Csv, "v\n\"[1, 2]\"\n[1]\n", &vectors).unwrap_err().to_string();
        assert_eq!(message, "in:3: column `v`: a vector of 1 number where the first has 2");
    }

    #[test]
    fn a_column_without_a_name_gets_its_number_and_two_of_one_name_are_refused() {
        assert_eq!(cells(&table(Csv, ",a\n0,x\n")), [["column 1", "0"], ["a", "x"]]);
        assert_eq!(
            failure(Csv, "a,b,a\n1,2,3\n"),
            "in:1: the header has two columns `a`; rename one of them"
        );
    }

    #[test]
    fn only_wanted_columns_are_kept_and_required_ones_must_exist() {
        assert_eq!(
            cells(&parse(Csv, "a,b,c\n1,2,3\n", &only(&["c", "a", "x"])).unwrap().0),
            [["a", "1"], ["c", "3"]]
        );
        let message = parse(Csv, "id,text\n1,x\n", &requiring(&["txt"])).unwrap_err().to_string();
        assert_eq!(message, "in has no column `txt` (did you mean `text`?); it has `id`, `text`");
    }

    #[test]
    fn a_row_of_another_width_is_told_by_its_line_or_left_out() {
        let text = "a,b\n1,2\n\n3\n4,\"5\n6\",7\n8,9\n";
        let message = failure(Csv, text);
        assert!(message.starts_with("in:4: 1 cell where the header has 2; mend this row"), "{message}");
        assert!(message.ends_with("`skip_bad_rows`"), "{message}");
        let (read, warnings) = parse(Csv, text, &skipping()).unwrap();
        assert_eq!(cells(&read), [["a", "1", "8"], ["b", "2", "9"]]);
        assert_eq!(lines(&read), [2, 7]);
        assert_eq!(
            warnings.messages(),
            ["2 rows left out as bad (the first: in:4: 1 cell where the header has 2)"]
        );
        let several = failure(Csv, "a,b\n4,\"5\n6\",7\n");
        assert!(
            several.contains("3 cells where the header has 2 (it runs over several lines: is a quote"),
            "{several}"
        );
    }

    #[test]
    fn an_open_quote_is_no_row_to_leave_out() {
        for text in ["a,b\n1,2\n3,\"open\n4,5\n", "a,b\n1,2\n3,\"", "a,b\n1,2\n\"3"] {
            let message = parse(Csv, text, &skipping()).unwrap_err().to_string();
            assert!(message.starts_with("in:3: the file ends within a quoted cell"), "{text:?}: {message}");
        }
        assert_eq!(cells(&table(Csv, "a\n\"closed\"")), [["a", "closed"]]);
    }

    #[test]
    fn nothing_but_a_header_is_no_data() {
        for text in ["", "\n\n", "a,b\n", "a,b"] {
            assert_eq!(failure(Csv, text), "in: there are no rows in it; give a file with data");
        }
        let message = parse(Csv, "a,b\n1\n", &skipping()).unwrap_err().to_string();
        assert!(message.contains("all were bad; the first: in:2: 1 cell"), "{message}");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced_and_counted_by_row() {
        // The halves of a character in two cells do not make one.
        let text = b"a,b\n1,x\n\xff,\xfe\n\xc3,\xa9\nz,y\n";
        let (read, warnings) = parse(Csv, text, &skipping()).unwrap();
        let replaced = "\u{fffd}";
        assert_eq!(cells(&read), [["a", "1", replaced, replaced, "z"], ["b", "x", replaced, replaced, "y"]]);
        assert_eq!(warnings.not_utf8.rows, 2);
        assert_eq!(warnings.not_utf8.first.as_deref(), Some("in:3"));
    }

    #[test]
    fn rows_and_cells_larger_than_any_buffer() {
        let long = "word ".repeat(1 << 19);
        let wide = vec!["1"; 1000].join(",");
        let names = (0..1000).map(|i| format!("c{i}")).collect::<Vec<_>>().join(",");
        assert_eq!(cells(&table(Csv, format!("a,b\n{long},x\ny,\"{long}\"\n")))[0], ["a", &long, "y"]);
        assert_eq!(cells(&table(Csv, format!("{names}\n{wide}\n"))).len(), 1000);
    }
}
