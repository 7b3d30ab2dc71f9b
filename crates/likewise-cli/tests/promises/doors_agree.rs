//! The command line says what the library says, to the last bit: rankings, counts, notes and summaries.
//! `python/tests/test_doors_agree.py` holds Python and every other form of rows against the command line.

use crate::support::Folder;
use likewise::Run;
use likewise::data::{Column, Table};
use likewise::features::words::WordOptions;
use likewise::message::Setting;
use likewise::note::Note;
use likewise::prior::PriorOptions;
use likewise::questions::copies::WhyLeftOut;
use likewise::questions::find::{Find, Found};
use likewise::questions::unexpected::{Classes, Unexpected};
use likewise::questions::{ColumnChoice, Problem, audit, prior};
use serde_json::{Value, json};

const WANTED: [&str; 6] = ["refund", "money", "back", "return", "paid", "charge"];
const OTHERS: [&str; 6] = ["parcel", "late", "post", "lost", "address", "door"];

/// Messages that differ in their words and in a number; one in `every` is wanted.
fn messages(count: usize, every: usize, first: usize) -> Vec<String> {
    let message = |i: usize| {
        let topic = if i.is_multiple_of(every) { WANTED } else { OTHERS };
        let words = [0, 1, 3].map(|step| topic[(i * 5 + i / 3 + step * (1 + i % 2)) % topic.len()]);
        format!("{} n{}", words.join(" "), first + i)
    };
    (0..count).map(message).collect()
}

/// Examples, one blank and one twice; a pile with a copy of an example and with a blank row.
fn sides() -> (Vec<String>, Vec<String>) {
    let (mut like, mut pile) = (messages(24, 1, 0), messages(90, 4, 100));
    like[5] = String::new();
    like[7] = like[6].clone();
    pile[3] = like[0].clone();
    pile[40] = String::new();
    (like, pile)
}

fn csv(texts: &[String]) -> String {
    texts.iter().fold("text\n".to_string(), |file, text| file + &format!("\"{text}\"\n"))
}

fn folder() -> Folder {
    let (like, pile) = sides();
    let folder = Folder::new();
    folder.write("like.csv", &csv(&like)).write("pile.csv", &csv(&pile));
    folder
}

fn problem() -> Problem {
    let (like, pile) = sides();
    let [like, pile] = [like, pile].map(|texts| Table::from_texts("text", texts));
    Problem::of_two(like, pile, &ColumnChoice::default()).expect("a problem")
}

fn word(setting: &Setting) -> String {
    let option = format!("--{}", setting.name.replace('_', "-"));
    if setting.value.is_empty() { option } else { format!("{option} {}", setting.value) }
}

fn said(notes: &[Note]) -> Vec<String> {
    let level = |note: &Note| if note.is_warning() { "warning" } else { "note" };
    notes.iter().map(|note| format!("{}: {}", level(note), note.message.render(word))).collect()
}

fn heard(err: &str) -> Vec<String> {
    let told = err.lines().filter(|line| line.starts_with("note: ") || line.starts_with("warning: "));
    told.map(str::to_string).collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn ranking(found: &Found) -> Vec<Value> {
    let ranking = &found.ranking;
    (0..ranking.len())
        .map(|at| {
            json!({ "rank": at + 1, "id": &ranking.ids[at], "score": ranking.scores[at], "positive": ranking.positive[at] })
        })
        .collect()
}

#[test]
fn find() {
    let (folder, problem) = (folder(), problem());
    let ran = folder
        .run("find --like like.csv --in pile.csv --effort quick --output out.jsonl --summary summary.json")
        .ok();
    let mut question = Find::new(None, false).unwrap();
    question.parameters.insert("effort".into(), "quick".into());
    let found = question.ask(&problem, &Run::new(0)).unwrap();
    assert_eq!(lines(&folder.read("out.jsonl")), ranking(&found));
    assert_eq!(heard(&ran.err), said(&found.notes));
    let summary: Value = serde_json::from_str(&folder.read("summary.json")).unwrap();
    assert_eq!(summary, serde_json::to_value(&found.summary).unwrap());
    for line in found.lines() {
        assert!(ran.err.contains(&line), "{line}\n{}", ran.err);
    }
    let left: Vec<_> = found.left_out.iter().map(|left| (left.position, left.example, left.reason)).collect();
    let expected = [
        (5, true, WhyLeftOut::BlankExample),
        (7, true, WhyLeftOut::RepeatedExample),
        (3, false, WhyLeftOut::CopyOfExample),
    ];
    assert_eq!(left, expected);
    // The command line counts rows from 1, positions from 0.
    let place = |at: usize| (found.ranking.positions[at] + 1).to_string();
    assert!((0..found.ranking.len()).all(|at| found.ranking.ids[at] == place(at)));
}

#[test]
fn prior_and_audit() {
    let (folder, problem) = (folder(), problem());
    let words = WordOptions::default();
    let ran = folder.run("prior --like like.csv --in pile.csv --resamples 10 --json").ok();
    let options = PriorOptions { resamples: 10, ..PriorOptions::default() };
    let report = prior::ask(&problem, &words, &options, &Run::new(0)).unwrap();
    let estimates = serde_json::to_value(&report.estimates).unwrap();
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(told["estimates"], estimates);
    assert_eq!(told["notes"], serde_json::to_value(&report.notes).unwrap());
    assert_eq!(heard(&ran.err), said(&report.notes));

    let ran = folder.run("audit --like like.csv --in pile.csv --json").ok();
    let (findings, notes) = audit::ask(&problem, &words, &Run::new(0)).unwrap();
    let mut expected = serde_json::to_value(&findings).unwrap();
    expected["notes"] = serde_json::to_value(&notes).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&ran.out).unwrap(), expected);
    assert_eq!(heard(&ran.err), said(&notes));
}

