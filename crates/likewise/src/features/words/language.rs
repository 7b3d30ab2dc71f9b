//! Which words mean nothing, and which mean the same.

use std::borrow::Cow;

use hashbrown::HashSet;
use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, nearest_name};

const ENGLISH: &str = include_str!("../../../data/stop-words-english.txt");

/// The words to leave out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopWords {
    /// All words count.
    None,
    /// The English list.
    English,
    /// A list of the user's own.
    These(Vec<String>),
}

/// Stop words and stemming, ready to use.
#[derive(Clone)]
pub struct Language {
    stop_words: HashSet<String, foldhash::fast::FixedState>,
    stemmer: Option<Algorithm>,
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Language({} stop words)", self.stop_words.len())
    }
}

const STEMMERS: [(&str, Algorithm); 18] = [
    ("arabic", Algorithm::Arabic),
    ("danish", Algorithm::Danish),
    ("dutch", Algorithm::Dutch),
    ("english", Algorithm::English),
    ("finnish", Algorithm::Finnish),
    ("french", Algorithm::French),
    ("german", Algorithm::German),
    ("greek", Algorithm::Greek),
    ("hungarian", Algorithm::Hungarian),
    ("italian", Algorithm::Italian),
    ("norwegian", Algorithm::Norwegian),
    ("portuguese", Algorithm::Portuguese),
    ("romanian", Algorithm::Romanian),
    ("russian", Algorithm::Russian),
    ("spanish", Algorithm::Spanish),
    ("swedish", Algorithm::Swedish),
    ("tamil", Algorithm::Tamil),
    ("turkish", Algorithm::Turkish),
];

impl Language {
    /// The words to leave out and how the others are stemmed.
    pub fn new(stop_words: &StopWords, stemming: Option<&str>) -> Result<Self> {
        let stop_words = match stop_words {
            StopWords::None => HashSet::default(),
            StopWords::English => ENGLISH.lines().map(str::to_string).collect(),
            StopWords::These(words) => words.iter().map(|w| w.to_lowercase()).collect(),
        };
        let stemmer = stemming.map(stemmer).transpose()?;
        Ok(Language { stop_words, stemmer })
    }

    /// Whether every word means itself.
    pub fn is_plain(&self) -> bool {
        self.stop_words.is_empty() && self.stemmer.is_none()
    }

    /// What a word counts as: nothing, its stem, or itself.
    pub fn meaning<'a>(&self, word: &'a str) -> Option<Cow<'a, str>> {
        if self.stop_words.contains(word) {
            return None;
        }
        Some(match self.stemmer {
            Some(algorithm) => Stemmer::create(algorithm).stem(word),
            None => word.into(),
        })
    }
}

fn stemmer(language: &str) -> Result<Algorithm> {
    let known = STEMMERS.iter().find(|(name, _)| *name == language);
    known.map(|(_, algorithm)| *algorithm).ok_or_else(|| {
        let hint = nearest_name(language, STEMMERS.iter().map(|(name, _)| *name));
        let hint = hint.map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
        let names: Vec<_> = STEMMERS.iter().map(|(name, _)| *name).collect();
        Error::parameter(
            "stemming",
            format!("no stemmer for `{language}`{hint}; there is {}", names.join(", ")),
        )
    })
}
