//! Naive Bayes for words, shared by every method that counts.

mod linear;
mod multinomial;

pub use linear::LinearModel;
pub use multinomial::{Multinomial, log_ratio};
