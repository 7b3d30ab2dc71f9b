//! Two tabs, undo, retries, notes: no mark is lost or doubled, and a project that is opened again is where it was.

use crate::support::{Page, desk, import, is_wanted, messages};
use likewise::data::Column;
use likewise::reading::Pick;
use likewise_review::desk::{Mark, Marks, Mode, Reader};
use likewise_review::project::Settings;
use likewise_review::session::log::Verdict;
use likewise_review::{Desk, Error};

fn one(row: u32, verdict: Verdict, base: u64, key: &str) -> Marks {
    Marks { base, key: key.into(), marks: vec![Mark { row, verdict, ms: 5, shown_model: 0 }] }
}

fn marks(folder: &tempfile::TempDir) -> Vec<(String, String)> {
    let connection = rusqlite::Connection::open(folder.path().join("test.likewise")).unwrap();
    let mut statement = connection.prepare("SELECT by, verdict FROM mark ORDER BY seq").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(|row| row.unwrap()).collect()
}

#[test]
fn the_same_request_twice_is_one_mark() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), &[], &messages(30, 3), 1);
    let anna = Reader::person("anna", "a");
    let first = desk.mark(&anna, &one(4, Verdict::Yes, 0, "k1")).unwrap();
    assert_eq!(desk.mark(&anna, &one(4, Verdict::Yes, 0, "k1")).unwrap(), first);
    desk.close();
    assert_eq!(marks(&folder), [("anna".to_string(), "yes".to_string())]);
}

#[test]
fn two_tabs_never_see_the_same_row_and_the_second_mark_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let like = ["please refund my money".to_string()];
    let desk = desk(folder.path(), &like, &messages(60, 3), 1);
    desk.wait_for_training();
    let (anna, ben) = (Reader::person("anna", "a"), Reader::person("ben", "b"));
    let ours = desk.hand_out(&anna, &[], 5, Mode::Auto).rows;
    let theirs = desk.hand_out(&ben, &[], 5, Mode::Auto).rows;
    assert_eq!((ours.len(), theirs.len()), (5, 5));
    assert!(ours.iter().all(|row| !theirs.contains(row)), "{ours:?} {theirs:?}");
    desk.mark(&anna, &one(ours[0], Verdict::Yes, 0, "a1")).unwrap();
    let error = desk.mark(&ben, &one(ours[0], Verdict::No, 1, "b1")).unwrap_err();
    assert!(matches!(error, Error::Taken { ref rows, .. } if rows == &[ours[0]]), "{error:?}");
    let seen = desk.seq();
    desk.mark(&ben, &one(ours[0], Verdict::No, seen, "b2")).unwrap();
    assert_eq!(
        desk.show(&ben, ours[0]).unwrap().verdict,
        Some(Verdict::No),
        "who has seen the mark may change it"
    );
}

#[test]
fn a_project_opened_again_is_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let pile = messages(200, 5);
    let anna = Reader::person("anna", "a");
    let (state, random) = {
        let desk = desk(folder.path(), &[], &pile, 9);
        for at in 0..30 {
            let row = desk.hand_out(&anna, &[], 1, Mode::Random).rows[0];
            let verdict = if is_wanted(&pile[row as usize]) { Verdict::Yes } else { Verdict::No };
            desk.mark(&anna, &one(row, verdict, u64::MAX, &format!("k{at}"))).unwrap();
        }
        desk.undo(&anna, "u1").unwrap();
        desk.redo(&anna, "r1").unwrap();
        desk.set_note(&anna, 3, "look again".into(), vec!["odd".into()]).unwrap();
        let random = desk.hand_out(&anna, &[], 3, Mode::Random).rows;
        desk.close();
        (desk.last_word(), random)
    };
    let (project, added) =
        import(&[], &pile, 9).open(&folder.path().join("test.likewise"), &likewise::Run::new(9)).unwrap();
    assert!(added.is_empty());
    let again = Desk::open(project, added, false, &likewise::Run::new(9)).unwrap();
    assert_eq!(again.last_word(), state);
    assert_eq!(again.hand_out(&anna, &[], 3, Mode::Random).rows, random, "the same next random rows");
    assert_eq!(again.show(&anna, 3).unwrap().note, "look again");
}

