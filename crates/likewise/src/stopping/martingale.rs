//! Bets on random checks: which totals of wanted rows are refuted?
//!
//! Before a check r rows are found and n read, U = N - n are unread. If there are T wanted rows in all, a row drawn
//! uniformly from the unread is wanted with probability p = (T - r)/U exactly, however all other rows were chosen. So
//! for a stake c in [0, 1] the product over the checks of
//!
//! ```text
//! (1 - c p)/(1 - p)  where the row is not wanted,      c  where it is wanted
//! ```
//!
//! is a nonnegative martingale under T that starts at 1, and so is a mixture of several stakes. By Ville's inequality it
//! ever reaches 1/α with probability at most α: a total at which it did is refuted, whenever one looks. The product grows
//! with T, so the refuted totals are those from some T on, and the largest one left bounds recall from below.
//! r and n in p are those of each check's own moment: rows found by reading later change which T is asked about, not
//! what the checks said.

use super::chances::ln_gamma;
use super::least_missing;

/// One random check: what was found and read before it, and what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Wanted rows found before it (r).
    pub found_before: u64,
    /// Rows read before it (n).
    pub read_before: u64,
    /// Whether it was wanted.
    pub wanted: bool,
}

/// Stakes c and their weights. 0 wins most where nothing is left; the others survive finds.
pub const STAKES: [(f64, f64); 3] = [(0.0, 0.6), (0.2, 0.25), (0.5, 0.15)];

/// What the checks say against one total.
#[derive(Clone, Copy, Debug)]
pub struct Evidence {
    /// The logarithm of weight x product for each stake, now.
    pub logs: [f64; 3],
    /// The logarithm of the mixture now.
    pub log_now: f64,
    /// Its largest value after any check, 0 before the first.
    pub log_most: f64,
}

/// All that the bound is computed from.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    /// Distinct rows of the pile (N).
    pub rows: u64,
    /// The chance of being wrong that is put up with.
    pub alpha: f64,
    /// The random checks so far.
    pub draws: &'a [Draw],
    /// Wanted rows found so far.
    pub found: u64,
    /// Rows read so far.
    pub read: u64,
}

