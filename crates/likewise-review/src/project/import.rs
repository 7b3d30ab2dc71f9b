//! Rows of files → a new project.
//!
//! Rows that say the same (but for case, spacing, commas, stops and quotes) are read once: the first stands for all, and
//! its mark is the mark of all. The file appears when it is complete, and never over another one.

use std::path::Path;

use hashbrown::HashMap;
use likewise::Run;
use likewise::data::{Column, Table};
use likewise::features::Input;
use likewise::features::words::WordOptions;
use likewise::questions::ColumnChoice;
use likewise::questions::{columns, label};
use rusqlite::{Connection, params};

use super::{
    APPLICATION, ID, Kind, Made, Project, SCHEMA, Settings, VERSION, bodies, marks, sameness, write_meta,
};
use likewise::codes;
use likewise::message::{Message, Setting};

use crate::clock;
use crate::error::{Error, Result};
use crate::random;
use crate::session::log::{Act, Entry, Origin, Verdict};

/// What a project is made of.
pub struct Import {
    /// Examples from outside the pile.
    pub like: Option<Table>,
    pub pile: Table,
    /// Column and value that mark examples within the pile.
    pub label: Option<(String, String)>,
    pub choice: ColumnChoice,
    pub words: WordOptions,
    pub seed: u64,
    /// `ris` where the rows came from such files.
    pub format: Option<String>,
    pub settings: Settings,
}

/// Who marked what stood marked in a file.
pub const FROM_FILE: &str = "file";

impl Import {
    /// Makes the project, or opens the one that is there if it holds the same rows; new examples are added to it.
    pub fn open(self, path: &Path, run: &Run) -> Result<(Project, Vec<Vec<String>>)> {
        if !path.exists() {
            self.create(path, run)?;
            return Ok((Project::open(path)?, Vec::new()));
        }
        let project = Project::open(path)?;
        let input = self.choice.input(&self.pile, self.label_column())?;
        if project.made.fingerprint != fingerprint(&self.pile) || project.made.input != input {
            let text = format!(
                "{} holds a project of other rows (from {}), in which nothing was changed; go on with it by giving it alone, or name another file with ",
                path.display(),
                project.made.sources.join(", ")
            );
            return Err(Message::new(&codes::PROJECT, text).setting(Setting::with("project", "FILE")).into());
        }
        let added = self.like.as_ref().map_or_else(Vec::new, |like| {
            (0..like.rows()).map(|row| cells_of(like, row, &project.made.columns)).collect()
        });
        Ok((project, added))
    }

    fn label_column(&self) -> Option<&str> {
        self.label.as_ref().map(|(column, _)| column.as_str())
    }

