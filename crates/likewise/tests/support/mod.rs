//! Where tests find real data and known answers, and how they say that these are absent.
#![allow(dead_code)] // each test file uses its part

pub mod relational;
pub mod text_collections;

use std::path::PathBuf;

/// The folder with the public data sets: `LIKEWISE_DATA`, or `../shared/data` beside the repository.
pub fn data_folder() -> PathBuf {
    std::env::var_os("LIKEWISE_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    )
}

/// A data file, or a visible line saying that the test was skipped without it.
pub fn data_file(path: &str) -> Option<PathBuf> {
    present(data_folder().join(path))
}

/// A file of known answers, which lie in `golden` beside the data.
pub fn golden(name: &str) -> Option<serde_json::Value> {
    let path = present(data_folder().join("../golden").join(name))?;
    let text = std::fs::read_to_string(&path).expect("a readable golden file");
    Some(serde_json::from_str(&text).expect("a golden file in JSON"))
}

/// The text of a data file, unpacked.
pub fn unpacked(path: &str) -> Option<String> {
    let bytes = std::fs::read(data_file(path)?).unwrap();
    use std::io::Read;
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    Some(text)
}

fn present(path: PathBuf) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    // Written past the test harness, which would swallow it: a skipped test must be seen.
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "skipped: {} is not there", path.display());
    None
}

/// The numbers of a JSON list, however deep the lists are nested.
pub fn numbers(value: &serde_json::Value) -> Vec<f64> {
    match value {
        serde_json::Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

#[track_caller]
pub fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{what}, element {i}: {a} instead of {b}");
    }
}
