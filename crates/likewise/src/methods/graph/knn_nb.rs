//! kNN + NB: what the nearest positives find unlike them teaches naive Bayes which words are foreign.
//!
//! 1. kNN novelty (`knn-novelty`) on tf-idf calls some rows of the pile unlike the positives.
//! 2. Naive Bayes is counted on the positives against those rows. Every row is judged without itself: its own
//!    words are taken out of the class it was counted in, since a row's rare words would otherwise speak for the
//!    class it was put in. The statistic is the log-ratio per word, so that long rows are not extreme.
//! 3. ln(mean cosine) and log-ratio, both scaled by the positives' own mean and deviation, are added, and the
//!    conformal cut of `parts::conformal` is taken on the sum.
//!
//! Use it where `knn-novelty` is used, when there are enough words to count: it ranks better in most piles,
//! whether the unexpected are few or nearly all.
//!
//! ```text
//! f(x) = z(ln s(x)) + z(r(x)),     r(x) = 1/|x| Σ_w x_w ln Pr(w|+)/Pr(w|F)
//! Pr(w|c) = (α + n_{c,w}) / (α |V| + n_c),     z(v) = (v - mean_P v) / deviation_P v
//! ```
//!
//! where s(x) is the mean cosine of `knn-novelty`, F the rows that it called unlike the positives, |x| the words of a row and
//! |V| those there are.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::knn_novelty::{Likeness, mean_cosines};
use crate::codes;
use crate::data::{Csr, Data, Kind, PuData, SparseRow};
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::figures::percent;
use crate::method::{Cause, Fitted, Method, Model, Reason, Scores, Spec, Weights};
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::parts::conformal::{Goal, cut};
use crate::parts::knn_graph::CosineIndex;
use crate::parts::naive_bayes::counts;
use crate::parts::tf_idf::TfIdf;
use crate::run::Run;

/// KNN novelty refined by leave-one-out naive Bayes; for text, when few or most rows are unexpected.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnnNb {
    /// How many of the nearest positives are averaged
    #[schemars(range(min = 1, max = 1000))]
    pub k: usize,
    /// Whose estimated F1 the cuts make best
    pub goal: Goal,
    /// Added to every word count of naive Bayes
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub smoothing: f64,
}

impl Default for KnnNb {
    fn default() -> Self {
        KnnNb { k: 5, goal: Goal::Rarer, smoothing: 0.1 }
    }
}

impl Method for KnnNb {
    const SPEC: Spec = Spec {
        name: "knn-nb",
        family: "graph",
        title: "kNN novelty refined by leave-one-out naive Bayes; for text, when few or most rows are unexpected",
        paper: "extends kNN novelty (Ramaswamy, Rastogi & Shim 2000) with the two-step idea of Liu, Lee, Yu & Li 2002",
        assumes: "The examples are a random draw of their class: a positive of the pile is as like the examples nearest to it as these are to each other. Given the class, words occur independently of each other.",
        inputs: &[Kind::Sparse],
        weights: Weights::Count,
        keeps: Some("the positives it learned from"),
    };
    type Model = KnnNbModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<KnnNbModel>> {
        let x = counts(&train.x)?;
        let positives = train.positives();
        if positives.len() < 2 {
            return Err(Error::data(
                "knn-nb compares the positives with one another and needs two of them; mark more or use knn-novelty",
            ));
        }
        let weights = TfIdf::fit(x);
        let weighted = PuData { x: Data::Sparse(Arc::new(weights.apply(x))), ..train.clone() };
        let index = CosineIndex::new(&weighted.x.select(&positives))?;
        let likeness = Likeness::measure(&index, &weighted, self.k, run)?;
        let none = || Error::data("there is nothing to compare the positives with");
        let first = cut(&likeness.left_out, &likeness.pile, self.goal).ok_or_else(none)?;

        let pile = train.unlabeled();
        let foreign: Vec<bool> = likeness.pile.iter().map(|s| *s < first.threshold).collect();
        let foreign_rows = pile.iter().zip(&foreign).filter(|(_, foreign)| **foreign).map(|(i, _)| *i);
        let words = WordCounts {
            positive: x.column_sums(positives.iter().copied()),
            foreign: x.column_sums(foreign_rows),
            smoothing: self.smoothing,
        };
        let totals = words.totals();
        let ratio = |row: usize, member| words.ratio(x.row(row), member, totals);
        let left_out: Vec<f64> = positives.par_iter().map(|&i| ratio(i, Member::Positive)).collect();
        let of_pile: Vec<f64> = (pile.par_iter().zip(&foreign))
            .map(|(&i, &foreign)| ratio(i, if foreign { Member::Foreign } else { Member::None }))
            .collect();

        let of_likeness = Scale::of(likeness.left_out.iter().map(|s| log_likeness(*s)));
        let of_words = Scale::of(left_out.iter().copied());
        let sum = |(s, r): (&f64, &f64)| of_likeness.scale(log_likeness(*s)) + of_words.scale(*r);
        let left_out: Vec<f64> = likeness.left_out.iter().zip(&left_out).map(sum).collect();
        let of_pile: Vec<f64> = likeness.pile.iter().zip(&of_pile).map(sum).collect();
        let last = cut(&left_out, &of_pile, self.goal).ok_or_else(none)?;

        let mut sums = (left_out.iter(), of_pile.iter());
        let scores = train.positive.iter().enumerate().map(|(i, &positive)| {
            let side = if positive { &mut sums.0 } else { &mut sums.1 };
            let sum = side.next().expect("one sum a row");
            if x.row(i).sum() == 0.0 { 0.0 } else { squash(sum - last.threshold) }
        });
        let scores = scores.collect();
        let (p, q) = totals;
        let log_ratios = (0..x.cols).map(|j| words.log_ratio(words.positive[j], p, words.foreign[j], q));
        let model = KnnNbModel {
            log_ratios: log_ratios.collect(),
            weights,
            index,
            k: likeness.k,
            of_likeness,
            of_words,
            threshold: last.threshold,
        };
        let share = format!("about {} of the pile looks like the positives", percent(last.share));
        Ok(Fitted::new(model, scores).with_notes(vec![Note::info(&codes::LEARNED, share)]))
    }
}

