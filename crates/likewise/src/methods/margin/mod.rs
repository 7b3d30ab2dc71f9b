//! Methods that put a boundary between the positives and the rest.

pub mod bagging;
pub mod biased_svm;
pub mod logistic;
pub mod weighted_logistic;
