//! Related tables and facts as one base: SQLite, PostgreSQL, folders of table files, files of facts, tables in
//! memory.
//!
//! [`Database::open`] finds out what the paths are, [`Database::problem`] reads everything and brings
//! examples and pile together, [`Database::documents`] gives a text column to the methods for text. User
//! data are only ever read.

mod argument_columns;
mod conform;
mod documents;
mod examples;
mod facts;
mod files;
mod given;
mod keys;
mod missing;
#[cfg(feature = "postgres")]
mod postgres;
mod problem;
mod profile;
mod references;
mod schema_file;
mod sqlite;
mod strangers;
mod tables;
mod target;
mod understand;

use std::path::Path;
use std::sync::Arc;

use likewise::Run;
use likewise::note::Note;
use likewise::relations::schema::{Schema, TableSchema};
use likewise::relations::tables::TableFacts;
use likewise::relations::{Domain, Facts, FactsBuilder, KeptSchema, Mode, Target};

use crate::error::{Error, Result};
use crate::source::without_password;
use conform::{Conformed, ROW_NAMES};
use facts::FactFiles;
use files::TableFile;
use keys::Flaw;
use profile::Profile;
use references::same_thing;
use schema_file::Said;
use tables::{LeftOut, TableSource};
use understand::{Understood, understand};

pub use documents::Documents;
pub use examples::ExampleList;
pub use given::GivenTables;
pub use problem::{Argument, Examples, RelationalProblem, Request};
pub(crate) use sqlite::MAGIC as SQLITE_MAGIC;

/// Where facts come from.
pub struct Database {
    holder: Holder,
    /// How the tables of a model were read, where they are read for one.
    kept: Option<Arc<KeptSchema>>,
}

enum Holder {
    Facts(FactFiles),
    Tables { source: Box<dyn TableSource>, said: Said },
}

/// Everything read, before it is indexed.
#[derive(Default)]
struct Base {
    builder: FactsBuilder,
    modes: Vec<Mode>,
    /// Of tables.
    schema: Option<Schema>,
    profiles: Vec<Profile>,
    /// By type: which constants are the key of some row; empty for types without a table.
    keyed: Vec<Vec<bool>>,
    /// Keys that are none for a few of their cells, and tables that take no part.
    flaws: Vec<Flaw>,
    left_out: Vec<LeftOut>,
    /// Tables whose declared key has several columns, with these.
    parts: Vec<(String, Vec<String>)>,
    notes: Vec<Note>,
}

/// What a database was understood to be, for people to look at.
pub struct Description {
    /// `schema.toml` as it would have to be written; none for facts.
    pub schema: Option<String>,
    /// Types with the number of their constants.
    pub types: Vec<(String, usize)>,
    /// The literals that rules may use, with the number of facts behind them.
    pub modes: Vec<(String, usize)>,
    pub notes: Vec<Note>,
}

const URLS: [&str; 2] = ["postgres://", "postgresql://"];

impl Database {
    /// Several files of facts, or of tables, are one base.
    pub fn open(paths: &[String]) -> Result<Database> {
        let mut fact_files = FactFiles::default();
        let mut table_files: Vec<TableFile> = Vec::new();
        let mut said = Said::default();
        for text in paths {
            if URLS.iter().any(|url| text.starts_with(url)) {
                only(paths)?;
                return Ok(Database::of(Holder::Tables { source: connect(text)?, said }));
            }
            if text.contains("://") && !Path::new(text).exists() {
                return Err(Error::usage(format!(
                    "{}: only databases under {} are known; for others name a SQLite file or a folder of tables",
                    without_password(text),
                    URLS.join(" or ")
                )));
            }
            let path = Path::new(text);
            let metadata = path.metadata().map_err(|e| Error::io(text.as_str(), e))?;
            if metadata.is_dir() {
                if fact_files.add(path)? {
                    continue;
                }
                let found = files::in_folder(path)?;
                if found.is_empty() {
                    return Err(Error::Empty {
                        source_name: text.clone(),
                        problem: "the folder holds neither tables (.csv, .tsv, .parquet, .jsonl) nor facts (such as train_facts.txt)".into(),
                    });
                }
                let schema = path.join(schema_file::NAME);
                if schema.is_file() {
                    said.extend(Said::read(&schema)?);
                }
                table_files.extend(found.into_iter().map(|path| TableFile { path, beside: true }));
            } else if is_sqlite(path)? {
                only(paths)?;
                let source = Box::new(sqlite::Sqlite::open(path)?);
                return Ok(Database::of(Holder::Tables { source, said }));
            } else if files::is_table(path) {
                table_files.push(TableFile { path: path.into(), beside: false });
            } else {
                fact_files.add(path)?;
            }
        }
        match (fact_files.facts.is_empty(), table_files.is_empty()) {
            (false, true) => Ok(Database::of(Holder::Facts(fact_files))),
            (true, false) => {
                let source = Box::new(files::TableFiles::open(paths.join(", "), &table_files)?);
                Ok(Database::of(Holder::Tables { source, said }))
            }
            (false, false) => {
                Err(Error::usage("facts and tables cannot be mixed in one database; give one kind"))
            }
            (true, true) => Err(Error::usage("no database is given")),
        }
    }

