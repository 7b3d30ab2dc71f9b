//! NMFPUL: topics of which the first belongs to the positives (Nunes, Faleiros & Rossi 2023).
//!
//! V ≈ W H is factorised under the Kullback-Leibler divergence (`parts::nmf`), and after every update the
//! labelled rows are put back to the first topic (Algorithm 1): W(labelled, 0) ← max W, W(labelled, 1..) ← low.
//! A row is positive where the first topic outweighs every other.
//!
//! As printed, from a random start, the first topic is hardly more than any other: its F1 is near chance with few
//! labels. With `start=centroid` topic 0 begins at the mean of the labelled rows, which makes a real method of it;
//! that is the default. How many topics there are is chosen by hiding some of the positives. Use it when the pile has
//! several topics of similar size and the positives are one of them; where class sizes differ much, a ranking by
//! cosine does better.
//!
//! ```text
//! W_{i a} ← W_{i a} (Σ_j H_{a j} R_{i j}) / (Σ_j H_{a j})     R_{i j} = V_{i j} / (W H)_{i j}
//! H_{a j} ← H_{a j} (Σ_i W_{i a} R_{i j}) / (Σ_i W_{i a})
//! positive where  W_{i 0} h_0 > W_{i a} h_a  for every other topic a,     h_a = Σ_j H_{a j}
//! ```

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Csr, Kind, PuData};
use crate::decide::is_positive;
use crate::error::Result;
use crate::measure::recall_squared_per_accepted;
use crate::method::{Fitted, Method, Reading, Scores, Spec, Weights};
use crate::methods::prior::part_of_pile;
use crate::parts::nmf::{Batch, Decision, Entries, Factorisation, LANES, Panel, Real, TopicModel};
use crate::prior::hidden::deal;
use crate::run::Run;

/// Topics by non-negative factorisation, the first one held to the positives; for piles of even topics.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NmfPul {
    /// How many topics, the positives' own included; none means as many as find hidden positives best
    #[schemars(range(min = 2, max = 1000))]
    pub topics: Option<usize>,
    /// How many times both factors are updated
    #[schemars(range(min = 1, max = 100000))]
    pub iterations: u64,
    /// Stop earlier when the divergence falls below this (looked at every ten updates; 0 is never)
    #[schemars(range(min = 0, max = 1e12))]
    pub tolerance: f64,
    /// What labelled rows keep of the other topics (the paper's epsilon)
    #[schemars(range(min = 0, max = 1))]
    pub low: f64,
    /// Where the factors begin
    pub start: Start,
    /// When a row is positive
    pub decision: Decision,
    /// How exactly to compute
    pub precision: Precision,
}

/// Where the factors begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Topic 0 at the mean of the labelled rows, the rest random at the scale of the data
    Centroid,
    /// Everything random between 0 and 1, as printed
    Uniform,
}

/// How exactly to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// 32 bits: several times as fast, the same to about five digits
    Single,
    /// 64 bits
    Double,
}

impl Default for NmfPul {
    fn default() -> Self {
        NmfPul {
            topics: None,
            iterations: 300,
            tolerance: 0.0,
            low: 0.001,
            start: Start::Centroid,
            decision: Decision::Mass,
            precision: Precision::Single,
        }
    }
}

impl Method for NmfPul {
    const SPEC: Spec = Spec {
        name: "nmfpul",
        family: "factor",
        title: "topics by non-negative factorisation, the first one held to the positives; for piles of even topics",
        paper: "Nunes, Faleiros & Rossi 2023, Positive unlabeled learning with non-negative matrix factorization",
        assumes: "Rows are mixtures of a few topics of similar size, of which the class is one. Where the number of topics is chosen, the examples must be a random draw of their class.",
        inputs: &[Kind::Sparse],
        weights: Weights::TfIdf,
        keeps: None,
    };
    type Model = TopicModel;

