//! `likewise score … --output FOLDER/`: each file of the input becomes a file of the same name.
//!
//! A part appears when it is complete and is not scored again, so a run that was stopped goes on where it was, and
//! several machines can share the parts out among themselves. A small file beside the parts says which model they are
//! of, so that those of two models never mix.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context;
use likewise::Run;
use likewise::ends::Moved;
use likewise::figures::count;
use likewise::questions::score::Score as Question;
use likewise::run::fnv1a;
use likewise::trained::Trained;
use likewise_io::{Outputs, Source, write_atomically};

use super::Score;
use crate::arguments::Usage;
use crate::kept::Kept;
use crate::terminal::{self, say};

/// Names that begin so are no parts, here and for engines that read folders of parts.
const MARK: &str = "_likewise.json";

/// Which of the parts are done here: the first of sixteen, the second, …
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shard {
    at: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not like 3/16, the third of sixteen");
        let (at, of) = text.split_once('/').ok_or_else(wrong)?;
        let (at, of) = (at.parse::<usize>().map_err(|_| wrong())?, of.parse::<usize>().map_err(|_| wrong())?);
        if at == 0 || at > of { Err(wrong()) } else { Ok(Shard { at: at - 1, of }) }
    }
}

/// Whether a path to write is meant as a folder.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

impl Score {
    pub(super) fn score_parts(&self, trained: &Trained, kept: &Kept, run: &Run) -> anyhow::Result<()> {
        let parts = self.parts()?;
        std::fs::create_dir_all(&self.output)
            .with_context(|| format!("{}: cannot be made", self.output.display()))?;
        let mut all = self.question(trained, &parts, run)?;
        self.mark(trained, all.cut())?;
        let mut done = Done::default();
        for (at, part) in parts.iter().enumerate() {
            let run = &run.part(at, parts.len());
            run.step("scoring", 0, 1)?;
            let target = self.output.join(part.file_name().unwrap_or_default());
            if target.exists() {
                done.kept += 1;
                continue;
            }
            let mut question = all.again();
            let writer = self.score_files(
                std::slice::from_ref(part),
                &self.write.output(&target)?,
                kept,
                &mut question,
                run,
            )?;
            let mut outputs = Outputs::new();
            outputs.add(writer)?;
            outputs.commit()?;
            done.parts += 1;
            all.add(question);
        }
        let mut outputs = Outputs::new();
        self.write_summary(&all, &mut outputs, run)?;
        outputs.commit()?;
        terminal::print_notes(&all.notes, self.run.quiet);
        self.say_how_they_compare(&all, run);
        say(&done.line(&all, &self.output), self.run.quiet);
        Ok(())
    }

    /// The files to score, in the order of their names; those of this shard.
    fn parts(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut parts = Vec::new();
        for path in self.files()? {
            if path == Path::new("-") {
                return Err(
                    Usage("parts have the names of their files; standard input has none".into()).into()
                );
            }
            if path.is_dir() {
                parts.extend(tables_of(&path)?);
            } else {
                parts.push(path);
            }
        }
        parts.sort_by(|a, b| a.file_name().cmp(&b.file_name()));
        if let Some(pair) = parts.windows(2).find(|pair| pair[0].file_name() == pair[1].file_name()) {
            let text = format!(
                "{} and {} have one name, so one would be written over the other; score them into two folders",
                pair[0].display(),
                pair[1].display()
            );
            return Err(Usage(text).into());
        }
        let output = self.output.canonicalize().ok();
        for part in &parts {
            if output.is_some()
                && part.parent().and_then(|folder| absolute(folder).canonicalize().ok()) == output
            {
                let text = format!("--output {} would write over what is read", self.output.display());
                return Err(Usage(text + "; name another folder").into());
            }
            self.write.output(&self.output.join(part.file_name().unwrap_or_default()))?;
        }
        let Some(shard) = self.shard else { return Ok(parts) };
        Ok(parts.into_iter().skip(shard.at).step_by(shard.of).collect())
    }

    /// Says which model the parts are of, or refuses to mix those of two.
    fn mark(&self, trained: &Trained, cut: Option<Moved>) -> anyhow::Result<()> {
        let place = self.output.join(MARK);
        let model = format!("{:016x}", fnv1a(&trained.to_bytes()?));
        let mut mark = serde_json::json!({ "model": model, "method": trained.method });
        if let Some(cut) = cut {
            mark["cut"] = cut.place().into();
        }
        if self.probabilities {
            mark["probabilities"] = true.into();
        }
        let mark = serde_json::to_string_pretty(&mark)? + "\n";
        match std::fs::read_to_string(&place) {
            Ok(before) if before == mark => Ok(()),
            Ok(_) => {
                let folder = self.output.display();
                let text = format!(
                    "{folder} holds parts that another model scored, or that have another cut or other columns; name another folder, or empty it"
                );
                Err(Usage(text).into())
            }
            Err(_) => Ok(write_atomically(&place, mark.as_bytes())?),
        }
    }
}

/// `""` is the folder that the command runs in.
fn absolute(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The files of a folder that hold tables; what begins with `.` or `_` is for others.
fn tables_of(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let failed = || format!("{}: cannot be read", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if !name.starts_with(b".")
            && !name.starts_with(b"_")
            && path.is_file()
            && Source::holds_a_table(&path)
        {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Usage(format!("{}: there is no table in this folder", folder.display())).into());
    }
    Ok(files)
}

/// What was done to all parts.
#[derive(Default)]
struct Done {
    parts: usize,
    kept: usize,
}

impl Done {
    fn line(&self, all: &Question<'_>, folder: &Path) -> String {
        let before = match self.kept {
            0 => String::new(),
            kept => format!("; {} were there already", count(kept)),
        };
        format!(
            "Scored {} rows in {} parts, {} of them positive{before}. They are in {}.",
            count(all.rows),
            count(self.parts),
            count(all.found),
            folder.display()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!("3/16".parse(), Ok(Shard { at: 2, of: 16 }));
        for wrong in ["0/3", "4/3", "3", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Shard>().unwrap_err().contains("third of sixteen"), "{wrong}");
        }
    }
}
