//! Rows of a table → rows of numbers, fitted on the training data and kept in the model.

pub mod columns;
pub mod rows;
pub mod scale;
pub mod words;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Column, Data, Kind, Table, Texts};
use crate::error::{Error, Result};
use crate::message::{Message, Setting};
use crate::method::Spec;
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::relations::KeptSchema;
use crate::run::Run;
use columns::{Columns, Style};
use rows::MatrixFeatures;
use words::{WordOptions, Words};

/// What of a table is learned from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// These columns, joined, as one document a row.
    Text(Vec<String>),
    /// These columns as numbers and categories.
    Columns(Vec<String>),
    /// The table's sparse features.
    Sparse,
}

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
        match input {
            Input::Text(columns) => {
                let texts = documents(table, columns)?;
                let (words, rows) = run.install(|| Words::fit(&texts, options, spec.weights, run))?;
                if words.terms().is_empty() && !texts.is_empty() {
                    return Err(Error::of(&codes::NO_USABLE_WORD, no_words(columns, &words)));
                }
                let features = Features::Words { columns: columns.clone(), words: Box::new(words) };
                Ok((features, Data::Sparse(Arc::new(rows)), Vec::new()))
            }
            Input::Columns(names) => {
                let style = if spec.inputs.contains(&Kind::Dense) { Style::Scaled } else { Style::Binned };
                let (columns, data, notes) = Columns::fit(table, names, style)?;
                Ok((Features::Columns(columns), data, notes))
            }
            Input::Sparse => {
                let sparse = sparse(table)?;
                let x = Data::Sparse(Arc::new(sparse.x.clone()));
                let (rows, x) = MatrixFeatures::fit(x, sparse.names.clone(), spec)?;
                Ok((Features::Matrix(rows), x, Vec::new()))
            }
        }
    }

    /// The rows of a new table under the features learned.
    pub fn transform(&self, table: &Table, run: &Run) -> Result<(Data, Vec<Note>)> {
        match self {
            Features::Words { columns, words } => {
                let texts = documents(table, columns)?;
                let rows = run.install(|| words.transform(&texts, run))?;
                Ok((Data::Sparse(Arc::new(rows)), Vec::new()))
            }
            Features::Columns(columns) => columns.transform(table),
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
        let Features::Words { columns, words } = self else {
            let (x, notes) = self.transform(table, run)?;
            return Ok((x, notes, Vec::new()));
        };
        let texts = documents(table, columns)?;
        let (rows, known) = run.install(|| words.transform_and_known(&texts, run))?;
        Ok((Data::Sparse(Arc::new(rows)), Vec::new(), known))
    }

    /// Rows that were learned from, each as it would be if it alone had not been there.
    pub fn as_if_new(&self, x: &Data) -> Data {
        match (self, x) {
            (Features::Words { words, .. }, Data::Sparse(x)) => Data::Sparse(Arc::new(words.as_if_new(x))),
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
            Features::Matrix(rows) => rows.name(j),
            Features::Related { .. } => format!("path {}", j + 1),
        }
    }

    /// Rows that hold nothing to judge: documents without a known word. Numbers always say something.
    pub fn blank_rows(&self, x: &Data) -> Vec<usize> {
        match (self, x) {
            (Features::Words { .. }, Data::Sparse(x)) => {
                (0..x.rows()).filter(|&i| x.row(i).is_empty()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The columns of a table that `transform` reads.
    pub fn columns_read(&self) -> Vec<String> {
        match self {
            Features::Words { columns, .. } => columns.clone(),
            Features::Columns(columns) => columns.names(),
            Features::Matrix(_) | Features::Related { .. } => Vec::new(),
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

/// One document a row: the given columns joined by a line break.
pub fn documents(table: &Table, columns: &[String]) -> Result<Texts> {
    let [first, more @ ..] = columns else {
        let message = Message::new(&codes::WHAT_TO_LEARN_FROM, "no text column was named; name one with ");
        return Err(Error::data(message.setting(Setting::with("text", "COLUMN"))));
    };
    let first = table.column(first)?;
    if let (Column::Text(texts), []) = (first, more) {
        return Ok(texts.clone());
    }
    let more: Vec<_> = more.iter().map(|name| table.column(name)).collect::<Result<_>>()?;
    let mut texts = Texts::new();
    for row in 0..table.rows() {
        texts.push(&first.cell(row));
        for column in &more {
            texts.extend_last("\n");
            texts.extend_last(&column.cell(row));
        }
    }
    Ok(texts)
}

fn sparse(table: &Table) -> Result<&crate::data::NamedSparse> {
    table
        .sparse
        .as_ref()
        .ok_or_else(|| Error::data("the input has no sparse features (svmlight or sparse ARFF)"))
}

fn no_words(columns: &[String], words: &Words) -> String {
    let columns: Vec<_> = columns.iter().map(|c| format!("`{c}`")).collect();
    let advice = "check that the right columns are named and that stop words and document-frequency limits leave something";
    format!("no usable word in {} with {:?} weights; {advice}", columns.join(", "), words.weights())
}
