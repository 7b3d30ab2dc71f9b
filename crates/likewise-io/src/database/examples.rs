//! Lists of examples: a file of atoms or of keys, a table, or a `SELECT`.

use std::path::Path;

use likewise::Run;
use likewise::data::Table;
use likewise::relations::{Target, atoms};

use super::target::example_columns;
use super::{Base, Database, Holder};
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
        if text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("select ")) {
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
        let path = Path::new(text);
        if path.exists() && !path.is_dir() {
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
        let Some(at) = schema.tables.iter().position(|t| t.name.eq_ignore_ascii_case(name)) else {
            if !source.is_view(name)? {
                return Err(unknown());
            }
            let rows = source.query(&format!("SELECT * FROM \"{}\"", name.replace('"', "\"\"")))?;
            if rows.rows() > 0 {
                push_table(&rows, &positions(&rows, target, base, name)?, target, base, out)?;
            }
            return Ok(None);
        };
        let table = &schema.tables[at];
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
        source.stream(at, &names, &mut |batch| {
            let order = names.iter().map(|n| batch.column_names().iter().position(|c| c == n));
            let order: Vec<usize> = order.flatten().collect();
            push_table(batch, &order, target, base, out)
        })?;
        Ok(Some(table.name.clone()))
    }
}

fn wrong_arity(what: &str, found: usize, target: &Target) -> Error {
    Error::usage(format!(
        "{what} has {found} values an example, but `{}` takes {}",
        target.name,
        target.types.len()
    ))
}

/// Which columns hold the arguments: those named after a key or type, or else the first ones.
fn positions(table: &Table, target: &Target, base: &Base, what: &str) -> Result<Vec<usize>> {
    let names = table.column_names();
    if let [only] = target.types[..] {
        let own = base.builder.type_name(only);
        let key =
            base.schema.as_ref().and_then(|s| s.table(own)).and_then(|t| t.single_key().map(str::to_string));
        let wanted = [key.as_deref(), Some(own), Some("id")];
        let named =
            wanted.iter().flatten().find_map(|w| names.iter().position(|n| n.eq_ignore_ascii_case(w)));
        if let Some(at) = named {
            return Ok(vec![at]);
        }
    }
    if names.len() < target.types.len() {
        return Err(wrong_arity(what, names.len(), target));
    }
    Ok((0..target.types.len()).collect())
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
            let problem = "an example has an empty cell".to_string();
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
    loop {
        let number = lines.number() + 1;
        let Some(line) = lines.next()? else { break };
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if text.is_empty() || text.starts_with('%') || text.starts_with("//") {
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
    Ok(())
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
    if text.contains('(') {
        let predicate = atoms::parse(text, &mut arguments)?.unwrap_or_default();
        if !predicate.eq_ignore_ascii_case(&target.name) {
            return Err(format!("`{predicate}` is not the target `{}`", target.name));
        }
    } else if arity == 1 {
        arguments.push(text.into());
    } else {
        let separator = if text.contains('\t') { '\t' } else { ',' };
        arguments.extend(text.split(separator).map(|part| part.trim().into()));
    }
    if arguments.len() != arity {
        return Err(format!("`{}` takes {arity} arguments, not {}", target.name, arguments.len()));
    }
    for ((argument, &t), to) in arguments.iter().zip(&target.types).zip(out.iter_mut()) {
        to.push(base.builder.intern(t, argument));
    }
    Ok(())
}
