//! What the program promises: a file each. They run the real binary.
//! One program runs them all: a program for each costs more to build than its tests to run.

mod a_pile_beyond_memory_is_ranked;
mod bad_input_is_explained;
mod classes_are_found_together;
mod codes_are_documented;
mod doors_agree;
mod embeddings_make_vectors;
mod evaluate_measures;
mod every_column_at_once;
mod experiments_run;
#[cfg(unix)]
mod faults_leave_nothing_half_written;
mod files_are_looked_at_first;
mod files_as_people_have_them;
mod find_ranks_the_pile;
mod help_is_where_people_look;
#[cfg(unix)]
mod interrupts_stop_the_work;
mod marks_and_cuts;
mod methods_describe_themselves;
mod models_are_kept;
mod models_are_updated;
mod papers_are_rerun;
mod parts_are_scored_one_by_one;
mod paths_exist;
mod prior_is_estimated;
mod readings_are_rehearsed;
mod related_tables_are_ranked;
#[cfg(all(unix, feature = "review"))]
mod review_keeps_what_was_marked;
mod rows_are_probable;
mod same_bytes_on_any_threads;
mod support;
mod the_readme_shows_real_output;
mod the_unexpected_is_found;
mod tomorrow_is_compared;

#[test]
fn every_file_here_is_run() {
    likewise_testing::every_file_is_a_module(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/promises"));
}
