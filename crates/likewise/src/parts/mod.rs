//! Steps that several methods share.

pub mod linear;
pub mod naive_bayes;