    /// Tables in memory are one base.
    pub fn given(tables: &GivenTables) -> Database {
        let said = tables.said.clone();
        Database::of(Holder::Tables { source: Box::new(tables.clone()), said })
    }

    fn of(holder: Holder) -> Database {
        Database { holder, kept: None }
    }

    /// The same, with what a schema file says of its tables: more than the database or the folder itself.
    pub fn with_schema(mut self, file: &Path) -> Result<Database> {
        match &mut self.holder {
            Holder::Tables { said, .. } => said.extend(Said::read(file)?),
            Holder::Facts(_) => {
                return Err(Error::usage(
                    "a schema belongs to tables; what facts are is said by their modes",
                ));
            }
        }
        Ok(self)
    }

    /// The same with a schema in JSON and references such as `orders.customer -> customers`.
    pub fn with_said(mut self, schema: Option<&str>, references: &[String]) -> Result<Database> {
        let Holder::Tables { said, .. } = &mut self.holder else {
            return Err(Error::usage(
                "a schema and references belong to tables; what facts are is said by their modes",
            ));
        };
        if let Some(json) = schema {
            said.extend(Said::from_json(json, "the schema")?);
        }
        references.iter().try_for_each(|reference| said.add_reference(reference))?;
        Ok(self)
    }

    /// The same, read as a model's tables were at training. Without a schema, as the tables look.
    pub fn under(mut self, kept: Option<&Arc<KeptSchema>>) -> Database {
        self.kept = kept.cloned();
        self
    }

    /// What a model without a schema has to be told.
    fn guessed(&self) -> Option<Note> {
        let is_tables = matches!(self.holder, Holder::Tables { .. });
        (is_tables && self.kept.is_none()).then(conform::guessed)
    }

    fn load(&self, modes_file: Option<&Path>, run: &Run) -> Result<Base> {
        let mut builder = FactsBuilder::new();
        match &self.holder {
            Holder::Facts(files) => {
                let declarations = files.declarations(modes_file)?;
                let modes = facts::declare(&declarations, &mut builder, modes_file)?;
                let notes = files.load(&mut builder, run)?;
                Ok(Base { builder, modes, notes, ..Base::default() })
            }
            Holder::Tables { source, said } => {
                if modes_file.is_some() {
                    return Err(Error::usage("modes belong to facts; those of tables come from their keys"));
                }
                if let Some(kept) = &self.kept {
                    let Conformed { kept, places, mut notes } = conform::conform(source.as_ref(), kept)?;
                    let facts = TableFacts::under(&kept, &mut builder)?;
                    let (facts, more) = tables::load(source.as_ref(), facts, &places, &mut builder, run)?;
                    notes.extend(more);
                    let (modes, keyed, schema) = (facts.modes, facts.keyed, Some(kept.schema));
                    let parts = parts(source.as_ref(), schema.as_ref());
                    return Ok(Base { builder, modes, schema, keyed, parts, notes, ..Base::default() });
                }
                let Understood { schema, profiles, flaws, left_out, mut notes } =
                    understand(source.as_ref(), said, run)?;
                let facts = TableFacts::new(schema.clone(), &mut builder)?;
                let places = tables::all_places(source.as_ref(), &schema)?;
                let (facts, more) = tables::load(source.as_ref(), facts, &places, &mut builder, run)?;
                notes.extend(more);
                let (modes, keyed) = (facts.modes, facts.keyed);
                let schema = Some(schema);
                let parts = parts(source.as_ref(), schema.as_ref());
                Ok(Base { builder, modes, schema, profiles, keyed, flaws, left_out, parts, notes })
            }
        }
    }

