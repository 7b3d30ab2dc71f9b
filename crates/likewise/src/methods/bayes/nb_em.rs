//! NB-EM: naive Bayes and expectation-maximisation over the pile (I-EM of Liu et al. 2002).
//!
//! The first model takes the whole pile as negative; each row of the pile then gets a probability, the
//! next model learns from the rows so divided, and so on until nothing moves. The labelled positives stay
//! positive throughout. Use it when the pile holds about as many positives as negatives; where one side is
//! rare, the iterations may carry the class away (`teachers=labelled` stops that).
//!
//! ```text
//! E:  z_i = Pr(+|x_i)                              for each row of the pile
//! M:  Pr(w|+) from P and z-weighted U, Pr(w|-) from (1 - z)-weighted U, Pr(+) = (n + Σ z) / (n + m)
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::naive_bayes::{Em, Event, PriorOf, Smoothing, Teachers, WordCounts, WordModel, counts};
use crate::run::Run;

/// Naive Bayes iterated over the pile with the positives held fixed (I-EM); for a pile of two balanced
/// kinds.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NbEm {
    /// What a row is thought to be made of
    pub event: Event,
    /// From which rows the positive class learns its words
    pub teachers: Teachers,
    /// What stands in for words that were not counted
    pub smoothing: Smoothing,
    /// Laplace: added to every count, 1 if left out; background: weight of the pile's word frequencies (μ),
    /// chosen by leaving positives out if left out
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub strength: Option<f64>,
    /// Ends when the share of positives in the pile moves by less than this
    #[schemars(range(min = 0.0, max = 1.0))]
    pub tolerance: f64,
    /// Ends after so many iterations in any case
    #[schemars(range(min = 1, max = 100000))]
    pub iterations: usize,
}

impl Default for NbEm {
    fn default() -> Self {
        NbEm {
            event: Event::Multinomial,
            teachers: Teachers::LabelledAndPile,
            smoothing: Smoothing::Background,
            strength: None,
            tolerance: 1e-6,
            iterations: 200,
        }
    }
}

impl Method for NbEm {
    const SPEC: Spec = Spec {
        name: "nb-em",
        family: "bayes",
        title: "naive Bayes iterated over the pile with the positives held fixed (I-EM); for a pile of two balanced kinds",
        paper: "Liu, Lee, Yu & Li 2002, Partially supervised classification of text documents",
        assumes: "The class and the rest are the two kinds that words divide the pile into, each with its own word frequencies and words independent of each other given the kind. The examples are a random draw of their class.",
        inputs: &[Kind::Sparse],
        weights: Weights::Count,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Counted;
    const HIDDEN_CUT: bool = true;
    type Model = WordModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<WordModel>> {
        let x = counts(&train.x)?;
        let unlabeled = train.unlabeled();
        let positives = train.positives();
        let positive = WordCounts::of(x, &positives, self.event);
        let pile = WordCounts::of(x, &unlabeled, self.event);
        let words = self.smoothing.learn(self.strength, x, &positives, &pile, self.event);
        let known = train.known_negatives();
        let known = WordCounts::of(x, &known, self.event);
        let em = Em {
            x,
            unlabeled: &unlabeled,
            positive: &positive,
            event: self.event,
            words: &words,
            negative: train.unwanted.contains(&true).then_some(&known),
            teachers: self.teachers,
            prior_of: PriorOf::LabelledAndPile,
        };
        let end = em.converge(vec![0.0; unlabeled.len()], self.tolerance, self.iterations, run)?;
        let share = end.posteriors.iter().sum::<f64>() / unlabeled.len() as f64;
        let note = format!(
            "{} iterations; the pile is {:.1} % positive by its own account",
            end.iterations,
            100.0 * share
        );
        let scores = end.model.score(&train.x, run)?;
        Ok(Fitted::new(end.model, scores).with_notes(vec![Note::info(&codes::LEARNED, note)]))
    }
}
