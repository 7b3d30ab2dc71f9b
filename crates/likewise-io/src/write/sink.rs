//! Where bytes go: standard output, or a file that appears only when it is complete.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::NamedTempFile;

use super::{Output, parts};
use crate::error::{Error, Result};

pub(super) enum Sink {
    Standard(Stdout),
    /// Removed when dropped.
    Temporary {
        file: NamedTempFile,
        target: PathBuf,
        unfinished: Unfinished,
    },
    /// A pipe or a device, which must not be replaced by a file.
    Device(File),
}

impl Sink {
    pub fn open(output: &Output) -> Result<Sink> {
        match &output.path {
            None => Ok(Sink::Standard(io::stdout())),
            Some(path) => Sink::beside(path),
        }
    }

    pub fn beside(path: &Path) -> Result<Sink> {
        let failed = |e| Error::io(path.display().to_string(), e);
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(failed(e)),
        };
        if existing.as_ref().is_some_and(|m| m.is_dir()) {
            return Err(Error::usage(format!("{} is a folder; name a file to write", path.display())));
        }
        if existing.as_ref().is_some_and(|m| !m.is_file()) {
            return OpenOptions::new().write(true).open(path).map(Sink::Device).map_err(failed);
        }
        // A link stays a link: what it points to is replaced, or made where it is not there yet.
        let target =
            if existing.is_some() { fs::canonicalize(path).map_err(failed)? } else { pointed_to(path)? };
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let permissions = existing.map_or_else(default_permissions, |m| Some(m.permissions()));
        let file = parts::create(folder, &target, permissions).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => Error::usage(format!(
                "{}: there is no folder {} to write to; make it first",
                path.display(),
                folder.display()
            )),
            _ => failed(e),
        })?;
        let unfinished = Unfinished::new(file.path());
        Ok(Sink::Temporary { file, target, unfinished })
    }

    /// Makes sure that all of it is on the disk, so that putting it in its place is all that is left.
    pub fn flush_all(&mut self) -> io::Result<()> {
        match self {
            Sink::Standard(out) => out.flush(),
            Sink::Device(out) => out.flush(),
            Sink::Temporary { file, .. } => file.as_file().sync_all(),
        }
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush_all()?;
        self.put()
    }

    pub fn put(self) -> io::Result<()> {
        match self {
            Sink::Standard(_) | Sink::Device(_) => Ok(()),
            Sink::Temporary { file, target, unfinished } => {
                file.persist(target).map_err(|e| e.error)?;
                drop(unfinished);
                Ok(())
            }
        }
    }
}

/// Where a link leads whose end is not there yet; the path itself where it is no link.
fn pointed_to(path: &Path) -> Result<PathBuf> {
    // As many as Linux follows.
    const LONGEST_CHAIN: usize = 40;
    let mut place = path.to_path_buf();
    for _ in 0..LONGEST_CHAIN {
        match fs::read_link(&place) {
            Ok(next) => place = place.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(place),
        }
    }
    Err(Error::usage(format!("{}: this link leads in a circle; name another file", path.display())))
}

/// Files that are being written, for a process that must end before they are.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Self {
        if let Ok(mut files) = UNFINISHED.lock() {
            files.insert(path.to_path_buf());
        }
        Unfinished(path.to_path_buf())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut files) = UNFINISHED.lock() {
            files.remove(&self.0);
        }
    }
}

/// Removes what is half-written, for a process that is about to end without dropping its writers.
pub fn remove_unfinished() {
    if let Ok(files) = UNFINISHED.lock() {
        for path in files.iter() {
            let _ = fs::remove_file(path); // It may be gone already, and nobody is left to be told.
        }
    }
}

/// What any new file gets; the system takes away what the user's mask says.
fn default_permissions() -> Option<fs::Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    return None;
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Standard(out) => out.write(bytes),
            Sink::Temporary { file, .. } => file.write(bytes),
            Sink::Device(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Standard(out) => out.flush(),
            Sink::Temporary { file, .. } => file.flush(),
            Sink::Device(out) => out.flush(),
        }
    }
}

/// Writes a whole file, which appears complete or not at all.
pub fn write_atomically(path: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
    let path = path.as_ref();
    let mut sink = Sink::beside(path)?;
    sink.write_all(bytes).and_then(|()| sink.finish()).map_err(|e| Error::io(path.display().to_string(), e))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        write_atomically(&path, b"first").unwrap();
        let mut sink = Sink::beside(&path).unwrap();
        sink.write_all(b"half").unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        drop(sink);
        assert_eq!(names(folder.path()), ["model"]);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        write_atomically(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_atomically(folder.path(), b"").unwrap_err().to_string().contains("is a folder"));
        let error = write_atomically(folder.path().join("gone/model"), b"").unwrap_err().to_string();
        assert!(error.contains("there is no folder") && error.contains("make it first"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, b"old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);

        let (missing, dangling) = (folder.path().join("missing"), folder.path().join("dangling"));
        symlink("missing", &dangling).unwrap();
        write_atomically(&dangling, b"new").unwrap();
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        assert_eq!(fs::read(&missing).unwrap(), b"new");
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(write_atomically(&circle, b"new").is_err());
        assert!(fs::symlink_metadata(&circle).unwrap().is_symlink());

        write_atomically("/dev/null", b"gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }
}