    fn readings() -> Vec<Reading<Self>> {
        let printed = NmfPul {
            topics: Some(PRINTED_TOPICS),
            start: Start::Uniform,
            decision: Decision::Argmax,
            ..NmfPul::default()
        };
        vec![
            Reading {
                name: "centroid",
                help: "Topic 0 starts at the labelled rows",
                parameters: NmfPul::default(),
            },
            Reading { name: "printed", help: "Algorithm 1 as printed: a uniform start", parameters: printed },
        ]
    }

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<TopicModel>> {
        let topics = match self.topics {
            Some(topics) => topics,
            None => self.topics_for(train, &run.ahead(0.8))?,
        };
        let method = NmfPul { topics: Some(topics), ..self.clone() };
        match self.precision {
            Precision::Single => method.fit_in::<f32>(train, run),
            Precision::Double => method.fit_in::<f64>(train, run),
        }
    }
}

impl NmfPul {
    /// As many topics as let the positives' own find positives that were hidden from it while it accepts little else:
    /// recall²/Pr[f = 1] of Lee and Liu, which is as large as F1 is.
    fn topics_for(&self, train: &PuData, run: &Run) -> Result<usize> {
        let part = part_of_pile(train, ENOUGH_ROWS, run);
        let train = part.as_ref().unwrap_or(train);
        let (v, positives, pile) = (train.x.sparse()?, train.positives(), train.unlabeled());
        if positives.len() < 2 {
            return Ok(PRINTED_TOPICS);
        }
        let folds = deal(positives.len(), FOLDS, run)?;
        let shown = |fold: &Vec<usize>| {
            let of_fold = |&(at, _): &(usize, &usize)| !fold.contains(&at);
            positives.iter().enumerate().filter(of_fold).map(|(_, &row)| row).collect()
        };
        let draws: Vec<Vec<usize>> = folds.iter().map(shown).collect();
        let mut best = (PRINTED_TOPICS, 0.0);
        for (at, topics) in CANDIDATES.into_iter().enumerate() {
            let run = &run.part(at, CANDIDATES.len());
            let scores = NmfPul { topics: Some(topics), ..self.clone() }.score_draws(v, &draws, run)?;
            let (mut found, mut accepted) = (0, 0);
            for (fold, scores) in folds.iter().zip(&scores) {
                found += fold.iter().filter(|&&at| is_positive(scores[positives[at]])).count();
                accepted += pile.iter().filter(|&&row| is_positive(scores[row])).count();
            }
            let recall = found as f64 / positives.len() as f64;
            let accepted = accepted as f64 / (pile.len() * folds.len()) as f64;
            let worth = recall_squared_per_accepted(recall, accepted.max(1.0 / pile.len() as f64));
            if worth > best.1 {
                best = (topics, worth);
            }
        }
        Ok(best.0)
    }

    fn k(&self) -> usize {
        self.topics.unwrap_or(PRINTED_TOPICS)
    }

    fn fit_in<T: Real>(&self, train: &PuData, run: &Run) -> Result<Fitted<TopicModel>> {
        let v = train.x.sparse()?;
        let matrix = Factorisation::new(Entries::new(v))?;
        let start = self.start::<T>(v, &train.positives(), &mut run.rng("nmfpul start", 0));
        let (w, h) = self.factorise(&matrix, start, &train.positives(), run)?;
        let model = self.model(&h);
        let scores = model.decide(v, &w);
        Ok(Fitted::new(model, scores))
    }

    /// Both factors after all updates, labelled rows held to topic 0 after each.
    fn factorise<T: Real>(
        &self,
        matrix: &Factorisation<'_, T>,
        (mut w, mut h): (Panel<T>, Panel<T>),
        labelled: &[usize],
        run: &Run,
    ) -> Result<(Panel<T>, Panel<T>)> {
        for round in 1..=self.iterations {
            run.step("nmfpul", round, self.iterations)?;
            matrix.step(&mut w, &mut h);
            let (largest, low) = (w.largest(), T::from_f64(self.low));
            for &i in labelled {
                w.row_mut(i).fill(low);
                w.row_mut(i)[0] = largest;
            }
            if self.tolerance > 0.0 && round % 10 == 0 && matrix.divergence(&w, &h) < self.tolerance {
                break;
            }
        }
        Ok((w, h))
    }