#[test]
fn undo_brings_the_row_back_and_a_drawn_row_stays_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), &[], &messages(50, 5), 2);
    let anna = Reader::person("anna", "a");
    let row = desk.hand_out(&anna, &[], 1, Mode::Auto).rows[0];
    desk.mark(&anna, &one(row, Verdict::No, 0, "k1")).unwrap();
    assert_eq!(desk.undo(&anna, "u1").unwrap().row, Some(row));
    assert_eq!(desk.undo(&anna, "u1").unwrap().row, Some(row), "sent twice");
    assert_eq!(desk.undo(&anna, "u2").unwrap().row, None);
    assert_eq!(desk.hand_out(&anna, &[], 3, Mode::Auto).rows[0], row, "it comes back first");
    desk.mark(&anna, &one(row, Verdict::Yes, u64::MAX, "k2")).unwrap();
    desk.close();
    let connection = rusqlite::Connection::open(folder.path().join("test.likewise")).unwrap();
    let kind: String =
        connection.query_row("SELECT kind FROM mark ORDER BY seq DESC LIMIT 1", [], |r| r.get(0)).unwrap();
    assert_eq!(kind, "random");
    assert_eq!(marks(&folder).iter().map(|(_, v)| v.as_str()).collect::<Vec<_>>(), ["no", "undo", "yes"]);
}

#[test]
fn rows_that_say_the_same_are_read_once_and_exported_all() {
    let folder = tempfile::tempdir().unwrap();
    let pile: Vec<String> =
        ["Refund me.", "refund  me", "REFUND, me", "Refund me?", "late parcel"].map(String::from).to_vec();
    let desk = desk(folder.path(), &[], &pile, 3);
    let anna = Reader::person("anna", "a");
    let shown = desk.show(&anna, 0).unwrap();
    assert_eq!(
        (shown.copies, desk.state()["rows"].as_u64(), desk.state()["pile"].as_u64()),
        (2, Some(3), Some(5))
    );
    assert!(desk.mark(&anna, &one(1, Verdict::Yes, 0, "k")).is_err(), "a copy has no mark of its own");
    desk.mark(&anna, &one(0, Verdict::Yes, 0, "k")).unwrap();
    let request = serde_json::from_str(r#"{"what":"yes","as":"csv"}"#).unwrap();
    let csv = String::from_utf8(likewise_review::export::bytes(&desk.path, &request).unwrap().0).unwrap();
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.lines().nth(3).unwrap().contains("yes,anna,person"), "{csv}");
}

#[test]
fn numbers_leave_the_project_as_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let mut made = import(&[], &messages(3, 2), 1);
    made.pile.push_column("order", Column::Number(vec![7.0, 8.0, 12.0]));
    made.pile.push_column("price", Column::Number(vec![1.5, f64::NAN, 2.0]));
    made.choice.text = Some(vec!["text".into()]);
    let (project, _) = made.open(&folder.path().join("test.likewise"), &likewise::Run::new(1)).unwrap();
    let request = serde_json::from_str(r#"{"what":"all","as":"jsonl"}"#).unwrap();
    let (bytes, _) = likewise_review::export::bytes(&project.path, &request).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[2]["order"], &rows[0]["price"]), (&12.into(), &1.5.into()), "{text}");
    assert!(rows[1]["price"].is_null() && rows[0]["verdict"] == "", "{text}");
}

