//! Which data sets there are, where each comes from, and whether a copy is whole.

use std::io::{BufReader, Read};
use std::path::Path;

use likewise_io::open_unpacked;
use serde::{Deserialize, Serialize};

use super::DataFolder;
use crate::error::Result;

/// One data set.
#[derive(Clone, Debug, Deserialize)]
pub struct Set {
    pub name: String,
    pub title: String,
    /// The papers whose experiments read it.
    pub papers: Vec<String>,
    /// Where it comes from and what form is read.
    pub how: String,
    pub files: Vec<File>,
}

/// What a whole file holds, decompressed.
#[derive(Clone, Debug, Deserialize)]
pub struct File {
    pub file: String,
    pub lines: u64,
    pub bytes: u64,
    pub crc32: String,
}

/// How a copy of a set is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "state", content = "why")]
pub enum State {
    Whole,
    Absent,
    /// Some files are missing or hold something else.
    Damaged(Vec<String>),
}

/// All sets.
pub fn sets() -> Vec<Set> {
    serde_json::from_str(include_str!("catalogue.json")).expect("the catalogue is JSON of ours")
}

impl Set {
    /// Reads every file of the set.
    pub fn check(&self, data: &DataFolder) -> Result<State> {
        let folder = data.path().join(&self.name);
        if !folder.exists() {
            return Ok(State::Absent);
        }
        let mut problems = Vec::new();
        for file in &self.files {
            if let Some(problem) = file.check(&folder)? {
                problems.push(problem);
            }
        }
        Ok(if problems.is_empty() { State::Whole } else { State::Damaged(problems) })
    }

    pub fn lines(&self) -> u64 {
        self.files.iter().map(|file| file.lines).sum()
    }
}

impl File {
    fn check(&self, folder: &Path) -> Result<Option<String>> {
        let path = folder.join(&self.file);
        if !path.exists() {
            return Ok(Some(format!("{} is missing", self.file)));
        }
        let mut input = BufReader::new(open_unpacked(&path)?);
        let mut hash = crc32fast::Hasher::new();
        let mut buffer = vec![0u8; 1 << 16];
        let mut bytes = 0u64;
        loop {
            match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => {
                    hash.update(&buffer[..read]);
                    bytes += read as u64;
                }
                Err(error) => return Ok(Some(format!("{}: {error}", self.file))),
            }
        }
        let found = format!("{:08x}", hash.finalize());
        Ok((found != self.crc32).then(|| {
            format!(
                "{} holds {bytes} bytes with checksum {found}, not {} bytes with {}",
                self.file, self.bytes, self.crc32
            )
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_absent_damaged_or_whole() {
        let folder = std::env::temp_dir().join(format!("likewise-catalogue-{}", std::process::id()));
        let data = DataFolder::find(Some(&folder));
        let set = Set {
            name: "tiny".into(),
            title: String::new(),
            papers: Vec::new(),
            how: String::new(),
            files: vec![File { file: "a.txt".into(), lines: 1, bytes: 9, crc32: "cbf43926".into() }],
        };
        assert_eq!(set.check(&data).unwrap(), State::Absent);
        std::fs::create_dir_all(folder.join("tiny")).unwrap();
        assert!(matches!(set.check(&data).unwrap(), State::Damaged(why) if why[0].contains("missing")));
        std::fs::write(folder.join("tiny/a.txt"), "123456788").unwrap();
        assert!(matches!(set.check(&data).unwrap(), State::Damaged(why) if why[0].contains("checksum")));
        std::fs::write(folder.join("tiny/a.txt"), "123456789").unwrap();
        assert_eq!(set.check(&data).unwrap(), State::Whole);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn every_set_names_its_origin() {
        for set in sets() {
            assert!(!set.how.is_empty() && !set.files.is_empty() && set.lines() > 0, "{}", set.name);
        }
    }
}
