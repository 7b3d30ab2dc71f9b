//! Kernel support vector machines: C-SVC, ν-SVC, one-class SVM and SVDD on dense and sparse rows.
//!
//! Read `problems` for what is solved, `smo` for how, `rows` for where kernel values come from.

mod cache;
mod kernel;
mod lanes;
mod libsvm_file;
mod margin_model;
mod model;
mod problems;
mod rows;
mod smo;

pub use kernel::Kernel;
pub use libsvm_file::{SvmKind, read_libsvm, write_libsvm};
pub use margin_model::{KernelChoice, MarginModel};
pub use model::KernelModel;
pub use problems::{Ball, NuFit, Svm, SvmFit};
pub use rows::diagonal as own_products;
pub use smo::SmoOptions;
