//! JSON objects as rows: their keys are the columns.
//!
//! serde_json checks the syntax and says where each wanted value stands; the values then go straight from the
//! text into the columns, numbers and nested values as they are written, strings without their escapes.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use likewise::data::{Table, Texts};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::Result;
use crate::read::Reading;

/// Where keys are data rather than names, each makes all rows wider: there are too many if a row has few of them.
const MANY_KEYS: usize = 4096;
const FEW_OF_THEM: usize = 16;

/// What is known of the objects so far.
#[derive(Default)]
pub(crate) struct Objects {
    keys: Vec<Key>,
    by_name: HashMap<String, usize>,
    /// The names of the columns: required ones, then in the order in which the file first has them.
    columns: Vec<String>,
    /// Where the wanted values of the current object stand, by key.
    values: Vec<(usize, Range<usize>)>,
    /// How many objects there were, bad ones included.
    rows: u64,
}

struct Key {
    name: String,
    wanted: bool,
    column: Option<usize>,
    /// The last object that has it, counted from 1.
    row: u64,
}

/// A batch that is being filled.
pub(crate) struct Batch {
    table: Table,
    cells: Vec<Texts>,
    bytes: usize,
}

impl Objects {
    pub fn new(reading: &Reading) -> Self {
        let mut objects = Objects::default();
        for name in reading.options.required.iter().chain(reading.options.vectors.iter().flatten()) {
            if let Some(key) = objects.key(name, usize::MAX, reading) {
                objects.column(key);
            }
        }
        objects
    }

    pub fn batch(&self, reading: &Reading) -> Batch {
        Batch { table: reading.table(), cells: vec![Texts::new(); self.columns.len()], bytes: 0 }
    }

    /// Adds the object of a text that starts on that line, or deals with it as a bad row.
    pub fn push(
        &mut self,
        batch: &mut Batch,
        bytes: &[u8],
        number: u64,
        reading: &mut Reading,
    ) -> Result<()> {
        // A cell costs its place even where it is empty.
        batch.bytes += bytes.len() + self.columns.len() * size_of::<usize>();
        let mut text = reading.text(bytes, number);
        self.rows += 1;
        if let Err(error) = self.parse(&text, reading) {
            let Some(mended) = without_endless(&text) else {
                return reading.bad_row(number, problem(&error, &text));
            };
            // The keys of the first try do not stand twice.
            self.rows += 1;
            if let Err(error) = self.parse(&mended, reading) {
                return reading.bad_row(number, problem(&error, &mended));
            }
            text = mended.into();
        }
        if self.push_values(&text, &mut batch.cells, batch.table.rows()) {
            reading.count_not_utf8(number);
        }
        if self.keys_are_data() {
            let keys = self.columns.len();
            let problem = format!("{keys} different keys up to here, few in a row; name the columns to read");
            return Err(reading.malformed(number, problem));
        }
        batch.table.origins.push((0, number));
        Ok(())
    }

    /// The batch as a table; none where it is empty.
    pub fn finish(&mut self, batch: Batch, reading: &mut Reading) -> Result<Option<Table>> {
        let Batch { mut table, cells, .. } = batch;
        if table.rows() == 0 {
            return Ok(None);
        }
        let named = reading.options.vectors.as_ref().is_some_and(|names| !names.is_empty());
        // A column that was asked for has a place here, whether an object has it or not.
        if reading.options.columns.is_some() || named {
            table.known = self.seen().into();
        }
        for (name, cells) in self.columns.iter().zip(cells) {
            reading.push_lists(&mut table, name, cells)?;
        }
        Ok(Some(table))
    }

    /// At the end of the file: whether all that must be there was.
    pub fn check_required(&self, reading: &mut Reading) -> Result<()> {
        if self.rows > 0 { reading.check_required(&self.seen()) } else { Ok(()) }
    }
}

impl Batch {
    pub fn is_full(&self, reading: &Reading) -> bool {
        reading.batch_is_full(self.table.rows(), self.bytes)
    }
}

/// Numbers that Python writes and JSON does not have: `NaN` is a missing one, `Infinity` a word that is no number. `None`
/// where there are none.
fn without_endless(text: &str) -> Option<String> {
    const WORDS: [(&str, &str); 3] = [("NaN", "null"), ("-Infinity", "\"-inf\""), ("Infinity", "\"inf\"")];
    let (mut out, mut rest, mut in_string) = (String::new(), text, false);
    while let Some(first) = rest.chars().next() {
        let word = WORDS.iter().find(|(word, _)| !in_string && rest.starts_with(word));
        let (taken, written) = match (word, first) {
            (Some((word, written)), _) => (word.len(), *written),
            (None, '\\') if in_string => (rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end), ""),
            (None, first) => {
                in_string ^= first == '"';
                (first.len_utf8(), "")
            }
        };
        out.push_str(if written.is_empty() { &rest[..taken] } else { written });
        rest = &rest[taken..];
    }
    (out != text).then_some(out)
}

fn problem(error: &serde_json::Error, text: &str) -> String {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let hint = match text.trim_start().as_bytes().first() {
        Some(b'[') => " (a JSON array? call the file .json, or say that its format is json)",
        _ => "",
    };
    let line = if error.line() > 1 { format!("line {} of it, ", error.line()) } else { String::new() };
    format!("malformed JSON at {line}character {}: {message}{hint}", error.column())
}

impl Objects {
    fn seen(&self) -> Vec<String> {
        self.keys.iter().filter(|key| key.row > 0).map(|key| key.name.clone()).collect()
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
        self.keys.push(Key { name: name.into(), wanted, column: None, row: 0 });
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

    /// Checks an object and finds its values.
    fn parse(&mut self, text: &str, reading: &Reading) -> serde_json::Result<()> {
        self.values.clear();
        let mut json = serde_json::Deserializer::from_str(text);
        json.deserialize_map(ObjectVisitor { text, objects: self, reading })?;
        json.end()
    }

    /// Puts the values of a well-formed object into the columns. Says whether a character had to be replaced.
    fn push_values(&mut self, text: &str, cells: &mut Vec<Texts>, row: usize) -> bool {
        let mut replaced = false;
        for i in 0..self.values.len() {
            let (key, place) = self.values[i].clone();
            let column = self.column(key);
            while cells.len() <= column {
                cells.push((0..row).map(|_| "").collect());
            }
            replaced |= push_value(&mut cells[column], &text[place]);
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
    text: &'a str,
    objects: &'a mut Objects,
    reading: &'a Reading,
}

impl<'de> Visitor<'de> for ObjectVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object: {\"column\": value, …}")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let ObjectVisitor { text, objects, reading } = self;
        let row = objects.rows;
        let mut guess = 0;
        while let Some(key) = map.next_key_seed(KeySeed { objects, guess, reading })? {
            let Some(key) = key else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            guess = key + 1;
            if objects.keys[key].row == row {
                return Err(M::Error::custom(format!("the key `{}` stands twice", objects.keys[key].name)));
            }
            objects.keys[key].row = row;
            if objects.keys[key].wanted {
                let value = map.next_value::<&RawValue>()?.get();
                let start = value.as_ptr() as usize - text.as_ptr() as usize;
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
