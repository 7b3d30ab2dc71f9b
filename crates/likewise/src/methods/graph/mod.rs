//! Methods that ask which rows are alike.

pub mod knn_nb;
pub mod knn_novelty;
pub mod logistic_smooth;
pub mod lp_pul;
pub mod pseudo;
pub mod pseudo_smooth;
pub mod pu_lp;
