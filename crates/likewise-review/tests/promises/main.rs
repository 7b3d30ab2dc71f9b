//! What the page and its project file promise: a file each.
//! One program runs them all: a program for each costs more to build than its tests to run.

#[cfg(unix)]
mod a_program_reads;
mod many_tabs_mark_at_once;
mod marks_are_kept;
mod projects_are_opened_with_care;
mod requests_are_guarded;
mod support;

#[test]
fn every_file_here_is_run() {
    likewise_testing::every_file_is_a_module(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/promises"));
}
