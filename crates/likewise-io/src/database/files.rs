//! A folder of table files (or several files) as one database.

use std::path::{Path, PathBuf};

use likewise::data::Table;

use super::tables::{FoundTable, LeftOut, TableSource};
use super::understand::unreadable;
use crate::error::{Error, Result};
use crate::read::{ReadOptions, read};
use crate::source::{Format, Source};

pub(crate) struct TableFiles {
    name: String,
    sources: Vec<Source>,
    tables: Vec<FoundTable>,
    /// By table, whether it was found in a folder and not named.
    beside: Vec<bool>,
    unreadable: Vec<LeftOut>,
}

/// A file of a table, and whether it was found in a folder and not named.
pub(crate) struct TableFile {
    pub path: PathBuf,
    pub beside: bool,
}

/// Whether the file is one of those that hold a table.
pub(crate) fn is_table(path: &Path) -> bool {
    Source::parse(path, None).is_ok_and(|s| {
        matches!(
            s.format(),
            Format::Csv
                | Format::Tsv
                | Format::Parquet
                | Format::Arrow
                | Format::Jsonl
                | Format::Json
                | Format::Xlsx
                | Format::Arff
        )
    })
}

/// The table files of a folder, in the order of their names.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |e| Error::io(folder.display().to_string(), e);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_file() && is_table(&path) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

impl TableFiles {
    pub fn open(name: String, files: &[TableFile]) -> Result<TableFiles> {
        let mut sources = Vec::new();
        let mut tables: Vec<FoundTable> = Vec::new();
        let (mut besides, mut unread) = (Vec::new(), Vec::new());
        for TableFile { path, beside } in files {
            let source = Source::parse(path, None)?;
            let file = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let table = file.split('.').next().unwrap_or(&file).to_string();
            if tables.iter().any(|t| t.name.eq_ignore_ascii_case(&table)) {
                return Err(Error::usage(format!("two files are a table `{table}`; rename one of them")));
            }
            let columns = match columns(&source) {
                Err(error @ (Error::BadRow { .. } | Error::Malformed { .. })) if *beside => {
                    unread.push(LeftOut { table, why: unreadable(&error) });
                    continue;
                }
                read => read?,
            };
            besides.push(*beside);
            tables.push(FoundTable { name: table, columns, ..FoundTable::default() });
            sources.push(source);
        }
        Ok(TableFiles { name, sources, tables, beside: besides, unreadable: unread })
    }
}

/// The columns of a file; none where it has no rows, as a table may have on a quiet day.
fn columns(source: &Source) -> Result<Vec<String>> {
    let options = ReadOptions { batch_rows: 1, vectors: Some(Vec::new()), ..ReadOptions::default() };
    let first = read(source, &options).and_then(|mut batches| batches.next().transpose());
    match first {
        Ok(first) => Ok(first.map(|batch| batch.column_names().to_vec()).unwrap_or_default()),
        Err(Error::Empty { .. }) => Ok(Vec::new()),
        Err(other) => Err(other),
    }
}

impl TableSource for TableFiles {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn tables(&self) -> &[FoundTable] {
        &self.tables
    }

    fn unreadable(&self) -> &[LeftOut] {
        &self.unreadable
    }

    fn is_beside(&self, table: usize) -> bool {
        self.beside[table]
    }

    fn has_markers(&self) -> bool {
        true
    }

    fn stream(
        &self,
        table: usize,
        columns: &[String],
        visit: &mut dyn FnMut(&Table) -> Result<()>,
    ) -> Result<()> {
        if self.tables[table].columns.is_empty() {
            return Ok(());
        }
        let options = ReadOptions {
            vectors: Some(Vec::new()),
            columns: Some(columns.to_vec()),
            required: columns.to_vec(),
            ..ReadOptions::default()
        };
        for batch in read(&self.sources[table], &options)? {
            visit(&batch?)?;
        }
        Ok(())
    }

    fn query(&self, sql: &str) -> Result<Table> {
        Err(Error::usage(format!("`{sql}` needs a database that understands SQL; {} holds files", self.name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_tables() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("heart.csv"), "id,ca\n1,?\n2,0\n").unwrap();
        std::fs::write(folder.path().join("notes.md"), "no table").unwrap();
        let found = || -> Vec<TableFile> {
            let paths = in_folder(folder.path()).unwrap().into_iter();
            paths.map(|path| TableFile { path, beside: true }).collect()
        };
        let files = TableFiles::open("a".into(), &found()).unwrap();
        assert_eq!(
            (files.tables[0].name.as_str(), files.tables[0].columns.len(), files.tables.len()),
            ("heart", 2, 1)
        );
        let mut cells = Vec::new();
        files
            .stream(0, &["ca".into()], &mut |batch| {
                cells.extend((0..batch.rows()).map(|r| batch.get("ca").unwrap().cell(r).into_owned()));
                Ok(())
            })
            .unwrap();
        assert_eq!(cells, ["?", "0"]);
        std::fs::write(folder.path().join("junk.csv"), "a,b\n1,2,3\n").unwrap();
        let files = TableFiles::open("a".into(), &found()).unwrap();
        assert_eq!((files.tables.len(), files.unreadable.len()), (1, 1));
        let told = &files.unreadable[0].why;
        assert!(told.contains("junk.csv:2: ") && !told.contains("skip_bad_rows"), "{told}");
        std::fs::write(folder.path().join("heart.tsv"), "id\n1\n").unwrap();
        let message = TableFiles::open("a".into(), &found()).err().unwrap().to_string();
        assert!(message.contains("two files are a table `heart`"), "{message}");
    }
}
