//! Nothing that is read is written over, no answer replaces another, and each file is what the others are.

use crate::support::{Folder, PILE, jsonl};

const FIND: &str = "find --like like.jsonl --in pile.jsonl";

#[test]
fn what_is_read_is_never_written_over() {
    let folder = Folder::with_messages();
    let before = (folder.read("like.jsonl"), folder.read("pile.jsonl"));
    folder.run(&format!("{FIND} -o pile.jsonl")).failed(2, &["--output pile.jsonl", "what is read"]);
    folder.run(&format!("{FIND} --model ./like.jsonl")).failed(2, &["--model", "what is read"]);
    folder.run(&format!("{FIND} --method nb --model nb.model")).ok();
    folder.run("score nb.model --in pile.jsonl -o pile.jsonl").failed(2, &["--output"]);
    folder
        .run("unexpected --known like.jsonl --label id --in pile.jsonl -o pile.jsonl")
        .failed(2, &["--output"]);
    folder
        .run("simulate --in pile.jsonl --label id --positive m1 --labelled 1 -o .")
        .failed(2, &["pile.jsonl", "what is read"]);
    #[cfg(feature = "review")]
    {
        folder.write("p.likewise", "a project");
        folder
            .run("review p.likewise --model ./p.likewise")
            .failed(2, &["--model ./p.likewise", "what is read"]);
        assert_eq!(folder.read("p.likewise"), "a project");
    }
    assert_eq!((folder.read("like.jsonl"), folder.read("pile.jsonl")), before);
}

#[test]
fn one_file_holds_one_answer() {
    let folder = Folder::with_messages();
    folder.run(&format!("{FIND} -o a.csv --summary ./a.csv")).failed(2, &["--output and --summary"]);
    folder.run(&format!("{FIND} --model -")).failed(2, &["--model takes the name of a file"]);
    #[cfg(feature = "review")]
    folder.run("review p.likewise --export a.csv --model ./a.csv").failed(2, &["--export and --model"]);
    folder.run(&format!("{FIND} --model none/a.model")).failed(2, &["there is no folder none"]);
    #[cfg(feature = "papers")]
    folder.run("reproduce onb --json none/a.json").failed(2, &["there is no folder none"]);
    folder.run("find --like - --in - --format jsonl").failed(2, &["standard input can be read only once"]);
    assert_eq!(folder.files(), ["like.jsonl", "pile.jsonl"]);
    let ran = folder.run(&format!("{FIND} --method nb --report page.html --model nb.model")).ok();
    assert!(ran.err.contains("Method: nb, without a choice among methods"), "{}", ran.err);
    assert_eq!(folder.files(), ["like.jsonl", "nb.model", "page.html", "pile.jsonl"]);
}

#[test]
fn each_file_has_the_columns_that_are_asked_for() {
    let folder = Folder::with_messages();
    folder.write("body.csv", "id,body\nx1,I want a refund\n");
    folder.run(&format!("{FIND} --in body.csv")).failed(1, &["body.csv has no column `text`"]);
    folder.run(&format!("{FIND} --like body.csv")).failed(1, &["body.csv has no column `text`"]);
    folder
        .run("unexpected --known like.jsonl --known body.csv --label id --in pile.jsonl")
        .failed(1, &["body.csv has no column `text`"]);
    folder.write("more.txt", "another refund please\nlost parcel\n");
    let ran = folder.run(&format!("{FIND} --in more.txt -o -")).ok();
    assert!(ran.out.contains("\"id\":\"7\"") && ran.out.contains("\"id\":\"8\""), "{}", ran.out);
    folder.write("same.jsonl", &jsonl(&["one more refund"]));
    let ran = folder.run(&format!("{FIND} --in same.jsonl -o -")).ok();
    assert!(ran.err.contains("`m1`: pile.jsonl:1 and same.jsonl:1"), "{}", ran.err);
}

#[test]
fn a_format_is_for_what_has_no_telling_name() {
    let folder = Folder::with_messages();
    let csv: String = PILE.iter().enumerate().map(|(at, text)| format!("m{},{text}\n", at + 1)).collect();
    let piped = format!("id,text\n{csv}");
    let of_file = folder.run(&format!("{FIND} -o -")).ok().out;
    let of_pipe = folder.run_with_input("find --like like.jsonl --in - --format csv -o -", &piped).ok().out;
    assert_eq!(of_pipe, of_file);
    folder.write("table.txt", &piped);
    assert_eq!(folder.run("find --like like.jsonl --in table.txt --format csv -o -").ok().out, of_file);
}

#[test]
fn an_example_counts_once_and_a_blank_one_never() {
    let folder = Folder::with_messages();
    let once = folder.run(&format!("{FIND} -o -")).ok().out;
    let twice = folder.run(&format!("{FIND} --like like.jsonl -o -")).ok();
    assert_eq!(twice.out, once);
    assert!(twice.err.contains("another one has their content: 5"), "{}", twice.err);
    folder.write("blank.txt", "please refund my money\n\ni want a refund\n");
    let ran = folder.run("find --like blank.txt --in pile.jsonl --method nb --cut natural -o -").ok();
    assert!(ran.err.contains("blank: 1") && ran.err.contains("Learned from 2 examples"), "{}", ran.err);
    folder.write("known.csv", "text,group\nplease refund,a\nmoney back,a\nparcel lost,\nparcel late,b\n");
    let ran = folder.run("unexpected --known known.csv --label group --in pile.jsonl --method nb -o -").ok();
    assert!(
        ran.err.contains("their class is blank: 1")
            && !ran.out.contains("\"class\":\"\",\"unexpected\":false")
    );
}

#[test]
fn kept_columns_do_not_replace_those_of_the_answer() {
    let folder = Folder::with_messages();
    for name in ["like.jsonl", "pile.jsonl"] {
        folder.write(name, &folder.read(name).replace("\"text\"", "\"score\""));
    }
    folder.run(&format!("{FIND} --text score --keep-columns -o -")).failed(2, &["column `score` of its own"]);
    folder.run(&format!("{FIND} --text score --method nb --model nb.model")).ok();
    folder.run("score nb.model --in pile.jsonl --keep-columns").failed(2, &["column `score` of its own"]);
}
