//! Which examples a vector is like: all that can be said in words of an embedding.

use crate::data::{Data, Table, Texts};
use crate::error::{Error, Result};
use crate::features::Features;
use crate::model_file::{Reader, Writer};
use crate::parts::knn_graph::CosineIndex;
use crate::run::Run;

/// The examples by their vectors.
pub struct Likeness {
    ids: Texts,
    index: CosineIndex,
}

/// Examples that are named as alike.
const NAMED: usize = 2;

impl Likeness {
    /// None where the features have no vectors.
    pub fn of(features: &Features, examples: &Table, ids: Texts, run: &Run) -> Result<Option<Self>> {
        let Some(x) = vectors(features, examples, run)? else { return Ok(None) };
        Ok(Some(Likeness { ids, index: CosineIndex::new(&x)? }))
    }

    /// `like examples m12, m40 (vector)` of the only row of a table; none where it has no vector.
    pub fn nearest(&self, features: &Features, row: &Table, run: &Run) -> Result<Option<String>> {
        let Some(x) = vectors(features, row, run)? else { return Ok(None) };
        let found = self.index.query(&x, NAMED.min(self.ids.len()), run)?;
        let names: Vec<&str> =
            found.of(0).filter(|(_, cosine)| *cosine > 0.0).map(|(j, _)| &self.ids[j]).collect();
        Ok(match names[..] {
            [] => None,
            [only] => Some(format!("like example {only} (vector)")),
            _ => Some(format!("like examples {} (vector)", names.join(", "))),
        })
    }

    /// Keeps them in a model file.
    pub fn save(&self, out: &mut Writer) {
        out.value("ids", &self.ids.len());
        out.texts("names", &self.ids);
        self.index.save(out);
    }

    /// Reads them from a model file.
    pub fn load(file: &Reader) -> Result<Self> {
        let ids = file.texts("names")?;
        let index = CosineIndex::load(file)?;
        if index.rows().rows() != ids.len() {
            return Err(Error::model_file("its examples have other names than vectors"));
        }
        Ok(Likeness { ids, index })
    }
}

/// The vectors of the rows alone.
fn vectors(features: &Features, table: &Table, run: &Run) -> Result<Option<Data>> {
    match features {
        Features::Vectors(_) => Ok(Some(features.transform(table, run)?.0)),
        Features::Joined(joined) => {
            let own = joined.blocks().map(|(block, _)| block).find(|b| matches!(b, Features::Vectors(_)));
            own.map(|block| Ok(block.transform(table, run)?.0)).transpose()
        }
        _ => Ok(None),
    }
}
