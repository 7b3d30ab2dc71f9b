//! NEAREST-MEAN: the mean cosine to the k nearest positives.
//!
//! The pile is not looked at. A few positives together are harder to be like by chance than the nearest one alone
//! (`nearest`), and unlike one mean of all of them (`prototype`) they may be of several kinds. A positive is not its own
//! neighbour. Use it where the pile is mostly positive, to see what is least like the examples.
//!
//! ```text
//! f(x) = 1/k Σ cos(x, p)   over the k positives p most like x
//! ```

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rejection::threshold;
use crate::data::{Data, Kind, PuData};
use crate::decide::recenter;
use crate::error::Result;
use crate::method::{Candidacy, Cause, Effort, Fitted, Method, Model, Reason, Scores, Spec, Weights};
use crate::model_file::{Reader, Writer};
use crate::parts::knn_graph::CosineIndex;
use crate::run::Run;

/// Mean cosine to the few nearest positives; ranks a pile that is mostly positive.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NearestMean {
    /// How many of the nearest positives are asked; all where there are fewer
    #[schemars(range(min = 1, max = 10_000))]
    pub k: u32,
    /// Share of the positives that the threshold rejects
    #[schemars(range(min = 0.0, max = 1.0))]
    pub reject: f64,
}

impl Default for NearestMean {
    fn default() -> Self {
        NearestMean { k: 5, reject: 0.1 }
    }
}

impl Method for NearestMean {
    const SPEC: Spec = Spec {
        name: "nearest-mean",
        family: "nearest",
        title: "mean cosine to the few nearest positives; ranks a pile that is mostly positive",
        paper: "this project; after Manevitz & Yousef 2001 and k-nearest neighbours",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("the positives it learned from"),
    };
    const POOL: &'static [Candidacy] = &[Candidacy {
        place: 60,
        kinds: &[Kind::Sparse, Kind::Dense],
        from: Effort::Normal,
        parameters: &[],
    }];
    type Model = NearestMeanModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<NearestMeanModel>> {
        let positives = train.positives();
        let index = CosineIndex::new(&train.x.select(&positives))?;
        let mut model = NearestMeanModel { index, k: self.k as usize, threshold: 0.0 };
        let raw = model.raw_of_training(train, run)?;
        // With few positives each has fewer others than there are to ask.
        let (asked, others) = (model.asked(), model.asked().min(positives.len() - 1));
        let similarities = match others {
            0 => vec![1.0],
            _ => positives.iter().map(|&i| raw[i] * asked as f64 / others as f64).collect(),
        };
        model.threshold = threshold(similarities, self.reject);
        let scores = model.cut(&raw);
        Ok(Fitted::new(model, scores).with_raw(Arc::new(raw)))
    }
}

/// The positives and the cut.
pub struct NearestMeanModel {
    index: CosineIndex,
    k: usize,
    threshold: f64,
}

impl NearestMeanModel {
    fn asked(&self) -> usize {
        self.k.min(self.index.rows().rows())
    }

    fn cut(&self, raw: &[f64]) -> Scores {
        raw.iter().map(|raw| recenter(*raw, self.threshold)).collect()
    }

    /// The raw scores of training rows; a positive is not its own neighbour.
    fn raw_of_training(&self, train: &PuData, run: &Run) -> Result<Vec<f64>> {
        let k = self.asked();
        let found = self.index.query(&train.x, k + 1, run)?;
        let mut place = 0;
        let mean = |i: usize| {
            let mut own = None;
            if train.positive[i] {
                own = Some(place);
                place += 1;
            }
            let others = found.of(i).filter(|(j, _)| Some(*j) != own).take(k);
            others.map(|(_, c)| f64::from(c)).sum::<f64>() / k.max(1) as f64
        };
        Ok((0..train.x.rows()).map(mean).collect())
    }
}

impl Model for NearestMeanModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        Ok(self.cut(&self.raw(x, run)?))
    }

    fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        let k = self.asked();
        let found = self.index.query(x, k, run)?;
        let mean = |i: usize| found.of(i).map(|(_, c)| f64::from(c)).sum::<f64>() / k.max(1) as f64;
        Ok((0..x.rows()).map(mean).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.value("k", &self.k);
        out.number("threshold", self.threshold);
        self.index.save_training_rows(out);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let (k, threshold) = (file.value("k")?, file.number("threshold")?);
        Ok(NearestMeanModel { index: CosineIndex::load(file)?, k, threshold })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let found = self.index.query(&x.select(&[row]), self.k.min(top), &Run::new(0))?;
        let like = |(j, cosine): (usize, f32)| Reason {
            cause: Cause::Statement(format!("is like positive example {} (cosine {cosine:.3})", j + 1)),
            push: f64::from(cosine),
        };
        Ok(found.of(0).map(like).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    #[test]
    fn a_positive_is_not_its_own_neighbour() {
        // Three positives along one axis and one along the other; a row between the axes has cosine 1/√2 to all.
        let values = vec![1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 0.0, 1.0, 1.0, 1.0, 4.0, 0.0];
        let x = Data::Dense(Arc::new(Dense::new(6, 2, values).unwrap()));
        let train = PuData::new(x, (0..6).map(|i| i < 4).collect()).unwrap();
        let method = NearestMean { k: 2, ..NearestMean::default() };
        let fitted = method.fit(&train, &Run::new(0)).unwrap();
        let expected = [1.0, 1.0, 1.0, 0.0, 0.5f64.sqrt(), 1.0];
        for (raw, expected) in fitted.raw.unwrap().iter().zip(expected) {
            assert!((raw - expected).abs() < 1e-6, "{raw} {expected}");
        }
        assert!((fitted.model.raw(&train.x, &Run::new(0)).unwrap()[3] - 0.5).abs() < 1e-6);
    }
}
