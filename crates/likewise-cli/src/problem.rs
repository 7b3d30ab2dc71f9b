//! Where positives and pile come from: the arguments of every command that learns.

use std::path::PathBuf;

use clap::Args;
use likewise::Run;
use likewise::data::Table;
use likewise::features::words::WordOptions;
use likewise::questions::{ColumnChoice, Problem};

use crate::arguments::{ColumnArguments, DatabaseArguments, ReadArguments, Usage, WordArguments, names};
use crate::beside::{self, Beside};
use crate::files::Files;
use crate::kept::Kept;
use crate::reading::Wanted;
use crate::{commands::sample, reading};

/// What is wrong where nothing says which rows are examples.
pub const WHICH_ROWS: &str = "which rows are what you want? Give examples with --like FILE, or say which rows of --in are marked with --label COL --positive VALUE";

#[derive(Args)]
pub struct ProblemArguments {
    /// Examples of what you want; with --database also a table or a SELECT; may be repeated. `find` takes several classes
    /// too, each with a name: --like NAME=FILE
    #[arg(long, value_name = "FILE")]
    pub like: Vec<PathBuf>,
    /// Rows known not to be wanted, such as those you have read and refused: they teach and are not ranked; with
    /// --database also a table or a SELECT; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "label")]
    pub unlike: Vec<PathBuf>,
    /// The rows to search; `-` is standard input; with --database also a table or a SELECT; may be repeated
    #[arg(long = "in", value_name = "FILE")]
    pub pile: Vec<PathBuf>,
    /// Column that marks positives in --in; a list in it counts for each of its members
    #[arg(long, value_name = "COL", requires = "positive", conflicts_with = "like")]
    pub label: Option<String>,
    /// Value of the label that marks a positive; may be repeated, or be a list
    #[arg(long, value_name = "VALUE[,VALUE]", requires = "label")]
    pub positive: Vec<String>,
    /// Value of the label that marks a row known not to be wanted; may be repeated, or be a list
    #[arg(long, value_name = "VALUE[,VALUE]", requires = "label")]
    pub negative: Vec<String>,
    /// Rank also rows whose content is that of a positive, and learn from positives that repeat another
    #[arg(long)]
    pub keep_positives: bool,
    #[command(flatten)]
    pub columns: ColumnArguments,
    #[command(flatten)]
    pub read: ReadArguments,
    #[command(flatten)]
    pub database: DatabaseArguments,
}

impl ProblemArguments {
    /// Nothing was named: the built-in sample stands in.
    pub fn is_sample(&self) -> bool {
        self.like.is_empty() && self.unlike.is_empty() && self.pile.is_empty() && !self.database.is_given()
    }

    /// What is read, to be looked at before the work begins.
    pub fn files(&self) -> Files {
        let databases: Vec<PathBuf> = self.database.database.iter().map(PathBuf::from).collect();
        Files::default()
            .read(self.like.iter().chain(&self.unlike).chain(&self.pile))
            .read(&databases)
            .read(&self.columns.embed)
    }

    /// Examples are rows that point at other rows, and not documents or rows of their own.
    pub fn is_related(&self) -> bool {
        self.database.is_given() && self.columns.text.is_none()
    }

    /// Examples of a target among related tables or facts.
    fn related(&self, run: &Run) -> anyhow::Result<Problem> {
        let target = self.database.target.as_deref().ok_or_else(|| {
            Usage("what are the examples? Name the table or relation with --target, or a text column with --text table.column".into())
        })?;
        let request = self.database.request(target, &self.like, &self.unlike, &self.pile);
        let found = self.database.open()?.problem(&request, &run.ahead(0.2))?;
        let problem = Problem::of_related(found.x, found.positive, found.ids, found.notes);
        Ok(problem.with_unwanted(found.unwanted))
    }

    /// A text column of a database as documents.
    fn documents(&self, places: &[String], run: &Run) -> anyhow::Result<Problem> {
        let [place] = places else {
            return Err(Usage("name one text column of the database: --text table.column".into()).into());
        };
        let (like, unlike, pile) = (names(&self.like), names(&self.unlike), names(&self.pile));
        if like.is_empty() {
            return Err(Usage(
                "which rows are what you want? Name them with --like: a file of keys, a table, or a SELECT"
                    .into(),
            )
            .into());
        }
        let found = self.database.open()?.documents(place, &like, &unlike, &pile, &run.ahead(0.2))?;
        let embedding = self.columns.choice(self.keep_positives)?.embedding;
        let choice = ColumnChoice {
            text: Some(vec![found.column]),
            embedding,
            keep_positives: self.keep_positives,
            ..ColumnChoice::default()
        };
        let mut problem = Problem::of_both_marks(found.table, found.positive, found.unwanted, None, &choice)?;
        problem.notes.splice(0..0, found.notes);
        Ok(problem)
    }

