//! `score` on folders of parts: the same names, a stopped run goes on, shards share the work out.

use crate::support::Folder;

fn folder() -> Folder {
    let folder = Folder::with_messages();
    folder.run("find --like like.jsonl --in pile.jsonl --method nb --model refunds.model -o ranked.csv").ok();
    folder
        .run("find --like like.jsonl --in pile.jsonl --method rocchio --model other.model -o ranked.csv")
        .ok();
    std::fs::create_dir(folder.path("in")).unwrap();
    let texts = |words: &[&str]| -> String {
        words.iter().enumerate().map(|(at, text)| format!("{at},{text}\n")).collect::<String>()
    };
    for (name, words) in [
        ("a.csv", &["refund my money", "parcel"][..]),
        ("b.csv", &["lost parcel", "password", "money back"]),
        ("c.csv", &["refund"]),
    ] {
        folder.write(&format!("in/{name}"), &format!("id,text\n{}", texts(words)));
    }
    folder
}

fn out(folder: &Folder, name: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder.path(name))
        .map(|entries| entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect())
        .unwrap_or_default();
    names.sort();
    names
}

#[test]
fn each_file_becomes_one_of_the_same_name() {
    let folder = folder();
    let ran = folder.run("score refunds.model --in in --output out/").ok();
    assert!(ran.err.contains("Scored 6 rows in 3 parts"), "{}", ran.err);
    assert_eq!(out(&folder, "out"), ["_likewise.json", "a.csv", "b.csv", "c.csv"]);
    folder.run("score refunds.model --in in/b.csv --output b.csv").ok();
    assert_eq!(folder.read("out/b.csv"), folder.read("b.csv"));
    // What a shell makes of a pattern, and the pattern itself.
    folder.run("score refunds.model --in in/a.csv in/b.csv in/c.csv --output shell/").ok();
    folder.run("score refunds.model --in in/*.csv --output pattern/").ok();
    for name in ["a.csv", "b.csv", "c.csv"] {
        assert_eq!(folder.read(&format!("out/{name}")), folder.read(&format!("shell/{name}")));
        assert_eq!(folder.read(&format!("out/{name}")), folder.read(&format!("pattern/{name}")));
    }
}

#[test]
fn a_stopped_run_goes_on_and_finished_parts_are_kept() {
    let folder = folder();
    folder.run("score refunds.model --in in --output out/").ok();
    let whole = folder.read("out/b.csv");
    folder.write("out/a.csv", "finished before");
    std::fs::remove_file(folder.path("out/b.csv")).unwrap();
    let ran = folder.run("score refunds.model --in in --output out/").ok();
    assert!(
        ran.err.contains("Scored 3 rows in 1 parts") && ran.err.contains("2 were there already"),
        "{}",
        ran.err
    );
    assert_eq!((folder.read("out/a.csv").as_str(), folder.read("out/b.csv")), ("finished before", whole));
    // A part that cannot be read leaves the others that were finished, and none of its own.
    folder.write("in/bad.jsonl", "{\"text\": \"refund\"}\n{\"text\": ");
    let failed = folder.run("score refunds.model --in in --output out/");
    assert_ne!(failed.code, 0);
    assert_eq!(out(&folder, "out"), ["_likewise.json", "a.csv", "b.csv", "c.csv"]);
}

#[test]
fn shards_are_disjoint_and_together_all() {
    let folder = folder();
    folder.run("score refunds.model --in in --output first/ --shard 1/2").ok();
    folder.run("score refunds.model --in in --output second/ --shard 2/2").ok();
    assert_eq!(out(&folder, "first"), ["_likewise.json", "a.csv", "c.csv"]);
    assert_eq!(out(&folder, "second"), ["_likewise.json", "b.csv"]);
    folder.run("score refunds.model --in in --output first/ --shard 2/2").ok();
    assert_eq!(out(&folder, "first").len(), 4);
}

#[test]
fn what_would_mix_or_overwrite_is_refused() {
    let folder = folder();
    folder.run("score refunds.model --in in --output out/").ok();
    folder.run("score other.model --in in --output out/").failed(2, &["another model scored"]);
    folder.run("score refunds.model --in in --output in/").failed(2, &["would write over what is read"]);
    folder.run("score refunds.model --in - --output out/").failed(2, &["standard input has none"]);
    folder.run("score refunds.model --in in --output out.csv --shard 1/2").failed(2, &["--output out/"]);
    folder
        .run("score refunds.model --in in --output new")
        .failed(2, &["cannot tell the format", "is `new/`"]);
    folder.run("score refunds.model --in in --output out/ --shard 3/2").failed(2, &["third of sixteen"]);
    folder.run("score refunds.model --in in/*.parquet --output out/").failed(2, &["no file has such a name"]);
    std::fs::create_dir(folder.path("again")).unwrap();
    folder.write("again/a.csv", "id,text\n1,refund\n");
    folder.run("score refunds.model --in in --in again --output two/").failed(2, &["have one name"]);
}
