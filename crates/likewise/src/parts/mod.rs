//! Steps that several methods share.

pub mod naive_bayes;
