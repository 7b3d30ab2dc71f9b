//! Reading a pile with a person: the learner that puts the next best row first, and the loop played with known truth.
//!
//! ```text
//! let (words, x) = reading::features(&texts, &run)?;         // words and pairs of words, once; or of_table(…)
//! let mut learner = Learner::new(Arc::new(x), seed)?;        // once
//! learner.join(Arc::new(Neighbours::of(&x, &run)?));        // once, whenever they are found
//! let scores = learner.rank(&wanted, &unwanted, &run)?;      // after every mark: one score for every row
//! let next = learner.choose(&scores, unread, 10, Pick::Best);
//! let words = learner.words(row, 8);                         // what moved the score of a row
//! ```
//!
//! When to stop is not decided here: see [`crate::stopping`].

mod learner;
mod neighbours;
pub mod rehearse;
pub mod replay;
mod rows;

pub use learner::{Learner, Pick};
pub use neighbours::Neighbours;
pub use rows::{distinct, features, finding_words, of_more, of_table, reading_words, word_options};
