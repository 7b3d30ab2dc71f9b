//! Methods that ask how near a row lies to the positives.

pub mod nearest_mean;
pub mod nearest_positive;
pub mod prototype;
mod rejection;
pub mod rocchio;
