//! The loop of reading, played with known truth: what would a reader have marked, and what would they have missed?

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::seq::SliceRandom;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::replay::{enough, ideal, qbcb_marks, stops};
use super::{Learner, Neighbours, Pick};
use crate::data::{Csr, Data};
use crate::error::{Error, Result};
use crate::run::{Key, Run};
use crate::stopping::{Phase, Rule, Source, Step};

/// Which rule ends the reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StopRule {
    /// Random checks prove the target ([`crate::stopping`]).
    Proved,
    /// The p value of Callaghan & Müller-Hansen falls below alpha.
    Buscar,
    /// So many rows in a row were not wanted.
    InARow(usize),
    /// The curve of finds has a clear knee.
    Knee,
    /// Enough of a random sample of wanted rows has been met.
    Qbcb,
    /// Nothing but the limit of marks.
    Never,
}

/// What to play.
#[derive(Clone, Debug)]
pub struct Request {
    /// When to stop.
    pub rule: StopRule,
    /// Recall to reach.
    pub target: f64,
    /// The chance of stopping wrongly that is put up with.
    pub alpha: f64,
    /// Wanted rows that are known at the start.
    pub examples: usize,
    /// Unwanted rows that are known at the start.
    pub unwanted: usize,
    /// Stops at so many marks, what is known at the start not counted.
    pub most: Option<usize>,
    /// A new ranking whenever the marks have grown by this share.
    pub growth: f64,
    /// Which row is read next.
    pub pick: Pick,
    /// Lets neighbours count, as a page does once it has found them.
    pub neighbours: bool,
    /// Wanted rows that every ranking puts last, as a share of all: what no learner would find.
    pub ranked_last: f64,
    /// Also plays reading best first alone, where the rule does not, to tell the ideal.
    pub with_ideal: bool,
}

impl Default for Request {
    fn default() -> Self {
        Request {
            rule: StopRule::Proved,
            target: 0.95,
            alpha: 0.05,
            examples: 10,
            unwanted: 0,
            most: None,
            growth: 0.05,
            pick: Pick::Best,
            neighbours: true,
            ranked_last: 0.0,
            with_ideal: true,
        }
    }
}

/// How it went. Marks and shares count what is known at the start as read and found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// Distinct rows of the pile.
    pub rows: usize,
    /// Those that are wanted in truth.
    pub wanted: usize,
    /// The examples, as rows of the pile.
    pub examples: Vec<usize>,
    /// The unwanted rows that were known at the start.
    pub unwanted: Vec<usize>,
    /// Rows that were read before the rule said stop.
    pub marks: usize,
    /// Wanted rows among them.
    pub found: usize,
    /// The share of the wanted that was found.
    pub recall: f64,
    /// Whether the target was reached.
    pub reached: bool,
    /// Marks of the loop that were random checks.
    pub checks: usize,
    /// What was proved at the end; only by the proved rule.
    pub recall_low: Option<f64>,
    /// Marks after which reading best first alone had reached the target, had one known; none where it was not played.
    pub ideal: Option<usize>,
    /// Marks that reading in random order needs for the recall that was reached, on average.
    pub random: f64,
    /// Rows found after each mark.
    pub curve: Vec<u32>,
    /// How often a ranking was made anew, and how long that took in the mean.
    pub rankings: usize,
    /// How long the learning took.
    #[serde(skip)]
    pub seconds: f64,
}

/// Plays the loop over rows of known truth.
pub fn rehearse(x: Arc<Csr>, truth: &[bool], request: &Request, run: &Run) -> Result<Answer> {
    let rule = Rule::new(truth.len() as u64, request.target, request.alpha)?;
    let neighbours = neighbours_of(&x, request, run)?;
    let mut reader = Reader::start(x.clone(), neighbours.clone(), truth, request, run)?;
    match request.rule {
        StopRule::Proved => {
            let alone = match request.with_ideal {
                true => Some(Reader::start(x, neighbours, truth, request, run)?.ideal(request.target, run)?),
                false => None,
            };
            reader.prove(&rule, run)?;
            let checks = reader.log.iter().filter(|step| step.source == Source::Random).count();
            let recall_low = rule.state(&reader.log).recall_low;
            let marks = reader.order.clone();
            let answer = reader.answer(marks, checks, Some(recall_low), request);
            Ok(Answer { ideal: alone.flatten(), ..answer })
        }
        StopRule::Qbcb => {
            let most = reader.most;
            reader.read(most, run)?;
            let (marks, checks) = reader.qbcb(&rule, run);
            Ok(reader.answer(marks, checks, None, request))
        }
        other => {
            // A look costs a pass over the log, and a reader looks up now and then.
            let mut next = reader.log.len();
            loop {
                let done = reader.log.len() >= reader.most;
                if done || stops(other, &rule, &reader.log) {
                    break;
                }
                next = (next + 1 + next / 100).min(reader.most);
                reader.read(next, run)?;
            }
            let marks = reader.order.clone();
            Ok(reader.answer(marks, 0, None, request))
        }
    }
}

