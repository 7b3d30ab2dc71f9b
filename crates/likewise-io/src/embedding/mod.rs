//! Static embeddings from files: what makes vectors of the rows' own text.
//!
//! A `.vec` or `.txt` file holds a word a line with its numbers, as word2vec, fastText and GloVe write them, packed or
//! not. A folder holds a table of numbers and the tokenizer that says which rows of it a text has, as model2vec writes
//! them.

mod hashed;
mod static_model;
mod table;
mod tokens;
mod word_list;
mod word_piece;

use std::path::Path;
use std::sync::Arc;

use likewise::features::embedding::Embedding;

use crate::compression::Compression;
use crate::error::{Error, Result};

/// Vectors are at most so long; a file that asks for more is none of vectors.
const WIDEST: usize = 1 << 16;
/// Larger numbers are none of a vector; sums of these stay finite however long the text is.
const LARGEST: f32 = 1e9;

/// The embedding in a file or folder.
///
/// ```
/// # fn main() -> likewise_io::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("tiny.vec");
/// std::fs::write(&path, "refund 1 0\nmoney 0 1\n").unwrap();
/// let embedding = likewise_io::embedding::read_embedding(&path)?;
/// assert_eq!((embedding.name(), embedding.width()), ("tiny.vec", 2));
/// # Ok(())
/// # }
/// ```
pub fn read_embedding(path: impl AsRef<Path>) -> Result<Arc<dyn Embedding>> {
    let path = path.as_ref();
    let name =
        path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    let metadata = std::fs::metadata(path).map_err(|e| Error::io(path.display().to_string(), e))?;
    let (_, inner) = Compression::of_name(path);
    let extension = Path::new(&inner).extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        _ if metadata.is_dir() => static_model::read(path, &path.join(static_model::TABLE), name),
        Some("safetensors") => static_model::read(path.parent().unwrap_or(Path::new("")), path, name),
        Some("vec" | "txt") => Ok(Arc::new(word_list::read(path, name)?)),
        _ => Err(Error::usage(format!(
            "{}: an embedding is a .vec or .txt file with a word and its numbers a line (also with .gz, .zst, .bz2 or .xz), or a folder of model2vec with {} and {}",
            path.display(),
            static_model::TABLE,
            static_model::TOKENIZER,
        ))),
    }
}

fn malformed(source: &Path, line: Option<u64>, problem: impl Into<String>) -> Error {
    Error::Malformed { source_name: source.display().to_string(), line, problem: problem.into() }
}
