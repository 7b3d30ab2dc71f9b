//! What was found, written for other programs: rows, marks, and a model that scores new rows.

use std::collections::HashMap;
use std::path::Path;

use likewise::figures::rows;
use likewise::note::Note;
use likewise::{Run, codes};
use likewise_io::{Field, Output, Writer};
use rusqlite::Connection;
use serde::Deserialize;

mod batch;
mod log;
mod notes;

use batch::Batch;
use notes::Notes;

use crate::automatic;
use crate::error::{Error, Result};
use crate::project::{self, Made, Project, Row};
use crate::session::log::{Act, Entry, Verdict};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// The rows that a person (or, where none read it, a program) marked as wanted.
    Yes,
    /// Every row with its mark, if it has one.
    All,
    /// The log of marks, one line for each thing that was done.
    Log,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum As {
    Csv,
    Jsonl,
    Parquet,
    Ris,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Request {
    pub what: What,
    #[serde(rename = "as")]
    pub form: As,
}

/// What every row gets beside its own columns.
const OWN: [&str; 6] = ["verdict", "marked_by", "reader", "note", "tags", "program_note"];
/// Rows that are written at once.
const BATCH: usize = 4096;

impl Request {
    pub fn file_name(&self) -> String {
        let what = match self.what {
            What::Yes => "wanted",
            What::All => "all",
            What::Log => "marks",
        };
        format!("{what}.{}", self.form.extension())
    }
}

impl As {
    pub fn extension(self) -> &'static str {
        match self {
            As::Csv => "csv",
            As::Jsonl => "jsonl",
            As::Parquet => "parquet",
            As::Ris => "ris",
        }
    }
}

