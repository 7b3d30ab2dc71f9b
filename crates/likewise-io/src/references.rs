//! Literature as reference managers and PubMed hand it out: RIS (`.ris`) and PubMed's own format (`.nbib`).
//!
//! Both are lines of a tag and a value. A record becomes a row; `text` is its title and abstract, and `record` holds
//! its lines as they stand, so that those that were found can be written back.

use likewise::data::{Column, Table, Texts};

use crate::error::Result;
use crate::input::Input;
use crate::lines::Lines;
use crate::read::{Reading, RowReader};

/// The columns, and the tags they come from: the first that a record has, or all where values are listed.
struct Field {
    name: &'static str,
    ris: &'static [&'static str],
    pubmed: &'static [&'static str],
    /// Whether values of one tag stand side by side.
    listed: bool,
}

const fn field(name: &'static str, ris: &'static [&'static str], pubmed: &'static [&'static str]) -> Field {
    Field { name, ris, pubmed, listed: false }
}

const TITLE: &str = "title";
const ABSTRACT: &str = "abstract";
const TEXT: &str = "text";
const RECORD: &str = "record";

const FIELDS: [Field; 10] = [
    field("id", &["ID", "AN"], &["PMID"]),
    field(TITLE, &["TI", "T1", "CT", "BT"], &["TI", "BTI"]),
    field(ABSTRACT, &["AB", "N2"], &["AB"]),
    Field { listed: true, ..field("authors", &["AU", "A1"], &["FAU", "AU"]) },
    field("year", &["PY", "Y1", "DA"], &["DP"]),
    field("journal", &["JO", "JF", "T2", "JA", "J2"], &["JT", "TA"]),
    field("doi", &["DO"], &["LID", "AID"]),
    field("url", &["UR", "L1"], &[]),
    Field { listed: true, ..field("keywords", &["KW"], &["MH", "OT"]) },
    Field { listed: true, ..field("type", &["TY"], &["PT"]) },
];

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Ris,
    /// As some programs write it, with one blank or none before the dash.
    NarrowRis,
    PubMed,
}

pub(crate) struct References {
    lines: Lines,
    style: Style,
    /// The first line of the next record, where it was read to know the end of the last.
    ahead: Option<(String, u64)>,
}

#[derive(Default)]
struct Record {
    line: u64,
    values: Vec<(String, String)>,
    lines: String,
}

impl References {
    pub fn ris(input: Input, reading: &mut Reading) -> Result<Self> {
        References::open(input, Style::Ris, reading)
    }

    pub fn pubmed(input: Input, reading: &mut Reading) -> Result<Self> {
        References::open(input, Style::PubMed, reading)
    }

    fn open(input: Input, style: Style, reading: &mut Reading) -> Result<Self> {
        let names = FIELDS.iter().map(|field| field.name).chain([TEXT, RECORD]);
        reading.check_required(&names.map(String::from).collect::<Vec<_>>())?;
        Ok(References { lines: Lines::new(input), style, ahead: None })
    }

    fn line(&mut self, reading: &mut Reading) -> Result<Option<(String, u64)>> {
        if let Some(ahead) = self.ahead.take() {
            return Ok(Some(ahead));
        }
        let number = self.lines.number() + 1;
        let Some(line) = self.lines.next()? else { return Ok(None) };
        Ok(Some((reading.text(line, number).trim_end().to_string(), number)))
    }

    /// What stands before the first tag of a record, such as the name of who made the file, belongs to none.
    fn next(&mut self, reading: &mut Reading) -> Result<Option<Record>> {
        let mut record = Record::default();
        while let Some((line, number)) = self.line(reading)? {
            if self.style == Style::Ris && record.values.is_empty() {
                let begins = Style::NarrowRis.tag(&line).is_some_and(|(tag, _)| tag == "TY");
                self.style =
                    if begins && self.style.tag(&line).is_none() { Style::NarrowRis } else { self.style };
            }
            let tagged = self.style.tag(&line);
            let started = !record.values.is_empty();
            match tagged {
                Some((tag, _)) if started && self.style.starts(tag) => {
                    self.ahead = Some((line, number));
                    return Ok(Some(record));
                }
                Some((tag, value)) => {
                    if !started {
                        record.line = number;
                    }
                    let ends = self.style != Style::PubMed && tag == "ER";
                    if !ends || started {
                        record.values.push((tag.into(), value.into()));
                        record.add(&line);
                    }
                    if ends && started {
                        return Ok(Some(record));
                    }
                }
                None if line.trim().is_empty() && started && self.style == Style::PubMed => {
                    return Ok(Some(record));
                }
                None if line.trim().is_empty() => {}
                None if started => {
                    if let Some((_, value)) = record.values.last_mut() {
                        value.push(' ');
                        value.push_str(line.trim());
                    }
                    record.add(&line);
                }
                None => {}
            }
        }
        Ok((!record.values.is_empty()).then_some(record))
    }
}

impl Style {
    /// `TI  - A title` in RIS, `TI- A title` where its files begin so, `TI  - A title` or `PMID- 1` in PubMed's format.
    fn tag(self, line: &str) -> Option<(&str, &str)> {
        let (width, between) = match self {
            Style::Ris => (2, "  "),
            Style::NarrowRis => (2, ""),
            Style::PubMed => (4, ""),
        };
        let (tag, rest) = line.split_at_checked(width)?;
        let value = rest.strip_prefix(between)?;
        let value = if self == Style::NarrowRis { value.trim_start_matches(' ') } else { value };
        let value = value.strip_prefix('-')?;
        // A line of text may go on with `IL-2`.
        if self == Style::NarrowRis && !(value.is_empty() || value.starts_with(' ')) {
            return None;
        }
        let tag = tag.trim_end();
        let plain = tag.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        (!tag.is_empty() && plain).then_some((tag, value.trim()))
    }

    fn starts(self, tag: &str) -> bool {
        tag == if self == Style::PubMed { "PMID" } else { "TY" }
    }
}

impl Record {
    fn add(&mut self, line: &str) {
        if !self.lines.is_empty() {
            self.lines.push('\n');
        }
        self.lines.push_str(line);
    }

    fn cell(&self, field: &Field, style: Style) -> String {
        let tags = if style == Style::PubMed { field.pubmed } else { field.ris };
        for tag in tags {
            let values = self.values.iter().filter(|(t, value)| t == tag && !value.is_empty());
            let mut values = values.map(|(_, value)| value.as_str());
            if field.listed {
                let all: Vec<&str> = values.collect();
                if !all.is_empty() {
                    return all.join("; ");
                }
                continue;
            }
            let value = match field.name {
                // PubMed names other identifiers under the same tag.
                "doi" if style == Style::PubMed => {
                    values.find_map(|value| value.strip_suffix("[doi]")).map(str::trim)
                }
                _ => values.next(),
            };
            match (field.name, value) {
                ("year", Some(value)) => return year(value),
                (_, Some(value)) => return value.into(),
                (_, None) => {}
            }
        }
        String::new()
    }
}

/// The first four digits in a row of a date such as `2024/05/01/` or `2024 May`; otherwise the date as it is.
fn year(date: &str) -> String {
    let digits = date.as_bytes().windows(4).position(|four| four.iter().all(u8::is_ascii_digit));
    digits.map_or(date, |at| &date[at..at + 4]).into()
}

impl RowReader for References {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut table = reading.table();
        let mut cells = vec![Texts::new(); FIELDS.len()];
        let (mut texts, mut records) = (Texts::new(), Texts::new());
        let mut bytes = 0;
        while !reading.batch_is_full(table.rows(), bytes) {
            let Some(record) = self.next(reading)? else { break };
            bytes += record.lines.len();
            texts.push("");
            for (field, cells) in FIELDS.iter().zip(&mut cells) {
                let cell = record.cell(field, self.style);
                if field.name == TITLE || field.name == ABSTRACT {
                    let gap =
                        if texts.get(texts.len() - 1).is_empty() || cell.is_empty() { "" } else { "\n" };
                    texts.extend_last(gap);
                    texts.extend_last(&cell);
                }
                cells.push(&cell);
            }
            records.push(&record.lines);
            table.origins.push((0, record.line));
        }
        if table.rows() == 0 {
            return Ok(None);
        }
        let columns = FIELDS.iter().map(|field| field.name).zip(cells);
        for (name, cells) in columns.chain([(TEXT, texts), (RECORD, records)]) {
            if reading.wants(name) {
                table.push_column(name, Column::Text(cells));
            }
        }
        Ok(Some(table))
    }
}

