//! A kept model scores and explains as it did before, streams, and survives no damage.

use crate::support::Folder;

fn with_model() -> Folder {
    let folder = Folder::with_messages();
    folder.run("find --like like.jsonl --in pile.jsonl --method logistic --output ranked.jsonl --model refunds.model").ok();
    folder
}

#[test]
fn scores_of_a_loaded_model_are_those_before_saving() {
    let folder = with_model();
    let scored = folder.run("score refunds.model --in pile.jsonl").ok().out;
    let score = |line: &str| line.split("\"score\":").nth(1).unwrap().to_string();
    let mut before: Vec<String> = folder.read("ranked.jsonl").lines().map(score).collect();
    let mut after: Vec<String> = scored.lines().map(score).collect();
    before.sort();
    after.sort();
    assert_eq!(before, after);
}

#[test]
fn a_model_that_keeps_rows_says_so() {
    let folder = with_model();
    let find = "find --like like.jsonl --in pile.jsonl --model kept.model --output kept.csv --method";
    let ran = folder.run(&format!("{find} lp-pul")).ok();
    assert!(ran.err.contains("the model keeps 11 of the rows it learned from"), "{}", ran.err);
    assert!(!folder.run(&format!("{find} nb")).ok().err.contains("model keeps"));
    let said = |method: &str| folder.run(&format!("methods {method}")).ok().out;
    assert!(said("lp-pul").contains("its model keeps the rows it learned from\n"), "{}", said("lp-pul"));
    assert!(said("nb").contains("its model keeps no row it learned from\n"), "{}", said("nb"));
}

#[test]
fn rows_stream_in_their_order() {
    let folder = with_model();
    let rows: String = (0..200_000).map(|i| format!("{{\"text\":\"refund number {i}\"}}\n")).collect();
    let ran = folder.run_with_input("score refunds.model --in - --format jsonl --output big.csv", &rows).ok();
    assert!(ran.err.contains("Scored 200,000 rows"), "{}", ran.err);
    let written = folder.read("big.csv");
    assert_eq!(written.lines().count(), 200_001);
    assert!(written.lines().last().unwrap().starts_with("200000,"));
}

#[test]
fn words_are_named_as_reasons() {
    let folder = with_model();
    let ran = folder.run("explain refunds.model --in pile.jsonl --id m2").ok();
    assert!(ran.out.starts_with("m2: score 0.") && ran.out.contains("refund"), "{}", ran.out);
    let json = folder.run("explain refunds.model --in pile.jsonl --id m2 --json").ok().out;
    assert!(json.contains("\"reason\": \"refund\""), "{json}");
    folder.run("explain refunds.model --in pile.jsonl --id m99").failed(1, &["no row has the id `m99`"]);
    folder.run("explain refunds.model --id m2").failed(2, &["--id needs --in"]);
}

#[test]
fn a_model_says_what_it_looks_for() {
    let folder = with_model();
    let ran = folder.run("explain refunds.model --top 3").ok();
    assert!(ran.out.contains("logistic") && ran.out.contains("refund"), "{}", ran.out);
    let find = "find --like like.jsonl --in pile.jsonl --output ranked.jsonl --model other.model";
    folder.run(&format!("{find} --method nmfpul --set topics=2")).ok();
    let json = folder.run("explain other.model --top 1 --json").ok().out;
    assert!(json.contains("\"method\": \"nmfpul\"") && json.contains("\"reason\": \"refund\""), "{json}");
    folder.run(&format!("{find} --method nearest")).ok();
    assert!(folder.run("explain other.model").ok().out.contains("ask about a row"));
}

#[test]
fn a_damaged_or_foreign_file_is_refused() {
    let folder = with_model();
    let good = std::fs::read(folder.path("refunds.model")).unwrap();
    let mut bad = good.clone();
    let middle = bad.len() / 2;
    bad[middle] ^= 0x10;
    std::fs::write(folder.path("bad.model"), &bad).unwrap();
    folder.run("score bad.model --in pile.jsonl").failed(1, &["bad.model", "damaged"]);
    std::fs::write(folder.path("short.model"), &good[..good.len() - 9]).unwrap();
    folder.run("score short.model --in pile.jsonl").failed(1, &["short.model", "damaged"]);
    folder.write("foreign.model", "this is no model at all, only some words");
    folder
        .run("score foreign.model --in pile.jsonl")
        .failed(1, &["foreign.model", "not a usable model file"]);
    folder.run("score none.model --in pile.jsonl").failed(1, &["none.model"]);
}

/// Standard input stays open and empty-handed, as when a user waits at a terminal.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_half_written_file() {
    let folder = with_model();
    let before = folder.files();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_likewise"))
        .args(["score", "refunds.model", "--in", "-", "--format", "jsonl", "--output", "scored.csv"])
        .current_dir(folder.path("."))
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    use std::io::Write;
    let mut input = child.stdin.take().unwrap();
    let row = "{\"text\":\"refund of a rather long message about money\"}\n";
    input.write_all(row.repeat(100_000).as_bytes()).unwrap();
    while folder.files() == before {
        assert!(child.try_wait().unwrap().is_none(), "it should wait for more rows");
        std::thread::yield_now();
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(folder.files(), before);
}
