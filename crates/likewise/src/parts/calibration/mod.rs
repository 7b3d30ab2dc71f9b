//! From margins to probabilities: within [0, 1], and never falling as the margin rises.

mod inside;
mod platt;

pub use inside::InsideShare;
pub use platt::Platt;
