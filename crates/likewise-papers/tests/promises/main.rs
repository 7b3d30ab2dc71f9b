//! What the papers' experiments keep to: a file each.
//! One program runs them all: a program for each costs more to build than its tests to run.

mod a_larger_pile_never_ranks_worse;
mod automatic_choice_keeps_its_level;
mod onb_systems_keep_their_level;
mod onb_tasks_give_the_known_answers;
mod relocc_keeps_its_level;
mod svmc_keeps_its_level;

#[test]
fn every_file_here_is_run() {
    likewise_testing::every_file_is_a_module(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/promises"));
}
