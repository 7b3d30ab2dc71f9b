//! Rows of any format, as tables of bounded size.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use likewise::data::{Column, Dense, Table, Texts};

use crate::csv::Separator;
use crate::encoding::Encoding;
use crate::error::{Error, Result};
use crate::input::{Input, Progress};
use crate::source::{Format, Location, Source};
use crate::vectors::{self, Lists};
use crate::warnings::Warnings;
use crate::{arff, arrow, csv, folder, json, jsonl, npy, parquet, references, svmlight, text, xlsx};

#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Read these columns only; `None` reads all. One that does not exist is not in the table.
    /// Sparse features (svmlight, sparse ARFF) always come along.
    pub columns: Option<Vec<String>>,
    /// Columns that must be there, read whatever `columns` says; without one of them reading fails with the
    /// names of those that are. JSON lines need it in one row at least, and only the end of the file can tell.
    pub required: Vec<String>,
    /// Columns of vectors: lists of equally many numbers. Named ones must be that; `None` takes every column of
    /// such lists for one.
    pub vectors: Option<Vec<String>>,
    /// What text is written in, where no byte order mark tells; left out, UTF-8.
    pub encoding: Option<Encoding>,
    /// What stands between the cells of CSV and TSV; left out, it is found by looking.
    pub separator: Option<Separator>,
    /// Which sheet of a workbook is read; left out, the first that holds something and is not hidden.
    pub sheet: Option<String>,
    /// Leave malformed rows out and count them, instead of stopping at the first.
    pub skip_bad_rows: bool,
    /// A batch ends at whichever of the two limits comes first.
    pub batch_rows: usize,
    pub batch_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            columns: None,
            required: Vec::new(),
            vectors: None,
            encoding: None,
            separator: None,
            sheet: None,
            skip_bad_rows: false,
            batch_rows: 1 << 16,
            batch_bytes: 16 << 20,
        }
    }
}

/// One source as a stream of tables. Ends after the first error.
pub struct Batches {
    reader: Box<dyn RowReader>,
    reading: Reading,
    rows: u64,
    ended: bool,
}

/// What each format implements.
pub(crate) trait RowReader: Send {
    /// At most a batch of rows, never an empty table; `None` at the end.
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>>;
}

/// What every format needs while it reads: the options, the source's name, and where to count.
pub(crate) struct Reading {
    pub name: String,
    pub options: ReadOptions,
    /// The columns that the options name, if not all are wanted.
    wanted: Option<HashSet<String>>,
    /// All columns of the source where only some are read, for messages.
    known: Arc<[String]>,
    pub warnings: Warnings,
    pub progress: Progress,
}

/// What is made of lists of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vectors {
    No,
    IfTheyAre,
    /// Anything else is an error.
    Surely,
}

/// Opens a source. Headers are read here, so a file that is no such format fails here.
pub fn read(source: &Source, options: &ReadOptions) -> Result<Batches> {
    let wanted = options.columns.as_ref().map(|columns| {
        columns.iter().chain(&options.required).chain(options.vectors.iter().flatten()).cloned().collect()
    });
    let mut reading = Reading {
        name: source.name(),
        options: options.clone(),
        wanted,
        known: Arc::default(),
        warnings: Warnings::default(),
        progress: Progress::default(),
    };
    let reader = open(source, &mut reading)?;
    Ok(Batches { reader, reading, rows: 0, ended: false })
}

/// All rows of all sources in one table, columns matched by name.
pub fn read_all(sources: &[Source], options: &ReadOptions) -> Result<(Table, Warnings)> {
    let mut table = Table::default();
    let mut warnings = Warnings::default();
    for source in sources {
        let mut batches = read(source, options)?;
        for batch in &mut batches {
            table.append(batch?)?;
        }
        warnings.merge(batches.reading.warnings);
    }
    Ok((table, warnings))
}

fn open(source: &Source, reading: &mut Reading) -> Result<Box<dyn RowReader>> {
    if let Location::Folder(path) = &source.location {
        return Ok(Box::new(folder::Folder::open(path, reading)?));
    }
    Ok(match source.format {
        Format::Csv => Box::new(csv::Delimited::open(text_input(source, reading)?, b',', reading)?),
        Format::Tsv => Box::new(csv::Delimited::open(text_input(source, reading)?, b'\t', reading)?),
        Format::Jsonl => Box::new(jsonl::JsonLines::new(text_input(source, reading)?, reading)),
        Format::Json => Box::new(json::Json::new(text_input(source, reading)?, reading)),
        Format::Parquet => Box::new(parquet::Parquet::open(source, reading)?),
        Format::Arrow => Box::new(arrow::Arrow::open(source, reading)?),
        Format::Npy => Box::new(npy::Npy::open(input(source, reading)?, reading)?),
        Format::Xlsx => Box::new(xlsx::Xlsx::open(input(source, reading)?, reading)?),
        Format::Text => Box::new(text::TextLines::open(text_input(source, reading)?, reading)?),
        Format::Svmlight => Box::new(svmlight::Svmlight::open(text_input(source, reading)?, reading)?),
        Format::Arff => Box::new(arff::Arff::open(text_input(source, reading)?, reading)?),
        Format::Ris => Box::new(references::References::ris(text_input(source, reading)?, reading)?),
        Format::PubMed => Box::new(references::References::pubmed(text_input(source, reading)?, reading)?),
    })
}

