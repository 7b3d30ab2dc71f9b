//! `find` for several classes in one run.

use crate::support::{Folder, messages};
use serde_json::Value;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write_texts("a.jsonl", &messages("refund my money", 0..12));
    folder.write_texts("b.jsonl", &messages("stolen card fraud", 0..12));
    let pile = [
        messages("refund my money", 12..40),
        messages("stolen card fraud", 12..40),
        messages("late parcel", 0..80),
    ];
    folder.write_texts("pile.jsonl", &pile.concat());
    folder
}

const FIND: &str = "find --like refunds=a.jsonl --like fraud=b.jsonl --in pile.jsonl --method logistic";

fn rows(answer: &str) -> Vec<Value> {
    answer.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_row_has_a_score_for_each_class_and_its_best_class() {
    let folder = folder();
    std::fs::create_dir(folder.path("models")).unwrap();
    let ran = folder.run(&format!("{FIND} -o - --keep-columns=text --model models --summary s.json")).ok();
    let rows = rows(&ran.out);
    assert_eq!(rows.len(), 136);
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let scores = ["score_refunds", "score_fraud"].map(|name| row[name].as_f64().unwrap());
        let best = if scores[0] >= scores[1] { "refunds" } else { "fraud" };
        assert_eq!(row["class"], best);
        assert_eq!(row["positive"], scores[0].max(scores[1]) >= 0.5);
        if !text.contains("parcel") {
            assert_eq!(row["class"], if text.contains("refund") { "refunds" } else { "fraud" }, "{row}");
        }
    }
    assert!(ran.err.contains("refunds: marked ") && ran.err.contains("fraud: marked "), "{}", ran.err);
    let summary: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    assert_eq!((&summary[0]["name"], &summary[1]["examples"]), (&"refunds".into(), &12.into()));
    let scored = folder.run("score models/fraud.model --in b.jsonl -o -").ok();
    assert!(scored.out.lines().all(|line| line.contains("\"positive\":true")), "{}", scored.out);
    let shown = folder.run(FIND).ok();
    assert!(shown.out.contains("class") && shown.out.contains("fraud"), "{}", shown.out);
}

#[test]
fn what_is_for_one_class_alone_is_refused() {
    let folder = folder();
    folder.run("find --like x=a.jsonl --like b.jsonl --in pile.jsonl").failed(2, &["--like NAME=b.jsonl"]);
    folder.run(&format!("{FIND} --unlike b.jsonl")).failed(2, &["--unlike is for one class"]);
    folder.run(&format!("{FIND} --model m.model")).failed(2, &["name a folder"]);
    folder.run("find --like x=a.jsonl --like y=b.jsonl").failed(2, &["--in FILE"]);
    folder.run("find --like x=gone.jsonl --in pile.jsonl").failed(1, &["gone.jsonl"]);
}

#[test]
fn threads_do_not_show() {
    let folder = folder();
    let on = |threads: usize| folder.run(&format!("{FIND} --threads {threads} -o -")).ok().out;
    assert!(on(1) == on(2));
}
