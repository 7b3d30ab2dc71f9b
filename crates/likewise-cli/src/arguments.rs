//! Groups of arguments that several commands share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use likewise::features::words::{StopWords, Tokens, WordOptions};
use likewise::method::{Entry, Parameters, Weights, parse_settings};
use likewise::questions::ColumnChoice;
use likewise_io::database::{Database, ExampleList, Request};
use likewise_io::embedding::read_embedding;
use likewise_io::{Bytes, Encoding, Format, Output, ReadOptions, Separator, Source};

use crate::files::expand;

use crate::beside::{self, Beside};

/// The arguments do not go together; `run` turns it into exit code 2.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// What of the rows is learned from.
#[derive(Args)]
#[command(next_help_heading = "Columns")]
pub struct ColumnArguments {
    /// Text columns, joined [default: text; without it, and without the two below, the columns are looked at]
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',')]
    pub text: Option<Vec<String>>,
    /// Numbers, categories and dates, beside text and vectors; `all`: every column but id, label, text and vectors
    #[arg(long, value_name = "COL[,COL]|all", value_delimiter = ',')]
    pub features: Option<Vec<String>>,
    /// Columns of vectors (embeddings). Where examples and a pile are read, also a .npy file with a vector a row: those of
    /// --like first, then those of --unlike, then those of --in
    #[arg(long, value_name = "COL[,COL]|FILE.npy", value_delimiter = ',')]
    pub vectors: Option<Vec<String>>,
    /// Make vectors of the text, beside its words: word vectors in a .vec or .txt file, or a folder of model2vec
    #[arg(long, value_name = "FILE|FOLDER")]
    pub embed: Option<PathBuf>,
    /// Columns not to learn from; without the three above it means all that carry something but these, also where there
    /// is a column `text`
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',')]
    pub except: Vec<String>,
    /// What to call a row [default: id, else the row number, counted from 1]
    #[arg(long, value_name = "COL")]
    pub id: Option<String>,
}

/// The options of a list that were given.
fn given(options: &[(bool, &'static str)]) -> Vec<&'static str> {
    options.iter().filter(|(given, _)| *given).map(|(_, option)| *option).collect()
}

impl ColumnArguments {
    /// The options that were given beside `--text`, which a database has another use for, and `--embed`.
    pub fn of_columns(&self) -> Vec<&'static str> {
        given(&[
            (self.features.is_some(), "--features"),
            (self.vectors.is_some(), "--vectors"),
            (!self.except.is_empty(), "--except"),
            (self.id.is_some(), "--id"),
        ])
    }

    /// The options by which a later command reads the same columns of rows that `id` calls, as they are typed.
    pub fn again(&self) -> String {
        let columns = [("--text", &self.text), ("--features", &self.features), ("--vectors", &self.vectors)];
        let given = columns.iter().filter_map(|(option, names)| Some((*option, names.as_ref()?.join(","))));
        let except = (!self.except.is_empty()).then(|| ("--except", self.except.join(",")));
        let embed = self.embed.as_ref().map(|path| ("--embed", path.display().to_string()));
        given.chain(except).chain(embed).map(|(option, value)| format!(" {option} {value}")).collect()
    }

    /// For rows that hold their vectors themselves.
    pub fn choice(&self, keep_positives: bool) -> anyhow::Result<ColumnChoice> {
        if let Some(file) = Beside::named(self.vectors.as_deref()) {
            return Err(Usage(format!(
                "--vectors {}: here vectors are read from columns of the rows; keep them in a column of the file",
                file.display()
            ))
            .into());
        }
        self.choice_beside(keep_positives)
    }

    /// The same where vectors of a file may stand beside the rows: they are in a column of their own.
    pub fn choice_beside(&self, keep_positives: bool) -> anyhow::Result<ColumnChoice> {
        let vectors = match Beside::named(self.vectors.as_deref()) {
            Some(_) => Some(vec![beside::COLUMN.to_string()]),
            None => self.vectors.clone(),
        };
        Ok(ColumnChoice {
            text: self.text.clone(),
            features: self.features.clone(),
            vectors,
            embedding: self.embed.as_ref().map(read_embedding).transpose()?,
            except: self.except.clone(),
            every: false,
            id: self.id.clone(),
            keep_positives,
        })
    }
}

/// Related tables or facts instead of rows.
#[derive(Args)]
#[command(next_help_heading = "Related tables")]
pub struct DatabaseArguments {
    /// A SQLite file, a PostgreSQL URL, a folder of table files, or files of facts; may be repeated
    #[arg(long, value_name = "PATH|URL")]
    pub database: Vec<String>,
    /// What the examples are: a table or relation, with the types of its arguments where these are not known
    #[arg(long, value_name = "NAME|NAME(TYPE,…)", requires = "database")]
    pub target: Option<String>,
    /// What the columns of tables are, as `likewise schema` prints it; a model keeps the schema of its training
    #[arg(long, value_name = "FILE", requires = "database")]
    pub schema: Option<PathBuf>,
    /// Which literals rules may use, for facts [default: the mode file beside them]
    #[arg(long, value_name = "FILE", requires = "database")]
    pub modes: Option<PathBuf>,
    /// Possible examples to draw where --in is left out and they are too many to list
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "database")]
    pub draw: usize,
}

