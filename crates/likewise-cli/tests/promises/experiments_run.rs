//! Problems made out of labelled data, methods compared on them.

use crate::support::Folder;

/// Sixty rows: thirty about refunds, thirty about parcels; `size` grows with the row number.
fn labelled(folder: &Folder) {
    let mut text = String::from("id,text,topic,size\n");
    for row in 0..60 {
        let (topic, words) = if row % 2 == 0 {
            ("refund", ["money back", "refund please", "charged twice"][row / 2 % 3])
        } else {
            ("parcel", ["parcel late", "box lost", "courier never came"][row / 2 % 3])
        };
        text += &format!("r{row},{words} number{row},{topic},{row}\n");
    }
    folder.write("all.csv", &text);
}

fn ids(folder: &Folder, name: &str) -> Vec<String> {
    let id = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["id"].as_str().unwrap().to_string()
    };
    folder.read(name).lines().map(id).collect()
}

#[test]
fn a_simulated_problem_loses_no_row_and_hides_the_label() {
    let folder = Folder::new();
    labelled(&folder);
    let ran = folder.run("simulate --in all.csv --label topic --positive refund --labelled 10 --output sim");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (like, pile) = (ids(&folder, "sim/like.jsonl"), ids(&folder, "sim/pile.jsonl"));
    assert_eq!((like.len(), pile.len()), (10, 50));
    let mut all: Vec<String> = like.iter().chain(&pile).cloned().collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 60);
    assert!(!folder.read("sim/pile.jsonl").contains("topic"));
    assert_eq!(ids(&folder, "sim/truth.jsonl"), pile);
    assert_eq!(folder.read("sim/truth.jsonl").matches("true").count(), 20);
    let again =
        folder.run("simulate --in all.csv --label topic --positive refund --labelled 10 --output sim2");
    assert_eq!(again.code, 0);
    assert_eq!(ids(&folder, "sim2/like.jsonl"), like, "the same seed marks the same rows");
}

#[test]
fn a_biased_draw_goes_by_the_column() {
    let folder = Folder::new();
    labelled(&folder);
    let mean = |arguments: &str| {
        let ran = folder.run(&format!(
            "simulate --in all.csv --label topic --positive refund --labelled 8 --output sim {arguments}"
        ));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let numbers = ids(&folder, "sim/like.jsonl");
        numbers.iter().map(|id| id[1..].parse::<f64>().unwrap()).sum::<f64>() / 8.0
    };
    assert!(mean("--mechanism sar --by size --strength 5") > mean("--mechanism scar") + 5.0);
    mean("--mechanism sar");
    let ran = folder.run("simulate --in all.csv --label topic --positive refund --by size --output sim");
    assert!(ran.code == 2 && ran.err.contains("--mechanism sar"), "{}", ran.err);
    let ran = folder.run("simulate --in all.csv --label topic --positive refund --labelled 30 --output sim");
    assert!(ran.code == 2 && ran.err.contains("from 1 to 29"), "{}", ran.err);
}

#[test]
fn a_simulation_says_what_is_wrong_and_how_to_go_on() {
    let folder = Folder::new();
    labelled(&folder);
    let simulate = "simulate --in all.csv --label topic --output sim";
    folder.run(&format!("{simulate} --positive refunds")).failed(1, &["its values are `parcel`, `refund`"]);
    folder.run(&format!("{simulate} --positive refund --strength 3")).failed(2, &["--mechanism sar"]);
    folder.write("all.csv", &folder.read("all.csv").replace("id,text", "id,body"));
    let ran = folder.run(&format!("{simulate} --positive refund --labelled 10 --text body")).ok();
    let next = ran.err.lines().find_map(|line| line.strip_prefix("  likewise ")).unwrap();
    assert!(next.ends_with("--text body"), "{next}");
    folder.run(&format!("{next} --methods nb")).ok();
    folder.write("twice.csv", "id,text,topic\na,refund now,refund\na,money back,refund\nb,parcel,parcel\n");
    let ran = folder.run("simulate --in twice.csv --label topic --positive refund --labelled 1 -o sim").ok();
    assert!(ran.err.contains("called by their number"), "{}", ran.err);
    let mut all = [ids(&folder, "sim/like.jsonl"), ids(&folder, "sim/pile.jsonl")].concat();
    all.sort();
    assert_eq!(all, ["1", "2", "3"]);
}

