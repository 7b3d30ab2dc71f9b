//! Where rows come from, and in what format.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use likewise::codes;
use likewise::message::{Message, Setting};

use crate::compression::Compression;
use crate::error::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Csv,
    Tsv,
    Jsonl,
    Parquet,
    Text,
    Svmlight,
    Arff,
}

impl Format {
    pub const ALL: [Format; 7] = [
        Format::Csv,
        Format::Tsv,
        Format::Jsonl,
        Format::Parquet,
        Format::Text,
        Format::Svmlight,
        Format::Arff,
    ];

    /// What `--format` takes.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Jsonl => "jsonl",
            Format::Parquet => "parquet",
            Format::Text => "text",
            Format::Svmlight => "svmlight",
            Format::Arff => "arff",
        }
    }

    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Csv => &["csv"],
            Format::Tsv => &["tsv", "tab"],
            Format::Jsonl => &["jsonl", "ndjson"],
            Format::Parquet => &["parquet", "pq"],
            Format::Text => &["txt", "text"],
            Format::Svmlight => &["svm", "svmlight", "libsvm"],
            Format::Arff => &["arff"],
        }
    }

    pub(crate) fn of_extension(extension: &str) -> Option<Format> {
        let extension = extension.to_ascii_lowercase();
        Format::ALL.into_iter().find(|f| f.extensions().contains(&extension.as_str()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Format> {
        Format::of_extension(name).or_else(|| Format::ALL.into_iter().find(|f| f.name() == name)).ok_or_else(
            || {
                Error::usage(format!(
                    "there is no format `{name}`; it must be one of {}",
                    list(Format::ALL.map(Format::name))
                ))
            },
        )
    }
}

pub(crate) fn list(names: impl IntoIterator<Item = impl fmt::Display>) -> String {
    names.into_iter().map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    StandardInput,
    File(PathBuf),
    /// One document a file.
    Folder(PathBuf),
    Memory {
        name: String,
        bytes: Arc<[u8]>,
    },
}

/// A file, a folder or standard input whose format is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub(crate) location: Location,
    pub(crate) format: Format,
    /// What the name says; standard input and other names are looked into.
    pub(crate) compression: Option<Compression>,
}

/// A message that asks for the format and lists those there are.
fn say_format(before: &str, after: &str) -> Message {
    Message::new(&codes::USAGE, before)
        .setting(Setting::flag("format"))
        .text(format!(" ({}){after}", list(Format::ALL)))
}

impl Source {
    /// `-` is standard input and needs a format; a folder needs none; otherwise the extension decides, the one
    /// before `.gz` or `.zst` if there is such. A given format is for what has no telling name: many a table is
    /// called `.txt`.
    pub fn parse(path: impl AsRef<Path>, format: Option<Format>) -> Result<Source> {
        let path = path.as_ref();
        if path == Path::new("-") {
            let format = format.ok_or_else(|| {
                Error::usage(say_format("standard input has no extension: say what it holds with ", ""))
            })?;
            return Ok(Source { location: Location::StandardInput, format, compression: None });
        }
        let metadata = std::fs::metadata(path).map_err(|e| Error::io(path.display().to_string(), e))?;
        if metadata.is_dir() {
            return Ok(Source {
                location: Location::Folder(path.into()),
                format: Format::Text,
                compression: None,
            });
        }
        let (compression, inner) = Compression::of_name(path);
        let extension = Path::new(&inner).extension().map(|e| e.to_string_lossy().into_owned());
        let known = || list(Format::ALL.iter().flat_map(|f| f.extensions()).map(|e| format!(".{e}")));
        let told = extension.as_deref().and_then(Format::of_extension);
        let format = match (format, extension) {
            (Some(format), _) => told.filter(|told| *told != Format::Text).unwrap_or(format),
            (None, Some(extension)) => Format::of_extension(&extension).ok_or_else(|| {
                let before = format!(
                    "{}: unknown extension `.{extension}`; say what the file holds with ",
                    path.display()
                );
                let after = format!(" or give it one of the extensions {} (also with .gz or .zst)", known());
                Error::usage(say_format(&before, &after))
            })?,
            (None, None) => {
                let before =
                    format!("{}: the name has no extension; say what the file holds with ", path.display());
                return Err(Error::usage(say_format(&before, "")));
            }
        };
        Ok(Source { location: Location::File(path.into()), format, compression })
    }

    /// What a file of that name would hold, packed or not.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>, format: Format) -> Source {
        let location = Location::Memory { name: name.into(), bytes: bytes.into() };
        Source { location, format, compression: None }
    }

    pub fn format(&self) -> Format {
        self.format
    }

    pub fn is_standard_input(&self) -> bool {
        self.location == Location::StandardInput
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        match &self.location {
            Location::StandardInput => "standard input".into(),
            Location::File(path) | Location::Folder(path) => path.display().to_string(),
            Location::Memory { name, .. } => name.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(path: &Path, format: Option<Format>) -> String {
        Source::parse(path, format).unwrap_err().to_string()
    }

    #[test]
    fn the_extension_decides_and_a_format_where_it_does_not_tell() {
        let folder = tempfile::tempdir().unwrap();
        let source = |name: &str, format| {
            let path = folder.path().join(name);
            std::fs::write(&path, "x").unwrap();
            Source::parse(&path, format).unwrap()
        };
        assert_eq!(source("a.CSV", None).format(), Format::Csv);
        assert_eq!(source("a.b.ndjson.gz", None).format(), Format::Jsonl);
        assert_eq!(source("a.libsvm.zst", None).format(), Format::Svmlight);
        assert_eq!(source("a.txt", Some(Format::Tsv)).format(), Format::Tsv);
        assert_eq!(source("plain", Some(Format::Arff)).format(), Format::Arff);
        assert_eq!(source("a.csv", Some(Format::Jsonl)).format(), Format::Csv);
        assert_eq!(Source::parse(folder.path(), Some(Format::Csv)).unwrap().format(), Format::Text);
        assert_eq!(Source::parse(folder.path(), None).unwrap().format(), Format::Text);
        assert_eq!(Source::parse("-", Some(Format::Csv)).unwrap().name(), "standard input");
    }

    #[test]
    fn what_cannot_be_known_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.xlsx", "b.gz", "c"] {
            let path = folder.path().join(name);
            std::fs::write(&path, "x").unwrap();
            let error = Source::parse(&path, None).unwrap_err();
            assert!(error.is_usage());
            assert!(
                error.to_string().contains("`format` (csv, tsv, jsonl, parquet, text, svmlight, arff)"),
                "{error}"
            );
        }
        assert!(message(&folder.path().join("a.xlsx"), None).contains("unknown extension `.xlsx`"));
        assert!(message(Path::new("-"), None).starts_with("standard input has no extension"));
        assert_eq!(
            message(Path::new("gone.csv"), None),
            "gone.csv: there is no such file or folder; check the path"
        );
    }

    #[test]
    fn a_format_goes_by_its_name_or_an_extension() {
        assert_eq!("ndjson".parse::<Format>().unwrap(), Format::Jsonl);
        for format in Format::ALL {
            assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
        }
        assert!("excel".parse::<Format>().unwrap_err().to_string().contains("one of csv, tsv, jsonl"));
    }
}
