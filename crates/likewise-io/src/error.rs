//! What can go wrong with a file, in words for the person who can mend it.

use std::io;

use likewise::codes::{self, Code};
use likewise::message::{Message, Setting};
use serde_json::{Map, Value, json};

const SKIP_BAD_ROWS: Setting = Setting::flag("skip_bad_rows");

/// Every message says what is wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments make no sense together: an unknown extension, standard input without a format.
    #[error("{0}")]
    Usage(Box<Message>),

    #[error("{path}: there is no such file or folder{}; check the path", beside(.near))]
    NotFound { path: String, near: Option<String> },

    /// There is not a single row.
    #[error("{source_name}: {problem}")]
    Empty { source_name: String, problem: String },

    /// One row is bad; the others may be fine.
    #[error("{source_name}:{line}: {problem}; mend this row, or leave bad rows out with `skip_bad_rows`")]
    BadRow { source_name: String, line: u64, problem: String },

    /// The file as a whole cannot be read as what it claims to be.
    #[error("{source_name}{}: {problem}", place(.line))]
    Malformed { source_name: String, line: Option<u64>, problem: String },

    #[error("{source_name} has no column `{name}`{}; {}", suggestion(.name, .known), columns(.known))]
    NoColumn { source_name: String, name: String, known: Vec<String> },

    /// The system refused to read or write.
    #[error("{name}: {error}{}", advice(.error))]
    Io { name: String, error: io::Error },

    /// Whoever read our standard output has gone away (`| head`); end quietly.
    #[error("standard output was closed")]
    BrokenPipe,

    /// The rows of several inputs do not fit together.
    #[error(transparent)]
    Data(#[from] likewise::Error),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn usage(message: impl Into<Message>) -> Self {
        let mut message = message.into();
        message.code = &codes::USAGE;
        Error::Usage(Box::new(message))
    }

    /// What kind of error it is, for programs and for the page that lists them.
    pub fn code(&self) -> &'static Code {
        match self {
            Error::Usage(message) => message.code,
            Error::NotFound { .. } => &codes::NO_SUCH_FILE,
            Error::Empty { .. } => &codes::EMPTY_FILE,
            Error::BadRow { .. } => &codes::BAD_ROW,
            Error::Malformed { .. } => &codes::MALFORMED_FILE,
            Error::NoColumn { .. } => &codes::NO_SUCH_COLUMN,
            Error::Io { .. } | Error::BrokenPipe => &codes::SYSTEM,
            Error::Data(error) => error.code(),
        }
    }

    /// The facts in it, for programs.
    pub fn fields(&self) -> Map<String, Value> {
        let facts = match self {
            Error::Usage(message) => return message.fields.clone(),
            Error::Data(error) => return error.fields(),
            Error::NotFound { path, .. } => json!({ "path": path }),
            Error::Empty { source_name, .. } => json!({ "source": source_name }),
            Error::BadRow { source_name, line, .. } => json!({ "source": source_name, "line": line }),
            Error::Malformed { source_name, line, .. } => json!({ "source": source_name, "line": line }),
            Error::NoColumn { source_name, name, known } => {
                let nearest = likewise::error::nearest_name(name, known.iter().map(String::as_str));
                json!({ "source": source_name, "column": name, "nearest": nearest })
            }
            Error::Io { name, .. } => json!({ "path": name }),
            Error::BrokenPipe => json!({}),
        };
        match facts {
            Value::Object(facts) => facts,
            _ => Map::new(),
        }
    }

    /// The sentence, with settings worded by the caller.
    pub fn render(&self, word: impl Fn(&Setting) -> String) -> String {
        match self {
            Error::Usage(message) => message.render(word),
            Error::BadRow { source_name, line, problem } => {
                let text = format!("{source_name}:{line}: {problem}; mend this row");
                let message = Message::new(&codes::BAD_ROW, text);
                message.offer(", or leave bad rows out with ", SKIP_BAD_ROWS).render(word)
            }
            Error::Data(error) => error.render(word),
            other => other.to_string(),
        }
    }

    /// What the system says of a file, in our words where these tell more.
    pub fn io(name: impl Into<String>, error: io::Error) -> Self {
        let name = name.into();
        match error.kind() {
            io::ErrorKind::NotFound => Error::NotFound { path: name, near: None },
            io::ErrorKind::BrokenPipe => Error::BrokenPipe,
            _ => Error::Io { name, error },
        }
    }

    /// The command was called wrongly, as opposed to having failed.
    pub fn is_usage(&self) -> bool {
        matches!(self, Error::Usage(_))
    }

    /// Nobody reads our output any more: no reason to complain.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::BrokenPipe)
    }
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "; check whose it is and what you may do with it (ls -l)",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; make room, or name a file elsewhere",
        _ => "",
    }
}

fn beside(near: &Option<String>) -> String {
    near.as_ref().map_or(String::new(), |near| format!(" ({near})"))
}

fn place(line: &Option<u64>) -> String {
    line.map_or(String::new(), |line| format!(":{line}"))
}

fn suggestion(name: &str, known: &[String]) -> String {
    likewise::error::nearest_name(name, known.iter().map(String::as_str))
        .map_or(String::new(), |nearest| format!(" (did you mean `{nearest}`?)"))
}

/// A wide table has more names than anybody reads.
const NAMES_SHOWN: usize = 30;

fn columns(known: &[String]) -> String {
    if known.is_empty() {
        return "it has none".into();
    }
    let shown: Vec<_> = known.iter().take(NAMES_SHOWN).map(|n| format!("`{n}`")).collect();
    let more = known.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("it has {}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_is_not_listed_to_the_end() {
        let known = (0..40).map(|i| format!("c{i}")).collect();
        let error = Error::NoColumn { source_name: "a.csv".into(), name: "c40".into(), known };
        let message = error.to_string();
        assert!(
            message.starts_with("a.csv has no column `c40` (did you mean `c0`?); it has `c0`, "),
            "{message}"
        );
        assert!(message.ends_with("`c29` and 10 more"), "{message}");
    }

    #[test]
    fn a_closed_pipe_is_told_from_other_failures() {
        assert!(Error::io("standard output", io::ErrorKind::BrokenPipe.into()).is_broken_pipe());
        assert!(!Error::io("a.csv", io::ErrorKind::PermissionDenied.into()).is_broken_pipe());
    }
}
