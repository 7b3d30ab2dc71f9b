//! The real binary: killed at any moment it has every mark that it acknowledged; Ctrl-C ends it; exports need no browser.
//! `LIKEWISE_KILLS=200` tries two hundred moments.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::Folder;

struct Review {
    child: Child,
    host: String,
    token: String,
}

impl Review {
    fn start(folder: &Folder, arguments: &str) -> Review {
        let mut child = Command::new(env!("CARGO_BIN_EXE_likewise"))
            .args(format!("review --no-open {arguments}").split_whitespace())
            .current_dir(folder.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("an address");
        let address = line.trim().trim_start_matches("http://").to_string();
        let (host, token) = address.split_once("/?token=").unwrap_or_else(|| panic!("no address: {line}"));
        Review { host: host.into(), token: token.into(), child }
    }

    fn ask(&self, line: &str, body: &str) -> Option<serde_json::Value> {
        let mut stream = TcpStream::connect(&self.host).ok()?;
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let request = format!(
            "{line} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nx-tab: t\r\nConnection: close\r\n{kind}Content-Length: {}\r\n\r\n{body}",
            self.host,
            self.cookie(),
            body.len()
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        head.starts_with("HTTP/1.1 200").then(|| serde_json::from_str(body).ok())?
    }

    fn cookie(&self) -> String {
        let port = self.host.rsplit(':').next().unwrap_or_default();
        format!("likewise-{port}={}", self.token)
    }

    fn signal(&self, name: &str) {
        Command::new("kill").args([name, &self.child.id().to_string()]).status().expect("kill runs");
    }
}

impl Drop for Review {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pile(folder: &Folder, rows: usize) {
    let line = |row: usize| match row % 7 {
        0 => format!("{{\"id\": \"r{row}\", \"text\": \"refund my money for order {row}\"}}\n"),
        _ => format!("{{\"id\": \"r{row}\", \"text\": \"where is parcel {row} of order {row}\"}}\n"),
    };
    folder.write("pile.jsonl", &(0..rows).map(line).collect::<String>());
}

#[test]
fn killed_at_any_moment_it_has_every_mark_that_it_acknowledged() {
    let kills: u64 = std::env::var("LIKEWISE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let folder = Folder::new();
    pile(&folder, 4000);
    let mut acknowledged: BTreeMap<u64, &str> = BTreeMap::new();
    // Sent, but killed before the answer: such a mark may be there or not.
    let mut open: Option<(u64, &str)> = None;
    let mut next_random = None;
    let mut state = 88_172_645_463_325_252u64;
    for kill in 0..=kills {
        let review = Review::start(
            &folder,
            if kill == 0 { "--in pile.jsonl --project p.likewise" } else { "p.likewise" },
        );
        let log = folder.run("review p.likewise --export - --what log").out;
        let kept: BTreeMap<u64, String> = (log.lines())
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .map(|mark| {
                (mark["id"].as_str().unwrap()[1..].parse().unwrap(), mark["verdict"].as_str().unwrap().into())
            })
            .collect();
        if let Some((row, verdict)) = open.take()
            && kept.contains_key(&row)
        {
            acknowledged.insert(row, verdict);
            next_random = None;
        }
        assert_eq!(kept.len(), acknowledged.len(), "after {kill} kills");
        assert!(
            acknowledged.iter().all(|(row, verdict)| kept.get(row).is_some_and(|known| known == verdict))
        );
        let first = review.ask("GET /api/next?n=1&mode=random", "").unwrap()["rows"][0]["row"].clone();
        if let Some(expected) = next_random.take() {
            assert_eq!(first, expected, "after {kill} kills the random order goes on where it was");
        }
        if kill == kills {
            break;
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let moment = Duration::from_micros(state % 60_000);
        let id = review.child.id().to_string();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(moment);
            Command::new("kill").args(["-9", &id]).status().expect("kill runs");
        });
        loop {
            let Some(next) = review.ask("GET /api/next?n=1&mode=random", "") else { break };
            let row = next["rows"][0]["row"].as_u64().unwrap();
            next_random = Some(next["rows"][0]["row"].clone());
            let verdict = if row % 7 == 0 { "yes" } else { "no" };
            open = Some((row, verdict));
            let body = format!(
                r#"{{"base":{},"key":"{kill} {row}","marks":[{{"row":{row},"verdict":"{verdict}"}}]}}"#,
                next["seq"]
            );
            if review.ask("POST /api/marks", &body).is_none() {
                break;
            }
            open = None;
            next_random = None;
            acknowledged.insert(row, verdict);
        }
        killer.join().unwrap();
    }
    println!("{} marks acknowledged and kept over {kills} kills", acknowledged.len());
}

#[test]
fn the_end_is_clean_and_the_project_stays_usable() {
    let folder = Folder::new();
    pile(&folder, 50);
    let mut review = Review::start(&folder, "--in pile.jsonl");
    let twice = folder.run("review pile.likewise --no-open");
    assert!(twice.code == 1 && twice.err.contains("open in another"), "{}", twice.err);
    let body = r#"{"base":0,"key":"k","marks":[{"row":0,"verdict":"yes"}]}"#;
    review.ask("POST /api/marks", body).expect("the mark is kept");
    // A page that listens must not keep the server from ending.
    let mut listening = TcpStream::connect(&review.host).unwrap();
    write!(
        listening,
        "GET /api/events HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n",
        review.host,
        review.cookie()
    )
    .unwrap();
    let open = folder.run("review pile.likewise --export found.csv");
    assert_eq!(open.code, 0, "exports also while it is open: {}", open.err);
    review.signal("-INT");
    assert_eq!(review.child.wait().unwrap().code(), Some(0));
    std::fs::copy(folder.path("pile.likewise"), folder.path("copy.likewise")).unwrap();
    let copied = folder.run("review copy.likewise --export - --what log").out;
    assert_eq!(copied.lines().count(), 1, "the file alone is the project");
    assert!(folder.read("found.csv").contains("refund my money for order 0"), "{}", folder.read("found.csv"));
    assert_eq!(folder.run("review pile.likewise --export found.parquet --what all").code, 0);
    assert_eq!(folder.run("review pile.likewise --export - --what log").out.lines().count(), 1);
    let model = folder.run("review pile.likewise --model found.model");
    assert_eq!(model.code, 0, "{}", model.err);
    let scored = folder.run("score found.model --in pile.jsonl");
    assert_eq!((scored.code, scored.out.lines().count()), (0, 50));
}

#[test]
fn references_come_back_as_references() {
    let folder = Folder::new();
    let record = |row: usize| format!("TY  - JOUR\nID  - a{row}\nTI  - Study {row} of parcels\nER  - \n\n");
    folder.write("lit.ris", &(0..5).map(record).collect::<String>());
    let review = Review::start(&folder, "--in lit.ris");
    review.ask("POST /api/marks", r#"{"base":0,"key":"k","marks":[{"row":3,"verdict":"yes"}]}"#).unwrap();
    review.ask("PUT /api/rows/3/note", r#"{"text":"two\nlines","tags":["odd"]}"#).unwrap();
    assert!(folder.run("review lit.likewise --export wanted.ris").code == 0);
    let kept = "TY  - JOUR\nID  - a3\nTI  - Study 3 of parcels\nN1  - review: yes by reader\nN1  - two lines\nKW  - odd\nER  - \n\n";
    assert_eq!(folder.read("wanted.ris"), kept);
    assert_eq!(folder.run("review lit.likewise --export all.ris --what all").code, 0);
    assert_eq!(folder.read("all.ris").matches("ER  - ").count(), 5);
    let log = folder.run("review lit.likewise --export log.ris --what log");
    assert!(log.code == 1 && log.err.contains("no list of references"), "{}", log.err);
    drop(review);
    pile(&folder, 5);
    drop(Review::start(&folder, "--in pile.jsonl"));
    let other = folder.run("review pile.likewise --export wanted.ris");
    assert!(other.code == 1 && other.err.contains("did not come from a RIS file"), "{}", other.err);
}

#[test]
fn a_program_reads_without_a_page() {
    let folder = Folder::new();
    pile(&folder, 300);
    folder.write("like.jsonl", "{\"text\": \"refund my money\"}\n");
    folder.write(
        "reader.sh",
        "while IFS= read -r line; do id=${line#*\\\"id\\\":\\\"}; id=${id%%\\\"*}\ncase $line in *refund*) v=yes;; *) v=no;; esac\necho \"{\\\"id\\\":\\\"$id\\\",\\\"verdict\\\":\\\"$v\\\"}\"; done\n",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_likewise"));
    command.current_dir(folder.path("."));
    command.args(
        "review --like like.jsonl --in pile.jsonl --no-page --target .9 --budget 290 --reader".split(' '),
    );
    let ran = command.arg("sh reader.sh").output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && said.contains("if the marks of `program` are right"), "{said}");
    let found = folder.run("review pile.likewise --export -").out;
    assert!(found.lines().count() >= 39 && found.lines().all(|line| line.contains("refund")), "{found}");
}

#[test]
fn what_does_not_go_together_is_said() {
    let folder = Folder::new();
    pile(&folder, 10);
    for (arguments, code, words) in [
        ("review --like pile.jsonl", 2, "--in FILE"),
        ("review gone.likewise --no-open", 1, "no such project"),
        ("review pile.jsonl --no-open", 2, "did you mean --in pile.jsonl?"),
        ("review pile.jsonl --export found.csv", 2, "did you mean --in pile.jsonl?"),
        (
            "review --in pile.jsonl --no-open --reader cat --name program --project c.likewise",
            2,
            "--reader-name",
        ),
        ("review --in pile.jsonl --no-open --listen 0.0.0.0", 2, "--token"),
        (
            "review --in pile.jsonl --no-open --listen 0.0.0.0 --token short --project a.likewise",
            1,
            "16 letters",
        ),
        ("review --in pile.jsonl --no-page", 2, "--reader"),
        ("review --in pile.jsonl --target 7 --no-open --project b.likewise", 2, "between 0 and 1"),
        ("review --in pile.jsonl --text body --no-open", 1, "no column `body`"),
    ] {
        let ran = folder.run(arguments);
        assert!(ran.code == code && ran.err.contains(words), "{arguments}: {} {}", ran.code, ran.err);
    }
}
