//! Prototype: cosine to the mean of the positives (Pazzani & Billsus 1997).
//!
//! The pile is not looked at. The threshold rejects a chosen share of the positives themselves: a row is
//! positive if it lies as near to their mean as that share's worst. Use it for a quick look, or when the
//! pile is small; wherever the pile has something to say, methods that listen to it are better.
//!
//! ```text
//! f(x) = ½ + ½ cos(x, Σ_{p ∈ P} p),     positive where f(x) ≥ t
//! ```
//!
//! where t leaves a share `reject` of the positives below it.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rejection::threshold;
use crate::data::{Data, Kind, PuData};
use crate::decide::recenter;
use crate::error::{Error, Result};
use crate::method::{
    Candidacy, ColumnCounts, CountMethod, Counted, Effort, Fitted, Method, Model, Reason, Scores, Spec,
    Weights,
};
use crate::model_file::{Reader, Writer};
use crate::parts::linear::RowView;
use crate::run::Run;

/// Cosine to the mean of the positives; the pile is not used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prototype {
    /// Share of the positives that the threshold rejects
    #[schemars(range(min = 0.0, max = 1.0))]
    pub reject: f64,
}

impl Default for Prototype {
    fn default() -> Self {
        Prototype { reject: 0.1 }
    }
}

impl Method for Prototype {
    const SPEC: Spec = Spec {
        name: "prototype",
        family: "nearest",
        title: "cosine to the mean of the positives; the pile is not used",
        paper: "Pazzani & Billsus 1997, Learning and revising user profiles",
        assumes: "The class is one region around its mean direction, of which the examples are a random draw. Of the pile nothing is assumed.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const HIDDEN_CUT: bool = true;
    const POOL: &'static [Candidacy] =
        &[Candidacy { place: 65, kinds: &[Kind::Vectors], from: Effort::Normal, parameters: &[] }];
    const COUNTED: Option<Counted<Self>> = Some(Counted::NEW);
    type Model = PrototypeModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<PrototypeModel>> {
        self.fit_by_counting(train, run)
    }
}

/// The pile has a say in how rare words are, and in nothing else.
impl CountMethod for Prototype {
    type Counts = ();

    fn count(&self, _: &PuData) -> Result<()> {
        Ok(())
    }

    fn of_columns(&self, _: &ColumnCounts) -> Result<()> {
        Ok(())
    }

    fn finish(&self, marked: &PuData, _: &(), _: &Run) -> Result<PrototypeModel> {
        let x = RowView::of(&marked.x)?;
        let positives = marked.positives();
        let mut direction = vec![0.0; x.cols()];
        for &i in &positives {
            x.add_scaled(i, 1.0, &mut direction);
        }
        let length = direction.iter().map(|v| v * v).sum::<f64>().sqrt();
        if length > 0.0 {
            direction.iter_mut().for_each(|v| *v /= length);
        }
        let mut model = PrototypeModel { direction, threshold: 0.0 };
        let similarities = positives.iter().map(|&i| model.similarity(x, i)).collect();
        model.threshold = threshold(similarities, self.reject);
        Ok(model)
    }
}

/// The mean of the positives and the cut.
#[derive(Clone, Debug)]
pub struct PrototypeModel {
    /// The mean positive, scaled to length 1.
    direction: Vec<f64>,
    threshold: f64,
}

impl PrototypeModel {
    /// (1 + cosine) / 2; an empty row is at right angles to everything.
    fn similarity(&self, x: RowView<'_>, row: usize) -> f64 {
        let mut squares = 0.0;
        x.for_each_entry(row, |_, v| squares += v * v);
        if squares == 0.0 {
            return 0.5;
        }
        let cosine = x.dot(row, &self.direction) / squares.sqrt();
        0.5 + 0.5 * cosine.clamp(-1.0, 1.0)
    }

    fn rows_of<'a>(&self, x: &'a Data) -> Result<RowView<'a>> {
        let x = RowView::of(x)?;
        if x.cols() == self.direction.len() {
            return Ok(x);
        }
        let message =
            format!("the model knows {} features, the rows have {}", self.direction.len(), x.cols());
        Err(Error::data(message))
    }
}

impl Model for PrototypeModel {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        let x = self.rows_of(x)?;
        let score = |i| recenter(self.similarity(x, i), self.threshold);
        Ok((0..x.len()).into_par_iter().with_min_len(256).map(score).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.f64s("direction", &[self.direction.len()], &self.direction);
        out.f64s("threshold", &[1], &[self.threshold]);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let empty = || Error::model_file("`threshold` is empty");
        let threshold = *file.read_f64s("threshold")?.first().ok_or_else(empty)?;
        Ok(PrototypeModel { direction: file.read_f64s("direction")?, threshold })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let mut pushes = Vec::new();
        self.rows_of(x)?.for_each_entry(row, |j, v| pushes.push((j, v * self.direction[j])));
        Ok(Reason::strongest(pushes, top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    #[test]
    fn a_right_angle_by_hand() {
        // Positives (1,0) and (0,1): the mean points at 45°, both lie at cosine √½, and so does (2,0).
        let values = vec![1.0, 0.0, 0.0, 1.0, 3.0, 3.0, 2.0, 0.0, -1.0, -1.0];
        let x = Data::Dense(Arc::new(Dense::new(5, 2, values).unwrap()));
        let train = PuData::new(x, vec![true, true, false, false, false]).unwrap();
        let fitted = Prototype::default().fit(&train, &Run::new(0)).unwrap();
        assert!((fitted.model.threshold - (0.5 + 0.5 * 0.5f64.sqrt())).abs() < 1e-8);
        assert!((fitted.scores[2] - 1.0).abs() < 1e-9 && fitted.scores[4] < 1e-9);
        assert!(fitted.scores[3] >= 0.5 && fitted.scores[3] < 0.5 + 1e-6);
    }
}