/// The whole pile, best first: where every rule that only reads would stop can be told from it.
pub fn best_first(x: Arc<Csr>, truth: &[bool], request: &Request, run: &Run) -> Result<Vec<Step>> {
    let neighbours = neighbours_of(&x, request, run)?;
    let mut reader = Reader::start(x, neighbours, truth, request, run)?;
    let most = reader.most;
    reader.read(most, run)?;
    Ok(reader.log)
}

/// Searched once for all readings of the same rows in a run that shares.
fn neighbours_of(x: &Arc<Csr>, request: &Request, run: &Run) -> Result<Option<Arc<Neighbours>>> {
    let key = Key::new("neighbours of a reading", Data::Sparse(x.clone()).identity());
    let wanted = request.neighbours && Neighbours::are_found_among(x.rows());
    wanted.then(|| run.shared(key, || Neighbours::of(x, &run.without_progress()))).transpose()
}

/// Who says which rows come first.
pub(super) enum Ranker {
    Learner(Learner),
    /// The rows in their order, whatever is marked.
    Order,
}

/// Who reads: the truth, the ranking, and what is marked so far.
pub(super) struct Reader<'a> {
    truth: &'a [bool],
    ranker: Ranker,
    growth: f64,
    pick: Pick,
    last: Vec<bool>,
    log: Vec<Step>,
    pub(super) order: Vec<usize>,
    read: Vec<bool>,
    /// Unread rows of the last ranking, the best first.
    ranked: VecDeque<usize>,
    /// At so many marks the ranking is made anew.
    next_ranking: usize,
    /// All rows in random order.
    random: VecDeque<usize>,
    examples: usize,
    unwanted: usize,
    most: usize,
    rankings: usize,
    spent: Duration,
}

impl<'a> Reader<'a> {
    fn start(
        x: Arc<Csr>,
        neighbours: Option<Arc<Neighbours>>,
        truth: &'a [bool],
        request: &Request,
        run: &Run,
    ) -> Result<Self> {
        if x.rows() != truth.len() {
            return Err(Error::data(format!("{} rows but {} labels", x.rows(), truth.len())));
        }
        let mut wanted: Vec<usize> = (0..truth.len()).filter(|&row| truth[row]).collect();
        if request.examples == 0 || wanted.len() <= request.examples {
            let problem = format!(
                "{} of {} wanted rows cannot be shown so that some are left to find; give a number from 1 to {}",
                request.examples,
                wanted.len(),
                wanted.len().saturating_sub(1)
            );
            return Err(Error::parameter("examples", problem));
        }
        if !(request.growth >= 0.0 && request.growth.is_finite()) {
            return Err(Error::parameter("growth", "a share of the marks, 0 for a new ranking after each"));
        }
        wanted.shuffle(&mut run.rng("examples", 0));
        let mut learner = Learner::new(x, run.seed())?;
        neighbours.into_iter().for_each(|neighbours| learner.join(neighbours));
        let mut reader = Reader::new(truth, Ranker::Learner(learner), request, run);
        let hidden = (request.ranked_last * wanted.len() as f64).round() as usize;
        wanted.iter().rev().take(hidden).for_each(|&row| reader.last[row] = true);
        wanted[..request.examples].iter().for_each(|&row| reader.mark(row, Source::Given));
        let mut others: Vec<usize> = (0..truth.len()).filter(|&row| !truth[row]).collect();
        others.shuffle(&mut run.rng("unwanted", 0));
        others.iter().take(request.unwanted).for_each(|&row| reader.mark(row, Source::Given));
        reader.unwanted = reader.log.len() - request.examples;
        reader.most = request.most.map_or(truth.len(), |most| (most + reader.log.len()).min(truth.len()));
        Ok(reader)
    }

