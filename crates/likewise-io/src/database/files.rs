//! A folder of table files (or several files) as one database.

use std::path::{Path, PathBuf};

use likewise::data::{Column, Table, Texts};

use super::tables::{FoundTable, TableSource};
use crate::error::{Error, Result};
use crate::read::{ReadOptions, read};
use crate::source::{Format, Source};

/// Cells that people write where they have no value.
const MISSING: &[&str] = &["?", "NA", "N/A", "NULL", "null", "NaN", "nan", "None", "\\N"];

pub(crate) struct TableFiles {
    name: String,
    sources: Vec<Source>,
    tables: Vec<FoundTable>,
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
    pub fn open(name: String, paths: &[PathBuf]) -> Result<TableFiles> {
        let mut sources = Vec::new();
        let mut tables: Vec<FoundTable> = Vec::new();
        for path in paths {
            let source = Source::parse(path, None)?;
            let file = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let table = file.split('.').next().unwrap_or(&file).to_string();
            if tables.iter().any(|t| t.name.eq_ignore_ascii_case(&table)) {
                return Err(Error::usage(format!("two files are a table `{table}`; rename one of them")));
            }
            let columns = columns(&source)?;
            tables.push(FoundTable { name: table, columns, ..FoundTable::default() });
            sources.push(source);
        }
        Ok(TableFiles { name, sources, tables })
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
            visit(&without_markers(batch?))?;
        }
        Ok(())
    }

    fn query(&self, sql: &str) -> Result<Table> {
        Err(Error::usage(format!("`{sql}` needs a database that understands SQL; {} holds files", self.name)))
    }
}

/// The table with every marker of a missing value replaced by nothing.
pub(super) fn without_markers(table: Table) -> Table {
    let marked = |column: &Column| match column {
        Column::Text(cells) => cells.iter().any(|c| MISSING.contains(&c)),
        Column::Number(_) | Column::Vectors(_) => false,
    };
    if !table.columns().any(|(_, column)| marked(column)) {
        return table;
    }
    let mut out = Table::default();
    out.origins.clone_from(&table.origins);
    out.sources.clone_from(&table.sources);
    for (name, column) in table.columns() {
        let column = match column {
            Column::Text(cells) => {
                let clean: Texts = cells.iter().map(|c| if MISSING.contains(&c) { "" } else { c }).collect();
                Column::Text(clean)
            }
            other => other.clone(),
        };
        out.push_column(name, column);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_tables_and_question_marks_are_missing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("heart.csv"), "id,ca\n1,?\n2,0\n").unwrap();
        std::fs::write(folder.path().join("notes.md"), "no table").unwrap();
        let paths = in_folder(folder.path()).unwrap();
        let files = TableFiles::open("a".into(), &paths).unwrap();
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
        assert_eq!(cells, ["", "0"]);
        std::fs::write(folder.path().join("heart.tsv"), "id\n1\n").unwrap();
        let message =
            TableFiles::open("a".into(), &in_folder(folder.path()).unwrap()).err().unwrap().to_string();
        assert!(message.contains("two files are a table `heart`"), "{message}");
    }
}
