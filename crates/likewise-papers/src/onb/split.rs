//! From messages to training positives, pile and target, as rows over the paper's vocabulary.

use std::collections::HashMap;
use std::sync::Arc;

use likewise::Run;
use likewise::data::{Csr, CsrBuilder, Data, PuData};
use likewise::features::words::weigh_counts_as;
use likewise::method::Weights;
use rand::seq::SliceRandom;

use super::tasks::Message;
use crate::error::Result;

/// The share of the labelled part's positives that is shown for training.
const SHOWN: f64 = 0.3;
/// At most so many messages are in the labelled part, and never more than half of all.
const LABELLED: usize = 2500;
/// At most so many of the others are in the pile.
const PILE: usize = 8000;
/// A word counts if it occurs more than ten times in the labelled part.
const OCCURRENCES: usize = 11;

/// One trial: which message plays which part.
#[derive(Clone, Debug)]
pub struct Split {
    pub words: usize,
    /// Training positives, then the pile; each word present or absent.
    train: Csr,
    positives: usize,
    target: Csr,
    /// Who in the pile is positive. No method sees it.
    pub pile_truth: Vec<bool>,
    pub target_truth: Vec<bool>,
}

impl Split {
    /// A random trial.
    pub fn draw(messages: &[Message], run: &Run) -> Self {
        let mut order: Vec<usize> = (0..messages.len()).collect();
        order.shuffle(&mut run.rng("onb parts", 0));
        let labelled = LABELLED.min(messages.len() / 2);
        let (labelled, rest) = order.split_at(labelled);
        let mut shown: Vec<usize> = labelled.iter().copied().filter(|&i| messages[i].positive).collect();
        shown.shuffle(&mut run.rng("onb training", 0));
        shown.truncate((SHOWN * shown.len() as f64) as usize);
        Split::new(messages, labelled, &shown, &rest[..PILE.min(rest.len())])
    }

    /// The trial without chance that the known answers are for: every third message is labelled, and the
    /// first positives of these are shown.
    pub fn every_third(messages: &[Message]) -> Self {
        let part = |labelled: bool| (0..messages.len()).filter(move |i| (i % 3 == 0) == labelled);
        let labelled: Vec<usize> = part(true).collect();
        let positives: Vec<usize> = labelled.iter().copied().filter(|&i| messages[i].positive).collect();
        let shown = &positives[..(SHOWN * positives.len() as f64) as usize];
        Split::new(messages, &labelled, shown, &part(false).collect::<Vec<_>>())
    }

    fn new(messages: &[Message], labelled: &[usize], shown: &[usize], pile: &[usize]) -> Self {
        let vocabulary = vocabulary(labelled.iter().map(|&i| &messages[i]));
        let is_shown: std::collections::HashSet<usize> = shown.iter().copied().collect();
        let target: Vec<usize> = labelled.iter().copied().filter(|i| !is_shown.contains(i)).collect();
        let rows = |of: &mut dyn Iterator<Item = usize>| {
            let mut out = CsrBuilder::with_capacity(vocabulary.len(), 0, 0);
            for i in of {
                let mut present: Vec<u32> = messages[i]
                    .words
                    .iter()
                    .filter_map(|word| vocabulary.get(word.as_str()).copied())
                    .collect();
                present.sort_unstable();
                present.dedup();
                out.push_entries(present.into_iter().map(|word| (word, 1.0)));
            }
            out.finish()
        };
        let truth = |of: &[usize]| of.iter().map(|&i| messages[i].positive).collect();
        Split {
            words: vocabulary.len(),
            train: rows(&mut shown.iter().chain(pile).copied()),
            positives: shown.len(),
            target: rows(&mut target.iter().copied()),
            pile_truth: truth(pile),
            target_truth: truth(&target),
        }
    }

    /// Training rows under the weights that a method wants of words; counts are presences here.
    pub fn train(&self, weights: Weights) -> Result<PuData> {
        let labels = (0..self.train.rows()).map(|i| i < self.positives).collect();
        Ok(PuData::new(Data::Sparse(Arc::new(self.weighted(&self.train, weights))), labels)?)
    }

    /// Target rows under the same weights.
    pub fn target(&self, weights: Weights) -> Csr {
        self.weighted(&self.target, weights)
    }

    /// The share of positives in the pile.
    pub fn prior(&self) -> f64 {
        self.pile_truth.iter().filter(|p| **p).count() as f64 / self.pile_truth.len() as f64
    }

    fn weighted(&self, rows: &Csr, weights: Weights) -> Csr {
        weigh_counts_as(&self.train, rows.clone(), weights)
    }
}

/// Words that occur often enough, numbered alphabetically.
fn vocabulary<'a>(messages: impl Iterator<Item = &'a Message>) -> HashMap<&'a str, u32> {
    let mut occurrences: HashMap<&str, usize> = HashMap::new();
    messages.flat_map(|message| &message.words).for_each(|word| *occurrences.entry(word).or_default() += 1);
    let mut words: Vec<&str> =
        occurrences.into_iter().filter(|(_, times)| *times >= OCCURRENCES).map(|(word, _)| word).collect();
    words.sort_unstable();
    words.into_iter().zip(0..).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(n: usize) -> Vec<Message> {
        let message = |i: usize| Message {
            text: String::new(),
            words: vec!["often".into(), format!("word{}", i % 3), format!("rare{i}")],
            positive: i.is_multiple_of(2),
        };
        (0..n).map(message).collect()
    }

    #[test]
    fn parts_do_not_overlap_and_only_frequent_words_count() {
        let split = Split::draw(&messages(400), &Run::new(3));
        let shown = split.train(Weights::Binary).unwrap().positives().len();
        assert_eq!((split.words, split.pile_truth.len()), (4, 200));
        assert_eq!(split.target_truth.len() + shown, 200);
        let positives = split.target_truth.iter().filter(|p| **p).count() + shown;
        assert_eq!(shown, (0.3 * positives as f64) as usize);
        assert_ne!(split.pile_truth, Split::draw(&messages(400), &Run::new(4)).pile_truth);
    }

    #[test]
    fn tf_idf_rows_have_length_one() {
        let target = Split::draw(&messages(400), &Run::new(3)).target(Weights::TfIdf);
        assert!((target.row(0).squared_norm() - 1.0).abs() < 1e-6);
    }
}
