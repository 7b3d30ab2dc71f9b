//! The main job by the real binary: from files to a ranking, in every form of input and output.

use crate::support::{Folder, jsonl};

/// The ids of a ranking written as JSON lines.
fn ids(ranking: &str) -> Vec<String> {
    let id = |line: &str| {
        line.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_string()
    };
    ranking.lines().map(id).collect()
}

#[test]
fn the_sample_needs_no_argument() {
    let ran = Folder::new().run("find").ok();
    assert!(ran.out.lines().count() == 21 && ran.out.starts_with("rank"), "{}", ran.out);
    assert!(ran.err.contains("built-in sample") && ran.err.contains("likewise find --like"), "{}", ran.err);
    assert!(Folder::new().run("find --quiet").ok().err.is_empty());
}

#[test]
fn two_files_give_a_ranking_of_the_pile() {
    let folder = Folder::with_messages();
    let ran = folder.run("find --like like.jsonl --in pile.jsonl --output - --keep-columns").ok();
    assert_eq!(ran.out.lines().count(), 6);
    let best = &ids(&ran.out)[..2];
    assert!(best.contains(&"m2".into()) && best.contains(&"m4".into()), "{}", ran.out);
    let first = ran.out.lines().next().unwrap();
    assert!(
        first.starts_with("{\"rank\":1,\"id\":\"m2\",\"score\":0.")
            && first.contains("\"positive\":true,\"text\":"),
        "{first}"
    );
}

#[test]
fn one_table_with_a_label_gives_the_same() {
    let folder = Folder::with_messages();
    let mut all = String::from("id,text,status\n");
    for (file, status) in [("like.jsonl", "refund"), ("pile.jsonl", "")] {
        for line in folder.read(file).lines() {
            let text = line.split("\"text\":\"").nth(1).unwrap().trim_end_matches("\"}");
            all.push_str(&format!("{},{text},{status}\n", ids(line)[0]));
        }
    }
    folder.write("all.csv", &all);
    let of_two = folder.run("find --like like.jsonl --in pile.jsonl -o -").ok().out;
    let of_one = folder.run("find --in all.csv --label status --positive refund -o -").ok().out;
    assert_eq!(of_two, of_one);
}

#[test]
fn every_output_format_holds_the_same_rows() {
    let folder = Folder::with_messages();
    for name in ["out.jsonl", "out.csv", "out.tsv", "out.parquet", "out.jsonl.gz", "out.csv.zst"] {
        folder.run(&format!("find --like like.jsonl --in pile.jsonl --output {name}")).ok();
        let measured = folder
            .run(&format!("evaluate {name} --truth truth.jsonl --label topic --positive refund --json"));
        assert_eq!(measured.code, 1, "there is no truth yet");
    }
    let truth = [("m1", ""), ("m2", "refund"), ("m3", ""), ("m4", "refund"), ("m5", ""), ("m6", "")];
    let truth: String =
        truth.iter().map(|(id, topic)| format!("{{\"id\":\"{id}\",\"topic\":\"{topic}\"}}\n")).collect();
    folder.write("truth.jsonl", &truth);
    for name in ["out.jsonl", "out.csv", "out.tsv", "out.parquet", "out.jsonl.gz", "out.csv.zst"] {
        let measured = folder
            .run(&format!("evaluate {name} --truth truth.jsonl --label topic --positive refund --json"))
            .ok();
        assert!(measured.out.contains("\"average_precision\": 1.0"), "{name}: {}", measured.out);
    }
}

#[test]
fn text_files_folders_and_standard_input_are_documents() {
    let folder = Folder::new();
    folder.write("like.txt", "refund my money\nrefund please\nwant my refund\nmoney refund\nrefund it\n");
    folder.write("pile.txt", "lost parcel\nrefund this money\n");
    let from_file = folder.run("find --like like.txt --in pile.txt -o -").ok().out;
    assert_eq!(ids(&from_file), ["2", "1"]);
    let piped = folder
        .run_with_input("find --like like.txt --in - --format text -o -", "lost parcel\nrefund this money\n");
    assert_eq!(piped.ok().out, from_file);
    std::fs::create_dir(folder.path("docs")).unwrap();
    folder.write("docs/a.txt", "lost parcel").write("docs/b.txt", "refund this money");
    assert_eq!(ids(&folder.run("find --like like.txt --in docs -o -").ok().out), ["b.txt", "a.txt"]);
}

#[test]
fn numbers_and_categories_replace_text() {
    let folder = Folder::new();
    let mut table = String::from("id,age,town,kind\n");
    for i in 0..40 {
        let (age, town) = if i % 2 == 0 { (20 + i % 5, "rome") } else { (60 + i % 7, "oslo") };
        let kind = if i % 2 == 0 && i < 20 { "yes" } else { "" };
        table.push_str(&format!("r{i},{age},{town},{kind}\n"));
    }
    folder.write("t.csv", &table);
    let ran = folder
        .run("find --in t.csv --label kind --positive yes --features all --method nb --keep-positives -o -")
        .ok();
    let best = ids(&ran.out);
    assert!(best[..10].iter().all(|id| id[1..].parse::<u32>().unwrap() % 2 == 0), "{best:?}");
    let svm: String =
        (0..20).map(|i| format!("{} {}:1 9:{i}\n", i32::from(i % 2 == 0 && i < 12), 1 + i % 2)).collect();
    folder.write("t.svm", &svm);
    let ran = folder.run("find --in t.svm --label label --positive 1 -o -").ok();
    assert_eq!(ran.out.lines().count(), 14);
}

#[test]
fn several_files_make_one_pile() {
    let folder = Folder::with_messages();
    folder.write("more.jsonl", &jsonl(&["refund for my broken kettle please"]).replace("m1", "x1"));
    let ran = folder.run("find --like like.jsonl --in pile.jsonl --in more.jsonl -o -").ok();
    assert!(ids(&ran.out).contains(&"x1".to_string()) && ran.out.lines().count() == 7);
}
