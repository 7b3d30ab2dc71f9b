//! How Python words what the library says: settings are its parameters.

use likewise::codes;
use likewise::message::{Message, Setting};
use likewise::note::Note;
use pyo3::prelude::*;

use crate::errors::Word;

/// Settings that are called otherwise here.
const OTHER_NAMES: &[(&str, &str)] = &[("except", "leave_out")];

/// The same in `fit` of related tables.
const RELATED_NAMES: &[(&str, &str)] = &[("like", "positives"), ("unlike", "negatives"), ("in", "pile")];

/// What only a program that reads files can be told.
const OF_FILES: &[&str] = &["format", "in", "memory", "skip_bad_rows"];

/// What Python is given where others are given a file.
const FILE: &str = "FILE";
const NO_FILES: &[&str] = &["like", "unlike", "positives", "negatives", "truth"];

/// `keep_positives` is `keep_positives=True`, and `text` is `text=COLUMN`; nothing, where Python has no such parameter.
pub fn parameter(setting: &Setting) -> String {
    worded(setting, OTHER_NAMES)
}

/// The same where examples are among related tables.
pub fn of_related(setting: &Setting) -> String {
    worded(setting, RELATED_NAMES)
}

fn worded(setting: &Setting, names: &[(&str, &str)]) -> String {
    let name = names.iter().find(|(name, _)| *name == setting.name).map_or(setting.name, |(_, here)| here);
    if OF_FILES.contains(&name) || (name == "vectors" && setting.value != "COLUMN") {
        return String::new();
    }
    match setting.value {
        "" => format!("{name}=True"),
        FILE if NO_FILES.contains(&name) => format!("{name}=ROWS"),
        // A placeholder is written in capitals, a value is not.
        value if value.starts_with(|c: char| c.is_ascii_uppercase()) => format!("{name}={value}"),
        value => format!("{name}='{value}'"),
    }
}

/// How a setting is worded, among related tables or not, for the test that walks them all.
#[pyfunction]
pub fn word(name: String, value: String, related: bool) -> String {
    // What messages name lives as long as the program.
    let setting = Setting { name: name.leak(), value: value.leak() };
    if related { of_related(&setting) } else { parameter(&setting) }
}

/// What is said, for Python's side: a level (`info` or `warning`), a text, a code, and fields as JSON.
pub type Told = (&'static str, String, &'static str, String);

fn level(note: &Note) -> &'static str {
    if note.is_warning() { "warning" } else { "info" }
}

pub fn notes(notes: &[Note]) -> Vec<Told> {
    notes_in(notes, parameter)
}

pub fn notes_of_related(notes: &[Note]) -> Vec<Told> {
    notes_in(notes, of_related)
}

/// Notes with settings worded this way.
pub fn notes_in(notes: &[Note], word: Word) -> Vec<Told> {
    notes.iter().map(|note| told(level(note), &note.message, word)).collect()
}

/// That columns of the rows gave way to those of the answer.
#[pyfunction]
pub fn columns_replaced(columns: Vec<String>) -> Vec<Told> {
    let shown: Vec<String> = columns.iter().map(|name| format!("`{name}`")).collect();
    let text = format!(
        "the rows have columns that are called as those of the answer are, which take their place: {}; the rows were read with them, and to see them beside the answer rename them",
        shown.join(", ")
    );
    notes(&[Note::warning(&codes::COLUMNS_REPLACED, text).field("columns", columns)])
}

pub fn warnings(messages: &[Message]) -> Vec<Told> {
    messages_in(messages, parameter)
}

/// Warnings with settings worded this way.
pub fn messages_in(messages: &[Message], word: Word) -> Vec<Told> {
    messages.iter().map(|message| told("warning", message, word)).collect()
}

fn told(level: &'static str, message: &Message, word: Word) -> Told {
    let fields = serde_json::Value::Object(message.fields.clone()).to_string();
    (level, message.render(word), message.code.name, fields)
}
