//! The desk: project, session, leases, trainer and readers brought together.
//!
//! Every door (the page, a program that reads, a test) asks the desk; nothing else touches the project. All calls may
//! come from any thread and wait for the disk where they write.

mod examples;
mod handing;
mod looking;
mod marking;
mod noting;
mod searching;
mod showing;

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

use likewise::Run;
use likewise::data::{Column, Table};
use likewise::stopping::Rule;
use rusqlite::Connection;
use tokio::sync::broadcast;

pub use handing::{Handed, Mode};
pub use marking::{Mark, Marks, Turned};
pub use noting::Said;
pub use searching::Found;
pub use showing::Shown;

use crate::automatic::Automatic;
use crate::error::{Error, Result};
use crate::leases::Leases;
use crate::order::RandomOrder;
use crate::project::writer::{Order, Writer};
use crate::project::{Made, Project, Settings};
use crate::ranking::Ranker;
use crate::session::Session;
use crate::trainer::{Snapshot, Trainer, locked};
use looking::Looking;

/// What every tab is told.
#[derive(Clone, Debug)]
pub struct Event {
    /// The last mark when it was sent.
    pub seq: u64,
    pub name: &'static str,
    pub data: Arc<str>,
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Reader {
    pub name: String,
    pub tab: String,
    pub program: bool,
}

/// What changes while people read.
struct Inner {
    session: Session,
    leases: Leases,
    settings: Settings,
    /// Why the reading program stopped, where it did.
    program_trouble: Option<String>,
}

pub struct Desk {
    pub path: PathBuf,
    pub made: Made,
    /// The project's own name.
    pub id: String,
    inner: Mutex<Inner>,
    /// For showing rows; the writer has a connection of its own, which is closed last and so tidies up.
    rows: Mutex<Connection>,
    writer: Writer,
    trainer: Arc<Trainer>,
    looking: Arc<Looking>,
    events: broadcast::Sender<Event>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// A tab that is further behind than this asks for the state anew.
const EVENTS_KEPT: usize = 256;

impl Desk {
    /// Starts the threads behind it. Where a program reads alone its marks are the reader's own.
    pub fn open(
        project: Project,
        examples: Vec<Vec<String>>,
        program_alone: bool,
        run: &Run,
    ) -> Result<Arc<Desk>> {
        let connection = project.reader()?;
        let read = || Ok((order_of(&connection, project.made.seed)?, project.log()?, project.settings()?));
        let ((order, own), log, settings) = read().map_err(|e| crate::project::in_file(&project.path, e))?;
        let mut session = Session::new(order, program_alone);
        session.replay(log);
        let (path, made, id) = (project.path.clone(), project.made.clone(), project.id.clone());
        let desk = Arc::new(Desk {
            path,
            made,
            id,
            inner: Mutex::new(Inner { session, leases: Leases::default(), settings, program_trouble: None }),
            rows: Mutex::new(connection),
            writer: Writer::start(project)?,
            trainer: Arc::default(),
            looking: Arc::default(),
            events: broadcast::channel(EVENTS_KEPT).0,
            threads: Mutex::default(),
        });
        desk.look_now();
        desk.start(own, run)?;
        desk.add_examples(&Reader::file(), examples)?;
        Ok(desk)
    }

    fn start(self: &Arc<Desk>, own: Vec<u32>, run: &Run) -> Result<()> {
        // Threads hold the parts and not the desk, so that the desk ends when its last user lets go of it.
        let (desk, run) = (Arc::downgrade(self), run.without_progress());
        let (trainer, made) = (self.trainer.clone(), self.made.clone());
        let path = self.path.clone();
        let train = move || {
            let prepare = || {
                let (connection, _) = Project::peek(&path)?;
                let table = table_of(&connection, &made, &own)?;
                Ranker::new(&table, own, &made, &run)
            };
            let snapshot = || desk.upgrade().map(|desk| desk.snapshot()).unwrap_or_default();
            let done = |ranking: &crate::ranking::Ranking| {
                if let Some(desk) = desk.upgrade() {
                    let (seq, at, seconds) = (ranking.seq, ranking.at, ranking.took.as_secs_f64());
                    // Nobody waits: a training that is not noted was training all the same.
                    let method = if ranking.joined { "marks and neighbours" } else { "marks" };
                    let _ = desk.writer.send(Order::Model { seq, at, method, seconds });
                    desk.tell("model", &serde_json::json!({ "model": ranking.id, "seq": seq }));
                    desk.looking.nudge();
                }
            };
            trainer.work(prepare, snapshot, done, &run);
        };
        let mut threads = locked(&self.threads);
        threads.push(std::thread::Builder::new().name("trainer".into()).spawn(train)?);
        let trainer = self.trainer.clone();
        let search = move || trainer.search();
        threads.push(std::thread::Builder::new().name("neighbours".into()).spawn(search)?);
        let (desk, looking) = (Arc::downgrade(self), self.looking.clone());
        let look = move || {
            while !looking.wait() {
                let Some(desk) = desk.upgrade() else { return };
                desk.look_now();
            }
        };
        threads.push(std::thread::Builder::new().name("looks".into()).spawn(look)?);
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        let inner = locked(&self.inner);
        let (wanted, unwanted) = inner.session.taught();
        Snapshot { seq: inner.session.seq(), wanted, unwanted, pick: inner.settings.next }
    }

