//! Methods that describe rows by a few topics or centres.

pub mod kmeans;
pub mod nmfpul;
