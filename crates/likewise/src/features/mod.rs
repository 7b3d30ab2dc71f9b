//! Rows of a table → rows of numbers, fitted on the training data and kept in the model.

pub(crate) mod cells;
pub mod columns;
pub mod dates;
pub mod embedding;
pub(crate) mod fields;
pub mod input;
pub mod joined;
pub(crate) mod numerals;
pub mod reasons;
pub mod rows;
pub mod scale;
pub mod vectors;
pub mod word_vectors;
pub mod words;

use std::sync::Arc;

use crate::codes;
use crate::data::{Data, Dense, Kind, Part, Table};
use crate::error::{Error, Result};
use crate::figures;
use crate::method::{ColumnCounts, Spec};
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::relations::KeptSchema;
use crate::run::Run;
use columns::{Columns, Style};
use embedding::{Embedded, Embedding};
pub use input::Input;
use joined::Joined;
use rows::MatrixFeatures;
use vectors::VectorColumns;
use words::{Documents, TermCounts, WordOptions, Words};

/// Fitted features of one kind.
#[derive(Clone, Debug)]
pub enum Features {
    /// Words of text columns.
    Words {
        /// The text columns, joined.
        columns: Vec<String>,
        /// The vocabulary and its weights.
        words: Box<Words>,
    },
    /// Numbers and categories.
    Columns(Columns),
    /// Embeddings.
    Vectors(VectorColumns),
    /// Several of these side by side.
    Joined(Joined),
    /// A matrix, taken as it is.
    Matrix(MatrixFeatures),
    /// None: examples are constants among facts. `target` is what they are examples of: `refund(orders)`.
    Related {
        /// What the examples are examples of: `refund(orders)`.
        target: String,
        /// How the tables were read; none for facts from files, and for models of older versions.
        schema: Option<Arc<KeptSchema>>,
    },
}

impl Features {
    /// Learns the features and returns the rows as the method wants them.
    pub fn fit(
        table: &Table,
        input: &Input,
        options: &WordOptions,
        spec: &Spec,
        run: &Run,
    ) -> Result<(Features, Data, Vec<Note>)> {
        if !options.times.is_empty() && input.text_names().is_empty() {
            let problem = "it says how often the words of text columns count, and no text is learned from";
            return Err(Error::parameter("times", problem));
        }
        Features::of_block(table, input, options, spec, run)
    }

    fn of_block(
        table: &Table,
        input: &Input,
        options: &WordOptions,
        spec: &Spec,
        run: &Run,
    ) -> Result<(Features, Data, Vec<Note>)> {
        match input {
            Input::Text(columns) => {
                let documents = Documents::of(table, columns, &options.times)?;
                let (words, rows) = run.install(|| Words::fit(documents, options, spec.weights, run))?;
                let features = Features::of_words(columns, words, rows.rows())?;
                Ok((features, Data::Sparse(Arc::new(rows)), Vec::new()))
            }
            Input::Columns(names) => {
                let style = if spec.inputs.contains(&Kind::Dense) { Style::Scaled } else { Style::Binned };
                let (columns, data, notes) = Columns::fit(table, names, style)?;
                Ok((Features::Columns(columns), data, notes))
            }
            Input::Vectors(names) if !spec.takes(Kind::Vectors) => Err(Error::of(
                &codes::WRONG_KIND,
                format!(
                    "method `{}` counts words and cannot learn from the vectors in {}; choose another method, or name text or columns",
                    spec.name,
                    quoted(names.iter())
                ),
            )),
            Input::Vectors(names) => {
                let (vectors, x) = VectorColumns::fit(table, names)?;
                Ok((Features::Vectors(vectors), x, Vec::new()))
            }
            Input::Embedded(made) => {
                let (vectors, x) = VectorColumns::make(table, made, run)?;
                Ok((Features::Vectors(vectors), x, Vec::new()))
            }
            Input::Joined(blocks) if spec.takes_joined() => {
                let (joined, x, notes) = Joined::fit(table, blocks, options, spec, run)?;
                Ok((Features::Joined(joined), x, notes))
            }
            Input::Joined(blocks) => {
                let Some(own) = blocks.iter().find(|block| block.readable_by(spec)) else {
                    return Err(Error::data("rows without a block hold nothing to learn from"));
                };
                let (features, x, mut notes) = Features::of_block(table, own, options, spec, run)?;
                let read = match own {
                    Input::Text(_) => "counts words",
                    _ if spec.takes(Kind::Dense) => "reads columns",
                    _ => "counts categories",
                };
                let others = blocks.iter().filter(|block| *block != own);
                let embedding = |block: &Input| match block {
                    Input::Embedded(made) => Some(made.name().to_string()),
                    _ => None,
                };
                let left_out: Vec<String> = others
                    .flat_map(|block| block.names().into_iter().cloned().chain(embedding(block)))
                    .collect();
                let left_out = quoted(left_out.iter());
                let text = format!("method `{}` {read}: it left out {left_out}", spec.name);
                notes.push(Note::warning(&codes::BLOCKS_LEFT_OUT, text));
                Ok((features, x, notes))
            }
            Input::Sparse => {
                let sparse = sparse(table)?;
                let x = Data::Sparse(Arc::new(sparse.x.clone()));
                let (rows, x) = MatrixFeatures::fit(x, sparse.names.clone(), spec)?;
                Ok((Features::Matrix(rows), x, Vec::new()))
            }
        }
    }

