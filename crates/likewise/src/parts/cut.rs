//! Where raw scores are cut: the raw score that becomes 0.5.

use crate::decide::squash;
use crate::error::{Error, Result};
use crate::method::Scores;
use crate::model_file::{Reader, Writer};

/// A raw score that becomes 0.5, and the unit in which raw scores are told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    pub at: f64,
    unit: f64,
}

impl Cut {
    /// The best `count` of these scores are positive; with equal scores at the edge, those too.
    pub fn after(scores: &[f64], count: usize) -> Cut {
        let mut sorted = scores.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let n = sorted.len().max(1) as f64;
        let mean = sorted.iter().sum::<f64>() / n;
        let deviation = (sorted.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n).sqrt();
        let unit = if deviation > 0.0 && deviation.is_finite() { deviation } else { 1.0 };
        let at = match (count.checked_sub(1).and_then(|i| sorted.get(i)), sorted.get(count)) {
            (Some(last), Some(next)) => 0.5 * (last + next),
            (Some(last), None) => *last,
            (None, Some(first)) => first + unit,
            (None, None) => 0.0,
        };
        Cut { at, unit }
    }

    /// The same for scores of any scale: the unit is the middle distance from the last that is let through, which a few
    /// far ones do not move, and the cut is no further below that one than the unit.
    pub fn after_any(scores: &[f64], count: usize) -> Cut {
        let plain = Cut::after(scores, count);
        let mut sorted = scores.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let Some(last) = count.checked_sub(1).and_then(|i| sorted.get(i)).copied() else { return plain };
        let mut distances: Vec<f64> = sorted.iter().map(|score| (score - last).abs()).collect();
        let middle = distances.len() / 2;
        let middle = *distances.select_nth_unstable_by(middle, f64::total_cmp).1;
        let unit = if middle > 0.0 && middle.is_finite() { middle } else { plain.unit };
        Cut { at: plain.at.max(last - unit), unit }
    }

    /// A cut at this score. The unit is the middle distance of the others from it.
    pub fn at(score: f64, others: &[f64]) -> Cut {
        let mut distances: Vec<f64> = others.iter().map(|other| (other - score).abs()).collect();
        distances.sort_by(f64::total_cmp);
        let middle = distances.get(distances.len() / 2).copied().unwrap_or(0.0);
        Cut { at: score, unit: if middle > 0.0 && middle.is_finite() { middle } else { 1.0 } }
    }

    /// The best share of these scores is positive: at least one, at most all.
    pub fn at_share(scores: &[f64], share: f64) -> Cut {
        let count = (share * scores.len() as f64).round() as usize;
        Cut::after(scores, count.clamp(1, scores.len()))
    }

    pub fn scores(&self, raw: &[f64]) -> Scores {
        raw.iter().map(|raw| self.score(*raw)).collect()
    }

    pub fn score(&self, raw: f64) -> f64 {
        squash((raw - self.at) / self.unit)
    }

    pub fn save(&self, out: &mut Writer) {
        out.f64s("cut", &[2], &[self.at, self.unit]);
    }

    pub fn load(file: &Reader) -> Result<Self> {
        let numbers = file.read_f64s("cut")?;
        let [at, unit] = numbers[..] else { return Err(Error::model_file("`cut` is not two numbers")) };
        match unit > 0.0 {
            true => Ok(Cut { at, unit }),
            false => Err(Error::model_file("the unit of `cut` is not above zero")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_lets_so_many_through() {
        let scores = [0.1, 5.0, 3.0, 4.0];
        for count in 0..=4 {
            let cut = Cut::after(&scores, count);
            assert_eq!(scores.iter().filter(|s| cut.score(**s) >= 0.5).count(), count);
        }
        assert_eq!(Cut::after(&[1.0; 3], 1).score(1.0), 0.5);
        assert_eq!(Cut::at_share(&scores, 0.5), Cut::after(&scores, 2));
        assert_eq!(Cut::at_share(&scores, 0.0), Cut::after(&scores, 1));
    }
}
