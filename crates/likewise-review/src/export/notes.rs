//! The last note and tags of each author about each row.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use crate::error::Result;
use crate::session::log::Entry;

struct Said {
    by: String,
    text: String,
    tags: Vec<String>,
}

pub struct Notes {
    rows: HashMap<u32, Vec<Said>>,
    programs: HashSet<String>,
}

impl Notes {
    pub fn read(connection: &Connection, log: &[Entry]) -> Result<Notes> {
        let programs = log.iter().filter(|entry| entry.program).map(|entry| entry.by.clone()).collect();
        let mut rows: HashMap<u32, Vec<Said>> = HashMap::new();
        let mut statement = connection.prepare("SELECT row, by, text, tags FROM note ORDER BY rowid")?;
        let mut found = statement.query([])?;
        while let Some(found) = found.next()? {
            let (by, tags): (String, String) = (found.get(1)?, found.get(3)?);
            let tags = serde_json::from_str(&tags).unwrap_or_default();
            let said = Said { by, text: found.get(2)?, tags };
            let authors = rows.entry(found.get(0)?).or_default();
            match authors.iter_mut().find(|known| known.by == said.by) {
                Some(known) => *known = said,
                None => authors.push(said),
            }
        }
        Ok(Notes { rows, programs })
    }

    /// What persons or programs wrote; with their names where there are several.
    pub fn of(&self, row: u32, program: bool) -> String {
        let notes: Vec<&Said> = self.said(row, program).filter(|said| !said.text.is_empty()).collect();
        match notes.as_slice() {
            [one] => one.text.clone(),
            many => {
                many.iter().map(|said| format!("{}: {}", said.by, said.text)).collect::<Vec<_>>().join("; ")
            }
        }
    }

    /// The tags that persons gave, each once.
    pub fn tags(&self, row: u32) -> Vec<&str> {
        let mut seen = HashSet::new();
        let all = self.said(row, false).flat_map(|said| &said.tags).map(String::as_str);
        all.filter(|tag| seen.insert(*tag)).collect()
    }

    fn said(&self, row: u32, program: bool) -> impl Iterator<Item = &Said> {
        let all = self.rows.get(&row).into_iter().flatten();
        all.filter(move |said| self.programs.contains(&said.by) == program)
    }
}
