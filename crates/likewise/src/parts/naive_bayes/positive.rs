//! Naive Bayes without negatives (Denis, Gilleron & Tommasi 2002): the negative class is what is left of
//! the pile when its share p of positives is taken out.
//!
//! ```text
//! Pr(w|0) = (Pr(w) - p Pr(w|1)) / (1 - p)
//! ```
//!
//! Counted, this difference can fall below zero; `Correction` says what is done then. For a fixed p the
//! log-odds are linear in the row, so another p needs no other pass over the rows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counts::{Event, WordCounts};
use super::word_model::{Chances, WordModel};

/// What is done where the positives explain more of a word than the pile holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// The probability is kept above one in a million
    Clip,
    /// Calvo et al. as printed: one is added to what is left, over two plus the negatives; need not sum to 1
    Calvo,
    /// The same, scaled to sum to 1
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
}

impl PositiveBayes {
    /// The two-class model if a share `p` of the pile is positive.
    pub fn model(&self, p: f64, correction: Correction) -> WordModel {
        let model = match self.event {
            Event::Bernoulli => {
                let positive = Chances::smoothed(&self.positive, 1.0);
                let negative = self.negative_chances(&positive, p, correction);
                WordModel::of_chances(&positive, &negative, self.absent)
            }
            Event::Multinomial => self.multinomial(p, correction),
        };
        model.with_prior(p)
    }

    /// Pr(w|0) and Pr(not w|0) of the Bernoulli model.
    pub fn negative_chances(&self, positive: &Chances, p: f64, correction: Correction) -> Chances {
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

    /// The same idea for words drawn one by one: the pile's words less those its positives wrote.
    fn multinomial(&self, p: f64, correction: Correction) -> WordModel {
        let vocabulary = self.pile.words.len() as f64;
        let positives: f64 = self.positive.words.iter().sum();
        let total: f64 = self.pile.words.iter().sum();
        let chance: Vec<f64> =
            self.positive.words.iter().map(|n| (n + 1.0) / (positives + vocabulary)).collect();
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
        let weights = chance.iter().zip(&negative).map(|(p, n)| (p / n).ln()).collect();
        WordModel { event: Event::Multinomial, weights, bias: 0.0 }
    }
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
