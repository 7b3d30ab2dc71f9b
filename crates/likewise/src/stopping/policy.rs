//! Read best first, or check at random?
//!
//! Any policy keeps the bound, since only random draws are bet on; a good one is cheap.

use serde::Serialize;

use super::martingale::Bound;
use super::{Source, Step};

/// What the reader sees next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Rows that the learner puts first.
    Reading,
    /// Rows drawn at random from the unread.
    Checking,
}

/// How many rows in a row, read best first, must be unwanted before checks begin. A find starts the count again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub enum Dryness {
    /// 50, or 20 for targets up to .9.
    #[default]
    Usual,
    Rows(u64),
}

impl Dryness {
    /// Rows read best first since the last find, how many it takes, and what follows.
    pub fn phase(self, bound: &Bound, target: f64, log: &[Step]) -> (u64, u64, Phase) {
        let since = log.iter().rev().take_while(|step| !step.wanted);
        let dry = since.filter(|step| step.source == Source::Best).count() as u64;
        let limit = self.limit(bound, target);
        (dry, limit, if dry >= limit { Phase::Checking } else { Phase::Reading })
    }

    fn limit(self, _: &Bound, target: f64) -> u64 {
        match self {
            Dryness::Usual if target > 0.9 => 50,
            Dryness::Usual => 20,
            Dryness::Rows(rows) => rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stopping::Rule;

    #[test]
    fn a_find_sends_back_to_reading() {
        let rule = Rule::new(1000, 0.95, 0.05).unwrap().with_dryness(Dryness::Rows(3));
        let mut log = vec![Step { source: Source::Best, wanted: true }];
        let miss = |source| Step { source, wanted: false };
        log.extend([miss(Source::Best), miss(Source::Random), miss(Source::Best)]);
        assert_eq!(rule.phase(&log), Phase::Reading, "checks are no part of a dry spell");
        log.push(miss(Source::Best));
        assert_eq!(rule.phase(&log), Phase::Checking);
        log.push(Step { source: Source::Random, wanted: true });
        assert_eq!(rule.phase(&log), Phase::Reading);
    }
}
