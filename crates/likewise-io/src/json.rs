//! JSON: one array of objects, or objects one after the other, over as many lines as they like.
//!
//! The text is cut into objects by counting brackets outside of strings, so that no more than one of them is in
//! memory; each is then read like a line of JSON lines.

use likewise::data::Table;

use crate::error::Result;
use crate::input::{Input, LONGEST_ROW};
use crate::objects::Objects;
use crate::read::{Reading, RowReader};

const BUFFER: usize = 1 << 20;

/// What is wrong with a row that is a list of cells.
const NO_NAMES: &str = "a row is a list without names for its cells; expected an object, {\"column\": value, …}, as pandas writes it with to_json(orient=\"records\")";

pub(crate) struct Json {
    values: Values,
    objects: Objects,
}

/// The values at the top of the file, or of the array that is the file.
struct Values {
    input: Input,
    buffer: Vec<u8>,
    /// What of the buffer is read but not yet given out.
    unread: std::ops::Range<usize>,
    /// The line on which the unread part starts, counted from 1.
    line: u64,
    ended: bool,
    array: Array,
}

#[derive(Clone, Copy, PartialEq)]
enum Array {
    Unknown,
    None,
    Open,
    Closed,
}

impl Json {
    pub fn new(input: Input, reading: &Reading) -> Self {
        let values = Values {
            input,
            buffer: vec![0; BUFFER],
            unread: 0..0,
            line: 1,
            ended: false,
            array: Array::Unknown,
        };
        Json { values, objects: Objects::new(reading) }
    }
}

impl RowReader for Json {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut batch = self.objects.batch(reading);
        while !batch.is_full(reading) {
            let Some((value, line)) = self.values.next(reading)? else {
                self.objects.check_required(reading)?;
                break;
            };
            if value.starts_with(b"[") {
                reading.bad_row(line, NO_NAMES.into())?;
                continue;
            }
            self.objects.push(&mut batch, value, line, reading)?;
        }
        self.objects.finish(batch, reading)
    }
}

impl Values {
    /// The next value and the line it starts on.
    fn next(&mut self, reading: &Reading) -> Result<Option<(&[u8], u64)>> {
        let mut after_comma = false;
        loop {
            let Some(byte) = self.first()? else {
                return match self.array {
                    Array::Open => Err(reading.malformed(
                        self.line,
                        "the file ends within the array; it is cut off: make or copy it again",
                    )),
                    _ => Ok(None),
                };
            };
            match byte {
                b'[' if self.array == Array::Unknown => self.array = Array::Open,
                b']' if self.array == Array::Open => self.array = Array::Closed,
                // One comma parts two values; one more is read as a value, which it is none.
                b',' if matches!(self.array, Array::Open) && !after_comma => after_comma = true,
                _ if self.array == Array::Closed => {
                    return Err(reading.malformed(self.line, "something follows after the end of the array"));
                }
                _ => break,
            }
            self.unread.start += 1;
        }
        if self.array == Array::Unknown {
            self.array = Array::None;
        }
        let line = self.line;
        let length = self.value_length(reading)?;
        let start = self.unread.start;
        self.unread.start += length;
        let value = &self.buffer[start..start + length];
        self.line += memchr::memchr_iter(b'\n', value).count() as u64;
        Ok(Some((value, line)))
    }

    /// The first byte that is no blank.
    fn first(&mut self) -> Result<Option<u8>> {
        loop {
            while let Some(&byte) = self.buffer[self.unread.clone()].first() {
                match byte {
                    b'\n' => self.line += 1,
                    b' ' | b'\t' | b'\r' => {}
                    byte => return Ok(Some(byte)),
                }
                self.unread.start += 1;
            }
            if self.ended {
                return Ok(None);
            }
            self.fill()?;
        }
    }

    /// How long the value is that starts here: up to the bracket that closes it, or to what ends a bare value.
    fn value_length(&mut self, reading: &Reading) -> Result<usize> {
        let (mut at, mut depth, mut in_string, mut escaped) = (0, 0usize, false, false);
        loop {
            while let Some(&byte) = self.buffer[self.unread.clone()].get(at) {
                at += 1;
                if in_string {
                    match byte {
                        _ if escaped => escaped = false,
                        b'\\' => escaped = true,
                        b'"' => in_string = false,
                        _ => {}
                    }
                    if !in_string && depth == 0 {
                        return Ok(at);
                    }
                    continue;
                }
                match byte {
                    b'"' => in_string = true,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' if depth > 1 => depth -= 1,
                    b'}' | b']' if depth == 1 => return Ok(at),
                    b',' | b'\n' | b'}' | b']' if depth == 0 => return Ok(at.max(2) - 1),
                    _ => {}
                }
            }
            if self.ended {
                if depth == 0 {
                    return Ok(at);
                }
                let problem = "the file ends within the object that starts here; it is cut off, or a bracket or quote is not closed";
                return Err(reading.malformed(self.line, problem));
            }
            if at >= LONGEST_ROW {
                let problem = format!(
                    "an object of more than {} MiB starts here; the file must be an array of objects, one a row",
                    LONGEST_ROW >> 20
                );
                return Err(reading.malformed(self.line, problem));
            }
            self.fill()?;
        }
    }

