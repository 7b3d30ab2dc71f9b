//! Candidates fitted while positives are hidden in the pile, fold by fold, and once more on all of them.
//!
//! Every fit is the method's own, through the registry; what fits of the same rows can share (their space, the graph of
//! neighbours, the first logistic regression of the same labels) they share through the run.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::candidates::{Candidate, Configured, Wanted};
use super::voices::{MeanOfRanks, Placement, Voice, Voices, log_rank, sorted_pile};
use crate::data::{Data, PuData};
use crate::error::Result;
use crate::note::Note;
use crate::parts::balanced_fit::BalancedFit;
use crate::parts::smoothing::Smoother;
use crate::parts::space::{Placed, Space};
use crate::prior::{Ranks, Standing, hidden};
use crate::run::Run;

/// Rows, folds and what was learned on them so far.
pub struct HiddenFolds {
    /// Shares what the fits have in common.
    run: Run,
    placed: Arc<Placed>,
    /// The rows as they came.
    given: Data,
    /// The rows in their space.
    train: PuData,
    smoother: Option<Arc<Smoother>>,
    /// Which positives each fold hides, as positions among them.
    folds: Vec<Vec<usize>>,
    /// Scores that do not depend on the prior, for all positives and then for each fold: learned once.
    lasting: Vec<Mutex<Known>>,
}

/// Scores of all training rows by the name of the method with its parameters.
type Known = HashMap<String, Arc<Vec<f64>>>;

/// A candidate learned from all positives.
pub struct Ranked {
    /// The raw scores of all training rows.
    pub scores: Arc<Vec<f64>>,
    /// The models behind the scores.
    pub voices: Voices,
    /// What they said while learning.
    pub notes: Vec<Note>,
}

impl HiddenFolds {
    /// Places the rows and deals the positives into folds; `joined` also joins the neighbours, by all positives.
    pub fn new(train: &PuData, folds: usize, joined: bool, run: &Run) -> Result<Self> {
        let run = run.sharing();
        let first = run.ahead(0.2);
        let placed = Space::of(&train.x, &first)?;
        let given = train.x.clone();
        let train = PuData { x: placed.x.clone(), ..train.clone() };
        let positives = train.positives().len();
        let folds = if positives < 2 { Vec::new() } else { hidden::deal(positives, folds, &run)? };
        let lasting = (0..=folds.len()).map(|_| Mutex::default()).collect();
        let smoother = match joined {
            true => Some(Smoother::of(&train.x, &train, &first)?),
            false => None,
        };
        Ok(HiddenFolds { run, placed, given, train, smoother, folds, lasting })
    }

    /// The same folds while rows known not to be wanted were still part of the pile; none where there are none.
    pub fn before_refusals(&self) -> Option<HiddenFolds> {
        self.train.unwanted.contains(&true).then(|| HiddenFolds {
            run: self.run.clone(),
            placed: self.placed.clone(),
            given: self.given.clone(),
            train: PuData { unwanted: vec![false; self.train.unwanted.len()], ..self.train.clone() },
            smoother: self.smoother.clone(),
            folds: self.folds.clone(),
            lasting: self.lasting.iter().map(|_| Mutex::default()).collect(),
        })
    }

    /// The run that shares what the fits have in common.
    pub(super) fn run(&self) -> &Run {
        &self.run
    }

    /// The rows in their space, with their labels.
    pub fn train(&self) -> &PuData {
        &self.train
    }

