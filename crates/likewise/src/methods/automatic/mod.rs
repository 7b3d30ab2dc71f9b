//! Methods that choose among methods, or join them.

pub mod auto;
pub mod rank_mean;