    /// Nothing is marked yet.
    pub(super) fn new(truth: &'a [bool], ranker: Ranker, request: &Request, run: &Run) -> Self {
        let mut random: Vec<usize> = (0..truth.len()).collect();
        random.shuffle(&mut run.rng("random checks", 0));
        Reader {
            truth,
            ranker,
            growth: request.growth,
            pick: request.pick,
            last: vec![false; truth.len()],
            log: Vec::with_capacity(truth.len()),
            order: Vec::with_capacity(truth.len()),
            read: vec![false; truth.len()],
            ranked: VecDeque::new(),
            next_ranking: 0,
            random: random.into(),
            examples: request.examples,
            unwanted: 0,
            most: truth.len(),
            rankings: 0,
            spent: Duration::ZERO,
        }
    }

    pub(super) fn mark(&mut self, row: usize, source: Source) {
        self.read[row] = true;
        self.order.push(row);
        self.log.push(Step { source, wanted: self.truth[row] });
    }

    /// Reads best first until there are `marks` marks.
    fn read(&mut self, marks: usize, run: &Run) -> Result<()> {
        while self.log.len() < marks {
            if self.log.len() >= self.next_ranking || self.ranked.is_empty() {
                self.rank(run)?;
            }
            while let Some(row) = self.ranked.pop_front() {
                if !self.read[row] {
                    self.mark(row, Source::Best);
                    break;
                }
            }
        }
        Ok(())
    }

    fn rank(&mut self, run: &Run) -> Result<()> {
        let unread = (0..self.truth.len()).filter(|&row| !self.read[row]);
        let Ranker::Learner(learner) = &mut self.ranker else {
            self.ranked = unread.collect();
            self.next_ranking = usize::MAX;
            return Ok(());
        };
        let (wanted, unwanted): (Vec<usize>, Vec<usize>) =
            self.order.iter().copied().partition(|&row| self.truth[row]);
        let started = Instant::now();
        let scores = learner.rank(&wanted, &unwanted, run)?;
        self.spent += started.elapsed();
        self.rankings += 1;
        let batch = 1 + (self.growth * self.log.len() as f64) as usize;
        self.next_ranking = self.log.len() + batch;
        let (first, last): (Vec<usize>, Vec<usize>) = unread.partition(|&row| !self.last[row]);
        let mut next = learner.choose(&scores, first, batch, self.pick);
        if next.len() < batch {
            next.extend(last);
        }
        self.ranked = next.into();
        Ok(())
    }

    /// The marks that reading alone takes to the target, the examples among them; none where it may not go so far.
    fn ideal(mut self, target: f64, run: &Run) -> Result<Option<usize>> {
        let wanted = self.truth.iter().filter(|wanted| **wanted).count();
        let mut missing = enough(wanted, target).saturating_sub(self.examples);
        while missing > 0 && self.log.len() < self.most {
            self.read(self.log.len() + 1, run)?;
            missing -= usize::from(self.log.last().is_some_and(|step| step.wanted));
        }
        Ok((missing == 0).then_some(self.log.len()))
    }

