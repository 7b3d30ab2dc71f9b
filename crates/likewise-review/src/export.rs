//! What was found, written for other programs: rows, marks, and a model that scores new rows.

use std::collections::HashMap;
use std::path::Path;

use likewise::Run;
use likewise::data::Texts;
use likewise::note::Note;
use likewise_io::{CellKind, Cells, Field, Output, Writer};
use rusqlite::Connection;
use serde::Deserialize;

use crate::automatic;
use crate::error::{Error, Result};
use crate::project::{self, Made, Project};
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
const OWN: [&str; 5] = ["verdict", "marked_by", "reader", "note", "tags"];
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

/// The export of a project as the content of a file.
pub fn bytes(path: &Path, request: &Request) -> Result<Vec<u8>> {
    let (connection, made) = Project::peek(path)?;
    if request.form == As::Ris {
        return ris(&connection, &made, request.what);
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join(request.file_name());
    write(&connection, &made, request.what, &Output::parse(&file)?)?.finish()?;
    Ok(std::fs::read(file)?)
}

/// The same to be put into a file; its name says in what form.
pub fn to_output(path: &Path, what: What, output: &Output) -> Result<Writer> {
    let (connection, made) = Project::peek(path)?;
    write(&connection, &made, what, output)
}

/// The column that holds a reference as it stood in its file.
const RECORD: &str = "record";

/// The references as they stood, with what was said of them: verdict and note as notes (`N1`), tags as keywords (`KW`).
fn ris(connection: &Connection, made: &Made, what: What) -> Result<Vec<u8>> {
    let record = made.columns.iter().position(|name| name == RECORD);
    let refused = |why: &str| Error::request(400, format!("{why}; export CSV, JSON lines or Parquet"));
    let at = match (made.format.as_deref(), record, what) {
        (_, _, What::Log) => return Err(refused("a log of marks is no list of references")),
        (Some("ris"), Some(at), _) => at,
        _ => return Err(refused("the rows did not come from a RIS file")),
    };
    let (finals, notes) = (finals(&project::read_log(connection)?), notes(connection)?);
    let mut text = String::new();
    project::each(connection, |row| {
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
        if let Some((note, tags)) = notes.get(&row.twin) {
            add("N1", note);
            tags.iter().for_each(|tag| add("KW", tag));
        }
        text.push_str("ER  - \n\n");
        Ok(())
    })?;
    Ok(text.into_bytes())
}

fn write(connection: &Connection, made: &Made, what: What, output: &Output) -> Result<Writer> {
    let log = project::read_log(connection)?;
    match what {
        What::Log => write_log(connection, &log, output),
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
) -> Result<Writer> {
    let finals = finals(log);
    let notes = notes(connection)?;
    let id_is_a_column = made.columns.iter().any(|name| name == "id");
    let mut names: Vec<String> = if id_is_a_column { Vec::new() } else { vec!["id".into()] };
    names.extend(made.columns.iter().cloned());
    for own in OWN {
        let taken = names.iter().any(|name| name == own);
        names.push(if taken { format!("review_{own}") } else { own.into() });
    }
    let fields = names.iter().map(|name| Field::new(name, CellKind::Text)).collect();
    let mut writer = Writer::create(output, fields)?;
    let mut batch = vec![Texts::new(); names.len()];
    project::each(connection, |row| {
        let said = finals.get(&row.twin);
        let wanted = said.is_some_and(|said| said.verdict == Verdict::Yes);
        if row.outside || (what == What::Yes && !wanted) {
            return Ok(());
        }
        let mut cells: Vec<&str> = if id_is_a_column { Vec::new() } else { vec![&row.id] };
        cells.extend(row.cells.iter().map(String::as_str));
        let (note, tags) =
            notes.get(&row.twin).map_or(("", String::new()), |(n, t)| (n.as_str(), t.join(", ")));
        cells.extend([
            said.map_or("", |said| said.verdict.name()),
            said.map_or("", |said| said.by.as_str()),
            said.map_or("", |said| if said.program { "program" } else { "person" }),
            note,
            &tags,
        ]);
        batch.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
        if batch[0].len() >= BATCH {
            writer.write(&batch.iter().map(Cells::Text).collect::<Vec<_>>())?;
            batch.iter_mut().for_each(|column| column.truncate(0));
        }
        Ok(())
    })?;
    writer.write(&batch.iter().map(Cells::Text).collect::<Vec<_>>())?;
    Ok(writer)
}

/// The last note of each row.
fn notes(connection: &Connection) -> Result<HashMap<u32, (String, Vec<String>)>> {
    let mut statement = connection.prepare("SELECT row, text, tags FROM note ORDER BY rowid")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))?;
    rows.map(|row| {
        let (row, text, tags) = row?;
        Ok((row, (text, serde_json::from_str(&tags).unwrap_or_default())))
    })
    .collect()
}

