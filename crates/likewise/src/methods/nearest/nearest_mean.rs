//! NEAREST-MEAN: the mean cosine to the k nearest positives.
//!
//! The pile is not looked at. A few positives together are harder to be like by chance than the nearest one alone
//! (`nearest`), and unlike one mean of all of them (`prototype`) they may be of several kinds. A positive is not its own
//! neighbour. Use it where the pile is mostly positive, to see what is least like the examples.
//!
//! ```text
//! f(x) = (|x|) / (|x|_n) · 1/k Σ cos(x, p)   over the k positives p most like x
//! ```
//!
//! |x|_n is the length of a row in which no word counts for more than one that stands in every n-th row, n being the
//! number of positives. A rarer word is not expected in any of them, so that a row that holds it is not less like them;
//! and the larger the pile, the more such words are known. For numbers |x|_n = |x|.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rejection::threshold;
use crate::data::{Data, Kind, PuData};
use crate::decide::recenter;
use crate::error::{Error, Result};
use crate::features::words::idf;
use crate::method::{Candidacy, Cause, Effort, Fitted, Method, Model, Reason, Scores, Spec, Weights};
use crate::model_file::{Reader, Writer};
use crate::parts::knn_graph::CosineIndex;
use crate::run::Run;

const LENGTHS: &str = "lengths";

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
        assumes: "The class lies in one or several clusters, and the examples, a random draw of it, are a few in each. Of the pile nothing is assumed.",
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
        let lengths = lengths(&train.x, positives.len());
        let mut model = NearestMeanModel { index, lengths, k: self.k as usize, threshold: 0.0 };
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

/// How much of its weight each column counts for the length of a row; of dense rows all.
fn lengths(x: &Data, positives: usize) -> Vec<f32> {
    let Data::Sparse(x) = x else { return Vec::new() };
    let rows = x.rows() as u64;
    let most = idf([rows / positives.max(1) as u64], rows)[0];
    idf(x.document_frequencies(), rows).into_iter().map(|idf| (most / idf).min(1.0)).collect()
}

/// The positives and the cut.
pub struct NearestMeanModel {
    index: CosineIndex,
    lengths: Vec<f32>,
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

    /// |x| / |x|_n of a row.
    fn stretch(&self, x: &Data, row: usize) -> f64 {
        let (Data::Sparse(x), false) = (x, self.lengths.is_empty()) else { return 1.0 };
        let (mut full, mut bounded) = (0.0, 0.0);
        for (column, value) in x.row(row).iter() {
            let squared = f64::from(value) * f64::from(value);
            full += squared;
            bounded += squared * f64::from(self.lengths[column]).powi(2);
        }
        if bounded > 0.0 { (full / bounded).sqrt() } else { 1.0 }
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
            self.stretch(&train.x, i) * others.map(|(_, c)| f64::from(c)).sum::<f64>() / k.max(1) as f64
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
        let mean = |i: usize| {
            let cosines = found.of(i).map(|(_, c)| f64::from(c)).sum::<f64>();
            self.stretch(x, i) * cosines / k.max(1) as f64
        };
        Ok((0..x.rows()).map(mean).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.value("k", &self.k);
        out.number("threshold", self.threshold);
        out.f32s(LENGTHS, &[self.lengths.len()], &self.lengths);
        self.index.save_training_rows(out);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let (k, threshold) = (file.value("k")?, file.number("threshold")?);
        let index = CosineIndex::load(file)?;
        // Files of older versions have none: rows are as long as they are.
        let lengths = if file.has_numbers(LENGTHS) { file.read_f32s(LENGTHS)? } else { Vec::new() };
        let fits = lengths.is_empty() || Some(lengths.len()) == index.rows().cols();
        match fits && lengths.iter().all(|share| *share > 0.0 && *share <= 1.0) {
            true => Ok(NearestMeanModel { index, lengths, k, threshold }),
            false => Err(Error::model_file("the lengths of its columns are damaged")),
        }
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
    use crate::data::{Csr, Dense};

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

    #[test]
    fn a_word_that_no_positive_can_be_expected_to_hold_makes_a_row_no_longer() {
        // Word 0 stands in four of five rows, word 1 in one, which is fewer than every second, as there are two positives.
        let rows = vec![0, 1, 2, 4, 5, 5];
        let x = Csr::new(2, rows, vec![0, 0, 0, 1, 0], vec![1.0; 5]).unwrap();
        let train = PuData::new(Data::Sparse(Arc::new(x)), (0..5).map(|i| i < 2).collect()).unwrap();
        let fitted = NearestMean::default().fit(&train, &Run::new(0)).unwrap();
        // idf(word 1) = ln 3 + 1, no more than ln 2 + 1 counts; two positives, each with one other.
        let share = (2f64.ln() + 1.0) / (3f64.ln() + 1.0);
        let expected = [0.5, 0.5, 1.0 / (1.0 + share * share).sqrt(), 1.0, 0.0];
        let raw = fitted.raw.unwrap();
        for (raw, expected) in raw.iter().zip(expected) {
            assert!((raw - expected).abs() < 1e-6, "{raw} {expected}");
        }
        let mut out = Writer::default();
        fitted.model.save(&mut out).unwrap();
        let kept = NearestMeanModel::load(&Reader::new(out.finish().unwrap()).unwrap()).unwrap();
        assert_eq!(kept.raw(&train.x, &Run::new(0)).unwrap()[2..], raw[2..]);
    }
}
