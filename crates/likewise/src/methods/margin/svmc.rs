//! SVMC: mapping-convergence with support vectors only (Yu 2003, Figure 4 and the reset of Section 3.2).
//!
//! Mapping finds strong negatives, far from every positive; convergence learns an SVM against them, takes what it
//! calls negative as further negatives, and so closes in on the positives. Of the negatives only the support vectors
//! go on to the next SVM, which makes it several times as fast as `smc`. Use it for numbers and text alike when
//! the classes have a gap between them.
//!
//! As printed, the reset can forget far regions and the iteration can run into the positives. The default therefore
//! remembers the support vectors of every SVM, steps back before an SVM that rejects more than 1 % of the positives
//! and ends with one SVM on every negative found. It also starts each SVM from the one before, which saves time.
//! `reading=printed` does none of this.
//!
//! ```text
//! N₀ = strong negatives of the mapping
//! N_{t+1} = V_t ∪ {x ∈ U : f_t(x) < 0},  f_t the SVM of P against N_t
//! ```
//!
//! where V_t are the support vectors among N_0 … N_t; as printed, those of f_t alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Reading, Spec, Weights};
use crate::note::Note;
use crate::parts::convergence::{Carried, Convergence, Form};
use crate::parts::known_negatives::with_known;
use crate::parts::mapping::{Mapping, MappingStage};
use crate::parts::svm::{KernelChoice, MarginModel};
use crate::run::Run;

/// SVMs that close in on the positives, carrying support vectors only; fast single-class classification.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Svmc {
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
    /// Carry the support vectors of every SVM so far, not of the last alone
    pub remember: bool,
    /// End with one SVM on every negative found
    pub refit: bool,
    /// Start each SVM from the one before, which is faster; the paper learns it anew
    pub warm: bool,
    /// Share of the pile taken as strong negatives by mapping = lowest, and where another mapping finds none
    #[schemars(range(min = 0.001, max = 1.0))]
    pub lowest: f64,
    /// The most SVMs learned
    #[schemars(range(min = 1, max = 100_000))]
    pub iterations: u32,
}

/// Linear or with a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SvmForm {
    /// nu-SVM, whose parameter is a share of rows
    Nu,
    /// C-SVM, whose parameter is the cost of an error
    C,
}

impl Default for Svmc {
    fn default() -> Self {
        Svmc {
            mapping: Mapping::Auto,
            svm: SvmForm::Nu,
            nu: 0.01,
            c: 1.0,
            kernel: KernelChoice::Auto,
            gamma: None,
            guard: Some(0.01),
            remember: true,
            refit: true,
            warm: true,
            lowest: 0.3,
            iterations: 100,
        }
    }
}

impl Method for Svmc {
    const SPEC: Spec = Spec {
        name: "svmc",
        family: "margin",
        title: "SVMs that close in on the positives, carrying support vectors only; fast single-class classification",
        paper: "Yu 2003, SVMC: single-class classification with support vector machines",
        assumes: "A gap with few rows in it separates the class from the rest (separability), and no positive is as far from the examples as the first strong negatives are.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::BinaryUnit,
        keeps: Some("its support vectors, which are rows it learned from, where the kernel is not linear"),
    };
    const NEGATIVES: Negatives = Negatives::Reliable;
    type Model = MarginModel;

    fn readings() -> Vec<Reading<Self>> {
        let printed = Svmc { guard: None, remember: false, refit: false, warm: false, ..Svmc::default() };
        vec![
            Reading {
                name: "guarded",
                help: "with the guard on rejected positives, a memory of support vectors, a last SVM on every negative found and warm starts",
                parameters: Svmc::default(),
            },
            Reading { name: "printed", help: "Figure 4 plus the reset, nothing else", parameters: printed },
        ]
    }

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<MarginModel>> {
        let carried = if self.remember { Carried::SupportOfAny } else { Carried::Support };
        self.map_and_converge(train, carried, run)
    }
}

impl Svmc {
    pub(super) fn map_and_converge(
        &self,
        train: &PuData,
        carried: Carried,
        run: &Run,
    ) -> Result<Fitted<MarginModel>> {
        let kernel = self.kernel.kernel(self.gamma, &train.x);
        let stage = MappingStage { mapping: self.mapping, kernel, lowest: self.lowest };
        let (strong, warning) = stage.strong_negatives(train, run)?;
        let mut notes: Vec<Note> = warning.into_iter().collect();
        let strong = with_known(strong, train);
        let strong_count = strong.len();
        let convergence = Convergence {
            kernel,
            form: match self.svm {
                SvmForm::Nu => Form::Nu(self.nu),
                SvmForm::C => Form::C(self.c),
            },
            carried,
            warm: self.warm,
            guard: self.guard,
            refit: self.refit,
            most_iterations: self.iterations as usize,
        };
        let found = convergence.run(train, strong, run)?;
        let text = format!(
            "{strong_count} strong negatives, {} negatives after {} SVMs",
            found.negatives, found.iterations
        );
        notes.push(Note::info(&codes::LEARNED, text));
        notes.extend(found.notes);
        let scores = found.model.score(&train.x, run)?;
        Ok(Fitted::new(found.model, scores).with_notes(notes))
    }
}
