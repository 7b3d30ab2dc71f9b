//! Models that are asked together, and the mean of the logarithms of their ranks.
//!
//! Ranks are comparable where scores are not, and logarithms let a row near the top of one ranking stand out.

use super::find;
use crate::data::Data;
use crate::error::{Error, Result};
use crate::method::{Entry, Model, Reason};
use crate::model_file::{Reader, Writer};
use crate::parts::space::Space;
use crate::run::Run;

/// A model, the method that made it, and its scores of the pile in ascending order.
pub struct Voice {
    pub method: &'static dyn Entry,
    /// How much it counts beside the others.
    pub weight: u32,
    pub model: Box<dyn Model>,
    /// Empty where there is no other voice to be ranked with.
    pub pile: Vec<f64>,
}

impl Voice {
    /// The rows that its model reads.
    fn rows<'a>(&self, rows: &Placement<'a>) -> &'a Data {
        rows.of(self.method)
    }
}

/// Rows as they came, and in their space.
pub struct Placement<'a> {
    pub given: &'a Data,
    pub placed: &'a Data,
}

impl<'a> Placement<'a> {
    /// Those that a method learns from.
    pub fn of(&self, method: &dyn Entry) -> &'a Data {
        if method.as_given() { self.given } else { self.placed }
    }
}

pub struct Voices(pub Vec<Voice>);

impl Voices {
    /// The model that explains: the first.
    pub fn first(&self) -> Option<&dyn Model> {
        self.0.first().map(|voice| &*voice.model)
    }

    /// The raw scores of the only one, or the mean of logarithmic ranks of all.
    pub fn raw(&self, rows: &Placement, run: &Run) -> Result<Vec<f64>> {
        let raw = |voice: &Voice| voice.model.raw(voice.rows(rows), run);
        match &self.0[..] {
            [only] => raw(only),
            _ => self.mean(rows.given.rows(), raw),
        }
    }

    /// Why the first of them gives a row its raw score, in terms of the row as it came.
    pub fn explain(&self, space: &Space, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        match self.0.first() {
            Some(voice) if voice.method.as_given() => voice.model.explain(x, row, top),
            Some(voice) => space.explain(&*voice.model, x, row, top),
            None => Ok(Vec::new()),
        }
    }

    /// The features that count most for the first of them, whatever the row.
    pub fn portrait(&self, space: &Space, top: usize) -> Vec<Reason> {
        match self.0.first() {
            Some(voice) if voice.method.as_given() => voice.model.portrait(top),
            Some(voice) => space.portrait(&*voice.model, top),
            None => Vec::new(),
        }
    }

    /// The mean of the logarithmic ranks that these scores have in each voice's pile.
    pub fn mean(&self, rows: usize, scores: impl Fn(&Voice) -> Result<Vec<f64>>) -> Result<Vec<f64>> {
        let mut mean = MeanOfRanks::new(rows, self.0.iter().map(|voice| voice.weight).sum());
        for voice in &self.0 {
            mean.add(&scores(voice)?, &voice.pile, voice.weight);
        }
        Ok(mean.sums)
    }

    pub fn save(&self, out: &mut Writer) -> Result<()> {
        out.value("members", &self.0.iter().map(|voice| voice.method.spec().name).collect::<Vec<_>>());
        out.value("weights", &self.0.iter().map(|voice| voice.weight).collect::<Vec<_>>());
        for (at, voice) in self.0.iter().enumerate() {
            out.nested(&at.to_string(), |out| {
                out.f64s("pile", &[voice.pile.len()], &voice.pile);
                out.nested("model", |out| voice.model.save(out))
            })?;
        }
        Ok(())
    }

    pub fn load(file: &Reader) -> Result<Self> {
        let names: Vec<String> = file.value("members")?;
        // Files of older versions have none: then all count alike.
        let weights: Vec<u32> = match file.has_value("weights") {
            true => file.value("weights")?,
            false => vec![1; names.len()],
        };
        if weights.len() != names.len() || weights.iter().any(|weight| !(1..=MOST_WEIGHT).contains(weight)) {
            return Err(Error::model_file("the weights of its members are not one for each"));
        }
        let voice = |(at, name): (usize, &String)| {
            let part = file.nested(&at.to_string());
            let entry = find(name).map_err(|e| Error::model_file(e.to_string()))?;
            Ok(Voice {
                method: entry,
                weight: weights[at],
                model: entry.load(&part.nested("model"))?,
                pile: part.read_f64s("pile")?,
            })
        };
        Ok(Voices(names.iter().enumerate().map(voice).collect::<Result<_>>()?))
    }
}

/// No voice counts for more than so many others.
pub const MOST_WEIGHT: u32 = 100;

/// Logarithmic ranks, added up voice by voice.
pub struct MeanOfRanks {
    pub sums: Vec<f64>,
    weights: f64,
}

impl MeanOfRanks {
    /// For voices whose weights sum to this.
    pub fn new(rows: usize, weights: u32) -> Self {
        MeanOfRanks { sums: vec![0.0; rows], weights: f64::from(weights) }
    }

    /// `sorted_pile` are the scores of the pile under the same voice, ascending.
    pub fn add(&mut self, scores: &[f64], sorted_pile: &[f64], weight: u32) {
        let (ranks, weight) = (log_rank(scores, sorted_pile), f64::from(weight));
        self.sums.iter_mut().zip(ranks).for_each(|(sum, rank)| *sum += rank * weight / self.weights);
    }
}

/// Minus the logarithm of the share of a pile that is scored at or above each score.
pub fn log_rank(scores: &[f64], sorted_pile: &[f64]) -> impl Iterator<Item = f64> {
    let m = sorted_pile.len() as f64;
    let above = |s: &f64| sorted_pile.len() - sorted_pile.partition_point(|p| p < s);
    scores.iter().map(move |s| -((above(s) as f64).max(0.5) / m).ln())
}

/// The scores of the pile, ascending.
pub fn sorted_pile(scores: &[f64], pile: &[usize]) -> Vec<f64> {
    let mut of_pile: Vec<f64> = pile.iter().map(|&i| scores[i]).collect();
    of_pile.sort_unstable_by(f64::total_cmp);
    of_pile
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shares_of_the_pile() {
        let ranks: Vec<f64> = log_rank(&[9.0, 2.0], &[1.0, 2.0, 3.0, 4.0]).collect();
        assert!((ranks[0] - 8f64.ln()).abs() < 1e-12 && (ranks[1] + 0.75f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn a_mean_counts_every_voice_by_its_weight() {
        let mut mean = MeanOfRanks::new(1, 4);
        mean.add(&[9.0], &[1.0, 2.0], 1);
        mean.add(&[0.0], &[1.0, 2.0], 3);
        assert!((mean.sums[0] - 4f64.ln() / 4.0).abs() < 1e-12);
    }
}
