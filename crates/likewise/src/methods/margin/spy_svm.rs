//! Spy-SVM: spies find reliable negatives, and an SVM of the positives against those is the answer.
//!
//! The first step of S-EM (Liu et al. 2002) with the SVM of the later two-step methods (Liu et al. 2003). Use it
//! for text when the pile holds many negatives and the cut matters: one SVM, nothing that can drift.
//!
//! ```text
//! N = {x ∈ U : g(x) < t},  t with at most share l of the spies below it
//! min over w, b of  ½ (w·w + b²) + C Σ_P max(0, 1 - f(x_i)) + C Σ_N max(0, 1 + f(x_i)),   f(x) = x·w + b
//! ```
//!
//! where g is the naive Bayes that the spies were hidden from, and l the noise level.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Csr, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::naive_bayes::{Event, Smoothing};
use crate::parts::reliable_negatives::spies::{Spies, SpyStep};
use crate::parts::svm::{Kernel, MarginModel};
use crate::parts::two_step::{SecondStep, nothing_negative};
use crate::run::Run;

/// Spies find reliable negatives, then one SVM against them; for text with many negatives.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpySvm {
    /// Share of the positives sent into the pile as spies
    #[schemars(range(min = 0.001, max = 0.999))]
    pub spies: f64,
    /// Share of the spies that may fall among the reliable negatives
    #[schemars(range(min = 0.0, max = 0.999))]
    pub noise: f64,
    /// How spies and pile are ranked
    pub spy_step: SpyStep,
    /// What stands in for words that the spies' naive Bayes did not count
    pub smoothing: Smoothing,
    /// Cost of an error of the SVM (C)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
}

impl Default for SpySvm {
    fn default() -> Self {
        SpySvm {
            spies: 0.15,
            noise: 0.15,
            spy_step: SpyStep::NaiveBayes,
            smoothing: Smoothing::Background,
            c: 1.0,
        }
    }
}

impl Method for SpySvm {
    const SPEC: Spec = Spec {
        name: "spy-svm",
        family: "margin",
        title: "spies find reliable negatives, then one SVM against them; for text with many negatives",
        paper: "Liu, Lee, Yu & Li 2002 (spies) and Liu, Dai, Li, Lee & Yu 2003 (SVM as second step)",
        assumes: "The examples are a random draw of their class, so that those hidden as spies are ranked as the pile's own positives are; what lies below nearly all of them is negative. A plane separates the two.",
        inputs: &[Kind::Sparse],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Reliable;
    const HIDDEN_CUT: bool = true;
    type Model = MarginModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<MarginModel>> {
        // Naive Bayes asks which words occur; their tf-idf weights are for the SVM.
        let x = train.x.sparse()?;
        let occurs = Csr { values: vec![1.0; x.nnz()].into(), ..(**x).clone() };
        let spies = Spies {
            share: self.spies,
            noise: self.noise,
            step: self.spy_step,
            event: Event::Bernoulli,
            smoothing: self.smoothing,
            strength: None,
        };
        let report = spies.send(&occurs, train, run)?;
        let (model, note) = if report.negatives.is_empty() {
            nothing_negative(train)?
        } else {
            let step = SecondStep { kernel: Kernel::Linear, c: self.c };
            let text = format!("{} spies found {} reliable negatives", report.spies, report.negatives.len());
            (
                step.fit(&train.x, &train.positives(), &report.negatives, run)?,
                Note::info(&codes::LEARNED, text),
            )
        };
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(vec![note]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use std::sync::Arc;

    #[test]
    fn rows_unlike_every_spy_end_on_the_other_side() {
        // Word 0 for positives (20 labelled, 10 in the pile), word 1 for 30 negatives.
        let words: Vec<u32> = (0..60).map(|i| u32::from(i >= 30)).collect();
        let x = Csr::new(2, (0..=60).collect(), words, vec![1.0; 60]).unwrap();
        let train = PuData::new(Data::Sparse(Arc::new(x)), (0..60).map(|i| i < 20).collect()).unwrap();
        let fitted = SpySvm::default().fit(&train, &Run::new(0)).unwrap();
        for (i, score) in fitted.scores.iter().enumerate() {
            assert_eq!(*score >= 0.5, i < 30, "row {i}: {score}");
        }
        assert!(fitted.notes[0].to_string().contains("30 reliable negatives"));
    }
}
