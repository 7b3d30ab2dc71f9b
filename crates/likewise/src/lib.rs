//! Learning from positive and unlabeled examples.
//!
//! One straight road: rows ([`data`]) become numbers ([`features`]), a method ([`methods`]) learns from
//! positives and pile, its scores are decided ([`decide`]) and measured ([`measure`]), and the model is kept
//! ([`model_file`]). Read them in that order. No files, no terminal, no network here: those are doors.

pub mod automatic;
pub mod codes;
pub mod data;
pub mod decide;
pub mod error;
pub mod features;
pub mod figures;
pub mod matrix;
pub mod measure;
pub mod message;
pub mod method;
pub mod methods;
pub mod model_file;
pub mod note;
pub mod parts;
pub mod prior;
pub mod questions;
pub mod registry;
pub mod relations;
pub mod run;
pub mod table;
pub mod trained;

pub use error::{Error, Result};
pub use run::Run;
