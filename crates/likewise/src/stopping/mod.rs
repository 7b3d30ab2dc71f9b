//! When may a reader stop? A lower bound on recall that holds under any ranking and after any number of looks.
//!
//! A person reads a pile in whatever order and marks rows as wanted or not. Among the marks are random checks: rows
//! drawn uniformly from the unread. Only these are bet on (see [`martingale`]), so that the bound takes nothing for
//! granted about the ranking, the search or the learner. Everything here is a function of the log of marks:
//!
//! ```
//! use likewise::stopping::{Rule, Source, Step};
//! let rule = Rule::new(100, 0.95, 0.05)?; // distinct rows, target recall, error
//! let mark = |source, wanted| Step { source, wanted };
//! let mut log = vec![mark(Source::Best, true); 20]; // source and verdict of each mark, in order
//! assert!(!rule.state(&log).stop);
//! log.extend(vec![mark(Source::Random, false); 80]);
//! let state = rule.state(&log);
//! assert!(state.stop && state.recall_low == 1.0); // all is read, so all is found
//! # Ok::<(), likewise::Error>(())
//! ```
//!
//! `recall_low` and `total_high` of a state are proved; `price` and `to_target` are the random checks still needed if
//! nothing more turns up; `phase` says whether to read best first or to check at random.
//!
//! A mark that was changed keeps its place in the log and its source, and counts with its new verdict; an undone one
//! leaves the log unless it was a random check, which must be decided. Marks are taken as true; recall is over the
//! distinct rows of the pile.
//!
//! [`martingale`] is the bound and its price, [`policy`] says when to check, [`others`] holds the rules people use
//! instead, [`chances`] the distributions.

pub mod chances;
pub mod martingale;
pub mod others;
pub mod policy;

use serde::Serialize;

use crate::error::{Error, Result};
pub use martingale::Draw;
pub use policy::{Dryness, Phase};

/// How a row came before the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Chosen by the learner.
    Best,
    /// Drawn uniformly from the rows that were unread.
    Random,
    /// Known before reading, found by search, brought in from elsewhere.
    Given,
}

/// One mark of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Step {
    /// Why this row was read.
    pub source: Source,
    /// Whether it was wanted.
    pub wanted: bool,
}

/// What is to be proved: at least `target` of the wanted among `rows` distinct rows are found, with error at most `alpha`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// Distinct rows of the pile.
    pub rows: u64,
    /// The share of the wanted to find.
    pub target: f64,
    /// The chance of stopping wrongly that is put up with.
    pub alpha: f64,
    /// How long reading best first goes on without a find.
    pub dryness: Dryness,
}

/// What can be said at one moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// Distinct rows of the pile.
    pub rows: u64,
    /// Rows read so far.
    pub read: u64,
    /// Wanted rows found so far.
    pub found: u64,
    /// The share of the wanted that is found, at least.
    pub recall_low: f64,
    /// The wanted among all rows, at most: the largest total that is not refuted.
    pub total_high: u64,
    /// How many wanted rows are probably still unread, by the random checks; none before the first check.
    pub still_there: Option<u64>,
    /// The logarithm of the evidence against "the target is missed"; the target is proved at ln(1/alpha).
    pub log_e: f64,
    /// The target is proved, or nothing is left to read.
    pub stop: bool,
    /// For each of the recalls .8, .9, .95: how many random checks prove it if none of them is wanted.
    pub price: Vec<(f64, u64)>,
    /// The same for the target.
    pub to_target: u64,
    /// The p value of Callaghan & Müller-Hansen: right if the ranking of what is left is no worse than chance.
    pub buscar: f64,
    /// Rows read best first since the last find.
    pub dry: u64,
    /// At so many it is time to check.
    pub dry_limit: u64,
    /// What to do next.
    pub phase: Phase,
}

/// The part of a [`State`] by which a loop is steered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// Random checks that prove the target if none of them is wanted; 0: stop.
    pub to_target: u64,
    /// Rows since the last find.
    pub dry: u64,
    /// As many of them end the reading.
    pub dry_limit: u64,
    /// What to do next.
    pub phase: Phase,
}

/// The recalls whose price is told.
const PRICED: [f64; 3] = [0.8, 0.9, 0.95];

impl Rule {
    /// Refuses targets and chances outside of 0 and 1.
    pub fn new(rows: u64, target: f64, alpha: f64) -> Result<Rule> {
        if !(target > 0.0 && target < 1.0) {
            let problem =
                format!("a recall to be proved lies between 0 and 1, such as 0.95; {target} does not");
            return Err(Error::parameter("target", problem));
        }
        if !(alpha > 0.0 && alpha < 1.0) {
            let problem = format!("a chance of error lies between 0 and 1, such as 0.05; {alpha} does not");
            return Err(Error::parameter("alpha", problem));
        }
        Ok(Rule { rows, target, alpha, dryness: Dryness::default() })
    }

    /// The same with another sense of when reading has run dry.
    pub fn with_dryness(self, dryness: Dryness) -> Rule {
        Rule { dryness, ..self }
    }

    /// Everything that the log says. Marks beyond the number of rows do not count.
    pub fn state(&self, log: &[Step]) -> State {
        let log = &log[..log.len().min(self.rows as usize)];
        let (draws, found) = draws(log);
        let read = log.len() as u64;
        let bound = self.bound(&draws, found, log);
        let total_high = bound.total_high();
        let recall_low = if total_high == 0 { 1.0 } else { found as f64 / total_high as f64 };
        let evidence = bound.evidence(least_missing(found, self.target));
        let to_target = bound.price(self.target);
        let (dry, dry_limit, phase) = self.dryness.phase(&bound, self.target, log);
        State {
            rows: self.rows,
            read,
            found,
            recall_low,
            total_high,
            still_there: bound.still_there(),
            log_e: evidence.log_most,
            stop: to_target == 0,
            price: PRICED.iter().map(|&recall| (recall, bound.price(recall))).collect(),
            to_target,
            buscar: others::buscar(self.rows, self.target, log),
            dry,
            dry_limit,
            phase,
        }
    }

