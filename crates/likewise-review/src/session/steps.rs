//! The log as the stop rule reads it, and what may be said at this moment.

use likewise::measure::{OF_95_PERCENT, wilson};
use likewise::stopping::martingale::Bound;
use likewise::stopping::{Draw, Phase, Rule, Source, State, Step, least_missing};
use serde::Serialize;

use super::log::{Act, Origin, Verdict};
use super::{Session, Standing};

/// How often program and person say the same of a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Agreement {
    pub both: u64,
    pub same: u64,
    /// 95 % interval of Wilson.
    pub low: f64,
    pub high: f64,
    /// Of the rows that the program calls wanted: those that the person does too.
    pub program_yes: u64,
    pub program_yes_right: u64,
}

/// All that is needed to say how far the reading is, taken out of the session so that nobody waits meanwhile.
pub struct Steps {
    /// The decided rows in the order in which they were first seen, with what they are now: a mark that was changed
    /// counts with its new verdict.
    decided: Vec<Step>,
    /// The random checks with every undecided row taken as wanted but not found.
    careful: Vec<Draw>,
    /// The same with every undecided row taken as not wanted.
    hopeful: Vec<Draw>,
    /// Rows that were seen or drawn, but not decided.
    pub open: u64,
}

impl Session {
    pub fn steps(&self) -> Steps {
        let (mut decided, mut careful, mut hopeful) = (Vec::new(), Vec::new(), Vec::new());
        let (mut open, mut found, mut sure) = (0, 0, 0);
        for (read, &row) in self.seen.iter().enumerate() {
            let (source, standing) = (self.source(row), self.standing(row));
            let wanted = standing != Standing::Decided(Verdict::No);
            let is_sure = standing == Standing::Decided(Verdict::Yes);
            match standing {
                Standing::Decided(_) => decided.push(Step { source, wanted }),
                _ => open += 1,
            }
            if source == Source::Random {
                let read_before = read as u64;
                careful.push(Draw { found_before: found, read_before, wanted });
                hopeful.push(Draw { found_before: sure, read_before, wanted: is_sure });
            }
            found += u64::from(wanted);
            sure += u64::from(is_sure);
        }
        let passed = self.passed().count() as u64;
        for skipped in 0..passed {
            let read_before = self.seen.len() as u64 + skipped;
            careful.push(Draw { found_before: found + skipped, read_before, wanted: true });
            hopeful.push(Draw { found_before: sure, read_before, wanted: false });
        }
        Steps { decided, careful, hopeful, open: open + passed }
    }

    /// What a program beside a person read, in its order.
    pub fn program_steps(&self) -> Vec<Step> {
        let said = self.log.iter().filter(|entry| entry.program);
        let verdicts = said.filter_map(|entry| match entry.act {
            Act::Mark { verdict, .. } => Some(verdict),
            Act::Undo(_) | Act::Redo(_) => None,
        });
        verdicts.map(|verdict| Step { source: Source::Best, wanted: verdict == Verdict::Yes }).collect()
    }

    fn source(&self, row: u32) -> Source {
        let marks = &self.rows[&row].person;
        if marks.iter().any(|mark| mark.kind == Origin::Random) {
            return Source::Random;
        }
        match marks.first().map(|mark| mark.kind) {
            Some(Origin::Best) => Source::Best,
            _ => Source::Given,
        }
    }

    /// Rows that the random order has passed and that nobody marked: drawn all the same.
    pub fn passed(&self) -> impl Iterator<Item = u32> {
        let drawn = self.order.rows[..self.frontier as usize].iter().copied();
        drawn.filter(|&row| self.standing(row) == Standing::Unread)
    }

    pub fn agreement(&self) -> Option<Agreement> {
        let (mut both, mut same, mut program_yes, mut right) = (0u64, 0u64, 0u64, 0u64);
        for (&row, marks) in &self.rows {
            let Standing::Decided(person) = marks.standing() else { continue };
            let Some(program @ (Verdict::Yes | Verdict::No)) = self.program_verdict(row) else { continue };
            both += 1;
            same += u64::from(person == program);
            program_yes += u64::from(program == Verdict::Yes);
            right += u64::from(program == Verdict::Yes && person == Verdict::Yes);
        }
        if both == 0 {
            return None;
        }
        let (low, high) = wilson(same as f64 / both as f64, both as f64, OF_95_PERCENT);
        Some(Agreement { both, same, low, high, program_yes, program_yes_right: right })
    }
}

impl Steps {
    pub fn phase(&self, rule: &Rule) -> Phase {
        rule.phase(&self.decided)
    }

    /// What can be said now. Rows that were seen but not decided may be wanted and are not found: as long as there are
    /// any, they count as missed, so that nobody can stop earlier by putting rows off. What it still takes is said for
    /// when they are decided, whichever way costs more: until then no number of checks is enough.
    pub fn look(&self, rule: &Rule) -> State {
        let mut state = rule.state(&self.decided);
        if self.open == 0 {
            return state;
        }
        let (found, read) = (state.found, state.read);
        let bound = Bound { rows: rule.rows, alpha: rule.alpha, draws: &self.careful, found, read };
        state.total_high = bound.total_high().max(found + self.open);
        state.recall_low = found as f64 / state.total_high as f64;
        state.log_e = bound.evidence(least_missing(found, rule.target)).log_most;
        let read = read + self.open;
        let wanted = Bound { found: found + self.open, read, ..bound };
        let unwanted = Bound { draws: &self.hopeful, read, ..bound };
        let price = |recall: f64| wanted.price(recall).max(unwanted.price(recall));
        state.price = state.price.iter().map(|&(recall, _)| (recall, price(recall))).collect();
        state.stop = state.recall_low >= rule.target;
        state.to_target = if state.stop { 0 } else { price(rule.target) };
        state
    }

    /// Found after so many read: about `most` points of the curve.
    pub fn curve(&self, most: usize) -> Vec<(u64, u64)> {
        let mut found = 0;
        let all: Vec<(u64, u64)> = (self.decided.iter().enumerate())
            .map(|(at, step)| {
                found += u64::from(step.wanted);
                (at as u64 + 1, found)
            })
            .collect();
        let every = all.len().div_ceil(most.max(1)).max(1);
        let last = all.last().copied();
        let mut points: Vec<(u64, u64)> = all.into_iter().step_by(every).collect();
        points.extend(last.filter(|last| points.last() != Some(last)));
        points
    }

    #[cfg(test)]
    pub fn decided(&self) -> &[Step] {
        &self.decided
    }
}
