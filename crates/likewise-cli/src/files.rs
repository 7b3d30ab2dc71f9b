//! What a command reads and writes, looked at before the work begins.

use std::path::{Path, PathBuf};

use crate::arguments::Usage;

/// The only option under which `-` means standard output.
const OUTPUT: &str = "--output";

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
        let read: Vec<PathBuf> = self.read.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let mut written: Vec<(&str, PathBuf)> = Vec::new();
        for (option, path) in &self.written {
            if is_standard(path) {
                if *option != OUTPUT {
                    return Err(Usage(format!(
                        "{option} takes the name of a file; `-` is for {OUTPUT} alone"
                    )));
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

/// The paths, patterns such as `in/*.parquet` replaced by the files they name, in the order of their names.
pub fn expand<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<Vec<PathBuf>, Usage> {
    let mut files = Vec::new();
    for path in paths {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Some((start, end)) = name.split_once('*').filter(|_| !path.exists()) else {
            files.push(path.clone());
            continue;
        };
        let folder = folder_of(path);
        let fits = |found: &str| {
            found.len() >= start.len() + end.len()
                && found.starts_with(start)
                && found.ends_with(end)
                && !found.starts_with('.')
        };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut found: Vec<String> = names.filter(|found| fits(found)).collect();
        found.sort();
        if found.is_empty() {
            return Err(Usage(format!("{}: no file has such a name", path.display())));
        }
        let within = path.parent().unwrap_or(Path::new(""));
        files.extend(found.into_iter().map(|name| within.join(name)));
    }
    Ok(files)
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
        assert!(expand([&folder.path().join("*.parquet")]).is_err());
    }
}
