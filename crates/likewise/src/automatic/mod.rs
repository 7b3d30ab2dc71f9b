//! Chooses a method, a cut and its own doubts from positives and pile alone.
//!
//! Positives are hidden in the pile, fold by fold, while candidates learn ([`hidden_folds`]); where each candidate ranks
//! them tells how many positives the pile holds ([`crate::prior`]), which candidate ranks best ([`criteria`]),
//! where to cut, and how much of the class the cut lets through, with an interval ([`intervals`]). A pile that is
//! mostly positive is another question, a search for the unexpected, and takes another route. [`crate::method::Summary`] says
//! it all in words.

mod apart;
pub mod auto;
mod blocks;
pub mod candidates;
pub mod certainty;
pub mod criteria;
pub mod hidden_folds;
pub mod intervals;
pub mod left_out;
pub mod random_draw;
pub mod rank_mean;
mod smoothness;
mod view;
mod voices;
mod weighed;
pub mod whole_pile;

pub use candidates::Candidate;
pub use hidden_folds::HiddenFolds;

use crate::data::Kind;
use crate::error::Result;
use crate::method::{Entry, Method, registered};
use crate::methods;
use crate::parts::nystrom::LANDMARKS;

/// The methods that choose among others.
pub static ALL: &[&dyn Entry] = registered![auto::Auto, rank_mean::RankMean];

/// The name of the automatic choice.
pub const AUTO: &str = auto::Auto::SPEC.name;

/// What the automatic choice takes for a row of this kind beside a multiple of the row itself, in bytes: the map of numbers
/// has one for each landmark, and is there twice while a fold is learned from.
pub const fn bytes_a_row(kind: Kind) -> usize {
    match kind {
        Kind::Dense => 2 * LANDMARKS * size_of::<f32>(),
        _ => 0,
    }
}

/// Any method, these too.
fn find(name: &str) -> Result<&'static dyn Entry> {
    methods::named(ALL.iter().chain(methods::ALL).copied(), name)
}
