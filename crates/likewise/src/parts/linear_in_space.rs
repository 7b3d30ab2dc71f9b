//! A linear model of rows in their space, cut where the prior says: what the methods of one refit give.

use std::sync::Arc;

use crate::data::{Data, PuData};
use crate::error::{Error, Result};
use crate::method::{Fitted, Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::parts::cut::Cut;
use crate::parts::linear::LinearModel;
use crate::parts::smoothing::{NewRowSmoother, Smoother};
use crate::parts::space::{Placed, Space};
use crate::run::Run;

pub struct LinearInSpace {
    space: Arc<Space>,
    model: LinearModel,
    /// Where new rows are smoothed too.
    smoother: Option<NewRowSmoother>,
    cut: Cut,
}

/// Neighbours over which the scores of a fit are smoothed.
pub struct Smoothing<'a> {
    pub over: &'a Smoother,
    /// Whether the model keeps the rows, to smooth new ones as it did the old.
    pub with_graph: bool,
}

impl LinearInSpace {
    /// The model with its training rows' scores: the share `prior` of the pile is positive. `margins` are the model's of
    /// the placed rows. New rows are cut by where they would stand as new ones, which smoothing tells apart.
    pub fn fitted(
        train: &PuData,
        prior: f64,
        placed: &Placed,
        model: LinearModel,
        margins: Arc<Vec<f64>>,
        smoothing: Option<Smoothing>,
        run: &Run,
    ) -> Result<Fitted<Self>> {
        let pile = train.unlabeled();
        let cut = |raw: &[f64]| Cut::at_share(&pile.iter().map(|&i| raw[i]).collect::<Vec<_>>(), prior);
        let mut model =
            LinearInSpace { space: placed.space.clone(), model, smoother: None, cut: cut(&margins) };
        let raw = match smoothing {
            None => margins,
            Some(Smoothing { over, with_graph }) => {
                if with_graph {
                    let smoother = over.for_new_rows(&margins, train)?;
                    model.cut = cut(&smoother.smooth(&placed.x, &margins, run)?);
                    model.smoother = Some(smoother);
                }
                Arc::new(over.smooth(&margins, train))
            }
        };
        let scores = cut(&raw).scores(&raw);
        Ok(Fitted::new(model, scores).with_raw(raw))
    }

    fn raw_in_space(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        let margins = self.model.margins(x)?;
        match &self.smoother {
            Some(smoother) => smoother.smooth(x, &margins, run),
            None => Ok(margins),
        }
    }
}

const LINEAR: &str = "linear";
const SMOOTHED: &str = "smoothed";

impl Model for LinearInSpace {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        Ok(self.cut.scores(&self.raw(x, run)?))
    }

    fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        self.raw_in_space(&self.space.map(x)?, run)
    }

    fn weights(&self) -> Option<&[f64]> {
        match &*self.space {
            Space::AsGiven => self.model.weights(),
            Space::Mapped(_) => None,
        }
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.cut.save(out);
        out.nested("space", |out| self.space.save(out));
        out.nested("ranker", |out| {
            out.value("scorer", &if self.smoother.is_some() { SMOOTHED } else { LINEAR });
            self.model.save(out)?;
            if let Some(smoother) = &self.smoother {
                smoother.save(out);
            }
            Ok(())
        })
    }

    fn load(file: &Reader) -> Result<Self> {
        let ranker = file.nested("ranker");
        let smoother = match ranker.value::<String>("scorer")?.as_str() {
            LINEAR => None,
            SMOOTHED => Some(NewRowSmoother::load(&ranker)?),
            other => return Err(Error::model_file(format!("unknown scorer `{other}`"))),
        };
        let space = Arc::new(Space::load(&file.nested("space"))?);
        Ok(LinearInSpace { space, model: LinearModel::load(&ranker)?, smoother, cut: Cut::load(file)? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        self.space.explain(&self.model, x, row, top)
    }

    fn portrait(&self, top: usize) -> Vec<Reason> {
        self.space.portrait(&self.model, top)
    }
}
