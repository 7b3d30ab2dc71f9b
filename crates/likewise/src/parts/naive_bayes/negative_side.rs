//! The negative class of multinomial naive Bayes, where some rows are known not to be wanted.
//!
//! A few dozen rows tell the words of a class badly and a single number well. The pile tells the words: its share π of
//! positives taken out, what is left is the negative class (see `PositiveBayes`),
//!
//! ```text
//! Pr_π(w|-) ∝ max(0, Pr(w|U) - π Pr(w|+))
//! ```
//!
//! and the π under which the known negatives are likeliest is all that they have to tell; each row's words weigh 1 in
//! sum, since the words of one row are not so many witnesses. Beyond that they are rows of the class like others.
//!
//! Rows that were met while reading the best first are like the positives, and likeliest with nothing taken out: then the
//! pile stays as it is. Counted heavily they would stand for the whole class, which they do not, and lift the rows that
//! are like neither.

use rayon::prelude::*;

use super::counts::{Event, WordCounts};
use super::positive::left_share;
use super::smoothing::WordPrior;
use crate::data::{Csr, PuData};

/// What is counted of the negative class: what is left of the pile, and the known negatives among the marked rows.
pub fn negative_counts(
    x: &Csr,
    marked: &PuData,
    positive: &WordCounts,
    pile: &WordCounts,
    words: &WordPrior,
) -> WordCounts {
    let known = marked.known_negatives();
    if known.is_empty() {
        return pile.clone();
    }
    let side = Side { pile, positive: words.probabilities(positive), words };
    let share = side.likeliest(&evenly(x, &known));
    side.without(share).plus(&WordCounts::of(x, &known, Event::Multinomial))
}

/// The words of these rows, those of each weighing 1 in sum.
fn evenly(x: &Csr, rows: &[usize]) -> Vec<(usize, f64)> {
    let length = |row: usize| Event::Multinomial.entries(x.row(row)).map(|(_, v)| v).sum::<f64>();
    let counts = WordCounts::weighted(x, rows, |k| length(rows[k]).max(1.0).recip(), Event::Multinomial);
    counts.words.into_iter().enumerate().filter(|(_, count)| *count > 0.0).collect()
}

/// Shares that are tried beside none at all: eight a decade, from a thousandth up.
const STEPS_A_DECADE: i32 = 8;
const STEPS: i32 = 3 * STEPS_A_DECADE;

struct Side<'a> {
    pile: &'a WordCounts,
    /// Pr(w|+).
    positive: Vec<f64>,
    words: &'a WordPrior,
}

impl Side<'_> {
    /// The share of positives under which these words are likeliest; the least of several.
    fn likeliest(&self, known: &[(usize, f64)]) -> f64 {
        let steps = (1..=STEPS).rev().map(|k| 10f64.powf(-f64::from(k) / f64::from(STEPS_A_DECADE)));
        let shares: Vec<f64> = std::iter::once(0.0).chain(steps).collect();
        let likelihood = |share: &f64| -> f64 {
            let chances = self.words.probabilities(&self.without(*share));
            known.iter().map(|(word, weight)| weight * chances[*word].ln()).sum()
        };
        let found: Vec<f64> = shares.par_iter().map(likelihood).collect();
        let better = |best: usize, at: usize| if found[at] > found[best] { at } else { best };
        shares[(0..shares.len()).fold(0, better)]
    }

    /// The pile without so many positives.
    fn without(&self, share: f64) -> WordCounts {
        let total = self.pile.words.iter().sum::<f64>().max(1.0);
        let left =
            |(count, chance): (&f64, &f64)| (1.0 - share) * total * left_share(count / total, share, *chance);
        let words = self.pile.words.iter().zip(&self.positive).map(left).collect();
        WordCounts { rows: (1.0 - share) * self.pile.rows, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CsrBuilder, Data, Mark};
    use crate::parts::naive_bayes::Smoothing;
    use std::sync::Arc;

    /// Positives hold word 0 and word 2, negatives word 1 and word 2; a fifth of the pile of 100 rows is positive. Of ten
    /// known negatives so many hold the word of the positives.
    fn share_of(like: usize) -> (f64, WordCounts, WordCounts) {
        let mut x = CsrBuilder::with_capacity(3, 120, 240);
        let first = |row: usize| match row {
            0..10 => 0,
            10..20 => u32::from(row >= 10 + like),
            _ => u32::from(!row.is_multiple_of(5)),
        };
        (0..120).for_each(|row| x.push_entries([(first(row), 1.0), (2, 1.0)]));
        let mark = |row: usize| [Mark::Wanted, Mark::Unwanted, Mark::Unread][(row / 10).min(2)];
        let x = Arc::new(x.finish());
        let marks: Vec<Mark> = (0..120).map(mark).collect();
        let train = PuData::of_marks(Data::Sparse(x.clone()), &marks).unwrap();
        let positive = WordCounts::of(&x, &train.positives(), Event::Multinomial);
        let pile = WordCounts::of(&x, &train.unlabeled(), Event::Multinomial);
        let words = Smoothing::Laplace.learn(Some(0.01), &x, &train.positives(), &pile, Event::Multinomial);
        let side = Side { pile: &pile, positive: words.probabilities(&positive), words: &words };
        let share = side.likeliest(&evenly(&x, &train.known_negatives()));
        let counts = negative_counts(&x, &train, &positive, &pile, &words);
        (share, pile, counts)
    }

    #[test]
    fn random_negatives_tell_how_much_of_the_pile_is_positive() {
        let (share, _, counts) = share_of(0);
        assert!((0.17..0.25).contains(&share), "{share}");
        // Little is left of the word of the positives, and no known negative has it.
        assert!(counts.words[0] < 5.0 && counts.words[1] > 80.0, "{counts:?}");
    }

    #[test]
    fn negatives_like_the_positives_leave_the_pile_as_it_is() {
        let (share, pile, counts) = share_of(8);
        assert_eq!(share, 0.0);
        let sums: Vec<f64> = pile.words.iter().zip([8.0, 2.0, 10.0]).map(|(n, more)| n + more).collect();
        counts.words.iter().zip(sums).for_each(|(found, sum)| assert!((found - sum).abs() < 1e-9));
        assert!((counts.rows - 110.0).abs() < 1e-9);
    }
}
