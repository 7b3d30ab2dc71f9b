//! Files that are not complete yet, beside the place they are for: `.likewise-NAME-….part`.
//!
//! Whoever writes one holds a lock on it, which the system takes back however the process ends. So one that can be
//! locked belongs to nobody, and the next to write the same file clears it away.

use std::fs::{self, File, Permissions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

const END: &str = ".part";
/// Where files cannot be locked, one that was not written to for so long belongs to nobody.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// How names of parts of this file begin.
fn beginning(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    format!(".likewise-{}-", name.chars().take(60).collect::<String>())
}

/// A new part, after old ones of the same file were cleared away.
pub(super) fn create(
    folder: &Path,
    target: &Path,
    permissions: Option<Permissions>,
) -> io::Result<NamedTempFile> {
    let beginning = beginning(target);
    clear(folder, &beginning);
    let mut builder = Builder::new();
    builder.prefix(&beginning).suffix(END);
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    loop {
        let part = builder.tempfile_in(folder)?;
        // Where locks are not known, age alone decides.
        let _ = part.as_file().try_lock();
        // Somebody may have taken it for abandoned before it was locked.
        if part.path().exists() {
            return Ok(part);
        }
    }
}

fn clear(folder: &Path, beginning: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let middle = name.strip_prefix(beginning).and_then(|rest| rest.strip_suffix(END));
        // The name of another file may go on where this one ends.
        if middle.is_some_and(|random| !random.contains('-')) && is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path()); // It may be gone by now, or not ours to remove.
        }
    }
}

fn is_abandoned(path: &Path) -> bool {
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let Ok(file) = File::open(path) else { return false };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let age = file.metadata().and_then(|m| m.modified()).ok().and_then(|time| time.elapsed().ok());
            age.is_some_and(|age| age > OLD)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_nobody_writes_to_is_cleared_away_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let alive = create(folder.path(), &target, None).unwrap();
        let left =
            [".likewise-out.csv-abc123.part", ".likewise-out.csv-a-b.part", ".likewise-other-abc.part"];
        left.iter().for_each(|name| fs::write(folder.path().join(name), "half").unwrap());
        let second = create(folder.path(), &target, None).unwrap();
        let mut expected: Vec<String> = left[1..].iter().map(|name| name.to_string()).collect();
        expected
            .extend([&alive, &second].map(|p| p.path().file_name().unwrap().to_str().unwrap().to_string()));
        expected.sort();
        assert_eq!(names(folder.path()), expected);
    }
}
