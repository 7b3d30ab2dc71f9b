//! The stop rules that people use otherwise, to show beside the proved one and to compare with it.

use super::chances::{binomial_tail, hypergeometric_cdf};
use super::{Step, least_missing};

/// BUSCAR (Callaghan & Müller-Hansen 2020): the p value of "the target is missed", as if what was read last had been
/// drawn at random. For every i the last i rows read, k_i of them wanted, are compared with
///
/// ```text
/// HypergeomCDF(k_i; N - (n - i), ⌊r/ρ + 1 - (r - k_i)⌋, i)
/// ```
///
/// and the smallest counts. True where the ranking of what is left is no worse than chance; no proof.
pub fn buscar(rows: u64, target: f64, log: &[Step]) -> f64 {
    let read = log.len() as u64;
    let found = log.iter().filter(|step| step.wanted).count() as u64;
    let (mut smallest, mut among) = (1.0f64, 0);
    for (at, step) in log.iter().rev().enumerate() {
        let last = at as u64 + 1;
        among += u64::from(step.wanted);
        let before = rows - (read - last);
        let wanted = least_missing(found, target) - (found - among);
        // Only at the start of a run of unwanted rows can the value be smallest: elsewhere one more lowers it.
        let run_ends = log.len() == at + 1 || log[log.len() - at - 2].wanted;
        if run_ends && !step.wanted {
            if wanted > before {
                return 0.0;
            }
            smallest = smallest.min(hypergeometric_cdf(among, before, wanted, last));
        }
    }
    smallest
}

/// So many rows in a row were not wanted.
pub fn in_a_row(log: &[Step], rows: usize) -> bool {
    log.len() >= rows && log[log.len() - rows..].iter().all(|step| !step.wanted)
}

/// The knee of the curve of finds (Cormack & Grossman 2016): the point farthest above the line from the start to now
/// parts a steep from a flat stretch. Stops where the first is so many times as steep as the second: 156 less the finds
/// before the knee, at least 6.
pub fn knee(log: &[Step]) -> bool {
    let found = log.iter().filter(|step| step.wanted).count() as f64;
    let read = log.len() as f64;
    if found == 0.0 {
        return false;
    }
    let slope = found / read;
    let (mut so_far, mut knee, mut height) = (0.0, (0.0, 0.0), 0.0);
    for (at, step) in log.iter().enumerate() {
        so_far += f64::from(u8::from(step.wanted));
        let above = so_far - slope * (at + 1) as f64;
        if above > height {
            (height, knee) = (above, ((at + 1) as f64, so_far));
        }
    }
    let (at, before) = knee;
    if at == 0.0 || at >= read {
        return false;
    }
    let ratio = (before / at) / ((found - before + 1.0) / (read - at));
    ratio >= 156.0 - before.min(150.0)
}

/// QBCB (Lewis, Yang & Frieder 2021): `sample` wanted rows are first found by random draws; reading may stop when it
/// has met this many of them. None where the sample is too small for any number.
pub fn qbcb_quota(sample: u64, target: f64, alpha: f64) -> Option<u64> {
    (1..=sample).find(|&met| binomial_tail(met, sample, target) <= alpha)
}

/// The smallest sample for which QBCB has a quota at all: all of it.
pub fn qbcb_least_sample(target: f64, alpha: f64) -> u64 {
    (alpha.ln() / target.ln()).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stopping::Source;

    fn log(wanted: &[u8]) -> Vec<Step> {
        wanted.iter().map(|&w| Step { source: Source::Best, wanted: w == 1 }).collect()
    }

    #[test]
    fn rows_in_a_row() {
        assert!(in_a_row(&log(&[1, 0, 0]), 2) && !in_a_row(&log(&[1, 0, 0]), 3) && !in_a_row(&log(&[0]), 2));
    }

    #[test]
    fn a_clear_knee_is_seen() {
        // 150 finds in a row, then none: 1 a row against 1 in m, and 156 - 150 = 6 is asked.
        let curve = |flat: usize| log(&[vec![1u8; 150], vec![0; flat]].concat());
        assert!(!knee(&curve(0)) && !knee(&curve(5)) && knee(&curve(6)));
        assert!(!knee(&log(&[0, 0, 0])));
    }

    #[test]
    fn the_smallest_sample_must_be_met_whole() {
        for target in [0.8, 0.9, 0.95] {
            let least = qbcb_least_sample(target, 0.05);
            assert_eq!(qbcb_quota(least, target, 0.05), Some(least));
            assert_eq!(qbcb_quota(least - 1, target, 0.05), None);
        }
    }
}
