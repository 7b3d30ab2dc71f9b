//! What the README and the guide show below a `$ …` is what that command prints.
//!
//! Each document has a folder of its own with the files of `docs/guide/examples`, the kept `docs/results` and the built-in
//! sample as `helpdesk.jsonl`; its commands run there one after the other. A line `…` stands for lines that are left out.
//! `LIKEWISE_UPDATE=1` writes what is printed now into the documents instead of comparing.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::Folder;

const SAMPLE: &str = include_str!("../../sample/helpdesk.jsonl");
const LEFT_OUT: &str = "…";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README and every chapter.
fn documents() -> Vec<PathBuf> {
    let chapters = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("guide")).expect("the guide");
    let mut found: Vec<PathBuf> = chapters.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|end| end == "md"));
    found.push(root().join("README.md"));
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the examples") {
        let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.as_ref().unwrap().file_name()));
        if from.is_dir() {
            std::fs::create_dir(&to).unwrap();
            copy(&from, &to);
        } else {
            std::fs::copy(&from, &to).unwrap();
        }
    }
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("helpdesk.jsonl", SAMPLE);
    copy(&root().join("docs/guide/examples"), &folder.path(""));
    std::fs::create_dir_all(folder.path("docs/results")).unwrap();
    copy(&root().join("docs/results"), &folder.path("docs/results"));
    folder
}

/// What a shell in this folder shows of `command`, both streams in their order.
fn printed(folder: &Folder, command: &str) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_likewise")).parent().expect("a folder").to_path_buf();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(program).chain(std::env::split_paths(&paths))).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1; {command}")]).env("PATH", path).current_dir(folder.path(""));
    let ran = shell.output().expect("a shell");
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    assert!(ran.status.success(), "{command}\n{text}");
    text.lines().map(str::to_string).collect()
}

/// The lines printed, without those that the document leaves out.
fn as_shown(shown: &[&str], printed: &[String]) -> Vec<String> {
    let Some(at) = shown.iter().position(|line| *line == LEFT_OUT) else { return printed.to_vec() };
    let after = shown.len() - at - 1;
    assert!(at + after <= printed.len(), "more is shown than printed:\n{}", printed.join("\n"));
    let mut lines = printed[..at].to_vec();
    lines.push(LEFT_OUT.into());
    lines.extend_from_slice(&printed[printed.len() - after..]);
    lines
}

/// The document as it should be, and how many commands it shows.
fn rewritten(text: &str) -> (String, usize) {
    let folder = folder();
    let (mut out, mut commands) = (Vec::<String>::new(), 0);
    let mut lines = text.lines().peekable();
    let mut in_block = false;
    while let Some(line) = lines.next() {
        out.push(line.into());
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        }
        let Some(first) = line.strip_prefix("$ ").filter(|_| in_block) else { continue };
        let mut command = first.to_string();
        while command.ends_with('\\') {
            let more = lines.next().expect("a command ends");
            out.push(more.into());
            command = format!("{}{}", command.trim_end_matches('\\'), more.trim_start());
        }
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("```") && !line.starts_with("$ ")) {
            shown.push(line);
        }
        commands += 1;
        // Output that begins or ends with a blank line is shown without it.
        let printed = printed(&folder, &command);
        let blank = |line: &&String| line.trim().is_empty();
        let start = printed.iter().take_while(blank).count();
        let end = printed.len() - printed[start..].iter().rev().take_while(blank).count();
        out.extend(as_shown(&shown, &printed[start..end]));
    }
    (out.join("\n") + "\n", commands)
}

#[test]
fn commands_print_what_the_readme_and_the_guide_show() {
    let mut wrong = Vec::new();
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (now, commands) = rewritten(&text);
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(commands > 0 || name != "README.md", "the README shows no command");
        if now == text {
            continue;
        }
        if std::env::var_os("LIKEWISE_UPDATE").is_some() {
            std::fs::write(&path, now).unwrap();
            continue;
        }
        let differing = text.lines().zip(now.lines()).find(|(shown, printed)| shown != printed);
        let (shown, printed) = differing.unwrap_or(("its end", "another one"));
        wrong.push(format!("{name} shows\n    {shown}\nwhere the program prints\n    {printed}"));
    }
    assert!(
        wrong.is_empty(),
        "{}\nRun this test with LIKEWISE_UPDATE=1 to write what is printed now.",
        wrong.join("\n")
    );
}
