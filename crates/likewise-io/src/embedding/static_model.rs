//! A static model: a tokenizer, and a vector for each of its tokens, as model2vec writes them.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use likewise::features::embedding::Embedding;

use super::hashed::Hash;
use super::malformed;
use super::table::TokenVectors;
use super::tokens::Tokens;
use crate::error::{Error, Result};

pub const TABLE: &str = "model.safetensors";
pub const TOKENIZER: &str = "tokenizer.json";

struct StaticModel {
    name: String,
    hash: String,
    table: TokenVectors,
    tokens: Tokens,
}

/// The table at `path` and the tokenizer in the folder.
pub fn read(folder: &Path, path: &Path, name: String) -> Result<Arc<dyn Embedding>> {
    let hash = Hash::default();
    let read = |path: &Path| -> Result<Vec<u8>> {
        let bytes = std::fs::read(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                let near = format!("an embedding is a folder with {TABLE} and {TOKENIZER}");
                Error::NotFound { path: path.display().to_string(), near: Some(near) }
            }
            _ => Error::io(path.display().to_string(), e),
        })?;
        hash.add(&bytes);
        Ok(bytes)
    };
    let table = TokenVectors::parse(&read(path)?).map_err(|problem| malformed(path, None, problem))?;
    let path = folder.join(TOKENIZER);
    let tokens = Tokens::parse(&read(&path)?).map_err(|problem| malformed(&path, None, problem))?;
    if tokens.len() > table.tokens() {
        let problem = format!(
            "it has tokens up to number {}, and {TABLE} vectors for {}; take both from one model",
            tokens.len() - 1,
            table.tokens()
        );
        return Err(malformed(&path, None, problem));
    }
    Ok(Arc::new(StaticModel { name, hash: hash.digits(), table, tokens }))
}

impl fmt::Debug for StaticModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticModel")
            .field("name", &self.name)
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}

