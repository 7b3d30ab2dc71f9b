//! Steps that several methods share.

pub mod binary_rows;
pub mod calibration;
pub mod conformal;
pub mod distance_forest;
pub mod folds;
pub mod isotonic;
pub mod katz;
pub mod knn_graph;
pub mod labelled;
pub mod linear;
pub mod naive_bayes;
pub mod nystrom;
pub mod product;
pub mod propagation;
pub mod pseudo_labels;
pub mod pu_risk;
pub mod reliable_negatives;
pub mod scorer;
pub mod silhouette;
pub mod simplex;
pub mod smoothing;
pub mod space;
pub mod spanning_tree;
pub mod tf_idf;
