//! Lists of examples: a file of atoms or of keys, a table, or a `SELECT`.

use std::path::Path;

use likewise::Run;
use likewise::codes;
use likewise::data::Table;
use likewise::figures::{are, count, rows};
use likewise::note::Note;
use likewise::relations::{Target, atoms};

use super::argument_columns::positions;
use super::target::example_columns;
use super::{Base, Database, Holder, tables};
use crate::error::{Error, Result};
use crate::input::Input;
use crate::lines::Lines;
use crate::read::{ReadOptions, read};
use crate::source::Source;

/// Examples as columns of constants, one for each argument of the target.
pub(super) type ArgumentColumns = Vec<Vec<u32>>;

/// Where examples stand.
#[derive(Clone, Debug)]
pub enum ExampleList {
    /// A file of atoms or of keys, a table, or a `SELECT`.
    Named(String),
    /// Their keys, in columns named after a key or type, or else in the first ones.
    Rows(Box<Table>),
}

impl<T: Into<String>> From<T> for ExampleList {
    fn from(name: T) -> Self {
        ExampleList::Named(name.into())
    }
}

impl Database {
    /// Adds the examples of a list. Returns the table they were in, where they were in one.
    pub(super) fn add_examples(
        &self,
        list: &ExampleList,
        target: &Target,
        base: &mut Base,
        out: &mut ArgumentColumns,
        run: &Run,
    ) -> Result<Option<String>> {
        match list {
            ExampleList::Named(text) => self.read_examples(text, target, base, out, run),
            ExampleList::Rows(rows) if rows.rows() == 0 => Ok(None),
            ExampleList::Rows(rows) => {
                let what = rows.sources.first().map_or("the list", String::as_str);
                push_table(rows, &positions(rows, target, base, what)?, target, base, out)?;
                Ok(None)
            }
        }
    }

    /// Adds the examples that `text` names. Returns the table they were in, where they were in one.
    pub(super) fn read_examples(
        &self,
        text: &str,
        target: &Target,
        base: &mut Base,
        out: &mut ArgumentColumns,
        run: &Run,
    ) -> Result<Option<String>> {
        let path = Path::new(text);
        let is_file = path.exists() && !path.is_dir();
        if is_query(text) && !is_file {
            let Holder::Tables { source, .. } = &self.holder else {
                return Err(Error::usage(format!(
                    "`{text}` needs a database that understands SQL, not facts"
                )));
            };
            let rows = source.query(text)?;
            if rows.rows() > 0 {
                push_table(&rows, &positions(&rows, target, base, text)?, target, base, out)?;
            }
            return Ok(None);
        }
        if is_file {
            if super::files::is_table(path) {
                for batch in read(
                    &Source::parse(path, None)?,
                    &ReadOptions { vectors: Some(Vec::new()), ..ReadOptions::default() },
                )? {
                    let batch = batch?;
                    push_table(&batch, &positions(&batch, target, base, text)?, target, base, out)?;
                }
            } else {
                read_list(path, target, base, out, run)?;
            }
            return Ok(None);
        }
        self.read_table(text, target, base, out)
    }

    /// The rows of a table, or the facts of a relation.
    fn read_table(
        &self,
        name: &str,
        target: &Target,
        base: &mut Base,
        out: &mut ArgumentColumns,
    ) -> Result<Option<String>> {
        let unknown = || Error::usage(format!("`{name}` is neither a file, nor a table, nor a SELECT"));
        let Holder::Tables { source, .. } = &self.holder else {
            let Some(relation) = base.builder.find(name) else { return Err(unknown()) };
            let facts = base.builder.column_ids(relation);
            if facts.len() != target.types.len() {
                return Err(wrong_arity(name, facts.len(), target));
            }
            facts.into_iter().zip(out).for_each(|(from, to)| to.extend(from));
            return Ok(None);
        };
        let schema = base.schema.clone().unwrap_or_default();
        let Some(table) = schema.table(name) else {
            base.refuse_left_out(name)?;
            if !source.is_view(name)? {
                return Err(unknown());
            }
            let rows = source.query(&format!("SELECT * FROM \"{}\"", name.replace('"', "\"\"")))?;
            if rows.rows() > 0 {
                push_table(&rows, &positions(&rows, target, base, name)?, target, base, out)?;
            }
            return Ok(None);
        };
        let fits =
            |columns: &Vec<(String, u32)>| columns.iter().map(|(_, t)| *t).eq(target.types.iter().copied());
        let own = || Some(vec![(table.single_key()?.to_string(), base.type_number(&table.name)?)]);
        let columns =
            example_columns(table, &schema, base).into_iter().chain(own()).find(fits).ok_or_else(|| {
                let wanted: Vec<&str> = target.types.iter().map(|t| base.builder.type_name(*t)).collect();
                Error::usage(format!(
                    "the rows of table `{name}` do not name {} each; give a SELECT that does",
                    wanted.join(" and ")
                ))
            })?;
        let names: Vec<String> = columns.into_iter().map(|(name, _)| name).collect();
        let mut blank = 0;
        tables::stream(source.as_ref(), &schema, &table.name, &names, &mut |batch| {
            let order = names.iter().map(|n| batch.column_names().iter().position(|c| c == n));
            let order: Vec<usize> = order.flatten().collect();
            let cells: Vec<_> = batch.columns().map(|(_, column)| column).collect();
            let is_whole = |row: &usize| order.iter().all(|&c| !cells[c].cell(*row).is_empty());
            let whole: Vec<usize> = (0..batch.rows()).filter(is_whole).collect();
            blank += batch.rows() - whole.len();
            match whole.len() == batch.rows() {
                true => push_table(batch, &order, target, base, out),
                false => push_table(&batch.copied(&whole), &order, target, base, out),
            }
        })?;
        if blank > 0 {
            let text = format!(
                "{} of `{name}` {} left out: a row without {} is an example of nothing",
                rows(blank),
                are(blank),
                names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
            );
            base.notes.push(Note::warning(&codes::BLANK_EXAMPLES, text).field("rows", blank));
        }
        Ok(Some(table.name.clone()))
    }
}

