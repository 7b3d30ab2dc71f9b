//! How far scores are smoothed over neighbours: as far as hidden positives say.
//!
//! Newsgroup threads want nearly all of a score from their neighbours, pages that one word tells apart nothing of it. Each
//! amount ranks the hidden positives; r_i(a) is the share of the pile above positive i. Of all amounts a with
//!
//! ```text
//! mean_i (r_i(a) - r_i(best)) <= t · deviation / √n,    best: the least mean r
//! ```
//!
//! the one nearest to the usual half is taken, so that a few positives do not lead far away. First for the scores by which
//! rows join the positives, then for the last ones.

use super::candidates::Candidate;
use super::hidden_folds::HiddenFolds;
use crate::error::Result;
use crate::parts::smoothing::USUAL;
use crate::prior::Ranks;

/// How much of a score comes from the neighbours: before rows join the positives, and in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amounts {
    pub first: f64,
    pub last: f64,
}

const TRIED: [f64; 6] = [0.0, 0.3, USUAL, 0.7, 0.8, 0.9];
/// In standard errors.
const SLACK: f64 = 0.5;
/// Who tells how much the first scores are smoothed.
const FIRST: &str = "logistic-smooth";
/// … and the last ones.
const LAST: &str = "pseudo-smooth";

impl Amounts {
    /// Every pair that can be taken.
    pub fn all() -> impl Iterator<Item = Amounts> {
        TRIED.into_iter().flat_map(|first| TRIED.into_iter().map(move |last| Amounts { first, last }))
    }

    /// Those that hidden positives say. Of the work that is ahead this is `share`.
    pub fn told(folds: &HiddenFolds, prior: f64, share: f64) -> Result<Amounts> {
        let settle = |of: &str, amounts: &dyn Fn(f64) -> Amounts| -> Result<f64> {
            let candidate = Candidate::parse(of)?;
            let tried: Vec<Candidate> = TRIED.iter().map(|&a| candidate.smoothing(amounts(a))).collect();
            Ok(TRIED[settled(&folds.hidden_ranks(&tried, prior, 0.5 * share)?)])
        };
        let first = settle(FIRST, &|a| Amounts { first: a, last: a })?;
        let last = settle(LAST, &|last| Amounts { first, last })?;
        Ok(Amounts { first, last })
    }
}

/// Which of the amounts tried is taken, by where each ranks the same hidden positives.
fn settled(ranks: &[Ranks]) -> usize {
    let mean = |ranks: &Ranks| ranks.middles().iter().sum::<f64>() / ranks.positives() as f64;
    let means: Vec<f64> = ranks.iter().map(mean).collect();
    let best = (0..ranks.len()).min_by(|&a, &b| means[a].total_cmp(&means[b])).expect("amounts were tried");
    let good = |&a: &usize| {
        let lost: Vec<f64> =
            ranks[a].middles().iter().zip(ranks[best].middles()).map(|(own, best)| own - best).collect();
        let n = lost.len() as f64;
        let mean = lost.iter().sum::<f64>() / n;
        let variance = lost.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        mean <= SLACK * (variance / n).sqrt()
    };
    let far = |a: &usize| (TRIED[*a] - USUAL).abs();
    (0..ranks.len()).filter(good).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_to_a_half_that_is_no_worse_beyond_chance() {
        let all = |shares: [[f64; 4]; 6]| shares.map(|of| Ranks::of_shares(of.to_vec(), 1000)).to_vec();
        let flat = [0.1, 0.2, 0.1, 0.2];
        assert_eq!(TRIED[settled(&all([flat; 6]))], USUAL);
        // .9 is better by the same everywhere: that is no chance.
        let mut better = [flat; 6];
        better[5] = flat.map(|share| share - 0.05);
        assert_eq!(TRIED[settled(&all(better))], 0.9);
        // Better at one and worse at the others may be: on average by .005, where half a standard error is .0065.
        better[5] = [0.05, 0.21, 0.11, 0.21];
        assert_eq!(TRIED[settled(&all(better))], USUAL);
        assert_eq!(Amounts::all().count(), TRIED.len() * TRIED.len());
    }
}