impl DatabaseArguments {
    pub fn is_given(&self) -> bool {
        !self.database.is_empty()
    }

    pub fn open(&self) -> anyhow::Result<Database> {
        let database = Database::open(&self.database)?;
        Ok(match &self.schema {
            Some(file) => database.with_schema(file)?,
            None => database,
        })
    }

    /// What is wrong with a model of words or columns that is given tables alone.
    pub fn text_is_missing(&self) -> Usage {
        Usage("the model is of words or columns; name a text column with --text table.column".into())
    }

    /// `like`, `unlike` and `pile` name examples: a file of atoms or keys, a table, or a SELECT.
    pub fn request(&self, target: &str, like: &[PathBuf], unlike: &[PathBuf], pile: &[PathBuf]) -> Request {
        let lists = |typed| names(typed).into_iter().map(ExampleList::Named).collect();
        Request {
            target: target.into(),
            modes: self.modes.clone(),
            like: lists(like),
            unlike: lists(unlike),
            pile: lists(pile),
            draw: self.draw,
        }
    }
}

/// What was typed where a file, a table or a SELECT may stand.
pub fn names(typed: &[PathBuf]) -> Vec<String> {
    typed.iter().map(|t| t.to_string_lossy().into_owned()).collect()
}

/// How files are read.
#[derive(Args, Default)]
#[command(next_help_heading = "Reading")]
pub struct ReadArguments {
    /// What standard input and files without a telling name (`.txt` is none) hold: csv, tsv, jsonl, json, parquet,
    /// arrow, npy, xlsx, text, svmlight, arff, ris, pubmed
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// What separates the cells of CSV and TSV, such as `;` or `tab` [default: found by looking]
    #[arg(long, value_name = "CHAR")]
    pub separator: Option<Separator>,
    /// What text files are written in, such as latin1, windows-1252, shift_jis [default: what a byte order mark says,
    /// else UTF-8]
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<Encoding>,
    /// Which sheet of .xlsx files is read [default: the first that holds something and is not hidden]
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
    /// Leave malformed rows out and count them, instead of stopping at the first
    #[arg(long)]
    pub skip_bad_rows: bool,
    /// Refuse tables that would need more memory with the work on them, such as 8G [default: what the machine has
    /// free]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Bytes>,
}

impl ReadArguments {
    /// The options that were given.
    pub fn given(&self) -> Vec<&'static str> {
        given(&[
            (self.format.is_some(), "--format"),
            (self.separator.is_some(), "--separator"),
            (self.encoding.is_some(), "--encoding"),
            (self.sheet.is_some(), "--sheet"),
            (self.skip_bad_rows, "--skip-bad-rows"),
            (self.memory.is_some(), "--memory"),
        ])
    }

    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            skip_bad_rows: self.skip_bad_rows,
            encoding: self.encoding,
            separator: self.separator,
            sheet: self.sheet.clone(),
            vectors: Some(Vec::new()),
            ..ReadOptions::default()
        }
    }

    pub fn sources(&self, paths: &[PathBuf]) -> anyhow::Result<Vec<Source>> {
        expand(paths)?.iter().map(|path| Ok(Source::parse(path, self.format)?)).collect()
    }
}

/// How answers are written.
#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub struct WriteArguments {
    /// In CSV and TSV, put a quote sign (') before cells that begin with = + - or @: spreadsheets run such cells as
    /// formulas
    #[arg(long)]
    pub safe_csv: bool,
}

impl WriteArguments {
    pub fn output(&self, path: &PathBuf) -> likewise_io::Result<Output> {
        Ok(Output::parse(path)?.with_safe_csv(self.safe_csv))
    }
}

