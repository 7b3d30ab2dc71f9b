//! One line of the mark log.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Yes,
    No,
    /// Put off; never taught.
    Unsure,
}

/// How a row came before the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// An example from outside the pile.
    Seed,
    /// The next best of a ranking.
    Best,
    /// The next of the random order: a draw from the unread.
    Random,
    /// Looked up, or changed later.
    Search,
    /// Marked in the file that was read.
    Import,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Mark {
        row: u32,
        verdict: Verdict,
        kind: Origin,
    },
    /// Takes back the mark with this number.
    Undo(u64),
    /// Puts it back.
    Redo(u64),
}

/// Nothing in the log is ever changed or removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub seq: u64,
    /// Named by the sender, so that the same request sent twice is one mark.
    pub key: String,
    /// Milliseconds since 1970.
    pub at: i64,
    pub by: String,
    /// Marked by a program and not by a person.
    pub program: bool,
    pub act: Act,
    /// The model whose ranking was shown.
    pub model: u64,
    /// How long the row was looked at.
    pub ms: u32,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Unsure => "unsure",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        [Verdict::Yes, Verdict::No, Verdict::Unsure].into_iter().find(|v| v.name() == name)
    }
}

impl Origin {
    pub fn name(self) -> &'static str {
        match self {
            Origin::Seed => "seed",
            Origin::Best => "best",
            Origin::Random => "random",
            Origin::Search => "search",
            Origin::Import => "import",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        [Origin::Seed, Origin::Best, Origin::Random, Origin::Search, Origin::Import]
            .into_iter()
            .find(|k| k.name() == name)
    }
}
