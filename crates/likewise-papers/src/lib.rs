//! The papers' experiments, rerun on real data.
//!
//! One module a paper: its tasks, its protocol, its tables with what the paper prints. Each gives a list of
//! [`Cell`]s, which any door can print, write or compare; [`lab`] runs the trials, [`data`] finds and reads
//! the data sets. No method lives here.

pub mod automatic;
pub mod collection;
mod contestants;
pub mod data;
mod error;
pub mod lab;
pub mod lgn;
pub mod marks;
pub mod nmfpul;
pub mod onb;
mod paper;
pub mod pile_size;
pub mod prior;
pub mod ranking;
pub mod relocc;
pub mod review;
pub mod show;
pub mod svmc;
pub mod tables;
pub mod tomorrow;
pub mod vectors;

pub use error::{Error, Result};
pub use lab::{Extent, Lab};
pub use paper::{Cell, Claim, Numbers, Paper, PaperTable, mean_and_sd};

/// Every paper, in the order of the command's help.
pub const PAPERS: &[&Paper] = &[
    &lgn::PAPER,
    &relocc::PAPER,
    &nmfpul::PAPER,
    &nmfpul::topics::PAPER,
    &svmc::PAPER,
    &onb::PAPER,
    &ranking::PAPER,
    &automatic::PAPER,
    &prior::PAPER,
    &pile_size::PAPER,
    &review::PAPER,
    &vectors::PAPER,
    &marks::PAPER,
    &tomorrow::PAPER,
    &tables::PAPER,
];
