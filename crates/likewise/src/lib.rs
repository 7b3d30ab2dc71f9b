//! Learning from positive and unlabeled examples.
//!
//! One straight road: rows ([`data`]) become numbers ([`features`]), a method ([`methods`]) learns from
//! positives and pile, its scores are decided ([`decide`]) and measured ([`measure`]), and the model is kept
//! ([`model_file`]). Read them in that order. No files, no terminal, no network here: those are doors.

pub mod automatic;
pub mod comparison;
pub mod data;
pub mod decide;
pub mod error;
pub mod features;
pub mod figures;
pub mod measure;
pub mod methods;
pub mod model_file;
pub mod parts;
pub mod prior;
pub mod problem;
pub mod reading;
pub mod recipe;
pub mod relations;
pub mod run;
pub mod simulate;
pub mod stopping;
pub mod truth;
pub mod unexpected;

pub use error::{Error, Result};
pub use run::Run;
