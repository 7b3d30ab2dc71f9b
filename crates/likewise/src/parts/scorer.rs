//! What an automatic answer is made of: raw scores of rows in a space, and a cut that becomes 0.5.

use crate::data::{Data, PuData};
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::method::{Cause, Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::parts::knn_graph::CosineIndex;
use crate::parts::linear::LinearModel;
use crate::parts::smoothing::SmoothedModel;
use crate::parts::space::Space;
use crate::run::Run;

/// Gives any row a raw score; larger is more likely positive.
pub enum Scorer {
    Linear(LinearModel),
    Smoothed(SmoothedModel),
    Nearest(Nearest),
    RankMean(Vec<Member>),
}

impl Scorer {
    pub fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        match self {
            Scorer::Linear(model) => model.margins(x),
            Scorer::Smoothed(model) => model.raw(x, run),
            Scorer::Nearest(nearest) => nearest.raw(x, run),
            Scorer::RankMean(members) => rank_mean(members, x, run),
        }
    }

    /// Of a row that is not yet in the space.
    fn explain(&self, space: &Space, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        match self {
            Scorer::Linear(model) => space.explain(model, x, row, top),
            Scorer::Smoothed(smoothed) => space.explain(&smoothed.model, x, row, top),
            Scorer::Nearest(nearest) => nearest.explain(&space.map(&x.select(&[row]))?, top),
            Scorer::RankMean(members) => match members.first() {
                Some(member) => member.scorer.explain(space, x, row, top),
                None => Ok(Vec::new()),
            },
        }
    }

    fn portrait(&self, top: usize) -> Vec<Reason> {
        match self {
            Scorer::Linear(model) => model.portrait(top),
            Scorer::Smoothed(smoothed) => smoothed.model.portrait(top),
            Scorer::Nearest(_) => Vec::new(),
            Scorer::RankMean(members) => {
                members.first().map_or(Vec::new(), |member| member.scorer.portrait(top))
            }
        }
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        match self {
            Scorer::Linear(model) => {
                out.value("scorer", &"linear");
                model.save(out)
            }
            Scorer::Smoothed(model) => {
                out.value("scorer", &"smoothed");
                model.save(out)
            }
            Scorer::Nearest(nearest) => {
                out.value("scorer", &"nearest");
                nearest.save(out);
                Ok(())
            }
            Scorer::RankMean(members) => {
                out.value("scorer", &"rank-mean");
                out.value("members", &members.len());
                for (at, member) in members.iter().enumerate() {
                    out.nested(&at.to_string(), |out| {
                        out.f64s("pile", &[member.pile.len()], &member.pile);
                        member.scorer.save(out)
                    })?;
                }
                Ok(())
            }
        }
    }

    fn load(file: &Reader) -> Result<Self> {
        Ok(match file.value::<String>("scorer")?.as_str() {
            "linear" => Scorer::Linear(LinearModel::load(file)?),
            "smoothed" => Scorer::Smoothed(SmoothedModel::load(file)?),
            "nearest" => Scorer::Nearest(Nearest::load(file)?),
            "rank-mean" => {
                let member = |at: usize| {
                    let part = file.nested(&at.to_string());
                    Ok(Member { pile: part.read_f64s("pile")?, scorer: Scorer::load(&part)? })
                };
                let members: u8 = file.value("members")?;
                Scorer::RankMean((0..usize::from(members)).map(member).collect::<Result<_>>()?)
            }
            other => return Err(Error::model_file(format!("unknown scorer `{other}`"))),
        })
    }
}

/// The mean cosine to the k nearest positives.
pub struct Nearest {
    index: CosineIndex,
    k: usize,
}

impl Nearest {
    pub const K: usize = 5;

    pub fn new(positives: &Data, k: usize) -> Result<Self> {
        Ok(Nearest { index: CosineIndex::new(positives)?, k })
    }

    fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        let k = self.k.min(self.index.rows().rows());
        let found = self.index.query(x, k, run)?;
        Ok((0..x.rows())
            .map(|i| found.of(i).map(|(_, c)| f64::from(c)).sum::<f64>() / k.max(1) as f64)
            .collect())
    }

    /// The raw scores of training rows; a positive is not its own neighbour.
    pub fn raw_of_training(&self, train: &PuData, run: &Run) -> Result<Vec<f64>> {
        let k = self.k.min(self.index.rows().rows());
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

    fn explain(&self, row: &Data, top: usize) -> Result<Vec<Reason>> {
        let found = self.index.query(row, self.k.min(top), &Run::new(0))?;
        let like = |(j, cosine): (usize, f32)| Reason {
            cause: Cause::Statement(format!("is like positive example {} (cosine {cosine:.3})", j + 1)),
            push: f64::from(cosine),
        };
        Ok(found.of(0).map(like).collect())
    }

    fn save(&self, out: &mut Writer) {
        out.value("k", &self.k);
        self.index.save(out);
    }

    fn load(file: &Reader) -> Result<Self> {
        Ok(Nearest { k: file.value("k")?, index: CosineIndex::load(file)? })
    }
}

