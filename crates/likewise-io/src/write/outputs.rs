//! The files of one command, which appear together.

use std::io::Write;
use std::path::Path;

use super::{Writer, sink::Sink};
use crate::error::{Error, Result};

/// Files that are complete but not in their places: [`Outputs::commit`] puts all of them there, one right after the
/// other, and without it none appears. What goes to standard output goes there at once.
#[derive(Default)]
pub struct Outputs {
    ready: Vec<(String, Sink)>,
}

impl Outputs {
    pub fn new() -> Self {
        Outputs::default()
    }

    /// Takes the file of a writer that has all its rows.
    pub fn add(&mut self, writer: Writer) -> Result<()> {
        let name = writer.name.clone();
        let sink = writer.complete()?;
        self.push(name, sink)
    }

    /// Takes a whole file.
    pub fn write(&mut self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
        let name = path.as_ref().display().to_string();
        let mut sink = Sink::beside(path.as_ref())?;
        sink.write_all(bytes).map_err(|e| Error::io(&name, e))?;
        self.push(name, sink)
    }

    fn push(&mut self, name: String, mut sink: Sink) -> Result<()> {
        sink.flush_all().map_err(|e| Error::io(&name, e))?;
        self.ready.push((name, sink));
        Ok(())
    }

    /// Puts every file in its place.
    pub fn commit(self) -> Result<()> {
        self.ready.into_iter().try_for_each(|(name, sink)| sink.put().map_err(|e| Error::io(name, e)))
    }
}

#[cfg(test)]
mod tests {
    use likewise::data::Texts;

    use super::*;
    use crate::{CellKind, Cells, Field, Output};

    #[test]
    fn files_appear_together_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let (model, rows) = (folder.path().join("model"), folder.path().join("rows.csv"));
        std::fs::write(&model, "old").unwrap();
        let fill = || {
            let mut outputs = Outputs::new();
            outputs.write(&model, b"new").unwrap();
            let fields = vec![Field::new("id", CellKind::Text)];
            let mut writer = Writer::create(&Output::parse(&rows).unwrap(), fields).unwrap();
            writer.write(&[Cells::Text(&["a"].into_iter().collect::<Texts>())]).unwrap();
            outputs.add(writer).unwrap();
            assert_eq!(std::fs::read(&model).unwrap(), b"old");
            assert!(!rows.exists());
            outputs
        };
        drop(fill());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        fill().commit().unwrap();
        assert_eq!(
            (std::fs::read(&model).unwrap(), std::fs::read(&rows).unwrap()),
            (b"new".to_vec(), b"id\na\n".to_vec())
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
