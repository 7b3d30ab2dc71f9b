//! SMC: simple mapping-convergence (Yu 2003, Figure 4), every SVM learned from all negatives found so far.
//!
//! Mapping finds strong negatives, far from every positive; each SVM against the negatives so far finds more, until
//! none are left. It is what `svmc` speeds up: slower, because the negatives grow, but it forgets nothing. Use it on
//! small piles, or to check `svmc`.
//!
//! ```text
//! N₀ = strong negatives of the mapping
//! N_{t+1} = N_t ∪ {x ∈ U : f_t(x) < 0},  f_t the SVM of P against N_t
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::svmc::{SvmForm, Svmc};
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Negatives, Reading, Spec, Weights};
use crate::parts::convergence::Carried;
use crate::parts::mapping::Mapping;
use crate::parts::svm::{KernelChoice, MarginModel};
use crate::run::Run;

/// SVMs that close in on the positives, each from all negatives found; the slow, sure form of svmc.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Smc {
    /// How strong negatives are found
    pub mapping: Mapping,
    /// Which SVM closes in
    pub svm: SvmForm,
    /// Share of rows inside the margin (svm = nu)
    #[schemars(range(min = 1e-6, max = 1.0))]
    pub nu: f64,
    /// Cost of an error (svm = c)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// Which kernel compares two rows
    pub kernel: KernelChoice,
    /// Width of the radial kernel; none means by the spread of the data
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
    /// Share of the positives that an SVM may reject before the one before it is kept; none means any
    #[schemars(range(min = 0.0, max = 1.0))]
    pub guard: Option<f64>,
    /// Start each SVM from the one before, which is faster; the paper learns it anew
    pub warm: bool,
    /// Share of the pile taken as strong negatives by mapping = lowest, and where another mapping finds none
    #[schemars(range(min = 0.001, max = 1.0))]
    pub lowest: f64,
    /// The most SVMs learned
    #[schemars(range(min = 1, max = 100_000))]
    pub iterations: u32,
}

impl Default for Smc {
    fn default() -> Self {
        let Svmc { mapping, svm, nu, c, kernel, gamma, warm, lowest, iterations, .. } = Svmc::default();
        Smc { mapping, svm, nu, c, kernel, gamma, guard: None, warm, lowest, iterations }
    }
}

impl Method for Smc {
    const SPEC: Spec = Spec {
        name: "smc",
        family: "margin",
        title: "SVMs that close in on the positives, each from all negatives found; the slow, sure form of svmc",
        paper: "Yu 2003, SVMC: single-class classification with support vector machines",
        assumes: "A gap with few rows in it separates the class from the rest (separability), and no positive is as far from the examples as the first strong negatives are.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::BinaryUnit,
        keeps: Some("its support vectors, which are rows it learned from, where the kernel is not linear"),
    };
    const NEGATIVES: Negatives = Negatives::Reliable;
    type Model = MarginModel;

    fn readings() -> Vec<Reading<Self>> {
        let printed = Smc { warm: false, ..Smc::default() };
        vec![
            Reading {
                name: "warm",
                help: "each SVM started from the one before, which changes time alone",
                parameters: Smc::default(),
            },
            Reading { name: "printed", help: "Figure 4, nothing else", parameters: printed },
        ]
    }

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<MarginModel>> {
        let Smc { mapping, svm, nu, c, kernel, gamma, guard, warm, lowest, iterations } = self.clone();
        let shared = Svmc {
            mapping,
            svm,
            nu,
            c,
            kernel,
            gamma,
            guard,
            warm,
            lowest,
            iterations,
            refit: false,
            ..Svmc::default()
        };
        shared.map_and_converge(train, Carried::All, run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Dense};
    use std::sync::Arc;

    /// A cloud of positives at the origin, the unlabelled among the labelled, in a ring of negatives.
    fn ring() -> PuData {
        let values = (0..90).flat_map(|i| {
            let angle = i as f32 * 2.4;
            let radius = match i {
                0..20 => 0.05 * (i % 9) as f32,
                20..45 => 0.02 * (i % 9) as f32,
                _ => 3.0 + (i % 7) as f32 / 2.0,
            };
            [radius * angle.cos(), radius * angle.sin()]
        });
        let x = Data::Dense(Arc::new(Dense::new(90, 2, values.collect()).unwrap()));
        PuData::new(x, (0..90).map(|i| i < 20).collect()).unwrap()
    }

    #[test]
    fn both_forms_find_the_cloud_in_the_ring() {
        let run = Run::new(0);
        let scores = [
            Smc::default().fit(&ring(), &run).unwrap().scores,
            Svmc::default().fit(&ring(), &run).unwrap().scores,
        ];
        for scores in scores {
            for (i, score) in scores.iter().enumerate() {
                assert_eq!(*score >= 0.5, i < 45, "row {i}: {score}");
            }
        }
    }
}
