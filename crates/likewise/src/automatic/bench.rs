//! The workbench: rows, graph and folds that all candidates share, so that nothing is made twice.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::candidates::{Candidate, LOGISTIC};
use crate::data::PuData;
use crate::decide::ranking;
use crate::error::Result;
use crate::method::Method;
use crate::methods::margin::bagging::Bagging;
use crate::parts::linear::LinearModel;
use crate::parts::linear::logistic::{Logistic, SoftLabel, balanced};
use crate::parts::pseudo_labels::refit;
use crate::parts::scorer::{Member, Nearest, Scorer, log_rank};
use crate::parts::smoothing::Smoother;
use crate::parts::space::Space;
use crate::prior::{Ranks, hidden};
use crate::run::Run;

/// More rows than this are not all joined by the graph, only those that can matter.
pub const WHOLE_GRAPH: usize = 100_000;

pub struct Workbench {
    pub space: Space,
    /// The rows in the space.
    pub train: PuData,
    pub smoother: Option<Smoother>,
    folds: Vec<Vec<usize>>,
    /// What does not depend on the prior, for all positives and then for each fold: learned once.
    lasting: Vec<Learned>,
}

/// Candidates learned so far from one set of labels.
type Learned = Mutex<HashMap<Candidate, Arc<Base>>>;

/// Scores of all training rows, and the model behind them where it is linear.
struct Base {
    scores: Vec<f64>,
    model: Option<LinearModel>,
}

/// The raw scores of all training rows under one candidate.
pub struct Ranked {
    pub scores: Vec<f64>,
    pub scorer: Scorer,
}

impl Workbench {
    /// Prepares rows and folds; `with_graph` also the neighbours.
    pub fn new(train: &PuData, folds: usize, with_graph: bool, run: &Run) -> Result<Self> {
        let (space, x) = Space::fit(&train.x, run)?;
        let train = PuData { x, ..train.clone() };
        let positives = train.positives().len();
        let folds = if positives < 2 { Vec::new() } else { hidden::deal(positives, folds, run)? };
        let lasting = (0..=folds.len()).map(|_| Learned::default()).collect();
        let mut bench = Workbench { space, train, smoother: None, folds, lasting };
        if with_graph {
            bench.smoother = Some(bench.join(run)?);
        }
        Ok(bench)
    }

    /// All rows, or the positives, the best-ranked half of the room, and others drawn at random.
    fn join(&self, run: &Run) -> Result<Smoother> {
        let n = self.train.x.rows();
        if n <= WHOLE_GRAPH {
            return Smoother::new(&self.train.x, run);
        }
        let scores = self.fit_logistic(&self.train.positive, 1.0, None, run)?.margins(&self.train.x)?;
        let mut chosen: Vec<usize> = self.train.positives();
        chosen.truncate(WHOLE_GRAPH / 4);
        let mut taken = vec![false; n];
        chosen.iter().for_each(|&row| taken[row] = true);
        let best =
            ranking(&scores).into_iter().filter(|&row| !taken[row]).take(WHOLE_GRAPH / 2).collect::<Vec<_>>();
        best.iter().for_each(|&row| taken[row] = true);
        chosen.extend(best);
        let rest: Vec<usize> = (0..n).filter(|&row| !taken[row]).collect();
        let room = WHOLE_GRAPH.saturating_sub(chosen.len()).min(rest.len());
        let drawn = rand::seq::index::sample(&mut run.rng("rows of the graph", 0), rest.len(), room);
        chosen.extend(drawn.into_iter().map(|at| rest[at]));
        chosen.sort_unstable();
        Smoother::among(&self.train.x, chosen, run)
    }

    /// Where each candidate ranks the positives of every fold while they are hidden in the pile.
    pub fn hidden_ranks(&self, candidates: &[Candidate], prior: f64, run: &Run) -> Result<Vec<Ranks>> {
        let (positives, pile) = (self.train.positives(), self.train.unlabeled());
        self.stage(0, &self.train.positive, prior, run).base(LOGISTIC)?;
        let by_fold: Vec<Vec<Vec<(usize, usize)>>> = (self.folds.par_iter().enumerate())
            .map(|(k, fold)| {
                run.step("hiding positives", k as u64, self.folds.len() as u64)?;
                let mut positive = self.train.positive.clone();
                fold.iter().for_each(|&p| positive[positives[p]] = false);
                let run = run.with_seed(run.seed().wrapping_add(k as u64));
                let mut stage = self.stage(k + 1, &positive, prior, &run);
                let mut ranked = Vec::with_capacity(candidates.len());
                for candidate in candidates {
                    let scores = stage.scores(*candidate)?;
                    let mut of_pile: Vec<f64> = pile.iter().map(|&i| scores[i]).collect();
                    of_pile.sort_unstable_by(f64::total_cmp);
                    let above =
                        |p: usize| of_pile.len() - of_pile.partition_point(|s| *s < scores[positives[p]]);
                    ranked.push(fold.iter().map(|&p| (p, above(p))).collect());
                }
                Ok(ranked)
            })
            .collect::<Result<_>>()?;
        Ok((0..candidates.len())
            .map(|c| {
                let mut counts = vec![pile.len(); positives.len()];
                by_fold.iter().flat_map(|fold| &fold[c]).for_each(|&(p, above)| counts[p] = above);
                Ranks::of_counts(counts.into_iter(), pile.len())
            })
            .collect())
    }

