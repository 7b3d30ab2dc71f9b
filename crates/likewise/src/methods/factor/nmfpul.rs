//! NMFPUL: topics of which the first belongs to the positives (Nunes, Faleiros & Rossi 2023).
//!
//! V ≈ W H is factorised under the Kullback-Leibler divergence (`parts::nmf`), and after every update the
//! labelled rows are put back to the first topic (Algorithm 1): W(labelled, 0) ← max W, W(labelled, 1..) ← low.
//! A row is positive where the first topic outweighs every other.
//!
//! As printed, from a random start, the first topic is hardly more than any other: its F1 is near chance with few
//! labels. With `start=centroid` topic 0 begins at the mean of the labelled rows, which makes a real method of it;
//! that is the default. How many topics is chosen by hiding some of the positives. Use it when the pile has several topics of similar size and the positives are one of
//! them; where class sizes differ much, a ranking by cosine does better.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Csr, Data, Kind, PuData};
use crate::decide::is_positive;
use crate::error::{Error, Result};
use crate::measure::recall_squared_per_accepted;
use crate::method::{Fitted, Method, Model, Reading, Reason, Scores, Spec, Weights};
use crate::model_file::{Reader, Writer};
use crate::parts::nmf::{Batch, Entries, Factorisation, LANES, Panel, Real, fold_in};
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

/// When a row is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Topic 0 explains more of the row than any other topic
    Mass,
    /// Topic 0 has the largest weight in W, whatever the topics' own scales, as printed
    Argmax,
    /// Topic 0 explains at least half of the row
    Share,
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
        let (mut rows, mut pile) = (train.positives(), train.unlabeled());
        let (part, _) = pile.partial_shuffle(&mut run.rng("nmfpul topics", 0), ENOUGH_ROWS);
        rows.extend_from_slice(part);
        rows.sort_unstable();
        let train = train.select(&rows);
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
        TopicModel { masses: self.masses(h), words: in_double(h), decision: self.decision }
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

    /// What a unit of each topic is worth in a row.
    fn masses<T: Real>(&self, h: &Panel<T>) -> Vec<f64> {
        match self.decision {
            Decision::Argmax => vec![1.0; self.k()],
            Decision::Mass | Decision::Share => h.column_sums()[..self.k()].to_vec(),
        }
    }
}

fn in_double<T: Real>(h: &Panel<T>) -> Panel<f64> {
    Panel::filled(h.rows(), h.columns(), |j, a| h.row(j)[a].to_f64())
}

/// The words of each topic; new rows are folded in with them fixed.
pub struct TopicModel {
    /// A row for each word.
    words: Panel<f64>,
    masses: Vec<f64>,
    decision: Decision,
}

/// What the paper's numbers fit; it never states its own.
const PRINTED_TOPICS: usize = 10;
/// What is chosen from, fewest first.
const CANDIDATES: [usize; 6] = [2, 4, 7, 12, 20, 35];
/// Rows of the pile that tell how many topics are enough.
const ENOUGH_ROWS: usize = 5000;
/// Into how many folds positives are dealt to be hidden.
const FOLDS: usize = 5;
/// The random part of topic 0 at the centroid start. Without it, words that no labelled row has would stay at zero
/// for ever, since updates multiply.
const SPARK: f64 = 0.01;
/// With fewer draws than this, going side by side does not pay.
const FILLED_LANES: usize = 5;
/// Enough for a convex fit of a few numbers.
const FOLDING: u64 = 100;

