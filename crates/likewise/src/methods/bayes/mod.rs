//! Methods that count words.

pub mod nb;
