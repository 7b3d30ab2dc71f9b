//! Where rows go, and in what format.

use std::path::{Path, PathBuf};

use crate::compression::Compression;
use crate::error::{Error, Result};
use crate::source::{Format, list};

/// A file to be, or standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// `None` is standard output.
    pub(crate) path: Option<PathBuf>,
    pub(crate) format: Format,
    pub(crate) compression: Option<Compression>,
    /// Cells of CSV and TSV that a spreadsheet would take for a formula get a quote sign in front.
    pub(crate) safe_csv: bool,
}

const WRITTEN: [Format; 4] = [Format::Jsonl, Format::Csv, Format::Tsv, Format::Parquet];

impl Output {
    /// `-` is standard output, as JSON lines; otherwise the extension decides.
    pub fn parse(path: impl AsRef<Path>) -> Result<Output> {
        let path = path.as_ref();
        if path == Path::new("-") {
            return Ok(Output { path: None, format: Format::Jsonl, compression: None, safe_csv: false });
        }
        let (compression, inner) = Compression::of_name(path);
        let extension = Path::new(&inner).extension().map(|e| e.to_string_lossy().into_owned());
        let format = extension.as_deref().and_then(Format::of_extension).filter(|f| WRITTEN.contains(f));
        let format = match format {
            Some(Format::Parquet) if compression.is_some() => None,
            _ if compression.is_some_and(|compression| !compression.is_written()) => None,
            format => format,
        };
        let format = format.ok_or_else(|| {
            let known = list(WRITTEN.iter().flat_map(|f| f.extensions()).map(|e| format!(".{e}")));
            Error::usage(format!(
                "{}: cannot tell the format to write from this name; it must end in one of {known} (all but Parquet also with .gz or .zst), or be - for JSON lines on standard output",
                path.display()
            ))
        })?;
        Ok(Output { path: Some(path.into()), format, compression, safe_csv: false })
    }

    /// The same, with cells that begin like a formula (`=`, `+`, `-`, `@`) made harmless in CSV and TSV.
    pub fn with_safe_csv(self, safe_csv: bool) -> Output {
        Output { safe_csv, ..self }
    }

    pub fn is_standard_output(&self) -> bool {
        self.path.is_none()
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        self.path.as_ref().map_or("standard output".into(), |path| path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_what_to_write() {
        let output = Output::parse("out/a.csv.gz").unwrap();
        assert_eq!((output.format, output.compression), (Format::Csv, Some(Compression::Gzip)));
        assert_eq!(Output::parse("a.parquet").unwrap().format, Format::Parquet);
        assert!(Output::parse("-").unwrap().is_standard_output());
        for name in ["a.xlsx", "a", "a.txt", "a.parquet.gz", ".csv", "a.csv.xz"] {
            let error = Output::parse(name).unwrap_err();
            assert!(error.is_usage() && error.to_string().contains(".jsonl, .ndjson, .csv"), "{error}");
        }
    }
}
