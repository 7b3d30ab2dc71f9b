//! Reports as one HTML file that opens offline: light and dark, readable on a phone.
//!
//! [`page`] is the frame and its style, [`chart`] draws inline SVG, [`find`] is the report of an automatic answer,
//! `reproduce` (feature `papers`) that of the papers rerun.

pub mod chart;
pub mod find;
pub mod page;
#[cfg(feature = "papers")]
pub mod reproduce;
