//! How good an answer is: with the truth at hand, and without.

mod labelled;
mod truth;
mod wilson;
mod without_truth;

pub use labelled::{
    Called, Labelled, Measured, area_under_lift, corrected_area_under_roc, estimated_average_precision,
    report_labelled, share_of_all,
};
pub use truth::{
    Confusion, TruthReport, area_under_precision_recall, area_under_roc, average_precision,
    calibration_error, constant_answers, reliability, report,
};
pub use wilson::{OF_95_PERCENT, wilson};
pub use without_truth::{
    estimated_f1, estimated_precision, recall_squared_at_zero, recall_squared_per_accepted, recall_within,
};
