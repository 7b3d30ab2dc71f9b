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
    /// One array of objects, or objects one after the other.
    Json,
    Parquet,
    /// Arrow IPC, file or stream; Feather 2 is the former.
    Arrow,
    Npy,
    Xlsx,
    Text,
    Svmlight,
    Arff,
    Ris,
    PubMed,
}

impl Format {
    pub const ALL: [Format; 13] = [
        Format::Csv,
        Format::Tsv,
        Format::Jsonl,
        Format::Json,
        Format::Parquet,
        Format::Arrow,
        Format::Npy,
        Format::Xlsx,
        Format::Text,
        Format::Svmlight,
        Format::Arff,
        Format::Ris,
        Format::PubMed,
    ];

    /// What the setting `format` takes.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Jsonl => "jsonl",
            Format::Json => "json",
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::Npy => "npy",
            Format::Xlsx => "xlsx",
            Format::Text => "text",
            Format::Svmlight => "svmlight",
            Format::Arff => "arff",
            Format::Ris => "ris",
            Format::PubMed => "pubmed",
        }
    }

    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Csv => &["csv"],
            Format::Tsv => &["tsv", "tab"],
            Format::Jsonl => &["jsonl", "ndjson"],
            Format::Json => &["json"],
            Format::Parquet => &["parquet", "pq"],
            Format::Arrow => &["arrow", "feather", "ipc", "arrows"],
            Format::Npy => &["npy"],
            Format::Xlsx => &["xlsx"],
            Format::Text => &["txt", "text"],
            Format::Svmlight => &["svm", "svmlight", "libsvm"],
            Format::Arff => &["arff"],
            Format::Ris => &["ris"],
            Format::PubMed => &["nbib"],
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

/// A message that asks for the format, where that can be said, and lists those there are.
fn say_format(before: String, lead: &str) -> Message {
    let lead = format!("{lead} which of {} it holds with ", list(Format::ALL));
    Message::new(&codes::USAGE, before).offer(lead, Setting::with("format", "FORMAT"))
}

impl Source {
    /// Whether what was read is gone: standard input, a pipe.
    pub fn is_read_once(&self) -> bool {
        match &self.location {
            Location::StandardInput => true,
            Location::File(path) => std::fs::metadata(path).is_ok_and(|found| !found.is_file()),
            Location::Folder(_) | Location::Memory { .. } => false,
        }
    }

    /// `-` is standard input and needs a format; a folder needs none; otherwise the extension decides, the one
    /// before `.gz`, `.zst`, `.bz2` or `.xz` if there is such. A given format is for what has no telling name: many a table is
    /// called `.txt`.
    pub fn parse(path: impl AsRef<Path>, format: Option<Format>) -> Result<Source> {
        let path = path.as_ref();
        if path == Path::new("-") {
            let format = format
                .ok_or_else(|| Error::usage(say_format("standard input has no extension".into(), ": say")))?;
            return Ok(Source { location: Location::StandardInput, format, compression: None });
        }
        let metadata = std::fs::metadata(path).map_err(|e| not_there(path, e))?;
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
                if let Some(message) = foreign(path, &extension) {
                    return Error::usage(message);
                }
                let before = format!(
                    "{}: unknown extension `.{extension}`; call it by one of the extensions {} (also with .gz, .zst, .bz2 or .xz)",
                    path.display(),
                    known()
                );
                Error::usage(say_format(before, ", or say"))
            })?,
            (None, None) => {
                let before = format!(
                    "{}: the name has no extension; give it one of {}",
                    path.display(),
                    known()
                );
                return Err(Error::usage(say_format(before, ", or say")));
            }
        };
        Ok(Source { location: Location::File(path.into()), format, compression })
    }

    /// What a file of that name would hold, packed or not.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>, format: Format) -> Source {
        let location = Location::Memory { name: name.into(), bytes: bytes.into() };
        Source { location, format, compression: None }
    }

    /// Whether a file of that name holds rows rather than one document.
    pub fn holds_a_table(path: &Path) -> bool {
        let (_, inner) = Compression::of_name(path);
        let extension = Path::new(&inner).extension().map(|e| e.to_string_lossy().into_owned());
        extension.and_then(|e| Format::of_extension(&e)).is_some_and(|format| format != Format::Text)
    }

    pub fn format(&self) -> Format {
        self.format
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

/// Why there is nothing to read under that name, and what can be done.
fn not_there(path: &Path, error: std::io::Error) -> Error {
    let typed = path.to_string_lossy();
    if let Some((scheme, _)) = typed.split_once("://") {
        let address = without_password(&typed);
        let said = |text: String| Message::new(&codes::USAGE, text);
        return Error::usage(match scheme {
            "http" | "https" | "ftp" => {
                let name = file_name_of(&address);
                said(format!(
                    "{address} is an address on the web, and only files are read; fetch it first, and give the file: curl -sSL -o {name} '{address}'"
                ))
                .offer(format!("; or pass it on: curl -sSL '{address}' | likewise find "), Setting::with("in", "-"))
                .offer(" ", Setting::with("format", "csv"))
            }
            "file" => said(format!(
                "{address} is an address; name the file by its path: {}",
                &typed["file://".len()..]
            )),
            _ => said(format!(
                "{address} is an address, and only files are read; copy it to a file, or give a database with "
            ))
            .setting(Setting::with("database", "URL")),
        });
    }
    match error.kind() {
        std::io::ErrorKind::NotFound => Error::NotFound { path: typed.into(), near: beside(path) },
        _ => Error::io(typed, error),
    }
}

/// What to call what stands at an address: its own name where that tells what it holds.
fn file_name_of(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    if plain && Source::holds_a_table(Path::new(name)) { name } else { "rows.csv" }
}

/// What to do with a file that holds no rows as it is.
fn foreign(path: &Path, extension: &str) -> Option<Message> {
    let advice = match extension.to_ascii_lowercase().as_str() {
        "sqlite" | "sqlite3" | "db" | "db3" => {
            let before = format!("{}: a database of related tables is given with ", path.display());
            let message = Message::new(&codes::USAGE, before).setting(Setting::with("database", "PATH"));
            return Some(message.text("; or write one of its tables to a file of rows"));
        }
        "npz" => "an archive of arrays; save the one that is meant with numpy.save, as .npy",
        "pkl" | "pickle" | "joblib" => "what Python keeps for itself; write the rows as .parquet or .csv",
        "xls" | "xlsb" | "ods" => "a workbook of another kind; save it as .xlsx or .csv",
        "zip" | "tar" | "tgz" | "7z" | "rar" => "an archive; unpack it first",
        _ => return None,
    };
    Some(Message::new(&codes::USAGE, format!("{}: the name says that it is {advice}", path.display())))
}

/// The name in the same folder that was meant, or the folder that is not there either.
fn beside(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Some(format!("there is no folder {}", folder.display()));
    }
    let names = std::fs::read_dir(folder).ok()?.flatten();
    let names: Vec<String> =
        names.take(10_000).map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    let wanted = path.file_name()?.to_string_lossy();
    let near = likewise::error::nearest_name(&wanted, names.iter().map(String::as_str))?;
    let path = folder.join(near);
    Some(format!("did you mean {}?", path.strip_prefix("./").unwrap_or(&path).display()))
}

