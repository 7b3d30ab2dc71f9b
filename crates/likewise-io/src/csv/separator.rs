//! What stands between the cells of a row: a comma in a `.csv`, unless the rows say otherwise.

use std::fmt;
use std::str::FromStr;

use csv_core::ReadRecordResult;

use crate::error::{Error, Result};

/// One character of ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Separator(u8);

impl FromStr for Separator {
    type Err = Error;

    fn from_str(text: &str) -> Result<Separator> {
        let byte = match (text, text.as_bytes()) {
            ("comma", _) => b',',
            ("semicolon", _) => b';',
            ("tab" | "\\t", _) => b'\t',
            ("pipe", _) => b'|',
            (_, &[byte]) if !matches!(byte, b'"' | b'\n' | b'\r' | 0) && byte.is_ascii() => byte,
            _ => {
                return Err(Error::usage(format!(
                    "`{text}` cannot separate cells; give one character such as , ; | or the word tab"
                )));
            }
        };
        Ok(Separator(byte))
    }
}

impl fmt::Display for Separator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            b'\t' => f.write_str("tab"),
            byte => write!(f, "{}", char::from(byte)),
        }
    }
}

impl Separator {
    pub(super) fn byte(self) -> u8 {
        self.0
    }
}

const COMMON: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Rows that are looked at.
const ROWS: usize = 100;

/// This share of the rows must be as wide as the header: a row or two may be ragged, and are told by their line.
const ALIKE: f64 = 0.75;

/// The separator of a file that starts like this; `whole` where it ends there too. It is the expected one unless
/// that leaves rows unequal or undivided while another cuts all of them, header included, into more equal cells. Where
/// none does, nearly all rows are enough.
pub(super) fn find(start: &[u8], whole: bool, expected: u8) -> u8 {
    let usual = widths(start, whole, expected);
    let Some(&columns) = usual.first() else { return expected };
    let others = COMMON.into_iter().filter(|other| *other != expected);
    let others: Vec<(Vec<usize>, u8)> = others
        .map(|other| (widths(start, whole, other), other))
        .filter(|(widths, _)| !widths.is_empty())
        .collect();
    for share in [1.0, ALIKE] {
        if fits(&usual, share) {
            return expected;
        }
        let better = others.iter().filter(|(widths, _)| fits(widths, share) && widths[0] > columns);
        // The first of equals stands first among the common ones.
        if let Some((_, other)) = better.rev().max_by_key(|(widths, _)| widths[0]) {
            return *other;
        }
    }
    expected
}

/// Whether the header is divided, and such a share of the rows as it is.
fn fits(widths: &[usize], share: f64) -> bool {
    let alike = widths.iter().filter(|width| **width == widths[0]).count();
    widths[0] > 1 && alike as f64 >= share * widths.len() as f64
}

/// The separator that a first line such as `sep=;` names, as Excel writes and reads it, and where the next line starts.
pub(super) fn told(start: &[u8]) -> Option<(Separator, usize)> {
    let end = memchr::memchr(b'\n', start)?;
    let line = std::str::from_utf8(&start[..end]).ok()?.trim_end_matches('\r');
    let line = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(line);
    let (word, separator) = line.split_at_checked(4)?;
    let separator = word.eq_ignore_ascii_case("sep=").then(|| separator.parse().ok())??;
    Some((separator, end + 1))
}

/// The numbers of cells of the first rows.
fn widths(start: &[u8], whole: bool, separator: u8) -> Vec<usize> {
    let mut machine = csv_core::ReaderBuilder::new().delimiter(separator).build();
    let (mut widths, mut rest) = (Vec::new(), start);
    let (mut output, mut ends) = (vec![0; start.len()], vec![0; start.len() + 1]);
    while widths.len() < ROWS {
        let mut cells = 0;
        loop {
            let at_end = rest.is_empty();
            if at_end && !whole {
                return widths;
            }
            let input = if at_end { b"\n" } else { rest };
            let (result, read, _, ended) = machine.read_record(input, &mut output, &mut ends[cells..]);
            cells += ended;
            rest = rest.get(read..).unwrap_or_default();
            match result {
                ReadRecordResult::Record => break,
                _ if at_end => return widths,
                _ => {}
            }
        }
        widths.push(cells);
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> char {
        char::from(find(text.as_bytes(), true, b','))
    }

    #[test]
    fn rows_tell_what_separates_their_cells() {
        assert_eq!(found("id;text\n1;a, b\n2;c\n"), ';');
        assert_eq!(found("id\ttext\n1\ta; b, c\n"), '\t');
        assert_eq!(found("id|a|b\n1|x|y"), '|');
        assert_eq!(found("a;b;c,d\n1;\"x;\ny\";3,5\n2;z;4,5\n"), ';');
        assert_eq!(found("a;b;c\n1;\"x;\ny\";3,5\n2;z;4\n"), ';');
    }

    #[test]
    fn a_ragged_row_does_not_hide_the_separator() {
        assert_eq!(found("id;text\n1;a\n2;b;c\n3;d\n"), ';');
        assert_eq!(found("id,text\n1,a;b\n2,b,c;d\n3,d;e\n"), ',');
        assert_eq!(found("id\ttext\n1\tso, so\n2\n3\td\n"), '\t');
    }

    #[test]
    fn a_first_line_may_name_it() {
        let of =
            |text: &str| told(text.as_bytes()).map(|(separator, rest)| (char::from(separator.byte()), rest));
        assert_eq!(of("sep=;\r\na;b\n"), Some((';', 7)));
        assert_eq!(of("\"sep=|\"\na|b\n"), Some(('|', 8)));
        assert_eq!(of("SEP=\t\na\n"), Some(('\t', 6)));
        assert!(["sep=;;\n", "sep\n", "a,b\n", "sep=;"].iter().all(|text| of(text).is_none()));
    }

    #[test]
    fn what_is_expected_stays_where_it_fits_or_nothing_does() {
        for text in
            ["", "text\n", "a,b\n1;2,3\n", "text\nhello; world\nyes\n", "a,b\n1\n2,3\n", "a;b\n1;2;3\n4\n"]
        {
            assert_eq!(found(text), ',', "{text:?}");
        }
        assert_eq!(find(b"a,b\n1,2\n", true, b'\t'), b',');
        assert_eq!(find(b"a\tb\n1\t2\n", true, b'\t'), b'\t');
    }

    #[test]
    fn half_a_row_at_the_end_of_what_was_looked_at_does_not_count() {
        assert_eq!(find(b"a;b\n1;2\n3", false, b','), b';');
        assert_eq!(find(b"a;b\n1;2\n3", true, b','), b',');
    }

    #[test]
    fn a_separator_goes_by_its_sign_or_its_name() {
        for (text, byte) in [(";", b';'), ("tab", b'\t'), ("\t", b'\t'), ("pipe", b'|'), (":", b':')] {
            assert_eq!(text.parse::<Separator>().unwrap().byte(), byte);
        }
        for text in ["", "\"", "ab", "é", "\n"] {
            assert!(text.parse::<Separator>().is_err(), "{text:?}");
        }
    }
}
