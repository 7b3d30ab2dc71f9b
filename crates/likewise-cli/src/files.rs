//! What a command reads and writes, looked at before the work begins.

use std::path::{Path, PathBuf};

use glob::MatchOptions;

use crate::arguments::Usage;

/// The options under which `-` means standard output.
const STANDARD: [&str; 2] = ["--output", "--export"];

#[derive(Default)]
pub struct Files {
    read: Vec<PathBuf>,
    written: Vec<(&'static str, PathBuf)>,
}

impl Files {
    pub fn read<'a>(mut self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.read.extend(paths.into_iter().cloned());
        self
    }

    /// What the option names, where it is given.
    pub fn written(mut self, option: &'static str, path: impl Into<Option<PathBuf>>) -> Self {
        self.written.extend(path.into().map(|path| (option, path)));
        self
    }

    /// Nothing is read twice that can be read once, written over what is read, or written twice; and every folder
    /// to write into is there.
    pub fn check(&self) -> Result<(), Usage> {
        self.check_names()?;
        for (option, path) in self.written.iter().filter(|(_, path)| !is_standard(path)) {
            let folder = folder_of(path);
            if !folder.is_dir() {
                return Err(Usage(format!(
                    "{option} {}: there is no folder {}",
                    path.display(),
                    folder.display()
                )));
            }
        }
        Ok(())
    }

    /// The same where the folder is yet to be made.
    pub fn check_names(&self) -> Result<(), Usage> {
        if self.read.iter().filter(|path| is_standard(path)).count() > 1 {
            return Err(Usage(
                "standard input can be read only once; name a file for all but one `-`".into(),
            ));
        }
        // What is no file may be a table or a SELECT.
        let files = self.read.iter().flat_map(|path| expand([path]).unwrap_or_else(|_| vec![path.clone()]));
        let read: Vec<PathBuf> = files.filter_map(|path| path.canonicalize().ok()).collect();
        let mut written: Vec<(&str, PathBuf)> = Vec::new();
        for (option, path) in &self.written {
            if is_standard(path) {
                if !STANDARD.contains(option) {
                    return Err(Usage(format!("{option} takes the name of a file, not `-`")));
                }
                continue;
            }
            let place = place_of(path);
            if read.contains(&place) {
                return Err(Usage(format!(
                    "{option} {} would write over what is read; name another file",
                    path.display()
                )));
            }
            if let Some((other, _)) = written.iter().find(|(_, known)| *known == place) {
                return Err(Usage(format!(
                    "{other} and {option} both name {}; name two files",
                    path.display()
                )));
            }
            written.push((option, place));
        }
        Ok(())
    }
}

/// The paths, patterns such as `in/*.parquet` or `in/**/part-[0-9].csv` replaced by the files they name, in the order of
/// their names. A path that is there is no pattern.
pub fn expand<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<Vec<PathBuf>, Usage> {
    let mut files = Vec::new();
    for path in paths {
        match path.to_str().filter(|pattern| pattern.contains(['*', '?', '[']) && !path.exists()) {
            Some(pattern) => files.extend(named_by(pattern)?),
            None => files.push(path.clone()),
        }
    }
    Ok(files)
}

/// Files whose names begin with a point are hidden, as in a shell. Folders are only meant where there are no files.
fn named_by(pattern: &str) -> Result<Vec<PathBuf>, Usage> {
    let options = MatchOptions { require_literal_leading_dot: true, ..MatchOptions::default() };
    let found = glob::glob_with(pattern, options).map_err(|e| {
        Usage(format!(
            "{pattern}: there is no such file, and as a pattern it is wrong at {}: {}",
            e.pos + 1,
            e.msg
        ))
    })?;
    let (files, folders): (Vec<PathBuf>, Vec<PathBuf>) = found.flatten().partition(|path| !path.is_dir());
    match (files.is_empty(), folders.is_empty()) {
        (false, _) => Ok(files),
        (true, false) => Ok(folders),
        (true, true) => Err(Usage(format!("{pattern}: no file has such a name"))),
    }
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where a file is or would be, however it is spelled.
fn place_of(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let folder = folder_of(path).canonicalize().unwrap_or_else(|_| folder_of(path).into());
        path.file_name().map_or_else(|| folder.clone(), |name| folder.join(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_files_in_their_order_and_names_stay() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.csv", "a.csv", "a.txt", ".hidden.csv", "odd*.csv"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names = |pattern: &str| {
            let found = expand([&folder.path().join(pattern)]).unwrap();
            let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
            found.iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names("*.csv"), ["a.csv", "b.csv", "odd*.csv"]);
        assert_eq!(names("odd*.csv"), ["odd*.csv"]);
        assert_eq!(names("gone.csv"), ["gone.csv"]);
        assert_eq!(names("?.[ct]*"), ["a.csv", "a.txt", "b.csv"]);
        std::fs::create_dir_all(folder.path().join("x1/deep")).unwrap();
        std::fs::write(folder.path().join("x1/deep/c.csv"), "").unwrap();
        assert_eq!(names("x*/*"), ["deep"]);
        assert_eq!(names("**/*.csv"), ["a.csv", "b.csv", "odd*.csv", "c.csv"]);
        assert_eq!(names("x?/d*/*.csv"), ["c.csv"]);
        let error = |pattern: &str| expand([&folder.path().join(pattern)]).unwrap_err().0;
        assert!(error("*.parquet").ends_with("no file has such a name"));
        assert!(error("a[.csv").contains("as a pattern it is wrong at"));
    }
}
