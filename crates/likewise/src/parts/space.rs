//! Where linear models and cosines live: words as they are, numbers under a Nyström map.

use std::sync::Arc;

use crate::data::Data;
use crate::error::Result;
use crate::method::{Model, Reason};
use crate::model_file::{Reader, Writer};
use crate::parts::linear::LinearModel;
use crate::parts::nystrom::Nystrom;
use crate::run::Run;

pub enum Space {
    AsGiven,
    Mapped(Nystrom),
}

impl Space {
    /// The space for these rows, and the rows in it.
    pub fn fit(x: &Data, run: &Run) -> Result<(Space, Data)> {
        let space = match x {
            Data::Dense(x) => Space::Mapped(Nystrom::fit(x, run)?),
            _ => Space::AsGiven,
        };
        let mapped = space.map(x)?;
        Ok((space, mapped))
    }

    pub fn map(&self, x: &Data) -> Result<Data> {
        match self {
            Space::AsGiven => Ok(x.clone()),
            Space::Mapped(map) => Ok(Data::Dense(Arc::new(map.map(x.dense()?)?))),
        }
    }

    /// Why a model of this space gives a row its margin, in terms of the row's own features.
    pub fn explain(&self, model: &LinearModel, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        match self {
            Space::AsGiven => model.explain(x, row, top),
            Space::Mapped(map) => {
                let pushes = map.pushes(x.dense()?, row, &model.weights)?;
                Ok(Reason::strongest(pushes.into_iter().enumerate(), top))
            }
        }
    }

    /// Whether a feature of a row is a feature in the space.
    pub fn keeps_features(&self) -> bool {
        matches!(self, Space::AsGiven)
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