/// One voice of a mean of ranks: its scorer, and its scores of the pile in ascending order.
pub struct Member {
    pub scorer: Scorer,
    pub pile: Vec<f64>,
}

/// Minus the logarithm of the share of a pile that is scored at or above each score.
pub fn log_rank(scores: &[f64], sorted_pile: &[f64]) -> Vec<f64> {
    let m = sorted_pile.len() as f64;
    let above = |s: &f64| sorted_pile.len() - sorted_pile.partition_point(|p| p < s);
    scores.iter().map(|s| -((above(s) as f64).max(0.5) / m).ln()).collect()
}

fn rank_mean(members: &[Member], x: &Data, run: &Run) -> Result<Vec<f64>> {
    let mut sums = vec![0.0; x.rows()];
    for member in members {
        let ranks = log_rank(&member.scorer.raw(x, run)?, &member.pile);
        sums.iter_mut().zip(ranks).for_each(|(sum, rank)| *sum += rank / members.len() as f64);
    }
    Ok(sums)
}

/// A raw score that becomes 0.5, and the unit in which raw scores are told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    pub at: f64,
    unit: f64,
}

impl Cut {
    /// The best `count` of these scores are positive; with equal scores at the edge, those too.
    pub fn after(scores: &[f64], count: usize) -> Cut {
        let mut sorted = scores.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let n = sorted.len().max(1) as f64;
        let mean = sorted.iter().sum::<f64>() / n;
        let deviation = (sorted.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n).sqrt();
        let unit = if deviation > 0.0 && deviation.is_finite() { deviation } else { 1.0 };
        let at = match (count.checked_sub(1).and_then(|i| sorted.get(i)), sorted.get(count)) {
            (Some(last), Some(next)) => 0.5 * (last + next),
            (Some(last), None) => *last,
            (None, Some(first)) => first + unit,
            (None, None) => 0.0,
        };
        Cut { at, unit }
    }

    pub fn score(&self, raw: f64) -> f64 {
        squash((raw - self.at) / self.unit)
    }

    pub fn save(&self, out: &mut Writer) {
        out.f64s("cut", &[2], &[self.at, self.unit]);
    }

    pub fn load(file: &Reader) -> Result<Self> {
        let numbers = file.read_f64s("cut")?;
        let [at, unit] = numbers[..] else { return Err(Error::model_file("`cut` is not two numbers")) };
        Ok(Cut { at, unit })
    }
}

/// A scorer in its space with its cut: a model for new rows.
pub struct CutModel {
    pub space: Space,
    pub scorer: Scorer,
    pub cut: Cut,
}

impl Model for CutModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let raw = self.scorer.raw(&self.space.map(x)?, run)?;
        Ok(raw.into_iter().map(|s| self.cut.score(s)).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.cut.save(out);
        out.nested("space", |out| self.space.save(out));
        out.nested("ranker", |out| self.scorer.save(out))
    }

    fn load(file: &Reader) -> Result<Self> {
        let space = Space::load(&file.nested("space"))?;
        Ok(CutModel { space, scorer: Scorer::load(&file.nested("ranker"))?, cut: Cut::load(file)? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        self.scorer.explain(&self.space, x, row, top)
    }

    fn portrait(&self, top: usize) -> Vec<Reason> {
        if self.space.keeps_features() { self.scorer.portrait(top) } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_lets_so_many_through() {
        let scores = [0.1, 5.0, 3.0, 4.0];
        for count in 0..=4 {
            let cut = Cut::after(&scores, count);
            assert_eq!(scores.iter().filter(|s| cut.score(**s) >= 0.5).count(), count);
        }
        assert_eq!(Cut::after(&[1.0; 3], 1).score(1.0), 0.5);
    }

    #[test]
    fn ranks_are_shares_of_the_pile() {
        let ranks = log_rank(&[9.0, 2.0], &[1.0, 2.0, 3.0, 4.0]);
        assert!((ranks[0] - 8f64.ln()).abs() < 1e-12 && (ranks[1] + 0.75f64.ln()).abs() < 1e-12);
    }
}
