//! Methods that put a boundary between the positives and the rest.

pub mod bagging;
pub mod biased_svm;
pub mod elkan_noto;
pub mod elkan_noto_weighted;
pub mod logistic;
pub mod logistic_spared;
pub mod nnpu;
pub mod ocsvm;
pub mod pebl;
pub mod rc_svm;
pub mod roc_svm;
pub mod smc;
pub mod spy_svm;
pub mod supervised;
pub mod svdd;
pub mod svm_nn;
pub mod svmc;
pub mod upu;
pub mod weighted_logistic;
