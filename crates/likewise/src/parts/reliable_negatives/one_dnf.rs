//! 1-DNF (Yu, Han & Chang 2002): a pile row without a single word of the positives is surely negative.
//!
//! A word is one of the positives' if it occurs in a larger share of the positives than of the pile. The
//! disjunction of these words covers nearly every positive, and what it does not cover is strongly negative:
//! few rows, but pure ones.

use crate::data::{Csr, PuData};

/// The pile rows that hold no word of the positives, ascending; may be empty. Rows without any word are left
/// out: they say nothing.
pub fn one_dnf(x: &Csr, train: &PuData) -> Vec<usize> {
    let words = positive_words(x, train);
    train
        .unlabeled()
        .into_iter()
        .filter(|&i| !x.row(i).is_empty() && x.row(i).iter().all(|(j, v)| v == 0.0 || !words[j]))
        .collect()
}

/// For each column whether it occurs in a larger share of the positives than of the pile.
fn positive_words(x: &Csr, train: &PuData) -> Vec<bool> {
    let mut rows_with = vec![(0u64, 0u64); x.cols];
    for (i, &positive) in train.positive.iter().enumerate() {
        for (j, _) in x.row(i).iter().filter(|(_, v)| *v != 0.0) {
            if positive { rows_with[j].0 += 1 } else { rows_with[j].1 += 1 }
        }
    }
    let labelled = train.positive.iter().filter(|p| **p).count() as u64;
    let pile = train.positive.len() as u64 - labelled;
    rows_with.into_iter().map(|(in_positives, in_pile)| in_positives * pile > in_pile * labelled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use std::sync::Arc;

    #[test]
    fn by_hand() {
        // Words: 0 in both positives and one of four pile rows, 1 in one positive (1/2) and two pile rows
        // (2/4, not less), 2 only in the pile. Row 2 holds word 0, row 3 is empty, rows 4 and 5 are negative.
        let x = Csr::new(3, vec![0, 2, 3, 5, 5, 7, 8], vec![0, 1, 0, 0, 1, 1, 2, 2], vec![1.0; 8]).unwrap();
        let train =
            PuData::new(Data::Sparse(Arc::new(x.clone())), vec![true, true, false, false, false, false])
                .unwrap();
        assert_eq!(positive_words(&x, &train), [true, false, false]);
        assert_eq!(one_dnf(&x, &train), [4, 5]);
    }
}
