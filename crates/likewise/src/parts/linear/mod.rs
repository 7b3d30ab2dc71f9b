//! Models of the form x·w + b and the solvers that find them, on sparse and dense rows alike.

mod active;
mod lbfgs;
pub mod logistic;
mod model;
pub mod one_class;
mod pass;
mod rows;
pub mod svm;
pub mod vector;

pub use active::ActiveColumns;
pub use lbfgs::History;
pub use model::LinearModel;
pub use rows::RowView;