/// The export of a project as the content of a file, and what is missing in it.
pub fn bytes(path: &Path, request: &Request) -> Result<(Vec<u8>, Vec<Note>)> {
    let (connection, made) = Project::peek(path)?;
    if request.form == As::Ris {
        return ris(&connection, &made, request.what);
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join(request.file_name());
    let (writer, notes) = write(&connection, &made, request.what, &Output::parse(&file)?)?;
    writer.finish()?;
    Ok((std::fs::read(file)?, notes))
}

/// The same to be put into a file; its name says in what form.
pub fn to_output(path: &Path, what: What, output: &Output) -> Result<(Writer, Vec<Note>)> {
    let (connection, made) = Project::peek(path)?;
    write(&connection, &made, what, output)
}

/// The column that holds a reference as it stood in its file.
const RECORD: &str = "record";

/// The references as they stood, with what was said of them: verdict and note as notes (`N1`), tags as keywords (`KW`).
fn ris(connection: &Connection, made: &Made, what: What) -> Result<(Vec<u8>, Vec<Note>)> {
    let record = made.columns.iter().position(|name| name == RECORD);
    let refused = |why: &str| Error::request(400, format!("{why}; export CSV, JSON lines or Parquet"));
    let at = match (made.format.as_deref(), record, what) {
        (_, _, What::Log) => return Err(refused("a log of marks is no list of references")),
        (Some("ris"), Some(at), _) => at,
        _ => return Err(refused("the rows did not come from a RIS file")),
    };
    let log = project::read_log(connection)?;
    let (finals, notes) = (finals(&log), Notes::read(connection, &log)?);
    let (mut text, mut damaged) = (String::new(), Damaged::default());
    project::each(connection, |row| {
        if damaged.see(&row) {
            return Ok(());
        }
        let said = finals.get(&row.twin);
        if row.outside || (what == What::Yes && said.is_none_or(|said| said.verdict != Verdict::Yes)) {
            return Ok(());
        }
        let record = row.cells.get(at).map_or("", String::as_str);
        let lines = record.lines().filter(|line| !line.starts_with("ER  -"));
        lines.for_each(|line| text.extend([line, "\n"]));
        let mut add = |tag: &str, value: &str| {
            // A line break would end the value.
            let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
            if !value.is_empty() {
                text.extend([tag, "  - ", value.as_str(), "\n"]);
            }
        };
        if let Some(said) = said {
            add("N1", &format!("review: {} by {}", said.verdict.name(), said.by));
        }
        add("N1", &notes.of(row.twin, false));
        notes.tags(row.twin).iter().for_each(|tag| add("KW", tag));
        add("N1", &notes.of(row.twin, true));
        text.push_str("ER  - \n\n");
        Ok(())
    })?;
    Ok((text.into_bytes(), damaged.notes()))
}

fn write(connection: &Connection, made: &Made, what: What, output: &Output) -> Result<(Writer, Vec<Note>)> {
    let log = project::read_log(connection)?;
    match what {
        What::Log => Ok((log::write(connection, &log, output)?, Vec::new())),
        What::Yes | What::All => write_rows(connection, made, &log, what, output),
    }
}

/// What a row is in the end: a person's mark goes before a program's.
pub(crate) struct Final {
    pub verdict: Verdict,
    by: String,
    program: bool,
}

pub(crate) fn finals(log: &[Entry]) -> HashMap<u32, Final> {
    let mut undone = std::collections::HashSet::new();
    for entry in log {
        match entry.act {
            Act::Undo(seq) => drop(undone.insert(seq)),
            Act::Redo(seq) => drop(undone.remove(&seq)),
            Act::Mark { .. } => {}
        }
    }
    let mut finals: HashMap<u32, Final> = HashMap::new();
    for entry in log.iter().filter(|entry| !undone.contains(&entry.seq)) {
        let Act::Mark { row, verdict, .. } = entry.act else { continue };
        if entry.program && finals.get(&row).is_some_and(|known| !known.program) {
            continue;
        }
        finals.insert(row, Final { verdict, by: entry.by.clone(), program: entry.program });
    }
    finals
}

fn write_rows(
    connection: &Connection,
    made: &Made,
    log: &[Entry],
    what: What,
    output: &Output,
) -> Result<(Writer, Vec<Note>)> {
    let finals = finals(log);
    let notes = Notes::read(connection, log)?;
    let mut damaged = Damaged::default();
    let id_is_a_column = made.columns.iter().any(|name| name == "id");
    let mut names: Vec<String> = if id_is_a_column { Vec::new() } else { vec!["id".into()] };
    names.extend(made.columns.iter().cloned());
    for own in OWN {
        let taken = names.iter().any(|name| name == own);
        names.push(if taken { format!("review_{own}") } else { own.into() });
    }
    let first = names.len() - OWN.len() - made.columns.len();
    let kind =
        |at: usize| at.checked_sub(first).and_then(|at| made.kinds.get(at)).copied().unwrap_or_default();
    let mut batch: Vec<Batch> = (0..names.len()).map(|at| Batch::of(kind(at))).collect();
    let fields =
        names.iter().zip(&batch).map(|(name, cells)| Field::new(name, cells.cells().kind())).collect();
    let mut writer = Writer::create(output, fields)?;
    project::each(connection, |row| {
        if damaged.see(&row) {
            return Ok(());
        }
        let said = finals.get(&row.twin);
        let wanted = said.is_some_and(|said| said.verdict == Verdict::Yes);
        if row.outside || (what == What::Yes && !wanted) {
            return Ok(());
        }
        let mut cells: Vec<&str> = if id_is_a_column { Vec::new() } else { vec![&row.id] };
        let cell = |at: usize| row.cells.get(at).map_or("", String::as_str);
        cells.extend((0..made.columns.len()).map(cell));
        let (note, tags) = (notes.of(row.twin, false), notes.tags(row.twin).join(", "));
        let program_note = notes.of(row.twin, true);
        cells.extend([
            said.map_or("", |said| said.verdict.name()),
            said.map_or("", |said| said.by.as_str()),
            said.map_or("", |said| if said.program { "program" } else { "person" }),
            &note,
            &tags,
            &program_note,
        ]);
        batch.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
        if batch[0].cells().len() >= BATCH {
            writer.write(&batch.iter().map(Batch::cells).collect::<Vec<_>>())?;
            batch.iter_mut().for_each(Batch::clear);
        }
        Ok(())
    })?;
    writer.write(&batch.iter().map(Batch::cells).collect::<Vec<_>>())?;
    Ok((writer, damaged.notes()))
}

/// Rows that could not be read, which the export is without.
#[derive(Default)]
struct Damaged {
    count: usize,
    first: Option<String>,
}

impl Damaged {
    fn see(&mut self, row: &Row) -> bool {
        if let Some(damage) = &row.damage {
            self.count += 1;
            self.first.get_or_insert_with(|| damage.clone());
        }
        row.damage.is_some()
    }

    fn notes(self) -> Vec<Note> {
        let Some(first) = self.first else { return Vec::new() };
        let text = match self.count {
            1 => format!("{first}; it is not exported"),
            more => format!("{first}; {} are damaged and not exported", rows(more)),
        };
        vec![Note::warning(&codes::PROJECT, text)]
    }
}

/// A model for `likewise score`, learned from what was marked, both ways, and the rest of the pile.
pub fn model(path: &Path) -> Result<(Vec<u8>, Vec<Note>)> {
    let (_, made) = Project::peek(path)?;
    Ok(automatic::found(path, &Run::new(made.seed))?.0.trained.to_file()?)
}
