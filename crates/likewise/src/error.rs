//! What can go wrong while learning, in words for the person who can mend it.

/// Every message says what is wrong and what to do; the doors only add where it happened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The data cannot be learned from, or do not fit the model.
    #[error("{0}")]
    Data(String),

    /// A parameter is unknown or out of range.
    #[error("parameter `{name}`: {problem}")]
    Parameter { name: String, problem: String },

    /// No method of that name is registered.
    #[error("there is no method `{name}`{}; `likewise methods` lists them all", suggestion(.nearest))]
    UnknownMethod { name: String, nearest: Option<String> },

    /// The bytes are not a model this version can read.
    #[error("not a usable model file: {0}")]
    ModelFile(String),

    /// The caller asked to stop.
    #[error("stopped")]
    Cancelled,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn data(message: impl Into<String>) -> Self {
        Error::Data(message.into())
    }

    pub fn parameter(name: impl Into<String>, problem: impl Into<String>) -> Self {
        Error::Parameter { name: name.into(), problem: problem.into() }
    }

    pub fn model_file(message: impl Into<String>) -> Self {
        Error::ModelFile(message.into())
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
}