impl Bound<'_> {
    /// Rows that nobody has read.
    pub fn unread(&self) -> u64 {
        self.rows.saturating_sub(self.read)
    }

    /// Where a total is refuted.
    pub fn threshold(&self) -> f64 {
        -self.alpha.ln()
    }

    /// The evidence against `total` wanted rows among all.
    pub fn evidence(&self, total: u64) -> Evidence {
        // Products stay plain numbers, within what f64 holds, times e^scale.
        let mut parts = STAKES.map(|(_, weight)| weight);
        let (mut scale, mut most, mut log_most) = (0.0f64, 1.0f64, 0.0f64);
        for draw in self.draws {
            let unread = self.rows.saturating_sub(draw.read_before) as f64;
            let left = total.saturating_sub(draw.found_before) as f64;
            if draw.wanted {
                parts.iter_mut().zip(STAKES).for_each(|(part, (c, _))| *part *= c);
            } else if left >= unread {
                // All that was unread would be wanted, and this row was not.
                return Evidence {
                    logs: [f64::INFINITY; 3],
                    log_now: f64::INFINITY,
                    log_most: f64::INFINITY,
                };
            } else {
                let rest = 1.0 / (unread - left);
                parts.iter_mut().zip(STAKES).for_each(|(part, (c, _))| *part *= (unread - c * left) * rest);
            }
            let now = parts.iter().sum::<f64>();
            most = most.max(now);
            if !(1e-100..=1e100).contains(&now) && now > 0.0 {
                log_most = log_most.max(most.ln() + scale);
                parts.iter_mut().for_each(|part| *part /= now);
                scale += now.ln();
                most = 1.0;
            }
        }
        Evidence {
            logs: parts.map(|part| part.ln() + scale),
            log_now: parts.iter().sum::<f64>().ln() + scale,
            log_most: log_most.max(most.ln() + scale),
        }
    }

    /// The largest total that is not refuted. An unlucky run of checks may have refuted totals that the checks since
    /// speak for; where it did, what they speak for stands. So the bound is never less than the likely total, and the
    /// chance of error only falls.
    pub fn total_high(&self) -> u64 {
        let (mut standing, mut refuted) = (self.found, self.found + self.unread() + 1);
        while refuted - standing > 1 {
            let middle = standing + (refuted - standing) / 2;
            if self.evidence(middle).log_most >= self.threshold() {
                refuted = middle
            } else {
                standing = middle
            }
        }
        standing.max(self.found + self.still_there().unwrap_or(0))
    }

    /// How many further checks prove this recall if none of them is wanted.
    pub fn price(&self, target: f64) -> u64 {
        let total = least_missing(self.found, target);
        let left = total - self.found;
        if left > self.unread() {
            return 0;
        }
        let evidence = self.evidence(total);
        let once_refuted = evidence.log_most >= self.threshold();
        if once_refuted && self.still_there().is_none_or(|likely| likely < left) {
            return 0;
        }
        draws_needed(self.unread(), left as f64, &evidence.logs, self.threshold()).max(1)
    }

    /// The median of how many wanted rows are unread, given the checks, if each number of them is as likely before as one
    /// over itself: of the order of a thousand or of ten, who knows. None without checks.
    pub fn still_there(&self) -> Option<u64> {
        if self.draws.is_empty() {
            return None;
        }
        let unread = self.unread();
        // 0, 1, 2, …, then in steps of a twentieth; each stands for those up to the next.
        let mut lefts = vec![0u64];
        while let Some(&last) = lefts.last().filter(|&&last| last < unread) {
            lefts.push((last + 1 + last / 20).min(unread));
        }
        let logs: Vec<f64> = (lefts.iter().enumerate())
            .map(|(at, &left)| {
                let width = lefts.get(at + 1).map_or(1, |next| next - left) as f64;
                self.log_likelihood(self.found + left) + (width / (left + 1) as f64).ln()
            })
            .collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let half = 0.5 * weights.iter().sum::<f64>();
        let mut below = 0.0;
        let at = weights.iter().position(|weight| {
            below += weight;
            below >= half
        });
        at.map(|at| lefts[at])
    }

    fn log_likelihood(&self, total: u64) -> f64 {
        let one = |draw: &Draw| {
            let unread = self.rows.saturating_sub(draw.read_before) as f64;
            let p = (total.saturating_sub(draw.found_before) as f64 / unread).min(1.0);
            if draw.wanted { p.ln() } else { (-p).ln_1p() }
        };
        self.draws.iter().map(one).sum()
    }
}

