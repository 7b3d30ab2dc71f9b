//! Whole inputs, read with progress and with a way to stop.

use std::path::PathBuf;

use likewise::Run;
use likewise::data::Table;
use likewise::features::Features;
use likewise::questions::ColumnChoice;
use likewise::trained::Trained;
use likewise_io::{Memory, ReadOptions, Source, Warnings, read};

use crate::arguments::ReadArguments;
use crate::kept::Kept;
use crate::terminal::{self, say};

/// The columns that a command needs of its files; no others are read.
#[derive(Clone, Default)]
pub struct Wanted {
    /// `None`: all of them.
    columns: Option<Vec<String>>,
    /// Those without which it cannot go on.
    required: Vec<String>,
    /// Those of them that hold vectors; none: every column that looks like it.
    vectors: Option<Vec<String>>,
    looks: Looks,
}

/// Which files are read whole, lists of numbers as vectors, to be looked at.
#[derive(Clone, Copy, Default, PartialEq)]
enum Looks {
    #[default]
    Nowhere,
    WithoutText,
    Everywhere,
}

impl Wanted {
    #[cfg(feature = "review")]
    pub fn all() -> Self {
        Wanted { vectors: Some(Vec::new()), ..Wanted::default() }
    }

    /// All of them, and lists of numbers as vectors.
    pub fn to_look() -> Self {
        Wanted { looks: Looks::Everywhere, ..Wanted::default() }
    }

    /// What is learned from, ids, and the label.
    pub fn of(choice: &ColumnChoice, label: Option<&str>) -> Self {
        // Where all columns are learned from, some are vectors, however the file writes them.
        let vectors = choice.columns(label).is_some().then(|| choice.vectors.clone().unwrap_or_default());
        let (columns, required) = (choice.columns(label), choice.named_columns(label));
        let looks = match (choice.names_nothing(), choice.except.is_empty()) {
            (false, _) => Looks::Nowhere,
            (true, true) => Looks::WithoutText,
            (true, false) => Looks::Everywhere,
        };
        Wanted { columns, required, vectors, looks }
    }

    /// Named columns, and what rows are called.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>, id: Option<&'a str>) -> Self {
        let required: Vec<String> = names.into_iter().chain(id).map(String::from).collect();
        let columns = Some(vec!["id".into()]);
        Wanted { columns, required, vectors: Some(Vec::new()), ..Wanted::default() }
    }

    /// What a model reads, and ids.
    pub fn of_model(trained: &Trained, id: Option<&str>) -> Self {
        let mut columns = match &trained.features {
            Features::Matrix(rows) => rows.names.clone(),
            features => features.columns_read(),
        };
        columns.push(id.unwrap_or("id").into());
        let vectors = Some(trained.features.vector_columns());
        Wanted { columns: Some(columns), vectors, ..Wanted::default() }
    }

    /// Without a column that comes from elsewhere.
    pub fn without(mut self, column: &str) -> Self {
        self.columns.iter_mut().for_each(|names| names.retain(|name| name != column));
        self.vectors.iter_mut().for_each(|names| names.retain(|name| name != column));
        self
    }

    /// Columns that are welcome where they exist.
    pub fn and(mut self, kept: &Kept) -> Self {
        match (&mut self.columns, kept) {
            (Some(columns), Kept::Named(names)) => columns.extend(names.iter().cloned()),
            (columns, Kept::All) => *columns = None,
            _ => {}
        }
        self
    }

    pub fn options(&self, arguments: &ReadArguments) -> ReadOptions {
        let (columns, required) = (self.columns.clone(), self.required.clone());
        let vectors = self.vectors.clone();
        ReadOptions { columns, required, vectors, ..arguments.options() }
    }

    /// The same for one source. What has no text is read whole, to be looked at.
    fn options_for(&self, source: &Source, arguments: &ReadArguments) -> anyhow::Result<ReadOptions> {
        let narrow = self.options(arguments);
        let whole = ReadOptions { columns: None, vectors: None, ..narrow.clone() };
        match self.looks {
            Looks::Nowhere => return Ok(narrow),
            Looks::Everywhere => return Ok(whole),
            Looks::WithoutText if source.is_read_once() => return Ok(whole),
            Looks::WithoutText => {}
        }
        let first = read(source, &ReadOptions { batch_rows: 1, ..whole.clone() })?.next().transpose()?;
        Ok(match first {
            Some(table) if table.get(TEXT).is_some() || table.sparse.is_some() => narrow,
            _ => whole,
        })
    }

    /// Columns that were read only since the file could not be looked at before.
    fn without_others(&self, table: Table) -> Table {
        match &self.columns {
            Some(wanted) if self.looks == Looks::WithoutText && table.get(TEXT).is_some() => {
                let all = table.known_names().to_vec();
                let mut table = table;
                table.known = all.into();
                table.only_columns(|name| wanted.iter().any(|known| known == name))
            }
            _ => table,
        }
    }
}

