//! The Rust side of the Python package: arrays in, arrays out, the interpreter lock released in between.
//!
//! `rows` reads what Python gives, `running` runs the work so that Ctrl-C and progress stay alive, `model` is a
//! trained recipe, `tables` asks questions of whole tables, `related` learns from several that refer to each other.
//! No logic of learning lives here.

mod errors;
mod model;
mod registry;
mod related;
mod rows;
mod running;
mod tables;

use pyo3::prelude::*;

/// The same command line as the `likewise` program; returns its exit code.
#[pyfunction]
fn command_line(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| likewise_cli::run(arguments))
}

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::command_line;
    #[pymodule_export]
    use crate::model::{Model, fit, load, margins};
    #[pymodule_export]
    use crate::registry::methods;
    #[pymodule_export]
    use crate::related::{Related, explain_related, fit_related, paths_related, score_related};
    #[pymodule_export]
    use crate::running::Settings;
    #[pymodule_export]
    use crate::tables::{evaluate, find, prior_of_rows, prior_of_scores, prior_of_tables, unexpected};

    #[allow(non_upper_case_globals)]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
