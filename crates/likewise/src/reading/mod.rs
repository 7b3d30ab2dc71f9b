//! Reading a pile with a person: the learner that puts the next best row first, and the loop played with known truth.
//!
//! ```
//! use std::sync::Arc;
//! use likewise::Run;
//! use likewise::data::Texts;
//! use likewise::reading::{self, Learner, Neighbours, Pick};
//! let texts: Texts = ["my money back", "late parcel", "money please", "where is it"].into_iter().collect();
//! let run = Run::new(0);
//! let (_, x) = reading::features(&texts, &run)?; // words and pairs of words, once; or of_table(…)
//! let x = Arc::new(x);
//! let mut learner = Learner::new(x.clone(), 0)?;
//! learner.join(Arc::new(Neighbours::of(&x, &run)?)); // once, whenever they are found
//! let scores = learner.rank(&[0], &[1], &run)?; // after every mark: one score for every row
//! assert_eq!(learner.choose(&scores, vec![2, 3], 1, Pick::Best), [2]);
//! assert!(!learner.words(2, 8).is_empty()); // what moved the score of a row
//! # Ok::<(), likewise::Error>(())
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