    /// Ends the threads; what was acknowledged is in the file already.
    pub fn close(&self) {
        self.trainer.end();
        self.looking.end();
        let threads = std::mem::take(&mut *locked(&self.threads));
        let here = std::thread::current().id();
        threads
            .into_iter()
            .filter(|thread| thread.thread().id() != here)
            .for_each(|thread| drop(thread.join()));
    }

    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    fn tell(&self, name: &'static str, data: &serde_json::Value) {
        let seq = data["seq"].as_u64().unwrap_or(0);
        // Without a listener there is nobody to tell.
        let _ = self.events.send(Event { seq, name, data: data.to_string().into() });
    }

    pub fn settings(&self) -> Settings {
        locked(&self.inner).settings.clone()
    }

    pub fn seq(&self) -> u64 {
        locked(&self.inner).session.seq()
    }

    pub fn set_program_trouble(&self, trouble: impl Into<String>) {
        locked(&self.inner).program_trouble = Some(trouble.into());
        self.looking.nudge();
    }

    /// Ranks with the automatic choice, beside the reading; how long that takes depends on the rows.
    pub fn choose_automatically(self: &Arc<Desk>, run: &Run) -> Result<()> {
        let marks = self.snapshot();
        if marks.wanted.is_empty() {
            return Err(Error::request(
                400,
                "mark a row as wanted first: there is nothing to learn from yet",
            ));
        }
        if !self.trainer.begin_choosing() {
            return Err(Error::request(409, "the automatic choice is under way already"));
        }
        let marked = (marks.wanted.len() + marks.unwanted.len()) as u64;
        let (trainer, looking, path) = (self.trainer.clone(), self.looking.clone(), self.path.clone());
        let run = run.without_progress();
        let choose = move || {
            trainer.end_choosing(Automatic::of(&path, marked, &run));
            looking.nudge();
        };
        std::thread::Builder::new().name("automatic".into()).spawn(choose)?;
        self.looking.nudge();
        Ok(())
    }

    /// Waits until the newest marks are learned and neighbours count, for readers that are no persons: what they are
    /// shown then depends on the marks alone.
    pub fn wait_for_training(&self) {
        while self.trainer.trouble().is_none() && (!self.trainer.is_ready() || self.trainer.is_busy()) {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.trainer.end();
        self.looking.end();
    }
}

impl Inner {
    fn rule(&self) -> Rule {
        let Settings { target, alpha, .. } = self.settings;
        let usual = Settings::default();
        let rows = self.session.distinct();
        Rule::new(rows, target, alpha).unwrap_or_else(|_| {
            Rule::new(rows, usual.target, usual.alpha).expect("the usual target lies within bounds")
        })
    }
}

impl Reader {
    pub fn person(name: &str, tab: &str) -> Reader {
        Reader { name: name.into(), tab: tab.into(), program: false }
    }

    pub fn program(name: &str) -> Reader {
        Reader { name: name.into(), tab: format!("program {name}"), program: true }
    }

    fn file() -> Reader {
        Reader::person(crate::project::import::FROM_FILE, "")
    }
}

/// The random order, and the rows that are read or learned from by themselves.
fn order_of(connection: &Connection, seed: u64) -> Result<(RandomOrder, Vec<u32>)> {
    let mut statement = connection.prepare("SELECT row, twin, outside FROM row ORDER BY row")?;
    let mut rows = statement.query([])?;
    let (mut drawn, mut own) = (Vec::new(), Vec::new());
    while let Some(found) = rows.next()? {
        let (row, twin, outside): (u32, u32, bool) = (found.get(0)?, found.get(1)?, found.get(2)?);
        drawn.push(row == twin && !outside);
        if row == twin {
            own.push(row);
        }
    }
    // Rows added later as examples come after all others, so the order of these does not change.
    Ok((RandomOrder::new(seed, &drawn), own))
}

fn table_of(connection: &Connection, made: &Made, rows: &[u32]) -> Result<Table> {
    let table = crate::project::table(connection, made)?;
    let rows: Vec<usize> = rows.iter().map(|&row| row as usize).filter(|&row| row < table.rows()).collect();
    Ok(table.select(&rows))
}

/// A table of one row.
fn table_of_cells(columns: &[String], cells: &[String]) -> Table {
    let mut table = Table::from_source("an example");
    for (name, cell) in columns.iter().zip(cells) {
        table.push_column(name, Column::Text([cell].into_iter().collect()));
    }
    table.origins.push((0, 1));
    table
}