#[test]
fn notes_are_their_authors_own() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), &[], &messages(20, 3), 1);
    let (anna, ben) = (Reader::person("anna", "a"), Reader::person("ben", "b"));
    let rule = Reader::program("rule");
    desk.set_note(&anna, 4, "look again".into(), vec!["odd".into(), "late".into()]).unwrap();
    desk.mark(&rule, &one(4, Verdict::Yes, u64::MAX, "p")).unwrap();
    desk.set_note(&rule, 4, "it speaks of money".into(), Vec::new()).unwrap();
    let shown = desk.show(&anna, 4).unwrap();
    assert_eq!((shown.note.as_str(), shown.tags.len()), ("look again", 2));
    assert!(shown.others.is_empty(), "a program says nothing to a person who has not decided");
    let shown = desk.show(&ben, 4).unwrap();
    assert!(shown.note.is_empty() && shown.others.len() == 1 && shown.others[0].by == "anna");
    desk.mark(&anna, &one(4, Verdict::No, u64::MAX, "k")).unwrap();
    assert_eq!(desk.show(&anna, 4).unwrap().others[0].text, "it speaks of money");
    desk.set_note(&ben, 4, "no".into(), vec!["late".into(), "ben's".into()]).unwrap();
    let request = serde_json::from_str(r#"{"what":"all","as":"jsonl"}"#).unwrap();
    let (bytes, _) = likewise_review::export::bytes(&desk.path, &request).unwrap();
    let line = String::from_utf8(bytes).unwrap().lines().nth(4).unwrap().to_string();
    let row: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(row["note"], "anna: look again; ben: no");
    assert_eq!(
        (&row["tags"], &row["program_note"]),
        (&"odd, late, ben's".into(), &"it speaks of money".into())
    );
}

#[test]
fn notes_are_as_long_as_the_page_lets_them_be_and_what_is_too_long_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), &[], &messages(20, 3), 1);
    let anna = Reader::person("anna", "a");
    desk.set_note(&anna, 1, "退".repeat(10_000), vec!["t".into(); 500]).unwrap();
    let said = |text: String, tags: Vec<String>| desk.set_note(&anna, 1, text, tags).unwrap_err().to_string();
    assert!(said("x".repeat(10_001), Vec::new()).contains("10001 letters"));
    assert!(said(String::new(), vec!["t".into(); 501]).contains("501 tags"));
    assert!(said(String::new(), vec!["t".repeat(1001)]).contains("commas part tags"));
}

#[test]
fn a_copy_of_the_file_alone_has_the_marks_soon() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), &[], &messages(20, 3), 1);
    desk.mark(&Reader::person("anna", "a"), &one(4, Verdict::Yes, 0, "k")).unwrap();
    let copy = folder.path().join("copy.likewise");
    loop {
        std::fs::copy(&desk.path, &copy).unwrap();
        let connection = rusqlite::Connection::open(&copy).unwrap();
        let marks: i64 = connection.query_row("SELECT count(*) FROM mark", [], |r| r.get(0)).unwrap();
        if marks == 1 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    desk.close();
}