fn input(source: &Source, reading: &mut Reading) -> Result<Input> {
    let input = Input::open(source)?;
    reading.progress = input.progress().clone();
    Ok(input)
}

fn text_input(source: &Source, reading: &mut Reading) -> Result<Input> {
    input(source, reading)?.into_text(reading.options.encoding)
}

impl Batches {
    /// What was put up with so far.
    pub fn warnings(&self) -> &Warnings {
        &self.reading.warnings
    }

    /// Rows delivered so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// How much of the whole is read, where the whole is known.
    pub fn progress(&self) -> Option<(u64, u64)> {
        self.reading.progress.get()
    }

    fn next_batch(&mut self) -> Result<Option<Table>> {
        let batch = self.reader.next_batch(&mut self.reading)?;
        if batch.is_none() && self.rows == 0 {
            let problem = match &self.reading.warnings.skipped.first {
                Some(first) => format!("no row is left, since all were bad; the first: {first}"),
                None => "there are no rows in it; give a file with data".into(),
            };
            return Err(Error::Empty { source_name: self.reading.name.clone(), problem });
        }
        Ok(batch)
    }
}

impl Iterator for Batches {
    type Item = Result<Table>;

    fn next(&mut self) -> Option<Result<Table>> {
        if self.ended {
            return None;
        }
        let batch = self.next_batch().transpose();
        match &batch {
            Some(Ok(table)) => self.rows += table.rows() as u64,
            _ => self.ended = true,
        }
        batch
    }
}

impl Reading {
    pub fn wants(&self, column: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.contains(column))
    }

    /// Whether such lists become vectors; `None` where lists of unequal length may be something else.
    pub fn vectors(&self, column: &str) -> Vectors {
        match &self.options.vectors {
            None => Vectors::IfTheyAre,
            Some(names) if names.iter().any(|name| name == column) => Vectors::Surely,
            Some(_) => Vectors::No,
        }
    }

    /// Remembers what the source has, and fails where a required column is not among it.
    pub fn check_required(&mut self, known: &[String]) -> Result<()> {
        if self.wanted.is_some() {
            self.known = known.into();
        }
        let names: HashSet<&String> = known.iter().collect();
        match self.options.required.iter().find(|name| !names.contains(name)) {
            None => Ok(()),
            Some(name) => Err(Error::NoColumn {
                source_name: self.name.clone(),
                name: name.clone(),
                known: known.to_vec(),
            }),
        }
    }

    /// Never before the first row: an empty batch would end the reading.
    pub fn batch_is_full(&self, rows: usize, bytes: usize) -> bool {
        rows > 0 && (rows >= self.options.batch_rows || bytes >= self.options.batch_bytes)
    }

    /// Stops, or counts the row and goes on without it, as the options say.
    pub fn bad_row(&mut self, line: u64, problem: String) -> Result<()> {
        if !self.options.skip_bad_rows {
            return Err(Error::BadRow { source_name: self.name.clone(), line, problem });
        }
        self.warnings.skipped.add(|| format!("{}:{line}: {problem}", self.name));
        Ok(())
    }

    /// The file itself is wrong at this line: no row can be left out to mend it.
    pub fn malformed(&self, line: u64, problem: impl Into<String>) -> Error {
        Error::Malformed { source_name: self.name.clone(), line: Some(line), problem: problem.into() }
    }

    /// The bytes as text; what is not UTF-8 is replaced and counted.
    pub fn text<'a>(&mut self, bytes: &'a [u8], line: u64) -> Cow<'a, str> {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        };
        if let Cow::Owned(_) = text {
            self.count_not_utf8(line);
        }
        text
    }

    pub fn count_not_utf8(&mut self, line: u64) {
        self.warnings.not_utf8.add(|| format!("{}:{line}", self.name));
    }

    /// A table without rows that knows where its rows come from.
    pub fn table(&self) -> Table {
        let mut table = Table::from_source(&self.name);
        table.known = self.known.clone();
        table
    }

    /// Adds a column whose cells may be lists of numbers.
    pub fn push_lists(&self, table: &mut Table, name: &str, cells: Texts) -> Result<()> {
        let column = match self.vectors(name) {
            Vectors::No => Column::Text(cells),
            Vectors::IfTheyAre => match vectors::of_lists(&cells, Lists::Found) {
                Ok(Some(rows)) => Column::Vectors(rows),
                _ => Column::Text(cells),
            },
            Vectors::Surely => match vectors::of_lists(&cells, Lists::Named) {
                Ok(rows) => Column::Vectors(rows.unwrap_or_else(|| Dense::zeros(cells.len(), 0))),
                Err(wrong) => return Err(self.bad_vector(table, name, wrong)),
            },
        };
        table.push_column(name, column);
        Ok(())
    }

    pub fn bad_vector(&self, table: &Table, name: &str, (row, problem): vectors::Wrong) -> Error {
        self.malformed(table.origins[row].1, format!("column `{name}`: {problem}"))
    }
}
