//! Hostile files for everything that reads a file.
//!
//! A [`Target`] has honest files, a way to alter one that knows how the file is built, and the reader that must survive
//! it. A case is named by target, seed and number, so it can be made again; what once failed is kept under `cases/`.
//! [`watch`] holds every case to the same limits: no panic, no abort, [`watch::LONGEST`] of processor time, and memory
//! within [`watch::most_memory`].

pub mod alter;
pub mod campaign;
pub mod container;
pub mod targets;
pub mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind};

use likewise::Run;
use rand_pcg::Pcg64;
use tempfile::TempDir;

/// Something that reads files.
pub trait Target {
    /// As it is called on the command line and under `cases/`.
    fn name(&self) -> String;

    /// Files as honest people have them.
    fn honest(&self) -> &[Vec<u8>];

    /// One of them, altered.
    fn alter(&self, rng: &mut Pcg64) -> Vec<u8>;

    /// Reads it: whether there was an answer, or what is wrong with the answer.
    fn read(&self, bytes: &[u8]) -> Result<Answer, String>;
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was read and what it held was used.
    Given,
    /// It was refused with a message.
    Refused,
}

/// A folder of its own, in memory where there is such a place: waiting for a disk would be most of the work.
pub fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a temporary folder")
}

/// The bytes of a case.
pub fn case(target: &dyn Target, seed: u64, number: u64) -> Vec<u8> {
    target.alter(&mut Run::new(seed).rng(&target.name(), number))
}

/// Reads one file under the limits.
pub fn try_one(target: &dyn Target, bytes: &[u8]) -> Result<Answer, String> {
    let watched = watch::start(bytes.len());
    let read = catch_unwind(AssertUnwindSafe(|| target.read(bytes)));
    let limits = watched.end();
    match read {
        Err(_) => Err(format!("panic: {}", watch::last_panic())),
        Ok(Err(wrong)) => Err(wrong),
        Ok(Ok(answer)) => limits.map(|()| answer),
    }
}
