//! Words that are left out, in the languages that can be stemmed.
//!
//! Where nobody says, all words of short texts count: "you" or "not" is a good part of what a message says. In long texts
//! such words occur again and again, all texts are alike in them, and whatever compares whole texts does better without:
//! there the list of their language is left out.

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::term_counts::{SeenTerm, TermCounts};
use super::tokens::is_small;
use crate::error::{Error, Result, nearest_name};

macro_rules! lists {
    ($($language:literal),*) => {
        /// The languages that have a list, each with its words, one a line.
        const LISTS: &[(&str, &str)] =
            &[$(($language, include_str!(concat!("../../../data/stop-words/", $language, ".txt")))),*];
    };
}

lists!(
    "arabic",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "greek",
    "hungarian",
    "italian",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "spanish",
    "swedish",
    "tamil",
    "turkish"
);

/// The words to leave out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopWords {
    /// What suits the documents: no list, or that of their language where texts are long.
    Auto,
    /// All words count.
    None,
    /// The English list.
    English,
    /// A list of the user's own.
    These(Vec<String>),
    /// The list of another language, by its name.
    #[serde(untagged)]
    Of(String),
}

/// A set of words.
pub(super) type WordSet = HashSet<String, foldhash::fast::FixedState>;

impl StopWords {
    /// The languages that have a list.
    pub fn languages() -> Vec<&'static str> {
        LISTS.iter().map(|(name, _)| *name).collect()
    }

    /// Whether that is one of them.
    pub fn is_language(name: &str) -> bool {
        LISTS.iter().any(|(known, _)| *known == name)
    }

    /// The list of one of them.
    pub fn of(language: &str) -> StopWords {
        match language {
            "english" => StopWords::English,
            other => StopWords::Of(other.into()),
        }
    }

    /// The words themselves, in lower case.
    pub(super) fn words(&self) -> Result<WordSet> {
        Ok(match self {
            StopWords::None | StopWords::Auto => WordSet::default(),
            StopWords::English => list("english")?,
            StopWords::Of(language) => list(language)?,
            StopWords::These(words) => words.iter().map(|w| w.to_lowercase()).collect(),
        })
    }

    /// What is left out of documents with these words, counted as they stand there, where nobody says.
    pub(super) fn settled(&self, counts: &TermCounts) -> Result<StopWords> {
        if *self != StopWords::Auto {
            return Ok(self.clone());
        }
        let mut most = (StopWords::None, SeenTerm::default());
        for language in StopWords::languages() {
            let words = list(language)?.into_iter().filter(|word| !is_small(word));
            let seen = counts.seen_of(words);
            if seen.occurrences > most.1.occurrences {
                most = (StopWords::of(language), seen);
            }
        }
        Ok(match most {
            (list, seen) if repeats(seen) => list,
            _ => StopWords::None,
        })
    }
}

fn list(language: &str) -> Result<WordSet> {
    let known = LISTS.iter().find(|(name, _)| *name == language);
    let (_, words) = known.ok_or_else(|| {
        let names = StopWords::languages();
        let hint = nearest_name(language, names.iter().copied());
        let hint = hint.map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
        let names = names.join(", ");
        let problem = format!("no list of stop words for `{language}`{hint}; there is {names}");
        Error::parameter("stop_words", problem)
    })?;
    Ok(words.lines().map(str::to_string).collect())
}

/// How often a word of the list that occurs in a document occurs there, where documents are long.
const AGAIN: f64 = 1.5;

/// Whether words of a list that occur in a document mostly occur there again.
fn repeats(seen: SeenTerm) -> bool {
    seen.occurrences as f64 > AGAIN * seen.documents as f64
}

#[cfg(test)]
mod tests {
    use super::super::WordOptions;
    use super::*;
    use crate::run::Run;

    #[test]
    fn long_texts_repeat_common_words_and_messages_do_not() {
        let message = "where is the parcel that you sent to me";
        let long = vec![message; 20].join(" and the ");
        let settled = |text: &str| {
            let texts = [text, text].into_iter().collect();
            let mut counts = TermCounts::default();
            counts.batch(&texts, &WordOptions::default(), &Run::new(0)).unwrap();
            StopWords::Auto.settled(&counts).unwrap()
        };
        assert_eq!(settled(message), StopWords::None);
        assert_eq!(settled(&long), StopWords::English);
        let german = "wo ist das paket das ihr mir geschickt habt und wo sind die anderen";
        assert_eq!(settled(german), StopWords::None);
        assert_eq!(settled(&vec![german; 20].join(" ")), StopWords::Of("german".into()));
        assert_eq!(settled("zzz zzz zzz zzz"), StopWords::None);
        let said = StopWords::These(vec!["x".into()]);
        assert_eq!(said.settled(&TermCounts::default()).unwrap(), said);
    }

    #[test]
    fn every_language_has_its_list() {
        for (language, _) in LISTS {
            let words = StopWords::Of(language.to_string()).words().unwrap();
            assert!(
                words.len() > 70 && words.iter().all(|w| *w == w.to_lowercase() && !w.is_empty()),
                "{language}"
            );
        }
        let message = StopWords::Of("germn".into()).words().unwrap_err().to_string();
        assert!(message.contains("did you mean `german`"), "{message}");
    }

    #[test]
    fn a_model_file_says_what_was_left_out() {
        let text = |words: &StopWords| serde_json::to_string(words).unwrap();
        let all = [
            (StopWords::None, "\"none\""),
            (StopWords::English, "\"english\""),
            (StopWords::Auto, "\"auto\""),
            (StopWords::Of("german".into()), "\"german\""),
            (StopWords::These(vec!["x".into()]), "{\"these\":[\"x\"]}"),
        ];
        for (words, written) in all {
            assert_eq!(text(&words), written);
            assert_eq!(serde_json::from_str::<StopWords>(written).unwrap(), words);
        }
    }
}
