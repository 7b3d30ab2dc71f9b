//! NB: multinomial naive Bayes of the positives against the pile.
//!
//! The pile is taken as if it were all negative, which is nearly true when positives are rare in it. Rows known not to be
//! wanted tell how much of it is not (`parts::naive_bayes`).
//! Use it as the plain baseline; where the pile holds many positives, prefer a method that knows it.
//!
//! ```text
//! s(x) = ln π/(1-π) + Σ_w x_w ln Pr(w|+)/Pr(w|-),     Pr(w|c) = (n_{c,w} + μ_w b_w) / (n_c + μ_w)
//! ```
//!
//! with c = + for the positives and - for the pile, in which w occurs n_{c,w} times of n_c words in all; b_w is its share of
//! all words, and μ_w how much that belief counts (`parts::naive_bayes`). π is ½ unless set. Positive where s > 0.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{ColumnCounts, CountMethod, Counted, Fitted, Method, Negatives, Spec, Weights};
use crate::parts::linear::LinearModel;
use crate::parts::naive_bayes::{Event, Smoothing, WordCounts, WordModel, counts, negative_counts};
use crate::run::Run;

/// Multinomial naive Bayes of the positives against the pile; the plain baseline when positives are rare.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nb {
    /// What stands in for words that were not counted
    pub smoothing: Smoothing,
    /// Laplace: added to every count, 1 if left out; background: weight of the pile's word frequencies (μ),
    /// chosen by leaving positives out if left out
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub strength: Option<f64>,
    /// Share of positives assumed in the pile; it moves the decision, never the ranking
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: f64,
}

impl Default for Nb {
    fn default() -> Self {
        Nb { smoothing: Smoothing::Background, strength: None, prior: 0.5 }
    }
}

impl Method for Nb {
    const SPEC: Spec = Spec {
        name: "nb",
        family: "bayes",
        title: "multinomial naive Bayes of the positives against the pile; the plain baseline when positives are rare",
        paper: "McCallum & Nigam 1998, A comparison of event models for naive Bayes text classification",
        assumes: "Nearly all of the pile is negative, and given the class the words of a row occur independently of each other. The examples are a random draw of their class, so that their words are those of its other rows.",
        inputs: &[Kind::Sparse],
        weights: Weights::Count,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Counted;
    const HIDDEN_CUT: bool = true;
    const COUNTED: Option<Counted<Self>> = Some(Counted::NEW);
    type Model = LinearModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<LinearModel>> {
        self.fit_by_counting(train, run)
    }
}

const EVENT: Event = Event::Multinomial;

impl CountMethod for Nb {
    type Counts = WordCounts;

    fn count(&self, train: &PuData) -> Result<WordCounts> {
        Ok(WordCounts::of(counts(&train.x)?, &train.unlabeled(), EVENT))
    }

    fn of_columns(&self, pile: &ColumnCounts) -> Result<WordCounts> {
        WordCounts::of_columns(pile, EVENT)
    }

    fn finish(&self, marked: &PuData, pile: &WordCounts, _: &Run) -> Result<LinearModel> {
        let (x, positives) = (marked.x.sparse()?, marked.positives());
        let positive = WordCounts::of(x, &positives, EVENT);
        let words = self.smoothing.learn(self.strength, x, &positives, pile, EVENT);
        let negative = negative_counts(x, marked, &positive, pile, &words);
        let WordModel { weights, bias, .. } =
            WordModel::of_counts(&positive, &negative, &words, self.prior, EVENT);
        Ok(LinearModel { weights, bias })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Data};
    use std::sync::Arc;

    #[test]
    fn two_words_by_hand() {
        // P: one document of word 0 twice; U: one document of word 1 once. Laplace over two words:
        // Pr(0|+) = 3/4, Pr(0|U) = 1/3, so the weight of word 0 is ln(9/4).
        let x = Csr::new(2, vec![0, 1, 2], vec![0, 1], vec![2.0, 1.0]).unwrap();
        let train = PuData::new(Data::Sparse(Arc::new(x)), vec![true, false]).unwrap();
        let laplace = Nb { smoothing: Smoothing::Laplace, ..Nb::default() };
        let fitted = laplace.fit(&train, &Run::new(0)).unwrap();
        assert!((fitted.model.weights[0] - (9.0f64 / 4.0).ln()).abs() < 1e-12);
        assert!(fitted.scores[0] > 0.5 && fitted.scores[1] < 0.5);
    }
}
