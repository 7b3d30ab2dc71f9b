//! `--probabilities`: how probable each row is, in a ranking, of a sample, and under a kept model.

use crate::support::{Folder, messages};
use serde_json::Value;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write_texts("like.jsonl", &refunds()[..20]);
    folder.write_texts("pile.jsonl", &pile(30));
    folder
}

/// In no order: the first are a random draw.
fn refunds() -> Vec<String> {
    let all = messages("refund my money", 0..113);
    (0..all.len()).map(|i| all[i * 37 % all.len()].clone()).collect()
}

/// So many of 150 rows are wanted.
fn pile(wanted: usize) -> Vec<String> {
    [refunds()[20..20 + wanted].to_vec(), messages("late parcel", 0..150 - wanted)].concat()
}

/// Probability, low and high of each row.
fn probable(lines: &str) -> Vec<[f64; 3]> {
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        ["probability", "probability_low", "probability_high"].map(|name| row[name].as_f64().unwrap())
    };
    lines.lines().map(row).collect()
}

fn mean(rows: &[[f64; 3]], at: usize) -> f64 {
    rows.iter().map(|row| row[at]).sum::<f64>() / rows.len() as f64
}

#[test]
fn a_ranking_says_how_probable_its_rows_are() {
    let folder = folder();
    for method in ["auto", "logistic", "nb"] {
        let find = format!("find --like like.jsonl --in pile.jsonl --method {method} --probabilities");
        let ran = folder.run(&format!("{find} --summary s.json --model m.model -o -")).ok();
        let rows = probable(&ran.out);
        let said: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
        for (at, name) in ["prior", "prior_low", "prior_high"].into_iter().enumerate() {
            let believed = said[name].as_f64().unwrap();
            assert!(
                (mean(&rows, at) - believed).abs() < 1e-6,
                "{method}: {} and {believed}",
                mean(&rows, at)
            );
        }
        assert!(rows.windows(2).all(|pair| pair[0][0] >= pair[1][0]), "{method}: they fall with the rank");
        assert!(rows.iter().all(|[p, low, high]| low <= p && p <= high), "{method}");
        assert!(rows[0][0] > 0.3 && rows[149][0] < 0.1, "{method}: {:?} {:?}", rows[0], rows[149]);
        let scored = probable(&folder.run("score m.model --in pile.jsonl --probabilities -o -").ok().out);
        // A row that was learned from may be scored a little otherwise than the same row as a new one.
        assert!((mean(&scored, 0) - mean(&rows, 0)).abs() < 0.02, "{method}: {}", mean(&scored, 0));
        let (wanted, others) = (mean(&scored[..30], 0), mean(&scored[30..], 0));
        assert!(wanted > 5.0 * others, "{method}: {wanted} and {others}");
        let plain = folder.run(&find.replace(" --probabilities", " -o -")).ok().out;
        assert!(!plain.contains("probability"), "{plain}");
    }
}

#[test]
fn a_person_sees_them_too() {
    let ran = folder().run("find --like like.jsonl --in pile.jsonl --method nb --probabilities").ok();
    assert!(ran.out.lines().next().unwrap().contains("probability"), "{}", ran.out);
    assert!(ran.out.lines().nth(1).unwrap().contains(" to "), "{}", ran.out);
}

#[test]
fn a_sample_of_the_pile_tells_them_for_all_of_it() {
    let folder = folder();
    let find = "find --like like.jsonl --in pile.jsonl --method logistic --sample 100 --probabilities";
    let rows = probable(&folder.run(&format!("{find} -o -")).ok().out);
    assert_eq!(rows.len(), 150);
    assert!(rows[0][0] > 0.3 && rows[149][0] < 0.1, "{:?} {:?}", rows[0], rows[149]);
    assert!(folder.run(find).ok().out.contains("probability"));
}

#[test]
fn another_share_of_positives_changes_them() {
    let folder = folder();
    folder.run("find --like like.jsonl --in pile.jsonl --method logistic --model m.model").ok();
    folder.write_texts("new.jsonl", &pile(90));
    let score = "score m.model --in new.jsonl --probabilities -o -";
    let (before, after) = (folder.run(score).ok(), folder.run(&format!("{score} --recut")).ok());
    let (before, after) = (probable(&before.out), probable(&after.out));
    assert!((mean(&after, 0) - 0.6).abs() < (mean(&before, 0) - 0.6).abs() + 1e-9);
    assert!((mean(&after, 0) - 0.6).abs() < 0.2, "{}", mean(&after, 0));
}

#[test]
fn where_nobody_knows_it_is_said() {
    let folder = folder();
    folder.run("find --like like.jsonl --in pile.jsonl --method nb --cut natural --model n.model").ok();
    folder
        .run("score n.model --in pile.jsonl --probabilities")
        .failed(1, &["--probabilities", "learn it again"]);
    folder.write_texts("one.jsonl", &messages("refund my money", 0..1));
    let ran = folder.run("find --like one.jsonl --in pile.jsonl --probabilities -o -").ok();
    assert!(ran.err.contains("how probable rows are is not known") && !ran.out.contains("probability"));
    let classes = "find --like a=like.jsonl --like b=one.jsonl --in pile.jsonl --probabilities";
    folder.run(classes).failed(2, &["--probabilities is for one class"]);
}
