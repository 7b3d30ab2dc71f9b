//! Every target reads its honest files, a number of altered ones that is the same each time, and every case that ever
//! failed. `make fuzz SECONDS=…` goes on where this ends.

use std::path::Path;
use std::sync::Mutex;

use likewise_fuzz::campaign::kept;
use likewise_fuzz::{Answer, Target, case, targets, try_one};
use likewise_testing::choose;

/// Memory and time are counted for the whole process, so one case is read at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// What goes wrong with honest files and with so many altered ones.
fn failures(target: &dyn Target, cases: u64) -> Vec<String> {
    let mut failures = Vec::new();
    for file in target.honest() {
        let read = try_one(target, file);
        if read != Ok(Answer::Given) {
            failures.push(format!("an honest file of {}: {read:?}", target.name()));
        }
    }
    for number in 0..cases {
        if let Err(wrong) = try_one(target, &case(target, 0, number)) {
            failures.push(format!("{}, case {number} of seed 0: {wrong}", target.name()));
        }
    }
    failures
}

fn survive(targets: Vec<Box<dyn Target>>, cases: u64) {
    let _alone = ALONE.lock();
    let failures: Vec<String> = targets.iter().flat_map(|target| failures(target.as_ref(), cases)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn readers() {
    survive(targets::readers(), choose(150, 5_000));
}

#[test]
fn models() {
    survive(targets::models(), choose(40, 2_000));
}

#[test]
fn cases_that_once_failed() {
    let _alone = ALONE.lock();
    let all = targets::all();
    for (name, file) in kept(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")) {
        let target =
            all.iter().find(|target| target.name() == name).unwrap_or_else(|| panic!("no target {name}"));
        let bytes = std::fs::read(&file).unwrap();
        if let Err(wrong) = try_one(target.as_ref(), &bytes) {
            panic!("{}: {wrong}", file.display());
        }
    }
}