#[test]
fn what_one_reader_sets_stays_when_another_sets_something_else() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::serve(desk(folder.path(), &[], &messages(20, 2), 5));
    assert_eq!(page.ask("PUT /api/settings", "a", r#"{"criteria":"money back"}"#).status(), 200);
    assert_eq!(page.ask("PUT /api/settings", "b", r#"{"target":0.8}"#).status(), 200);
    let settings = page.ask("GET /api/state", "a", "").json()["settings"].clone();
    assert_eq!((&settings["criteria"], settings["target"].as_f64()), (&"money back".into(), Some(0.8)));
    assert_eq!(page.ask("PUT /api/settings", "a", r#"{"targt":0.8}"#).status(), 400);
    let keys = r#"{"theme":"dark","words":false,"keys":{"yes":["j"]}}"#;
    assert_eq!(page.ask("PUT /api/preferences", "a", keys).status(), 200);
    let kept = page.ask("GET /api/state", "b", "").json()["preferences"].clone();
    assert_eq!((&kept["theme"], &kept["keys"]["yes"][0]), (&"dark".into(), &"j".into()));
    assert_eq!(page.ask("PUT /api/preferences", "a", r#"{"theme":"green"}"#).status(), 400);
}

#[test]
fn examples_from_outside_are_learned_and_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let pile = messages(100, 10);
    let desk = desk(folder.path(), &[], &pile, 4);
    let anna = Reader::person("anna", "a");
    desk.add_text(&anna, "i want a refund of my money").unwrap();
    let file = "text\nrefund please\n\"money back, refund\"\n".to_string();
    assert_eq!(desk.add_file(&anna, "more.csv", file.clone()).unwrap(), 2);
    assert_eq!(desk.add_file(&anna, "again.csv", file.clone()).unwrap(), 0, "they are known");
    let undone = desk.undo(&anna, "u").unwrap();
    assert_eq!((undone.row, undone.examples, desk.state()["examples"].as_u64()), (None, 2, Some(1)));
    assert_eq!(desk.redo(&anna, "r").unwrap().examples, 2);
    desk.undo(&anna, "u2").unwrap();
    assert_eq!(desk.add_file(&anna, "again.csv", file).unwrap(), 2, "and wanted again");
    assert!(desk.add_file(&anna, "more.xlsx", String::new()).is_err());
    desk.wait_for_training();
    let best = desk.hand_out(&anna, &[], 5, Mode::Best).rows;
    assert!(best.iter().all(|row| is_wanted(&pile[*row as usize])), "{best:?}");
    let state = desk.state();
    assert_eq!(
        (state["examples"].as_u64(), state["rows"].as_u64(), state["yes"].as_u64()),
        (Some(3), Some(100), Some(0))
    );
    drop(desk);
    let connection = rusqlite::Connection::open(folder.path().join("test.likewise")).unwrap();
    let outside: i64 =
        connection.query_row("SELECT count(*) FROM row WHERE outside", [], |r| r.get(0)).unwrap();
    assert_eq!(outside, 3);
}

#[test]
fn rows_that_differ_or_are_uncertain_come_first_where_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let like = ["please refund my money".to_string()];
    let pile = messages(60, 3);
    let desk = desk(folder.path(), &like, &pile, 1);
    let anna = Reader::person("anna", "a");
    let first = |next: Pick| {
        desk.set_settings(Settings { next, ..desk.settings() }).unwrap();
        desk.wait_for_training();
        desk.hand_out(&anna, &[], 6, Mode::Best).rows
    };
    let (best, uncertain, diverse) = (first(Pick::Best), first(Pick::Uncertain), first(Pick::Diverse));
    assert!(best.len() == 6 && uncertain.len() == 6 && diverse.len() == 6);
    // Rows that are alike may change places when the same marks are learned again. The example is row 0.
    let wanted = |row: u32| is_wanted(&pile[row as usize - 1]);
    assert!(wanted(uncertain[0]), "the best, then the least sure, in turn: {uncertain:?}");
    assert!(uncertain != best, "{uncertain:?}");
    assert!(first(Pick::Best).into_iter().all(wanted));
    desk.close();
}

#[test]
fn the_automatic_choice_ranks_when_it_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let pile = messages(60, 3);
    let desk = desk(folder.path(), &[], &pile, 1);
    let refused = desk.choose_automatically(&likewise::Run::new(1)).unwrap_err().to_string();
    assert!(refused.contains("nothing to learn from"), "{refused}");
    let anna = Reader::person("anna", "a");
    for row in [0u32, 3, 6, 9, 12, 1, 2] {
        let verdict = if is_wanted(&pile[row as usize]) { Verdict::Yes } else { Verdict::No };
        desk.mark(&anna, &one(row, verdict, u64::MAX, &format!("k{row}"))).unwrap();
    }
    desk.choose_automatically(&likewise::Run::new(1)).unwrap();
    while desk.state()["model"]["choosing"] == true {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    desk.wait_for_training();
    assert!(desk.state()["model"]["trouble"].is_null(), "{}", desk.state()["model"]);
    let next = desk.hand_out(&anna, &[], 5, Mode::Best).rows;
    assert!(next.len() == 5 && next.iter().all(|&row| is_wanted(&pile[row as usize])), "{next:?}");
    desk.close();
}

#[test]
fn neighbours_count_from_when_they_are_found_and_also_those_of_later_examples() {
    let folder = tempfile::tempdir().unwrap();
    let pile = messages(60, 3);
    let desk = desk(folder.path(), &["please refund my money".to_string()], &pile, 1);
    let anna = Reader::person("anna", "a");
    for text in ["i want a refund", "my money back"] {
        desk.wait_for_training();
        let model = &desk.state()["model"];
        assert!(model["joined"] == true && model["searching"] == false, "{model}");
        let next = desk.hand_out(&anna, &[], 5, Mode::Best).rows;
        assert!(next.iter().all(|&row| is_wanted(&pile[row as usize - 1])), "{next:?}");
        desk.add_text(&anna, text).unwrap();
    }
    desk.close();
    drop(desk);
    let connection = rusqlite::Connection::open(folder.path().join("test.likewise")).unwrap();
    let sql = "SELECT count(*) FROM model WHERE method = 'marks and neighbours'";
    let noted: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert!(noted >= 2, "{noted}");
}

#[test]
fn a_row_is_found_by_the_name_of_its_copy() {
    let folder = tempfile::tempdir().unwrap();
    let pile = ["Refund me.", "late parcel", "refund  me"].map(String::from);
    let desk = desk(folder.path(), &[], &pile, 3);
    let found = desk.search("3", 50).unwrap();
    assert_eq!(found.rows.iter().map(|row| row.row).collect::<Vec<_>>(), [0], "{found:?}");
}

#[test]
fn rows_that_others_look_at_are_counted_and_those_decided_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), &[], &messages(4, 2), 1);
    let (anna, ben) = (Reader::person("anna", "a"), Reader::person("ben", "b"));
    let ours = desk.hand_out(&anna, &[], 4, Mode::Auto);
    assert_eq!((ours.rows.len(), ours.held), (4, 0));
    let theirs = desk.hand_out(&ben, &[], 4, Mode::Auto);
    assert_eq!((theirs.rows.len(), theirs.held), (0, 4));
    for row in 0..4 {
        desk.mark(&anna, &one(row, Verdict::No, u64::MAX, &format!("k{row}"))).unwrap();
    }
    assert_eq!(desk.hand_out(&ben, &[], 4, Mode::Auto).held, 0, "every row is read");
}

#[test]
fn a_tab_is_told_what_others_do() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::serve(desk(folder.path(), &[], &messages(20, 2), 5));
    let mut stream = std::net::TcpStream::connect(page.address).unwrap();
    let request =
        format!("GET /api/events HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", page.host(), page.cookie());
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stream));
    let mut until =
        |wanted: &str| lines.by_ref().map(|line| line.unwrap()).find(|line| line.contains(wanted)).unwrap();
    until("event: state");
    page.ask("POST /api/marks", "other", r#"{"base":0,"key":"k","marks":[{"row":1,"verdict":"yes"}]}"#);
    until("event: mark");
    assert!(until("data:").contains("\"tab\":\"other\""));
}