    /// The candidate learned from all positives. With `keep_graph` its scorer smooths new rows too.
    pub fn fit(&self, candidate: Candidate, prior: f64, keep_graph: bool, run: &Run) -> Result<Ranked> {
        self.stage(0, &self.train.positive, prior, run).ranked(candidate, keep_graph)
    }

    fn stage<'a>(&'a self, at: usize, positive: &[bool], prior: f64, run: &'a Run) -> Stage<'a> {
        let train = PuData { positive: positive.to_vec(), ..self.train.clone() };
        Stage { bench: self, at, train, prior, run, known: HashMap::new() }
    }

    fn fit_logistic(
        &self,
        positive: &[bool],
        c: f64,
        start: Option<&LinearModel>,
        run: &Run,
    ) -> Result<LinearModel> {
        Logistic { c, ..Logistic::default() }.fit(&self.train.x, &balanced(positive), start, run)
    }
}

/// One set of labels, and what was learned from it so far.
struct Stage<'a> {
    bench: &'a Workbench,
    /// Which of the lasting sets this is.
    at: usize,
    train: PuData,
    prior: f64,
    run: &'a Run,
    known: HashMap<Candidate, Arc<Base>>,
}

impl Stage<'_> {
    /// The raw scores of all rows.
    fn scores(&mut self, candidate: Candidate) -> Result<Vec<f64>> {
        match candidate {
            Candidate::RankMean(members) => self.mean(members),
            other => Ok(self.base(other)?.scores.clone()),
        }
    }

    fn ranked(mut self, candidate: Candidate, keep_graph: bool) -> Result<Ranked> {
        let scores = self.scores(candidate)?;
        let Candidate::RankMean(members) = candidate else {
            return Ok(Ranked { scores, scorer: self.scorer(candidate, keep_graph)? });
        };
        let mut voices = Vec::new();
        for member in members {
            let scorer = self.scorer(*member, keep_graph)?;
            let raw = scorer.raw(&self.train.x, self.run)?;
            voices.push(Member { scorer, pile: self.sorted_pile(&raw) });
        }
        Ok(Ranked { scores, scorer: Scorer::RankMean(voices) })
    }

    fn scorer(&mut self, candidate: Candidate, keep_graph: bool) -> Result<Scorer> {
        let base = self.base(candidate)?;
        Ok(match (&base.model, &self.bench.smoother) {
            (Some(model), Some(smoother)) if keep_graph && candidate.smooths() => {
                Scorer::Smoothed(smoother.for_new_rows(model.clone(), &self.train)?)
            }
            (Some(model), _) => Scorer::Linear(model.clone()),
            (None, _) => Scorer::Nearest(self.nearest()?),
        })
    }

    /// The mean of logarithmic ranks.
    fn mean(&mut self, members: &[Candidate]) -> Result<Vec<f64>> {
        let mut sums = vec![0.0; self.train.x.rows()];
        for member in members {
            let base = self.base(*member)?;
            let ranks = log_rank(&base.scores, &self.sorted_pile(&base.scores));
            sums.iter_mut().zip(ranks).for_each(|(sum, rank)| *sum += rank / members.len() as f64);
        }
        Ok(sums)
    }

    fn nearest(&self) -> Result<Nearest> {
        Nearest::new(&self.train.x.select(&self.train.positives()), Nearest::K)
    }

    fn sorted_pile(&self, scores: &[f64]) -> Vec<f64> {
        let mut pile: Vec<f64> = self.train.unlabeled().iter().map(|&i| scores[i]).collect();
        pile.sort_unstable_by(f64::total_cmp);
        pile
    }

    /// A candidate that is no mean of others, learned once from these labels.
    fn base(&mut self, candidate: Candidate) -> Result<Arc<Base>> {
        let lasts = matches!(candidate, Candidate::Logistic { .. } | Candidate::Bagging | Candidate::Nearest);
        let known = match lasts {
            true => self.bench.lasting[self.at].lock().expect("no panic while held").get(&candidate).cloned(),
            false => self.known.get(&candidate).cloned(),
        };
        if let Some(base) = known {
            return Ok(base);
        }
        let base = Arc::new(self.learn(candidate)?);
        if lasts {
            self.bench.lasting[self.at].lock().expect("no panic while held").insert(candidate, base.clone());
        } else {
            self.known.insert(candidate, base.clone());
        }
        Ok(base)
    }

    fn learn(&mut self, candidate: Candidate) -> Result<Base> {
        let x = self.train.x.clone();
        let linear = |model: LinearModel| Ok(Base { scores: model.margins(&x)?, model: Some(model) });
        match candidate {
            Candidate::Logistic { c_tenths } => {
                let all = self.bench.lasting[0].lock().expect("no panic while held").get(&candidate).cloned();
                let start = all.as_ref().and_then(|base| base.model.as_ref());
                let c = f64::from(c_tenths) / 10.0;
                linear(self.bench.fit_logistic(&self.train.positive, c, start, self.run)?)
            }
            Candidate::LogisticSpared => {
                let first = self.base(LOGISTIC)?;
                let labels = self.spared(&first.scores);
                linear(Logistic::default().fit(&x, &labels, first.model.as_ref(), self.run)?)
            }
            Candidate::Bagging => {
                let fitted = Bagging::default().fit(&self.train, self.run)?;
                Ok(Base { scores: fitted.scores, model: Some(*fitted.model) })
            }
            Candidate::Nearest => {
                Ok(Base { scores: self.nearest()?.raw_of_training(&self.train, self.run)?, model: None })
            }
            Candidate::LogisticSmooth => {
                let first = self.base(LOGISTIC)?;
                Ok(Base { scores: self.smooth(&first.scores), model: first.model.clone() })
            }
            Candidate::Pseudo => {
                let first = self.base(LOGISTIC)?;
                linear(self.refit(&first.scores, first.model.as_ref())?)
            }
            Candidate::PseudoSmooth => {
                let first = self.base(LOGISTIC)?;
                let model = self.refit(&self.smooth(&first.scores), first.model.as_ref())?;
                Ok(Base { scores: self.smooth(&model.margins(&x)?), model: Some(model) })
            }
            Candidate::RankMean(_) => unreachable!("a mean is made of bases"),
        }
    }

    fn refit(&self, scores: &[f64], start: Option<&LinearModel>) -> Result<LinearModel> {
        refit(&self.train.x, &self.train.positive, scores, self.prior, 1.0, start, self.run)
    }

    fn smooth(&self, scores: &[f64]) -> Vec<f64> {
        match &self.bench.smoother {
            Some(smoother) => smoother.smooth(scores, &self.train.positive),
            None => scores.to_vec(),
        }
    }

    /// Balanced labels in which the best share π of the pile is neither positive nor negative.
    fn spared(&self, scores: &[f64]) -> Vec<SoftLabel> {
        let pile = self.train.unlabeled();
        let of_pile: Vec<f64> = pile.iter().map(|&i| scores[i]).collect();
        let count = ((self.prior * pile.len() as f64) as usize).min(pile.len() - 1);
        let mut labels = balanced(&self.train.positive);
        for best in ranking(&of_pile).into_iter().take(count) {
            labels[pile[best]] = SoftLabel::hard(false, 0.0);
        }
        labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automatic::candidates::{Effort, pool};
    use crate::data::{Data, Dense, Kind};

    #[test]
    fn a_rank_mean_that_keeps_the_graph_smooths_new_rows() {
        let values = |rows: std::ops::Range<usize>| -> Data {
            let columns = rows.clone().flat_map(|i| [(i * 7 % 11) as f32, (i * 5 % 13) as f32 - 4.0]);
            Data::Dense(Arc::new(Dense::new(rows.len(), 2, columns.collect()).unwrap()))
        };
        let train = PuData::new(values(0..80), (0..80).map(|i| i * 7 % 11 > 7 && i < 50).collect()).unwrap();
        let run = Run::new(0);
        let bench = Workbench::new(&train, 2, true, &run).unwrap();
        let first = pool(Effort::Quick, Kind::Dense)[0];
        let of_new_rows = |keep_graph: bool| {
            let ranked = bench.fit(first, 0.2, keep_graph, &run).unwrap();
            ranked.scorer.raw(&bench.space.map(&values(80..120)).unwrap(), &run).unwrap()
        };
        assert!(matches!(first, Candidate::RankMean(_)) && first.smooths());
        assert_ne!(of_new_rows(true), of_new_rows(false));
    }
}
