//! Marks both ways, and where the class ends: by the real binary.

use crate::support::{Folder, jsonl};

/// Refunds are wanted, vouchers are not, parcels are neither here nor there.
fn folder() -> Folder {
    let folder = Folder::new();
    let texts = |topic: &str, from: usize, to: usize| -> Vec<String> {
        let more = ["today", "again", "please", "now", "soon"];
        let line = |k: usize| format!("{topic} number {k} {} order {}", more[k % 5], k % 7);
        (from..to).map(line).collect()
    };
    let write = |name: &str, prefix: &str, texts: Vec<String>| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        folder.write(name, &jsonl(&texts).replace("\"m", &format!("\"{prefix}")));
    };
    write("like.jsonl", "l", texts("refund my money", 0, 12));
    write("unlike.jsonl", "u", texts("voucher for my money", 0, 10));
    let pile =
        [texts("refund my money", 12, 40), texts("voucher for my money", 5, 40), texts("late parcel", 0, 80)];
    write("pile.jsonl", "m", pile.concat());
    folder
}

fn rows(answer: &str) -> Vec<serde_json::Value> {
    answer.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn marked(answer: &str) -> usize {
    rows(answer).iter().filter(|row| row["positive"] == true).count()
}

const FIND: &str = "find --like like.jsonl --in pile.jsonl";

#[test]
fn rows_not_wanted_teach_and_are_not_ranked() {
    let folder = folder();
    let without = folder.run(&format!("{FIND} --method logistic --cut natural -o -")).ok();
    let with = folder.run(&format!("{FIND} --unlike unlike.jsonl --method logistic --cut natural -o -")).ok();
    // Five rows of the pile say what a refused one says.
    assert_eq!((rows(&without.out).len(), rows(&with.out).len()), (143, 138));
    assert!(
        with.err.contains("5 rows of the pile have the content of a row known not to be wanted"),
        "{}",
        with.err
    );
    let best_voucher = |answer: &str| {
        let number = |row: &serde_json::Value| row["id"].as_str().unwrap()[1..].parse::<usize>().unwrap();
        rows(answer).iter().position(|row| (29..=63).contains(&number(row))).unwrap()
    };
    assert!(best_voucher(&with.out) >= best_voucher(&without.out));
    let unused = folder.run(&format!("{FIND} --unlike unlike.jsonl --method nearest -o -")).ok();
    assert!(unused.err.contains("10 rows known not to be wanted were left out"), "{}", unused.err);
    folder.run("find --in pile.jsonl --unlike unlike.jsonl").failed(2, &["--like FILE"]);
}

#[test]
fn one_column_marks_both_ways() {
    let folder = folder();
    let mut all = String::from("id,text,verdict\n");
    for (file, verdict) in [("like.jsonl", "yes"), ("unlike.jsonl", "no"), ("pile.jsonl", "")] {
        for row in rows(&folder.read(file)) {
            all.push_str(&format!(
                "{},{},{verdict}\n",
                row["id"].as_str().unwrap(),
                row["text"].as_str().unwrap()
            ));
        }
    }
    folder.write("all.csv", &all);
    let of_three = folder.run(&format!("{FIND} --unlike unlike.jsonl -o -")).ok().out;
    let of_one = folder.run("find --in all.csv --label verdict --positive yes --negative no -o -").ok().out;
    assert_eq!(of_three, of_one);
    folder
        .run("find --in all.csv --label verdict --positive yes --negative yes")
        .failed(1, &["marked as wanted and as not wanted"]);
    folder.run(&format!("{FIND} --negative no")).failed(2, &["--label"]);
}

#[test]
fn the_class_ends_where_the_user_says_and_the_model_remembers() {
    let folder = folder();
    // Rows of one score end together; smoothed over neighbours, all of these refunds but some have one.
    for (ends, expected) in
        [("--top 17", 17..=28), ("--share 0.1", 14..=28), ("--recall 1", 5..=143), ("--cut hidden", 5..=60)]
    {
        for method in ["auto", "logistic", "nb"] {
            let ran = folder
                .run(&format!("{FIND} --method {method} {ends} --model kept.model -o ranked.jsonl"))
                .ok();
            let ranked = folder.read("ranked.jsonl");
            assert!(expected.contains(&marked(&ranked)), "{method} {ends}: {}", marked(&ranked));
            let scored = folder.run("score kept.model --in pile.jsonl").ok().out;
            if method != "auto" {
                let find =
                    |id: &serde_json::Value| rows(&scored).into_iter().find(|row| row["id"] == *id).unwrap();
                for row in rows(&ranked).iter().take(40) {
                    assert_eq!(find(&row["id"])["score"], row["score"], "{method} {ends}: {row}");
                }
            }
            if ends.starts_with("--recall") {
                assert!(ran.err.contains("believed to hold"), "{}", ran.err);
            }
        }
    }
    let natural = folder.run(&format!("{FIND} --method logistic --cut natural -o -")).ok().out;
    let moved = folder.run(&format!("{FIND} --method logistic --top 3 -o -")).ok().out;
    let ids = |answer: &str| rows(answer).iter().map(|row| row["id"].to_string()).collect::<Vec<_>>();
    assert_eq!(ids(&natural), ids(&moved), "a cut moves no row");
    folder.run(&format!("{FIND} --recall 1.5")).failed(2, &["recall"]);
    folder.run(&format!("{FIND} --top 5 --share 0.1")).failed(2, &["cannot be used with"]);
}

#[test]
fn a_sample_is_drawn_read_and_measured() {
    let folder = folder();
    folder
        .run(&format!(
            "{FIND} --method logistic --top 30 -o ranked.jsonl --audit-sample 10 --audit-file read.csv"
        ))
        .ok();
    let drawn = folder.read("read.csv");
    assert_eq!((drawn.lines().count(), drawn.lines().next()), (21, Some("id,wanted,content")));
    let read: String = drawn
        .replace(",,refund", ",yes,refund")
        .replace(",,voucher", ",no,voucher")
        .replace(",,late", ",no,late");
    folder.write("read.csv", &read);
    let told = folder.run("evaluate ranked.jsonl --marks read.csv --json").ok().out;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((told["marked"]["rows"].clone(), told["marked"]["read"].clone()), (30.into(), 10.into()));
    let truth = |row: &serde_json::Value| row["id"].as_str().unwrap()[1..].parse::<usize>().unwrap() <= 28;
    let precision =
        rows(&folder.read("ranked.jsonl")).iter().filter(|row| row["positive"] == true && truth(row)).count()
            as f64
            / 30.0;
    let figure = |name: &str, end: &str| told[name][end].as_f64().unwrap();
    assert!(figure("precision", "low") <= precision && precision <= figure("precision", "high"), "{told}");
    assert!(figure("recall", "low") <= figure("recall", "high"));
    let lines = folder.run("evaluate ranked.jsonl --marks read.csv").ok().out;
    assert!(lines.contains("Precision: ") && lines.contains("rest on the rows that were read"), "{lines}");
    folder.run("evaluate ranked.jsonl").failed(2, &["--truth"]);
    folder.run(&format!("{FIND} --audit-sample 10")).failed(2, &["--audit-file"]);
}

#[test]
fn methods_say_what_they_do_with_marks_and_cuts() {
    let folder = Folder::new();
    let said = |method: &str| folder.run(&format!("methods {method}")).ok().out;
    assert!(said("logistic").contains("rows known not to be wanted: learned as negatives beside the pile"));
    assert!(said("logistic").contains("cut: where positives hidden in the pile say"));
    assert!(said("nearest").contains("rows known not to be wanted: left out"));
    assert!(said("lgn").contains("cut: by the method itself"));
}