    /// The rows as they came, and in their space.
    pub(super) fn rows(&self) -> Placement<'_> {
        Placement { given: &self.given, placed: &self.train.x }
    }

    /// Where linear models and cosines live.
    pub fn space(&self) -> Arc<Space> {
        self.placed.space.clone()
    }

    /// How many rows are joined with their neighbours, where those are not all.
    pub fn joined_in_part(&self) -> Option<usize> {
        let joined = self.smoother.as_ref()?.len();
        (joined < self.train.x.rows()).then_some(joined)
    }

    /// Where each candidate ranks the positives of every fold while they are hidden in the pile. Of the work that is
    /// ahead this is `share`.
    pub fn hidden_ranks(&self, candidates: &[Candidate], prior: f64, share: f64) -> Result<Vec<Ranks>> {
        let (positives, pile) = (self.train.positives(), self.train.unlabeled());
        // Folds differ from all positives in a few labels, so their fits start from that one's.
        let (told, silent) = (self.run.ahead(share).last_stage(), self.run.without_progress());
        BalancedFit::as_start(&self.train.x, &self.train, 1.0, &silent)?;
        let (done, total) = (AtomicU64::new(0), (self.folds.len() * candidates.len()) as u64);
        let by_fold: Vec<Vec<Vec<(usize, Standing)>>> = (self.folds.par_iter().enumerate())
            .map(|(k, fold)| {
                let mut positive = self.train.positive.clone();
                fold.iter().for_each(|&p| positive[positives[p]] = false);
                let run = silent.with_seed(self.run.seed().wrapping_add(k as u64));
                let mut labels = self.labels(k + 1, positive, prior, &run);
                let mut ranked = Vec::with_capacity(candidates.len());
                for candidate in candidates {
                    told.step("hiding positives", done.load(Ordering::Relaxed), total)?;
                    let scores = labels.scores(candidate)?;
                    done.fetch_add(1, Ordering::Relaxed);
                    let of_pile = sorted_pile(&scores, &pile);
                    let standing = |p: usize| Standing::of(scores[positives[p]], &of_pile);
                    ranked.push(fold.iter().map(|&p| (p, standing(p))).collect());
                }
                Ok(ranked)
            })
            .collect::<Result<_>>()?;
        Ok((0..candidates.len())
            .map(|c| {
                let numbered = by_fold.iter().flat_map(|fold| fold[c].iter().copied());
                Ranks::of_standings(Standing::in_order(numbered, positives.len()), pile.len())
            })
            .collect())
    }

    /// The raw scores of all training rows in every fold, while its positives are hidden in the pile.
    pub fn fold_scores(&self, candidate: &Candidate, prior: f64) -> Result<Vec<Arc<Vec<f64>>>> {
        let positives = self.train.positives();
        BalancedFit::as_start(&self.train.x, &self.train, 1.0, &self.run)?;
        let of_fold = |(k, fold): (usize, &Vec<usize>)| {
            let mut positive = self.train.positive.clone();
            fold.iter().for_each(|&p| positive[positives[p]] = false);
            let run = self.run.with_seed(self.run.seed().wrapping_add(k as u64));
            self.labels(k + 1, positive, prior, &run).scores(candidate)
        };
        self.folds.par_iter().enumerate().map(of_fold).collect()
    }

    /// The logarithmic ranks that such scores give in every fold: of the pile, and of the positives that are hidden there.
    pub fn log_ranks(&self, scores: &[Arc<Vec<f64>>]) -> (Vec<f64>, Vec<f64>) {
        let (positives, pile) = (self.train.positives(), self.train.unlabeled());
        let (mut of_pile, mut of_hidden) = (Vec::new(), Vec::new());
        for (fold, scores) in self.folds.iter().zip(scores) {
            let sorted = sorted_pile(scores, &pile);
            of_pile.extend(log_rank(&pile.iter().map(|&row| scores[row]).collect::<Vec<_>>(), &sorted));
            let hidden: Vec<f64> = fold.iter().map(|&p| scores[positives[p]]).collect();
            of_hidden.extend(log_rank(&hidden, &sorted));
        }
        (of_pile, of_hidden)
    }

    /// The mean of the logarithmic ranks of several such scores with their weights, fold by fold. Hidden positives are rows
    /// of the pile.
    pub fn mean_of_folds(&self, voices: &[(&Vec<Arc<Vec<f64>>>, u32)]) -> Vec<Arc<Vec<f64>>> {
        let (positives, pile) = (self.train.positives(), self.train.unlabeled());
        let of_fold = |(k, fold): (usize, &Vec<usize>)| {
            let hidden = fold.iter().map(|&p| positives[p]);
            let pile: Vec<usize> = pile.iter().copied().chain(hidden).collect();
            let mut mean =
                MeanOfRanks::new(self.train.x.rows(), voices.iter().map(|(_, weight)| weight).sum());
            for (voice, weight) in voices {
                mean.add(&voice[k], &sorted_pile(&voice[k], &pile), *weight);
            }
            Arc::new(mean.sums)
        };
        self.folds.iter().enumerate().map(of_fold).collect()
    }

    /// Where such scores rank the positives that each fold hides.
    pub fn ranks_in_folds(&self, scores: &[Arc<Vec<f64>>]) -> Ranks {
        let (positives, pile) = (self.train.positives(), self.train.unlabeled());
        let numbered = self.folds.iter().zip(scores).flat_map(|(fold, scores)| {
            let of_pile = sorted_pile(scores, &pile);
            let standing = |&p: &usize| (p, Standing::of(scores[positives[p]], &of_pile));
            fold.iter().map(standing).collect::<Vec<_>>()
        });
        Ranks::of_standings(Standing::in_order(numbered, positives.len()), pile.len())
    }

    /// The raw scores of all training rows under a candidate that learns from all positives.
    pub fn scores(&self, candidate: &Candidate, prior: f64) -> Result<Arc<Vec<f64>>> {
        self.labels(0, self.train.positive.clone(), prior, &self.run).scores(candidate)
    }

    /// The candidate learned from all positives. With `with_graph` its model smooths new rows too.
    pub fn fit(&self, candidate: &Candidate, prior: f64, with_graph: bool) -> Result<Ranked> {
        let pile = self.train.unlabeled();
        let mut mean = MeanOfRanks::new(self.given.rows(), candidate.weights());
        let (mut voices, mut notes) = (Vec::new(), Vec::new());
        let mut alone = None;
        for member in candidate.members() {
            let x = self.rows().of(member.entry());
            let train = PuData { x: x.clone(), ..self.train.clone() };
            let fitted = member.fit(&train, prior, Wanted::model(with_graph), &self.run)?;
            notes.extend(fitted.notes);
            let (model, scores) = (fitted.model, fitted.raw.unwrap_or_else(|| Arc::new(fitted.scores)));
            let mut of_pile = Vec::new();
            if candidate.is_mean() {
                mean.add(&scores, &sorted_pile(&scores, &pile), member.weight());
                of_pile = sorted_pile(&model.raw(x, &self.run)?, &pile);
            } else {
                alone = Some(scores);
            }
            voices.push(Voice { method: member.entry(), weight: member.weight(), model, pile: of_pile });
        }
        let scores = alone.unwrap_or_else(|| Arc::new(mean.sums));
        Ok(Ranked { scores, voices: Voices(voices), notes })
    }

    fn labels<'a>(&'a self, at: usize, positive: Vec<bool>, prior: f64, run: &'a Run) -> Labels<'a> {
        let train = PuData { positive, ..self.train.clone() };
        let pile = train.unlabeled();
        Labels { lasting: &self.lasting[at], rows: self.rows(), train, pile, prior, run, known: Known::new() }
    }
}

