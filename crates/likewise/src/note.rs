//! Notes: what the user should know about a result.

use serde::{Deserialize, Serialize};

use crate::codes::Code;
use crate::message::Message;

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know.
    Info,
    /// May make the answer worth less.
    Warning,
}

/// Something the user should know about a result.
///
/// ```
/// use likewise::{codes, note::Note};
/// let note = Note::warning(&codes::FEW_EXAMPLES, "only 3 examples").field("examples", 3);
/// assert!(note.is_warning());
/// assert_eq!((note.message.code.name, note.to_string()), ("few-examples", "only 3 examples".to_string()));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// How much it matters.
    pub level: Level,
    /// What is said.
    #[serde(flatten)]
    pub message: Message,
}

impl Note {
    /// Good to know.
    pub fn info(code: &'static Code, text: impl Into<String>) -> Self {
        Note { level: Level::Info, message: Message::new(code, text) }
    }

    /// May make the answer worth less.
    pub fn warning(code: &'static Code, text: impl Into<String>) -> Self {
        Note { level: Level::Warning, message: Message::new(code, text) }
    }

    /// A warning whose message has fields or names settings.
    pub fn warn(message: Message) -> Self {
        Note { level: Level::Warning, message }
    }

    /// The same, good to know.
    pub fn inform(message: Message) -> Self {
        Note { level: Level::Info, message }
    }

    /// Whether it may make the answer worth less.
    pub fn is_warning(&self) -> bool {
        self.level == Level::Warning
    }

    /// Adds a fact for programs.
    pub fn field(mut self, name: &str, value: impl Into<serde_json::Value>) -> Self {
        self.message = self.message.field(name, value);
        self
    }
}

/// The sentence, settings by their plain names.
impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message.fmt(f)
    }
}
