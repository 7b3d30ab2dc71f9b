//! Methods that put a boundary between the positives and the rest.

pub mod bagging;
pub mod logistic;
