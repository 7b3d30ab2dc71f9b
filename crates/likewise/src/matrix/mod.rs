//! Matrices of rows: [`Csr`] for words and other sparse features, [`Dense`] for numbers, [`Buffer`] for values that
//! are our own or lent.

mod buffer;
mod csr;
mod dense;

pub use buffer::Buffer;
pub use csr::{Csr, CsrBuilder, SparseRow};
pub use dense::Dense;
