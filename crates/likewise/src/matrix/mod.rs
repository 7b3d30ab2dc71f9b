//! Matrices of rows: [`Csr`] for words and other sparse features, [`Dense`] for numbers, [`Buffer`] for values that
//! are our own or lent.

mod buffer;
mod csr;
mod dense;
mod field;

pub use buffer::Buffer;
pub use csr::{Csr, CsrBuilder, SparseRow};
pub use dense::Dense;
pub use field::{Field, MISSING};
