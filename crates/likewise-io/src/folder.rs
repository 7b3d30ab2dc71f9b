//! A folder: one document a file, in the column `text`; `id` is the path within the folder.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use likewise::data::{Column, Table, Texts};

use crate::encoding::Encoding;
use crate::error::{Error, Result};
use crate::input::{Input, LONGEST_ROW, Progress};
use crate::read::{Reading, RowReader};
use crate::source::Source;

pub(crate) struct Folder {
    root: PathBuf,
    /// Relative to the root, in the order of their names, folders among files.
    files: std::vec::IntoIter<PathBuf>,
    document: u64,
}

impl Folder {
    pub fn open(root: &Path, reading: &mut Reading) -> Result<Self> {
        reading.check_required(&["id".into(), "text".into()])?;
        let mut files = Vec::new();
        collect(root, Path::new(""), &mut files)?;
        files.sort_unstable();
        if files.is_empty() {
            return Err(Error::Empty {
                source_name: reading.name.clone(),
                problem: "there is no file in this folder; give one with a document in each file".into(),
            });
        }
        let tables = |path: &PathBuf| Source::holds_a_table(path);
        if files.iter().all(tables) {
            reading.warnings.note(format!(
                "{0}: each file of this folder is read as one document; to read them as tables name the files, as in {0}/*{1}",
                reading.name,
                files[0].extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default()
            ));
        }
        reading.progress = Progress::of(files.len() as u64);
        Ok(Folder { root: root.into(), files: files.into_iter(), document: 0 })
    }
}

/// All files below, but hidden ones. Links to folders are not followed: they may lead in a circle.
fn collect(root: &Path, within: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let folder = root.join(within);
    let failed = |e| Error::io(folder.display().to_string(), e);
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = within.join(entry.file_name());
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() {
            collect(root, &path, files)?;
        } else if kind.is_file() || std::fs::metadata(root.join(&path)).is_ok_and(|m| m.is_file()) {
            files.push(path);
        }
    }
    Ok(())
}

impl RowReader for Folder {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut table = reading.table();
        let (mut ids, mut texts) = (Texts::new(), Texts::new());
        while !reading.batch_is_full(table.rows(), texts.total_bytes()) {
            let Some(path) = self.files.next() else { break };
            self.document += 1;
            reading.progress.advance(1);
            let file = self.root.join(&path);
            let bytes = whole(&file, reading.options.encoding)?;
            let text = String::from_utf8_lossy(&bytes);
            if let Cow::Owned(_) = text {
                reading.warnings.not_utf8.add(|| file.display().to_string());
            }
            let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
            ids.push(&parts.join("/"));
            texts.push(&text);
            table.origins.push((0, self.document));
        }
        if table.rows() == 0 {
            return Ok(None);
        }
        for (name, cells) in [("id", ids), ("text", texts)] {
            if reading.wants(name) {
                table.push_column(name, Column::Text(cells));
            }
        }
        Ok(Some(table))
    }
}

fn whole(path: &Path, encoding: Option<Encoding>) -> Result<Vec<u8>> {
    let mut input = Input::open_file(path, None)?.into_text(encoding)?;
    let mut bytes = Vec::new();
    let mut filled = 0;
    loop {
        bytes.resize(filled + (filled / 2).max(1 << 13), 0);
        filled += match input.read(&mut bytes[filled..])? {
            0 => break,
            n => n,
        };
        if filled > LONGEST_ROW {
            return Err(Error::Malformed {
                source_name: input.name().into(),
                line: None,
                problem: format!(
                    "more than {} MiB for one document; take the file out of the folder",
                    LONGEST_ROW >> 20
                ),
            });
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::testing::{cells, requiring};
    use crate::{ReadOptions, Source, read_all};

    #[test]
    fn every_file_below_is_a_document_in_the_order_of_the_paths() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("b/deep")).unwrap();
        fs::create_dir_all(at(".git")).unwrap();
        for (path, text) in
            [("c.txt", "third"), ("b/deep/x", "two\nlines"), ("b/a.txt", "first"), (".git/x", "no")]
        {
            fs::write(at(path), text).unwrap();
        }
        fs::write(at("d"), b"\xef\xbb\xbfcaf\xe9").unwrap();
        let source = Source::parse(folder.path(), None).unwrap();
        let one = ReadOptions { batch_rows: 1, ..ReadOptions::default() };
        for options in [ReadOptions::default(), one] {
            let (read, warnings) = read_all(std::slice::from_ref(&source), &options).unwrap();
            let texts = ["text", "first", "two\nlines", "third", "caf\u{fffd}"];
            assert_eq!(cells(&read), [["id", "b/a.txt", "b/deep/x", "c.txt", "d"], texts]);
            let place = warnings.not_utf8.first.unwrap();
            assert!(place.ends_with("/d"), "{place}");
        }
        let message = read_all(&[source], &requiring(&["label"])).unwrap_err().to_string();
        assert!(message.ends_with("has no column `label`; it has `id`, `text`"), "{message}");
    }

    #[test]
    fn a_folder_of_tables_is_told_from_one_of_documents() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.csv"), "text\nx\n").unwrap();
        fs::write(folder.path().join("b.csv.gz"), "text\nx\n").unwrap();
        let source = Source::parse(folder.path(), None).unwrap();
        let notes = |source: &Source| {
            read_all(std::slice::from_ref(source), &ReadOptions::default()).unwrap().1.notes().to_vec()
        };
        let told = notes(&source);
        assert!(
            told[0].contains("to read them as tables name the files") && told[0].ends_with("/*.csv"),
            "{told:?}"
        );
        fs::write(folder.path().join("c.txt"), "x").unwrap();
        assert!(notes(&source).is_empty());
    }

    #[test]
    fn a_folder_without_files_is_no_data() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("empty")).unwrap();
        let source = Source::parse(folder.path(), None).unwrap();
        let message = read_all(&[source], &ReadOptions::default()).unwrap_err().to_string();
        assert!(message.contains("there is no file in this folder"), "{message}");
    }
}
