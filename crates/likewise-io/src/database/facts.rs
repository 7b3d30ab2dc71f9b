//! Files of facts and modes: BoostSRL and srlearn folders, Aleph files, plain or packed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use likewise::Run;
use likewise::codes;
use likewise::note::Note;
use likewise::relations::modes::{self, Declaration};
use likewise::relations::{FactsBuilder, Mode, atoms};

use crate::error::{Error, Result};
use crate::input::Input;
use crate::lines::Lines;

/// How often progress is told.
const LINES_A_STEP: u64 = 1 << 16;

/// The files of a base of facts, by what they hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct FactFiles {
    pub facts: Vec<PathBuf>,
    pub positives: Vec<PathBuf>,
    modes: Vec<PathBuf>,
}

/// What a file of that name holds, by the habits of BoostSRL and Aleph.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Facts,
    Positives,
    Negatives,
    Modes,
    /// Aleph's `.b`: modes and facts.
    Both,
}

fn role(path: &Path) -> Option<Role> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    let (stem, extension) = name.rsplit_once('.')?;
    match extension {
        "b" => return Some(Role::Both),
        "f" => return Some(Role::Positives),
        "n" => return Some(Role::Negatives),
        "txt" | "pl" | "db" => {}
        _ => return None,
    }
    let holds = |word: &str| stem.split(['_', '-', '.']).any(|part| part == word);
    match () {
        _ if holds("facts") => Some(Role::Facts),
        _ if holds("pos") => Some(Role::Positives),
        _ if holds("neg") => Some(Role::Negatives),
        _ if holds("bk") || holds("background") || holds("modes") => Some(Role::Modes),
        _ => None,
    }
}

impl FactFiles {
    /// Adds a file of facts, or the files of a folder. Returns false for a folder without facts.
    pub fn add(&mut self, path: &Path) -> Result<bool> {
        if path.is_file() {
            if role(path) == Some(Role::Both) {
                self.modes.push(path.into());
            }
            self.facts.push(path.into());
            return Ok(true);
        }
        let mut found = FactFiles::in_folder(path)?;
        if found.facts.is_empty() && path.join("train").is_dir() {
            let modes = std::mem::take(&mut found.modes);
            found = FactFiles::in_folder(&path.join("train"))?;
            found.modes.extend(modes);
        }
        if found.facts.is_empty() {
            return Ok(false);
        }
        if found.modes.is_empty()
            && let Some(parent) = path.parent().filter(|p| p.is_dir())
        {
            found.modes = FactFiles::in_folder(parent)?.modes;
        }
        self.facts.append(&mut found.facts);
        self.positives.append(&mut found.positives);
        self.modes.append(&mut found.modes);
        Ok(true)
    }

    fn in_folder(folder: &Path) -> Result<FactFiles> {
        let failed = |e| Error::io(folder.display().to_string(), e);
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            paths.push(entry.map_err(failed)?.path());
        }
        paths.sort();
        let mut out = FactFiles::default();
        for path in paths.into_iter().filter(|p| p.is_file()) {
            match role(&path) {
                Some(Role::Facts) => out.facts.push(path),
                Some(Role::Positives) => out.positives.push(path),
                Some(Role::Modes) => out.modes.push(path),
                Some(Role::Both) => {
                    out.modes.push(path.clone());
                    out.facts.push(path);
                }
                Some(Role::Negatives) | None => {}
            }
        }
        Ok(out)
    }

    /// The modes of the given file, or of those that lie with the facts.
    pub fn declarations(&self, given: Option<&Path>) -> Result<Vec<Declaration>> {
        let files: Vec<&Path> = match given {
            Some(path) => vec![path],
            None => self.modes.iter().map(PathBuf::as_path).collect(),
        };
        let mut out = Vec::new();
        let mut read: Vec<PathBuf> = Vec::new();
        for file in files {
            read_modes(file, &mut out, &mut read)?;
        }
        if out.is_empty() {
            let place = self.facts.first().map_or(String::new(), |f| format!("{}: ", f.display()));
            return Err(Error::usage(format!(
                "{place}facts need modes that say which literals rules may use, such as `mode: publication(-title,+person).`; give a file of them as `modes`"
            )));
        }
        Ok(out)
    }

    /// Reads all facts. Those of relations without a mode are counted and left out.
    pub fn load(&self, builder: &mut FactsBuilder, run: &Run) -> Result<Vec<Note>> {
        let mut left_out: BTreeMap<String, u64> = BTreeMap::new();
        for path in &self.facts {
            each_atom(path, run, |predicate, arguments| {
                let Some(relation) = builder.find(predicate) else {
                    *left_out.entry(predicate.to_string()).or_default() += 1;
                    return Ok(());
                };
                builder.push(relation, arguments).map_err(|e| e.to_string())
            })?;
        }
        if left_out.is_empty() {
            return Ok(Vec::new());
        }
        let count: u64 = left_out.values().sum();
        let names: Vec<&str> = left_out.keys().map(String::as_str).take(10).collect();
        let more = if left_out.len() > names.len() { ", …" } else { "" };
        let (what, are) = match count {
            1 => ("1 fact".to_string(), "is"),
            _ => (format!("{count} facts"), "are"),
        };
        let text = format!("{what} of relations without a mode {are} left out: {}{more}", names.join(", "));
        Ok(vec![Note::warning(&codes::UNREAD_FACTS, text).field("facts", count).field("relations", names)])
    }
}