    fn model<T: Real>(&self, h: &Panel<T>) -> TopicModel {
        TopicModel::new(h, self.k(), self.decision)
    }

    /// The scores of several draws of labelled rows from one pile, side by side: the trials of a protocol.
    ///
    /// Draw `i` starts from the random stream `i` of the run. It costs less than fitting each draw on its own;
    /// the last few, which would leave most lanes empty, are fitted so. `tolerance` is not looked at, and without
    /// a number of topics there are ten.
    pub fn score_draws(&self, v: &Csr, draws: &[Vec<usize>], run: &Run) -> Result<Vec<Scores>> {
        let method = NmfPul { tolerance: 0.0, ..self.clone() };
        let matrix = Factorisation::new(Entries::new(v))?;
        let mut scores = Vec::new();
        for (batch, labelled) in draws.chunks(LANES).enumerate() {
            let start = |(draw, labelled): (usize, &Vec<usize>)| {
                let mut rng = run.rng("nmfpul start", (batch * LANES + draw) as u64);
                method.start::<f32>(v, labelled, &mut rng)
            };
            let starts = labelled.iter().enumerate().map(start);
            let factors: Vec<_> = if labelled.len() < FILLED_LANES {
                let alone =
                    starts.zip(labelled).map(|(start, rows)| method.factorise(&matrix, start, rows, run));
                alone.collect::<Result<_>>()?
            } else {
                method.factorise_together(&matrix, &starts.collect::<Vec<_>>(), labelled, run)?
            };
            scores.extend(factors.iter().map(|(w, h)| method.model(h).decide(v, w)));
        }
        Ok(scores)
    }

    fn factorise_together(
        &self,
        matrix: &Factorisation<'_, f32>,
        starts: &[(Panel<f32>, Panel<f32>)],
        labelled: &[Vec<usize>],
        run: &Run,
    ) -> Result<Vec<(Panel<f32>, Panel<f32>)>> {
        let mut factors = Batch::new(starts);
        for round in 1..=self.iterations {
            run.step("nmfpul", round, self.iterations)?;
            factors.step(matrix);
            for (draw, labelled) in labelled.iter().enumerate() {
                let largest = factors.largest(draw);
                for &i in labelled {
                    factors.set_row(draw, i, |a| if a == 0 { largest } else { self.low as f32 });
                }
            }
        }
        Ok(factors.finish())
    }

    fn start<T: Real>(&self, v: &Csr, labelled: &[usize], rng: &mut Pcg64) -> (Panel<T>, Panel<T>) {
        let k = self.k();
        if self.start == Start::Uniform {
            let w = Panel::filled(v.rows(), k, |_, _| rng.random_range(0.0..1.0));
            return (w, Panel::filled(v.cols, k, |_, _| rng.random_range(0.0..1.0)));
        }
        let mean = v.values.iter().map(|x| f64::from(*x)).sum::<f64>() / (v.rows() * v.cols) as f64;
        let scale = (mean / k as f64).sqrt();
        let mut random = |_, _| -> f64 {
            let normal: f64 = StandardNormal.sample(rng);
            scale * normal.abs()
        };
        let w = Panel::filled(v.rows(), k, &mut random);
        let mut h = Panel::<T>::filled(v.cols, k, &mut random);
        let centroid = v.column_sums(labelled.iter().copied());
        let total: f64 = centroid.iter().sum();
        let others = h.column_sums()[1..k].iter().sum::<f64>() / (k - 1) as f64;
        if total > 0.0 {
            for (j, sum) in centroid.iter().enumerate() {
                let random = SPARK * h.row(j)[0].to_f64();
                h.row_mut(j)[0] = T::from_f64((1.0 - SPARK) * sum / total * others + random);
            }
        }
        (w, h)
    }
}

