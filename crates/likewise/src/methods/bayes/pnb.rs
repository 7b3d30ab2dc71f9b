//! PNB: positive naive Bayes (Denis, Gilleron & Tommasi 2002).
//!
//! The pile is a mixture: a share p of positives, which the labelled ones describe, and a rest, which is
//! what remains when these are taken out. Naive Bayes then needs no negative example. Use it on short
//! texts, with p known or estimated; the answer follows p closely.
//!
//! ```text
//! Pr(w|1) = (n_w + μ Pr(w))/(n + μ)    Pr(w|0) = (Pr(w) - p Pr(w|1)) / (1 - p)
//! s(x) = ln p/(1-p) + Σ present ln Pr(w|1)/Pr(w|0) + Σ absent ln (1-Pr(w|1))/(1-Pr(w|0))
//! ```
//!
//! Positive where s > 0. The difference can fall below zero; see `Correction`. p is the share of positives
//! in the pile. UPNB (He et al. 2010) chooses it by held-out positives: `choice=held-out` takes the p whose
//! classifier maximises recall² / Pr[f = 1]. The papers have Laplace, Pr(w|1) = (n_w + 1)/(n + 2), which fails
//! with few positives: `smoothing=laplace`.

use rand::seq::SliceRandom;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Csr, Kind, PuData};
use crate::error::{Error, Result};
use crate::method::{ColumnCounts, CountMethod, Counted, Fitted, Method, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::note::Note;
use crate::parts::naive_bayes::{Correction, Event, PositiveBayes, Smoothing, WordCounts, WordModel, counts};
use crate::run::Run;

/// Positive naive Bayes: the pile less its positives is the negative class; for short texts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pnb {
    /// Share of positives in the pile; left out: found as `choice` says
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// How the share of positives is found when it is not given
    pub choice: PriorChoice,
    /// What a row is thought to be made of
    pub event: Event,
    /// Whether the words that a row lacks speak (Bernoulli only)
    pub absent: bool,
    /// What is done where the positives explain more of a word than the pile holds
    pub correction: Correction,
    /// What stands in for words that were not counted
    pub smoothing: Smoothing,
    /// Laplace: added to every count, 1 if left out; background: weight of the pile's word frequencies (μ),
    /// chosen by leaving positives out if left out
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub strength: Option<f64>,
}

/// Where p comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PriorChoice {
    /// As `likewise prior` does by default, but every ranker sees the binary rows of this method
    Estimate,
    /// By recall² / Pr[f = 1] on held-out positives, as UPNB does
    HeldOut,
}

impl Default for Pnb {
    fn default() -> Self {
        Pnb {
            prior: None,
            choice: PriorChoice::Estimate,
            event: Event::Bernoulli,
            absent: true,
            correction: Correction::Calvon,
            smoothing: Smoothing::Background,
            strength: None,
        }
    }
}

/// An estimate is kept this far from 0 and 1, where the model would give up a class.
const EDGE: f64 = 0.005;
/// Into how many parts the positives are dealt to choose p.
const FOLDS: usize = 3;

impl Method for Pnb {
    const SPEC: Spec = Spec {
        name: "pnb",
        family: "bayes",
        title: "positive naive Bayes: the pile less its positives is the negative class; for short texts",
        paper: "Denis, Gilleron & Tommasi 2002, Text classification from positive and unlabeled examples",
        assumes: "The examples are a random draw of their class, and the share of positives in the pile is known or well estimated. Given the class, words occur independently of each other.",
        inputs: &[Kind::Sparse],
        weights: Weights::Binary,
        keeps: None,
    };
    const HIDDEN_CUT: bool = true;
    const COUNTED: Option<Counted<Self>> = Some(Counted::NEW);
    type Model = WordModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<WordModel>> {
        let (p, notes) = self.prior(counts(&train.x)?, train, run)?;
        let known = Pnb { prior: Some(p), ..self.clone() };
        Ok(known.fit_by_counting(train, run)?.with_notes(notes))
    }
}

impl CountMethod for Pnb {
    type Counts = WordCounts;
    const GIVEN: Option<&'static str> = Some("`prior`");

    fn check_counted(&self) -> Result<()> {
        self.given_prior().map(|_| ())
    }

    fn count(&self, train: &PuData) -> Result<WordCounts> {
        Ok(WordCounts::of(counts(&train.x)?, &train.unlabeled(), self.event))
    }

    fn of_columns(&self, pile: &ColumnCounts) -> Result<WordCounts> {
        WordCounts::of_columns(pile, self.event)
    }

    fn finish(&self, marked: &PuData, pile: &WordCounts, _: &Run) -> Result<WordModel> {
        let bayes = self.bayes(marked.x.sparse()?, &marked.positives(), pile);
        Ok(bayes.model(self.given_prior()?, self.correction))
    }
}

