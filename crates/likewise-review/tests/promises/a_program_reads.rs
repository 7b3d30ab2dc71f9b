//! A program as reader: its marks are taught and kept under its name; what is proved rests on a person's alone.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::support::{desk, import, is_wanted, messages, project, table};
use likewise::Run;
use likewise::data::Column;
use likewise::questions::ColumnChoice;
use likewise_review::Desk;
use likewise_review::desk::{Mark, Marks, Mode, Reader};
use likewise_review::program::{self, ReaderOptions};
use likewise_review::project::import::Import;
use likewise_review::session::log::Verdict;

/// Says yes to what speaks of a refund.
const RULE: &str = r#"while IFS= read -r line; do
id=${line#*\"id\":\"}; id=${id%%\"*}
case $line in *refund*) v=yes;; *) v=no;; esac
echo "{\"id\":\"$id\",\"verdict\":\"$v\",\"note\":\"by rule\"}"
done"#;

fn options(command: &str, alone: bool, budget: Option<u64>) -> ReaderOptions {
    ReaderOptions {
        command: command.into(),
        name: "rule".into(),
        time: Duration::from_secs(30),
        budget,
        alone,
        warn: |_| (),
    }
}

#[test]
fn alone_it_reads_until_the_target_is_proved() {
    let folder = tempfile::tempdir().unwrap();
    let pile = messages(400, 8);
    let (project, _) = project(folder.path(), &["please refund".into()], &pile, 1);
    let desk = Desk::open(project, Vec::new(), true, &Run::new(1)).unwrap();
    let read = program::read(&desk, &options(RULE, true, None), &AtomicBool::new(false)).unwrap();
    let word = desk.last_word();
    assert!(word.stop && word.found >= 48 && read < 400, "{read} {word:?}");
    desk.close();
    let connection = rusqlite::Connection::open(folder.path().join("test.likewise")).unwrap();
    let (marks, notes): (i64, i64) = (
        connection
            .query_row("SELECT count(*) FROM mark WHERE by = 'rule' AND program", [], |r| r.get(0))
            .unwrap(),
        connection.query_row("SELECT count(*) FROM note WHERE text = 'by rule'", [], |r| r.get(0)).unwrap(),
    );
    assert_eq!((marks as u64, notes as u64), (read, read));
}

#[test]
fn a_budget_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = project(folder.path(), &["please refund".into()], &messages(200, 8), 1);
    let desk = Desk::open(project, Vec::new(), true, &Run::new(1)).unwrap();
    let read = program::read(&desk, &options(RULE, true, Some(17)), &AtomicBool::new(false)).unwrap();
    assert_eq!((read, desk.last_word().read), (17, 17));
}

#[test]
fn one_that_dies_is_started_once_more_and_then_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = project(folder.path(), &["please refund".into()], &messages(60, 3), 1);
    let desk = Desk::open(project, Vec::new(), true, &Run::new(1)).unwrap();
    let starts = folder.path().join("starts");
    let dying = format!(
        "echo x >> {}; {}",
        starts.display(),
        RULE.replace("done\n", "").replacen("do\n", "do\n n=$((n+1)); [ $n -gt 5 ] && exit 1\n", 1)
    );
    let error =
        program::read(&desk, &options(&dying, true, None), &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(error.contains("a second time") && error.contains("10 rows"), "{error}");
    assert_eq!(std::fs::read_to_string(starts).unwrap().lines().count(), 2);
    assert_eq!(desk.last_word().read, 10, "what it said before it died is kept");
}

#[test]
fn silence_and_nonsense_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = project(folder.path(), &["please refund".into()], &messages(60, 3), 1);
    let desk = Desk::open(project, Vec::new(), true, &Run::new(1)).unwrap();
    let silent = ReaderOptions { time: Duration::from_millis(50), ..options("sleep 60", true, None) };
    let error = program::read(&desk, &silent, &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(error.contains("no answer within 0.05 s"), "{error}");
    let error = program::read(
        &desk,
        &options("while read -r x; do echo maybe; done", true, None),
        &AtomicBool::new(false),
    );
    let error = error.unwrap_err().to_string();
    assert!(error.contains("answered `maybe`") && error.contains("verdict"), "{error}");
}

#[test]
fn the_time_is_for_one_row_and_not_for_all_that_wait() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = project(folder.path(), &["please refund".into()], &messages(60, 3), 1);
    let desk = Desk::open(project, Vec::new(), true, &Run::new(1)).unwrap();
    // Four rows are under way at once, and each takes more than a fourth of the time.
    let slow = RULE.replacen("do\n", "do\n sleep 0.4\n", 1);
    let slow = ReaderOptions { time: Duration::from_secs(1), ..options(&slow, true, Some(6)) };
    assert_eq!(program::read(&desk, &slow, &AtomicBool::new(false)).unwrap(), 6);
}

