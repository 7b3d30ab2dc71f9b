//! A distance between relational examples, learned as a forest of first-order trees
//! (Khot, Natarajan & Shavlik 2014).
//!
//! D(x, y) = Σ_i beta_i d_i(x, y) (Eq. 1) and P(y ∉ L) = Σ_j alpha_j D(x_j, y) (Eq. 2), with d_i the
//! distance of two leaves of tree i. Once learned, P is one look-up in each tree.

mod learn;
mod model;
mod weights;

pub use learn::{Learned, LocalError, Sampling, Settings, Threshold, learn};
pub use model::ForestModel;
pub use weights::{Gradient, Weighted};
