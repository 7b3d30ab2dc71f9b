//! One file a command.

pub mod audit;
pub mod compare;
pub mod data;
pub mod evaluate;
pub mod explain;
pub mod features;
pub mod find;
pub mod methods;
pub mod prior;
pub mod reproduce;
#[cfg(feature = "review")]
pub mod review;
pub mod sample;
pub mod schema;
pub mod score;
pub mod simulate;
pub mod unexpected;
