//! Labels spread over a graph of alike rows: what LP-PUL and PU-LP do once they have found negatives.
//!
//! Two unknowns a row, how positive and how negative it is, start at its label (0 where it has none) and
//! flow along the edges until they settle:
//!
//! - GFHF (Zhu, Ghahramani & Lafferty 2003): f(i) = sum of w(i,j) f(j) / sum of w(i,j), labelled rows fixed;
//! - LLGC (Zhou et al. 2004): f = a S f + (1 - a) y with S = D^-1/2 W D^-1/2, labelled rows may change.
//!
//! A row is positive where the first exceeds the second; a row that no label reaches is negative.

mod model;
mod spread;

pub use model::SpreadModel;
pub use spread::{Spread, Spreading, spread};