#[test]
fn texts_of_any_script_and_length_come_back_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let pile = vec![
        "שלום עולם refund".to_string(),
        "退款 请求".into(),
        "a\0b\u{7f}<script>alert(1)</script>".into(),
        "long ".repeat(20_000),
        "well done 👍 :)".into(),
        "请退款，谢谢".into(),
    ];
    let page = Page::serve(desk(folder.path(), &[], &pile, 6));
    for (row, text) in pile.iter().enumerate() {
        let shown = page.ask(&format!("GET /api/rows/{row}"), "a", "").json();
        assert_eq!(shown["text"][0][1].as_str(), Some(text.as_str()));
    }
    let found = page.ask("GET /api/search?q=%E9%80%80%E6%AC%BE", "a", "").json();
    assert_eq!(found["rows"][0]["row"].as_u64(), Some(1));
    for emoji in ["%F0%9F%91%8D", "%3A%29"] {
        let found = page.ask(&format!("GET /api/search?q={emoji}"), "a", "").json();
        assert_eq!(found["rows"][0]["row"].as_u64(), Some(4), "{emoji}");
    }
    let inside = page.ask("GET /api/search?q=%E6%AC%BE", "a", "").json();
    assert_eq!(inside["rows"][0]["row"].as_u64(), Some(1), "within a run of letters");
    assert_eq!(found["rows"].as_array().unwrap().len(), 2, "also where the index knows one of them");
    assert_eq!(found["complete"], true);
}