/// Whether the text asks a database, and names no file or table.
fn is_query(text: &str) -> bool {
    let begins = |word: &str| {
        let (start, rest) = text.trim_start().split_at_checked(word.len()).unwrap_or_default();
        start.eq_ignore_ascii_case(word) && rest.starts_with(|c: char| !c.is_alphanumeric() && c != '_')
    };
    begins("select") || begins("with") && text.to_ascii_lowercase().contains("select")
}

pub(super) fn wrong_arity(what: &str, found: usize, target: &Target) -> Error {
    let values = if found == 1 { "1 value".into() } else { format!("{} values", count(found)) };
    Error::usage(format!(
        "{what} has {values} an example, but `{}` takes {}",
        target.name,
        target.types.len()
    ))
}

fn push_table(
    table: &Table,
    columns: &[usize],
    target: &Target,
    base: &mut Base,
    out: &mut ArgumentColumns,
) -> Result<()> {
    let cells: Vec<_> = table.columns().map(|(_, column)| column).collect();
    for row in 0..table.rows() {
        if columns.iter().any(|&c| cells[c].cell(row).is_empty()) {
            let problem = "an example has an empty cell; fill it in, or leave the row out";
            return Err(likewise::Error::data(format!("{}: {problem}", table.place(row))).into());
        }
        for ((column, &t), to) in columns.iter().zip(&target.types).zip(out.iter_mut()) {
            to.push(base.builder.intern(t, &cells[*column].cell(row)));
        }
    }
    Ok(())
}

/// A text file: one atom of the target a line, or its keys with commas or tabs between them.
fn read_list(
    path: &Path,
    target: &Target,
    base: &mut Base,
    out: &mut ArgumentColumns,
    run: &Run,
) -> Result<()> {
    let name = path.display().to_string();
    let mut lines = Lines::new(Input::open_file(path, None)?.into_text(None)?);
    let mut comments = 0;
    loop {
        let number = lines.number() + 1;
        let Some(line) = lines.next()? else { break };
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        if (text.starts_with('%') || text.starts_with("//")) && !is_key(text, target, base) {
            comments += 1;
            continue;
        }
        push_named(text, target, base, out).map_err(|problem| Error::Malformed {
            source_name: name.clone(),
            line: Some(number),
            problem,
        })?;
        if number.is_multiple_of(1 << 16) {
            run.step("reading examples", 0, 0)?;
        }
    }
    if comments > 0 {
        let (lines, begin, are) = match comments {
            1 => ("1 line".to_string(), "begins", "was taken for a comment"),
            _ => (format!("{} lines", count(comments)), "begin", "were taken for comments"),
        };
        let text = format!("{lines} of {name} {begin} with % or // and {are}");
        base.notes.push(Note::info(&codes::COMMENTS_IN_LIST, text).field("lines", comments));
    }
    Ok(())
}

/// Whether the text is, letter by letter, what a row of the target's table is called.
fn is_key(text: &str, target: &Target, base: &Base) -> bool {
    let [only] = target.types[..] else { return false };
    base.schema.is_some() && base.builder.constants(only).find(text).is_some()
}

/// One example as it is written: an atom of the target, or its keys with commas or tabs between them.
pub(super) fn push_named(
    text: &str,
    target: &Target,
    base: &mut Base,
    out: &mut ArgumentColumns,
) -> Result<(), String> {
    let arity = target.types.len();
    let mut arguments = Vec::new();
    let is_atom = text.contains('(')
        && !is_key(text, target, base)
        && match atoms::parse(text, &mut arguments) {
            Ok(predicate) if predicate.is_some_and(|p| p.eq_ignore_ascii_case(&target.name)) => true,
            Ok(Some(predicate)) => {
                return Err(format!(
                    "`{predicate}` is not the target `{}`; write an example as {0}(…), or as its keys alone",
                    target.name
                ));
            }
            // Keys of tables may hold parentheses; facts are always atoms.
            Err(_) if base.schema.is_some() => false,
            wrong => return Err(wrong.err().unwrap_or_else(|| format!("`{text}` is no example"))),
        };
    if !is_atom {
        arguments.clear();
        let separator = if text.contains('\t') { '\t' } else { ',' };
        match arity {
            1 => arguments.push(text.into()),
            _ => arguments.extend(text.split(separator).map(|part| part.trim().into())),
        }
    }
    if arguments.len() != arity {
        let of: Vec<&str> = target.types.iter().map(|t| base.builder.type_name(*t)).collect();
        let several = if arity == 1 { "1 argument".into() } else { format!("{arity} arguments") };
        let takes = format!("{several} ({})", of.join(", "));
        return Err(format!("`{}` takes {takes}, not {}", target.name, arguments.len()));
    }
    for ((argument, &t), to) in arguments.iter().zip(&target.types).zip(out.iter_mut()) {
        to.push(base.builder.intern(t, argument));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_known_however_it_begins() {
        for text in [
            "select 1",
            " SELECT id\nFROM a",
            "SELECT\nid FROM a",
            "SELECT*FROM a",
            "With b AS (SELECT 1) SELECT * FROM b",
        ] {
            assert!(is_query(text), "{text}");
        }
        for text in ["selected", "select_1", "with", "with friends", "orders", "SELECT"] {
            assert!(!is_query(text), "{text}");
        }
    }
}
