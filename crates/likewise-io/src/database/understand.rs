//! What each table and column is: declared, said by the user, or seen from names and values.

use likewise::Run;
use likewise::codes;
use likewise::note::Note;
use likewise::relations::schema::{ColumnKind, ColumnSchema, Schema, TableSchema};

use super::keys::{Flaw, KeyGuess};
use super::profile::Profile;
use super::references::guess_references;
use super::schema_file::Said;
use super::tables::{FoundReference, FoundTable, LeftOut, TableSource};
use crate::error::{Error, Result};

/// Tables with everything known about them that rules can use.
#[derive(Default)]
pub(crate) struct Understood {
    pub schema: Schema,
    /// By table and column, for people to look at.
    pub profiles: Vec<Profile>,
    /// Keys that are none for a few of their cells.
    pub flaws: Vec<Flaw>,
    pub left_out: Vec<LeftOut>,
    pub notes: Vec<Note>,
}

/// A table with what was seen of it.
struct Seen<'a> {
    found: &'a FoundTable,
    profile: Profile,
    key: Vec<String>,
}

/// Finds out what each column is. Tables that nothing needs are left out where they cannot be read.
pub(crate) fn understand(source: &dyn TableSource, said: &Said, run: &Run) -> Result<Understood> {
    said.check(source)?;
    let mut out = Understood { left_out: source.unreadable().to_vec(), ..Understood::default() };
    let mut seen: Vec<Seen<'_>> = Vec::new();
    let total = source.tables().len() as u64;
    for (number, found) in source.tables().iter().enumerate() {
        run.step("looking at tables", number as u64, total)?;
        match look(source, number, said)? {
            Ok((profile, key, flaw)) => {
                out.flaws.extend(flaw);
                seen.push(Seen { found, profile, key });
            }
            Err(why) => out.left_out.push(LeftOut { table: found.name.clone(), why }),
        }
    }
    out.notes.extend(out.flaws.iter().map(Flaw::note));
    out.notes.extend(out.left_out.iter().map(|left| {
        let text = format!("table `{}` is left out: {}", left.table, left.why);
        Note::warning(&codes::TABLE_LEFT_OUT, text).field("table", left.table.as_str())
    }));
    for table in &seen {
        let columns = columns(table, &seen, said, &mut out.notes);
        out.schema.tables.push(TableSchema {
            name: table.found.name.clone(),
            columns,
            key: table.key.clone(),
        });
    }
    out.profiles = seen.into_iter().map(|table| table.profile).collect();
    without_circles(&mut out.schema, said, &mut out.notes);
    guess_references(source, &mut out.schema, &out.profiles, said, &out.flaws, &mut out.notes)?;
    out.schema.check().map_err(|e| match out.left_out.iter().find(|left| refers_to(said, &left.table)) {
        Some(left) => left.error(),
        None => e.into(),
    })?;
    Ok(out)
}

type Looked = (Profile, Vec<String>, Option<Flaw>);

/// The rows of a table and its key, or why it is left out.
fn look(source: &dyn TableSource, number: usize, said: &Said) -> Result<Result<Looked, String>> {
    let found = &source.tables()[number];
    let mut profile = Profile::new(found.columns.len());
    let read = source.stream(number, &found.columns, &mut |batch| {
        profile.add(batch, &found.columns, source.has_markers());
        Ok(())
    });
    match read {
        Err(error @ (Error::BadRow { .. } | Error::Malformed { .. }))
            if source.is_beside(number) && !is_needed(source, said, &found.name) =>
        {
            return Ok(Err(unreadable(&error)));
        }
        read => read?,
    }
    if let Some(key) = said.of(&found.name).and_then(|s| s.key.clone()) {
        return Ok(Ok((profile, key, None)));
    }
    if found.row_name || found.key.is_empty() {
        return Ok(Ok(match profile.guess_key(found, source.tables()) {
            KeyGuess::Key(name) => (profile, vec![name], None),
            KeyGuess::Flawed(flaw) => (profile, found.key.clone(), Some(flaw)),
            KeyGuess::None => (profile, found.key.clone(), None),
        }));
    }
    if let [key] = &found.key[..]
        && let Some(at) = found.columns.iter().position(|column| column == key)
        && profile.columns[at].blanks.count > 0
        && !is_needed(source, said, &found.name)
    {
        let why = profile.columns[at].flaw(profile.rows).unwrap_or_default();
        let table = &found.name;
        return Ok(Err(format!(
            "its key `{key}` {why}, or holds bytes there; to use it, mend these cells, or say in a schema that nothing \
             names its rows: [{table}] key = []"
        )));
    }
    let key = found.key.clone();
    Ok(Ok((profile, key, None)))
}

/// What is said of a file that takes no part.
pub(crate) fn unreadable(error: &Error) -> String {
    let told = match error {
        Error::BadRow { source_name, line, problem } => format!("{source_name}:{line}: {problem}"),
        other => other.to_string(),
    };
    format!("{told}; mend the file to use it, or move it elsewhere")
}

