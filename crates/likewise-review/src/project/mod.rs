//! One SQLite file is the project: rows, append-only marks, notes, looks.
//!
//! It is opened by one program at a time and written by one thread (see [`writer`]). A file of a newer version, a
//! damaged one and one that is no project are refused in words, and nothing is written to them.

mod bodies;
pub mod import;
mod marks;
pub(crate) mod sameness;
pub mod writer;

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use bodies::{Row, copies, copy_ids, each, named, outside, read as read_row, table};
use likewise::features::Input;
use likewise::features::words::WordOptions;
use likewise::reading::Pick;
pub use marks::read_log;

use likewise::codes;
use likewise::message::{Message, Setting};

use crate::error::{Error, Result};
use crate::random;

/// Where the project's own name stands among what is said of it.
const ID: &str = "id";

/// Rises when an older program could not read the file.
const VERSION: i64 = 1;
/// `lkwr`: what SQLite's header says the file is.
const APPLICATION: i64 = 0x6c6b_7772;

const SCHEMA: &str = "
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
-- body: JSON of the cells, packed where that is shorter. twin: the first row that says the same; one mark for all.
-- outside: an example that is no row of the pile.
CREATE TABLE row(row INTEGER PRIMARY KEY, id TEXT, body BLOB, twin INTEGER, outside INTEGER);
CREATE INDEX copies ON row(twin) WHERE twin <> row;
CREATE INDEX ids ON row(id);
-- Append only. verdict: yes|no|unsure|undo|redo. r_before, n_before: found and read before a random check.
CREATE TABLE mark(seq INTEGER PRIMARY KEY, key TEXT UNIQUE, at INTEGER, by TEXT, program INTEGER, row INTEGER,
  verdict TEXT, kind TEXT, undoes INTEGER, model INTEGER, ms INTEGER, r_before INTEGER, n_before INTEGER);
CREATE TABLE note(at INTEGER, by TEXT, row INTEGER, text TEXT, tags TEXT);
CREATE INDEX notes ON note(row);
-- What was learned when; the ranking itself follows from the marks.
CREATE TABLE model(id INTEGER PRIMARY KEY, seq INTEGER, at INTEGER, method TEXT, seconds REAL);
-- What was said when.
CREATE TABLE look(seq INTEGER, total_high INTEGER, recall_low REAL, log_e REAL);
CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='unicode61 remove_diacritics 2');
";

/// What the cells of a column are, so that they leave the project as they came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Text,
    /// Whole numbers, none of them missing.
    Integer,
    Number,
}

/// What was fixed when the project was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    pub seed: u64,
    pub input: Input,
    pub columns: Vec<String>,
    /// What the cells of each column are; texts where nothing is said.
    #[serde(default)]
    pub kinds: Vec<Kind>,
    pub words: WordOptions,
    /// The files that rows came from, as the user named them.
    pub sources: Vec<String>,
    /// `ris` where the rows can be written as such again.
    pub format: Option<String>,
    /// Of the rows, so that the same command goes on and another one does not.
    pub fingerprint: String,
    /// Rows of the pile, copies among them.
    pub pile: u64,
}

/// What the reader may change at any time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The recall that is wanted.
    pub target: f64,
    /// The chance of error that is put up with.
    pub alpha: f64,
    /// What counts as wanted, in the reader's own words.
    pub criteria: String,
    /// Whether the reader is told which rows are random checks.
    pub show_checks: bool,
    /// Which rows come next while reading.
    pub next: Pick,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { target: 0.95, alpha: 0.05, criteria: String::new(), show_checks: false, next: Pick::Best }
    }
}

/// What one reader changed about the page, kept with the project since each start of the page is a new place to a
/// browser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// `light`, `dark`, or as the system has it.
    pub theme: String,
    /// Whether words that matter are marked.
    pub words: bool,
    /// The keys of each action that has others than the usual ones.
    pub keys: BTreeMap<String, Vec<String>>,
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences { theme: String::new(), words: true, keys: BTreeMap::new() }
    }
}

/// A project that is open for writing by this process alone.
pub struct Project {
    pub path: PathBuf,
    pub made: Made,
    /// Its name among all projects: a mark that waits in a browser goes into this one and no other.
    pub id: String,
    connection: Connection,
    /// Held as long as the project is open, and free again whatever ends the process.
    _lock: File,
}

impl Project {
    /// The project in the file, or what is wrong with it.
    pub fn open(path: &Path) -> Result<Project> {
        if !path.is_file() {
            let text =
                format!("{}: there is no such project; make one of the rows to read with ", path.display());
            return Err(Message::new(&codes::PROJECT, text)
                .setting(Setting::with("in", "FILE"))
                .text(" and ")
                .setting(Setting::with("project", "FILE"))
                .into());
        }
        let lock = lock(path)?;
        check(path)?;
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        // A mark that was acknowledged outlives a loss of power too.
        connection.pragma_update(None, "synchronous", "full")?;
        let made = read_meta(&connection, "made")?
            .ok_or_else(|| damaged(path, "it does not say how it was made"))?;
        let id = match read_meta(&connection, ID)? {
            Some(id) => id,
            None => {
                let id = random::letters()?;
                write_meta(&connection, ID, &id)?;
                id
            }
        };
        Ok(Project { path: path.into(), made, id, connection, _lock: lock })
    }

