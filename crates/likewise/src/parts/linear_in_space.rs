//! A linear model of rows in their space, cut where the prior says: what the methods of one refit give.

use std::sync::Arc;

use crate::data::{Data, PuData};
use crate::decide::{logistic, margin};
use crate::error::{Error, Result};
use crate::method::{Fitted, Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::parts::cut::Cut;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::{Logistic, SoftLabel, even_weight};
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
    /// How much of a score the neighbours have.
    pub amount: f64,
    /// Whether the model keeps the rows, to smooth new ones as it did the old.
    pub with_graph: bool,
    /// Whether a model without the rows learns from the smoothed scores instead.
    pub distil: bool,
}

/// How closely a model follows the scores that it is to have: C = 1, which suits marks, is too far from them.
const FOLLOWS: f64 = 10.0;

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
            Some(Smoothing { over, amount, with_graph, distil }) => {
                let smoothed = over.smooth(&margins, train, amount);
                if with_graph {
                    let smoother = over.for_new_rows(&margins, train, amount)?;
                    model.cut = cut(&smoother.smooth(&placed.x, &margins, run)?);
                    model.smoother = Some(smoother);
                } else if distil {
                    let scores = cut(&smoothed).scores(&smoothed);
                    model.model = distilled(&placed.x, train, &scores, over.rows(), &model.model, run)?;
                    model.cut = cut(&model.model.margins(&placed.x)?);
                }
                Arc::new(smoothed)
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

/// The linear model of scores that no linear model has made (Hinton et al. 2015 call it distilling): each row counts as
/// positive as far as its score says, marked rows as they are marked. Only rows that were smoothed teach it.
fn distilled(
    x: &Data,
    train: &PuData,
    scores: &[f64],
    among: Option<&[usize]>,
    start: &LinearModel,
    run: &Run,
) -> Result<LinearModel> {
    let believed = |row: usize| match (train.positive[row], train.unwanted[row]) {
        (true, _) => 1.0,
        (_, true) => 0.0,
        _ => logistic(margin(scores[row])),
    };
    let (x, rows) = match among {
        Some(rows) => (x.select(rows), rows.to_vec()),
        None => (x.clone(), (0..x.rows()).collect()),
    };
    let positive: Vec<f64> = rows.into_iter().map(believed).collect();
    let sum: f64 = positive.iter().sum();
    let others = positive.len() as f64 - sum;
    let weight = even_weight(sum, others);
    let label = |p: f64| SoftLabel { positive: p * weight / sum, negative: (1.0 - p) * weight / others };
    let labels: Vec<SoftLabel> = positive.into_iter().map(label).collect();
    Logistic { c: FOLLOWS, ..Logistic::default() }.fit(&x, &labels, Some(start), run)
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
