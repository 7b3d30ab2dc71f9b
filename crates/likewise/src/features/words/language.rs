//! Which words mean nothing, and which mean the same.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

use super::WordOptions;
use super::stop_words::WordSet;
use crate::error::{Error, Result, nearest_name};

/// Stop words, accents and stemming, ready to use.
#[derive(Clone)]
pub struct Language {
    stop_words: WordSet,
    fold_accents: bool,
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
    /// The words to leave out and how the others are written and stemmed.
    pub fn new(options: &WordOptions) -> Result<Self> {
        let stemmer = options.stemming.as_deref().map(stemmer).transpose()?;
        let fold_accents = options.fold_accents;
        let mut stop_words = options.stop_words.words()?;
        if fold_accents {
            // `tres` is `très` here, and that is left out.
            let without: Vec<String> = stop_words.iter().map(|word| folded(word)).collect();
            stop_words.extend(without);
        }
        Ok(Language { stop_words, fold_accents, stemmer })
    }

    /// Whether every word means itself.
    pub fn is_plain(&self) -> bool {
        self.stop_words.is_empty() && self.stemmer.is_none() && !self.fold_accents
    }

    /// What a word counts as: nothing, its stem, or itself.
    pub fn meaning<'a>(&self, word: &'a str) -> Option<Cow<'a, str>> {
        if self.stop_words.contains(word) {
            return None;
        }
        // Stemmers know accents: they come first.
        let stem = match self.stemmer {
            Some(algorithm) => Stemmer::create(algorithm).stem(word),
            None => word.into(),
        };
        Some(if self.fold_accents && !stem.is_ascii() { folded(&stem).into() } else { stem })
    }
}

/// The word without its accents: what they are written on stays (`é` is `e`, `ø` and `ß` are letters of their own), and so
/// do signs that are letters themselves, such as the vowels of Hindi.
fn folded(word: &str) -> String {
    word.nfd().filter(|c| !is_accent(*c)).nfc().collect()
}

/// A sign above, below or through a letter, by its combining class: vowel signs have 0, a doubled consonant or a voiced
/// one 7 to 9, and a vowel of Thai or Lao 103 to 122.
fn is_accent(c: char) -> bool {
    matches!(canonical_combining_class(c), 1 | 10..=36 | 200..)
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

#[cfg(test)]
mod tests {
    use super::super::StopWords;
    use super::*;

    #[test]
    fn accents_fold_where_that_is_asked_for() {
        let meaning = |options: WordOptions, word: &str| {
            Language::new(&options).unwrap().meaning(word).map(|meaning| meaning.into_owned())
        };
        let folding = || WordOptions { fold_accents: true, ..WordOptions::default() };
        assert_eq!(meaning(folding(), "crème").as_deref(), Some("creme"));
        assert_eq!(meaning(folding(), "straße").as_deref(), Some("straße"));
        assert_eq!(meaning(WordOptions::default(), "crème").as_deref(), Some("crème"));
        assert_eq!(meaning(folding(), "हिन्दी").as_deref(), Some("हिन्दी"));
        assert_eq!(meaning(folding(), "ที่นี่").as_deref(), Some("ที่นี่"));
        let french = || StopWords::Of("french".into());
        let leaving_out = |fold_accents| WordOptions { stop_words: french(), fold_accents, ..folding() };
        assert_eq!(meaning(leaving_out(true), "été"), None);
        assert_eq!(meaning(leaving_out(true), "ete"), None);
        assert_eq!(meaning(leaving_out(false), "ete").as_deref(), Some("ete"));
        let german = WordOptions { stemming: Some("german".into()), ..folding() };
        assert_eq!(meaning(german, "häuser").as_deref(), Some("haus"));
    }
}