impl TopicModel {
    /// The rows, if they have as many words as the model.
    fn known<'a>(&self, x: &'a Data) -> Result<&'a Csr> {
        let v = x.sparse()?;
        if v.cols != self.words.rows() {
            let message = format!("the model knows {} features, the rows have {}", self.words.rows(), v.cols);
            return Err(Error::data(message));
        }
        Ok(v)
    }

    /// The first topic against the strongest other, or against all: at least 0.5 where the decision is positive.
    fn decide<T: Real>(&self, v: &Csr, w: &Panel<T>) -> Scores {
        let score = |i: usize| {
            if v.row(i).sum() == 0.0 {
                return 0.0;
            }
            let mass = |a: usize| w.row(i)[a].to_f64() * self.masses[a];
            let first = mass(0);
            let others = (1..self.masses.len()).map(mass);
            let other = match self.decision {
                Decision::Share => others.sum(),
                Decision::Mass | Decision::Argmax => others.fold(0.0, f64::max),
            };
            if first > other { (first / (first + other)).max(0.5) } else { below_half(first, other) }
        };
        (0..v.rows()).into_par_iter().map(score).collect()
    }
}

/// A draw, or nothing at all, is negative.
fn below_half(first: f64, other: f64) -> f64 {
    if other > 0.0 { (first / (first + other)).min(0.5 - f64::EPSILON) } else { 0.0 }
}

impl Model for TopicModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let v = self.known(x)?;
        Ok(self.decide(v, &fold_in(v, &self.words, FOLDING, run)?))
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        let words: Vec<f64> = (0..self.words.rows()).flat_map(|j| self.words.row(j).to_vec()).collect();
        out.f64s("words", &[self.words.rows(), self.words.columns()], &words);
        out.f64s("masses", &[self.masses.len()], &self.masses);
        out.value("decision", &self.decision);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let (words, masses) = (file.read_f64s("words")?, file.read_f64s("masses")?);
        let k = masses.len();
        let sound = |values: &[f64]| values.iter().all(|v| v.is_finite() && *v >= 0.0);
        if k < 2 || words.len() % k != 0 || !sound(&words) || !sound(&masses) {
            return Err(Error::model_file("its topics are damaged"));
        }
        let words = Panel::filled(words.len() / k, k, |j, a| words[j * k + a]);
        Ok(TopicModel { words, masses, decision: file.value("decision")? })
    }

    /// Each word of the row, by what topic 0 explains of it more or less than the strongest other topic.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let v = self.known(x)?.select(&[row]);
        let w = fold_in(&v, &self.words, FOLDING, &Run::new(0))?;
        let push = |(j, value): (usize, f32)| {
            let part = |a: usize| w.row(0)[a] * self.words.row(j)[a];
            let all: f64 = (0..self.masses.len()).map(part).sum();
            let other = (1..self.masses.len()).map(part).fold(0.0, f64::max);
            (j, if all > 0.0 { f64::from(value) * (part(0) - other) / all } else { 0.0 })
        };
        Ok(Reason::strongest(v.row(0).iter().map(push), top))
    }

    /// The words of topic 0, each by its share of the topic.
    fn portrait(&self, top: usize) -> Vec<Reason> {
        let words = || (0..self.words.rows()).map(|j| self.words.row(j)[0]);
        let total = words().sum::<f64>().max(f64::MIN_POSITIVE);
        Reason::strongest(words().map(|h| h / total).enumerate(), top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::CsrBuilder;
    use crate::method::Cause;
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

    #[test]
    fn a_draw_between_topics_is_negative() {
        let words = Panel::filled(1, 2, |_, _| 1.0);
        for decision in [Decision::Mass, Decision::Argmax, Decision::Share] {
            let model = TopicModel { words: words.clone(), masses: vec![1.0, 1.0], decision };
            let v = Csr::new(1, vec![0, 1], vec![0], vec![1.0]).unwrap();
            assert!(model.decide(&v, &Panel::<f64>::filled(1, 2, |_, _| 0.3))[0] < 0.5);
            assert!(model.decide(&v, &Panel::<f64>::filled(1, 2, |_, a| [0.31, 0.3][a]))[0] >= 0.5);
            assert_eq!(model.decide(&v, &Panel::<f64>::filled(1, 2, |_, _| 0.0)), [0.0]);
        }
    }
}
