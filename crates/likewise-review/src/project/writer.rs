//! The one thread that writes.
//!
//! Orders that wait together go into one transaction. Whoever sent one is answered after COMMIT: what was acknowledged
//! is in the file.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, params};

use super::marks::{self, Before};
use super::{Preferences, Project, Settings, bodies, write_meta};
use crate::error::{Error, Result};
use crate::session::log::Entry;

pub enum Order {
    Marks(Vec<(Entry, Before)>),
    Note {
        row: u32,
        by: String,
        at: i64,
        text: String,
        tags: Vec<String>,
    },
    Settings(Settings),
    Preferences {
        reader: String,
        preferences: Preferences,
    },
    /// An example from outside the pile and its mark.
    Example {
        row: u32,
        id: String,
        cells: Vec<String>,
        mark: Entry,
    },
    Model {
        seq: u64,
        at: i64,
        method: &'static str,
        seconds: f64,
    },
    Look {
        seq: u64,
        total_high: u64,
        recall_low: f64,
        log_e: f64,
    },
}

struct Letter {
    order: Order,
    answer: SyncSender<Result<(), String>>,
}

pub struct Writer {
    letters: Option<Sender<Letter>>,
    thread: Option<JoinHandle<Project>>,
}

/// An order on its way.
#[must_use]
pub struct Pending(Receiver<Result<(), String>>);

/// More than this in one transaction would make the first wait too long.
const MOST_AT_ONCE: usize = 256;
/// After so long without an order the project file alone is made to hold everything.
const SILENCE: Duration = Duration::from_secs(2);

impl Writer {
    pub fn start(project: Project) -> Result<Writer> {
        let (letters, inbox) = channel();
        let thread =
            std::thread::Builder::new().name("writer".into()).spawn(move || serve(project, &inbox))?;
        Ok(Writer { letters: Some(letters), thread: Some(thread) })
    }

    /// Orders are carried out as they were sent.
    pub fn send(&self, order: Order) -> Pending {
        let (answer, pending) = sync_channel(1);
        if let Some(letters) = &self.letters {
            // Without a writer the answer is dropped, and whoever waits for it hears of that.
            let _ = letters.send(Letter { order, answer });
        }
        Pending(pending)
    }
}

impl Drop for Writer {
    /// What was sent is written before the project is closed.
    fn drop(&mut self) {
        self.letters = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Pending {
    pub fn wait(self) -> Result<()> {
        match self.0.recv() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(message)) => Err(Error::project(format!("the project could not be written: {message}"))),
            Err(_) => Err(Error::project("the project is closed")),
        }
    }
}

fn serve(project: Project, inbox: &Receiver<Letter>) -> Project {
    let mut apart = false;
    loop {
        // What is written stands in a file beside the project at first. A copy of the project should have it soon, and
        // nobody should wait for that.
        let first = match if apart { inbox.recv_timeout(SILENCE) } else { inbox.recv().map_err(Into::into) } {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                let _ = project.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
                apart = false;
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        apart = true;
        let mut letters = vec![first];
        letters.extend(inbox.try_iter().take(MOST_AT_ONCE - 1));
        match write(&project.connection, &letters) {
            Ok(()) => letters.iter().for_each(|letter| drop(letter.answer.send(Ok(())))),
            // One that cannot be written must not take the others with it.
            Err(_) => {
                for letter in &letters {
                    let written = write(&project.connection, std::slice::from_ref(letter));
                    let _ = letter.answer.send(written.map_err(|e| e.to_string()));
                }
            }
        }
    }
    // Whoever copies the file has all of it, also where a reader's connection outlives this one.
    let _ = project.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    project
}

fn write(connection: &Connection, letters: &[Letter]) -> Result<()> {
    let transaction = connection.unchecked_transaction()?;
    letters.iter().try_for_each(|letter| carry_out(&transaction, &letter.order))?;
    Ok(transaction.commit()?)
}

fn carry_out(connection: &Connection, order: &Order) -> Result<()> {
    match order {
        Order::Marks(entries) => {
            entries.iter().try_for_each(|(entry, before)| marks::insert(connection, entry, *before))?;
        }
        Order::Note { row, by, at, text, tags } => {
            let tags = serde_json::to_string(tags).map_err(|e| Error::project(e.to_string()))?;
            let mut statement = connection.prepare_cached("INSERT INTO note VALUES(?1,?2,?3,?4,?5)")?;
            statement.execute(params![at, by, row, text, tags])?;
        }
        Order::Settings(settings) => write_meta(connection, "settings", settings)?,
        Order::Preferences { reader, preferences } => {
            write_meta(connection, &super::preferences_of(reader), preferences)?;
        }
        Order::Example { row, id, cells, mark } => {
            let mut statement = connection.prepare_cached("INSERT INTO row VALUES(?1,?2,?3,?1,1)")?;
            statement.execute(params![row, id, bodies::pack(cells)?])?;
            marks::insert(connection, mark, None)?;
        }
        Order::Model { seq, at, method, seconds } => {
            let sql = "INSERT INTO model(seq, at, method, seconds) VALUES(?1,?2,?3,?4)";
            connection.prepare_cached(sql)?.execute(params![*seq as i64, at, method, seconds])?;
        }
        Order::Look { seq, total_high, recall_low, log_e } => {
            let sql = "INSERT INTO look VALUES(?1,?2,?3,?4)";
            let log_e = log_e.is_finite().then_some(*log_e);
            connection.prepare_cached(sql)?.execute(params![
                *seq as i64,
                *total_high as i64,
                recall_low,
                log_e
            ])?;
        }
    }
    Ok(())
}
