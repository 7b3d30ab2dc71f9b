//! `likewise rehearse`: a reading played with known truth, by the real binary.

use crate::support::Folder;

/// 600 messages, every sixth about refunds; each is a text of its own.
fn labelled(folder: &Folder) {
    let line = |row: usize| match row % 6 {
        0 => format!("{row},please refund my money for order number {row},refund\n"),
        _ => format!("{row},where is my parcel with the number {row},parcel\n"),
    };
    let rows: String = (0..600).map(line).collect();
    folder.write("all.csv", &format!("id,text,topic\n{rows}"));
}

const REHEARSE: &str = "rehearse --in all.csv --label topic --positive refund";

#[test]
fn marks_recall_and_saved_work_are_told() {
    let folder = Folder::new();
    labelled(&folder);
    let ran = folder.run(&format!("{REHEARSE} --seed 1")).ok();
    for part in [
        "100 of",
        "10 of them were known",
        "Proved: recall at least",
        "random order",
        "reaches the target after",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let again = folder.run(&format!("{REHEARSE} --seed 1 --threads 1")).ok();
    assert_eq!(ran.out, again.out);
}

#[test]
fn every_rule_answers_in_json() {
    let folder = Folder::new();
    labelled(&folder);
    for rule in ["proved", "buscar", "in-a-row", "knee", "qbcb"] {
        let ran = folder.run(&format!("{REHEARSE} --rule {rule} --target 0.8 --json")).ok();
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["wanted"], 100, "{rule}");
        assert_eq!(answer["examples"].as_array().unwrap().len(), 10);
        let curve = answer["curve"].as_array().unwrap();
        assert_eq!(Some(curve.len() as u64), answer["marks"].as_u64());
        assert_eq!(curve.last(), Some(&answer["found"]), "{rule}");
        assert!(answer["reached"] == true, "{rule}: {}", answer["recall"]);
    }
    let ran = folder.run(&format!("{REHEARSE} --rule never --most 30 --json")).ok();
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["marks"], 40);
}

#[test]
fn what_cannot_be_played_is_said() {
    let folder = Folder::new();
    labelled(&folder);
    folder.run(&format!("{REHEARSE} --target 95")).failed(2, &["such as 0.95"]);
    folder.run(&format!("{REHEARSE} --examples 100")).failed(2, &["from 1 to 99"]);
    folder
        .run("rehearse --in all.csv --label topic --positive refunds")
        .failed(1, &["its values are `parcel`, `refund`"]);
}
