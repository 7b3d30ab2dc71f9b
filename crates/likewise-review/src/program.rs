//! A program as reader: rows out as JSON lines, verdicts in.
//!
//! One process, a few rows at a time so that neither side runs ahead of the other, a time limit for each row. A process
//! that dies or falls silent is started once more; then it is given up. What it says is kept under its name and taught,
//! and proves nothing unless it reads alone.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use likewise::codes;
use likewise::figures::rows;
use likewise::note::Note;

use crate::desk::{Desk, Mark, Marks, Mode, Reader, Shown};
use crate::error::{Error, Result};
use crate::session::log::Verdict;

#[derive(Clone)]
pub struct ReaderOptions {
    /// Run by the shell.
    pub command: String,
    /// Under which its marks are kept.
    pub name: String,
    /// For each row.
    pub time: Duration,
    /// It reads at most so many rows.
    pub budget: Option<u64>,
    /// It reads alone: its own random checks count, and it stops when the target is proved.
    pub alone: bool,
    /// Hears of what went wrong and was put up with.
    pub warn: fn(Note),
}

/// Rows that are under way at once.
const WINDOW: usize = 4;
const STARTS: u32 = 2;
/// How long an end that is asked for may go unnoticed.
const GLANCE: Duration = Duration::from_millis(100);

/// What the program answers.
#[derive(Deserialize)]
struct Answer {
    id: Value,
    verdict: Verdict,
    note: Option<String>,
}

/// A process and what it was asked.
struct Talk {
    child: Child,
    /// A program that does not read keeps a thread waiting, and nobody else.
    input: Option<Sender<String>>,
    lines: Receiver<String>,
    asked: HashMap<String, u32>,
    /// Since when it works on the oldest of them: it takes one after the other.
    since: Instant,
}

/// Reads until the budget, the target, the end of the pile or the flag.
pub fn read(desk: &Arc<Desk>, options: &ReaderOptions, stop: &AtomicBool) -> Result<u64> {
    let reader = Reader::program(&options.name);
    let (mut read, mut starts) = (0, 1);
    let mut talk = Talk::start(&options.command)?;
    let budget = options.budget.unwrap_or(u64::MAX);
    while !stop.load(Ordering::Relaxed) {
        let room = WINDOW.min((budget - read) as usize).saturating_sub(talk.asked.len());
        if room > 0 && !is_done(desk, options) {
            // A row is chosen with everything known that was said before it.
            desk.wait_for_training();
            let under_way: Vec<u32> = talk.asked.values().copied().collect();
            let mode = if options.alone { Mode::Auto } else { Mode::Best };
            for row in desk.hand_out(&reader, &under_way, room, mode).rows {
                let shown = desk.show(&reader, row)?;
                // A process that no longer listens is noticed below, where its answer is missing.
                talk.ask(&shown);
            }
        }
        if talk.asked.is_empty() {
            if options.alone || read >= budget {
                break;
            }
            std::thread::sleep(Duration::from_millis(200));
            continue;
        }
        match talk.hear(options.time, stop) {
            Ok(Some((row, answer))) => {
                mark(desk, &reader, row, &answer)?;
                read += 1;
            }
            Ok(None) => {}
            Err(error) if starts < STARTS => {
                (options.warn)(Note::warning(
                    &codes::READING_PROGRAM,
                    format!("{error}; it is started again"),
                ));
                starts += 1;
                talk.end();
                talk = Talk::start(&options.command)?;
            }
            Err(error) => {
                talk.end();
                return Err(Error::program(format!(
                    "{error}, a second time; it read {} and is given up",
                    rows(read as usize)
                )));
            }
        }
    }
    talk.end();
    Ok(read)
}

/// Nothing more to read for now.
fn is_done(desk: &Desk, options: &ReaderOptions) -> bool {
    match options.alone {
        true => desk.last_word().stop,
        false => desk.program_is_dry(),
    }
}

