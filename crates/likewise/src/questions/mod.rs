//! Every question that can be asked, one file each: a request in, an answer out.
//!
//! A [`Problem`] is what most of them are asked of: examples and pile, what the rows are called, what was left out and
//! why. Doors (the command line, Python, a server) make a problem and options of what they are given, ask, and turn the
//! answer into output; they never rank, cut, warn or word a message of the library.
//!
//! Read [`problem`] and [`columns`] first, then [`find`]; the others are shorter.

pub mod audit;
mod baseline;
pub mod classes;
pub mod columns;
pub mod compare;
pub mod copies;
pub mod count;
pub mod evaluate;
pub mod explain;
pub mod find;
pub mod label;
pub mod look;
pub mod prior;
pub mod problem;
pub mod ranking;
pub mod read_sample;
pub mod rehearse;
pub mod sample;
pub mod score;
pub mod simulate;
pub mod truth;
pub mod unexpected;
pub mod update;
pub mod views;
pub mod whole_pile;

pub use crate::ends::Ends;
pub use columns::ColumnChoice;
pub use copies::LeftOut;
pub use problem::{Content, Problem};
pub use ranking::Ranking;