fn write_log(connection: &Connection, log: &[Entry], output: &Output) -> Result<Writer> {
    let mut ids = HashMap::new();
    let mut statement = connection.prepare("SELECT row, id FROM row WHERE row IN (SELECT row FROM mark)")?;
    let mut rows = statement.query([])?;
    while let Some(found) = rows.next()? {
        ids.insert(found.get::<_, u32>(0)?, found.get::<_, String>(1)?);
    }
    let names = ["seq", "at", "by", "reader", "id", "verdict", "kind", "undoes", "model", "ms"];
    let kinds = [
        CellKind::Integer,
        CellKind::Integer,
        CellKind::Text,
        CellKind::Text,
        CellKind::Text,
        CellKind::Text,
        CellKind::Text,
        CellKind::Text,
        CellKind::Integer,
        CellKind::Integer,
    ];
    let fields = names.iter().zip(kinds).map(|(name, kind)| Field::new(*name, kind)).collect();
    let mut writer = Writer::create(output, fields)?;
    for entries in log.chunks(BATCH) {
        let text = |of: &dyn Fn(&Entry) -> String| -> Texts { entries.iter().map(of).collect() };
        let number = |of: &dyn Fn(&Entry) -> i64| -> Vec<i64> { entries.iter().map(of).collect() };
        let (seq, at) = (number(&|e| e.seq as i64), number(&|e| e.at));
        let (model, ms) = (number(&|e| e.model as i64), number(&|e| i64::from(e.ms)));
        let by = text(&|e| e.by.clone());
        let reader = text(&|e| if e.program { "program".into() } else { "person".into() });
        let id = text(&|e| match e.act {
            Act::Mark { row, .. } => ids.get(&row).cloned().unwrap_or_default(),
            _ => String::new(),
        });
        let verdict = text(&|e| match e.act {
            Act::Mark { verdict, .. } => verdict.name().into(),
            Act::Undo(_) => "undo".into(),
            Act::Redo(_) => "redo".into(),
        });
        let kind = text(&|e| match e.act {
            Act::Mark { kind, .. } => kind.name().into(),
            _ => String::new(),
        });
        let undoes = text(&|e| match e.act {
            Act::Undo(seq) | Act::Redo(seq) => seq.to_string(),
            Act::Mark { .. } => String::new(),
        });
        writer.write(&[
            Cells::Integer(&seq),
            Cells::Integer(&at),
            Cells::Text(&by),
            Cells::Text(&reader),
            Cells::Text(&id),
            Cells::Text(&verdict),
            Cells::Text(&kind),
            Cells::Text(&undoes),
            Cells::Integer(&model),
            Cells::Integer(&ms),
        ])?;
    }
    Ok(writer)
}

/// A model for `likewise score`, learned from what was marked, both ways, and the rest of the pile.
pub fn model(path: &Path) -> Result<(Vec<u8>, Vec<Note>)> {
    let (_, made) = Project::peek(path)?;
    Ok(automatic::found(path, &Run::new(made.seed))?.0.trained.to_file()?)
}
