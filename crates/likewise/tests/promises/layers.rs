//! The modules of the library form layers: what stands lower in `lib.rs` may use what stands higher, never the other way.

use std::fs;
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules in the order of `lib.rs`, from bottom to top.
fn layers(lib: &str) -> Vec<String> {
    let module = |line: &str| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_string());
    lib.lines().filter_map(module).collect()
}

/// The text without comments and without what is compiled for tests alone, which may look upwards.
fn of_the_library(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            skip_item(&mut lines);
            continue;
        }
        // Nothing here has `//` inside of a text and a path of modules after it.
        out.push_str(line.split("//").next().unwrap_or_default());
        out.push('\n');
    }
    out
}

/// An item ends with the `;` or the closing bracket that stands where it began.
fn skip_item<'a>(lines: &mut impl Iterator<Item = &'a str>) {
    let Some(first) = lines.find(|line| !line.trim_start().starts_with("#[")) else { return };
    if first.trim_end().ends_with(';') || first.trim_end().ends_with('}') {
        return;
    }
    let indent = first.len() - first.trim_start().len();
    lines.find(|line| line.trim() == "}" && line.len() - line.trim_start().len() == indent);
}

/// The modules named after each `crate::`, those of `crate::{…}` too.
fn used(text: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut out = Vec::new();
    for (at, found) in text.match_indices("crate::") {
        // `$crate` in a macro is this crate as well; `super::crate` is not Rust, `krate::` is another name.
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[at + found.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            out.push(name(rest));
            continue;
        };
        let mut depth = 1;
        let mut start = 0;
        for (end, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if (c == ',' && depth == 1) || depth == 0 {
                out.push(name(&group[start..end]));
                start = end + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    out
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The uses in a file of module `own` that go upwards, or to a module that is not in the list.
fn back_edges(layers: &[String], own: &str, text: &str) -> Vec<String> {
    let place = |module: &str| layers.iter().position(|layer| layer == module);
    // What `lib.rs` gives a short name: `crate::Result`, `crate::Run`.
    let is_module = |name: &String| name.starts_with(|c: char| c.is_lowercase());
    used(&of_the_library(text)).into_iter().filter(is_module).filter(|m| place(m) > place(own)).collect()
}

#[test]
fn no_module_uses_one_above_it() {
    let lib = fs::read_to_string(source().join("lib.rs")).unwrap();
    let layers = layers(&lib);
    assert!(layers.len() > 10, "the list of modules in lib.rs is not read: {layers:?}");
    let mut files = Vec::new();
    rust_files(&source(), &mut files);
    let mut wrong = Vec::new();
    for file in files {
        let inside = file.strip_prefix(source()).unwrap();
        let own = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if own == "lib" {
            continue;
        }
        assert!(layers.iter().any(|layer| layer == own), "`{own}` is not among the modules of lib.rs");
        for upper in back_edges(&layers, own, &fs::read_to_string(&file).unwrap()) {
            wrong.push(format!("{} uses crate::{upper}", inside.display()));
        }
    }
    assert!(wrong.is_empty(), "back edges of the order in lib.rs:\n{}", wrong.join("\n"));
}

#[test]
fn a_back_edge_is_seen_and_tests_may_look_up() {
    let layers = layers("//! Words.\n\npub mod low;\npub mod high;\nmod private;\n\npub use low::Thing;\n");
    assert_eq!(layers, ["low", "high"]);
    let seen = |text: &str| back_edges(&layers, "low", text);
    assert_eq!(seen("use crate::high::Other;\n"), ["high"]);
    assert_eq!(seen("use crate::{low::A, high::{B, C}};\n"), ["high"]);
    assert_eq!(seen("fn f() { $crate::high::g() }\n"), ["high"]);
    assert!(seen("/// See [`crate::high`].\nuse crate::low::A; use crate::Thing;\n").is_empty());
    let test = "#[cfg(test)]\nmod tests {\n    use crate::high::Other;\n    fn f() {\n    }\n}\n";
    assert!(seen(test).is_empty());
    assert_eq!(seen(&format!("{test}use crate::high::Other;\n")), ["high"]);
    assert_eq!(seen("#[cfg(test)]\nuse crate::high::A;\nuse crate::high::B;\n"), ["high"]);
    assert!(back_edges(&layers, "high", "use crate::low::A;\n").is_empty());
}

/// The drawing in CONTRIBUTING.md has the top first, and after the names of a line what they are.
#[test]
fn the_drawing_shows_the_layers() {
    let contributing = include_str!("../../../../CONTRIBUTING.md");
    let section = contributing.split("## The layers").nth(1).expect("a section on the layers");
    let drawing = section.split("```").nth(1).expect("a drawing");
    let names = |line: &'static str| line.trim().split("  ").next().unwrap_or_default().split(", ");
    let mut drawn: Vec<&str> = drawing.lines().filter(|line| !line.is_empty()).flat_map(names).collect();
    drawn.reverse();
    let mut layers = layers(&fs::read_to_string(source().join("lib.rs")).unwrap());
    // What it gathers from all of them is no layer of its own.
    layers.retain(|layer| layer != "prelude");
    assert_eq!(drawn, layers);
}
