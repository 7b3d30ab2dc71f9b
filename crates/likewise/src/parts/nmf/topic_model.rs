//! What topics say of rows: the first one against the others.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Panel, Real, fold_in};
use crate::data::{Csr, Data};
use crate::error::{Error, Result};
use crate::method::{Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::run::Run;

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

/// The words of each topic; new rows are folded in with them fixed.
pub struct TopicModel {
    /// A row for each word.
    words: Panel<f64>,
    masses: Vec<f64>,
    decision: Decision,
}

/// Enough for a convex fit of a few numbers.
const FOLDING: u64 = 100;

impl TopicModel {
    /// Of a factor, a row for each word, and so many topics in it.
    pub fn new<T: Real>(h: &Panel<T>, topics: usize, decision: Decision) -> Self {
        // What a unit of each topic is worth in a row.
        let masses = match decision {
            Decision::Argmax => vec![1.0; topics],
            Decision::Mass | Decision::Share => h.column_sums()[..topics].to_vec(),
        };
        let words = Panel::filled(h.rows(), h.columns(), |j, a| h.row(j)[a].to_f64());
        TopicModel { words, masses, decision }
    }

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
    pub fn decide<T: Real>(&self, v: &Csr, w: &Panel<T>) -> Scores {
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
