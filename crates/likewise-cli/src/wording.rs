//! How the command line words what the library says: settings are its options.

use likewise::codes::{self, Code};
use likewise::message::Setting;
use likewise::note::Note;
use serde_json::{Map, Value, json};

use crate::arguments::Usage;

/// Settings that are parameters of a method, given with `--set`.
const PARAMETERS: &[&str] = &["prior"];

/// `keep_positives` is `--keep-positives`, and `prior` is `--set prior=`.
pub fn option(setting: &Setting) -> String {
    let Setting { name, value } = setting;
    if PARAMETERS.contains(name) {
        return format!("--set {name}={value}");
    }
    let option = format!("--{}", name.replace('_', "-"));
    if value.is_empty() { option } else { format!("{option} {value}") }
}

/// A note as a line.
pub fn note(note: &Note) -> String {
    let level = if note.is_warning() { "warning" } else { "note" };
    format!("{level}: {}", note.message.render(option))
}

/// An error and what caused it, as one line.
pub fn error(error: &anyhow::Error) -> String {
    let mut said: Vec<String> = Vec::new();
    for cause in error.chain() {
        let text = if let Some(learning) = cause.downcast_ref::<likewise::Error>() {
            match learning {
                likewise::Error::UnknownMethod { .. } => {
                    format!("{learning}; `likewise methods` lists them all")
                }
                learning => learning.render(option),
            }
        } else if let Some(files) = cause.downcast_ref::<likewise_io::Error>() {
            files.render(option)
        } else {
            of_review(cause).map_or_else(|| cause.to_string(), |(text, _)| text)
        };
        // An error that passes on the words of its cause says nothing new.
        if said.last().is_none_or(|last| !last.ends_with(&text)) {
            said.push(text);
        }
    }
    said.join(": ")
}

/// An error for programs: the code and the facts of what was understood, the text of all.
pub fn error_json(error: &anyhow::Error) -> Value {
    let known = |cause: Cause<'_>| {
        if let Some(learning) = cause.downcast_ref::<likewise::Error>() {
            return Some((learning.code(), learning.fields()));
        }
        if let Some(files) = cause.downcast_ref::<likewise_io::Error>() {
            return Some((files.code(), files.fields()));
        }
        if let Some((_, code)) = of_review(cause) {
            return Some((code, Map::new()));
        }
        let usage = cause.is::<Usage>() || cause.is::<clap::Error>();
        let code = match (usage, cause.is::<std::io::Error>()) {
            (true, _) => &codes::USAGE,
            (_, true) => &codes::SYSTEM,
            _ => return None,
        };
        Some((code, Map::new()))
    };
    let (code, fields) = error.chain().find_map(known).unwrap_or((&codes::UNUSABLE_DATA, Map::new()));
    let text = self::error(error);
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    json!({ "error": { "code": code.name, "text": text, "fields": fields } })
}

type Cause<'a> = &'a (dyn std::error::Error + 'static);

/// Words and code of an error of the page, in programs that have one.
#[cfg(feature = "review")]
fn of_review(cause: Cause<'_>) -> Option<(String, &'static Code)> {
    let error = cause.downcast_ref::<likewise_review::Error>()?;
    Some((error.render(option), error.code()))
}

#[cfg(not(feature = "review"))]
fn of_review(_: Cause<'_>) -> Option<(String, &'static Code)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_options() {
        assert_eq!(option(&Setting::flag("keep_positives")), "--keep-positives");
        assert_eq!(option(&Setting::with("text", "COLUMN")), "--text COLUMN");
        assert_eq!(option(&Setting::with("prior", "SHARE")), "--set prior=SHARE");
    }
}
