//! Every path that CONTRIBUTING.md names exists, so that whoever follows it arrives.

use std::path::Path;

/// What stands for a name that the reader chooses.
const CHOSEN: [&str; 3] = ["NAME", "<idea>", "new.json"];
/// Where paths of a layer begin that are named without their folder.
const ROOTS: [&str; 9] = [
    "",
    "crates/likewise/src",
    "crates/likewise/tests",
    "crates/likewise",
    "crates/likewise/src/methods",
    "crates/likewise-review",
    "crates/likewise-review/src",
    "crates/likewise-cli/src",
    "crates",
];
/// Made by the commands that stand beside them, or outside of the repository.
const MADE: [&str; 3] = ["dist", "python/.venv/bin/python", "../shared/data"];

fn is_path(word: &str) -> bool {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    plain && (word.contains('/') || [".rs", ".md", ".py", ".json"].iter().any(|end| word.ends_with(end)))
}

#[test]
fn every_path_that_contributing_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    // Within a line of a table, files after the first are in its folder.
    let (mut named, mut missing) = (0, Vec::new());
    for line in text.lines() {
        let mut folder = String::new();
        for word in line.split('`').skip(1).step_by(2).filter(|word| is_path(word)) {
            let beside = root.join(&folder).join(word);
            folder = word.rsplit_once('/').map_or(folder, |(folder, _)| folder.to_string());
            if CHOSEN.iter().any(|chosen| word.contains(chosen)) || MADE.contains(&word) {
                continue;
            }
            named += 1;
            let places = ROOTS.iter().map(|place| root.join(place).join(word));
            if !places.chain([beside]).any(|path| path.exists()) {
                missing.push(format!("{word}  in: {line}"));
            }
        }
    }
    assert!(named > 30 && missing.is_empty(), "{named} paths, missing:\n{}", missing.join("\n"));
}
