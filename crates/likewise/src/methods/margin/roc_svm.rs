//! Roc-SVM (Li & Liu 2003): Rocchio finds reliable negatives, and an iterated SVM closes in, with a guard.
//!
//! Rows nearer to the pile's Rocchio prototype are reliable negatives; an SVM against them is iterated as in
//! PEBL. Iteration can run wild: if the last SVM rejects more than 8 % of the positives, the first one is kept.
//! Use it for text where Rocchio already does well; it is cautious: high precision, low recall.
//!
//! ```text
//! N₀ = {x ∈ U : cos(x, c₋) > cos(x, c₊)},  c₊ and c₋ as in rocchio
//! N_{t+1} = N_t ∪ {x ∈ U : f_t(x) < 0},  f_t the SVM of P against N_t
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::known_negatives::with_known;
use crate::parts::reliable_negatives::rocchio::Rocchio;
use crate::parts::svm::{KernelChoice, MarginModel};
use crate::parts::two_step::{SecondStep, nothing_negative, rejected};
use crate::run::Run;

/// Rocchio finds reliable negatives, then an iterated SVM with a guard; high precision.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RocSvm {
    /// How strongly a Rocchio prototype is drawn to its own rows
    #[schemars(range(min = 0.0, max = 1e6))]
    pub alpha: f64,
    /// How strongly it is pushed away from the others
    #[schemars(range(min = 0.0, max = 1e6))]
    pub beta: f64,
    /// Share of the positives that the last SVM may reject before the first is taken instead
    #[schemars(range(min = 0.0, max = 1.0))]
    pub guard: f64,
    /// Cost of an error of the SVM (C)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// The kernel of the SVM
    pub kernel: KernelChoice,
    /// Width of the radial kernel; none means by the spread of the data
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
    /// The most SVMs learned
    #[schemars(range(min = 1, max = 100_000))]
    pub iterations: u32,
}

impl Default for RocSvm {
    fn default() -> Self {
        RocSvm {
            alpha: 16.0,
            beta: 4.0,
            guard: 0.08,
            c: 1.0,
            kernel: KernelChoice::Auto,
            gamma: None,
            iterations: 100,
        }
    }
}

impl Method for RocSvm {
    const SPEC: Spec = Spec {
        name: "roc-svm",
        family: "margin",
        title: "Rocchio finds reliable negatives, then an iterated SVM with a guard; high precision",
        paper: "Li & Liu 2003, Learning to classify texts using positive and unlabeled data",
        assumes: "The pile is mostly negative and the class one region around its mean direction: rows nearer to the mean of the pile are negative. A boundary of the chosen kernel separates the two.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("its support vectors, which are rows it learned from, where the kernel is not linear"),
    };
    const NEGATIVES: Negatives = Negatives::Reliable;
    const HIDDEN_CUT: bool = true;
    type Model = MarginModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<MarginModel>> {
        let (positives, pile) = (train.positives(), train.unlabeled());
        let rocchio = Rocchio { alpha: self.alpha, beta: self.beta };
        let reliable = rocchio.fit(&train.x, &positives, &pile)?.negatives(&train.x, &pile)?;
        let reliable = with_known(reliable, train);
        let found = reliable.len();
        let (model, note) = if reliable.is_empty() {
            nothing_negative(train)?
        } else {
            let step = SecondStep { kernel: self.kernel.kernel(self.gamma, &train.x), c: self.c };
            let iterated = step.iterate(train, reliable, self.iterations as usize, run)?;
            let lost = rejected(&iterated.last, &train.x, &positives)?;
            let kept = if lost > self.guard { ("first", iterated.first) } else { ("last", iterated.last) };
            let text = format!(
                "{found} reliable negatives; of {} SVMs the {} is kept: the last rejects {:.1} % of the positives",
                iterated.iterations,
                kept.0,
                100.0 * lost
            );
            (kept.1, Note::info(&codes::LEARNED, text))
        };
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(vec![note]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};
    use std::sync::Arc;

    /// Directions in the plane: positives near the first axis, a dense pile from there round to the second.
    fn train() -> PuData {
        let angles = [0.0f32, 0.1, 0.2, 0.3].into_iter().chain((0..161).map(|k| k as f32 * 0.0098));
        let values = angles.flat_map(|a| [a.cos(), a.sin()]).collect();
        let x = Data::Dense(Arc::new(Dense::new(165, 2, values).unwrap()));
        PuData::new(x, (0..165).map(|i| i < 4).collect()).unwrap()
    }

    #[test]
    fn the_guard_chooses_between_the_first_and_the_last_svm() {
        let with = |guard| {
            let method = RocSvm { guard, kernel: KernelChoice::Linear, c: 10.0, ..RocSvm::default() };
            method.fit(&train(), &Run::new(0)).unwrap()
        };
        let (free, strict) = (with(1.0), with(0.0));
        assert!(free.notes[0].to_string().contains("the last is kept"));
        assert!(strict.notes[0].to_string().contains("the first is kept"));
        // The pile has no gap to stop the iteration, which ends among the positives.
        let kept = |f: &Fitted<MarginModel>| f.scores[..4].iter().filter(|s| **s > 0.5).count();
        assert!(kept(&strict) >= 3 && kept(&free) < 3, "{} {}", kept(&strict), kept(&free));
        assert!(free.scores[164] < 0.5 && strict.scores[164] < 0.5);
    }
}