#[test]
fn one_that_does_not_read_what_it_is_asked_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let pile: Vec<String> = (0..8).map(|row| format!("{row} ") + &"long text ".repeat(100_000)).collect();
    let (project, _) = project(folder.path(), &["please refund".into()], &pile, 1);
    let desk = Desk::open(project, Vec::new(), true, &Run::new(1)).unwrap();
    let deaf = ReaderOptions { time: Duration::from_millis(200), ..options("sleep 600", true, None) };
    let error = program::read(&desk, &deaf, &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(error.contains("no answer within 0.2 s"), "{error}");
}

#[test]
fn nothing_of_it_is_left_when_the_reading_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = project(folder.path(), &["please refund".into()], &messages(60, 3), 1);
    let desk = Desk::open(project, Vec::new(), true, &Run::new(1)).unwrap();
    let (name, stop) = (folder.path().join("pid"), AtomicBool::new(false));
    let command = format!("sleep 600 & echo $! > {}; wait; true", name.display());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while std::fs::read_to_string(&name).map_or(true, |text| text.is_empty()) {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(program::read(&desk, &options(&command, true, None), &stop).unwrap(), 0);
    });
    let child = std::fs::read_to_string(&name).unwrap();
    // The system may take its time, and whoever inherits it may not bury it.
    while std::fs::read_to_string(format!("/proc/{}/stat", child.trim()))
        .is_ok_and(|stat| !stat.contains(") Z "))
    {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn columns_of_any_name_reach_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut pile = table("pile", &["please refund my money".to_string(), "parcel late".into()]);
    for (name, cells) in [("id", ["x1", "x2"]), ("name", ["Ada", "Bo"]), ("columns", ["c1", "c2"])] {
        pile.push_column(name, Column::Text(cells.iter().collect()));
    }
    let import = Import { pile, ..import(&["please refund".into()], &[], 1) };
    let choice = ColumnChoice { text: Some(vec!["text".into()]), ..import.choice.clone() };
    let (project, _) =
        Import { choice, ..import }.open(&folder.path().join("p.likewise"), &Run::new(1)).unwrap();
    let desk = Desk::open(project, Vec::new(), true, &Run::new(1)).unwrap();
    let seen = folder.path().join("seen");
    let command = RULE.replacen("do\n", &format!("do\n echo \"$line\" >> {}\n", seen.display()), 1);
    program::read(&desk, &options(&command, true, Some(2)), &AtomicBool::new(false)).unwrap();
    let seen = std::fs::read_to_string(seen).unwrap();
    let lines: Vec<serde_json::Value> =
        seen.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ada = lines.iter().find(|line| line["name"] == "x1").unwrap();
    assert_eq!((&ada["columns"]["name"], &ada["columns"]["columns"]), (&"Ada".into(), &"c1".into()), "{ada}");
}

/// The program errs in three rows of ten, both ways. The person reads what is advised and marks the truth. Whatever the
/// program says, the bound on recall holds: over many piles it is above the truth in at most 5 % (+ sampling error).
#[test]
fn the_bound_holds_whatever_the_program_says() {
    const PILES: u64 = 60;
    let mut wrong = 0;
    for seed in 0..PILES {
        let folder = tempfile::tempdir().unwrap();
        let pile = messages(120, 6);
        let total = pile.iter().filter(|text| is_wanted(text)).count() as f64;
        let desk = desk(folder.path(), &[], &pile, seed);
        let (program, person) = (Reader::program("rule"), Reader::person("anna", "a"));
        let mut too_much = false;
        for turn in 0..70u64 {
            let said = desk.hand_out(&program, &[], 1, Mode::Best).rows;
            if let Some(&row) = said.first() {
                let errs = (u64::from(row) * 7919 + seed) % 10 < 3;
                mark(&desk, &program, row, is_wanted(&pile[row as usize]) != errs, &format!("p{turn}"));
            }
            let Some(&row) = desk.hand_out(&person, &[], 1, Mode::Random).rows.first() else { break };
            mark(&desk, &person, row, is_wanted(&pile[row as usize]), &format!("a{turn}"));
            let word = desk.last_word();
            too_much |= word.recall_low > word.found as f64 / total;
        }
        wrong += u64::from(too_much);
        let agreement = &desk.state()["program"]["agreement"];
        let share = agreement["same"].as_f64().unwrap() / agreement["both"].as_f64().unwrap();
        assert!(share > 0.3 && share < 1.0, "{agreement}");
        desk.close();
    }
    let error = 3.0 * (0.05f64 * 0.95 / PILES as f64).sqrt();
    assert!(wrong as f64 / PILES as f64 <= 0.05 + error, "{wrong} of {PILES}");
}

fn mark(desk: &Desk, reader: &Reader, row: u32, wanted: bool, key: &str) {
    let verdict = if wanted { Verdict::Yes } else { Verdict::No };
    let marks = vec![Mark { row, verdict, ms: 0, shown_model: 0 }];
    desk.mark(reader, &Marks { base: u64::MAX, key: key.into(), marks }).unwrap();
}
