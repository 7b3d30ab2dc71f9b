//! Models of the form x·w + b and the solvers that find them, on sparse and dense rows alike.

mod model;
mod rows;

pub use model::LinearModel;
pub use rows::Rows;