    /// Refuses what a database has no use for: it would be taken for granted that it did something.
    fn check_database(&self) -> anyhow::Result<()> {
        if !self.database.is_given() {
            return Ok(());
        }
        let database = &self.database;
        if self.label.is_some() {
            return Err(Usage("--label marks rows of a file; with --database name the examples with --like: a file of keys, a table, or a SELECT".into()).into());
        }
        if self.columns.text.is_some() && database.target.is_some() {
            return Err(Usage("--text and --target are two questions: --text TABLE.COL learns from the words of a column, --target NAME from what the rows refer to; leave one of them out".into()).into());
        }
        if let Some(option) = self.read.given().first() {
            return Err(Usage(format!(
                "{option} is for files of rows, and --database reads its tables as they are; leave it out"
            ))
            .into());
        }
        let of_columns = self.columns.of_columns();
        if self.columns.text.is_none() {
            let mut refused = of_columns;
            refused.extend(self.columns.embed.is_some().then_some("--embed"));
            if let Some(option) = refused.first() {
                return Err(Usage(format!(
                    "{option} is for rows of one table: with --target every column of the database is used; say which to \
                     ignore in a schema (likewise schema PATH > schema.toml, then --schema schema.toml), or learn from one \
                     text column with --text TABLE.COL"
                ))
                .into());
            }
            if self.keep_positives {
                return Err(Usage("--keep-positives is about rows of equal content, which related tables do not have; leave it out".into()).into());
            }
        } else {
            let mut refused = of_columns;
            refused.extend(database.modes.is_some().then_some("--modes"));
            if let Some(option) = refused.first() {
                return Err(Usage(format!(
                    "{option} does nothing with --database and --text, which learn from the words of one column; leave it out, \
                     or write the rows with their columns to one file and give that with --in"
                ))
                .into());
            }
        }
        Ok(())
    }

    /// How text becomes words. Refuses what does nothing for related tables, which have none.
    pub fn words(&self, words: &WordArguments) -> anyhow::Result<WordOptions> {
        self.check_database()?;
        if let (true, Some(option)) = (self.is_related(), words.given().first()) {
            return Err(Usage(format!(
                "{option} is about words, and related tables are learned from by keys and categories; leave it out, or learn \
                 from a text column with --text TABLE.COL"
            ))
            .into());
        }
        words.options()
    }

    pub fn problem(&self, run: &Run, quiet: bool) -> anyhow::Result<Problem> {
        self.problem_with(&Kept::Nothing, run, quiet)
    }

    /// The columns that are learned from, and those that say what rows are.
    pub fn wanted(&self, choice: &ColumnChoice) -> Wanted {
        Wanted::of(choice, self.label.as_deref())
    }

    /// The same with columns that are not learned from.
    pub fn problem_with(&self, kept: &Kept, run: &Run, quiet: bool) -> anyhow::Result<Problem> {
        self.files().check()?;
        if let (true, Some(places)) = (self.database.is_given(), &self.columns.text) {
            return self.documents(places, run);
        }
        if self.database.is_given() {
            return self.related(run);
        }
        let choice = self.columns.choice_beside(self.keep_positives)?;
        let label = self.label.as_deref();
        let mut beside = Beside::named(self.columns.vectors.as_deref()).map(Beside::open).transpose()?;
        // What stands in the files themselves.
        let in_files =
            ColumnChoice { vectors: choice.vectors.clone().filter(|_| beside.is_none()), ..choice.clone() };
        let mut read = |paths: &[PathBuf]| -> anyhow::Result<Table> {
            let vectors_alone = beside.is_some() && in_files.names_nothing();
            let wanted = match vectors_alone {
                true => Wanted::named(label, self.columns.id.as_deref()),
                false => self.wanted(&in_files),
            };
            let check = |table: &Table| match vectors_alone {
                true => Ok(()),
                false => in_files.check(table, label),
            };
            let mut table = reading::table(paths, &self.read, &wanted.and(kept), check, run, quiet)?;
            if let Some(beside) = &mut beside {
                beside.give(&mut table, beside::COLUMN)?;
            }
            Ok(table)
        };
        if self.is_sample() {
            if self.label.is_some() {
                return Err(Usage("--label marks rows of --in, which is missing".into()).into());
            }
            // Its topics are the truth, which nobody should be told to learn from.
            let text = choice.text.clone().or_else(|| {
                (choice.names_nothing() && choice.except.is_empty()).then(|| vec!["text".to_string()])
            });
            let choice = ColumnChoice { text, ..choice };
            return Ok(Problem::of_label(sample::table()?, sample::LABEL, &[sample::POSITIVE], &choice)?);
        }
        if self.pile.is_empty() {
            return Err(
                Usage("--like gives the examples; name the rows to search with --in FILE".into()).into()
            );
        }
        let problem = match &self.label {
            Some(label) => {
                let table = read(&self.pile)?;
                Problem::of_values(table, label, &self.positive, &self.negative, &choice)?
            }
            _ if self.like.is_empty() => return Err(Usage(WHICH_ROWS.into()).into()),
            _ => {
                let like = read(&self.like)?;
                let unlike = if self.unlike.is_empty() { None } else { Some(read(&self.unlike)?) };
                Problem::of_three(like, unlike, read(&self.pile)?, &choice)?
            }
        };
        beside.map_or(Ok(()), Beside::finish)?;
        Ok(problem)
    }
}