/// One set of labels, and what was learned from it so far.
struct Labels<'a> {
    lasting: &'a Mutex<Known>,
    rows: Placement<'a>,
    train: PuData,
    pile: Vec<usize>,
    prior: f64,
    run: &'a Run,
    known: Known,
}

impl Labels<'_> {
    /// The raw scores of all rows.
    fn scores(&mut self, candidate: &Candidate) -> Result<Arc<Vec<f64>>> {
        if let [only] = candidate.members() {
            return self.of_method(only);
        }
        let mut mean = MeanOfRanks::new(self.train.x.rows(), candidate.weights());
        for member in candidate.members() {
            let scores = self.of_method(member)?;
            mean.add(&scores, &sorted_pile(&scores, &self.pile), member.weight());
        }
        Ok(Arc::new(mean.sums))
    }

    /// A method learns once from these labels.
    fn of_method(&mut self, method: &Configured) -> Result<Arc<Vec<f64>>> {
        let lasts = !method.depends_on_prior();
        let known = match lasts {
            true => self.lasting.lock().expect("no panic while held").get(&method.name()).cloned(),
            false => self.known.get(&method.name()).cloned(),
        };
        if let Some(scores) = known {
            return Ok(scores);
        }
        let train = PuData { x: self.rows.of(method.entry()).clone(), ..self.train.clone() };
        let scores = method.fit(&train, self.prior, Wanted::Scores, self.run)?.ranking_scores();
        match lasts {
            true => self.lasting.lock().expect("no panic while held").insert(method.name(), scores.clone()),
            false => self.known.insert(method.name(), scores.clone()),
        };
        Ok(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automatic::candidates::pool;
    use crate::data::{Data, Dense, Kind};
    use crate::method::Effort;

    fn values(rows: std::ops::Range<usize>) -> Data {
        let columns = rows.clone().flat_map(|i| [(i * 7 % 11) as f32, (i * 5 % 13) as f32 - 4.0]);
        Data::Dense(Arc::new(Dense::new(rows.len(), 2, columns.collect()).unwrap()))
    }

    fn train() -> PuData {
        PuData::new(values(0..80), (0..80).map(|i| i * 7 % 11 > 7 && i < 50).collect()).unwrap()
    }

    #[test]
    fn a_rank_mean_that_keeps_the_graph_smooths_new_rows() {
        let run = Run::new(0);
        let folds = HiddenFolds::new(&train(), 2, true, &run).unwrap();
        let first = &pool(Effort::Quick, Kind::Dense).unwrap()[0];
        let of_new_rows = |with_graph: bool| {
            let ranked = folds.fit(first, 0.2, with_graph).unwrap();
            let (given, placed) = (values(80..120), folds.space().map(&values(80..120)).unwrap());
            ranked.voices.raw(&Placement { given: &given, placed: &placed }, &run).unwrap()
        };
        assert!(first.is_mean() && first.smooths());
        assert_ne!(of_new_rows(true), of_new_rows(false));
    }

    /// A method in the folds is the method of the registry on rows in their space.
    #[test]
    fn a_candidate_is_the_registered_method() {
        let run = Run::new(3);
        let folds = HiddenFolds::new(&train(), 2, true, &run).unwrap();
        for name in ["pseudo", "pseudo-smooth", "logistic-smooth", "logistic-spared"] {
            let method = Configured::parse(name).unwrap();
            let alone = method.fit(&train(), 0.2, Wanted::Model, &run).unwrap().ranking_scores();
            assert_eq!(folds.scores(&method.into(), 0.2).unwrap(), alone, "{name}");
        }
    }
}
