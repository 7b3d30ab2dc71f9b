//! Notes and tags: each author has own ones, and nobody writes over another's.

use rusqlite::Connection;
use serde::Serialize;

use super::{Desk, Reader};
use crate::clock;
use crate::error::{Error, Result};
use crate::project::writer::Order;
use crate::project::{Preferences, preferences};
use crate::trainer::locked;

/// What one author wrote about a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    pub by: String,
    pub text: String,
    pub tags: Vec<String>,
}

/// Letters of a note, of a tag, and how many tags a row has: more than the fields of the page take.
const LONGEST_NOTE: usize = 10_000;
const LONGEST_TAG: usize = 1000;
const MOST_TAGS: usize = 500;
const LONGEST_KEY_NAME: usize = 40;

impl Desk {
    pub fn set_note(&self, reader: &Reader, row: u32, text: String, tags: Vec<String>) -> Result<()> {
        if !locked(&self.inner).session.has_row(row) {
            return Err(Error::request(404, format!("there is no row {row}")));
        }
        let letters = text.chars().count();
        let longest = tags.iter().map(|tag| tag.chars().count()).max().unwrap_or(0);
        let too_much = if letters > LONGEST_NOTE {
            format!("this note has {letters} letters; it can have {LONGEST_NOTE}")
        } else if tags.len() > MOST_TAGS {
            format!("these are {} tags; a row can have {MOST_TAGS}", tags.len())
        } else if longest > LONGEST_TAG {
            format!("a tag of {longest} letters is too long; it can have {LONGEST_TAG}, and commas part tags")
        } else {
            let (by, at) = (reader.name.clone(), clock::now());
            return self.writer.send(Order::Note { row, by, at, text, tags }).wait();
        };
        Err(Error::request(400, too_much))
    }

    /// Tags in use, most frequent first.
    pub fn tags(&self) -> Result<Vec<String>> {
        let connection = locked(&self.rows);
        let sql = "SELECT value FROM note, json_each(note.tags) GROUP BY value ORDER BY count(*) DESC, value LIMIT 50";
        let mut statement = connection.prepare_cached(sql)?;
        let tags = statement.query_map([], |row| row.get(0))?;
        Ok(tags.collect::<rusqlite::Result<_>>()?)
    }

    pub fn preferences(&self, reader: &Reader) -> Result<Preferences> {
        preferences(&locked(&self.rows), &reader.name)
    }

    pub fn set_preferences(&self, reader: &Reader, preferences: Preferences) -> Result<()> {
        let plain = |text: &String| !text.is_empty() && text.chars().count() <= LONGEST_KEY_NAME;
        let keys = preferences.keys.len() <= 100
            && preferences
                .keys
                .iter()
                .all(|(action, keys)| plain(action) && keys.len() <= 10 && keys.iter().all(plain));
        if !keys || !["", "light", "dark"].contains(&preferences.theme.as_str()) {
            return Err(Error::request(
                400,
                "`theme` is \"\", \"light\" or \"dark\", `words` true or false, and `keys` names a few keys for each action",
            ));
        }
        self.writer.send(Order::Preferences { reader: reader.name.clone(), preferences }).wait()
    }
}

/// The last note of each author about the row, the first author first.
pub(super) fn notes_of(connection: &Connection, row: u32) -> Result<Vec<Said>> {
    let sql = "SELECT by, text, tags FROM note WHERE row = ?1 ORDER BY rowid";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([row])?;
    let mut notes: Vec<Said> = Vec::new();
    while let Some(found) = rows.next()? {
        let (by, text, tags): (String, String, String) = (found.get(0)?, found.get(1)?, found.get(2)?);
        let said = Said { by, text, tags: serde_json::from_str(&tags).unwrap_or_default() };
        match notes.iter_mut().find(|note| note.by == said.by) {
            Some(note) => *note = said,
            None => notes.push(said),
        }
    }
    Ok(notes)
}
