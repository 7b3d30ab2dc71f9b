//! JSON lines: one object a line, its keys are the columns.
//!
//! serde_json checks the syntax and says where each wanted value stands; the values then go straight from the
//! line into the columns, numbers and nested values as they are written, strings without their escapes.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use likewise::data::{Column, Table, Texts};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::Result;
use crate::input::Input;
use crate::lines::Lines;
use crate::read::{Reading, RowReader};

/// Where keys are data rather than names, each makes all rows wider: there are too many if a row has few of them.
const MANY_KEYS: usize = 4096;
const FEW_OF_THEM: usize = 16;

pub(crate) struct JsonLines {
    lines: Lines,
    objects: Objects,
    rows: u64,
}

/// What is known of the objects from the lines so far.
#[derive(Default)]
struct Objects {
    keys: Vec<Key>,
    by_name: HashMap<String, usize>,
    /// The names of the columns: required ones, then in the order in which the file first has them.
    columns: Vec<String>,
    /// Where the wanted values of the current line stand, by key.
    values: Vec<(usize, Range<usize>)>,
}

struct Key {
    name: String,
    wanted: bool,
    column: Option<usize>,
    /// The last line that has it.
    line: u64,
}

impl JsonLines {
    pub fn new(input: Input, reading: &Reading) -> Self {
        let mut objects = Objects::default();
        for name in &reading.options.required {
            if let Some(key) = objects.key(name, usize::MAX, reading) {
                objects.column(key);
            }
        }
        JsonLines { lines: Lines::new(input), objects, rows: 0 }
    }
}

impl RowReader for JsonLines {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut table = reading.table();
        let mut cells = vec![Texts::new(); self.objects.columns.len()];
        let mut bytes = 0;
        while !reading.batch_is_full(table.rows(), bytes) {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.next()? else {
                if self.rows + table.rows() as u64 > 0 {
                    reading.check_required(&self.objects.seen())?;
                }
                break;
            };
            if line.trim_ascii().is_empty() {
                continue;
            }
            // A cell costs its place even where it is empty.
            bytes += line.len() + self.objects.columns.len() * size_of::<usize>();
            let line = reading.text(line, number);
            if let Err(error) = self.objects.parse(&line, number, reading) {
                reading.bad_row(number, problem(&error, &line))?;
                continue;
            }
            if self.objects.push_values(&line, &mut cells, table.rows()) {
                reading.count_not_utf8(number);
            }
            if self.objects.keys_are_data() {
                let keys = self.objects.columns.len();
                let problem =
                    format!("{keys} different keys up to here, few in a row; name the columns to read");
                return Err(reading.malformed(number, problem));
            }
            table.origins.push((0, number));
        }
        if table.rows() == 0 {
            return Ok(None);
        }
        self.rows += table.rows() as u64;
        for (name, cells) in self.objects.columns.iter().zip(cells) {
            table.push_column(name, Column::Text(cells));
        }
        Ok(Some(table))
    }
}

fn problem(error: &serde_json::Error, line: &str) -> String {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let hint = match line.trim_start().as_bytes().first() {
        Some(b'[') => " (a JSON array? write one object a line, for example with jq -c '.[]')",
        _ => "",
    };
    format!("malformed JSON at character {}: {message}{hint}", error.column())
}

impl Objects {
    fn seen(&self) -> Vec<String> {
        self.keys.iter().filter(|key| key.line > 0).map(|key| key.name.clone()).collect()
    }

    /// The key of that name; `None` is one too many that nobody wants.
    /// Rows mostly have their keys in the same order, so the guess is mostly right.
    fn key(&mut self, name: &str, guess: usize, reading: &Reading) -> Option<usize> {
        if self.keys.get(guess).is_some_and(|key| key.name == name) {
            return Some(guess);
        }
        if let Some(&key) = self.by_name.get(name) {
            return Some(key);
        }
        let wanted = reading.wants(name);
        if !wanted && self.keys.len() >= MANY_KEYS {
            return None;
        }
        self.keys.push(Key { name: name.into(), wanted, column: None, line: 0 });
        self.by_name.insert(name.into(), self.keys.len() - 1);
        Some(self.keys.len() - 1)
    }

    fn column(&mut self, key: usize) -> usize {
        let key = &mut self.keys[key];
        *key.column.get_or_insert_with(|| {
            self.columns.push(key.name.clone());
            self.columns.len() - 1
        })
    }

    fn keys_are_data(&self) -> bool {
        let columns = self.columns.len();
        columns > MANY_KEYS && self.values.len() * FEW_OF_THEM < columns
    }

