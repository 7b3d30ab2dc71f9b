//! Naive Bayes without negatives (Denis, Gilleron & Tommasi 2002): the negative class is what is left of
//! the pile when its share p of positives is taken out.
//!
//! ```text
//! Pr(w|0) = (Pr(w) - p Pr(w|1)) / (1 - p)
//! ```
//!
//! Counted, this difference can fall below zero; `Correction` says what is done then. For a fixed p the
//! log-odds are linear in the row, so another p needs no other pass over the rows.
//!
//! Under a background (see `Smoothing`) the negative class has the same belief about words as the positive
//! one, and what is left of the pile is believed as much as if it had been counted in (1 - p) n/p rows: so
//! many negatives come with n positives. A larger pile does not make the difference more certain, since the
//! n positives that are taken out of it are as uncertain as before.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counts::{Event, WordCounts};
use super::smoothing::{Background, WordPrior};
use super::word_model::{Chances, WordModel, log_ratios};

/// What is done where the positives explain more of a word than the pile holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// The probability is kept above one in a million
    Clip,
    /// Nothing is left, and what is added stays: with Laplace one over two plus the negatives, as Calvo et al.
    /// print it, which need not sum to 1
    Calvo,
    /// The same, scaled to sum to 1, as a background always is
    Calvon,
}

/// The least probability left by `Correction::Clip`.
const LEAST: f64 = 1e-6;

/// The counts of positives and pile from which the model of any p follows.
#[derive(Clone, Debug)]
pub struct PositiveBayes {
    pub event: Event,
    pub positive: WordCounts,
    pub pile: WordCounts,
    /// Whether the words that a row lacks speak (Bernoulli only).
    pub absent: bool,
    /// What is believed of words before they are counted.
    pub words: WordPrior,
}

impl PositiveBayes {
    /// The two-class model if a share `p` of the pile is positive.
    pub fn model(&self, p: f64, correction: Correction) -> WordModel {
        let model = match self.event {
            Event::Bernoulli => {
                let positive = self.words.chances(&self.positive);
                let negative = self.negative_chances(&positive, p, correction);
                WordModel::of_chances(&positive, &negative, self.absent)
            }
            Event::Multinomial => self.multinomial(p, correction),
        };
        model.with_prior(p)
    }

    /// Pr(w|0) and Pr(not w|0) of the Bernoulli model.
    pub fn negative_chances(&self, positive: &Chances, p: f64, correction: Correction) -> Chances {
        if let (WordPrior::Background(background), false) = (&self.words, correction == Correction::Clip) {
            return self.negative_over(background, positive, p);
        }
        let rows = self.pile.rows;
        let left = |in_pile: f64, chance: f64| in_pile - p * rows * chance;
        let mut negative = Chances { present: Vec::new(), absent: Vec::new() };
        for (w, &in_pile) in self.pile.words.iter().enumerate() {
            let present = left(in_pile, positive.present[w]);
            let absent = left(rows - in_pile, positive.absent[w]);
            let (present, absent) = match correction {
                Correction::Clip => {
                    let chance = (present / ((1.0 - p) * rows)).clamp(LEAST, 1.0 - LEAST);
                    (chance, 1.0 - chance)
                }
                Correction::Calvo => {
                    let total = 2.0 + (1.0 - p) * rows;
                    ((1.0 + present.max(0.0)) / total, (1.0 + absent.max(0.0)) / total)
                }
                Correction::Calvon => {
                    let (present, absent) = (1.0 + present.max(0.0), 1.0 + absent.max(0.0));
                    (present / (present + absent), absent / (present + absent))
                }
            };
            negative.present.push(present);
            negative.absent.push(absent);
        }
        negative
    }

    /// Pr(w|0) where it starts from a background: see the head of this file.
    fn negative_over(&self, background: &Background, positive: &Chances, p: f64) -> Chances {
        let rows = self.believed(self.positive.rows, self.pile.rows, p);
        let left = |(in_pile, chance): (&f64, &f64)| rows * left_share(in_pile / self.pile.rows, p, *chance);
        let words: Vec<f64> = self.pile.words.iter().zip(&positive.present).map(left).collect();
        background.chances(rows, &words)
    }

    /// As how many observations of negatives the difference counts.
    fn believed(&self, positives: f64, pile: f64, p: f64) -> f64 {
        (1.0 - p) * (positives / p).min(pile)
    }