#[test]
fn no_answer_is_a_failure_and_one_example_claims_nothing() {
    let folder = Folder::with_messages();
    folder.run("compare --like like.jsonl --in pile.jsonl --methods relocc").failed(1, &["no method gave"]);
    folder.write("one.txt", "please refund my money\n");
    let ran = folder.run("compare --like one.txt --in pile.jsonl --methods nb").ok();
    assert!(ran.err.contains("One example") && !ran.err.contains("About"), "{}", ran.err);
}

#[test]
fn methods_stand_side_by_side() {
    let folder = Folder::new();
    labelled(&folder);
    folder
        .run("simulate --in all.csv --label topic --positive refund --labelled 10 --alpha 100 --output sim");
    let problem = "--like sim/like.jsonl --in sim/pile.jsonl --truth sim/truth.jsonl";
    let ran = folder.run(&format!("compare {problem} --methods logistic,nb,prototype --json"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let compared = |out: &str| -> Vec<serde_json::Value> {
        let answer: serde_json::Value = serde_json::from_str(out).unwrap();
        answer["methods"].as_array().unwrap().clone()
    };
    let rows = compared(&ran.out);
    let names: Vec<&str> = rows.iter().map(|row| row["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["logistic", "nb", "prototype"]);
    for row in &rows {
        assert_eq!(row["truth"]["rows"], 40);
        assert!(row["truth"]["average_precision"].as_f64().unwrap() > 0.9, "{row}");
        assert!((0.0..=1.0).contains(&row["estimated_f1"].as_f64().unwrap()), "{row}");
        assert!(row["seconds"].as_f64().unwrap() >= 0.0);
    }
    let ran = folder.run(&format!("compare {problem} --methods supervised --json --folds 0"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows = compared(&ran.out);
    assert!(rows[0]["truth"]["average_precision"].as_f64().unwrap() > 0.9, "{}", rows[0]);
    let ran = folder.run(&format!("compare {problem}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("avg. precision") && ran.out.lines().count() > 10, "{}", ran.out);
    let ran = folder.run("compare --like sim/like.jsonl --in sim/pile.jsonl --methods logistic --folds 0");
    assert!(ran.code == 0 && !ran.out.contains("avg. precision"), "{}", ran.err);
    let ran = folder.run("compare --like sim/like.jsonl --in sim/pile.jsonl --methods logistik");
    assert!(ran.code == 2 && ran.err.contains("logistic"), "{}", ran.err);
    let ran = folder
        .run("compare --like sim/like.jsonl --in sim/pile.jsonl --truth sim/like.jsonl --truth-label text");
    assert!(ran.code == 1 && ran.err.contains("no row has `true` in column `text`"), "{}", ran.err);
}

#[test]
fn a_simulated_problem_holds_what_the_rows_held() {
    let folder = Folder::new();
    let row = |i: usize| {
        let (label, missing) =
            (if i < 6 { "x" } else { "y" }, if i == 3 { "null".into() } else { i.to_string() });
        format!(
            "{{\"id\":\"r{i}\",\"n\":{i}.5,\"b\":{},\"v\":[{i},0.5],\"zip\":\"0{i}\",\"m\":{missing},\"label\":\"{label}\"}}\n",
            i.is_multiple_of(2)
        )
    };
    folder.write("all.jsonl", &(0..12).map(row).collect::<String>());
    folder.run("simulate --in all.jsonl --label label --positive x --labelled 2 --output sim").ok();
    for name in ["sim/like.jsonl", "sim/pile.jsonl"] {
        for line in folder.read(name).lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(row["n"].is_f64() && row["b"].is_boolean() && row["v"].is_array(), "{line}");
            assert!(row["zip"].is_string() && (row["m"].is_number() || row["id"] == "r3"), "{line}");
        }
    }
}