#[test]
fn unexpected_with_a_blank_class() {
    let known = ["engine wheel car", "car brake motor", "goal team ball", "team ball win", "protein gene"];
    let classes = ["cars", "cars", "sport", "sport", " "];
    let new = ["motor car engine", "ball team goal", "protein gene gene protein", ""];
    let folder = Folder::new();
    let rows =
        known.iter().zip(classes).fold("text,kind\n".to_string(), |f, (t, c)| f + &format!("{t},{c}\n"));
    folder.write("known.csv", &rows);
    folder.write("new.csv", &csv(&new.map(str::to_string)));
    let ran = folder.run("unexpected --known known.csv --label kind --in new.csv --output -").ok();
    let question = Unexpected {
        method: likewise::registry::find("auto").unwrap(),
        parameters: Default::default(),
        columns: ColumnChoice { keep_positives: true, ..ColumnChoice::default() },
        words: WordOptions::default(),
    };
    let column = |cells: &[&str]| Column::Text(cells.iter().collect());
    let columns = vec![("text".to_string(), column(&known)), ("kind".to_string(), column(&classes))];
    let known = Table::from_columns(columns).unwrap();
    let new = Table::from_texts("text", new);
    let judged = question.ask(known, Classes::Column("kind"), new, &Run::new(0)).unwrap();
    assert_eq!((judged.unnamed, judged.notes[0].message.code.name), (1, "unnamed-class"));
    let expected: Vec<Value> = (judged.ids.iter().zip(&judged.verdicts))
        .map(|(id, v)| {
            let class = v.class.as_deref().unwrap_or_default();
            json!({ "id": id, "unexpected": v.unexpected, "score": v.score, "class": class })
        })
        .collect();
    assert_eq!(lines(&ran.out), expected);
    assert_eq!(heard(&ran.err), said(&judged.notes));
}

/// A text column of a database is read as a file with these rows is: copies and blanks leave it.
#[test]
fn documents_of_a_database() {
    let (like, pile) = sides();
    let folder = Folder::new();
    let rows: Vec<(usize, &String, bool)> = like
        .iter()
        .map(|text| (text, true))
        .chain(pile.iter().map(|text| (text, false)))
        .enumerate()
        .map(|(at, (text, marked))| (at + 1, text, marked))
        .collect();
    let file = |head: &str, keep: &dyn Fn(bool) -> bool| {
        let kept = rows.iter().filter(|(_, _, marked)| keep(*marked));
        kept.fold(head.to_string(), |file, (id, text, _)| file + &format!("{id},\"{text}\"\n"))
    };
    std::fs::create_dir(folder.path("shop")).unwrap();
    folder.write("shop/messages.csv", &file("id,body\n", &|_| true));
    folder.write("like.csv", &file("id,text\n", &|marked| marked));
    folder.write("pile.csv", &file("id,text\n", &|marked| !marked));
    let keys: String = rows.iter().filter(|row| row.2).map(|row| format!("{}\n", row.0)).collect();
    folder.write("keys.txt", &keys);
    folder.run("find --like like.csv --in pile.csv --method nb --output files.jsonl").ok();
    folder
        .run("find --database shop --text messages.body --like keys.txt --method nb --output tables.jsonl")
        .ok();
    assert_eq!(folder.read("tables.jsonl"), folder.read("files.jsonl"));
    assert_eq!(lines(&folder.read("files.jsonl")).len(), 89);
}