/// An address as it may be shown: whoever it is of stays, what opens it does not.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.into() };
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    // A password may hold a slash or a question mark that somebody forgot to escape.
    let (host, path) = match (host.rfind('@'), rest.rfind('@')) {
        (Some(at), _) => (&host[at + 1..], path),
        (None, Some(at)) if host.contains(':') => (&rest[at + 1..], ""),
        (None, _) => (host, path),
    };
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let secret = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
        !["password", "passwd", "pwd", "secret", "token", "key"].iter().any(|word| name.contains(word))
    };
    let query: Vec<&str> = query.iter().flat_map(|query| query.split('&')).filter(secret).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{scheme}://{host}{path}{mark}{}", query.join("&"))
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
        for name in ["a.docx", "b.gz", "c"] {
            let path = folder.path().join(name);
            std::fs::write(&path, "x").unwrap();
            let error = Source::parse(&path, None).unwrap_err();
            assert!(error.is_usage());
            assert!(
                error
                    .to_string()
                    .contains("say which of csv, tsv, jsonl, json, parquet, arrow, npy, xlsx, text, "),
                "{error}"
            );
        }
        for (name, advice) in
            [("shop.sqlite", "`database` = PATH"), ("v.npz", "numpy.save"), ("old.XLS", "save it as")]
        {
            std::fs::write(folder.path().join(name), "x").unwrap();
            let message = message(&folder.path().join(name), None);
            assert!(message.contains(advice), "{message}");
        }
        assert!(message(&folder.path().join("a.docx"), None).contains("unknown extension `.docx`"));
        assert!(message(Path::new("-"), None).starts_with("standard input has no extension"));
        assert_eq!(
            message(Path::new("gone.csv"), None),
            "gone.csv: there is no such file or folder; check the path"
        );
        let typo = message(&folder.path().join("a.doc"), None);
        assert!(typo.contains("no such file or folder (did you mean ") && typo.contains("a.docx?"), "{typo}");
        let nowhere = message(&folder.path().join("x/y.csv"), None);
        assert!(nowhere.contains("(there is no folder "), "{nowhere}");
    }

    #[test]
    fn an_address_is_answered_with_a_way_to_read_it() {
        let web = message(Path::new("https://ann:pw@example.org/a.jsonl.gz?raw=1"), None);
        assert!(web.contains("curl -sSL -o a.jsonl.gz 'https://example.org/a.jsonl.gz?raw=1'"), "{web}");
        assert!(message(Path::new("https://example.org/export"), None).contains("-o rows.csv 'https"));
        assert!(message(Path::new("file:///tmp/a.csv"), None).ends_with("by its path: /tmp/a.csv"));
        let other = message(Path::new("mysql://ann:s3cret@host/shop"), None);
        assert!(other.contains("mysql://host/shop") && !other.contains("s3cret"), "{other}");
    }

    #[test]
    fn no_password_is_shown() {
        for (url, shown) in [
            ("postgres://ann:secret@host:5432/shop", "postgres://host:5432/shop"),
            ("postgres://host/shop", "postgres://host/shop"),
            ("mysql://ann:se/c?r@et@host", "mysql://host"),
            ("x://host/a@b", "x://host/a@b"),
            ("pg://host/shop?user=ann&password=x&sslmode=off", "pg://host/shop?user=ann&sslmode=off"),
            ("plain.csv", "plain.csv"),
        ] {
            assert_eq!(without_password(url), shown);
        }
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
