//! Where the data sets are and how their rows are read.

pub mod catalogue;

use std::path::{Path, PathBuf};

use likewise::data::Table;
use likewise_io::{ReadOptions, Source, read_all};

use crate::error::{Error, Result};

/// A folder with one subfolder for each data set.
#[derive(Clone, Debug)]
pub struct DataFolder(PathBuf);

impl DataFolder {
    /// The folder given, else `LIKEWISE_DATA`, else `../shared/data` beside the working directory or the
    /// repository.
    pub fn find(given: Option<&Path>) -> Self {
        if let Some(path) = given {
            return DataFolder(path.into());
        }
        if let Some(path) = std::env::var_os("LIKEWISE_DATA") {
            return DataFolder(path.into());
        }
        let beside_here = PathBuf::from("../shared/data");
        if beside_here.exists() {
            return DataFolder(beside_here);
        }
        DataFolder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file of a data set, such as `sms-spam/sms-spam.jsonl.gz`.
    pub fn file(&self, name: &str) -> Result<PathBuf> {
        let path = self.0.join(name);
        if path.exists() { Ok(path) } else { Err(Error::MissingData(path)) }
    }

    /// All rows of a file.
    pub fn table(&self, name: &str) -> Result<Table> {
        let source = Source::parse(self.file(name)?, None)?;
        Ok(read_all(&[source], &ReadOptions::default())?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_set_is_named_with_what_to_do() {
        let folder = DataFolder::find(Some(Path::new("/nowhere")));
        let message = folder.table("sms-spam/sms-spam.jsonl.gz").unwrap_err().to_string();
        assert!(message.contains("/nowhere/sms-spam") && message.contains("LIKEWISE_DATA"), "{message}");
    }
}
