//! How good an answer is: with the truth at hand.

mod truth;

pub use truth::{
    Confusion, TruthReport, area_under_precision_recall, area_under_roc, average_precision, constant_answers,
    report,
};
