//! New tables under the schema of a model: what must be there, what may be missing, what is left out.

use likewise::codes;
use likewise::message::Message;
use likewise::note::Note;
use likewise::relations::KeptSchema;
use likewise::relations::schema::{ColumnKind, TableSchema};

use super::tables::{FoundTable, Place, TableSource};
use crate::error::Result;

/// Names of rows that a database gives where a table has no key; rows of a file are numbered instead.
pub(crate) const ROW_NAMES: [&str; 3] = ["rowid", "_rowid_", "ctid"];

/// Where each table of a schema stands in a source, and what is to be said of the differences.
pub(crate) struct Conformed {
    /// The schema as these tables spell and declare it.
    pub kept: KeptSchema,
    /// By table of the schema: its number in the source and the columns that are there; none where it is not.
    pub places: Vec<Place>,
    pub notes: Vec<Note>,
}

/// Fits new tables to the schema of a model. Refuses them where a table, a key or a reference is missing.
pub(crate) fn conform(source: &dyn TableSource, kept: &KeptSchema) -> Result<Conformed> {
    let mut kept = kept.clone();
    let (mut places, mut notes) = (Vec::new(), Vec::new());
    let name = source.name();
    for table in &mut kept.schema.tables {
        let at = source.tables().iter().position(|found| found.name.eq_ignore_ascii_case(&table.name));
        let Some(at) = at else {
            if kept.examples.iter().any(|held| held.eq_ignore_ascii_case(&table.name)) {
                places.push(None);
                continue;
            }
            let message = Message::new(
                &codes::MISSING_TABLE,
                format!("table `{}` is not in {name}; the model was trained with it", table.name),
            );
            return Err(likewise::Error::data(message.field("table", table.name.as_str())).into());
        };
        let found = &source.tables()[at];
        if found.columns.is_empty() {
            places.push(None);
            continue;
        }
        let columns = conform_columns(table, found, &name, &mut notes)?;
        places.push(Some((at, columns)));
    }
    let known = |found: &&FoundTable| kept.schema.table(&found.name).is_none();
    for found in source.tables().iter().filter(known) {
        let text = format!("table `{}` was not there at training and is left out", found.name);
        notes.push(Note::info(&codes::TABLES_DIFFER, text).field("new_table", found.name.as_str()));
    }
    Ok(Conformed { kept, places, notes })
}

/// The columns of the table that are there, spelled as they are there.
fn conform_columns(
    table: &mut TableSchema,
    found: &FoundTable,
    source: &str,
    notes: &mut Vec<Note>,
) -> Result<Vec<String>> {
    let (mut present, mut missing) = (Vec::new(), Vec::new());
    for column in &mut table.columns {
        let is_key = table.key.iter().any(|key| key.eq_ignore_ascii_case(&column.name));
        if let Some(at) = found.columns.iter().position(|name| name.eq_ignore_ascii_case(&column.name)) {
            let own = &found.columns[at];
            let spelled = table.key.iter_mut().find(|key| key.eq_ignore_ascii_case(own));
            spelled.into_iter().for_each(|key| key.clone_from(own));
            column.name.clone_from(own);
            column.declared = found.declared(at);
            column.absent = false;
            present.push(own.clone());
            continue;
        }
        column.declared = None;
        column.absent = true;
        let refers = match &column.kind {
            ColumnKind::Reference(to) => format!(", which refers to `{to}`,"),
            _ => String::new(),
        };
        let has_row_name = ROW_NAMES.contains(&column.name.as_str());
        if (is_key && !has_row_name) || !refers.is_empty() {
            let what = if refers.is_empty() { "the key " } else { "" };
            let text = format!(
                "{what}`{}.{}`{refers} is not in {source}; the model was trained with it",
                found.name, column.name
            );
            let message = Message::new(&codes::MISSING_KEY, text)
                .field("table", found.name.as_str())
                .field("column", column.name.as_str());
            return Err(likewise::Error::data(message).into());
        }
        if matches!(column.kind, ColumnKind::Category | ColumnKind::Number) {
            missing.push(column.name.clone());
        }
    }
    table.name.clone_from(&found.name);
    let new: Vec<String> = found
        .columns
        .iter()
        .filter(|name| !present.contains(name) && !ROW_NAMES.contains(&name.as_str()))
        .cloned()
        .collect();
    if !missing.is_empty() {
        let text = format!(
            "table `{}` lacks {} of training; rules that ask for {} find nothing",
            table.name,
            listed(&missing),
            if missing.len() == 1 { "it" } else { "them" }
        );
        let note = Note::warning(&codes::TABLES_DIFFER, text);
        notes.push(note.field("table", table.name.as_str()).field("missing_columns", missing));
    }
    if !new.is_empty() {
        let text = format!(
            "table `{}` has {} that {} not there at training and {} left out",
            table.name,
            listed(&new),
            if new.len() == 1 { "was" } else { "were" },
            if new.len() == 1 { "is" } else { "are" }
        );
        let note = Note::info(&codes::TABLES_DIFFER, text);
        notes.push(note.field("table", table.name.as_str()).field("new_columns", new));
    }
    Ok(present)
}

fn listed(columns: &[String]) -> String {
    let names: Vec<String> = columns.iter().map(|name| format!("`{name}`")).collect();
    format!("the column{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
}

/// What is to be said where a model does not know how its tables were read.
pub(crate) fn guessed() -> Note {
    Note::warning(
        &codes::SCHEMA_GUESSED,
        "the model is of an older version and does not say how its tables were read: keys and kinds of columns were guessed again; train it again to be sure",
    )
}
