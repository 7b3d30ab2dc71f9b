//! The page of codes is what the program prints.

use std::process::Command;

use serde_json::Value;

use crate::support::Folder;

#[test]
fn the_page_of_codes_is_made_by_the_program() {
    let out = Command::new(env!("CARGO_BIN_EXE_likewise")).arg("codes").output().unwrap();
    assert!(out.status.success());
    let page = include_str!("../../../../docs/codes.md");
    assert_eq!(
        String::from_utf8(out.stdout).unwrap(),
        page,
        "make it anew: cargo run -- codes > docs/codes.md"
    );
    assert_eq!(page.matches("\n| `").count(), likewise::codes::ALL.len());
}

#[test]
fn errors_of_an_answer_in_json_are_json() {
    let folder = Folder::with_messages();
    folder.write("all.csv", "text,label,a\nred,yes,1\nblue,yes,2\n");
    folder.write("some.csv", "text,label,a\nred,yes,1\nblue,no,2\n");
    let problem = "--like like.jsonl --in pile.jsonl --json";
    for (line, exit, code, field) in [
        (format!("audit {problem} --text txt"), 1, "no-such-column", Some(("column", "txt"))),
        (format!("prior {problem} --rankers lg"), 2, "unknown-method", Some(("method", "lg"))),
        (format!("audit {problem} --nonsense"), 2, "usage", None),
        ("audit --like none.csv --in pile.jsonl --json".to_string(), 1, "no-such-file", None),
        ("prior --in all.csv --label label --positive yes --json".to_string(), 1, "no-pile", None),
        ("prior --in all.csv --label label --positive no --json".to_string(), 1, "value-not-found", None),
        (
            "audit --in some.csv --label label --positive yes --vectors a --json".to_string(),
            1,
            "malformed-file",
            Some(("source", "some.csv")),
        ),
    ] {
        let ran = folder.run(&line);
        let error: Value = serde_json::from_str(&ran.err).unwrap_or_else(|_| panic!("{line}: {}", ran.err));
        let error = &error["error"];
        assert_eq!((ran.code, &error["code"]), (exit, &code.into()), "{line}: {error}");
        assert!(error["text"].as_str().is_some_and(|text| !text.is_empty()) && error["fields"].is_object());
        if let Some((field, value)) = field {
            assert_eq!(error["fields"][field], value, "{line}");
        }
    }
}

#[test]
fn answers_in_json_have_their_notes() {
    let folder = Folder::with_messages();
    let problem = "--like like.jsonl --in pile.jsonl --json";
    folder.run("find --like like.jsonl --in pile.jsonl --method nb --model kept.model -o out.csv").ok();
    for line in [
        format!("prior {problem} --rankers nb"),
        format!("audit {problem}"),
        format!("compare {problem} --methods nb --folds 0"),
        "look pile.jsonl --json".to_string(),
        "explain kept.model --json".to_string(),
        "explain kept.model --in pile.jsonl --id m2 --json".to_string(),
    ] {
        let answer: Value = serde_json::from_str(&folder.run(&line).ok().out).unwrap();
        let notes = answer["notes"].as_array().unwrap_or_else(|| panic!("{line}: {answer}"));
        assert!(notes.iter().all(|note| note["code"].is_string() && note["text"].is_string()), "{answer}");
        assert!(
            !line.starts_with("prior") || notes.iter().any(|note| note["code"] == "prior-poor"),
            "{answer}"
        );
    }
}
