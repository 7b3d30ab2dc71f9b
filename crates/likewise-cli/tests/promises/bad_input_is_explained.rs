//! Every mistake gets a message that says what is wrong, where, and what to do; nothing half-written stays.

use crate::support::{Folder, jsonl};

const FIND: &str = "find --like like.jsonl --in pile.jsonl";

#[test]
fn files_that_are_missing_or_empty() {
    let folder = Folder::with_messages();
    folder.run("find --like like.jsonl --in none.jsonl").failed(1, &["none.jsonl", "no such file"]);
    folder.write("empty.jsonl", "");
    folder.run("find --like like.jsonl --in empty.jsonl").failed(1, &["empty.jsonl"]);
    folder.write("odd.xyz", "a");
    folder.run("find --like like.jsonl --in odd.xyz").failed(2, &["unknown extension", "--format"]);
}

#[test]
fn columns_that_do_not_exist() {
    let folder = Folder::with_messages();
    folder.run(&format!("{FIND} --text txt")).failed(1, &["no column `txt`", "did you mean `text`", "`id`"]);
    folder.run(&format!("{FIND} --id key")).failed(1, &["no column `key`"]);
    folder.write("a.csv", "id,body\n1,x\n");
    folder
        .run("find --like a.csv --in a.csv")
        .failed(1, &["a.csv has nothing to learn from", "body (the same everywhere)", "--text"]);
}

#[test]
fn positives_that_are_missing_few_or_everything() {
    let folder = Folder::with_messages();
    folder.write("all.csv", "text,status\nrefund,done\nparcel,open\n");
    folder
        .run("find --in all.csv --label status --positive refund")
        .failed(1, &["no row has `refund`", "`done`, `open`"]);
    folder.write("only.csv", "text,status\nrefund,yes\nmoney,yes\n");
    folder.run("find --in only.csv --label status --positive yes").failed(1, &["every row is marked"]);
    folder.write("two.jsonl", &jsonl(&["refund money", "refund now"]));
    let ran = folder.run("find --like two.jsonl --in pile.jsonl").ok();
    assert!(ran.err.contains("only 2 positive examples"), "{}", ran.err);
}

#[test]
fn one_example_claims_nothing() {
    let folder = Folder::with_messages();
    folder.write("one.jsonl", &jsonl(&["refund money"]));
    let ran = folder.run("find --like one.jsonl --in pile.jsonl --method nb").ok();
    for said in ["only 1 positive example:", "one example cannot tell", "nothing is claimed"] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    assert!(!ran.err.contains("of the marked are right"), "{}", ran.err);
    let audit = folder.run("audit --like one.jsonl --in pile.jsonl").ok();
    assert!(audit.out.contains("One example cannot be hidden from itself"), "{}", audit.out);
}

#[test]
fn files_that_are_no_text() {
    let folder = Folder::with_messages();
    folder.run("find --like like.jsonl --in pile.jsonl --method nb --model kept.model --quiet").ok();
    std::fs::copy(folder.path("kept.model"), folder.path("kept.csv")).unwrap();
    folder.write("paper.txt", "%PDF-1.4\n%\n");
    for (file, what) in [("kept.csv", "a model"), ("paper.txt", "a PDF")] {
        let expected = format!("{file}: it holds no text but {what};");
        folder.run(&format!("find --like like.jsonl --in {file}")).failed(1, &[&expected]);
    }
    folder.run("score none.model --in pile.jsonl").failed(1, &["none.model", "no such file"]);
}

#[test]
fn numbers_with_commas_are_pointed_out() {
    let folder = Folder::new();
    let rows = |from: usize, to: usize| {
        (from..to)
            .fold("id,price\n".to_string(), |file, row| file + &format!("{row},\"{},500\"\n", row % 7 + 1))
    };
    folder.write("like.csv", &rows(0, 6)).write("pile.csv", &rows(6, 60));
    let find = "find --like like.csv --in pile.csv --features price --keep-positives --method nearest";
    let ran = folder.run(find).ok();
    assert!(ran.err.contains("column `price` holds numbers with commas, such as `1,500`"), "{}", ran.err);
    let look = folder.run("look pile.csv").ok();
    assert!(look.out.contains("with its comma is no number"), "{}", look.out);
}

#[test]
fn positives_that_also_stand_in_the_pile() {
    let folder = Folder::with_messages();
    folder.write(
        "twice.jsonl",
        &(folder.read("pile.jsonl") + "{\"id\":\"copy\",\"text\":\"i want a refund\"}\n"),
    );
    let ran = folder.run("find --like like.jsonl --in twice.jsonl -o -").ok();
    assert!(
        ran.err.contains("1 row of the pile has the content of a positive") && !ran.out.contains("copy"),
        "{}",
        ran.err
    );
    let kept = folder.run("find --like like.jsonl --in twice.jsonl -o - --keep-positives").ok();
    assert!(kept.out.contains("copy"));
    folder
        .run("find --like like.jsonl --in like.jsonl")
        .failed(1, &["every row of the pile", "--keep-positives"]);
}

