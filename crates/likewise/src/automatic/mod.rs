//! Chooses a method, a cut and its own doubts from positives and pile alone.
//!
//! Positives are hidden in the pile, fold by fold, while candidates learn ([`bench`]); where each candidate ranks
//! them tells how many positives the pile holds ([`crate::prior`]), which candidate ranks best ([`criteria`]),
//! where to cut, and how much of the class the cut lets through, with an interval ([`intervals`]). A pile that is
//! mostly positive is another question, a search for the unexpected, and takes another route. [`summary`] says it
//! all in words.

pub mod audit;
pub mod bench;
pub mod candidates;
pub mod criteria;
pub mod intervals;
pub mod summary;

pub use bench::Workbench;
pub use candidates::Candidate;
pub use summary::Summary;
