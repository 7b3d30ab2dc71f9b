//! How much each member of a mean of ranks counts: as much as hidden positives say that it tells.
//!
//! Which ranker tells a table best differs from table to table: on one the nearest examples, on the next a few thresholds.
//! ```text
//! w_m = b_m s_m⁴,    s_m = max(0, -1 - mean_i ln r_mi)
//! ```
//! where r_mi is the share of the pile above hidden positive i and b_m the weight without such knowledge. The logarithmic
//! ranks of a pile have mean -1 and deviation 1, so s is how many deviations the positives stand above it. Were members
//! independent, Fisher's discriminant would have w = s; they mostly err alike, and who tells more should lead. Between
//! third and sixth power nothing differs much.

use super::candidates::Candidate;
use super::hidden_folds::HiddenFolds;
use crate::error::Result;
use crate::prior::Ranks;

/// What the member that counts most gets; one that tells nothing keeps a say of 1.
const MOST: f64 = 20.0;

/// The candidate with the weights that hidden positives say, if it asks for such. Ranks that are known by the name of a
/// member need not be found again. Of the work that is ahead this is `share`.
pub fn weighed(
    candidate: Candidate,
    known: &[(String, Ranks)],
    folds: &HiddenFolds,
    prior: f64,
    share: f64,
) -> Result<Candidate> {
    if !candidate.is_weighed() {
        return Ok(candidate);
    }
    let find = |known: &[(String, Ranks)], name: &str| {
        known.iter().find(|(own, _)| own == name).map(|(_, ranks)| ranks.clone())
    };
    let unknown = candidate.members().iter().filter(|member| find(known, &member.name()).is_none());
    let unknown: Vec<Candidate> = unknown.map(|member| member.clone().into()).collect();
    let found = folds.hidden_ranks(&unknown, prior, share)?;
    let found: Vec<(String, Ranks)> = unknown.iter().map(Candidate::name).zip(found).collect();
    let tells = candidate.members().iter().map(|member| {
        let ranks = find(known, &member.name()).or_else(|| find(&found, &member.name()));
        f64::from(member.weight()) * ranks.map_or(0.0, |ranks| deviations(&ranks).powi(4))
    });
    Ok(match weights(&tells.collect::<Vec<_>>()) {
        Some(weights) => candidate.with_weights(&weights),
        None => candidate,
    })
}

/// By how many deviations of the pile's logarithmic ranks the hidden positives stand above it.
fn deviations(ranks: &Ranks) -> f64 {
    let sum: f64 = ranks.middles().iter().map(|r| r.ln()).sum();
    (-1.0 - sum / ranks.positives() as f64).max(0.0)
}

/// None where nothing tells anything.
fn weights(tells: &[f64]) -> Option<Vec<u32>> {
    let most = tells.iter().copied().fold(0.0, f64::max);
    (most > 0.0).then(|| tells.iter().map(|own| (MOST * own / most).round().max(1.0) as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stands_as_the_pile_does_tells_nothing() {
        let of = |shares: [f64; 2]| deviations(&Ranks::of_shares(shares.to_vec(), 1000));
        // Both at 1/e, where the mean of the pile is.
        assert_eq!(of([(-1.0f64).exp(); 2]), 0.0);
        assert_eq!(of([0.9, 0.9]), 0.0);
        assert!((of([(-3.0f64).exp(), (-4.0f64).exp()]) - 2.5).abs() < 1e-12);
    }

    #[test]
    fn weights_by_hand() {
        assert_eq!(weights(&[1.0, 16.0, 0.0, 8.0]), Some(vec![1, 20, 1, 10]));
        assert_eq!(weights(&[0.0, 0.0]), None);
    }
}