    /// Checks a line and finds its values.
    fn parse(&mut self, line: &str, number: u64, reading: &Reading) -> serde_json::Result<()> {
        self.values.clear();
        let mut json = serde_json::Deserializer::from_str(line);
        json.deserialize_map(ObjectVisitor { line, number, objects: self, reading })?;
        json.end()
    }

    /// Puts the values of a well-formed line into the columns. Says whether a character had to be replaced.
    fn push_values(&mut self, line: &str, cells: &mut Vec<Texts>, row: usize) -> bool {
        let mut replaced = false;
        for i in 0..self.values.len() {
            let (key, place) = self.values[i].clone();
            let column = self.column(key);
            while cells.len() <= column {
                cells.push((0..row).map(|_| "").collect());
            }
            replaced |= push_value(&mut cells[column], &line[place]);
        }
        for column in cells {
            if column.len() == row {
                column.push("");
            }
        }
        replaced
    }
}

struct ObjectVisitor<'a> {
    line: &'a str,
    number: u64,
    objects: &'a mut Objects,
    reading: &'a Reading,
}

impl<'de> Visitor<'de> for ObjectVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object: {\"column\": value, …}")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let ObjectVisitor { line, number, objects, reading } = self;
        let mut guess = 0;
        while let Some(key) = map.next_key_seed(KeySeed { objects, guess, reading })? {
            let Some(key) = key else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            guess = key + 1;
            if objects.keys[key].line == number {
                return Err(M::Error::custom(format!("the key `{}` stands twice", objects.keys[key].name)));
            }
            objects.keys[key].line = number;
            if objects.keys[key].wanted {
                let value = map.next_value::<&RawValue>()?.get();
                let start = value.as_ptr() as usize - line.as_ptr() as usize;
                objects.values.push((key, start..start + value.len()));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct KeySeed<'a> {
    objects: &'a mut Objects,
    guess: usize,
    reading: &'a Reading,
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Option<usize>, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.objects.key(name, self.guess, self.reading))
    }
}

/// Adds a well-formed JSON value as a cell. Says whether a character had to be replaced.
fn push_value(cells: &mut Texts, json: &str) -> bool {
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(string) => push_string(cells, string),
        None => {
            cells.push(if json == "null" { "" } else { json });
            false
        }
    }
}

/// `string` stands between quotes in JSON that was found well formed.
fn push_string(cells: &mut Texts, string: &str) -> bool {
    let Some(mut backslash) = memchr::memchr(b'\\', string.as_bytes()) else {
        cells.push(string);
        return false;
    };
    cells.push("");
    let (mut rest, mut replaced) = (string, false);
    loop {
        cells.extend_last(&rest[..backslash]);
        let (letter, length) = unescape(&rest[backslash..]);
        replaced |= letter.is_none();
        cells.extend_last(letter.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut [0; 4]));
        rest = &rest[backslash + length..];
        match memchr::memchr(b'\\', rest.as_bytes()) {
            Some(at) => backslash = at,
            None => break,
        }
    }
    cells.extend_last(rest);
    replaced
}

/// The character that an escape at the start stands for, and the escape's length. `None` is half a surrogate pair.
fn unescape(text: &str) -> (Option<char>, usize) {
    let letter = match text.as_bytes()[1] {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => {
            let unit = |escape: &str| {
                let digits = escape.strip_prefix("\\u").and_then(|rest| rest.get(..4));
                digits.and_then(|digits| u16::from_str_radix(digits, 16).ok())
            };
            let (Some(first), second) = (unit(text), unit(&text[6..])) else { return (None, 6) };
            return match char::decode_utf16([first]).next() {
                Some(Ok(letter)) => (Some(letter), 6),
                _ => match second.map(|second| char::decode_utf16([first, second]).next()) {
                    Some(Some(Ok(letter))) => (Some(letter), 12),
                    _ => (None, 6),
                },
            };
        }
        other => char::from(other),
    };
    (Some(letter), 2)
}

#[cfg(test)]
mod tests {
    use crate::Format::Jsonl;
    use crate::testing::{cells, failure, lines, only, parse, requiring, skipping, table};

