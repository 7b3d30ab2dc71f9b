//! The Rust side of the Python package: arrays in, arrays out, the interpreter lock released in between.
//!
//! `rows` reads what Python gives, `running` runs the work so that Ctrl-C and progress stay alive, `model` is a
//! trained model, `questions` asks them of whole tables, `related` learns from several that refer to each other,
//! `wording` and `errors` say what the library says in Python's words. No logic of learning lives here.

mod errors;
mod kept;
mod model;
mod only_text;
mod questions;
mod registry;
mod related;
mod rows;
mod running;
mod summary;
mod wording;

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
    use crate::questions::audit::{audit, audit_related};
    #[pymodule_export]
    use crate::questions::classes::find_classes;
    #[pymodule_export]
    use crate::questions::compare::{compare, compare_related};
    #[pymodule_export]
    use crate::questions::count::{Counting, PartCounts, merge_counts};
    #[pymodule_export]
    use crate::questions::evaluate::{draw_to_read, evaluate, evaluate_beside_truth, evaluate_marks};
    #[pymodule_export]
    use crate::questions::find::{Answer, find};
    #[pymodule_export]
    use crate::questions::look::look;
    #[pymodule_export]
    use crate::questions::prior::{prior_of_scores, prior_of_tables, prior_related};
    #[pymodule_export]
    use crate::questions::rehearse::rehearse;
    #[pymodule_export]
    use crate::questions::sampled::{Learned, PartRanker, learn_from_sample, sample_keys};
    #[pymodule_export]
    use crate::questions::simulate::simulate;
    #[pymodule_export]
    use crate::questions::unexpected::unexpected;
    #[pymodule_export]
    use crate::questions::update::update;
    #[pymodule_export]
    use crate::registry::{check_method, methods};
    #[pymodule_export]
    use crate::related::{Related, explain_related, fit_related, paths_related, score_related};
    #[pymodule_export]
    use crate::running::Settings;
    #[pymodule_export]
    use crate::summary::Summary;
    #[pymodule_export]
    use crate::wording::{columns_replaced, word};

    #[pymodule_export]
    const SAMPLE: usize = likewise::questions::sample::USUAL_SAMPLE;
    #[allow(non_upper_case_globals)]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