impl Embedding for StaticModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn hash(&self) -> &str {
        &self.hash
    }

    fn width(&self) -> usize {
        self.table.width()
    }

    fn add(&self, texts: &[&str], vectors: &mut [f32]) {
        // All tokens first: what waits for a vector from memory then does not keep the next word waiting.
        let (mut tokens, mut ends) = (Vec::new(), vec![0; texts.len()]);
        self.tokens.each(texts, |text, some| {
            // A token that the vocabulary does not list has no vector either.
            tokens.extend(some.iter().filter(|token| (**token as usize) < self.table.tokens()));
            ends[text] = tokens.len();
        });
        let mut start = 0;
        for (sum, end) in vectors.chunks_exact_mut(self.width()).zip(ends) {
            // A text without a token has no end of its own.
            let end = end.max(start);
            tokens[start..end].iter().for_each(|token| self.table.add(*token, sum));
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use safetensors::tensor::{Dtype, TensorView, serialize};

    use super::super::read_embedding;
    use super::*;

    type Tensor<'a> = (&'a str, Dtype, Vec<usize>, Vec<u8>);

    fn singles(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    fn folder(tensors: &[Tensor<'_>]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let views: Vec<(&str, TensorView<'_>)> = tensors
            .iter()
            .map(|(name, kind, shape, data)| (*name, TensorView::new(*kind, shape.clone(), data).unwrap()))
            .collect();
        std::fs::write(folder.path().join(TABLE), serialize(views, None).unwrap()).unwrap();
        let tokenizer = serde_json::json!({
            "version": "1.0",
            "pre_tokenizer": { "type": "Whitespace" },
            "model": { "type": "WordLevel", "unk_token": "[UNK]", "vocab": { "[UNK]": 0, "refund": 1, "money": 2 } },
        });
        std::fs::write(folder.path().join(TOKENIZER), tokenizer.to_string()).unwrap();
        folder
    }

    fn vector(folder: &tempfile::TempDir, text: &str) -> Vec<f32> {
        let embedding = read_embedding(folder.path()).unwrap();
        let mut vector = vec![0.0; embedding.width()];
        embedding.add(&[text], &mut vector);
        vector
    }

    const SIX: [f32; 6] = [9.0, 9.0, 1.0, 0.0, 0.5, 2.0];

    #[test]
    fn the_vectors_of_tokens_add_up_whatever_type_they_are_kept_in() {
        let halves = SIX.iter().flat_map(|v| half::f16::from_f32(*v).to_le_bytes()).collect();
        let doubles = SIX.iter().flat_map(|v| f64::from(*v).to_le_bytes()).collect();
        for tensor in [
            ("embeddings", Dtype::F32, vec![3, 2], singles(&SIX)),
            ("embedding.weight", Dtype::F16, vec![3, 2], halves),
            ("embeddings", Dtype::F64, vec![3, 2], doubles),
        ] {
            let folder = folder(&[tensor]);
            assert_eq!(vector(&folder, "refund unheard money money"), [2.0, 4.0]);
            assert_eq!(vector(&folder, "unheard"), [0.0, 0.0]);
        }
        let small = folder(&[("embeddings", Dtype::I8, vec![3, 1], vec![0, 3, 0xff])]);
        assert_eq!(vector(&small, "refund money"), [2.0]);
    }

    #[test]
    fn tokens_may_share_rows_and_have_weights() {
        let mapping: Vec<u8> = [0i64, 1, 1].iter().flat_map(|v| v.to_le_bytes()).collect();
        let folder = folder(&[
            ("embeddings", Dtype::F32, vec![2, 2], singles(&[9.0, 9.0, 1.0, 3.0])),
            ("mapping", Dtype::I64, vec![3], mapping),
            ("weights", Dtype::F32, vec![3], singles(&[1.0, 2.0, 0.5])),
        ]);
        assert_eq!(vector(&folder, "refund money"), [2.5, 7.5]);
    }

    #[test]
    fn a_file_beside_its_tokenizer_is_the_same_model() {
        let folder = folder(&[("embeddings", Dtype::F32, vec![3, 2], singles(&SIX))]);
        let of_folder = read_embedding(folder.path()).unwrap();
        let of_file = read_embedding(folder.path().join(TABLE)).unwrap();
        assert_eq!((of_file.name(), of_file.hash()), (TABLE, of_folder.hash()));
        std::fs::write(folder.path().join(TABLE), "{}").unwrap();
        let message = read_embedding(folder.path()).unwrap_err().to_string();
        assert!(message.contains("model.safetensors: cannot be read as safetensors ("), "{message}");
    }

    #[test]
    fn what_does_not_fit_together_is_said() {
        let six = || singles(&SIX);
        let ids = |ids: &[i32]| ids.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
        let good = || ("embeddings", Dtype::F32, vec![3, 2], six());
        for (tensors, problem) in [
            (vec![("other", Dtype::F32, vec![3, 2], six())], "it has no tensor `embeddings`, but `other`"),
            (vec![("embeddings", Dtype::F32, vec![6], six())], "its embeddings have the shape [6]"),
            (vec![("embeddings", Dtype::I32, vec![3, 2], six())], "its `embeddings` are of type I32"),
            (
                vec![("embeddings", Dtype::F32, vec![0, 2], vec![])],
                "its embeddings are 0 vectors of 2 numbers",
            ),
            (
                vec![("embeddings", Dtype::F32, vec![1, 2], singles(&[1.0, f32::NAN]))],
                "number 2 of its `embeddings` is NaN",
            ),
            (
                vec![("embeddings", Dtype::F32, vec![2, 3], six())],
                "it has tokens up to number 2, and model.safetensors vectors for 2",
            ),
            (
                vec![good(), ("mapping", Dtype::I32, vec![3], ids(&[0, 1, 3]))],
                "its `mapping` names rows beyond the 3",
            ),
            (
                vec![good(), ("mapping", Dtype::I32, vec![3], ids(&[0, 1, -1]))],
                "its `mapping` names rows beyond",
            ),
            (vec![good(), ("mapping", Dtype::F32, vec![3], ids(&[0, 1, 2]))], "its `mapping` is of type F32"),
            (
                vec![good(), ("weights", Dtype::F32, vec![2], singles(&[1.0, 1.0]))],
                "it has 2 weights for 3 tokens",
            ),
        ] {
            let message = read_embedding(folder(&tensors).path()).unwrap_err().to_string();
            assert!(message.contains(problem), "{problem}: {message}");
        }
        let alone = folder(&[good()]);
        std::fs::remove_file(alone.path().join(TOKENIZER)).unwrap();
        let message = read_embedding(alone.path()).unwrap_err().to_string();
        assert!(
            message
                .contains("tokenizer.json: there is no such file or folder (an embedding is a folder with"),
            "{message}"
        );
    }
}