    #[test]
    fn every_kind_of_value_becomes_a_cell() {
        let text = r#"{"a": "x", "b": 1.10, "c": true, "d": null, "e": [1, {"f": "g"}], "i": 12345678901234567890123}"#;
        let expected = [
            ["a", "x"],
            ["b", "1.10"],
            ["c", "true"],
            ["d", ""],
            ["e", r#"[1, {"f": "g"}]"#],
            ["i", "12345678901234567890123"],
        ];
        assert_eq!(cells(&table(Jsonl, text)), expected);
    }

    #[test]
    fn keys_may_differ_from_line_to_line() {
        let read = table(Jsonl, "{\"a\": 1}\r\n\n{\"b\": 2, \"a\": 3}\n  \n{}\n{\"b\": 4}");
        assert_eq!(cells(&read), [["a", "1", "3", "", ""], ["b", "", "2", "", "4"]]);
        assert_eq!(lines(&read), [1, 3, 5, 6]);
    }

    #[test]
    fn escapes_are_resolved() {
        let text = r#"{"a\tb": "\"\\\/\b\f\n\r\t\u00e9 \ud83d\ude00 ü"}"#;
        assert_eq!(cells(&table(Jsonl, text)), [["a\tb", "\"\\/\u{8}\u{c}\n\r\té 😀 ü"]]);
    }

    #[test]
    fn half_a_surrogate_pair_is_replaced_and_counted() {
        let text = r#"{"a": "x\ud83dy"}
{"a": "\ude00\ud83d"}
{"a": "\ud83d\u0041"}"#;
        let (read, warnings) = parse(Jsonl, text, &skipping()).unwrap();
        assert_eq!(cells(&read), [["a", "x\u{fffd}y", "\u{fffd}\u{fffd}", "\u{fffd}A"]]);
        assert_eq!(warnings.not_utf8.rows, 3);
    }

    #[test]
    fn only_wanted_keys_are_kept() {
        let text = "{\"a\": 1, \"b\": {\"c\": [2]}, \"d\": 3}\n{\"d\": 4}\n";
        assert_eq!(cells(&parse(Jsonl, text, &only(&["d", "x"])).unwrap().0), [["d", "3", "4"]]);
    }

    #[test]
    fn a_required_key_must_be_on_some_line() {
        let text = "{\"id\": 1}\n{\"id\": 2, \"text\": \"x\"}\n";
        let mut options = requiring(&["text"]);
        options.batch_rows = 1;
        assert_eq!(cells(&parse(Jsonl, text, &options).unwrap().0), [["text", "", "x"]]);
        let message = parse(Jsonl, text, &requiring(&["txt"])).unwrap_err().to_string();
        assert_eq!(message, "in has no column `txt` (did you mean `text`?); it has `id`, `text`");
    }

    #[test]
    fn malformed_lines_are_told_by_line_and_character_or_left_out() {
        let text = "{\"a\": 1}\n{\"a\": 2\n{\"a\": 3} x\n[1]\n5\n{\"b\": 1, \"b\": 2}\n{\"a\": 4}\n";
        let message = failure(Jsonl, text);
        assert_eq!(
            message,
            "in:2: malformed JSON at character 7: EOF while parsing an object; mend this row, or leave bad rows out with `skip_bad_rows`"
        );
        let (read, warnings) = parse(Jsonl, text, &skipping()).unwrap();
        assert_eq!(cells(&read), [["a", "1", "4"]]);
        assert_eq!(lines(&read), [1, 7]);
        assert_eq!(warnings.skipped.rows, 5);
        assert!(
            failure(Jsonl, "[{\"a\": 1},\n{\"a\": 2}]").contains("a JSON array? write one object a line")
        );
        assert!(failure(Jsonl, "{\"b\": 1, \"b\": 2}").contains("the key `b` stands twice"));
        assert!(failure(Jsonl, "7").contains("expected an object"));
    }

    #[test]
    fn keys_that_are_data_do_not_make_columns_without_end() {
        let text: String = (0..4100).map(|i| format!("{{\"key {i}\": 1, \"a\": {i}}}\n")).collect();
        let message = failure(Jsonl, &text);
        assert_eq!(
            message,
            "in:4096: 4097 different keys up to here, few in a row; name the columns to read"
        );
        assert_eq!(cells(&parse(Jsonl, &text, &only(&["a"])).unwrap().0)[0].len(), 1 + 4100);
        let wide: Vec<_> = (0..5000).map(|i| format!("\"key {i}\": {i}")).collect();
        assert_eq!(cells(&table(Jsonl, format!("{{{}}}", wide.join(",")))).len(), 5000);
    }

    #[test]
    fn no_objects_are_no_data() {
        for text in ["", "\n \n"] {
            assert_eq!(failure(Jsonl, text), "in: there are no rows in it; give a file with data");
        }
        assert!(parse(Jsonl, "", &requiring(&["text"])).unwrap_err().to_string().contains("no rows"));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        let (read, warnings) = parse(Jsonl, b"{\"a\": \"caf\xe9\"}\n", &skipping()).unwrap();
        assert_eq!(cells(&read), [["a", "caf\u{fffd}"]]);
        assert_eq!(
            warnings.messages(),
            ["1 row with bytes that are not UTF-8, read as U+FFFD (first at in:1)"]
        );
    }
}
