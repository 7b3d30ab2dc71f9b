//! Methods that walk from neighbour to neighbour.

pub mod logistic_smooth;
pub mod pseudo;
pub mod pseudo_smooth;
