//! `update`: new marks correct a kept model, or make it learn again with its own settings.

use crate::support::{Folder, messages};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write_texts("like.jsonl", &messages("refund my money", 0..12));
    folder.write_texts("more.jsonl", &messages("voucher for gifts", 0..6));
    folder.write_texts("wrong.jsonl", &messages("refund policy question", 0..6));
    let pile = [
        messages("refund my money", 12..40),
        messages("voucher for gifts", 10..20),
        messages("refund policy question", 10..20),
        messages("late parcel", 0..80),
    ];
    folder.write_texts("pile.jsonl", &pile.concat());
    let new = [messages("voucher for gifts", 50..60), messages("refund policy question", 50..60)];
    folder.write_texts("new.jsonl", &new.concat());
    folder
        .run("find --like like.jsonl --in pile.jsonl --method logistic --recall 0.9 --ngrams 2 --model m.model -o r.csv")
        .ok();
    folder
}

fn marked(answer: &str) -> Vec<bool> {
    answer.lines().map(|line| line.contains("\"positive\":true")).collect()
}

#[test]
fn marks_alone_correct_what_was_learned() {
    let folder = folder();
    let before = folder.read("r.csv");
    let ran = folder.run("update m.model --like more.jsonl --unlike wrong.jsonl --model n.model").ok();
    assert!(
        ran.err.contains("Corrected by 6 examples and 6 rows known not to be wanted: 12 of these 12"),
        "{}",
        ran.err
    );
    let scored = marked(&folder.run("score n.model --in new.jsonl -o -").ok().out);
    assert!(scored[..10].iter().all(|yes| *yes) && scored[10..].iter().all(|yes| !*yes), "{scored:?}");
    // What has nothing in common with the marks is scored as before, and the old model is as it was.
    let pile = |model: &str| folder.run(&format!("score {model} --in pile.jsonl -o -")).ok().out;
    let same = pile("m.model").lines().zip(pile("n.model").lines()).filter(|(a, b)| a == b).count();
    assert!(marked(&pile("n.model"))[48..].iter().all(|yes| !*yes), "{same}");
    assert_eq!(folder.read("r.csv"), before);
    let why = folder.run("explain n.model --in new.jsonl --id m1").ok();
    assert!(why.out.contains("voucher"), "{}", why.out);
    // Marks add up.
    folder.run("update n.model --like like.jsonl --model o.model").ok();
    assert!(marked(&folder.run("score o.model --in new.jsonl -o -").ok().out)[..10].iter().all(|yes| *yes));
}

#[test]
fn a_pile_makes_it_learn_again_with_its_own_settings() {
    let folder = folder();
    folder.run("update m.model --like like.jsonl --in pile.jsonl --model same.model").ok();
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert!(bytes("same.model") == bytes("m.model"), "the same marks and pile give the same model");
    folder.run("update m.model --like like.jsonl --in pile.jsonl --seed 7 --model seed.model").ok();
    assert!(bytes("seed.model") != bytes("m.model"), "another seed was asked for");
    let ran = folder.run("update m.model --like more.jsonl --in pile.jsonl --model fewer.model").ok();
    assert!(ran.err.contains("which it does not keep"), "{}", ran.err);
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = folder();
    folder.run("update m.model --model n.model").failed(2, &["--like"]);
    folder
        .run("update m.model --like more.jsonl --model m.model")
        .failed(2, &["would write over what is read"]);
    folder.run("update m.model --unlike wrong.jsonl --in pile.jsonl --model n.model").failed(2, &["--like"]);
    folder.write("blank.jsonl", "{\"text\": \"\"}\n");
    folder
        .run("update m.model --like blank.jsonl --model n.model")
        .failed(1, &["no new mark", "--unlike FILE"]);
    folder.write("columns.csv", "a,b\n1,2\n");
    folder.run("update m.model --like columns.csv --model n.model").failed(1, &["no column `text`"]);
}
