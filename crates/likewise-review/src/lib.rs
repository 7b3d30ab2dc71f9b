//! The page on which a person reads a pile, and is told when to stop.
//!
//! One SQLite file is the project ([`project`]). What is known at any moment is a function of its log of marks
//! ([`session`]). The [`desk`] brings both together with the thread that learns ([`trainer`]) and answers whoever
//! reads: a person's browser ([`http`]) or a program ([`program`]). [`export`] writes what was found.

mod automatic;
mod clock;
pub mod desk;
mod error;
pub mod export;
pub mod http;
mod leases;
mod order;
pub mod program;
pub mod project;
mod random;
pub mod ranking;
pub mod session;
pub mod trainer;

pub use desk::Desk;
pub use error::{Error, Result};
