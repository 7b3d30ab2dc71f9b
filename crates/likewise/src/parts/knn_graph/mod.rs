//! Exact cosine nearest neighbours: which rows are most alike.
//!
//! `CosineIndex` holds the rows to search, sparse ones behind an inverted index and dense ones behind blocked
//! matrix products. It answers two questions: the neighbours of its own rows (`graph`) and those of new rows
//! (`query`). Both give `Neighbours`, which `edges` turns into an undirected graph.
//!
//! Answers are exact and do not depend on threads or on pruning: cosines are computed in double precision from
//! the given values, rounded to f32, and ordered from the largest, equal ones by row number. A row is never its
//! own neighbour in a graph, and rows without a positive cosine are no neighbours at all, so an empty row has none.

mod dense;
mod index;
mod neighbours;
mod sparse;
mod top;

pub use index::{CosineIndex, without_common_words};
pub use neighbours::{EdgeRule, Neighbours};