    /// Learns the words of some documents at hand and of others that were counted. Returns the rows of those at hand,
    /// and what the others add up to.
    pub fn with_counted(
        table: &Table,
        columns: &[String],
        others: TermCounts,
        options: &WordOptions,
        spec: &Spec,
        run: &Run,
    ) -> Result<(Features, Data, ColumnCounts)> {
        let documents = Documents::of(table, columns, &options.times)?;
        let with_counted = || Words::with_counted(&documents, others, options, spec.weights, run);
        let (words, rows, sums) = run.install(with_counted)?;
        Ok((Features::of_words(columns, words, rows.rows())?, Data::Sparse(Arc::new(rows)), sums))
    }

    fn of_words(columns: &[String], words: Words, rows: usize) -> Result<Features> {
        if words.terms().is_empty() && rows > 0 {
            return Err(Error::of(&codes::NO_USABLE_WORD, no_words(columns, &words)));
        }
        Ok(Features::Words { columns: columns.to_vec(), words: Box::new(words) })
    }

    /// The rows of a new table under the features learned.
    pub fn transform(&self, table: &Table, run: &Run) -> Result<(Data, Vec<Note>)> {
        match self {
            Features::Words { columns, words } => {
                let documents = Documents::of(table, columns, &words.options().times)?;
                let rows = run.install(|| words.transform(documents, run))?;
                Ok((Data::Sparse(Arc::new(rows)), Vec::new()))
            }
            Features::Columns(columns) => columns.transform(table),
            Features::Vectors(vectors) => Ok((vectors.transform(table, run)?, Vec::new())),
            Features::Joined(joined) => joined.transform(table, run),
            Features::Matrix(rows) => Ok((rows.transform_table(table)?, Vec::new())),
            Features::Related { target, .. } => Err(Error::data(format!(
                "the model is of `{target}`, about related tables or facts; give it those"
            ))),
        }
    }

    /// The same, and of each document the share of its words that are known; nothing of rows that are no documents.
    pub fn transform_and_known(
        &self,
        table: &Table,
        run: &Run,
    ) -> Result<(Data, Vec<Note>, Vec<Option<f32>>)> {
        match self {
            Features::Words { columns, words } => {
                let documents = Documents::of(table, columns, &words.options().times)?;
                let (rows, known) = run.install(|| words.transform_and_known(documents, run))?;
                Ok((Data::Sparse(Arc::new(rows)), Vec::new(), known))
            }
            Features::Joined(joined) => joined.transform_and_known(table, run),
            _ => {
                let (x, notes) = self.transform(table, run)?;
                Ok((x, notes, Vec::new()))
            }
        }
    }

    /// Rows that were learned from, each as it would be if it alone had not been there.
    pub fn as_if_new(&self, x: &Data) -> Data {
        match (self, x) {
            (Features::Words { words, .. }, Data::Sparse(x)) => Data::Sparse(Arc::new(words.as_if_new(x))),
            (Features::Joined(joined), Data::Sparse(rows)) => {
                joined.as_if_new(rows).unwrap_or_else(|_| x.clone())
            }
            _ => x.clone(),
        }
    }