/// Likeness of none at all still has to rank.
fn log_likeness(mean_cosine: f64) -> f64 {
    mean_cosine.max(1e-3).ln()
}

/// In which class a row was counted.
#[derive(Clone, Copy, PartialEq)]
enum Member {
    Positive,
    Foreign,
    None,
}

struct WordCounts {
    positive: Vec<f64>,
    foreign: Vec<f64>,
    smoothing: f64,
}

impl WordCounts {
    fn totals(&self) -> (f64, f64) {
        (self.positive.iter().sum(), self.foreign.iter().sum())
    }

    fn log_ratio(&self, positive: f64, positives: f64, foreign: f64, foreigns: f64) -> f64 {
        let all = self.smoothing * self.positive.len() as f64;
        let log = |count: f64, total: f64| ((count + self.smoothing) / (total + all)).ln();
        log(positive, positives) - log(foreign, foreigns)
    }

    /// The mean log-ratio of a row's words, its own counts taken out of the class it is a member of.
    fn ratio(&self, row: SparseRow<'_>, member: Member, (mut p, mut q): (f64, f64)) -> f64 {
        let length = row.sum();
        if length == 0.0 {
            return 0.0;
        }
        let out_of = |class| if member == class { 1.0 } else { 0.0 };
        let (from_positive, from_foreign) = (out_of(Member::Positive), out_of(Member::Foreign));
        p -= from_positive * length;
        q -= from_foreign * length;
        let logs = row.iter().map(|(j, v)| {
            let v = f64::from(v);
            let (a, b) = (self.positive[j] - from_positive * v, self.foreign[j] - from_foreign * v);
            v * self.log_ratio(a.max(0.0), p.max(0.0), b.max(0.0), q.max(0.0))
        });
        logs.sum::<f64>() / length
    }
}

/// The mean and deviation of the positives' own statistics.
#[derive(Clone, Copy, Debug)]
struct Scale {
    mean: f64,
    deviation: f64,
}

impl Scale {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let n = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / n;
        let variance = values.map(|v| (v - mean).powi(2)).sum::<f64>() / n;
        Scale { mean, deviation: if variance > 1e-12 { variance.sqrt() } else { 1.0 } }
    }

    fn scale(&self, value: f64) -> f64 {
        (value - self.mean) / self.deviation
    }
}

/// Known rows, classes and the cut.
pub struct KnnNbModel {
    weights: TfIdf,
    /// The positives, as tf-idf.
    index: CosineIndex,
    k: usize,
    log_ratios: Vec<f64>,
    of_likeness: Scale,
    of_words: Scale,
    threshold: f64,
}

impl KnnNbModel {
    fn likeness(&self, x: &Csr, run: &Run) -> Result<Vec<f64>> {
        if x.cols != self.log_ratios.len() {
            let message =
                format!("the model knows {} features, the rows have {}", self.log_ratios.len(), x.cols);
            return Err(Error::data(message));
        }
        let neighbours = self.index.query(&Data::Sparse(Arc::new(self.weights.apply(x))), self.k, run)?;
        let likeness = mean_cosines(&neighbours, self.k).into_iter();
        Ok(likeness.map(|s| self.of_likeness.scale(log_likeness(s))).collect())
    }
}

