//! The same seed gives the same bytes whatever the number of threads, and row order changes no score.

use crate::support::Folder;
use likewise_testing::data_file;

#[test]
fn rankings_and_models_of_real_messages() {
    let Some(data) = data_file("sms-spam/sms-spam.jsonl.gz") else { return };
    let folder = Folder::new();
    for method in ["nb", "lgn"] {
        for threads in [1, 2] {
            let arguments = format!(
                "find --in {} --label label --positive spam --method {method} --seed 4 --threads {threads} --output {method}{threads}.jsonl --model {method}{threads}.model",
                data.display()
            );
            folder.run(&arguments).ok();
        }
        for end in ["jsonl", "model"] {
            let bytes = |threads| std::fs::read(folder.path(&format!("{method}{threads}.{end}"))).unwrap();
            assert!(bytes(1) == bytes(2), "{method}.{end}");
        }
    }
}

#[test]
fn the_order_of_rows_changes_no_score() {
    let folder = Folder::with_messages();
    let turned: String = folder.read("pile.jsonl").lines().rev().map(|line| format!("{line}\n")).collect();
    folder.write("turned.jsonl", &turned);
    let lines = |file: &str| {
        let out = folder.run(&format!("find --like like.jsonl --in {file} --method nb -o -")).ok().out;
        let mut lines: Vec<String> =
            out.lines().map(|line| line.split_once(',').unwrap().1.to_string()).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines("pile.jsonl"), lines("turned.jsonl"));
}