fn mark(desk: &Desk, reader: &Reader, row: u32, answer: &Answer) -> Result<()> {
    let key = format!("{} {row} {}", reader.tab, desk.seq());
    let mark = Mark { row, verdict: answer.verdict, ms: 0, shown_model: 0 };
    desk.mark(reader, &Marks { base: u64::MAX, key, marks: vec![mark] })?;
    match &answer.note {
        Some(note) if !note.is_empty() => {
            desk.set_note(reader, row, note.chars().take(2000).collect(), Vec::new())
        }
        _ => Ok(()),
    }
}

impl Talk {
    fn start(command: &str) -> Result<Talk> {
        let mut shell = shell(command);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| Error::program(format!("the program `{command}` cannot be started ({e})")))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (asking, questions) = channel::<String>();
        std::thread::Builder::new().name("questions".into()).spawn(move || {
            let Some(mut input) = input else { return };
            for question in questions {
                if writeln!(input, "{question}").and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        })?;
        let (sender, lines) = channel();
        std::thread::Builder::new().name("program".into()).spawn(move || {
            let Some(output) = output else { return };
            for line in BufReader::new(output).lines().map_while(std::io::Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        })?;
        Ok(Talk { child, input: Some(asking), lines, asked: HashMap::new(), since: Instant::now() })
    }

    fn ask(&mut self, shown: &Shown) {
        // Ids of the user's may repeat; the row's number does not.
        let id = shown.row.to_string();
        let text: Vec<&str> = shown.text.iter().map(|(_, cell)| cell.as_str()).collect();
        let all = || shown.text.iter().chain(&shown.columns);
        let mut line = Map::new();
        line.insert("id".into(), json!(id));
        line.insert("text".into(), json!(text.join("\n")));
        line.insert("name".into(), json!(shown.id));
        // Also columns that are called like one of ours.
        line.insert("columns".into(), all().map(|(name, cell)| (name.clone(), json!(cell))).collect());
        for (name, cell) in all() {
            line.entry(name.clone()).or_insert_with(|| json!(cell));
        }
        if self.asked.is_empty() {
            self.since = Instant::now();
        }
        self.asked.insert(id, shown.row);
        // A process that no longer listens is noticed where its answer is missing.
        if let Some(input) = &self.input {
            let _ = input.send(Value::Object(line).to_string());
        }
    }

    /// The next answer; none for a line that answers nothing that was asked, and where it is over.
    fn hear(&mut self, time: Duration, stop: &AtomicBool) -> Result<Option<(u32, Answer)>> {
        let line = loop {
            let left = time.saturating_sub(self.since.elapsed());
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => break line,
                Err(_) if stop.load(Ordering::Relaxed) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if left > GLANCE => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Error::program(format!(
                        "the reading program gave no answer within {} s",
                        time.as_secs_f64()
                    )));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::program("the reading program ended before it had answered"));
                }
            }
        };
        if line.trim().is_empty() {
            return Ok(None);
        }
        let answer: Answer = serde_json::from_str(&line).map_err(|e| {
            let line: String = line.chars().take(200).collect();
            Error::program(format!(
                "the reading program answered `{line}` ({e}); expected is {{\"id\": …, \"verdict\": \"yes\", \"no\" or \"unsure\"}}"
            ))
        })?;
        let id = answer.id.as_str().map_or_else(|| answer.id.to_string(), str::to_string);
        let row = self.asked.remove(&id);
        if row.is_some() {
            self.since = Instant::now();
        }
        Ok(row.map(|row| (row, answer)))
    }

    /// Its input ends, which is how it learns that it is over; one that goes on is ended.
    fn end(mut self) {
        drop(self.input.take());
        for _ in 0..50 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Talk {
    /// Nothing of it outlives us, whatever it started itself.
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        #[cfg(unix)]
        let _ = shell(&format!("kill -s KILL -- -{}", self.child.id())).status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn shell(command: &str) -> Command {
    let (program, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(program);
    shell.args([flag, command]);
    shell
}