    /// The same idea for words drawn one by one: the pile's words less those its positives wrote.
    fn multinomial(&self, p: f64, correction: Correction) -> WordModel {
        let vocabulary = self.pile.words.len() as f64;
        let total: f64 = self.pile.words.iter().sum();
        let chance = self.words.probabilities(&self.positive);
        if let (WordPrior::Background(background), false) = (&self.words, correction == Correction::Clip) {
            let words = self.believed(self.positive.words.iter().sum(), total, p);
            let left =
                |(in_pile, chance): (&f64, &f64)| words * left_share(in_pile / total.max(1.0), p, *chance);
            let left: Vec<f64> = self.pile.words.iter().zip(&chance).map(left).collect();
            let negative = background.probabilities(words, &left);
            return WordModel {
                event: Event::Multinomial,
                weights: log_ratios(&chance, &negative),
                bias: 0.0,
            };
        }
        let left: Vec<f64> = (self.pile.words.iter().zip(&chance)).map(|(n, c)| n - p * total * c).collect();
        let negative: Vec<f64> = match correction {
            Correction::Clip => {
                let share = |n: &f64| n / ((1.0 - p) * total).max(LEAST);
                left.iter().map(|n| share(n).clamp(LEAST, 1.0)).collect()
            }
            Correction::Calvo | Correction::Calvon => {
                let kept: Vec<f64> = left.iter().map(|n| 1.0 + n.max(0.0)).collect();
                let whole = match correction {
                    Correction::Calvo => vocabulary + (1.0 - p) * total,
                    _ => kept.iter().sum(),
                };
                kept.iter().map(|n| n / whole).collect()
            }
        };
        WordModel { event: Event::Multinomial, weights: log_ratios(&chance, &negative), bias: 0.0 }
    }
}

/// Pr(w|0) as the difference gives it, kept a probability.
pub(super) fn left_share(in_pile: f64, p: f64, chance: f64) -> f64 {
    ((in_pile - p * chance) / (1.0 - p)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bayes(event: Event) -> PositiveBayes {
        // P: two rows, word 0 in both; U: four rows, word 0 in two, word 1 in two.
        PositiveBayes {
            event,
            positive: WordCounts { rows: 2.0, words: vec![2.0, 0.0] },
            pile: WordCounts { rows: 4.0, words: vec![2.0, 2.0] },
            absent: true,
            words: WordPrior::Even(1.0),
        }
    }

    #[test]
    fn half_of_the_pile_taken_out_by_hand() {
        // Pr(0|1) = 3/4, Pr(1|1) = 1/4; left of the pile at p = 1/2: word 0 in 2 - 2·3/4 = 1/2 rows of 2.
        let bayes = bayes(Event::Bernoulli);
        let positive = Chances::smoothed(&bayes.positive, 1.0);
        let clip = bayes.negative_chances(&positive, 0.5, Correction::Clip);
        assert!((clip.present[0] - 0.25).abs() < 1e-12 && (clip.absent[0] - 0.75).abs() < 1e-12);
        let calvo = bayes.negative_chances(&positive, 0.5, Correction::Calvo);
        assert!((calvo.present[0] - 1.5 / 4.0).abs() < 1e-12 && (calvo.absent[0] - 2.5 / 4.0).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_left_is_corrected() {
        let bayes = bayes(Event::Bernoulli);
        let positive = Chances::smoothed(&bayes.positive, 1.0);
        // At p = 0.9 the positives alone would put word 0 into 2.7 of 4 rows; there are 2.
        let calvo = bayes.negative_chances(&positive, 0.9, Correction::Calvo);
        assert!(calvo.present[0] + calvo.absent[0] > 1.0);
        let calvon = bayes.negative_chances(&positive, 0.9, Correction::Calvon);
        assert!((calvon.present[0] + calvon.absent[0] - 1.0).abs() < 1e-12);
        let clip = bayes.negative_chances(&positive, 0.9, Correction::Clip);
        assert_eq!(clip.present[0], LEAST);
    }

    #[test]
    fn both_ends_of_p_stay_finite() {
        for event in [Event::Bernoulli, Event::Multinomial] {
            for correction in [Correction::Clip, Correction::Calvo, Correction::Calvon] {
                for p in [1e-9, 1.0 - 1e-9] {
                    let model = bayes(event).model(p, correction);
                    assert!(model.weights.iter().all(|w| w.is_finite()) && model.bias.is_finite());
                }
            }
        }
    }
}
