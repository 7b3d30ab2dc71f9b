//! PEBL (Yu, Han & Chang 2002): words of the positives rule out strong negatives, and an SVM closes in.
//!
//! Pile rows without a single word of the positives (1-DNF) are strong negatives; an SVM of the positives
//! against them calls more rows negative, which join them, until no more do. Use it when the pile is mostly
//! negative and of many kinds; where nearly everything is positive it finds nothing, and says so.
//!
//! ```text
//! N₀ = {x ∈ U : no word of x is more frequent in P than in U}
//! N_{t+1} = N_t ∪ {x ∈ U : f_t(x) < 0},  f_t the linear SVM of P against N_t
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::known_negatives::with_known;
use crate::parts::reliable_negatives::one_dnf::one_dnf;
use crate::parts::svm::{Kernel, MarginModel};
use crate::parts::two_step::{SecondStep, nothing_negative};
use crate::run::Run;

/// Rows without words of the positives, then an iterated SVM; for piles of many kinds of negatives.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pebl {
    /// Cost of an error of the SVM (C)
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// The most SVMs learned
    #[schemars(range(min = 1, max = 100_000))]
    pub iterations: u32,
}

impl Default for Pebl {
    fn default() -> Self {
        Pebl { c: 1.0, iterations: 100 }
    }
}

impl Method for Pebl {
    const SPEC: Spec = Spec {
        name: "pebl",
        family: "margin",
        title: "rows without words of the positives, then an iterated SVM; for piles of many kinds of negatives",
        paper: "Yu, Han & Chang 2002, PEBL: positive example based learning for Web page classification using SVM",
        assumes: "Every row of the class holds a word that is more frequent in the examples than in the pile, and a gap with few rows in it separates the class from the rest (separability).",
        inputs: &[Kind::Sparse],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Reliable;
    type Model = MarginModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<MarginModel>> {
        let strong = with_known(one_dnf(train.x.sparse()?, train), train);
        let found = strong.len();
        let (model, note) = if strong.is_empty() {
            nothing_negative(train)?
        } else {
            let step = SecondStep { kernel: Kernel::Linear, c: self.c };
            let iterated = step.iterate(train, strong, self.iterations as usize, run)?;
            let text = format!(
                "{found} strong negatives, {} after {} SVMs",
                iterated.negatives.len(),
                iterated.iterations
            );
            (iterated.last, Note::info(&codes::LEARNED, text))
        };
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(vec![note]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Data};
    use std::sync::Arc;

    /// Words 0, 1 belong to the positives, 2 to everyone, 3, 4 to the negatives.
    fn train(rows: &[&[u32]], labelled: usize) -> PuData {
        let indptr = std::iter::once(0).chain(rows.iter().scan(0, |n, r| {
            *n += r.len();
            Some(*n)
        }));
        let indices: Vec<u32> = rows.concat();
        let values = vec![1.0; indices.len()];
        let x = Csr::new(5, indptr.collect(), indices, values).unwrap();
        PuData::new(Data::Sparse(Arc::new(x)), (0..rows.len()).map(|i| i < labelled).collect()).unwrap()
    }

    #[test]
    fn weak_negatives_are_reached_through_strong_ones() {
        // Words 0, 1 and 2 are the positives'; only row 5 holds none of them. Rows 4, 6 and 7 hold one or two, but
        // mostly words of the negatives.
        let rows: [&[u32]; 8] =
            [&[0, 1, 2], &[0, 2], &[0, 1], &[0, 1, 2], &[2, 3], &[3, 4], &[1, 3, 4], &[1, 2, 3, 4]];
        let fitted = Pebl { c: 10.0, ..Pebl::default() }.fit(&train(&rows, 3), &Run::new(0)).unwrap();
        let positive: Vec<bool> = fitted.scores.iter().map(|s| *s >= 0.5).collect();
        assert_eq!(positive, [true, true, true, true, false, false, false, false], "{:?}", fitted.scores);
        assert!(fitted.notes[0].to_string().starts_with("1 strong negatives"));
    }

    #[test]
    fn a_pile_without_strong_negatives_is_all_positive() {
        let fitted = Pebl::default()
            .fit(&train(&[&[0, 2], &[0, 1], &[0, 3], &[1, 4], &[0]], 2), &Run::new(0))
            .unwrap();
        assert!(fitted.scores.iter().all(|s| *s >= 0.5));
        assert!(matches!(&fitted.notes[..], [note] if note.is_warning()));
    }
}
