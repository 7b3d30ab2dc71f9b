//! Class likelihood: how much better the best known class explains a row's words than all rows together do.
//!
//! ```text
//! s(d) = max_c Σ_w n_dw ln(Pr(w|c) / b_w) / √|d|           Pr(w|c) = (N_wc + μ b_w) / (N_c + μ)
//! ```
//!
//! b is what all rows say, μ the length of a mean row, so that the background is worth one row. Under the background the
//! sum over |d| words spreads as √|d|, hence the root: long rows are not extreme. Every row is judged without itself: its
//! words are taken out of b and, where it is known, out of its class. The cut is that of `parts::conformal`.
//!
//! It asks which class a row would be of; the methods of the registry see all known rows as one class. The largest
//! posterior over the classes would ask less: it is 1 where a single class is left, and near 1 for any long row.

use rayon::prelude::*;

use super::known::members;
use crate::data::{Csr, CsrBuilder};
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::method::Scores;
use crate::parts::conformal::{Goal, cut};

/// The score of every row, the known ones first; `classes` are those of the known. A row without words scores 0.
pub(super) fn scores(x: &Csr, classes: &[usize]) -> Result<Scores> {
    let words = Words::count(x, classes);
    let known = classes.len();
    let statistics: Vec<f64> = (0..x.rows())
        .into_par_iter()
        .map(|row| words.statistic(x, row, (row < known).then(|| words.place[row])))
        .collect();
    let nothing = || Error::data("there is nothing to compare the known classes with");
    let threshold =
        cut(&statistics[..known], &statistics[known..], Goal::Rarer).ok_or_else(nothing)?.threshold;
    let score = |(row, s): (usize, &f64)| if x.row(row).sum() == 0.0 { 0.0 } else { squash(s - threshold) };
    Ok(statistics.iter().enumerate().map(score).collect())
}

struct Words {
    /// The class of each known row, numbered without gaps.
    place: Vec<usize>,
    /// N_wc: a row a word, a column a class.
    of_word: Csr,
    /// N_c.
    of_class: Vec<f64>,
    /// Every word in all rows, and their sum.
    all: Vec<f64>,
    total: f64,
    /// μ.
    strength: f64,
}

impl Words {
    fn count(x: &Csr, classes: &[usize]) -> Self {
        let mut present = classes.to_vec();
        present.sort_unstable();
        present.dedup();
        let place: Vec<usize> =
            classes.iter().map(|class| present.binary_search(class).expect("a class of the list")).collect();
        let mut counts = CsrBuilder::with_capacity(x.cols, present.len(), 0);
        let mut of_class = Vec::with_capacity(present.len());
        for rows in members(&place) {
            let sums = x.column_sums(rows);
            of_class.push(sums.iter().sum());
            let held = sums.iter().enumerate().filter(|(_, n)| **n > 0.0);
            counts.push_entries(held.map(|(word, n)| (word as u32, *n as f32)));
        }
        let all = x.column_sums(0..x.rows());
        let total: f64 = all.iter().sum();
        let strength = (total / x.rows().max(1) as f64).max(f64::MIN_POSITIVE);
        Words { place, of_word: counts.finish().transpose(), of_class, all, total, strength }
    }

    /// s(d); `own` is the class in which the row was counted.
    fn statistic(&self, x: &Csr, row: usize, own: Option<usize>) -> f64 {
        let row = x.row(row);
        let length = row.sum();
        if length == 0.0 {
            return 0.0;
        }
        let left_out = |class: usize| if own == Some(class) { 1.0 } else { 0.0 };
        // A word that the class lacks weighs ln(μ / (N_c + μ)), whatever its frequency.
        let mut sums: Vec<f64> = (self.of_class.iter().enumerate())
            .map(|(class, n)| {
                let n = (n - left_out(class) * length).max(0.0);
                length * (self.strength / (n + self.strength)).ln()
            })
            .collect();
        for (word, v) in row.iter() {
            let v = f64::from(v);
            // Half an observation is left of a word that no other row holds.
            let share = (self.all[word] - v).max(0.5) / (self.total - length).max(1.0);
            for (class, n) in self.of_word.row(word).iter() {
                let n = (f64::from(n) - left_out(class) * v).max(0.0);
                sums[class] += v * (n / (self.strength * share)).ln_1p();
            }
        }
        sums.into_iter().fold(f64::NEG_INFINITY, f64::max) / length.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_by_hand() {
        // Class 3: {a a, a b}; class 7: {c}; new: {a}, {c d}. Eight words in five rows: μ = 1.6.
        let x = Csr::new(
            4,
            vec![0, 1, 3, 4, 5, 7],
            vec![0, 0, 1, 2, 0, 2, 3],
            vec![2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        )
        .unwrap();
        let words = Words::count(&x, &[3, 3, 7]);
        assert_eq!((words.place.as_slice(), words.strength), (&[0, 0, 1][..], 1.6));
        // {a}: b_a = 3/7 without itself; the first class holds a three times among four words.
        let wanted = ((3.0 + 1.6 * 3.0 / 7.0) / (4.0 + 1.6) / (3.0f64 / 7.0)).ln();
        assert!((words.statistic(&x, 3, None) - wanted).abs() < 1e-6);
        // {a a} without itself: b_a = 2/6, and its class holds a once among two words.
        let wanted = 2.0 * ((1.0 + 1.6 / 3.0) / (2.0 + 1.6) / (1.0f64 / 3.0)).ln() / 2f64.sqrt();
        assert!((words.statistic(&x, 0, Some(0)) - wanted).abs() < 1e-6);
        // {c} without itself: nothing is left of its class, which then says what the background says.
        assert!((words.statistic(&x, 2, Some(1))).abs() < 1e-6);
    }
}
