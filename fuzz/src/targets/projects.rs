//! Project files of `review`: damaged as files, and whole as files with contents that contradict each other.

use std::path::{Path, PathBuf};

use likewise::Run;
use likewise::data::Table;
use likewise::features::words::WordOptions;
use likewise::questions::ColumnChoice;
use likewise::reading::reading_words;
use likewise_review::Desk;
use likewise_review::desk::Reader;
use likewise_review::project::import::Import;
use likewise_review::project::{Project, Settings, each, read_log, table};
use rand::RngExt;
use rand_pcg::Pcg64;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::alter::{self, EDGES, one_of};
use crate::{Answer, Target};

pub struct Projects {
    honest: Vec<Vec<u8>>,
    folder: TempDir,
}

impl Projects {
    pub fn new() -> Self {
        let folder = crate::folder();
        let path = folder.path().join("honest.likewise");
        let texts = |n: usize, word: &str| {
            (0..n).map(|i| format!("{word} number {i} of the day")).collect::<Vec<_>>()
        };
        let import = Import {
            like: Some(Table::from_texts("text", texts(3, "refund"))),
            pile: Table::from_texts("text", [texts(6, "refund money"), texts(12, "late parcel")].concat()),
            label: None,
            choice: ColumnChoice { keep_positives: true, ..ColumnChoice::default() },
            words: reading_words(WordOptions::default()),
            seed: 1,
            format: None,
            settings: Settings::default(),
        };
        drop(import.open(&path, &Run::new(1)).expect("a new project"));
        let connection = Connection::open(&path).expect("the project");
        connection
            .execute_batch(
                "PRAGMA journal_mode = delete;
                 INSERT INTO mark SELECT max(seq) + 1, 'k1', 5, 'ann', 0, 1, 'yes', 'best', NULL, 0, 10, NULL, NULL FROM mark;
                 INSERT INTO mark SELECT max(seq) + 1, 'k2', 6, 'ann', 0, 8, 'no', 'random', NULL, 0, 10, 1, 2 FROM mark;
                 INSERT INTO mark SELECT max(seq) + 1, 'k3', 7, 'ann', 0, NULL, 'undo', NULL, max(seq), 0, 10, NULL, NULL FROM mark;",
            )
            .expect("marks");
        connection.close().map_err(|(_, e)| e).expect("closed");
        let honest = vec![std::fs::read(&path).expect("the project")];
        Projects { honest, folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("case.likewise")
    }

    fn put(&self, bytes: &[u8]) -> std::io::Result<()> {
        for end in ["-wal", "-shm", "-lock", "-journal"] {
            let mut name = self.path().into_os_string();
            name.push(end);
            let _ = std::fs::remove_file(name);
        }
        std::fs::write(self.path(), bytes)
    }
}

/// Cells that say something else.
fn alter_contents(rng: &mut Pcg64, path: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA journal_mode = memory; PRAGMA synchronous = off;")?;
    let edge = |rng: &mut Pcg64| EDGES[rng.random_range(0..EDGES.len())] as i64;
    for _ in 0..rng.random_range(1..4) {
        // What SQLite itself refuses, such as a key that is there already, leaves the cell as it was.
        let _ = match rng.random_range(0..4) {
            0 => {
                let key = one_of(rng, &["made", "settings"]);
                let text: String =
                    connection.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))?;
                let mut text = text.into_bytes();
                alter::text(rng, &mut text, &["null", "[]", "{}", "\"text\"", "-1", "1e99"]);
                let text = String::from_utf8_lossy(&text).into_owned();
                connection.execute("UPDATE meta SET value = ?2 WHERE key = ?1", [key, &text])
            }
            1 => {
                let column = one_of(rng, &["row", "twin", "outside", "id", "body"]);
                let sql = format!("UPDATE row SET {column} = ?1 WHERE row = ?2");
                connection.execute(&sql, [edge(rng), rng.random_range(0..20)])
            }
            2 => {
                let column = one_of(
                    rng,
                    &[
                        "seq", "row", "verdict", "kind", "undoes", "model", "ms", "program", "r_before",
                        "n_before", "at",
                    ],
                );
                let sql = format!(
                    "UPDATE mark SET {column} = ?1 WHERE seq = (SELECT seq FROM mark LIMIT 1 OFFSET ?2)"
                );
                connection.execute(&sql, [edge(rng), rng.random_range(0..6)])
            }
            _ => {
                let body: Vec<u8> =
                    connection.query_row("SELECT body FROM row WHERE row = 1", [], |row| row.get(0))?;
                let mut body = body;
                alter::bytes(rng, &mut body, 0.0);
                connection.execute("UPDATE row SET body = ?1 WHERE row = ?2", (body, rng.random_range(0..20)))
            }
        };
    }
    connection.close().map_err(|(_, e)| e)
}

impl Target for Projects {
    fn name(&self) -> String {
        "project".into()
    }

    fn honest(&self) -> &[Vec<u8>] {
        &self.honest
    }

    fn alter(&self, rng: &mut Pcg64) -> Vec<u8> {
        let mut file = self.honest[0].clone();
        if rng.random_bool(0.5) {
            (0..rng.random_range(1..5)).for_each(|_| alter::bytes(rng, &mut file, 0.2));
            return file;
        }
        self.put(&file).expect("a writable folder");
        // Where a change fails, the file is as far as it came.
        let _ = alter_contents(rng, &self.path());
        std::fs::read(self.path()).expect("the project")
    }

    fn read(&self, bytes: &[u8]) -> Result<Answer, String> {
        self.put(bytes).map_err(|e| e.to_string())?;
        if let Ok((connection, made)) = Project::peek(&self.path()) {
            let _ = read_log(&connection);
            let _ = each(&connection, |_| Ok(()));
            let _ = table(&connection, &made);
        }
        let desk = Project::open(&self.path())
            .and_then(|project| Desk::open(project, Vec::new(), false, &Run::new(0)));
        match desk {
            Ok(desk) => {
                desk.wait_for_training();
                let _ = (desk.state(), desk.history(u64::MAX, 20), desk.search("refund", 5));
                let reader = Reader::person("reader", "tab");
                (0..20).for_each(|row| drop(desk.show(&reader, row)));
                desk.close();
                Ok(Answer::Given)
            }
            Err(_) => Ok(Answer::Refused),
        }
    }
}
