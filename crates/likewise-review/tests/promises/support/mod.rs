//! Projects of made-up rows, and a client that sends exactly what it is told. Each test file uses a part of it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use likewise::Run;
use likewise::data::{Column, Table};
use likewise::features::words::WordOptions;
use likewise::questions::ColumnChoice;
use likewise::reading::reading_words;
use likewise_review::Desk;
use likewise_review::http::{Server, ServerOptions};
use likewise_review::project::import::Import;
use likewise_review::project::{Project, Settings};
use serde_json::Value;

pub fn table(source: &str, texts: &[String]) -> Table {
    let mut table = Table::from_source(source);
    table.push_column("text", Column::Text(texts.iter().collect()));
    table.origins = (0..texts.len()).map(|row| (0, row as u64 + 1)).collect();
    table
}

/// Every `every`-th row speaks of a refund; all differ.
pub fn messages(rows: usize, every: usize) -> Vec<String> {
    let other = ["parcel late", "password lost", "wrong colour", "invoice copy", "opening hours"];
    let message = |row: usize| match row % every {
        0 => format!("please refund my money for order {row}"),
        _ => format!("question {row} about {} number {row}", other[row % other.len()]),
    };
    (0..rows).map(message).collect()
}

pub fn is_wanted(text: &str) -> bool {
    text.contains("refund")
}

pub fn import(like: &[String], pile: &[String], seed: u64) -> Import {
    Import {
        like: (!like.is_empty()).then(|| table("like", like)),
        pile: table("pile", pile),
        label: None,
        choice: ColumnChoice { keep_positives: true, ..ColumnChoice::default() },
        words: reading_words(WordOptions::default()),
        seed,
        format: None,
        settings: Settings::default(),
    }
}

pub fn project(folder: &Path, like: &[String], pile: &[String], seed: u64) -> (Project, PathBuf) {
    let path = folder.join("test.likewise");
    let (project, _) = import(like, pile, seed).open(&path, &Run::new(seed)).unwrap();
    (project, path)
}

pub fn desk(folder: &Path, like: &[String], pile: &[String], seed: u64) -> Arc<Desk> {
    Desk::open(project(folder, like, pile, seed).0, Vec::new(), false, &Run::new(seed)).unwrap()
}

/// A page that is served until this is dropped.
pub struct Page {
    pub address: SocketAddr,
    pub token: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Page {
    pub fn serve(desk: Arc<Desk>) -> Page {
        let server = Server::bind(desk, &ServerOptions::default()).unwrap();
        let address = server.addresses().remove(0);
        let (host, token) = address.trim_start_matches("http://").split_once("/?token=").unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        let thread = std::thread::spawn(move || server.run(flag).unwrap());
        Page { address: host.parse().unwrap(), token: token.into(), stop, thread: Some(thread) }
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    pub fn cookie(&self) -> String {
        format!("likewise-{}={}", self.address.port(), self.token)
    }

    /// Exactly these header lines, nothing added but the length and the wish to close.
    pub fn raw(&self, line: &str, headers: &[&str], body: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
        for header in headers {
            text += &format!("{header}\r\n");
        }
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        text += "\r\n";
        stream.write_all(text.as_bytes()).unwrap();
        // A server that refuses a body may close before it has read it.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Answer(String::from_utf8_lossy(&answer).into_owned())
    }

    /// As the page itself would ask.
    pub fn ask(&self, line: &str, tab: &str, body: &str) -> Answer {
        let (host, cookie) = (format!("Host: {}", self.host()), format!("Cookie: {}", self.cookie()));
        let origin = format!("Origin: http://{}", self.host());
        let tab = format!("x-tab: {tab}");
        let mut headers = vec![host.as_str(), &cookie, &tab];
        if !body.is_empty() {
            headers.extend([origin.as_str(), "Content-Type: application/json"]);
        }
        self.raw(line, &headers, body)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub struct Answer(pub String);

impl Answer {
    pub fn status(&self) -> u16 {
        self.0.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
    }

    pub fn header(&self, name: &str) -> Option<String> {
        let head = self.0.split("\r\n\r\n").next()?;
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        found.next().map(str::to_string)
    }

    pub fn body(&self) -> &str {
        self.0.split_once("\r\n\r\n").map_or("", |(_, body)| body)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(self.body()).unwrap_or_else(|e| panic!("{e}: {}", self.0))
    }
}
