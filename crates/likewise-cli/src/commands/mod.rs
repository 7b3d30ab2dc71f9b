//! One file a command.

pub mod audit;
pub mod codes;
pub mod compare;
pub mod completions;
#[cfg(feature = "papers")]
pub mod data;
pub mod evaluate;
pub mod explain;
pub mod features;
pub mod find;
pub mod help;
pub mod look;
pub mod manual;
pub mod methods;
#[cfg(not(feature = "papers"))]
pub mod papers_absent;
pub mod prior;
pub mod rehearse;
#[cfg(feature = "papers")]
pub mod reproduce;
#[cfg(feature = "review")]
pub mod review;
pub mod sample;
pub mod schema;
pub mod score;
pub mod simulate;
pub mod unexpected;
pub mod update;

/// The column of the truth as `simulate` writes it, and what stands in it for a positive row.
const TRUTH_LABEL: &str = "positive";
const TRUTH_POSITIVE: &str = "true";
