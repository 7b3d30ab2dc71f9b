//! Words that are left out, in the languages that can be stemmed.
//!
//! Where nobody says, the list is left out for tf-idf, which weighs a word by its rarity already, and for counts of
//! short texts, where "you" or "not" is a good part of what is said. In a long text such a word occurs again and again
//! and its count tells how long the text is; there counts do without it.

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::term_counts::TermCounts;
use crate::error::{Error, Result, nearest_name};
use crate::method::Weights;

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
    /// What suits weights and documents: no list, or the English one for counts of long texts.
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

    /// The words themselves, in lower case.
    pub(super) fn words(&self) -> Result<WordSet> {
        Ok(match self {
            StopWords::None | StopWords::Auto => WordSet::default(),
            StopWords::English => list("english")?,
            StopWords::Of(language) => list(language)?,
            StopWords::These(words) => words.iter().map(|w| w.to_lowercase()).collect(),
        })
    }

    /// Whether the documents have to say what is left out of them.
    pub(super) fn asks_documents(&self, weights: Weights) -> bool {
        *self == StopWords::Auto && weights != Weights::TfIdf
    }

    /// What is left out of documents with these words, counted as they stand there, where nobody says.
    pub(super) fn settled(&self, counts: &TermCounts, weights: Weights) -> Result<StopWords> {
        Ok(match self {
            StopWords::Auto if self.asks_documents(weights) && repeat(counts, &list("english")?) => {
                StopWords::English
            }
            StopWords::Auto => StopWords::None,
            said => said.clone(),
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

/// Whether words of the list that occur in a document mostly occur there again.
fn repeat(counts: &TermCounts, list: &WordSet) -> bool {
    let seen = counts.seen_of(list);
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
        let settled = |text: &str, weights| {
            let texts = [text, text].into_iter().collect();
            let mut counts = TermCounts::default();
            counts.batch(&texts, &WordOptions::default(), &Run::new(0)).unwrap();
            StopWords::Auto.settled(&counts, weights).unwrap()
        };
        assert_eq!(settled(message, Weights::Count), StopWords::None);
        assert_eq!(settled(&long, Weights::Count), StopWords::English);
        assert_eq!(settled(&long, Weights::TfIdf), StopWords::None);
        let german = vec!["wo ist das paket das ihr mir geschickt habt"; 20].join(" ");
        assert_eq!(settled(&german, Weights::Count), StopWords::None);
        let said = StopWords::These(vec!["x".into()]);
        assert_eq!(said.settled(&TermCounts::default(), Weights::Count).unwrap(), said);
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