/// How text becomes words. The defaults are those of `WordOptions`.
#[derive(Args)]
#[command(next_help_heading = "Words")]
pub struct WordArguments {
    /// How words count [default: what the method asks for]
    #[arg(long, value_enum)]
    weights: Option<WeightsArgument>,
    /// Words to leave out: those of a language that can be stemmed, none, or a file with one a line [default: none
    /// for short texts, those of their language for long ones]
    #[arg(long, value_name = "LANGUAGE|none|FILE")]
    stop_words: Option<String>,
    /// What counts as a word: runs of two letters or digits and more, or all tokens, which are single characters, marks
    /// (! ? % $ £ €) and the lengths of long numbers too [default: all where no stop words are left out, as of short texts]
    #[arg(long, value_enum, value_name = "KIND")]
    tokens: Option<TokensArgument>,
    /// How often a word of each text column counts, such as 3,1 for a title beside its text [default: once]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    times: Vec<u32>,
    /// Take letters without their accents: `é` as `e`
    #[arg(long)]
    fold_accents: bool,
    /// Take words of one stem as one, such as `english`, `german`, `spanish`
    #[arg(long, value_name = "LANGUAGE")]
    stemming: Option<String>,
    /// Also count runs of words: the longest run (`2`) or a range (`1-3`), up to 4
    #[arg(long, value_name = "N|M-N", value_parser = ngram_range)]
    ngrams: Option<(usize, usize)>,
    /// Leave out words that fewer documents hold [default: 2 for tfidf of 1000 documents or more, else 1]
    #[arg(long, value_name = "N")]
    min_documents: Option<u32>,
    /// Leave out words that a larger share of the documents hold
    #[arg(long, value_name = "SHARE")]
    max_share: Option<f64>,
    /// Keep only so many words, the most frequent
    #[arg(long, value_name = "N")]
    most_words: Option<usize>,
    /// Scale rows to length 1 also for count and binary weights (tfidf always does)
    #[arg(long)]
    unit_length: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum WeightsArgument {
    Count,
    Binary,
    Tfidf,
}

#[derive(Clone, Copy, ValueEnum)]
enum TokensArgument {
    Words,
    All,
}

fn ngram_range(text: &str) -> Result<(usize, usize), String> {
    let number =
        |part: &str| part.trim().parse::<usize>().map_err(|_| format!("`{text}` is not like 2 or 1-3"));
    match text.split_once('-') {
        Some((shortest, longest)) => Ok((number(shortest)?, number(longest)?)),
        None => Ok((1, number(text)?)),
    }
}

impl WordArguments {
    /// The options that were given.
    pub fn given(&self) -> Vec<&'static str> {
        let options = [
            (self.weights.is_some(), "--weights"),
            (self.stop_words.is_some(), "--stop-words"),
            (self.tokens.is_some(), "--tokens"),
            (!self.times.is_empty(), "--times"),
            (self.fold_accents, "--fold-accents"),
            (self.stemming.is_some(), "--stemming"),
            (self.ngrams.is_some(), "--ngrams"),
            (self.min_documents.is_some(), "--min-documents"),
            (self.max_share.is_some(), "--max-share"),
            (self.most_words.is_some(), "--most-words"),
            (self.unit_length, "--unit-length"),
        ];
        given(&options)
    }

    pub fn options(&self) -> anyhow::Result<WordOptions> {
        let mut options = WordOptions::default();
        if let Some(choice) = &self.stop_words {
            options.stop_words = match choice.to_lowercase().as_str() {
                "none" => StopWords::None,
                language if StopWords::is_language(language) => StopWords::of(language),
                _ => {
                    let list = std::fs::read_to_string(choice).map_err(|e| {
                        Usage(format!(
                            "--stop-words {choice}: {e}; give {}, none, or a file with one word a line",
                            StopWords::languages().join(", ")
                        ))
                    })?;
                    StopWords::These(list.split_whitespace().map(str::to_string).collect())
                }
            };
        }
        options.tokens = match self.tokens {
            Some(TokensArgument::Words) => Tokens::Words,
            Some(TokensArgument::All) => Tokens::All,
            None => Tokens::Auto,
        };
        options.times = self.times.clone();
        options.fold_accents = self.fold_accents;
        options.stemming = self.stemming.as_ref().map(|language| language.to_lowercase());
        options.ngrams = self.ngrams.unwrap_or(options.ngrams);
        options.min_documents = self.min_documents;
        options.max_share = self.max_share.unwrap_or(options.max_share);
        options.most_terms = self.most_words;
        options.unit_length = self.unit_length;
        options.weights = self.weights.map(|weights| match weights {
            WeightsArgument::Count => Weights::Count,
            WeightsArgument::Binary => Weights::Binary,
            WeightsArgument::Tfidf => Weights::TfIdf,
        });
        Ok(options)
    }
}

/// A method's parameters as typed.
#[derive(Args, Clone)]
pub struct SettingArguments {
    /// A parameter of the method (`likewise methods NAME` lists them); may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub settings: Vec<(String, String)>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not like name=value"))?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

impl SettingArguments {
    /// The parameters of this method.
    pub fn of(&self, entry: &'static dyn Entry) -> anyhow::Result<Parameters> {
        Ok(parse_settings(entry, &self.settings)?)
    }
}

/// The circumstances of a run.
#[derive(Args)]
#[command(next_help_heading = "Run")]
pub struct RunArguments {
    /// Seed of every random choice; the same seed gives the same bytes on any number of threads [default: 0]
    #[arg(long)]
    pub seed: Option<u64>,
    /// [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print nothing but the answer and errors
    #[arg(long, short)]
    pub quiet: bool,
}