    /// How the tables of a model of related tables were read at training, where the model knows.
    pub fn schema(&self) -> Option<&Arc<KeptSchema>> {
        match self {
            Features::Related { schema, .. } => schema.as_ref(),
            _ => None,
        }
    }

    /// What column `j` of the rows is called.
    pub fn name(&self, j: usize) -> String {
        match self {
            Features::Words { words, .. } if j < words.terms().len() => words.terms().get(j).to_string(),
            Features::Words { .. } => format!("feature {}", j + 1),
            Features::Columns(columns) => columns.name(j),
            Features::Vectors(vectors) => vectors.name(j),
            Features::Joined(joined) => match joined.block_of(j) {
                Some((block, own)) => block.name(own),
                None => format!("feature {}", j + 1),
            },
            Features::Matrix(rows) => rows.name(j),
            Features::Related { .. } => format!("path {}", j + 1),
        }
    }

    /// How many columns the rows have; none of their own for related tables.
    pub fn width(&self) -> usize {
        match self {
            Features::Words { words, .. } => words.terms().len(),
            Features::Columns(columns) => columns.width(),
            Features::Vectors(vectors) => vectors.width(),
            Features::Joined(joined) => joined.blocks().map(|(_, part)| part.columns.len()).sum(),
            Features::Matrix(rows) => rows.cols,
            Features::Related { .. } => 0,
        }
    }

    /// What stands side by side in a row; of a single kind it is that itself.
    pub fn blocks(&self) -> Vec<&Features> {
        match self {
            Features::Joined(joined) => joined.blocks().map(|(block, _)| block).collect(),
            other => vec![other],
        }
    }

    /// Which columns of the rows are of which block; none where there is only one.
    pub fn parts(&self) -> Vec<Part> {
        match self {
            Features::Joined(joined) => joined.blocks().map(|(_, part)| part).collect(),
            _ => Vec::new(),
        }
    }

