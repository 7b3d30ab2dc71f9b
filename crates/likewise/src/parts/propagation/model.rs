//! New rows get the weighted mean of what their nearest training rows have.

use super::spread::Spread;
use crate::data::Data;
use crate::error::{Error, Result};
use crate::method::{Cause, Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::parts::knn_graph::CosineIndex;
use crate::run::Run;

/// The training rows with the labels that reached them.
pub struct SpreadModel {
    pub index: CosineIndex,
    pub spread: Spread,
    pub k: usize,
}

impl SpreadModel {
    /// The positive and the negative amount of one new row, from its neighbours.
    fn mean(&self, neighbours: impl Iterator<Item = (usize, f32)>) -> (f64, f64) {
        neighbours.fold((0.0, 0.0), |(positive, negative), (j, cosine)| {
            let weight = f64::from(cosine);
            (positive + weight * self.spread.positive[j], negative + weight * self.spread.negative[j])
        })
    }
}

impl Model for SpreadModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let neighbours = self.index.query(x, self.k, run)?;
        let score = |i| {
            let (positive, negative) = self.mean(neighbours.of(i));
            Spread::score(positive, negative)
        };
        Ok((0..neighbours.len()).map(score).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.index.save_training_rows(out);
        out.f64s("positive", &[self.spread.positive.len()], &self.spread.positive);
        out.f64s("negative", &[self.spread.negative.len()], &self.spread.negative);
        out.value("k", &self.k);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let index = CosineIndex::load(file)?;
        let spread = Spread { positive: file.read_f64s("positive")?, negative: file.read_f64s("negative")? };
        let rows = index.rows().rows();
        if spread.positive.len() != rows || spread.negative.len() != rows {
            return Err(Error::model_file("its labels do not fit its rows"));
        }
        Ok(SpreadModel { index, spread, k: file.value("k")? })
    }

    /// The neighbours that decide, with their share of the decision.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let neighbours = self.index.query(&x.select(&[row]), self.k, &Run::new(0))?;
        let total: f64 = neighbours.of(0).map(|(_, cosine)| f64::from(cosine)).sum();
        let mut reasons: Vec<Reason> = neighbours
            .of(0)
            .map(|(j, cosine)| {
                let push = f64::from(cosine) * (self.spread.positive[j] - self.spread.negative[j]) / total;
                Reason {
                    cause: Cause::Statement(format!("like training row {} (cosine {cosine:.2})", j + 1)),
                    push,
                }
            })
            .collect();
        reasons.sort_by(|a, b| b.push.abs().total_cmp(&a.push.abs()));
        reasons.truncate(top);
        Ok(reasons)
    }
}