/// What the paper's numbers fit; it never states its own.
const PRINTED_TOPICS: usize = 10;
/// How many topics are chosen from, fewest first.
pub const CANDIDATES: [usize; 6] = [2, 4, 7, 12, 20, 35];
/// Rows of the pile that tell how many topics are enough.
const ENOUGH_ROWS: usize = 5000;
/// Into how many folds positives are dealt to be hidden.
const FOLDS: usize = 5;
/// The random part of topic 0 at the centroid start. Without it, words that no labelled row has would stay at zero
/// for ever, since updates multiply.
const SPARK: f64 = 0.01;
/// With fewer draws than this, going side by side does not pay.
const FILLED_LANES: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CsrBuilder, Data};
    use crate::method::{Cause, Model};
    use std::sync::Arc;

    /// Three kinds of documents of five words each; every third is of the first kind; the last one is empty.
    fn three_kinds() -> (Csr, Vec<usize>) {
        let mut rng = Run::new(4).rng("kinds", 0);
        let mut x = CsrBuilder::with_capacity(15, 61, 0);
        for i in 0..60u32 {
            let mut row: Vec<(u32, f32)> = Vec::new();
            for j in 0..15u32 {
                let chance = if j / 5 == i % 3 { 0.7 } else { 0.05 };
                if rng.random_bool(chance) {
                    row.push((j, rng.random_range(0.2..1.0)));
                }
            }
            x.push_entries(if row.is_empty() { vec![(i % 3 * 5, 1.0)] } else { row });
        }
        x.push_entries([]);
        (x.finish(), vec![0, 3, 6])
    }

    fn train() -> PuData {
        let (x, labelled) = three_kinds();
        let positive = (0..61).map(|i| labelled.contains(&i)).collect();
        PuData::new(Data::Sparse(Arc::new(x)), positive).unwrap()
    }

    fn right(scores: &[f64]) -> usize {
        (0..60).filter(|i| (scores[*i] >= 0.5) == (i % 3 == 0)).count()
    }

    #[test]
    fn the_labelled_topic_is_found_in_either_precision() {
        let method = NmfPul { topics: Some(3), ..NmfPul::default() };
        let single = method.fit(&train(), &Run::new(0)).unwrap();
        assert!(right(&single.scores) >= 57, "{} of 60", right(&single.scores));
        assert_eq!(single.scores[60], 0.0, "an empty document is negative");
        assert!(single.scores[0] > 0.9, "a labelled row belongs to topic 0");
        let double = NmfPul { precision: Precision::Double, ..method }.fit(&train(), &Run::new(0)).unwrap();
        for (a, b) in single.scores.iter().zip(&double.scores) {
            assert!((a - b).abs() < 0.05, "{a} against {b}");
        }
    }

    #[test]
    fn new_rows_are_folded_in_and_explained() {
        let fitted = NmfPul { topics: Some(3), ..NmfPul::default() }.fit(&train(), &Run::new(0)).unwrap();
        let scores = fitted.model.score(&train().x, &Run::new(0)).unwrap();
        assert!(right(&scores) >= 57, "{} of 60", right(&scores));
        assert_eq!(scores[60], 0.0);
        let why = fitted.model.explain(&train().x, 0, 1).unwrap();
        assert!(matches!(why[0].cause, Cause::Feature(j) if j < 5) && why[0].push > 0.0, "{why:?}");
        let topic = fitted.model.portrait(5);
        assert!(topic.iter().all(|word| matches!(word.cause, Cause::Feature(j) if j < 5)), "{topic:?}");
        let most: f64 = topic.iter().map(|word| word.push).sum();
        assert!((0.8..=1.0).contains(&most), "{most}");
    }

    #[test]
    fn draws_side_by_side_are_the_draws_alone() {
        let (x, _) = three_kinds();
        let method = NmfPul { topics: Some(3), iterations: 50, ..NmfPul::default() };
        let draws: Vec<Vec<usize>> = (0..10).map(|d| vec![3 * d, 3 * d + 3]).collect();
        let together = method.score_draws(&x, &draws, &Run::new(0)).unwrap();
        assert_eq!(together.len(), 10);
        let positive = (0..61).map(|i| draws[0].contains(&i)).collect();
        let alone = PuData::new(Data::Sparse(Arc::new(x)), positive).unwrap();
        let alone = method.fit(&alone, &Run::new(0)).unwrap().scores;
        for (a, b) in together[0].iter().zip(&alone) {
            assert!((a - b).abs() < 0.02, "{a} against {b}");
        }
    }
}
