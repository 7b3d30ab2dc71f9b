//! `score` says where new rows differ from those that were learned from, by the real binary.

use crate::support::{Folder, jsonl};
use serde_json::Value;

/// Refunds and parcels in words that are drawn without a pattern; one in ten of the pile is a refund.
fn texts(refunds: usize, parcels: usize, seed: usize) -> Vec<String> {
    let wanted = ["refund", "money", "back", "paid", "charge", "return"];
    let other = ["parcel", "late", "driver", "street", "lost", "box", "door", "track", "van", "depot"];
    let both = ["please", "today", "order", "hello", "again", "number", "help", "still", "now", "thanks"];
    let mut state = seed as u64 * 7919 + 1;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut line = |refund: bool| {
        let own = if refund { &wanted[..] } else { &other[..] };
        let words = (0..7).map(|k| if k < 3 { own[next(own.len())] } else { both[next(both.len())] });
        words.collect::<Vec<_>>().join(" ")
    };
    (0..refunds + parcels).map(|row| line(row < refunds)).collect()
}

fn write(folder: &Folder, name: &str, texts: &[String]) {
    folder.write(name, &jsonl(&texts.iter().map(String::as_str).collect::<Vec<_>>()));
}

fn folder() -> Folder {
    let folder = Folder::new();
    write(&folder, "like.jsonl", &texts(40, 0, 1));
    write(&folder, "pile.jsonl", &texts(60, 540, 2));
    write(&folder, "same.jsonl", &texts(60, 540, 3));
    write(&folder, "many.jsonl", &texts(300, 300, 4));
    let strange = |row: usize| format!("sehr geehrte damen und herren mit gruss {}", row % 9);
    write(&folder, "strange.jsonl", &(0..200).map(strange).collect::<Vec<_>>());
    folder.run("find --like like.jsonl --in pile.jsonl --method logistic --model m.likewise -o r.csv").ok();
    folder
}

fn summary(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

fn marked(answer: &str) -> usize {
    answer.lines().filter(|line| line.contains("\"positive\":true")).count()
}

#[test]
fn what_differs_is_told_and_what_does_not_is_not() {
    let folder = folder();
    let same = folder.run("score m.likewise --in same.jsonl -o - --summary same.json").ok();
    assert!(!same.err.contains("warning"), "{}", same.err);
    assert_eq!(summary(&folder, "same.json")["comparison"]["differs"], false);
    let many = folder.run("score m.likewise --in many.jsonl -o - --summary many.json").ok();
    assert!(many.err.contains("of these rows are positive") && many.err.contains("--recut"), "{}", many.err);
    let found = summary(&folder, "many.json");
    let share = |name: &str| found["comparison"]["positives"][name].as_f64().unwrap();
    assert!(share("low") <= 0.5 && 0.5 <= share("high") && share("low") > 0.3, "{found}");
    assert_eq!(found["rows"], 600);
    let strange = folder.run("score m.likewise --in strange.jsonl -o -").ok();
    assert!(strange.err.contains("of the words of these rows are known"), "{}", strange.err);
    assert!(strange.err.contains("of another kind"), "{}", strange.err);
}

#[test]
fn rows_of_several_kinds_of_columns_are_compared_too() {
    let folder = Folder::new();
    let write = |name: &str, texts: Vec<String>, amount: usize| {
        let row = |(at, text): (usize, &String)| {
            format!("{{\"body\":\"{text}\",\"amount\":{}}}\n", amount + at * 37 % 90)
        };
        folder.write(name, &texts.iter().enumerate().map(row).collect::<String>());
    };
    write("like.jsonl", texts(30, 0, 1), 10);
    write("pile.jsonl", texts(20, 180, 2), 10);
    write("same.jsonl", texts(20, 180, 3), 10);
    write("far.jsonl", texts(20, 180, 4), 90_000);
    let columns = "--text body --features amount --effort quick";
    folder.run(&format!("find --like like.jsonl --in pile.jsonl {columns} --model m.likewise -o r.csv")).ok();
    let same = folder.run("score m.likewise --in same.jsonl -o -").ok();
    assert!(!same.err.contains("warning"), "{}", same.err);
    let far = folder.run("score m.likewise --in far.jsonl -o -").ok();
    assert!(far.err.contains("outside of the range") && far.err.contains("`amount`"), "{}", far.err);
}

#[test]
fn a_cut_for_the_new_share_is_placed_when_asked_for() {
    let folder = folder();
    let plain = folder.run("score m.likewise --in many.jsonl -o -").ok();
    let recut = folder.run("score m.likewise --in many.jsonl --recut -o - --summary s.json").ok();
    assert!(recut.err.contains("Believed to be positive"), "{}", recut.err);
    let (before, after) = (marked(&plain.out), marked(&recut.out));
    assert!((250..=350).contains(&after), "{before} became {after}");
    assert_eq!(summary(&folder, "s.json")["recut"], true);
    // A folder of parts has one cut, that of all of them, and does not mix with parts of another.
    std::fs::create_dir(folder.path("in")).unwrap();
    let all = texts(300, 300, 4);
    write(&folder, "in/a.jsonl", &all[..300]);
    write(&folder, "in/b.jsonl", &all[300..]);
    folder.run("score m.likewise --in in --recut --output out/ --summary parts.json").ok();
    assert_eq!(marked(&folder.read("out/a.jsonl")) + marked(&folder.read("out/b.jsonl")), after);
    assert_eq!(summary(&folder, "parts.json")["comparison"], summary(&folder, "s.json")["comparison"]);
    folder.run("score m.likewise --in in --output out/").failed(2, &["another cut"]);
    folder.run("score m.likewise --in - --recut").failed(2, &["reads the rows twice"]);
    folder.run("score m.likewise --in in --output x/ --shard 1/2 --recut").failed(2, &["--recut"]);
}

#[test]
fn a_model_that_knows_nothing_to_compare_with_is_silent_and_says_so_when_asked() {
    let folder = Folder::with_messages();
    folder.run("find --like like.jsonl --in pile.jsonl --method nb --model m.likewise -o r.csv").ok();
    let plain = folder.run("score m.likewise --in pile.jsonl -o - --summary s.json").ok();
    assert!(!plain.err.contains("warning"), "{}", plain.err);
    assert_eq!(summary(&folder, "s.json")["comparison"], Value::Null);
    let recut = folder.run("score m.likewise --in pile.jsonl -o - --recut").ok();
    assert!(recut.err.contains("the cut stays where it was"), "{}", recut.err);
    assert_eq!(plain.out, recut.out);
}

#[test]
fn threads_and_batches_do_not_show() {
    let folder = folder();
    for (threads, name) in [(1, "one"), (2, "two")] {
        let train = format!(
            "find --like like.jsonl --in pile.jsonl --method auto --effort quick --threads {threads}"
        );
        folder.run(&format!("{train} --model {name}.model -o {name}.csv")).ok();
        let score = format!("score {name}.model --in many.jsonl --recut --threads {threads}");
        folder.run(&format!("{score} -o {name}.jsonl --summary {name}.json")).ok();
    }
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    for end in ["model", "jsonl", "json"] {
        assert!(bytes(&format!("one.{end}")) == bytes(&format!("two.{end}")), "{end}");
    }
}
