//! Methods that count words.

pub mod lgn;
pub mod nb;
