//! Models of the form x·w + b and the solvers that find them, on sparse and dense rows alike.

mod active;
mod lbfgs;
pub mod logistic;
mod model;
mod pass;
mod rows;
mod vector;

pub use active::ActiveColumns;
pub use model::LinearModel;
pub use rows::Rows;
