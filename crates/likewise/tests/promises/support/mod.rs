//! Real data and known answers as the tests of methods want them.

pub mod relational;
pub mod text_collections;

pub use likewise_testing::{data_file, data_text};

/// A file of known answers.
#[track_caller]
pub fn golden(name: &str) -> serde_json::Value {
    serde_json::from_str(&likewise_testing::golden_text(name)).expect("answers in JSON")
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
