//! Methods that count words.

pub mod apnb;
pub mod lgn;
pub mod nb;
pub mod nb_em;
pub mod onb;
pub mod pnb;
pub mod spy_em;
pub mod spy_nb;
