//! `likewise prior`: the share of positives in the pile, from rankers or from the user's own scores.

use crate::support::Folder;
use likewise::prior::RANK_ESTIMATORS;
use serde_json::Value;

/// 160 marked refund messages; a pile of 240 refund messages and 720 about parcels.
fn messages() -> Folder {
    let folder = Folder::new();
    let (money, parcel) = (
        ["refund", "money", "paid", "charge", "bank", "invoice", "twice", "credit"],
        ["parcel", "late", "courier", "door", "tracking", "box", "lost", "street"],
    );
    let message = |words: &[&str; 8], i: usize| {
        let chosen = [words[i % 8], words[(i / 3 + 1) % 8], words[(i / 5 + 3) % 8], words[(i / 7 + 5) % 8]];
        format!("{{\"text\": \"{} item{i}\"}}\n", chosen.join(" "))
    };
    // In no order, so that the first are as good as a random draw.
    let mut order: Vec<usize> = (0..400).collect();
    order.sort_by_key(|i| (i * i * 31 + i * 17) % 401);
    let (marked, others) = order.split_at(160);
    folder.write("like.jsonl", &marked.iter().map(|&i| message(&money, i)).collect::<String>());
    let pile = others.iter().map(|&i| message(&money, i)).chain((0..720).map(|i| message(&parcel, i)));
    folder.write("pile.jsonl", &pile.collect::<String>());
    folder
}

fn estimates(json: &str) -> Vec<(String, [f64; 3])> {
    let list = &serde_json::from_str::<Value>(json).unwrap()["estimates"];
    let row = |row: &Value| {
        assert_eq!(row.as_object().unwrap().len(), 4);
        let number = |name: &str| row[name].as_f64().unwrap();
        (row["estimator"].as_str().unwrap().to_string(), [number("estimate"), number("low"), number("high")])
    };
    list.as_array().unwrap().iter().map(row).collect()
}

#[test]
fn every_estimator_has_a_row_and_the_median_is_right() {
    let folder = messages();
    let ran = folder.run("prior --like like.jsonl --in pile.jsonl --keep-positives --json --resamples 20");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found = estimates(&ran.out);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let of_ranks = RANK_ESTIMATORS.iter().map(|(name, _)| *name);
    assert_eq!(names, of_ranks.chain(["word-bound", "nb-em", "median"]).collect::<Vec<_>>());
    for (name, [estimate, low, high]) in &found {
        assert!(0.0 < *low && low <= estimate && estimate <= high && *high < 1.0, "{name}");
    }
    let median = found.last().unwrap().1[0];
    assert!((median - 0.25).abs() < 0.06, "{median}");
    let again = folder
        .run("prior --like like.jsonl --in pile.jsonl --keep-positives --json --resamples 20 --threads 1");
    assert_eq!(again.out, ran.out, "the same seed gives the same bytes on one thread");
}

#[test]
fn a_table_for_people_and_a_warning_for_few_positives() {
    let ran = Folder::with_messages().run("prior --like like.jsonl --in pile.jsonl --rankers nb");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.lines().next().unwrap().contains("estimator"), "{}", ran.out);
    assert!(ran.out.lines().last().unwrap().starts_with("median"), "{}", ran.out);
    assert!(ran.err.contains("warning: only 5 positives"), "{}", ran.err);
}

#[test]
fn scores_of_ones_own_are_enough() {
    let folder = Folder::new();
    let score = |i: usize, positive: bool| (i * 37 % 100) as f64 / 200.0 + if positive { 0.5 } else { 0.0 };
    let mut all = String::from("label,mine\n");
    for i in 0..400 {
        let label = if i < 100 { "yes" } else { "" };
        all += &format!("{label},{}\n", score(i, i < 200));
    }
    folder.write("all.csv", &all);
    let ran = folder.run("prior --in all.csv --label label --positive yes --scores mine --json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found = estimates(&ran.out);
    assert_eq!(found.len(), 7, "no words, so no estimator that counts them");
    let median = found.last().unwrap().1[0];
    assert!((median - 1.0 / 3.0).abs() < 0.05, "{median}");
}

#[test]
fn what_cannot_be_estimated_is_explained() {
    let folder = Folder::new();
    folder.write("one.jsonl", "{\"text\": \"refund\", \"mine\": 0.5}\n");
    folder.write(
        "pile.jsonl",
        "{\"text\": \"parcel\", \"mine\": \"high\"}\n{\"text\": \"bill\", \"mine\": 0.2}\n",
    );
    let cases = [
        ("prior --like one.jsonl --in pile.jsonl", 1, "at least two rows"),
        ("prior --like one.jsonl --in pile.jsonl --scores mine", 1, "pile.jsonl:1: `high`"),
        ("prior --like one.jsonl --in pile.jsonl --scores yours", 1, "no column `yours`"),
        ("prior --like one.jsonl --scores mine", 2, "--in"),
        ("prior --in pile.jsonl --scores mine", 2, "--like"),
        ("prior --like one.jsonl --in pile.jsonl --rankers nob", 2, "did you mean `nb`"),
    ];
    for (arguments, code, message) in cases {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, code, "{arguments}: {}", ran.err);
        assert!(ran.err.contains(message), "{arguments}: {}", ran.err);
    }
}
