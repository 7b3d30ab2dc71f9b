//! Vectors that are made of a row's own text, by an embedding from outside.
//!
//! A model keeps the name and the hash of its embedding, not the embedding: whoever scores new rows gives it again.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::words::Documents;
use crate::codes;
use crate::data::{Dense, Table};
use crate::error::{Error, Result};
use crate::message::{Message, Setting};
use crate::run::Run;

/// What makes vectors of texts.
pub trait Embedding: Send + Sync + fmt::Debug {
    /// What the user calls it.
    fn name(&self) -> &str;

    /// Of its content, so that no other is taken for it.
    fn hash(&self) -> &str;

    /// How many numbers a vector has.
    fn width(&self) -> usize;

    /// Adds the vectors of the words of each text to the vector of that text, which is zeros before. Its length does not
    /// count, so a sum says what a mean would.
    fn add(&self, texts: &[&str], vectors: &mut [f32]);
}

const EMBED: Setting = Setting::with("embed", "FILE");
/// Texts that are embedded at once.
const CHUNK: usize = 256;

/// Text columns and the embedding that makes vectors of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Embedded {
    columns: Vec<String>,
    name: String,
    hash: String,
    /// None in a model that was read from a file, until it is given.
    #[serde(skip)]
    embedding: Option<Arc<dyn Embedding>>,
    /// Those of the table at hand, where they were made before.
    #[serde(skip)]
    known: Option<Arc<Dense>>,
}

impl PartialEq for Embedded {
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns && self.hash == other.hash
    }
}

impl Embedded {
    /// These columns, joined, under this embedding.
    pub fn new(columns: Vec<String>, embedding: Arc<dyn Embedding>) -> Self {
        let (name, hash) = (embedding.name().into(), embedding.hash().into());
        Embedded { columns, name, hash, embedding: Some(embedding), known: None }
    }

    /// The same for a table whose vectors were made already.
    pub(super) fn with_known(&self, vectors: Arc<Dense>) -> Self {
        Embedded { known: Some(vectors), ..self.clone() }
    }

    /// The same for any table.
    pub(super) fn of_any_table(&self) -> Self {
        Embedded { known: None, ..self.clone() }
    }

    /// The text columns that are read.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// What the user calls the embedding.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The embedding, where it is at hand.
    pub fn embedding(&self) -> Option<&Arc<dyn Embedding>> {
        self.embedding.as_ref()
    }

    /// Whether it is at hand, or which one is needed.
    pub fn needed(&self) -> Result<&Arc<dyn Embedding>> {
        self.embedding.as_ref().ok_or_else(|| {
            let text = format!("{}; give it with ", self.learned_with());
            Error::data(Message::new(&codes::EMBEDDING, text).setting(EMBED))
        })
    }

    /// Takes the one that was learned with, and no other.
    pub(super) fn give(&mut self, embedding: Arc<dyn Embedding>, width: usize) -> Result<()> {
        if embedding.hash() != self.hash || embedding.width() != width {
            let (name, hash) = (embedding.name(), embedding.hash());
            let text = format!(
                "{}, and `{name}` is another (hash {hash}); give that one with ",
                self.learned_with()
            );
            return Err(Error::data(Message::new(&codes::EMBEDDING, text).setting(EMBED)));
        }
        self.embedding = Some(embedding);
        Ok(())
    }

    fn learned_with(&self) -> String {
        format!("the model learned with the embedding `{}` (hash {})", self.name, self.hash)
    }

    /// The vectors of the rows, of length 1; zeros where no word is known.
    pub(super) fn vectors(&self, table: &Table, run: &Run) -> Result<Arc<Dense>> {
        if let Some(known) = &self.known {
            return Ok(known.clone());
        }
        let embedding = self.needed()?;
        let (documents, width) = (Documents::of(table, &self.columns, &[])?, embedding.width());
        let mut values = vec![0f32; documents.len() * width];
        let (done, total) = (AtomicU64::new(0), documents.len() as u64);
        run.install(|| {
            values.par_chunks_mut(CHUNK * width).enumerate().try_for_each(|(chunk, vectors)| {
                let rows = CHUNK * chunk..(CHUNK * (chunk + 1)).min(documents.len());
                for column in documents.columns() {
                    let texts: Vec<&str> = rows.clone().map(|row| column.get(row)).collect();
                    embedding.add(&texts, vectors);
                }
                vectors.chunks_exact_mut(width).for_each(to_length_1);
                let rows = rows.len() as u64;
                run.step("embedding", rows + done.fetch_add(rows, Ordering::Relaxed), total)
            })
        })?;
        Ok(Arc::new(Dense::new(documents.len(), width, values)?.into_directions()))
    }
}

fn to_length_1(vector: &mut [f32]) {
    let length = vector.iter().map(|v| f64::from(*v) * f64::from(*v)).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|v| *v = (f64::from(*v) / length) as f32);
    }
}
