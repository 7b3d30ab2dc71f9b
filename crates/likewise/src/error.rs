//! What can go wrong while learning, in words for the person who can mend it.

use serde_json::{Map, Value};

use crate::codes::{self, Code};
use crate::message::{Message, Setting};

/// Every message says what is wrong and what to do; the doors only add where it happened and word the settings.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The data cannot be learned from, or do not fit the model.
    #[error("{0}")]
    Data(Box<Message>),

    /// A parameter is unknown or out of range.
    #[error("parameter `{name}`: {problem}")]
    Parameter {
        /// Whose value is wrong.
        name: String,
        /// What is wrong with it.
        problem: Box<Message>,
    },

    /// No method of that name is registered.
    #[error("there is no method `{name}`{}", suggestion(.nearest))]
    UnknownMethod {
        /// As it was typed.
        name: String,
        /// The method that was probably meant.
        nearest: Option<String>,
    },

    /// The bytes are not a model this version can read.
    #[error("not a usable model file: {0}")]
    ModelFile(String),

    /// The caller asked to stop.
    #[error("stopped")]
    Cancelled,
}

/// What the library's functions give.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The data cannot be learned from, or do not fit the model.
    pub fn data(message: impl Into<Message>) -> Self {
        Error::Data(Box::new(message.into()))
    }

    /// The same, of a kind that has a code of its own.
    pub fn of(code: &'static Code, text: impl Into<String>) -> Self {
        Error::Data(Box::new(Message::new(code, text)))
    }

    /// A parameter is unknown or out of range.
    pub fn parameter(name: impl Into<String>, problem: impl Into<String>) -> Self {
        Error::Parameter { name: name.into(), problem: Box::new(Message::new(&codes::PARAMETER, problem)) }
    }

    /// The bytes are not a model this version can read.
    pub fn model_file(message: impl Into<String>) -> Self {
        Error::ModelFile(message.into())
    }

    /// What kind of error it is, for programs and for the page that lists them.
    pub fn code(&self) -> &'static Code {
        match self {
            Error::Data(message) => message.code,
            Error::Parameter { .. } => &codes::PARAMETER,
            Error::UnknownMethod { .. } => &codes::UNKNOWN_METHOD,
            Error::ModelFile(_) => &codes::MODEL_FILE,
            Error::Cancelled => &codes::CANCELLED,
        }
    }

    /// The facts in it, for programs.
    pub fn fields(&self) -> Map<String, Value> {
        match self {
            Error::Data(message) => message.fields.clone(),
            Error::Parameter { name, problem } => {
                let mut fields = problem.fields.clone();
                fields.insert("parameter".into(), name.clone().into());
                fields
            }
            Error::UnknownMethod { name, nearest } => [("method", Some(name)), ("nearest", nearest.as_ref())]
                .into_iter()
                .filter_map(|(field, value)| Some((field.to_string(), value?.clone().into())))
                .collect(),
            Error::ModelFile(_) | Error::Cancelled => Map::new(),
        }
    }

    /// The sentence, with settings worded by the caller.
    pub fn render(&self, word: impl Fn(&Setting) -> String) -> String {
        match self {
            Error::Data(message) => message.render(word),
            Error::Parameter { name, problem } => format!("parameter `{name}`: {}", problem.render(word)),
            other => other.to_string(),
        }
    }
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}

/// The known name closest to what was typed, where one is close enough to be a slip of the hand.
pub fn nearest_name<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(typed, name), name))
        .min()
        .filter(|(distance, name)| *distance <= name.len().max(typed.len()) / 2)
        .map(|(_, name)| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let known = ["lgn", "nb", "spy-em"];
        assert_eq!(nearest_name("spyem", known), Some("spy-em".into()));
        assert_eq!(nearest_name("random-forest", known), None);
    }

    #[test]
    fn an_error_has_a_code_and_fields() {
        let error = Error::UnknownMethod { name: "spyem".into(), nearest: Some("spy-em".into()) };
        assert_eq!((error.code().name, &error.fields()["nearest"]), ("unknown-method", &"spy-em".into()));
        let error = Error::parameter("k", "0 is out of range");
        assert_eq!((error.code().name, &error.fields()["parameter"]), ("parameter", &"k".into()));
    }
}
