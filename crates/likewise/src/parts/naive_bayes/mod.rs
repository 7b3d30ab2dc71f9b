//! Naive Bayes for words, shared by every method that counts.

mod counts;
mod multinomial;

pub use counts::counts;
pub use multinomial::{Multinomial, log_ratio};