/// Whether a declared reference or the user asks for the table.
fn is_needed(source: &dyn TableSource, said: &Said, table: &str) -> bool {
    let refers = |other: &FoundTable| {
        !other.name.eq_ignore_ascii_case(table)
            && other.references.iter().any(|reference| reference.to.eq_ignore_ascii_case(table))
    };
    said.of(table).is_some() || refers_to(said, table) || source.tables().iter().any(refers)
}

fn refers_to(said: &Said, table: &str) -> bool {
    said.references().any(|to| to.eq_ignore_ascii_case(table))
}

impl LeftOut {
    /// Refuses what cannot be answered without the table.
    pub fn error(&self) -> Error {
        Error::usage(format!("table `{}` is asked for and cannot be used: {}", self.table, self.why))
    }
}

fn columns(table: &Seen<'_>, all: &[Seen<'_>], said: &Said, notes: &mut Vec<Note>) -> Vec<ColumnSchema> {
    let Seen { found, profile, key } = table;
    let said = said.of(&found.name);
    let is_key = |name: &str| key.iter().any(|k| k.eq_ignore_ascii_case(name));
    // The place of a row says nothing of it.
    let is_used = |name: &String| {
        !found.row_name
            || Some(name) != found.columns.last()
            || is_key(name)
            || said.is_some_and(|s| s.kind(name).is_some())
    };
    let single = key.len() == 1;
    (found.columns.iter().enumerate().filter(|(_, name)| is_used(name)))
        .map(|(at, name)| {
            let seen = &profile.columns[at];
            let reference = found.references.iter().find(|r| r.column == *name);
            let followed = reference.map(|reference| followed(reference, all));
            let kind = match (said.and_then(|s| s.kind(name)), followed) {
                (Some(kind), _) => kind.clone(),
                (None, Some(Ok(to))) => ColumnKind::Reference(to),
                (None, other) => {
                    if let (Some(reference), Some(Err(why))) = (reference, other) {
                        notes.push(not_followed(&found.name, reference, &why));
                    }
                    if is_key(name) { ColumnKind::Key } else { seen.kind(found.declared(at)) }
                }
            };
            let names_rows = single && is_key(name);
            let mut column = ColumnSchema::new(name.clone(), kind);
            column.declared = found.declared(at);
            column.by_value = names_rows && seen.is_by_value();
            column.not_missing = if names_rows { seen.marker_words.clone() } else { Vec::new() };
            column
        })
        .collect()
}

/// The table that a declared reference leads to, by its key; otherwise what is in its way.
fn followed(reference: &FoundReference, all: &[Seen<'_>]) -> Result<String, String> {
    let Some(to) = all.iter().find(|table| table.found.name.eq_ignore_ascii_case(&reference.to)) else {
        return Err(format!("there is no table `{}` to read", reference.to));
    };
    let name = &to.found.name;
    let has_parts = !to.found.parts.is_empty();
    match (&to.key[..], &reference.key) {
        ([_], None) if !has_parts => Ok(name.clone()),
        ([key], Some(column)) if key.eq_ignore_ascii_case(column) => Ok(name.clone()),
        ([key], Some(column)) => Err(format!(
            "`{column}` is not the key of `{name}`, which is `{key}`; to follow it, say in a schema: [{name}] key = \"{column}\""
        )),
        _ => Err(format!("`{name}` has no key of one column")),
    }
}

fn not_followed(table: &str, reference: &FoundReference, why: &str) -> Note {
    let FoundReference { column, to, key } = reference;
    let to = key.as_ref().map_or(to.clone(), |key| format!("{to}.{key}"));
    let text = format!("`{table}.{column}` is declared to refer to `{to}`, which rules do not follow: {why}");
    let note = Note::warning(&codes::REFERENCE_NOT_FOLLOWED, text);
    note.field("column", format!("{table}.{column}")).field("table", reference.to.as_str())
}

/// Keys that are declared to refer to each other in a circle say nothing of what a row is: one of them becomes a plain key.
fn without_circles(schema: &mut Schema, said: &Said, notes: &mut Vec<Note>) {
    for at in 0..schema.tables.len() {
        let table = &schema.tables[at];
        let Some(key) = table.single_key().map(str::to_string) else { continue };
        let is_said = said.of(&table.name).is_some_and(|s| s.kind(&key).is_some());
        if is_said || schema.type_of(table).is_ok() {
            continue;
        }
        let text = format!(
            "`{}.{key}` is declared to refer in a circle to keys that refer to it, and is taken for a plain key",
            table.name
        );
        notes.push(Note::warning(&codes::REFERENCE_NOT_FOLLOWED, text));
        let columns = &mut schema.tables[at].columns;
        let own = columns.iter_mut().find(|column| column.name.eq_ignore_ascii_case(&key));
        own.into_iter().for_each(|column| column.kind = ColumnKind::Key);
    }
}
