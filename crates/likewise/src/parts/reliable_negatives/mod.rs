//! Rows of the pile that are surely negative: the first step of every two-step method.

pub mod clusters;
pub mod one_dnf;
pub mod rocchio;
pub mod spies;
