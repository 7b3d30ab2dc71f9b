//! `evaluate` matches rows by id and prints what can be worked out by hand.

use crate::support::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "answer.csv",
        "rank,id,score,positive\n1,a,0.9,true\n2,b,0.8,true\n3,c,0.3,false\n4,d,0.1,false\n",
    );
    folder.write("truth.csv", "id,topic\na,refund\nb,parcel\nc,refund\nd,parcel\ne,refund\n");
    folder
}

#[test]
fn by_hand() {
    let ran = folder().run("evaluate answer.csv --truth truth.csv --label topic --positive refund").ok();
    for (name, values) in [
        ("precision", "0.500         0.500         0.000"),
        ("recall", "0.500         1.000         0.000"),
        ("average precision", "0.833         0.500         0.500"),
    ] {
        let line = ran.out.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(line.ends_with(values), "{line}");
    }
    assert!(ran.err.contains("1 row of the truth is not in the answer"), "{}", ran.err);
    let json = folder()
        .run("evaluate answer.csv --truth truth.csv --label topic --positive refund --json --quiet")
        .ok()
        .out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["answer"]["area_under_roc"], 0.75);
    assert_eq!(json["all_negative"]["accuracy"], 0.5);
}

#[test]
fn the_truth_of_a_simulation_needs_no_names() {
    let folder = folder();
    folder.write("simulated.csv", "id,positive\na,true\nb,false\nc,true\nd,false\n");
    let by_default = folder.run("evaluate answer.csv --truth simulated.csv").ok().out;
    let named = folder.run("evaluate answer.csv --truth truth.csv --label topic --positive refund").ok().out;
    assert_eq!(by_default, named);
    folder.run("evaluate answer.csv --truth truth.csv").failed(1, &["no column `positive`", "`topic`"]);
    folder.run("evaluate answer.csv --truth truth.csv --label topic").failed(2, &["--positive"]);
    folder.run("evaluate answer.csv").failed(2, &["--truth"]);
}

#[test]
fn what_does_not_match_is_said() {
    let folder = folder();
    folder.write("other.csv", "id,topic\na,refund\n");
    folder
        .run("evaluate answer.csv --truth other.csv --label topic --positive refund")
        .failed(1, &["answer.csv:3", "`b`"]);
    folder
        .run("evaluate answer.csv --truth truth.csv --label topic --positive refunds")
        .failed(1, &["no row has `refunds`"]);
    folder.write("again.csv", &(folder.read("answer.csv") + "5,a,0.1,false\n"));
    folder
        .run("evaluate again.csv --truth truth.csv --label topic --positive refund")
        .failed(1, &["1 row repeats an id", "`a`: again.csv:2 and again.csv:6"]);
    folder.write("twice.csv", "id,topic\na,refund\na,parcel\n");
    folder
        .run("evaluate answer.csv --truth twice.csv --label topic --positive refund")
        .failed(1, &["twice.csv:3", "--id"]);
}

#[test]
fn the_ideal_is_told_the_truth_and_nobody_else_is() {
    let folder = Folder::new();
    let (mut rows, mut truth) = (String::from("id,text,mark\n"), String::from("id,positive\n"));
    for i in 0..40 {
        let (words, mark) = if i % 2 == 0 { ("refund money", "yes") } else { ("late parcel", "no") };
        rows += &format!("r{i},{words} w{i},{}\n", if i == 0 { mark } else { "" });
        truth += &format!("r{i},{}\n", i % 2 == 0);
    }
    folder.write("rows.csv", &rows).write("truth.csv", &truth);
    let find = "find --in rows.csv --label mark --positive yes --quiet --output answer.csv";
    folder.run(&format!("{find} --method supervised --truth truth.csv")).ok();
    let measured = "evaluate answer.csv --truth truth.csv --label positive --positive true --json --quiet";
    let json: serde_json::Value = serde_json::from_str(&folder.run(measured).ok().out).unwrap();
    assert_eq!(json["answer"]["f1"], 1.0, "{json}");
    folder.run(&format!("{find} --method supervised")).failed(1, &["--truth"]);
    folder.run(&format!("{find} --method logistic --truth truth.csv")).failed(2, &["supervised"]);
}