impl Pnb {
    fn given_prior(&self) -> Result<f64> {
        let problem = "sums do not tell how many of the pile are positive; give their share, such as 0.1";
        self.prior.ok_or_else(|| Error::parameter("prior", problem))
    }

    fn bayes(&self, x: &Csr, positives: &[usize], pile: &WordCounts) -> PositiveBayes {
        PositiveBayes {
            event: self.event,
            positive: WordCounts::of(x, positives, self.event),
            words: self.smoothing.learn(self.strength, x, positives, pile, self.event),
            pile: pile.clone(),
            absent: self.absent,
        }
    }

    fn prior(&self, x: &Csr, train: &PuData, run: &Run) -> Result<(f64, Vec<Note>)> {
        if self.choice == PriorChoice::HeldOut && self.prior.is_none() && train.positives().len() > 1 {
            let p = self.by_held_out_positives(x, train, run)?;
            return Ok((
                p,
                vec![Note::info(&codes::LEARNED, format!("held-out positives choose {p:.2} as the prior"))],
            ));
        }
        let (p, notes) = given_or_estimated(self.prior, train, run)?;
        Ok((if self.prior.is_some() { p } else { p.clamp(EDGE, 1.0 - EDGE) }, notes))
    }

    /// The p of the grid 0.05 … 0.95 whose classifier has the largest recall² / Pr[f = 1].
    fn by_held_out_positives(&self, x: &Csr, train: &PuData, run: &Run) -> Result<f64> {
        let unlabeled = train.unlabeled();
        let pile = WordCounts::of(x, &unlabeled, self.event);
        let mut positives = train.positives();
        positives.shuffle(&mut run.rng("held-out positives", 0));
        let folds = FOLDS.min(positives.len());
        let mut found = [0usize; GRID];
        let mut accepted = [0usize; GRID];
        for fold in 0..folds {
            run.step("choosing p by held-out positives", fold as u64, folds as u64)?;
            let part = |held: bool| {
                let of_part = move |(k, _): &(usize, &usize)| (k % folds == fold) == held;
                positives.iter().enumerate().filter(of_part).map(|(_, i)| *i).collect::<Vec<_>>()
            };
            let (held, taught) = (part(true), part(false));
            let bayes = self.bayes(x, &taught, &pile);
            let passed: Vec<[usize; 2]> = (0..GRID)
                .into_par_iter()
                .map(|g| {
                    let model = bayes.model(grid_value(g), self.correction);
                    let pass = |rows: &[usize]| rows.iter().filter(|&&i| model.margin(x, i) > 0.0).count();
                    [pass(&held), pass(&unlabeled)]
                })
                .collect();
            for (g, [positives, pile]) in passed.into_iter().enumerate() {
                found[g] += positives;
                accepted[g] += pile;
            }
        }
        let criterion = |g: usize| (found[g] as f64).powi(2) / (accepted[g] as f64).max(0.5);
        let best = (0..GRID).rev().max_by(|a, b| criterion(*a).total_cmp(&criterion(*b)));
        Ok(grid_value(best.expect("a grid")))
    }
}

const GRID: usize = 19;

fn grid_value(g: usize) -> f64 {
    (g + 1) as f64 / (GRID + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use std::sync::Arc;

    /// 20 positives and 30 pile rows with word 0, 70 pile rows with word 1.
    fn train() -> PuData {
        let words: Vec<u32> = (0..120).map(|i| u32::from(i >= 50)).collect();
        let x = Csr::new(2, (0..=120).collect(), words, vec![1.0; 120]).unwrap();
        PuData::new(Data::Sparse(Arc::new(x)), (0..120).map(|i| i < 20).collect()).unwrap()
    }

    #[test]
    fn a_given_prior_by_hand() {
        // Pr(0|1) = 21/22; of 100 pile rows 30 have word 0, of which 0.3·100·21/22 are taken out.
        let pnb = Pnb {
            prior: Some(0.3),
            correction: Correction::Clip,
            smoothing: Smoothing::Laplace,
            ..Pnb::default()
        };
        let model = pnb.fit(&train(), &Run::new(0)).unwrap().model;
        let p1 = 21.0f64 / 22.0;
        let p0 = (0.3 - 0.3 * p1) / 0.7;
        let expected = 2.0 * (p1 / p0).ln() + (0.3f64 / 0.7).ln();
        assert!((model.margin(train().x.sparse().unwrap(), 0) - expected).abs() < 1e-9);
    }

    #[test]
    fn both_choices_of_the_prior_find_the_class() {
        for choice in [PriorChoice::Estimate, PriorChoice::HeldOut] {
            let fitted = Pnb { choice, ..Pnb::default() }.fit(&train(), &Run::new(0)).unwrap();
            assert!(fitted.scores[20..50].iter().all(|s| *s > 0.5), "{choice:?}");
            assert!(fitted.scores[50..].iter().all(|s| *s < 0.5), "{choice:?}");
            assert_eq!(fitted.notes.iter().filter(|n| !n.is_warning()).count(), 1);
        }
    }
}