fn read_modes(path: &Path, out: &mut Vec<Declaration>, read: &mut Vec<PathBuf>) -> Result<()> {
    if read.iter().any(|r| r == path) {
        return Ok(());
    }
    read.push(path.to_path_buf());
    let mut text = String::new();
    let mut lines = Lines::new(Input::open_file(path, None)?.into_text(None)?);
    while let Some(line) = lines.next()? {
        text.push_str(&String::from_utf8_lossy(line));
        text.push('\n');
    }
    let file = modes::parse(&text).map_err(|e| malformed(path, &e.to_string()))?;
    for import in &file.imports {
        let beside = path.parent().unwrap_or(Path::new(".")).join(import);
        if beside.is_file() {
            read_modes(&beside, out, read)?;
        }
    }
    out.extend(file.declarations);
    Ok(())
}

/// `line 3: …` becomes `modes.txt:3: …`.
pub(crate) fn malformed(path: &Path, message: &str) -> Error {
    let (line, problem) = match message.strip_prefix("line ").and_then(|rest| rest.split_once(": ")) {
        Some((number, problem)) => (number.parse().ok(), problem),
        None => (None, message),
    };
    Error::Malformed { source_name: path.display().to_string(), line, problem: problem.to_string() }
}

/// Declares the relations of the modes.
pub(crate) fn declare(
    declarations: &[Declaration],
    builder: &mut FactsBuilder,
    given: Option<&Path>,
) -> Result<Vec<Mode>> {
    modes::declare(declarations, builder)
        .map_err(|e| malformed(given.unwrap_or(Path::new("modes")), &e.to_string()))
}

/// Calls `visit` with the predicate and arguments of every atom of a file.
pub(crate) fn each_atom(
    path: &Path,
    run: &Run,
    mut visit: impl FnMut(&str, &[std::borrow::Cow<'_, str>]) -> Result<(), String>,
) -> Result<()> {
    let input = Input::open_file(path, None)?.into_text(None)?;
    let progress = input.progress().clone();
    let mut lines = Lines::new(input);
    loop {
        let number = lines.number() + 1;
        let Some(line) = lines.next()? else { return Ok(()) };
        let text = String::from_utf8_lossy(line);
        let mut arguments = Vec::with_capacity(4);
        let wrong = |problem| Error::Malformed {
            source_name: path.display().to_string(),
            line: Some(number),
            problem,
        };
        if let Some(predicate) = atoms::parse(&text, &mut arguments).map_err(wrong)? {
            visit(predicate, &arguments).map_err(wrong)?;
        }
        if number.is_multiple_of(LINES_A_STEP)
            && let Some((done, total)) = progress.get()
        {
            run.step("reading facts", done, total)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names() {
        let role = |name: &str| role(Path::new(name));
        assert_eq!(role("train_facts.txt"), Some(Role::Facts));
        assert_eq!(role("area1_facts.txt.gz"), Some(Role::Facts));
        assert_eq!(role("Train_Pos.txt"), Some(Role::Positives));
        assert_eq!(role("test_neg.txt.gz"), Some(Role::Negatives));
        assert_eq!(role("background.txt"), Some(Role::Modes));
        assert_eq!(role("train_bk.txt"), Some(Role::Modes));
        assert_eq!((role("trains.b"), role("trains.f")), (Some(Role::Both), Some(Role::Positives)));
        assert_eq!((role("README.md"), role("position.txt")), (None, None));
    }

    #[test]
    fn a_boostsrl_folder_is_read_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let train = folder.path().join("train");
        std::fs::create_dir(&train).unwrap();
        std::fs::write(
            folder.path().join("background.txt"),
            "// modes\nmode: friends(+person,-person).\nmode: smokes(+person).",
        )
        .unwrap();
        std::fs::write(train.join("train_bk.txt"), "import: \"../background.txt\".").unwrap();
        std::fs::write(train.join("train_facts.txt"), "Friends(Ann,Bob).\r\nsmokes(Ann).\n\nlikes(Ann,Tea).")
            .unwrap();
        std::fs::write(train.join("train_pos.txt"), "cancer(Ann).").unwrap();
        for path in [folder.path(), train.as_path()] {
            let mut files = FactFiles::default();
            assert!(files.add(path).unwrap());
            assert_eq!((files.facts.len(), files.positives.len()), (1, 1));
            let mut builder = FactsBuilder::new();
            let modes = declare(&files.declarations(None).unwrap(), &mut builder, None).unwrap();
            assert_eq!(modes.len(), 2);
            let notes = files.load(&mut builder, &Run::new(0)).unwrap();
            assert!(
                format!("{notes:?}").contains("1 fact of relations without a mode is left out: likes"),
                "{notes:?}"
            );
            assert_eq!(builder.finish().rows(), 2);
        }
    }

    #[test]
    fn mistakes_are_named_with_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a_facts.txt"), "p(a).\np(a,b).\n").unwrap();
        std::fs::write(path("modes.txt"), "p(+t).\nq(t).").unwrap();
        let mut files = FactFiles::default();
        files.add(folder.path()).unwrap();
        let message = files.declarations(None).unwrap_err().to_string();
        assert!(message.contains("modes.txt:2: argument `t` of `q` has no sign"), "{message}");
        std::fs::write(path("modes.txt"), "p(+t).").unwrap();
        let mut builder = FactsBuilder::new();
        declare(&files.declarations(None).unwrap(), &mut builder, None).unwrap();
        let message = files.load(&mut builder, &Run::new(0)).unwrap_err().to_string();
        assert!(message.contains("a_facts.txt:2: relation `p` takes 1 argument, not 2"), "{message}");
        let mut alone = FactFiles::default();
        alone.add(&path("a_facts.txt")).unwrap();
        assert!(alone.declarations(None).unwrap_err().to_string().contains("`modes`"));
    }
}
