//! Nearest: cosine to the nearest positive (Manevitz & Yousef 2001).
//!
//! The pile is not looked at. The threshold rejects a chosen share of the positives, each measured by its
//! nearest other positive. Use it when the positives are of several kinds, which a mean would blur.
//!
//! ```text
//! f(x) = max_{p ∈ P} cos(x, p),     positive where f(x) ≥ t
//! ```
//!
//! where t leaves a share `reject` of the positives below it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rejection::threshold;
use crate::data::{Data, Kind, PuData};
use crate::decide::recenter;
use crate::error::{Error, Result};
use crate::method::{Cause, Fitted, Method, Model, Reason, Scores, Spec, Weights};
use crate::model_file::{Reader, Writer};
use crate::parts::knn_graph::{CosineIndex, Neighbours};
use crate::run::Run;

/// Cosine to the nearest positive, for positives of several kinds; the pile is not used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nearest {
    /// Share of the positives that the threshold rejects
    #[schemars(range(min = 0.0, max = 1.0))]
    pub reject: f64,
}

impl Default for Nearest {
    fn default() -> Self {
        Nearest { reject: 0.1 }
    }
}

impl Method for Nearest {
    const SPEC: Spec = Spec {
        name: "nearest",
        family: "nearest",
        title: "cosine to the nearest positive, for positives of several kinds; the pile is not used",
        paper: "Manevitz & Yousef 2001, One-class SVMs for document classification",
        assumes: "Every kind of row in the class is among the examples: a row of the class is like at least one of them. Of the pile nothing is assumed.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("the positives it learned from"),
    };
    const HIDDEN_CUT: bool = true;
    type Model = NearestModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<NearestModel>> {
        let positives = train.positives();
        let index = CosineIndex::new(&train.x.select(&positives))?;
        // A positive is not its own neighbour, but a training row of its own is scored like any other row.
        let others = index.graph(1, run)?;
        let similarities = match positives.len() {
            1 => vec![1.0],
            n => (0..n).map(|i| best(&others, i)).collect(),
        };
        let model = NearestModel { index, threshold: threshold(similarities, self.reject) };
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores))
    }
}

/// The positives and the cut.
pub struct NearestModel {
    index: CosineIndex,
    threshold: f64,
}

/// The largest cosine, 0 where nothing is alike.
fn best(neighbours: &Neighbours, row: usize) -> f64 {
    neighbours.of(row).next().map_or(0.0, |(_, cosine)| f64::from(cosine))
}

impl Model for NearestModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let neighbours = self.index.query(x, 1, run)?;
        Ok((0..x.rows()).map(|i| recenter(best(&neighbours, i), self.threshold)).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.f64s("threshold", &[1], &[self.threshold]);
        out.nested("positives", |out| self.index.save_training_rows(out));
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let empty = || Error::model_file("`threshold` is empty");
        let threshold = *file.read_f64s("threshold")?.first().ok_or_else(empty)?;
        Ok(NearestModel { index: CosineIndex::load(&file.nested("positives"))?, threshold })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let neighbours = self.index.query(&x.select(&[row]), top.max(1), &Run::default())?;
        let reason = |(positive, cosine): (usize, f32)| Reason {
            cause: Cause::Statement(format!("likeness to positive example {}", positive + 1)),
            push: f64::from(cosine),
        };
        Ok(neighbours.of(0).map(reason).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    #[test]
    fn two_kinds_of_positives_by_hand() {
        // Two positives along each axis, at 45° within a pair's own axis none: the nearest other positive
        // of each is its twin at cosine 1, so only rows along an axis pass.
        let values = vec![1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 3.0, 5.0, 0.0, 1.0, 1.0, -1.0, 0.0];
        let x = Data::Dense(Arc::new(Dense::new(7, 2, values).unwrap()));
        let positive = (0..7).map(|i| i < 4).collect();
        let fitted = Nearest::default().fit(&PuData::new(x, positive).unwrap(), &Run::new(0)).unwrap();
        assert!(fitted.scores[4] >= 0.5);
        assert!(fitted.scores[5] < 0.5 && fitted.scores[6] < fitted.scores[5]);
    }
}
