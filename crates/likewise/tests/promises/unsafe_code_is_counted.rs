//! Every place of `unsafe` in the repository is known here and says why it is sound; a new one is noticed.

use std::fs;
use std::path::{Path, PathBuf};

/// Files with their lines of code that say `unsafe`.
const KNOWN: &[(&str, usize)] = &[
    // The caller's promise that lent memory outlives its lender, and a test that makes it.
    ("crates/likewise/src/matrix/buffer.rs", 6),
    // Strides walk exactly the elements whose number was checked.
    ("crates/likewise/src/parts/product.rs", 1),
    // Loops compiled for instructions that the processor was seen to have.
    ("crates/likewise/src/parts/svm/lanes.rs", 1),
    ("crates/likewise/src/parts/nmf/batch.rs", 1),
    ("crates/likewise/src/parts/nmf/avx2.rs", 3),
    // Arrow's C stream interface, and a test of it.
    ("crates/likewise-io/src/arrow/stream.rs", 2),
    // Arrays of Python, and its capsules of Arrow streams.
    ("crates/likewise-python/src/rows.rs", 2),
    // A number of the allocator.
    ("crates/likewise-cli/src/main.rs", 1),
    // A signal that is ignored.
    ("crates/likewise-cli/src/signals.rs", 1),
    // Tests and races that lend memory.
    ("crates/likewise/benches/fit_rows.rs", 1),
    ("crates/likewise/tests/promises/every_method.rs", 3),
    // An allocator that counts.
    ("fuzz/src/watch.rs", 5),
];

/// How far above a line its reason may stand.
const REASON_ABOVE: usize = 8;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Whether the line says it in code, and not in a comment, a text or the name of a lint.
fn says_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or("");
    code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '"').any(|word| word == "unsafe")
}

#[test]
fn every_place_is_known_and_says_why() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    ["crates", "fuzz"].iter().for_each(|folder| sources(&root.join(folder), &mut files));
    let mut found: Vec<(String, usize)> = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let places: Vec<usize> = (0..lines.len()).filter(|&at| says_unsafe(lines[at])).collect();
        for &at in &places {
            let above = &lines[at.saturating_sub(REASON_ABOVE)..at];
            let reason = above.iter().any(|line| line.contains("SAFETY:") || line.contains("# Safety"));
            assert!(reason, "{}:{}: no reason why this is sound", path.display(), at + 1);
        }
        if !places.is_empty() {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            found.push((name, places.len()));
        }
    }
    found.sort();
    let mut known: Vec<(String, usize)> = KNOWN.iter().map(|(name, n)| (name.to_string(), *n)).collect();
    known.sort();
    assert_eq!(found, known, "the places have changed");
}