/// The fewest draws, none of them wanted, after which the mixture reaches the threshold: `left` wanted rows among
/// `unread` are to be refuted, and `logs` holds the logarithm of what each stake has.
///
/// After m draws the product of a stake is Π (U - i - cK)/(U - i - K), i < m, a ratio of four gamma functions.
pub fn draws_needed(unread: u64, left: f64, logs: &[f64; 3], threshold: f64) -> u64 {
    let u = unread as f64;
    let grown = |m: u64| {
        let m = m as f64;
        if m > u - left {
            return f64::INFINITY;
        }
        let one = |(log, (c, _)): (&f64, (f64, f64))| {
            log + ln_gamma(u - c * left + 1.0) - ln_gamma(u - m - c * left + 1.0) - ln_gamma(u - left + 1.0)
                + ln_gamma(u - m - left + 1.0)
        };
        let logs = logs.iter().zip(STAKES).map(one);
        let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
        most + logs.map(|log| (log - most).exp()).sum::<f64>().ln()
    };
    // Written so that stakes which lost everything need all rows.
    let reached = |m: u64| grown(m) >= threshold;
    let (mut short, mut enough) = (0, unread);
    if reached(0) {
        return 0;
    }
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if reached(middle) { enough = middle } else { short = middle }
    }
    enough
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misses(count: u64, found: u64, read: u64) -> Vec<Draw> {
        (0..count).map(|k| Draw { found_before: found, read_before: read + k, wanted: false }).collect()
    }

    #[test]
    fn larger_totals_meet_more_evidence() {
        let mut draws = misses(40, 10, 50);
        draws[7].wanted = true;
        draws[8..].iter_mut().for_each(|draw| draw.found_before += 1);
        let bound = Bound { rows: 200, alpha: 0.05, draws: &draws, found: 11, read: 90 };
        let logs: Vec<f64> = (11..60).map(|total| bound.evidence(total).log_most).collect();
        assert!(logs.is_sorted());
        let high = bound.total_high();
        assert!(bound.evidence(high).log_most < bound.threshold());
        assert!(bound.evidence(high + 1).log_most >= bound.threshold());
    }

    #[test]
    fn the_price_is_what_it_then_costs() {
        let none = Bound { rows: 700, alpha: 0.05, draws: &[], found: 40, read: 200 };
        for target in [0.5, 0.8, 0.9] {
            let price = none.price(target);
            let after = |count: u64| {
                let draws = misses(count, 40, 200);
                let bound = Bound { draws: &draws, read: 200 + count, ..none };
                bound.evidence(least_missing(40, target)).log_most >= bound.threshold()
            };
            assert!(after(price) && !after(price - 1), "{target} {price}");
        }
    }

    /// Twenty misses in a row refute that a fifth of the unread is wanted; when later checks find every second row
    /// wanted, nobody should believe the first ones.
    #[test]
    fn what_later_checks_speak_for_is_not_called_refuted() {
        let first = misses(20, 100, 500);
        let early = Bound { rows: 1000, alpha: 0.05, draws: &first, found: 100, read: 520 };
        assert!(early.total_high() < 200 && early.price(0.5) == 0);
        let later =
            (0..60).map(|k| Draw { found_before: 100 + k / 2, read_before: 520 + k, wanted: k % 2 == 1 });
        let draws: Vec<Draw> = first.iter().copied().chain(later).collect();
        let late = Bound { draws: &draws, found: 130, read: 580, ..early };
        assert!(late.evidence(late.total_high()).log_most >= late.threshold());
        assert!(late.total_high() > 230 && late.price(0.7) > 0);
    }

    #[test]
    fn what_is_still_there_follows_the_checks() {
        let draws = misses(200, 40, 200);
        let bound = Bound { rows: 1000, alpha: 0.05, draws: &draws, found: 40, read: 400 };
        assert!(bound.still_there().unwrap() <= 2);
        let rich: Vec<Draw> = (0..200)
            .map(|k| Draw { found_before: 40 + k / 4, read_before: 200 + k, wanted: k % 4 == 3 })
            .collect();
        let left = Bound { draws: &rich, found: 90, ..bound }.still_there().unwrap();
        assert!((100..200).contains(&left), "{left}");
        assert_eq!(Bound { draws: &[], ..bound }.still_there(), None);
    }

    #[test]
    fn very_many_finds_do_not_lose_the_count() {
        let draws: Vec<Draw> =
            (0..4000).map(|k| Draw { found_before: k / 2, read_before: k, wanted: k % 2 == 1 }).collect();
        let bound = Bound { rows: 10_000, alpha: 0.05, draws: &draws, found: 2000, read: 4000 };
        let evidence = bound.evidence(5000);
        assert!(evidence.log_now.is_finite() && evidence.log_most >= 0.0);
        // Half of what is drawn is wanted: even the boldest surviving stake, .5, wins only against far larger totals.
        assert!((5000..7000).contains(&bound.total_high()), "{}", bound.total_high());
    }
}
