//! Where linear models and cosines live: words and embeddings as they are, numbers under a Nyström map.

use std::sync::Arc;

use crate::data::Data;
use crate::error::Result;
use crate::method::{Cause, Model, Reason};
use crate::model_file::{Reader, Writer};
use crate::parts::nystrom::Nystrom;
use crate::run::{Key, Run};

/// Rows in their space.
pub struct Placed {
    pub space: Arc<Space>,
    pub x: Data,
}

pub enum Space {
    AsGiven,
    Mapped(Nystrom),
}

impl Space {
    /// The space for these rows, and the rows in it.
    pub fn fit(x: &Data, run: &Run) -> Result<(Space, Data)> {
        let space = match x {
            Data::Dense(x) if !x.are_directions() => Space::Mapped(Nystrom::fit(x, run)?),
            _ => Space::AsGiven,
        };
        let mapped = space.map(x)?;
        Ok((space, mapped))
    }

    /// The same, once for all fits of a run that shares. Rows that were placed before stay where they are.
    pub fn of(x: &Data, run: &Run) -> Result<Arc<Placed>> {
        let key = |x: &Data| Key::new("space", x.identity());
        let placed = run.shared(key(x), || {
            let (space, x) = Space::fit(x, run)?;
            Ok(Placed { space: Arc::new(space), x })
        })?;
        let there = Placed { space: Arc::new(Space::AsGiven), x: placed.x.clone() };
        run.keep(key(&placed.x), Arc::new(there));
        Ok(placed)
    }

    pub fn map(&self, x: &Data) -> Result<Data> {
        match self {
            Space::AsGiven => Ok(x.clone()),
            Space::Mapped(map) => Ok(Data::Dense(Arc::new(map.map(x.dense()?)?))),
        }
    }

    /// Why a model of this space gives a row its raw score, in terms of the row's own features.
    pub fn explain(&self, model: &dyn Model, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        match (self, model.weights()) {
            (Space::AsGiven, _) => model.explain(x, row, top),
            (Space::Mapped(map), Some(weights)) => {
                let pushes = map.pushes(x.dense()?, row, weights)?;
                Ok(Reason::strongest(pushes.into_iter().enumerate(), top))
            }
            (Space::Mapped(_), None) => {
                // A column of the space says nothing to anybody.
                let mut reasons = model.explain(&self.map(&x.select(&[row]))?, 0, top)?;
                reasons.retain(|reason| !matches!(reason.cause, Cause::Feature(_)));
                Ok(reasons)
            }
        }
    }

    /// The features that count most whatever the row, where a feature of a row is one of the space.
    pub fn portrait(&self, model: &dyn Model, top: usize) -> Vec<Reason> {
        match self {
            Space::AsGiven => model.portrait(top),
            Space::Mapped(_) => Vec::new(),
        }
    }

    pub fn save(&self, out: &mut Writer) {
        out.value("mapped", &matches!(self, Space::Mapped(_)));
        if let Space::Mapped(map) = self {
            out.nested("map", |out| map.save(out));
        }
    }

    pub fn load(file: &Reader) -> Result<Self> {
        Ok(if file.value("mapped")? {
            Space::Mapped(Nystrom::load(&file.nested("map"))?)
        } else {
            Space::AsGiven
        })
    }
}
