//! Naive Bayes for words, shared by every method that counts.

mod multinomial;

pub use multinomial::{Multinomial, log_ratio};