    /// Reads and checks until the rule is satisfied.
    pub(super) fn prove(&mut self, rule: &Rule, run: &Run) -> Result<()> {
        while self.log.len() < self.most {
            let state = rule.next(&self.log);
            if state.to_target == 0 {
                break;
            }
            run.step("rehearsing", self.log.len() as u64, self.most as u64)?;
            match state.phase {
                Phase::Reading => {
                    // Until the next find nothing changes but the length of the dry spell.
                    let until = (self.log.len() + (state.dry_limit - state.dry) as usize).min(self.most);
                    while self.log.len() < until {
                        self.read(self.log.len() + 1, run)?;
                        if self.log.last().is_some_and(|step| step.wanted) {
                            break;
                        }
                    }
                }
                Phase::Checking => {
                    // None of these proves anything before the last, unless one is wanted.
                    let until = (self.log.len() + state.to_target as usize).min(self.most);
                    while self.log.len() < until {
                        let Some(row) = self.random.pop_front() else { break };
                        if self.read[row] {
                            continue;
                        }
                        self.mark(row, Source::Random);
                        if self.truth[row] {
                            // What a check brought up is news to the learner.
                            self.next_ranking = 0;
                            break;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn qbcb(&self, rule: &Rule, run: &Run) -> (Vec<usize>, usize) {
        let (positions, drawn) = qbcb_marks(rule, &self.log, run);
        (positions.into_iter().map(|position| self.order[position]).collect(), drawn)
    }

    fn answer(self, marked: Vec<usize>, checks: usize, recall_low: Option<f64>, request: &Request) -> Answer {
        let wanted = self.truth.iter().filter(|wanted| **wanted).count();
        let enough = enough(wanted, request.target);
        let mut found = 0;
        let curve: Vec<u32> = (marked.iter())
            .map(|&row| {
                found += u32::from(self.truth[row]);
                found
            })
            .collect();
        let found = found as usize;
        let only_read = self.log.iter().all(|step| step.source != Source::Random);
        let ideal = if only_read { ideal(&self.log, wanted, request.target) } else { None };
        let (known, left) = (self.examples as f64, (wanted - self.examples) as f64);
        let others = self.truth.len() as f64 - known - self.unwanted as f64;
        // The k-th of n wanted among N rows in random order comes at k (N + 1)/(n + 1) on average.
        let random = known + self.unwanted as f64 + (found as f64 - known) * (others + 1.0) / (left + 1.0);
        Answer {
            rows: self.truth.len(),
            wanted,
            examples: self.order[..self.examples].to_vec(),
            unwanted: self.order[self.examples..self.examples + self.unwanted].to_vec(),
            marks: marked.len(),
            found,
            recall: found as f64 / wanted as f64,
            reached: found >= enough,
            checks,
            recall_low,
            ideal,
            random: random.min(self.truth.len() as f64),
            curve,
            rankings: self.rankings,
            seconds: self.spent.as_secs_f64() / self.rankings.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Texts;

    fn pile() -> (Arc<Csr>, Vec<bool>) {
        let wanted = |row: usize| row.is_multiple_of(8);
        let line = |row: usize| match wanted(row) {
            true => format!("please refund my money for order {}", row % 7),
            false => format!("where is my parcel number {} today", row % 13),
        };
        let texts: Texts = (0..800).map(line).collect();
        let (_, x) = super::super::features(&texts, &Run::new(0)).unwrap();
        (Arc::new(x), (0..800).map(wanted).collect())
    }

    #[test]
    fn a_clear_class_is_found_and_proved() {
        let (x, truth) = pile();
        let answer = rehearse(x, &truth, &Request::default(), &Run::new(1)).unwrap();
        assert_eq!((answer.rows, answer.wanted, answer.recall), (800, 100, 1.0));
        assert!(answer.checks > 0 && answer.marks < 700 && answer.recall_low.unwrap() >= 0.95);
        assert_eq!(answer.curve.last(), Some(&100));
        assert_eq!((answer.curve.len(), answer.examples.len(), answer.ideal), (answer.marks, 10, Some(95)));
    }

    #[test]
    fn what_ranks_last_is_still_found_or_not_called_proved() {
        let (x, truth) = pile();
        let request = Request { ranked_last: 0.1, ..Request::default() };
        let reached = (0..20)
            .filter(|&seed| rehearse(x.clone(), &truth, &request, &Run::new(seed)).unwrap().reached)
            .count();
        assert!(reached >= 18, "{reached} of 20");
        let row = Request { rule: StopRule::InARow(50), ..request };
        assert!(
            !rehearse(x, &truth, &row, &Run::new(0)).unwrap().reached,
            "fifty in a row see nothing of it"
        );
    }

    #[test]
    fn other_rules_only_read() {
        let (x, truth) = pile();
        for rule in [StopRule::InARow(50), StopRule::Knee, StopRule::Buscar, StopRule::Qbcb] {
            let answer =
                rehearse(x.clone(), &truth, &Request { rule, ..Request::default() }, &Run::new(1)).unwrap();
            assert_eq!(answer.ideal, Some(95), "{rule:?}: a clean class ranks first");
            assert!(answer.reached && answer.recall_low.is_none(), "{rule:?}");
            assert!(answer.random > 700.0 && answer.random <= 800.0);
        }
        let short = Request { rule: StopRule::Never, most: Some(20), ..Request::default() };
        let answer = rehearse(x.clone(), &truth, &short, &Run::new(1)).unwrap();
        assert_eq!((answer.marks, answer.ideal), (30, None));
        let both = Request { unwanted: 7, ..short.clone() };
        let answer = rehearse(x.clone(), &truth, &both, &Run::new(1)).unwrap();
        assert_eq!((answer.marks, answer.examples.len(), answer.unwanted.len()), (37, 10, 7));
        assert!(answer.unwanted.iter().all(|&row| !truth[row]) && answer.curve[16] == 10);
        assert!(rehearse(x, &truth, &Request { examples: 100, ..short }, &Run::new(1)).is_err());
    }
}