#[cfg(test)]
mod tests {
    use likewise::data::Table;

    use crate::Format::{PubMed, Ris};
    use crate::testing::{cells, failure, lines, only, parse, requiring, table};

    const TWO: &str = "\u{feff}Provider: somebody\r\n\r\nTY  - JOUR\r\nID  - a1\r\nTI  - Learning from positives\r\nAU  - Li, X.\r\nAU  - Liu, B.\r\nN2  - We learn\r\nfrom examples.\r\nPY  - 2007/01/05/\r\nDO  - 10.1/x\r\nKW  - PU\r\nKW  - text\r\nER  - \r\n\r\nTY  - CHAP\r\nT1  - Another\r\nJF  - A journal\r\nER  -\r\n";

    #[test]
    fn fewer_blanks_before_the_dash_are_read_where_the_file_begins_so() {
        let text =
            "\nTY- JOUR\nTI- On interleukins\nAB- About\nIL-2 and others\nER-\n\nTY - JOUR\nTI - B\nER -\n";
        let read = table(Ris, text);
        let titles = ["On interleukins\nAbout IL-2 and others", "B"];
        assert_eq!(cells(&only_text(&read)), [["text", titles[0], titles[1]]]);
    }

    fn only_text(read: &Table) -> Table {
        read.clone().only_columns(|name| name == "text")
    }

