//! How text becomes features, as a user may say it.

use serde::{Deserialize, Serialize};

use super::counting::LONGEST_GRAM;
use super::{Language, StopWords, Tokens};
use crate::error::{Error, Result};
use crate::method::Weights;

/// How text becomes features. These defaults are the only ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordOptions {
    /// Words that are left out; those that suit weights and documents, where nobody says.
    pub stop_words: StopWords,
    /// Which tokens count as words.
    #[serde(default = "before_small_words")]
    pub tokens: Tokens,
    /// How often a word of each text column counts; once where it is empty.
    #[serde(default)]
    pub times: Vec<u32>,
    /// Whether letters lose their accents: `é` is `e`.
    #[serde(default)]
    pub fold_accents: bool,
    /// Language of the stemmer, such as `english`.
    pub stemming: Option<String>,
    /// Shortest and longest run of words that counts as a term, within 1 to 4.
    pub ngrams: (usize, usize),
    /// A term counts only if at least this many documents hold it. Left out: 2 for tf-idf of at least
    /// `MANY_DOCUMENTS`, where it halves the terms and changes no ranking; else 1.
    pub min_documents: Option<u32>,
    /// A term counts only if at most this share of the documents hold it.
    pub max_share: f64,
    /// Keep only so many terms, the most frequent ones.
    pub most_terms: Option<usize>,
    /// Left out: what the method asks for.
    pub weights: Option<Weights>,
    /// Scale rows to length 1 also for counts and binary weights; tf-idf always does.
    pub unit_length: bool,
    /// Let terms that are not kept count for the length of their row under tf-idf, each as a term of one document: a row
    /// is shorter than 1 by what it alone holds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub full_length: bool,
}

/// What a model file means that does not say: it was written when small words never counted.
fn before_small_words() -> Tokens {
    Tokens::Words
}

impl Default for WordOptions {
    fn default() -> Self {
        WordOptions {
            stop_words: StopWords::Auto,
            tokens: Tokens::Auto,
            times: Vec::new(),
            fold_accents: false,
            stemming: None,
            ngrams: (1, 1),
            min_documents: None,
            max_share: 1.0,
            most_terms: None,
            weights: None,
            unit_length: false,
            full_length: false,
        }
    }
}

impl WordOptions {
    /// Refuses what makes no terms.
    pub(super) fn check(&self) -> Result<()> {
        let (shortest, longest) = self.ngrams;
        if shortest == 0 || shortest > longest || longest > LONGEST_GRAM {
            let problem = format!(
                "{shortest} to {longest} words do not make terms; the range lies within 1 to {}",
                LONGEST_GRAM
            );
            return Err(Error::parameter("ngrams", problem));
        }
        if !(0.0..=1.0).contains(&self.max_share) {
            return Err(Error::parameter("max-share", "it is a share of the documents, from 0 to 1"));
        }
        Ok(())
    }

    /// In how many of so many documents a term must stand.
    pub(super) fn least_documents(&self, weights: Weights, documents: u64) -> u32 {
        let many = weights == Weights::TfIdf && documents >= MANY_DOCUMENTS;
        self.min_documents.unwrap_or(if many { 2 } else { 1 })
    }

    /// Whether all tokens are counted, be it to leave some out later.
    pub(super) fn counts_all_tokens(&self) -> bool {
        match self.tokens {
            Tokens::Auto => matches!(self.stop_words, StopWords::Auto | StopWords::None),
            said => said == Tokens::All,
        }
    }

    /// Whether terms are words as they stand in the documents, so that some of them can be left out later.
    pub(super) fn are_words_as_they_stand(&self) -> bool {
        self.stemming.is_none()
            && !self.fold_accents
            && self.ngrams == (1, 1)
            && self.times.iter().all(|times| *times == 1)
    }

    /// Whether documents can be counted part by part for these weights, and their terms be chosen afterwards.
    pub fn check_parts(&self, wanted: Weights) -> Result<()> {
        self.check()?;
        Language::new(self)?;
        if self.unit_length || self.weights.is_some_and(|weights| weights != wanted) {
            let problem = "sums are exact under the weights that the method asks for; leave them to it";
            return Err(Error::parameter("weights", problem));
        }
        if self.stop_words == StopWords::Auto && !self.are_words_as_they_stand() {
            let problem = "where terms are stems, folded or several words, or count several times, the words to leave out must be known before they are counted: say `none` or `english`";
            return Err(Error::parameter("stop_words", problem));
        }
        Ok(())
    }
}

const MANY_DOCUMENTS: u64 = 1000;