    /// Rows that hold nothing to judge: documents without a known word, vectors of zeros. Numbers always say something.
    pub fn blank_rows(&self, x: &Data) -> Vec<usize> {
        match (self, x) {
            (Features::Words { .. } | Features::Joined(_), Data::Sparse(x)) => {
                (0..x.rows()).filter(|&i| x.row(i).values.iter().all(|v| *v == 0.0)).collect()
            }
            (Features::Vectors(_), Data::Dense(x)) => {
                (0..x.rows()).filter(|&i| x.row(i).iter().all(|v| *v == 0.0)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What is said of so many such rows.
    pub fn blank_note(&self, rows: usize) -> Note {
        let what = match self {
            Features::Vectors(_) => "without a vector, or with one of zeros,",
            Features::Joined(_) => "without a usable word or anything else",
            _ => "without a usable word",
        };
        blank_rows(what, rows)
    }

    /// The text and the embedding that makes vectors of it, where there is one.
    pub fn embedded(&self) -> Option<&Embedded> {
        self.blocks().into_iter().find_map(|block| match block {
            Features::Vectors(vectors) => vectors.made(),
            _ => None,
        })
    }

    /// The vectors that were made of text, out of the rows they are part of.
    fn made_vectors(&self, x: &Data) -> Result<Option<Arc<Dense>>> {
        let is_made = |features: &Features| features.embedded().is_some();
        let own = match (self, x) {
            (Features::Vectors(_), x) if is_made(self) => x.clone(),
            (Features::Joined(joined), Data::Sparse(x)) => {
                match joined.blocks().find(|(block, _)| is_made(block)) {
                    Some((_, part)) => part.of(x)?,
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        match own {
            Data::Dense(vectors) => Ok(Some(vectors)),
            Data::Sparse(_) | Data::Relational(_) => Ok(None),
        }
    }

    /// Gives a model that was read from a file the embedding it was learned with.
    pub fn give_embedding(&mut self, embedding: Arc<dyn Embedding>) -> Result<()> {
        if self.embedded().is_none() {
            return Err(Error::parameter("embed", "the model learned without an embedding; leave it out"));
        }
        let blocks = match self {
            Features::Joined(joined) => joined.blocks_mut(),
            other => std::slice::from_mut(other),
        };
        blocks.iter_mut().try_for_each(|block| match block {
            Features::Vectors(vectors) => vectors.give(embedding.clone()),
            _ => Ok(()),
        })
    }

    /// Whether there are vectors among the features.
    pub fn has_vectors(&self) -> bool {
        self.blocks().into_iter().any(|block| matches!(block, Features::Vectors(_)))
    }

    /// The columns of a table that `transform` reads.
    pub fn columns_read(&self) -> Vec<String> {
        match self {
            Features::Words { columns, .. } => columns.clone(),
            Features::Columns(columns) => columns.names(),
            Features::Vectors(vectors) => match vectors.made() {
                Some(made) => made.columns().to_vec(),
                None => vectors.names().to_vec(),
            },
            Features::Joined(joined) => {
                let mut names: Vec<String> = Vec::new();
                for name in joined.blocks().flat_map(|(block, _)| block.columns_read()) {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                names
            }
            Features::Matrix(_) | Features::Related { .. } => Vec::new(),
        }
    }

    /// Those of them that hold vectors.
    pub fn vector_columns(&self) -> Vec<String> {
        match self {
            Features::Vectors(vectors) => vectors.names().to_vec(),
            Features::Joined(joined) => {
                joined.blocks().flat_map(|(block, _)| block.vector_columns()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Keeps them in a model file.
    pub fn save(&self, out: &mut Writer) {
        match self {
            Features::Words { columns, words } => {
                out.value("kind", &"words");
                out.value("columns", columns);
                words.save(out);
            }
            Features::Columns(columns) => {
                out.value("kind", &"columns");
                columns.save(out);
            }
            Features::Vectors(vectors) => {
                out.value("kind", &"vectors");
                out.value("vectors", vectors);
            }
            Features::Joined(joined) => {
                out.value("kind", &"joined");
                joined.save(out);
            }
            Features::Matrix(rows) => {
                out.value("kind", &"rows");
                rows.save(out);
            }
            Features::Related { target, schema } => {
                out.value("kind", &"related");
                out.value("target", target);
                if let Some(schema) = schema {
                    out.value("schema", schema.as_ref());
                }
            }
        }
    }

    /// Reads them from a model file.
    pub fn load(file: &Reader) -> Result<Self> {
        Ok(match file.value::<String>("kind")?.as_str() {
            "words" => {
                Features::Words { columns: file.value("columns")?, words: Box::new(Words::load(file)?) }
            }
            "columns" => Features::Columns(Columns::load(file)?),
            "vectors" => {
                let vectors: VectorColumns = file.value("vectors")?;
                vectors.check()?;
                Features::Vectors(vectors)
            }
            "joined" => Features::Joined(Joined::load(file)?),
            "rows" => Features::Matrix(MatrixFeatures::load(file)?),
            "related" => {
                let schema = if file.has_value("schema") {
                    let kept: KeptSchema = file.value("schema")?;
                    kept.check()?;
                    Some(Arc::new(kept))
                } else {
                    None
                };
                Features::Related { target: file.value("target")?, schema }
            }
            other => return Err(Error::model_file(format!("unknown kind of features `{other}`"))),
        })
    }
}

/// So many rows say nothing.
pub(crate) fn blank_rows(what: &str, rows: usize) -> Note {
    let text = format!("{} {what} {} ranked last", figures::rows(rows), figures::are(rows));
    Note::info(&codes::BLANK_ROWS, text).field("rows", rows).field("what", what)
}

fn sparse(table: &Table) -> Result<&crate::data::NamedSparse> {
    table
        .sparse
        .as_ref()
        .ok_or_else(|| Error::data("the input has no sparse features (svmlight or sparse ARFF)"))
}

fn quoted<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn no_words(columns: &[String], words: &Words) -> String {
    let columns: Vec<_> = columns.iter().map(|c| format!("`{c}`")).collect();
    let advice = "check that the right columns are named and that stop words and document-frequency limits leave something";
    format!("no usable word in {} with {:?} weights; {advice}", columns.join(", "), words.weights())
}
