//! How the command line words what the library says: settings are its options.

use likewise::message::Setting;
use likewise::note::Note;

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
        let text = match (cause.downcast_ref::<likewise::Error>(), cause.downcast_ref::<likewise_io::Error>())
        {
            (Some(learning @ likewise::Error::UnknownMethod { .. }), _) => {
                format!("{learning}; `likewise methods` lists them all")
            }
            (Some(learning), _) => learning.render(option),
            (None, Some(files)) => files.render(option),
            (None, None) => cause.to_string(),
        };
        // An error that passes on the words of its cause says nothing new.
        if said.last().is_none_or(|last| !last.ends_with(&text)) {
            said.push(text);
        }
    }
    said.join(": ")
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