    /// Whether the log proves the target: `state(log).stop`, without the rest of it.
    pub fn stops(&self, log: &[Step]) -> bool {
        let (draws, found) = draws(log);
        self.bound(&draws, found, log).price(self.target) == 0
    }

    /// What to do next: `state(log).phase`, without the rest of it.
    pub fn phase(&self, log: &[Step]) -> Phase {
        self.next(log).phase
    }

    /// What to do next and for how long, at a fraction of the cost of [`Rule::state`].
    pub fn next(&self, log: &[Step]) -> Next {
        let (draws, found) = draws(log);
        let bound = self.bound(&draws, found, log);
        let (dry, dry_limit, phase) = self.dryness.phase(&bound, self.target, log);
        Next { to_target: bound.price(self.target), dry, dry_limit, phase }
    }

    fn bound<'a>(&self, draws: &'a [Draw], found: u64, log: &[Step]) -> martingale::Bound<'a> {
        martingale::Bound { rows: self.rows, alpha: self.alpha, draws, found, read: log.len() as u64 }
    }
}

/// The smallest total under which the recall of `found` rows is below the target: T* = ⌊r/ρ⌋ + 1.
pub fn least_missing(found: u64, target: f64) -> u64 {
    let ratio = found as f64 / target;
    // 19 / .95 is 20 and must not come out just below it.
    let whole =
        if (ratio - ratio.round()).abs() < 1e-9 * ratio.max(1.0) { ratio.round() } else { ratio.floor() };
    whole as u64 + 1
}

/// The random checks of a log, each with what was found and read before it, and all that is found.
pub fn draws(log: &[Step]) -> (Vec<Draw>, u64) {
    let (mut draws, mut found) = (Vec::new(), 0);
    for (read, step) in log.iter().enumerate() {
        if step.source == Source::Random {
            draws.push(Draw { found_before: found, read_before: read as u64, wanted: step.wanted });
        }
        found += u64::from(step.wanted);
    }
    (draws, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use rand::seq::SliceRandom;

    fn step(source: Source, wanted: bool) -> Step {
        Step { source, wanted }
    }

    #[test]
    fn nothing_read_proves_nothing_and_everything_read_proves_all() {
        let rule = Rule::new(10, 0.95, 0.05).unwrap();
        let state = rule.state(&[]);
        assert_eq!(
            (state.recall_low, state.total_high, state.stop, state.phase),
            (0.0, 10, false, Phase::Reading)
        );
        let log: Vec<Step> = (0..10).map(|k| step(Source::Best, k < 3)).collect();
        let state = rule.state(&log);
        assert_eq!((state.recall_low, state.total_high, state.stop, state.to_target), (1.0, 3, true, 0));
        let none: Vec<Step> = (0..10).map(|_| step(Source::Best, false)).collect();
        assert!(rule.state(&none).stop && rule.state(&none).recall_low == 1.0);
        assert!(Rule::new(0, 0.95, 0.05).unwrap().state(&[]).stop, "an empty pile is done");
    }

    #[test]
    fn bad_targets_are_refused_in_words() {
        for (target, alpha) in [(0.0, 0.05), (1.0, 0.05), (f64::NAN, 0.05), (0.9, 0.0), (0.9, 1.0)] {
            assert!(Rule::new(10, target, alpha).is_err());
        }
        assert!(Rule::new(10, 95.0, 0.05).unwrap_err().to_string().contains("0.95"));
    }

    #[test]
    fn nineteen_of_twenty_are_ninety_five_percent() {
        assert_eq!((least_missing(19, 0.95), least_missing(10, 0.8), least_missing(0, 0.95)), (21, 13, 1));
    }

    /// The recall lies just below the target, and the state is looked at after every draw: whatever the reader does
    /// between checks, a false "proved" is to happen in at most 5 % of the runs.
    #[test]
    fn at_the_boundary_it_stops_wrongly_in_at_most_five_percent() {
        const TRIALS: u64 = 1500;
        let (rows, total, target) = (300usize, 42u64, 0.8);
        let rule = Rule::new(rows as u64, target, 0.05).unwrap();
        let known = (1..total).rev().find(|&r| least_missing(r, target) <= total).unwrap();
        let mut wrong = 0;
        for trial in 0..TRIALS {
            let mut unread: Vec<bool> = (0..rows).map(|row| (row as u64) < total).collect();
            // All that may be found without reaching the target is found first; then checks until the end.
            let mut log: Vec<Step> = (0..known).map(|_| step(Source::Best, true)).collect();
            unread.drain(..known as usize);
            unread.shuffle(&mut Run::new(trial).rng("boundary", 0));
            for wanted in unread {
                if rule.stops(&log) {
                    wrong += u64::from(draws(&log).1 <= known);
                    break;
                }
                log.push(step(Source::Random, wanted));
            }
        }
        let share = wrong as f64 / TRIALS as f64;
        let error = 3.0 * (0.05f64 * 0.95 / TRIALS as f64).sqrt();
        assert!(share <= 0.05 + error, "{share}");
        assert!(share > 0.005, "{share}: so few that the bets must be wrong the other way");
    }
}
