//! Rows of the pile that are surely negative: the first step of every two-step method.

pub mod spies;
