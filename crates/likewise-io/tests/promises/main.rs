//! What reading and writing promise: a file each.
//! One program runs them all: a program for each costs more to build than its tests to run.

mod batches_and_packing_change_nothing;
mod files_appear_whole;
mod hidden_examples_leave_no_trace;
#[cfg(all(feature = "postgres", unix))]
mod postgres_is_read;
mod reads_what_others_read;
mod real_data;
mod related_tables_are_read;
mod related_tables_keep_their_schema;
mod rules_run_as_sql;
mod tables_as_people_have_them;
mod what_is_written_reads_back;

#[test]
fn every_file_here_is_run() {
    likewise_testing::every_file_is_a_module(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/promises"));
}
