//! Trees on the columns of a table as they are.

pub mod forest;
