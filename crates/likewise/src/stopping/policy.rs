//! Read best first, or check at random?
//!
//! Any policy keeps the bound, since only random draws are bet on; a good one is cheap. Let the last find lie w rows
//! back, all of them read best first. The yield of reading is then about 1/w, and if it stayed so U/w of the U unread
//! rows were wanted. With r rows found and m checks to pay if none is wanted, one more find would save about m/r of
//! them, since the price falls as one over the finds. What a dry spell of w costs and leaves undone is thus
//!
//! ```text
//! w + (U/w)(m/r),      least at  w = √(U m/r)
//! ```
//!
//! Where much is found checks are cheap and begin early; where little is found each find counts, and reading goes on.

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
#[serde(rename_all = "lowercase")]
pub enum Dryness {
    /// As many as pay: the square root of unread rows x price / found rows.
    #[default]
    Priced,
    /// Always so many.
    Rows(u64),
}

impl Dryness {
    /// Rows read best first since the last find, how many it takes, and what follows.
    pub fn phase(self, bound: &Bound, target: f64, log: &[Step]) -> (u64, u64, Phase) {
        let since = log.iter().rev().take_while(|step| !step.wanted);
        let dry = since.filter(|step| step.source == Source::Best).count() as u64;
        let limit = match self {
            Dryness::Rows(rows) => rows,
            Dryness::Priced => {
                let price = bound.price(target) as f64;
                (bound.unread() as f64 * price / bound.found.max(1) as f64).sqrt().ceil() as u64
            }
        };
        (dry, limit, if dry >= limit { Phase::Checking } else { Phase::Reading })
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

    /// 10,000 unread and no check so far: 500 finds make 95 % a matter of 1,217 checks or a few more or less.
    #[test]
    fn the_dry_spell_follows_the_price() {
        let log: Vec<Step> = (0..500).map(|_| Step { source: Source::Best, wanted: true }).collect();
        let state = Rule::new(10_500, 0.95, 0.05).unwrap().state(&log);
        assert!((1_100..1_300).contains(&state.to_target), "{}", state.to_target);
        let wanted = (10_000.0 * state.to_target as f64 / 500.0).sqrt().ceil() as u64;
        assert_eq!((state.dry, state.dry_limit, state.phase), (0, wanted, Phase::Reading));
        assert!(Rule::new(10_500, 0.8, 0.05).unwrap().state(&log).dry_limit < state.dry_limit);
    }
}
