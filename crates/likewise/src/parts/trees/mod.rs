//! Extra trees on quantised columns, grown by PU risk.
//!
//! [`bins`] turns the cells of a table into bytes, [`risk`] says how mixed a node is where only positives and the pile
//! are known, [`grow`] makes one tree and scores the rows that were left out of it, and [`forest`] is what all trees
//! say together: it scores, explains and is kept.

pub mod bins;
pub mod forest;
pub mod grow;
pub mod risk;
mod split;

pub use bins::Bins;
pub use forest::Forest;
pub use grow::{Growth, Sample};
pub use risk::PuRisk;