#[test]
fn ids_that_repeat() {
    let folder = Folder::with_messages();
    folder.write("twice.jsonl", &(folder.read("pile.jsonl") + &jsonl(&["another parcel"])));
    let ran = folder.run("find --like like.jsonl --in twice.jsonl").ok();
    assert!(
        ran.err.contains("repeats an id") && ran.err.contains("`m1`: twice.jsonl:1 and twice.jsonl:7"),
        "{}",
        ran.err
    );
}

#[test]
fn rows_without_a_usable_word_come_last() {
    let folder = Folder::with_messages();
    folder.write("blank.jsonl", &(jsonl(&["... ---"]).replace("m1", "blank") + &folder.read("pile.jsonl")));
    let ran = folder.run("find --like like.jsonl --in blank.jsonl -o -").ok();
    assert!(
        ran.out.lines().last().unwrap().contains("\"id\":\"blank\",\"score\":0.0,\"positive\":false"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("without a usable word"), "{}", ran.err);
}

#[test]
fn numbers_that_are_none() {
    let folder = Folder::new();
    let row = |i: usize, cell: &str| format!("{cell},{},{}\n", i % 7, if i < 6 { "yes" } else { "" });
    let table = |bad: &str| {
        let rows: String = (0..30).map(|i| row(i, if i == 20 { bad } else { "3.5" })).collect();
        format!("a,b,y\n{rows}")
    };
    let run = |bad: &str| {
        folder.write("t.csv", &table(bad));
        folder.run("find --in t.csv --label y --positive yes --features a,b --keep-positives")
    };
    for odd in ["lots", "inf"] {
        let err = run(odd).ok().err;
        let said = format!(
            "column `a` holds numbers, and 1 of its cells (3.3 %) is none, such as `{odd}` (t.csv:22)"
        );
        assert!(err.contains(&format!("warning: {said}")), "{err}");
    }
    let missing = run("").ok();
    assert!(missing.err.contains("column `a`: 1 missing"), "{}", missing.err);
    let text = folder.write("t.csv", &table("nan"));
    assert!(
        text.run("find --in t.csv --label y --positive yes --features all --keep-positives")
            .ok()
            .err
            .contains("missing")
    );
}

#[test]
fn malformed_rows_stop_or_are_skipped_and_counted() {
    let folder = Folder::with_messages();
    folder.write("bad.jsonl", &(folder.read("pile.jsonl") + "{\"id\": \"x\", \"text\": oops}\n"));
    folder.run("find --like like.jsonl --in bad.jsonl").failed(1, &["bad.jsonl:7", "--skip-bad-rows"]);
    let ran = folder.run("find --like like.jsonl --in bad.jsonl --skip-bad-rows -o -").ok();
    assert!(ran.err.contains('1') && ran.out.lines().count() == 6, "{}", ran.err);
    folder.write("bad.csv", "id,text\n1,fine\n2,too,many\n");
    folder.run("find --like like.jsonl --in bad.csv").failed(1, &["bad.csv:3"]);
}

#[test]
fn bytes_that_are_not_utf_8_are_replaced_and_counted() {
    let folder = Folder::with_messages();
    let mut bytes = folder.read("pile.jsonl").into_bytes();
    bytes.extend_from_slice(b"{\"id\":\"latin\",\"text\":\"caf\xe9 refund\"}\n");
    std::fs::write(folder.path("latin.jsonl"), bytes).unwrap();
    let ran = folder.run("find --like like.jsonl --in latin.jsonl -o -").ok();
    assert!(ran.out.contains("latin") && ran.err.contains("UTF-8"), "{}", ran.err);
}

#[test]
fn methods_and_parameters_that_do_not_exist() {
    let folder = Folder::with_messages();
    folder.run(&format!("{FIND} --method lng")).failed(2, &["no method `lng`", "did you mean `lgn`"]);
    folder
        .run(&format!("{FIND} --method nb --set smooting=2"))
        .failed(2, &["smooting", "did you mean `smoothing`"]);
    folder.run(&format!("{FIND} --method nb --set strength=-1")).failed(2, &["strength", "out of range"]);
    folder.run(&format!("{FIND} --method nb --set strength=much")).failed(2, &["`much` is not a number"]);
    folder.run("find --like like.jsonl").failed(2, &["--in"]);
    folder.run("find --in pile.jsonl").failed(2, &["--like", "--label"]);
    folder.run(&format!("{FIND} --nonsense")).failed(2, &["--nonsense"]);
    folder.run(&format!("{FIND} --stemming klingon")).failed(2, &["no stemmer for `klingon`"]);
}

#[test]
fn a_failed_run_leaves_nothing_behind() {
    let folder = Folder::with_messages();
    folder.write("out.csv", "what was there before");
    folder.write("bad.jsonl", "{\"text\": \"fine\"}\n{\"text\": oops}\n");
    folder
        .run("find --like like.jsonl --in bad.jsonl --output out.csv --model new.model")
        .failed(1, &["bad.jsonl:2"]);
    assert_eq!(folder.read("out.csv"), "what was there before");
    assert_eq!(folder.files(), ["bad.jsonl", "like.jsonl", "out.csv", "pile.jsonl"]);
    folder.run(&format!("{FIND} --output no/such/folder/out.csv")).failed(2, &["no/such/folder"]);
}
