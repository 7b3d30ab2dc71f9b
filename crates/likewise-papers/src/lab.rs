//! Where trials run: in parallel, each with a seed of its own, and each remembered as soon as it is done, so
//! that a run which was interrupted goes on where it stopped.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use likewise::Run;
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::data::DataFolder;
use crate::error::{Error, Result};

/// How much to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Extent {
    /// Fewer trials, all papers within minutes.
    Quick,
    /// As many trials as the papers ran, or as the notes say.
    Full,
}

/// Data, effort and a memory of trials already done.
pub struct Lab {
    pub data: DataFolder,
    pub effort: Extent,
    run: Run,
    journal: Option<Journal>,
    /// The methods that alone are run, in the tables of every method alone.
    only: Option<Vec<String>>,
}

impl Lab {
    pub fn new(data: DataFolder, effort: Extent, run: Run) -> Self {
        Lab { data, effort, run, journal: None, only: None }
    }

    /// Remembers every finished trial in this file and takes from it what an earlier run has done.
    pub fn with_journal(mut self, path: &Path) -> Result<Self> {
        self.journal = Some(Journal::open(path)?);
        Ok(self)
    }

    /// Runs only these methods, and of each paper only its table of every method: what a new method adds to kept cells.
    pub fn only(mut self, methods: Vec<String>) -> Self {
        self.only = Some(methods);
        self
    }

    /// Whether tables beside that of every method are wanted.
    pub fn runs_all(&self) -> bool {
        self.only.is_none()
    }

    /// Whether the table of every method is to have this one.
    pub fn runs(&self, method: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|name| name == method))
    }

    /// The trials from here on are told of through this run.
    pub fn told(&mut self, run: Run) {
        self.run = run;
    }

    pub fn run(&self) -> &Run {
        &self.run
    }

    /// One of two numbers, by effort.
    pub fn choose<T>(&self, quick: T, full: T) -> T {
        match self.effort {
            Extent::Quick => quick,
            Extent::Full => full,
        }
    }

    /// How many trials an earlier, interrupted run had done.
    pub fn remembered(&self) -> usize {
        self.journal.as_ref().map_or(0, |journal| journal.done.len())
    }

    /// Runs `one` for every piece of work, in parallel, and gives the answers in their order.
    ///
    /// `experiment` and the work itself name the trial in the journal, so both must say all that the answer
    /// depends on. `one` takes its chance from the work (a seed in it), never from what ran before.
    pub fn trials<W, T>(
        &self,
        experiment: &str,
        work: &[W],
        one: impl Fn(&W, &Run) -> Result<T> + Sync,
    ) -> Result<Vec<T>>
    where
        W: Serialize + Sync,
        T: Serialize + DeserializeOwned + Send,
    {
        let done = AtomicU64::new(0);
        let total = work.len() as u64;
        let silent = self.run.without_progress();
        self.run.step(experiment, 0, total)?;
        let only = self.only.as_ref().map(|only| format!(" {}", only.join(","))).unwrap_or_default();
        let trial = |work: &W| {
            let key = format!("{experiment}{only} {}", serde_json::to_string(work).map_err(journal_error)?);
            let answer = match self.journal.as_ref().and_then(|journal| journal.done.get(&key)) {
                Some(known) => T::deserialize(known).map_err(journal_error)?,
                None => {
                    let answer = one(work, &silent)?;
                    if let Some(journal) = &self.journal {
                        journal.remember(&key, &answer)?;
                    }
                    answer
                }
            };
            self.run.step(experiment, done.fetch_add(1, Ordering::Relaxed) + 1, total)?;
            Ok(answer)
        };
        self.run.install(|| work.par_iter().map(trial).collect())
    }
}

/// One line for each finished trial.
struct Journal {
    path: PathBuf,
    done: HashMap<String, Value>,
    file: Mutex<File>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    key: String,
    answer: Value,
}

impl Journal {
    fn open(path: &Path) -> Result<Self> {
        let failed = |error: std::io::Error| Error::Journal { path: path.into(), reason: error.to_string() };
        let mut done = HashMap::new();
        if let Ok(file) = File::open(path) {
            for line in BufReader::new(file).lines() {
                // The last line of an interrupted run may be cut short; its trial runs again.
                if let Ok(entry) = serde_json::from_str::<Entry>(&line.map_err(failed)?) {
                    done.insert(entry.key, entry.answer);
                }
            }
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        if !done.is_empty() {
            // Ends a line that was cut short.
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Journal { path: path.into(), done, file: Mutex::new(file) })
    }

    fn remember(&self, key: &str, answer: &impl Serialize) -> Result<()> {
        let entry = Entry { key: key.into(), answer: serde_json::to_value(answer).map_err(journal_error)? };
        let mut line = serde_json::to_vec(&entry).map_err(journal_error)?;
        line.push(b'\n');
        let mut file = self.file.lock().expect("no panic while a line is written");
        file.write_all(&line)
            .map_err(|error| Error::Journal { path: self.path.clone(), reason: error.to_string() })
    }
}

fn journal_error(error: serde_json::Error) -> Error {
    Error::Journal { path: PathBuf::new(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn lab() -> Lab {
        Lab::new(DataFolder::find(Some(Path::new("/nowhere"))), Extent::Quick, Run::new(0))
    }

    #[test]
    fn answers_come_in_the_order_of_the_work() {
        let work: Vec<u64> = (0..100).collect();
        assert_eq!(lab().trials("squares", &work, |n, _| Ok(n * n)).unwrap()[99], 99 * 99);
    }

    #[test]
    fn an_interrupted_run_goes_on_where_it_stopped() {
        let path = std::env::temp_dir().join(format!("likewise-journal-{}.jsonl", std::process::id()));
        let ran = AtomicUsize::new(0);
        let one = |n: &u64, _: &Run| {
            ran.fetch_add(1, Ordering::Relaxed);
            if *n == 7 { Err(likewise::Error::Cancelled.into()) } else { Ok(*n as f64 / 3.0) }
        };
        let first = lab().with_journal(&path).unwrap();
        assert!(first.trials("thirds", &[1, 2, 7], one).is_err());
        let before = ran.load(Ordering::Relaxed);
        let text = std::fs::read_to_string(&path).unwrap();
        // A line that the interruption cut short is no trial.
        std::fs::write(&path, format!("{text}{{\"key\":\"thirds 9\",\"ans")).unwrap();
        let second = lab().with_journal(&path).unwrap();
        let again = second.trials("thirds", &[1, 2, 8], |n, _| one(n, &Run::new(0))).unwrap();
        assert_eq!(again, [1.0 / 3.0, 2.0 / 3.0, 8.0 / 3.0], "floats survive the journal bit for bit");
        let known = second.remembered();
        assert!(known <= 2 && ran.load(Ordering::Relaxed) == before + 3 - known);
        let third = lab().with_journal(&path).unwrap();
        assert_eq!(third.remembered(), 3);
        std::fs::remove_file(&path).unwrap();
    }
}
