//! `likewise find --like NAME=FILE --like NAME=FILE`: several classes in one run.

use std::path::PathBuf;

use likewise::data::{Column, Table, Texts};
use likewise::questions::classes::{ClassExamples, FoundClasses};
use likewise::questions::find::Find as Question;
use likewise_io::{CellKind, Cells, Field, Output, Outputs, Writer};

use super::Find;
use crate::answer;
use crate::arguments::Usage;
use crate::commands::score::parts::is_folder;
use crate::files::Files;
use crate::reading;
use crate::terminal::{self, Align, say};

/// Files by the class that they are examples of, in the order of their first mention.
pub type ClassFiles = Vec<(String, Vec<PathBuf>)>;

/// The classes that the examples name; none where they name none. A file whose own name holds a `=` is a file, and so is
/// what holds a space before it: a SELECT of a database.
pub fn named(like: &[PathBuf]) -> Result<Option<ClassFiles>, Usage> {
    let split = |path: &PathBuf| {
        let text = path.to_str().filter(|_| !path.exists())?;
        let (name, file) = text.split_once('=')?;
        (!name.is_empty() && !name.contains(|c: char| c == '/' || c.is_whitespace()))
            .then(|| (name.to_string(), PathBuf::from(file)))
    };
    let split: Vec<Option<(String, PathBuf)>> = like.iter().map(split).collect();
    if split.iter().all(Option::is_none) {
        return Ok(None);
    }
    let mut classes = ClassFiles::new();
    for (given, path) in split.into_iter().zip(like) {
        let Some((name, file)) = given else {
            return Err(Usage(format!(
                "--like {}: some examples name their class and these do not; write --like NAME={}",
                path.display(),
                path.display()
            )));
        };
        match classes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, files)) => files.push(file),
            None => classes.push((name, vec![file])),
        }
    }
    Ok(Some(classes))
}

impl Find {
    /// Ranks the pile for each class.
    pub(super) fn run_classes(
        &self,
        classes: &ClassFiles,
        question: &Question,
        output: Option<&Output>,
    ) -> anyhow::Result<()> {
        let own = fields(classes.iter().map(|(name, _)| name.as_str()));
        let kept = self.keep.kept(&own)?;
        self.check_classes(classes)?;
        let quiet = self.run.quiet;
        let run = terminal::start(&self.run)?;
        let choice = self.problem.columns.choice(self.problem.keep_positives)?;
        let read = |paths: &[PathBuf]| {
            let check = |table: &Table| choice.check(table, None);
            let wanted = self.problem.wanted(&choice).and(&kept);
            reading::table(paths, &self.problem.read, &wanted, check, &run, quiet)
        };
        let mut examples = Vec::new();
        for (name, files) in classes {
            examples.push(ClassExamples { name: name.clone(), like: read(files)? });
        }
        let pile = read(&self.problem.pile)?;
        let kept = kept.of(&pile, choice.id.as_deref(), &own)?;
        let found = question.classes(examples, pile, &choice, &run)?;
        terminal::print_notes(&found.notes, quiet);
        for class in &found.classes {
            if !class.notes.is_empty() {
                say(&format!("{}:", class.name), quiet);
                terminal::print_notes(&class.notes, quiet);
            }
        }
        let mut outputs = Outputs::new();
        if let Some(folder) = &self.model {
            for class in &found.classes {
                let (bytes, notes) = class.trained.to_file()?;
                terminal::print_notes(&notes, quiet);
                outputs.write(folder.join(format!("{}.model", class.name)), &bytes)?;
            }
        }
        if let Some(path) = &self.summary {
            outputs.write(path, (serde_json::to_string_pretty(&found.classes)? + "\n").as_bytes())?;
        }
        match output {
            Some(output) => {
                outputs.add(write(&found, output, own, &kept)?)?;
                outputs.commit()?;
            }
            None => {
                outputs.commit()?;
                show(&found)?;
            }
        }
        self.say_what_was_done(&found.lines());
        Ok(())
    }

