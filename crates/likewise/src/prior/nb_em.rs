//! Naive Bayes EM: how much of the pile a Bernoulli model of the positives, held fixed, can claim while a
//! free model of the rest competes for it. Low wherever a row's words hang together, which naive Bayes
//! does not know.

use crate::data::Csr;
use crate::error::Result;
use crate::parts::naive_bayes::{
    Converged, Correction, Em, Event, PositiveBayes, PriorOf, Teachers, WordCounts, WordPrior,
};
use crate::run::Run;

/// The share claimed in the end may still move by this much.
const TOLERANCE: f64 = 1e-5;
const MOST_ITERATIONS: usize = 300;
const LAPLACE: WordPrior = WordPrior::Even(1.0);

/// The mean posterior of the pile, and the posteriors, which make a good start for a similar problem.
pub fn nb_em(x: &Csr, positive: &WordCounts, unlabeled: &[usize], run: &Run) -> Result<(f64, Vec<f64>)> {
    let pile = WordCounts::of(x, unlabeled, Event::Bernoulli);
    let bayes = PositiveBayes {
        event: Event::Bernoulli,
        positive: positive.clone(),
        pile,
        absent: true,
        words: LAPLACE,
    };
    let even = bayes.model(0.5, Correction::Calvon);
    let start = em(x, positive, unlabeled).expect(&even);
    nb_em_from(start, x, positive, unlabeled, run)
}

/// The same from given posteriors.
pub fn nb_em_from(
    start: Vec<f64>,
    x: &Csr,
    positive: &WordCounts,
    unlabeled: &[usize],
    run: &Run,
) -> Result<(f64, Vec<f64>)> {
    let Converged { posteriors, .. } =
        em(x, positive, unlabeled).converge(start, TOLERANCE, MOST_ITERATIONS, run)?;
    Ok((posteriors.iter().sum::<f64>() / posteriors.len() as f64, posteriors))
}

fn em<'a>(x: &'a Csr, positive: &'a WordCounts, unlabeled: &'a [usize]) -> Em<'a> {
    Em {
        x,
        unlabeled,
        positive,
        event: Event::Bernoulli,
        words: &LAPLACE,
        negative: None,
        teachers: Teachers::Labelled,
        prior_of: PriorOf::Pile,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_the_rows_that_are_like_the_positives() {
        // 20 positives with word 0; pile: 30 rows with word 0, 70 with word 1.
        let words: Vec<u32> = (0..120).map(|i| u32::from(i >= 50)).collect();
        let x = Csr::new(2, (0..=120).collect(), words, vec![1.0; 120]).unwrap();
        let positive = WordCounts::of(&x, &(0..20).collect::<Vec<_>>(), Event::Bernoulli);
        let unlabeled: Vec<usize> = (20..120).collect();
        let (share, posteriors) = nb_em(&x, &positive, &unlabeled, &Run::new(0)).unwrap();
        assert!((share - 0.3).abs() < 0.01, "{share}");
        assert!(posteriors[0] > 0.99 && posteriors[99] < 0.01);
    }
}