/// What is learned from where nobody says and it is there.
const TEXT: &str = "text";

/// All rows of all paths in one table; what had to be put up with is said. Each file by itself must pass the check:
/// in one table with the others, a column that it lacks would be blank.
pub fn table(
    paths: &[PathBuf],
    arguments: &ReadArguments,
    wanted: &Wanted,
    check: impl Fn(&Table) -> likewise::Result<()>,
    run: &Run,
    quiet: bool,
) -> anyhow::Result<Table> {
    let mut table = Table::default();
    let mut warnings = Warnings::default();
    let memory = Memory::allowed(arguments.memory);
    let mut need = None;
    let sources = arguments.sources(paths)?;
    // What is read has to be learned from, which takes longer.
    let (run, files) = (run.ahead(0.1), sources.len());
    for (at, source) in sources.into_iter().enumerate() {
        let run = run.part(at, files).last_stage();
        let mut own = Table::default();
        let mut batches = read(&source, &wanted.options_for(&source, arguments)?)?;
        while let Some(batch) = batches.next() {
            own.append(wanted.without_others(batch?))?;
            need = Some(memory.check(&source.name(), &table, &own, batches.progress())?);
            let (done, total) = batches.progress().unwrap_or((0, 1));
            run.step("reading", done, total)?;
        }
        warnings.merge(batches.warnings().clone());
        check(&own)?;
        let by_text = wanted.looks == Looks::WithoutText && table.rows() > 0;
        if by_text && table.get(TEXT).is_some() != own.get(TEXT).is_some() {
            // One of them has the text: so must the others.
            table.column(TEXT).and(own.column(TEXT))?;
        }
        match table.rows() {
            0 => table = own,
            _ => table.append(own)?,
        }
    }
    warn(&warnings, quiet);
    terminal::print_notes(need.and_then(|need| memory.note(need)).as_slice(), quiet);
    Ok(table)
}

/// Rows of all paths one batch after the other, in their order. What had to be put up with is returned.
pub fn batches(
    paths: &[PathBuf],
    arguments: &ReadArguments,
    wanted: &Wanted,
    stage: &str,
    run: &Run,
    mut each: impl FnMut(Table) -> anyhow::Result<()>,
) -> anyhow::Result<Warnings> {
    let mut warnings = Warnings::default();
    let sources = arguments.sources(paths)?;
    let (run, files) = (run.last_stage(), sources.len() as u64);
    for (at, source) in (0..).zip(sources) {
        let mut batches = read(&source, &wanted.options_for(&source, arguments)?)?;
        while let Some(batch) = batches.next() {
            each(wanted.without_others(batch?))?;
            let (done, total) = batches.progress().unwrap_or((0, 1));
            run.step(stage, at * total + done.min(total), files * total)?;
        }
        warnings.merge(batches.warnings().clone());
    }
    Ok(warnings)
}

pub fn warn(warnings: &Warnings, quiet: bool) {
    for note in warnings.notes() {
        say(&format!("note: {note}"), quiet);
    }
    for message in warnings.messages() {
        say(&format!("warning: {message}"), quiet);
    }
    if warnings.not_utf8.rows > 0 {
        say("note: --encoding NAME says what a file is written in", quiet);
    }
    if warnings.other_sheets {
        say("note: --sheet NAME reads another sheet", quiet);
    }
}
