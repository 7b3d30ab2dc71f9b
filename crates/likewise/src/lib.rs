//! Learning from positive and unlabeled examples.
//!
//! One straight road: rows ([`data`]) become numbers ([`features`]), a method ([`methods`]) learns from
//! positives and pile, its scores are decided ([`decide`]) and measured ([`measure`]), and the model is kept
//! ([`model_file`]). Read them in that order. No files, no terminal, no network here: those are doors.

// The layers, from bottom to top: a module uses only those above its line. `tests/layers.rs` reads this list.
pub mod codes;
pub mod message;
pub mod note;
pub mod error;
pub mod figures;
pub mod run;
pub mod matrix;
pub mod table;
pub mod relations;
pub mod data;
pub mod model_file;
pub mod decide;
pub mod method;
pub mod features;
pub mod parts;
pub mod measure;
pub mod prior;
pub mod methods;
pub mod automatic;
pub mod registry;
pub mod problem;
pub mod recipe;
pub mod truth;
pub mod comparison;
pub mod simulate;
pub mod unexpected;

pub use error::{Error, Result};
pub use run::Run;
