//! How Python words what the library says: settings are its parameters.

use likewise::message::{Message, Setting};
use likewise::note::Note;

/// Settings that are called otherwise here.
const OTHER_NAMES: &[(&str, &str)] = &[("like", "positives"), ("in", "pile")];

/// `keep_positives` is `keep_positives=True`, and `text` is `text=COLUMN`.
pub fn parameter(setting: &Setting) -> String {
    let name =
        OTHER_NAMES.iter().find(|(name, _)| *name == setting.name).map_or(setting.name, |(_, here)| here);
    match setting.value {
        "" => format!("{name}=True"),
        // A placeholder is written in capitals, a value is not.
        value if value.starts_with(|c: char| c.is_ascii_uppercase()) => format!("{name}={value}"),
        value => format!("{name}='{value}'"),
    }
}

/// What is said, for Python's side: a level (`info` or `warning`), a text, a code, and fields as JSON.
pub type Told = (&'static str, String, &'static str, String);

pub fn note(note: &Note) -> Told {
    told(if note.is_warning() { "warning" } else { "info" }, &note.message)
}

pub fn notes(notes: &[Note]) -> Vec<Told> {
    notes.iter().map(note).collect()
}

pub fn warnings(messages: &[Message]) -> Vec<Told> {
    messages.iter().map(|message| told("warning", message)).collect()
}

fn told(level: &'static str, message: &Message) -> Told {
    let fields = serde_json::Value::Object(message.fields.clone()).to_string();
    (level, message.render(parameter), message.code.name, fields)
}
