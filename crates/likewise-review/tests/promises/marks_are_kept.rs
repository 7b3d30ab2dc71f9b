//! Two tabs, undo, retries, notes: no mark is lost or doubled, and a project that is opened again is where it was.

use crate::support::{Page, desk, import, is_wanted, messages};
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
    let ours = desk.hand_out(&anna, &[], 5, Mode::Auto);
    let theirs = desk.hand_out(&ben, &[], 5, Mode::Auto);
    assert_eq!((ours.len(), theirs.len()), (5, 5));
    assert!(ours.iter().all(|row| !theirs.contains(row)), "{ours:?} {theirs:?}");
    desk.mark(&anna, &one(ours[0], Verdict::Yes, 0, "a1")).unwrap();
    let error = desk.mark(&ben, &one(ours[0], Verdict::No, 1, "b1")).unwrap_err();
    assert!(matches!(error, Error::Taken { ref rows, .. } if rows == &[ours[0]]), "{error:?}");
    let seen = desk.seq();
    desk.mark(&ben, &one(ours[0], Verdict::No, seen, "b2")).unwrap();
    assert_eq!(desk.show(ours[0]).unwrap().verdict, Some(Verdict::No), "who has seen the mark may change it");
}

#[test]
fn a_project_opened_again_is_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let pile = messages(200, 5);
    let anna = Reader::person("anna", "a");
    let (state, random) = {
        let desk = desk(folder.path(), &[], &pile, 9);
        for at in 0..30 {
            let row = desk.hand_out(&anna, &[], 1, Mode::Random)[0];
            let verdict = if is_wanted(&pile[row as usize]) { Verdict::Yes } else { Verdict::No };
            desk.mark(&anna, &one(row, verdict, u64::MAX, &format!("k{at}"))).unwrap();
        }
        desk.undo(&anna, "u1").unwrap();
        desk.redo(&anna, "r1").unwrap();
        desk.set_note(&anna, 3, "look again".into(), vec!["odd".into()]).unwrap();
        let random = desk.hand_out(&anna, &[], 3, Mode::Random);
        desk.close();
        (desk.last_word(), random)
    };
    let (project, added) =
        import(&[], &pile, 9).open(&folder.path().join("test.likewise"), &likewise::Run::new(9)).unwrap();
    assert!(added.is_empty());
    let again = Desk::open(project, added, false, &likewise::Run::new(9)).unwrap();
    assert_eq!(again.last_word(), state);
    assert_eq!(again.hand_out(&anna, &[], 3, Mode::Random), random, "the same next random rows");
    assert_eq!(again.show(3).unwrap().note, "look again");
}

#[test]
fn undo_brings_the_row_back_and_a_drawn_row_stays_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), &[], &messages(50, 5), 2);
    let anna = Reader::person("anna", "a");
    let row = desk.hand_out(&anna, &[], 1, Mode::Auto)[0];
    desk.mark(&anna, &one(row, Verdict::No, 0, "k1")).unwrap();
    assert_eq!(desk.undo(&anna, "u1").unwrap().1, Some(row));
    assert_eq!(desk.undo(&anna, "u1").unwrap().1, Some(row), "sent twice");
    assert_eq!(desk.undo(&anna, "u2").unwrap().1, None);
    assert_eq!(desk.hand_out(&anna, &[], 3, Mode::Auto)[0], row, "it comes back first");
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
        ["Refund me!", "refund me", "REFUND, me.", "parcel", "late parcel"].map(String::from).to_vec();
    let desk = desk(folder.path(), &[], &pile, 3);
    let shown = desk.show(0).unwrap();
    assert_eq!(
        (shown.copies, desk.state()["rows"].as_u64(), desk.state()["pile"].as_u64()),
        (2, Some(3), Some(5))
    );
    let anna = Reader::person("anna", "a");
    assert!(desk.mark(&anna, &one(1, Verdict::Yes, 0, "k")).is_err(), "a copy has no mark of its own");
    desk.mark(&anna, &one(0, Verdict::Yes, 0, "k")).unwrap();
    let request = serde_json::from_str(r#"{"what":"yes","as":"csv"}"#).unwrap();
    let csv = String::from_utf8(likewise_review::export::bytes(&desk.path, &request).unwrap()).unwrap();
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.lines().nth(3).unwrap().contains("yes,anna,person"), "{csv}");
}

#[test]
fn examples_from_outside_are_learned_and_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let pile = messages(100, 10);
    let desk = desk(folder.path(), &[], &pile, 4);
    let anna = Reader::person("anna", "a");
    desk.add_text(&anna, "i want a refund of my money").unwrap();
    let file = "text\nrefund please\n\"money back, refund\"\n".to_string();
    assert_eq!(desk.add_file(&anna, "more.csv", file).unwrap(), 2);
    assert!(desk.add_file(&anna, "more.xlsx", String::new()).is_err());
    desk.wait_for_training();
    let best = desk.hand_out(&anna, &[], 5, Mode::Best);
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
        desk.hand_out(&anna, &[], 6, Mode::Best)
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
    let next = desk.hand_out(&anna, &[], 5, Mode::Best);
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
        let next = desk.hand_out(&anna, &[], 5, Mode::Best);
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
    ];
    let page = Page::serve(desk(folder.path(), &[], &pile, 6));
    for (row, text) in pile.iter().enumerate() {
        let shown = page.ask(&format!("GET /api/rows/{row}"), "a", "").json();
        assert_eq!(shown["text"][0][1].as_str(), Some(text.as_str()));
    }
    let found = page.ask("GET /api/search?q=%E9%80%80%E6%AC%BE", "a", "").json();
    assert_eq!(found[0]["row"].as_u64(), Some(1));
    let inside = page.ask("GET /api/search?q=%E6%AC%BE", "a", "").json();
    assert_eq!(inside[0]["row"].as_u64(), Some(1), "within a run of letters");
}
