//! What of a table is learned from.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::embedding::{Embedded, Embedding};
use super::{Features, quoted};
use crate::codes;
use crate::data::{Data, Dense, Kind};
use crate::error::{Error, Result};
use crate::message::{Message, Setting};
use crate::method::Spec;

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
    /// These columns as embeddings.
    Vectors(Vec<String>),
    /// Vectors that are made of the text, which stands beside as a block of its own.
    Embedded(Embedded),
    /// Several of text, columns and vectors, each at most once and in this order.
    Joined(Vec<Input>),
}

impl Input {
    /// What the named columns make together; those of no kind make no block.
    pub fn blocks(text: Vec<String>, columns: Vec<String>, vectors: Vec<String>) -> Input {
        let all = [Input::Text(text), Input::Columns(columns), Input::Vectors(vectors)];
        let mut blocks: Vec<Input> = all.into_iter().filter(|block| !block.names().is_empty()).collect();
        match blocks.len() {
            0 => Input::Text(Vec::new()),
            1 => blocks.remove(0),
            _ => Input::Joined(blocks),
        }
    }

    /// The blocks of a row; a single one is its own.
    pub fn parts(&self) -> &[Input] {
        match self {
            Input::Joined(blocks) => blocks,
            other => std::slice::from_ref(other),
        }
    }

    /// Whether a method can learn from it, or from one of its blocks.
    pub fn readable_by(&self, spec: &Spec) -> bool {
        self.parts().iter().any(|part| match part {
            Input::Text(_) | Input::Sparse => spec.takes(Kind::Sparse),
            Input::Vectors(_) | Input::Embedded(_) => spec.takes(Kind::Vectors),
            Input::Columns(_) | Input::Joined(_) => true,
        })
    }

    /// The same with vectors that an embedding makes of the text.
    pub fn with_embedding(self, embedding: Arc<dyn Embedding>) -> Result<Input> {
        if let Some(given) = self.parts().iter().find(|part| matches!(part, Input::Vectors(_))) {
            let problem = format!(
                "there are vectors already, in {}; leave these or the embedding out",
                quoted(given.names().into_iter())
            );
            return Err(Error::parameter("embed", problem));
        }
        if self.text_names().is_empty() {
            let text = "an embedding makes vectors of text, and none is learned from; name it with ";
            let message = Message::new(&codes::WHAT_TO_LEARN_FROM, text);
            return Err(Error::data(message.setting(Setting::with("text", "COLUMN"))));
        }
        let made = Input::Embedded(Embedded::new(self.text_names().to_vec(), embedding));
        let mut blocks = self.parts().to_vec();
        blocks.push(made);
        Ok(Input::Joined(blocks))
    }

    /// The same for a table of which other rows were made already: what an embedding made of its text is not made again.
    pub fn knowing<'a>(
        &self,
        made: impl IntoIterator<Item = (&'a Features, &'a Data)>,
    ) -> Result<Cow<'_, Input>> {
        if !self.parts().iter().any(|part| matches!(part, Input::Embedded(_))) {
            return Ok(Cow::Borrowed(self));
        }
        let mut made = made.into_iter();
        let known = made.find_map(|(features, x)| features.made_vectors(x).transpose()).transpose()?;
        Ok(known.map_or(Cow::Borrowed(self), |vectors| Cow::Owned(self.with_vectors(&vectors))))
    }

    fn with_vectors(&self, vectors: &Arc<Dense>) -> Input {
        match self {
            Input::Embedded(made) => Input::Embedded(made.with_known(vectors.clone())),
            Input::Joined(blocks) => {
                Input::Joined(blocks.iter().map(|block| block.with_vectors(vectors)).collect())
            }
            other => other.clone(),
        }
    }

    /// All columns of a table that are learned from.
    pub fn names(&self) -> Vec<&String> {
        match self {
            Input::Text(names) | Input::Columns(names) | Input::Vectors(names) => names.iter().collect(),
            Input::Sparse | Input::Embedded(_) => Vec::new(),
            Input::Joined(blocks) => blocks.iter().flat_map(Input::names).collect(),
        }
    }

    /// The columns that are read as documents.
    pub fn text_names(&self) -> &[String] {
        let text = self.parts().iter().find_map(|part| match part {
            Input::Text(names) => Some(names.as_slice()),
            _ => None,
        });
        text.unwrap_or_default()
    }

    /// Whether rows have text or vectors, which say more than a few numbers: two that are equal are copies.
    pub fn is_telling(&self) -> bool {
        self.parts()
            .iter()
            .any(|part| matches!(part, Input::Text(_) | Input::Vectors(_) | Input::Embedded(_)))
    }
}
