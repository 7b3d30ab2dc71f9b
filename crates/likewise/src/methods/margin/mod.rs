//! Methods that put a boundary between the positives and the rest.

pub mod bagging;
pub mod biased_svm;
pub mod elkan_noto;
pub mod elkan_noto_weighted;
pub mod logistic;
pub mod nnpu;
pub mod upu;
pub mod weighted_logistic;
