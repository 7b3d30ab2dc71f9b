//! Naive Bayes for words, shared by every method that counts.

mod counts;
mod em;
mod grid;
mod multinomial;
mod negative_side;
mod positive;
mod smoothing;
mod word_model;

pub use counts::{Event, WordCounts, counts};
pub use em::{Converged, Em, PriorOf, Teachers};
pub use grid::PriorGrid;
pub use multinomial::{Multinomial, log_ratio};
pub use negative_side::negative_counts;
pub use positive::{Correction, PositiveBayes};
pub use smoothing::{Background, Smoothing, WordPrior};
pub use word_model::{Chances, WordModel};