    fn fill(&mut self) -> Result<()> {
        self.buffer.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        if self.unread.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let read = self.input.read(&mut self.buffer[self.unread.end..])?;
        self.unread.end += read;
        self.ended = read == 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::Format::Json;
    use crate::testing::{cells, failure, lines, only, parse, requiring, skipping, table};

    #[test]
    fn objects_of_an_array_are_rows_whatever_their_lines() {
        let text = "\u{feff} [\n{\"id\": 1, \"text\": \"a ] } , \\\" b\"},{\"text\": \"c\",\n \"id\": 2,\n \"more\": [1, {\"x\": 2}]}\n,\n  {\"id\": 3}\n]\n";
        let read = table(Json, text);
        let texts = ["text", "a ] } , \" b", "c", ""];
        assert_eq!(cells(&read), [["id", "1", "2", "3"], texts, ["more", "", "[1, {\"x\": 2}]", ""]]);
        assert_eq!(lines(&read), [2, 2, 6]);
    }

    #[test]
    fn numbers_that_only_python_writes_are_missing_or_words() {
        let read = table(
            Json,
            r#"[{"a": NaN, "b": "NaN \" NaN"}, {"a": -Infinity, "b": [1, NaN]}, {"a": Infinity}]"#,
        );
        assert_eq!(cells(&read), [["a", "", "-inf", "inf"], ["b", "NaN \" NaN", "[1, null]", ""]]);
        assert!(failure(Json, r#"[{"a": NaN, "b": }]"#).contains("malformed JSON"));
    }

    #[test]
    fn objects_may_stand_one_after_the_other() {
        let read = table(Json, "{\"a\": 1}\n{\n\"a\": 2\n} {\"a\": 3}");
        assert_eq!(
            (cells(&read), lines(&read)),
            (vec![["a", "1", "2", "3"].map(String::from).to_vec()], vec![1, 2, 4])
        );
    }

    #[test]
    fn batches_and_long_values_change_nothing() {
        let long = "word ".repeat(1 << 19);
        let text = format!("[{{\"a\": \"{long}\"}}, {{\"a\": \"x\"}}]");
        let options = crate::ReadOptions { batch_rows: 1, ..Default::default() };
        assert_eq!(cells(&parse(Json, &text, &options).unwrap().0), [["a", &long, "x"]]);
        assert_eq!(cells(&parse(Json, "[{\"a\":1,\"b\":2}]", &only(&["b"])).unwrap().0), [["b", "2"]]);
        let message = parse(Json, "[{\"id\": 1}]", &requiring(&["text"])).unwrap_err().to_string();
        assert_eq!(message, "in has no column `text`; it has `id`");
    }

    #[test]
    fn what_is_no_object_is_told_by_its_line_or_left_out() {
        let text = "[{\"a\": 1},\n5,\n{\"a\" 2},\n\"x,]\",\nnull,\n[1, 2],\n{\"a\": 3}]";
        let message = failure(Json, text);
        assert!(
            message.starts_with("in:2: malformed JSON at character ")
                && message.contains("expected an object"),
            "{message}"
        );
        let (read, warnings) = parse(Json, text, &skipping()).unwrap();
        assert_eq!(
            (cells(&read), warnings.skipped.rows),
            (vec![["a", "1", "3"].map(String::from).to_vec()], 5)
        );
        assert!(
            failure(Json, "[[\"id\", \"text\"],\n[1, \"x\"]]")
                .contains("in:1: a row is a list without names")
        );
        assert!(failure(Json, "[{\"a\":\n 1 2}]").contains("at line 2 of it, character "));
    }

    #[test]
    fn what_is_cut_off_is_no_row_to_leave_out() {
        for text in ["[{\"a\": 1}, {\"a\": ", "[{\"a\": 1}, {\"a\": \"x", "{\"a\": 1}\n{\"a\""] {
            let message = parse(Json, text, &skipping()).unwrap_err().to_string();
            assert!(message.contains("the file ends within the object that starts here"), "{message}");
        }
        assert!(failure(Json, "[{\"a\": 1}").contains("the file ends within the array"));
        assert!(failure(Json, "[{\"a\": 1}] {\"a\": 2}").contains("something follows"));
        for text in ["", "[]", " [ ] "] {
            assert_eq!(failure(Json, text), "in: there are no rows in it; give a file with data");
        }
    }
}
