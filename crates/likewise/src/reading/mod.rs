//! Reading a pile with a person: the learner that puts the next best row first, and the loop played with known truth.
//!
//!     let (words, x) = reading::features(&texts, &run)?;         // words and pairs of words, once
//!     let mut learner = Learner::new(Arc::new(x), seed)?;        // once
//!     let scores = learner.rank(&wanted, &unwanted, &run)?;      // after every mark: one score for every row
//!     let words = learner.words(row, 8);                         // what moved the score of a row
//!
//! When to stop is not decided here: see [`crate::stopping`].

mod learner;
pub mod rehearse;

pub use learner::{Learner, Pick};

use crate::data::{Csr, Texts};
use crate::error::Result;
use crate::features::words::{StopWords, WordOptions, Words};
use crate::methods::Weights;
use crate::run::Run;

/// Words and pairs of neighbouring words, none left out: a reader's "not" or "to you" may tell.
pub fn word_options() -> WordOptions {
    WordOptions { ngrams: (1, 2), stop_words: StopWords::None, ..WordOptions::default() }
}

/// The rows that the learner reads, by tf-idf.
pub fn features(texts: &Texts, run: &Run) -> Result<(Words, Csr)> {
    run.install(|| Words::fit(texts, &word_options(), Weights::TfIdf, run))
}
