//! Models that are asked together, and the mean of the logarithms of their ranks.
//!
//! Ranks are comparable where scores are not, and logarithms let a row near the top of one ranking stand out.

use super::find;
use crate::data::Data;
use crate::error::{Error, Result};
use crate::method::Model;
use crate::model_file::{Reader, Writer};
use crate::run::Run;

/// A model, the method that made it, and its scores of the pile in ascending order.
pub struct Voice {
    pub method: &'static str,
    pub model: Box<dyn Model>,
    /// Empty where there is no other voice to be ranked with.
    pub pile: Vec<f64>,
}

pub struct Voices(pub Vec<Voice>);

impl Voices {
    /// The model that explains: the first.
    pub fn first(&self) -> Option<&dyn Model> {
        self.0.first().map(|voice| &*voice.model)
    }

    /// The raw scores of the only one, or the mean of logarithmic ranks of all.
    pub fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        match &self.0[..] {
            [only] => only.model.raw(x, run),
            _ => self.mean(x.rows(), |model| model.raw(x, run)),
        }
    }

    /// The mean of the logarithmic ranks that these scores have in each voice's pile.
    pub fn mean(&self, rows: usize, scores: impl Fn(&dyn Model) -> Result<Vec<f64>>) -> Result<Vec<f64>> {
        let mut mean = MeanOfRanks::new(rows, self.0.len());
        for voice in &self.0 {
            mean.add(&scores(&*voice.model)?, &voice.pile);
        }
        Ok(mean.sums)
    }

    pub fn save(&self, out: &mut Writer) -> Result<()> {
        out.value("members", &self.0.iter().map(|voice| voice.method).collect::<Vec<_>>());
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
        let voice = |(at, name): (usize, &String)| {
            let part = file.nested(&at.to_string());
            let entry = find(name).map_err(|e| Error::model_file(e.to_string()))?;
            Ok(Voice {
                method: entry.spec().name,
                model: entry.load(&part.nested("model"))?,
                pile: part.read_f64s("pile")?,
            })
        };
        Ok(Voices(names.iter().enumerate().map(voice).collect::<Result<_>>()?))
    }
}

/// Logarithmic ranks, added up voice by voice.
pub struct MeanOfRanks {
    pub sums: Vec<f64>,
    voices: f64,
}

impl MeanOfRanks {
    pub fn new(rows: usize, voices: usize) -> Self {
        MeanOfRanks { sums: vec![0.0; rows], voices: voices as f64 }
    }

    /// `sorted_pile` are the scores of the pile under the same voice, ascending.
    pub fn add(&mut self, scores: &[f64], sorted_pile: &[f64]) {
        let ranks = log_rank(scores, sorted_pile);
        self.sums.iter_mut().zip(ranks).for_each(|(sum, rank)| *sum += rank / self.voices);
    }
}

/// Minus the logarithm of the share of a pile that is scored at or above each score.
fn log_rank(scores: &[f64], sorted_pile: &[f64]) -> impl Iterator<Item = f64> {
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
    fn a_mean_counts_every_voice_alike() {
        let mut mean = MeanOfRanks::new(1, 2);
        mean.add(&[9.0], &[1.0, 2.0]);
        mean.add(&[0.0], &[1.0, 2.0]);
        assert!((mean.sums[0] - 4f64.ln() / 2.0).abs() < 1e-12);
    }
}
