//! What the tests of every crate share: where real data and known answers lie, how an absence is said, and how much
//! is run.

use std::fmt::Display;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The folder with the public data sets: `LIKEWISE_DATA`, or `../shared/data` beside the repository.
fn data_folder() -> PathBuf {
    std::env::var_os("LIKEWISE_DATA").map_or_else(|| beside("../../../shared/data"), PathBuf::from)
}

/// What `LIKEWISE_DATA` says where somebody knows that the data are not there, as on a machine of others.
const NO_DATA: &str = "none";

/// A file of the data sets, or with an empty name their folder; none, said as [`missing_data`] says it, where it is
/// absent, and where only small tests run.
pub fn data_file(name: &str) -> Option<PathBuf> {
    if size() == Size::Small {
        skipped(format!("real data ({name}), because LIKEWISE_TESTS=small"));
        return None;
    }
    let path = data_folder().join(name);
    if path.exists() {
        return Some(path);
    }
    missing_data(format!("{} is not there; LIKEWISE_DATA names the folder of the data sets", path.display()));
    None
}

/// The text of a packed data file.
pub fn data_text(name: &str) -> Option<String> {
    Some(unpacked(&data_file(name)?))
}

/// Says that a test does nothing because its data are absent. With `CI=true` that is a failure, unless `LIKEWISE_DATA` is
/// `none`: whoever relies on the answer does not read what was skipped.
#[track_caller]
pub fn missing_data(what: impl Display) {
    let said = |name: &str| std::env::var(name).ok();
    let must = data_must_be_there(said("CI").as_deref(), said("LIKEWISE_DATA").as_deref());
    assert!(!must, "CI=true, and {what}; where that is known, LIKEWISE_DATA=none says so");
    skipped(what);
}

fn data_must_be_there(ci: Option<&str>, data: Option<&str>) -> bool {
    ci == Some("true") && data != Some(NO_DATA)
}

/// A visible line: a test does nothing here.
pub fn skipped(why: impl Display) {
    // Written past the test harness, which would swallow it.
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// A file of known answers. They belong to the repository, so an absent one is a failure.
#[track_caller]
pub fn golden(name: &str) -> PathBuf {
    let path = beside("../likewise/tests/golden").join(name);
    assert!(path.exists(), "the known answers {} are not there", path.display());
    path
}

/// The text of a file of known answers, unpacked where it is packed.
#[track_caller]
pub fn golden_text(name: &str) -> String {
    let path = golden(name);
    if name.ends_with(".gz") {
        unpacked(&path)
    } else {
        std::fs::read_to_string(path).expect("readable answers")
    }
}

/// How much the tests run: `LIKEWISE_TESTS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// `small`, as in `make check`: nothing on real data.
    Small,
    /// As in `make test`: real data, with the fewest trials that still tell.
    Usual,
    /// `full`, as in `make test-full`: as many trials as the papers ran.
    Full,
}

pub fn size() -> Size {
    size_named(std::env::var("LIKEWISE_TESTS").ok().as_deref())
}

fn size_named(name: Option<&str>) -> Size {
    match name {
        None | Some("") => Size::Usual,
        Some("small") => Size::Small,
        Some("full") => Size::Full,
        Some(other) => panic!("LIKEWISE_TESTS={other}; give small or full, or leave it out"),
    }
}

/// One of two numbers, by size.
pub fn choose<T>(usual: T, full: T) -> T {
    if size() == Size::Full { full } else { usual }
}

/// A file of tests that `main.rs` beside it does not name would never run, and nobody would see it.
#[track_caller]
pub fn every_file_is_a_module(folder: &str) {
    let main = std::fs::read_to_string(Path::new(folder).join("main.rs")).expect("a list of modules");
    let named = |name: &str| main.lines().any(|line| line == format!("mod {name};"));
    for entry in std::fs::read_dir(folder).expect("a folder of tests") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a plain name");
        assert!(name == "main" || named(name), "{} is not in main.rs", path.display());
    }
}

fn beside(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn unpacked(path: &Path) -> String {
    let file = std::fs::File::open(path).expect("a readable file");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip and UTF-8");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_true_makes_absent_data_a_failure() {
        assert!(data_must_be_there(Some("true"), None) && data_must_be_there(Some("true"), Some("data")));
        assert!(!data_must_be_there(Some("true"), Some(NO_DATA)));
        assert!([None, Some(""), Some("false")].iter().all(|ci| !data_must_be_there(*ci, None)));
    }

    #[test]
    fn a_size_has_a_name() {
        assert_eq!([None, Some("")].map(size_named), [Size::Usual; 2]);
        assert_eq!([Some("small"), Some("full")].map(size_named), [Size::Small, Size::Full]);
        assert!(std::panic::catch_unwind(|| size_named(Some("large"))).is_err());
    }

    #[test]
    #[should_panic(expected = "known answers")]
    fn absent_answers_are_a_failure() {
        golden("nothing.json");
    }

    #[test]
    fn packed_answers_are_unpacked() {
        assert!(golden_text("relocc/coverage_uwcse_area1.tsv.gz").lines().count() > 1);
        assert!(golden_text("lgn-toy.json").starts_with('{'));
    }
}