    /// What was understood of it.
    pub fn describe(&self, modes_file: Option<&Path>, run: &Run) -> Result<Description> {
        let base = self.load(modes_file, run)?;
        let schema = base.schema.as_ref().map(|schema| schema_file::write(schema, &base.profiles));
        let facts = base.builder.finish();
        Ok(Description {
            schema,
            types: facts.types().map(|(name, constants)| (name.to_string(), constants.len())).collect(),
            modes: (base.modes.iter())
                .map(|m| (mode_text(m, &facts), facts.relation(m.relation).rows))
                .collect(),
            notes: base.notes,
        })
    }
}

/// Tables of the schema whose rows have a key of several columns, declared or said.
fn parts(source: &dyn TableSource, schema: Option<&Schema>) -> Vec<(String, Vec<String>)> {
    let of = |table: &TableSchema| {
        let declared = || source.tables().iter().find(|found| found.name == table.name);
        let parts = match table.key.len() {
            0 => Vec::new(),
            1 if !ROW_NAMES.contains(&table.key[0].as_str()) => Vec::new(),
            1 => declared().map_or(Vec::new(), |found| found.parts.clone()),
            _ => table.key.clone(),
        };
        (!parts.is_empty()).then(|| (table.name.clone(), parts))
    };
    schema.iter().flat_map(|schema| &schema.tables).filter_map(of).collect()
}

impl Base {
    /// The columns that together name the rows of a table, where they have to.
    fn parts_of(&self, table: &str) -> Option<&[String]> {
        let found = self.parts.iter().find(|(name, _)| name.eq_ignore_ascii_case(table));
        found.map(|(_, parts)| &parts[..])
    }

    /// Refuses what is asked of a table that takes no part.
    fn refuse_left_out(&self, name: &str) -> Result<()> {
        let name = name.to_lowercase();
        let asked = |left: &&LeftOut| same_thing(&left.table.to_lowercase(), &name);
        self.left_out.iter().find(asked).map_or(Ok(()), |left| Err(left.error()))
    }

    /// Refuses to look for keys of a table among the numbers of its rows.
    fn refuse_flawed_key(&self, table: &str) -> Result<()> {
        let flaw = self.flaws.iter().find(|flaw| flaw.table.eq_ignore_ascii_case(table));
        flaw.map_or(Ok(()), |flaw| Err(flaw.error()))
    }

    fn refuse_flawed_keys(&self, target: &Target) -> Result<()> {
        target.types.iter().try_for_each(|t| self.refuse_flawed_key(self.builder.type_name(*t)))
    }
}

fn mode_text(mode: &Mode, facts: &Facts) -> String {
    let relation = facts.relation(mode.relation);
    let arguments: Vec<String> = (mode.signs.iter().zip(&relation.domains))
        .map(|(sign, domain)| match domain {
            Domain::Type(t) => format!("{}{}", sign.mark(), facts.type_name(*t)),
            Domain::Number => format!("{}number", sign.mark()),
        })
        .collect();
    format!("{}({})", relation.name, arguments.join(","))
}

fn only(paths: &[String]) -> Result<()> {
    match paths {
        [_] => Ok(()),
        _ => Err(Error::usage("give one database; only files of facts or of tables may be several")),
    }
}

#[cfg(feature = "postgres")]
fn connect(url: &str) -> Result<Box<dyn TableSource>> {
    Ok(Box::new(postgres::Postgres::open(url)?))
}

#[cfg(not(feature = "postgres"))]
fn connect(_: &str) -> Result<Box<dyn TableSource>> {
    Err(Error::usage("this likewise was built without PostgreSQL; build it with the feature `postgres`"))
}

fn is_sqlite(path: &Path) -> Result<bool> {
    use std::io::Read;
    let failed = |e| Error::io(path.display().to_string(), e);
    let mut start = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(SQLITE_MAGIC.len() as u64).read_to_end(&mut start).map_err(failed)?;
    let named = path
        .extension()
        .is_some_and(|e| ["sqlite", "sqlite3", "db3"].iter().any(|n| e.eq_ignore_ascii_case(n)));
    Ok(start == SQLITE_MAGIC || named)
}
