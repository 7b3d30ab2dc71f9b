//! An output is complete or not there, and what was there before stays until then.

use std::fs;
use std::path::Path;

use likewise::data::Texts;
use likewise_io::{CellKind, Cells, Field, Output, Writer};

const NAMES: [&str; 5] = ["a.csv", "a.tsv.gz", "a.jsonl", "a.jsonl.zst", "a.parquet"];

fn half_written(path: &Path) -> Writer {
    let fields = vec![Field::new("rank", CellKind::Integer), Field::new("id", CellKind::Text)];
    let mut writer = Writer::create(&Output::parse(path).unwrap(), fields).unwrap();
    let ranks: Vec<i64> = (1..=20_000).collect();
    let ids: Texts = ranks.iter().map(|rank| format!("id {rank}")).collect();
    writer.write(&[Cells::Integer(&ranks), Cells::Text(&ids)]).unwrap();
    writer
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn an_unfinished_output_leaves_no_trace() {
    for name in NAMES {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        drop(half_written(&path));
        assert!(names(folder.path()).is_empty(), "{name}");
        fs::write(&path, "before").unwrap();
        let writer = half_written(&path);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        drop(writer);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(names(folder.path()), [name]);
        half_written(&path).finish().unwrap();
        assert_ne!(fs::read(&path).unwrap(), b"before");
        assert_eq!(names(folder.path()), [name]);
    }
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for name in NAMES {
        let (first, second) = (folder.path().join(name), folder.path().join(format!("2{name}")));
        half_written(&first).finish().unwrap();
        half_written(&second).finish().unwrap();
        assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap(), "{name}");
    }
}

#[test]
fn the_text_is_what_people_expect() {
    let folder = tempfile::tempdir().unwrap();
    let fields = || {
        vec![
            Field::new("rank", CellKind::Integer),
            Field::new("id", CellKind::Text),
            Field::new("score", CellKind::Number),
            Field::new("positive", CellKind::Boolean),
        ]
    };
    let texts: Texts = ["a,\"b\"", ""].into_iter().collect();
    let written = |name: &str| {
        let path = folder.path().join(name);
        let mut writer = Writer::create(&Output::parse(&path).unwrap(), fields()).unwrap();
        let scores = Cells::Number(&[0.1 + 0.2, f64::NAN]);
        writer
            .write(&[Cells::Integer(&[1, 2]), Cells::Text(&texts), scores, Cells::Boolean(&[true, false])])
            .unwrap();
        writer.finish().unwrap();
        fs::read_to_string(path).unwrap()
    };
    let json = r#"{"rank":1,"id":"a,\"b\"","score":0.30000000000000004,"positive":true}
{"rank":2,"id":"","score":null,"positive":false}
"#;
    assert_eq!(written("a.jsonl"), json);
    let csv = "rank,id,score,positive\n1,\"a,\"\"b\"\"\",0.30000000000000004,true\n2,,,false\n";
    assert_eq!(written("a.csv"), csv);
    assert_eq!(written("a.tsv").lines().next(), Some("rank\tid\tscore\tpositive"));
}

/// A named pipe whose reader goes away, as `| head` does.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_told_from_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe.jsonl");
    if !std::process::Command::new("mkfifo").arg(&path).status().is_ok_and(|s| s.success()) {
        likewise_testing::skipped("there is no mkfifo");
        return;
    }
    let reader = std::thread::spawn({
        let path = path.clone();
        move || drop(fs::File::open(path).unwrap())
    });
    let mut writer =
        Writer::create(&Output::parse(&path).unwrap(), vec![Field::new("n", CellKind::Integer)]).unwrap();
    reader.join().unwrap();
    let numbers: Vec<i64> = (0..200_000).collect();
    let error = writer.write(&[Cells::Integer(&numbers)]).unwrap_err();
    assert!(error.is_broken_pipe(), "{error}");
    drop(writer);
    assert!(path.exists(), "a pipe is not ours to remove");
}