impl Model for KnnNbModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let x = counts(x)?;
        let score = |(i, likeness): (usize, f64)| {
            let row = x.row(i);
            let length = row.sum();
            if length == 0.0 {
                return 0.0;
            }
            let words = self.of_words.scale(row.dot(&self.log_ratios) / length);
            squash(likeness + words - self.threshold)
        };
        Ok(self.likeness(x, run)?.into_iter().enumerate().map(score).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.nested("positives", |out| self.index.save_training_rows(out));
        out.f32s("idf", &[self.weights.idf.len()], &self.weights.idf);
        out.f64s("log_ratios", &[self.log_ratios.len()], &self.log_ratios);
        let Scale { mean, deviation } = self.of_likeness;
        out.f64s("likeness_scale", &[2], &[mean, deviation]);
        let Scale { mean, deviation } = self.of_words;
        out.f64s("word_scale", &[2], &[mean, deviation]);
        out.number("threshold", self.threshold);
        out.value("k", &self.k);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let scale = |name: &str| match file.read_f64s(name)?[..] {
            [mean, deviation] => Ok(Scale { mean, deviation }),
            _ => Err(Error::model_file(format!("`{name}` is not a mean and a deviation"))),
        };
        let model = KnnNbModel {
            weights: TfIdf { idf: file.read_f32s("idf")? },
            index: CosineIndex::load(&file.nested("positives"))?,
            k: file.value("k")?,
            log_ratios: file.read_f64s("log_ratios")?,
            of_likeness: scale("likeness_scale")?,
            of_words: scale("word_scale")?,
            threshold: file.number("threshold")?,
        };
        let features = Some(model.log_ratios.len());
        if model.index.rows().cols() != features || model.weights.idf.len() != model.log_ratios.len() {
            return Err(Error::model_file("its parts do not fit together"));
        }
        Ok(model)
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let x = counts(x)?.select(&[row]);
        let length = x.row(0).sum();
        let push = |(j, v)| (j, f64::from(v) * self.log_ratios[j] / (length * self.of_words.deviation));
        let mut reasons = Reason::strongest(x.row(0).iter().map(push), top);
        let likeness = self.likeness(&x, &Run::new(0))?[0];
        let cause = Cause::Statement(format!("likeness to the {} nearest positives", self.k));
        reasons.push(Reason { cause, push: likeness });
        reasons.sort_by(|a, b| b.push.abs().total_cmp(&a.push.abs()));
        reasons.truncate(top);
        Ok(reasons)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_judged_without_itself() {
        let words = WordCounts { positive: vec![3.0, 2.0], foreign: vec![0.0, 2.0], smoothing: 1.0 };
        let x = Csr::new(2, vec![0, 2], vec![0, 1], vec![2.0, 1.0]).unwrap();
        // Without it the positives are left with each word once: Pr(0|+) = Pr(1|+) = 1/2, while the foreign
        // rows have Pr(0) = 1/4, Pr(1) = 3/4.
        let wanted = (2.0 * 2f64.ln() + (2.0f64 / 3.0).ln()) / 3.0;
        assert!((words.ratio(x.row(0), Member::Positive, words.totals()) - wanted).abs() < 1e-12);
        // As a stranger it is judged by all counts: Pr(0|+) = 4/7, Pr(1|+) = 3/7.
        let wanted = (2.0 * (16.0f64 / 7.0).ln() + (4.0f64 / 7.0).ln()) / 3.0;
        assert!((words.ratio(x.row(0), Member::None, words.totals()) - wanted).abs() < 1e-12);
    }

    #[test]
    fn foreign_words_are_learned() {
        // Positives of words 0-2; the pile has two such rows and three of words 3-5, one of which shares word 0.
        let rows: [&[u32]; 11] = [
            &[0, 1],
            &[1, 2],
            &[0, 2],
            &[0, 1, 2],
            &[0, 1],
            &[1, 2],
            &[0, 2],
            &[3, 4],
            &[4, 5],
            &[0, 3, 4, 5],
            &[],
        ];
        let mut x = crate::data::CsrBuilder::with_capacity(6, 11, 0);
        rows.iter().for_each(|row| x.push_entries(row.iter().map(|j| (*j, 1.0))));
        let train =
            PuData::new(Data::Sparse(Arc::new(x.finish())), (0..11).map(|i| i < 5).collect()).unwrap();
        let fitted = KnnNb::default().fit(&train, &Run::new(0)).unwrap();
        assert!(fitted.scores[5] >= 0.5 && fitted.scores[6] >= 0.5, "{:?}", fitted.scores);
        assert!(fitted.scores[7..].iter().all(|s| *s < 0.5), "{:?}", fitted.scores);
        let why = fitted.model.explain(&train.x, 9, 9).unwrap();
        let push = |j| why.iter().find(|r| r.cause == Cause::Feature(j)).unwrap().push;
        assert!(push(0) > 0.0 && push(4) < 0.0);
        assert_eq!(fitted.model.score(&train.x, &Run::new(0)).unwrap()[10], 0.0);
    }
}