    #[test]
    fn a_record_of_ris_is_a_row() {
        let read = table(Ris, TWO);
        let get =
            |name: &str| (0..2).map(|i| read.column(name).unwrap().cell(i).into_owned()).collect::<Vec<_>>();
        assert_eq!(get("id"), ["a1", ""]);
        assert_eq!(get("title"), ["Learning from positives", "Another"]);
        assert_eq!(get("abstract"), ["We learn from examples.", ""]);
        assert_eq!(get("text"), ["Learning from positives\nWe learn from examples.", "Another"]);
        assert_eq!(get("authors"), ["Li, X.; Liu, B.", ""]);
        assert_eq!(
            (get("year"), get("doi")),
            (vec!["2007".into(), "".into()], vec!["10.1/x".into(), "".into()])
        );
        assert_eq!((get("keywords")[0].as_str(), get("journal")[1].as_str()), ("PU; text", "A journal"));
        assert_eq!(get("type"), ["JOUR", "CHAP"]);
        assert_eq!(lines(&read), [3, 16]);
    }

    #[test]
    fn what_was_read_can_be_written_back() {
        let read = table(Ris, TWO);
        let records: Vec<_> =
            (0..2).map(|i| read.column("record").unwrap().cell(i).into_owned() + "\n\n").collect();
        let again = table(Ris, records.concat());
        assert_eq!(cells(&again), cells(&read));
    }

    #[test]
    fn a_record_of_pubmed_is_a_row() {
        let text = "\nPMID- 101\nOWN - NLM\nTI  - Learning from\n      positives.\nLID - S1 [pii]\nLID - 10.1/y [doi]\nAB  - We learn.\nFAU - Li, Xiaoli\nAU  - Li X\nDP  - 2007 Jan 5\nMH  - Humans\nMH  - *Learning\nPT  - Journal Article\n\nPMID- 102\nTI  - Second\nPMID- 103\nTI  - Third";
        let read = table(PubMed, text);
        assert_eq!(cells(&read)[0], ["id", "101", "102", "103"]);
        assert_eq!(cells(&read)[1], ["title", "Learning from positives.", "Second", "Third"]);
        let column = |name: &str| read.column(name).unwrap().cell(0).into_owned();
        assert_eq!(column("text"), "Learning from positives.\nWe learn.");
        assert_eq!(
            (column("doi"), column("year"), column("authors")),
            ("10.1/y".into(), "2007".into(), "Li, Xiaoli".into())
        );
        assert_eq!(column("keywords"), "Humans; *Learning");
        assert_eq!(lines(&read), [2, 16, 18]);
    }

    #[test]
    fn only_wanted_columns_and_no_records() {
        assert_eq!(cells(&parse(Ris, TWO, &only(&["title"])).unwrap().0).len(), 1);
        assert!(
            parse(Ris, TWO, &requiring(&["label"])).unwrap_err().to_string().contains("it has `id`, `title`")
        );
        for text in ["", "a,b\n1,2\n", "ER  - \n"] {
            assert_eq!(failure(Ris, text), "in: there are no rows in it; give a file with data");
        }
        let small = crate::ReadOptions { batch_rows: 1, ..Default::default() };
        assert_eq!(parse(Ris, TWO, &small).unwrap().0, table(Ris, TWO));
    }
}