    fn check_classes(&self, classes: &ClassFiles) -> anyhow::Result<()> {
        let refused = [
            (!self.problem.unlike.is_empty(), "--unlike"),
            (self.problem.label.is_some(), "--label"),
            (self.problem.database.is_given(), "--database"),
            (self.truth.truth.is_some(), "--truth"),
            (self.sample.is_some(), "--sample"),
            (self.report.is_some(), "--report"),
            (self.audit_sample.is_some(), "--audit-sample"),
            (self.probabilities, "--probabilities"),
        ];
        if let Some((_, option)) = refused.iter().find(|(given, _)| *given) {
            return Err(Usage(format!(
                "{option} is for one class; find each class by itself, or leave it out"
            ))
            .into());
        }
        if self.problem.pile.is_empty() {
            let message = "--like gives the examples; name the rows to search with --in FILE";
            return Err(Usage(message.into()).into());
        }
        if let Some(path) = self.model.as_ref().filter(|path| !path.is_dir() || !is_folder(path)) {
            return Err(Usage(format!(
                "--model {}: each class has a model of its own; name a folder that is there, for NAME.model each",
                path.display()
            ))
            .into());
        }
        let read = classes.iter().flat_map(|(_, files)| files).chain(&self.problem.pile);
        let files = Files::default().read(read).written("--output", self.output.clone());
        files.written("--summary", self.summary.clone()).check()?;
        Ok(())
    }
}

/// The column with the scores of a class.
fn column(class: &str) -> String {
    format!("score_{class}")
}

/// What the answer has: the best class of each row, and a score for each class.
fn fields<'a>(classes: impl Iterator<Item = &'a str>) -> Vec<Field> {
    let mut fields = vec![
        Field::new("rank", CellKind::Integer),
        Field::new("id", CellKind::Text),
        Field::new("class", CellKind::Text),
        Field::new("positive", CellKind::Boolean),
    ];
    fields.extend(classes.map(|class| Field::new(column(class), CellKind::Number)));
    fields
}

/// All rows.
fn write(
    found: &FoundClasses,
    output: &Output,
    mut fields: Vec<Field>,
    kept: &[String],
) -> anyhow::Result<Writer> {
    let ranks: Vec<i64> = (1..=found.rows.len() as i64).collect();
    let best: Texts = found.best.iter().map(|&class| found.classes[class].name.as_str()).collect();
    let mut cells = vec![
        Cells::Integer(&ranks),
        Cells::Text(&found.ids),
        Cells::Text(&best),
        Cells::Boolean(&found.positive),
    ];
    cells.extend(found.scores.iter().map(|scores| Cells::Number(scores)));
    let mut columns: Vec<(&String, Column)> = Vec::new();
    if let Some(table) = found.problem.table() {
        for name in kept {
            columns.push((name, table.column(name)?.select(&found.rows)));
        }
    }
    for (name, kept) in &columns {
        let kept = Cells::from(kept);
        fields.push(Field::new(*name, kept.kind()));
        cells.push(kept);
    }
    let mut writer = Writer::create(output, fields)?;
    writer.write(&cells)?;
    Ok(writer)
}

/// Shows the best.
fn show(found: &FoundClasses) -> std::io::Result<()> {
    let (left, right) = (Align::Left, Align::Right);
    let names: Vec<&str> = found.classes.iter().map(|class| class.name.as_str()).collect();
    let mut head = vec![("rank", right), ("id", left), ("class", left), ("positive", left)];
    head.extend(names.iter().map(|name| (*name, right)));
    head.push(("", left));
    let row = |at: usize| {
        let mut cells = vec![
            (at + 1).to_string(),
            found.ids[at].to_string(),
            names[found.best[at]].to_string(),
            if found.positive[at] { "yes" } else { "no" }.to_string(),
        ];
        cells.extend(found.scores.iter().map(|scores| terminal::score(scores[at])));
        cells.push(found.problem.glance(found.rows[at]));
        cells
    };
    let rows: Vec<Vec<String>> = (0..found.rows.len().min(answer::SHOWN)).map(row).collect();
    terminal::print_table(&head, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_named_before_their_files() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert!(named(&paths(&["a.jsonl", "b.jsonl"])).unwrap().is_none());
        let found = named(&paths(&["x=a.jsonl", "y=b/c.jsonl", "x=d=e.jsonl"])).unwrap().unwrap();
        assert_eq!(found[0], ("x".to_string(), paths(&["a.jsonl", "d=e.jsonl"])));
        assert_eq!(found[1], ("y".to_string(), paths(&["b/c.jsonl"])));
        assert!(named(&paths(&["x=a.jsonl", "b.jsonl"])).unwrap_err().0.contains("--like NAME=b.jsonl"));
        assert!(named(&paths(&["out/k=v.jsonl"])).unwrap().is_none());
    }
}
