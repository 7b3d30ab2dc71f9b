//! What the library promises: a file each.
//! One program runs them all: a program for each costs more to build than its tests to run.

mod biased_marking_is_noticed;
mod every_method;
mod explanations_name_training_rows;
mod factorisation_gives_the_known_answers;
mod hidden_classes_tell_what_is_found;
mod joins_agree_with_a_prover;
mod known_negatives_teach;
mod label_propagation_reaches_the_published_f1;
mod layers;
mod lgn_gives_the_known_answers;
mod naive_bayes_gives_the_known_answers;
mod numbers_of_any_unit;
mod relocc_gives_the_known_answers;
mod same_answer_in_any_order;
mod stopping_gives_the_known_answers;
mod sums_of_any_parts_give_one_model;
mod support;
mod svm_agrees_with_libsvm;
mod tomorrow_is_compared;
mod unsafe_code_is_counted;

#[test]
fn every_file_here_is_run() {
    likewise_testing::every_file_is_a_module(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/promises"));
}
