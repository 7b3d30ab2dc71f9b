//! Fifty tabs that mark at once lose nothing, mark no row twice, and do not make memory grow with time.
//! `LIKEWISE_LOAD_SECONDS=60` runs it as long as a person would call a load.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::support::{self, Page, desk, messages};

const TABS: usize = 50;

#[test]
fn nothing_is_lost_or_doubled() {
    let seconds: f64 =
        std::env::var("LIKEWISE_LOAD_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2.0);
    let folder = tempfile::tempdir().unwrap();
    let pile = messages((20_000.0 * (seconds / 2.0).max(1.0)) as usize, 20);
    let desk = desk(folder.path(), &["please refund my money".into()], &pile, 1);
    let page = Page::serve(desk.clone());
    let before = resident();
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let acknowledged: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let tabs: Vec<_> = (0..TABS)
            .map(|tab| {
                let page = &page;
                scope.spawn(move || mark_until(page, &format!("tab {tab}"), end))
            })
            .collect();
        tabs.into_iter().map(|tab| tab.join().unwrap()).collect()
    });
    let all: Vec<u64> = acknowledged.concat();
    let distinct: HashSet<u64> = all.iter().copied().collect();
    assert_eq!(distinct.len(), all.len(), "a row was acknowledged to two tabs");
    assert!(all.len() >= TABS, "{} marks in {seconds} s", all.len());
    let after = resident();
    println!(
        "{} marks of {TABS} tabs in {seconds} s; memory {} to {} MiB",
        all.len(),
        before >> 20,
        after >> 20
    );
    drop(page);
    desk.close();
    drop(desk);
    let connection = rusqlite::Connection::open(folder.path().join("test.likewise")).unwrap();
    let mut statement = connection.prepare("SELECT row FROM mark WHERE kind <> 'seed'").unwrap();
    let rows = statement.query_map([], |row| row.get::<_, u32>(0)).unwrap();
    let kept: Vec<u64> = rows.map(|row| row.unwrap().into()).collect();
    assert_eq!(kept.len(), all.len());
    assert_eq!(kept.into_iter().collect::<HashSet<u64>>(), distinct);
    // A mark costs a line of the log; a hundred times that would be a leak.
    let allowed = (64 << 20) + 20_000 * all.len() as u64;
    assert!(after < before + allowed, "{before} {after}");
}

/// Asks for rows and marks them, as a page does.
fn mark_until(page: &Page, tab: &str, end: Instant) -> Vec<u64> {
    let mut acknowledged = Vec::new();
    while Instant::now() < end {
        let next = page.ask("GET /api/next?n=5", tab, "").json();
        for row in next["rows"].as_array().unwrap() {
            let (number, text) = (row["row"].as_u64().unwrap(), row["text"][0][1].as_str().unwrap());
            let verdict = if support::is_wanted(text) { "yes" } else { "no" };
            let body = format!(
                r#"{{"base":{},"key":"{tab} {number}","marks":[{{"row":{number},"verdict":"{verdict}"}}]}}"#,
                next["seq"]
            );
            match page.ask("POST /api/marks", tab, &body).status() {
                200 => acknowledged.push(number),
                409 => {}
                other => panic!("{other}"),
            }
        }
    }
    acknowledged
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) << 10
}