    /// To read only, also while another process has it open.
    pub fn peek(path: &Path) -> Result<(Connection, Made)> {
        if !path.is_file() {
            return Err(Error::project(format!("{}: there is no such project", path.display())));
        }
        check(path)?;
        let connection = read_only(path)?;
        let made = read_meta(&connection, "made")?
            .ok_or_else(|| damaged(path, "it does not say how it was made"))?;
        Ok((connection, made))
    }

    pub fn settings(&self) -> Result<Settings> {
        Ok(read_meta(&self.connection, "settings")?.unwrap_or_default())
    }

    /// A second connection, for reading beside the writer.
    pub fn reader(&self) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Ok(Connection::open_with_flags(&self.path, flags)?)
    }
}

pub fn read_meta<T: DeserializeOwned>(connection: &Connection, key: &str) -> Result<Option<T>> {
    let text: Option<String> = (connection)
        .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
        .optional()?;
    text.map(|text| {
        serde_json::from_str(&text)
            .map_err(|e| Error::project(format!("the project's `{key}` cannot be read: {e}")))
    })
    .transpose()
}

pub(crate) fn write_meta(connection: &Connection, key: &str, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string(value).map_err(|e| Error::project(e.to_string()))?;
    connection.execute("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)", [key, &text])?;
    Ok(())
}

/// What this reader wishes of the page.
pub fn preferences(connection: &Connection, reader: &str) -> Result<Preferences> {
    Ok(read_meta(connection, &preferences_of(reader))?.unwrap_or_default())
}

fn preferences_of(reader: &str) -> String {
    format!("page of {reader}")
}

/// In a folder that cannot be written SQLite cannot keep its notes beside the file; a project that nobody has open needs
/// none.
fn read_only(path: &Path) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let tried = connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()));
    let cannot = |error: &rusqlite::Error| {
        matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
    };
    if !tried.as_ref().is_err_and(cannot) || beside(path, "-wal").exists() {
        return Ok(connection);
    }
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte);
    let coded = |byte: &u8| if plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    let whole = path.canonicalize()?;
    let address: String = whole.as_os_str().as_encoded_bytes().iter().map(coded).collect();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Ok(Connection::open_with_flags(format!("file:{address}?immutable=1"), flags)?)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(ending);
    name.into()
}

/// One program at a time. The lock is a file beside the project, since SQLite's own locks are let go between writes.
/// Whoever comes by a link comes to the same lock.
fn lock(path: &Path) -> Result<File> {
    let name = beside(&path.canonicalize()?, "-lock");
    let file = File::options().create(true).truncate(false).write(true).open(&name).map_err(|e| {
        Error::project(format!(
            "{}: cannot write beside it ({e}); the folder must be writable",
            path.display()
        ))
    })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::project(format!(
            "{} is open in another `likewise review`; use its page (several tabs and people can read at once), or end it first",
            path.display()
        ))),
        // A file system without locks: SQLite still keeps the file whole.
        Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Looks into the file without writing anything.
fn check(path: &Path) -> Result<()> {
    let connection = read_only(path)?;
    let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let application = number("application_id").map_err(|e| unreadable(path, e))?;
    if application != APPLICATION {
        return Err(Error::project(format!(
            "{}: this SQLite file is no project of `likewise review`; nothing was changed in it",
            path.display()
        )));
    }
    let version = number("user_version").map_err(|e| unreadable(path, e))?;
    if version > VERSION {
        return Err(Error::project(format!(
            "{}: made by a newer likewise (project version {version}, this program knows {VERSION}); use that one. Nothing was changed in the file",
            path.display()
        )));
    }
    let fault: String = connection
        .query_row("PRAGMA integrity_check('mark')", [], |row| row.get(0))
        .map_err(|e| unreadable(path, e))?;
    if fault != "ok" {
        return Err(damaged(path, &fault));
    }
    Ok(())
}

fn unreadable(path: &Path, error: rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::project(format!(
            "{}: this is no project of `likewise review`; nothing was changed in it",
            path.display()
        )),
        Some(ErrorCode::DatabaseCorrupt) => damaged(path, &error.to_string()),
        _ => Error::project(format!("{}: {}", path.display(), Error::from(error))),
    }
}

/// The same error with the file that it is about.
pub fn in_file(path: &Path, error: Error) -> Error {
    match error {
        Error::Database(error) => unreadable(path, error),
        other => other,
    }
}

fn damaged(path: &Path, what: &str) -> Error {
    Error::project(format!(
        "{}: the project is damaged ({what}). Nothing was changed in it; work on a copy from before, or save what `sqlite3 FILE .recover` finds",
        path.display()
    ))
}