    fn create(&self, path: &Path, run: &Run) -> Result<()> {
        let input = self.choice.input(&self.pile, self.label_column())?;
        if input == Input::Sparse {
            return Err(Error::project(
                "rows of numbered features have nothing to read; give a file with text or named columns",
            ));
        }
        if input.parts().iter().any(|part| matches!(part, Input::Vectors(_) | Input::Embedded(_))) {
            return Err(Error::project(
                "a person cannot read vectors; name text or columns, and leave vectors and embeddings out",
            ));
        }
        let columns: Vec<String> = self.pile.column_names().to_vec();
        let made = Made {
            seed: self.seed,
            input: input.clone(),
            columns: columns.clone(),
            kinds: self.pile.columns().map(|(_, column)| kind(column)).collect(),
            words: self.words.clone(),
            sources: self.pile.sources.clone(),
            format: self.format.clone(),
            fingerprint: fingerprint(&self.pile),
            pile: self.pile.rows() as u64,
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut fresh = tempfile::Builder::new();
        fresh.prefix(".likewise-");
        // As readable to others as any file that is made here.
        #[cfg(unix)]
        fresh.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let fresh = fresh.tempfile_in(folder)?;
        {
            let connection = Connection::open(fresh.path())?;
            // The file is nobody's before it is complete.
            connection.pragma_update(None, "journal_mode", "off")?;
            connection.pragma_update(None, "synchronous", "off")?;
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", VERSION)?;
            let transaction = connection.unchecked_transaction()?;
            transaction.execute_batch(SCHEMA)?;
            write_meta(&transaction, "made", &made)?;
            write_meta(&transaction, "settings", &self.settings)?;
            write_meta(&transaction, ID, &random::letters()?)?;
            let mut rows = Importing {
                connection: &transaction,
                input: &input,
                columns: &columns,
                first: HashMap::new(),
                next: 0,
            };
            if let Some(like) = &self.like {
                input.names().into_iter().try_for_each(|name| like.column(name).map(|_| ()))?;
            }
            self.write_rows(&mut rows, run)?;
            transaction.commit()?;
        }
        fresh.as_file().sync_all()?;
        let placed = fresh.persist_noclobber(path);
        placed.map_err(|e| Error::project(format!("{}: cannot be made ({})", path.display(), e.error)))?;
        Ok(())
    }

    fn write_rows(&self, rows: &mut Importing<'_>, run: &Run) -> Result<()> {
        let mut seq = 0;
        if let Some(like) = &self.like {
            let ids = columns::ids(like, self.choice.id.as_deref(), 0)?;
            for row in 0..like.rows() {
                if rows.add(like, row, &ids[row], true)? {
                    seq += 1;
                    rows.mark(seq, Origin::Seed)?;
                }
            }
        }
        let ids = columns::ids(&self.pile, self.choice.id.as_deref(), 0)?;
        let marked = match &self.label {
            Some((column, value)) => label::marked(&self.pile, column, std::slice::from_ref(value))?,
            None => Vec::new(),
        };
        for row in 0..self.pile.rows() {
            let own = rows.add(&self.pile, row, &ids[row], false)?;
            if own && marked.get(row) == Some(&true) {
                seq += 1;
                rows.mark(seq, Origin::Import)?;
            }
            if row % 1024 == 0 {
                run.step("keeping the rows", row as u64, self.pile.rows() as u64)?;
            }
        }
        Ok(run.step("keeping the rows", 1, 1)?)
    }
}

/// The rows written so far.
struct Importing<'a> {
    connection: &'a Connection,
    input: &'a Input,
    columns: &'a [String],
    /// The first row of each content.
    first: HashMap<u128, u32>,
    next: u32,
}

impl Importing<'_> {
    /// Whether the row is the first of its content. An example from outside that says what another one says is not kept.
    fn add(&mut self, table: &Table, at: usize, id: &str, outside: bool) -> Result<bool> {
        let cells = cells_of(table, at, self.columns);
        let content = sameness::content(self.input, self.columns, &cells);
        if content.is_empty() && outside {
            return Ok(false);
        }
        let hash = sameness::hash(&content);
        let row = self.next;
        let twin = *self.first.entry(hash).or_insert(row);
        if outside && twin != row {
            return Ok(false);
        }
        self.next =
            row.checked_add(1).ok_or_else(|| Error::project("a project holds at most 4,294,967,294 rows"))?;
        let sql = "INSERT INTO row VALUES(?1,?2,?3,?4,?5)";
        self.connection.prepare_cached(sql)?.execute(params![
            row,
            id,
            bodies::pack(&cells)?,
            twin,
            outside
        ])?;
        if twin == row && !outside {
            let text = format!("{id} {}", cells.join(" "));
            let sql = "INSERT INTO words(rowid, text) VALUES(?1, ?2)";
            self.connection.prepare_cached(sql)?.execute(params![row, text])?;
        }
        Ok(twin == row)
    }

    fn mark(&self, seq: u64, kind: Origin) -> Result<()> {
        let act = Act::Mark { row: self.next - 1, verdict: Verdict::Yes, kind };
        let (key, by) = (format!("{FROM_FILE} {seq}"), FROM_FILE.to_string());
        let entry = Entry { seq, key, at: clock::now(), by, program: false, act, model: 0, ms: 0 };
        marks::insert(self.connection, &entry, None)
    }
}

fn kind(column: &Column) -> Kind {
    let whole = |cell: &f64| cell.fract() == 0.0 && cell.abs() < 2f64.powi(53);
    match column {
        Column::Number(cells) if cells.iter().all(whole) => Kind::Integer,
        Column::Number(_) => Kind::Number,
        Column::Text(_) | Column::Vectors(_) => Kind::Text,
    }
}

pub fn cells_of(table: &Table, row: usize, columns: &[String]) -> Vec<String> {
    let cell = |name: &String| table.get(name).map_or(String::new(), |column| column.cell(row).into_owned());
    columns.iter().map(cell).collect()
}

/// Of all names and cells (FNV-1a), the same in every version.
fn fingerprint(table: &Table) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes.iter().chain(&[0xff]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for (name, column) in table.columns() {
        add(name.as_bytes());
        (0..table.rows()).for_each(|row| add(column.cell(row).as_bytes()));
    }
    format!("{hash:016x}")
}
