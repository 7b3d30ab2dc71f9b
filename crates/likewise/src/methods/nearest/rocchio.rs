//! Rocchio (1971) on positives and pile: two prototypes, and each row goes to the nearer one.
//!
//! Each prototype is the mean direction of its rows, pushed away from the other's; the pile stands for the
//! negatives. Use it as a fast baseline that needs no iteration; its negatives start `roc-svm` and `rc-svm`.
//!
//! ```text
//! c₊ = α mean_P(x/|x|) - β mean_U(x/|x|),   c₋ = α mean_U(x/|x|) - β mean_P(x/|x|)
//! score = ½ + ¼ (cos(x, c₊) - cos(x, c₋))
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Data, Kind, PuData};
use crate::error::{Error, Result};
use crate::method::{Fitted, Method, Model, Negatives, Reason, Scores, Spec, Weights};
use crate::model_file::{Reader, Writer};
use crate::parts::linear::RowView;
use crate::parts::reliable_negatives::rocchio::{Prototypes, Rocchio as Step};
use crate::run::Run;

/// Prototypes of positives and pile, each row to the nearer; a fast baseline.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rocchio {
    /// How strongly a prototype is drawn to its own rows
    #[schemars(range(min = 0.0, max = 1e6))]
    pub alpha: f64,
    /// How strongly it is pushed away from the others
    #[schemars(range(min = 0.0, max = 1e6))]
    pub beta: f64,
}

impl Default for Rocchio {
    fn default() -> Self {
        Rocchio { alpha: 16.0, beta: 4.0 }
    }
}

impl Method for Rocchio {
    const SPEC: Spec = Spec {
        name: "rocchio",
        family: "nearest",
        title: "prototypes of positives and pile, each row to the nearer; a fast baseline",
        paper: "Rocchio 1971, Relevance feedback in information retrieval; Li & Liu 2003 for positives and pile",
        assumes: "The pile is mostly negative, and the class and the rest are each one region around their mean direction.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::Beside;
    const HIDDEN_CUT: bool = true;
    type Model = RocchioModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<RocchioModel>> {
        let step = Step { alpha: self.alpha, beta: self.beta };
        let model = RocchioModel(step.fit_marks(train)?);
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores))
    }
}

/// The two prototypes.
#[derive(Clone, Debug)]
pub struct RocchioModel(Prototypes);

impl RocchioModel {
    fn check(&self, x: &Data) -> Result<()> {
        let (known, found) = (self.0.weights.len(), RowView::of(x)?.cols());
        if known != found {
            return Err(Error::data(format!("the model knows {known} features, the rows have {found}")));
        }
        Ok(())
    }
}

impl Model for RocchioModel {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        self.check(x)?;
        Ok(self.0.margins(x)?.into_iter().map(|m| (0.5 + 0.25 * m).clamp(0.0, 1.0)).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.f64s("weights", &[self.0.weights.len()], &self.0.weights);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        Ok(RocchioModel(Prototypes { weights: file.read_f64s("weights")? }))
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        self.check(x)?;
        let x = RowView::of(x)?;
        let length = x.squared_norm(row).sqrt().max(f64::MIN_POSITIVE);
        let mut pushes = Vec::new();
        x.for_each_entry(row, |j, v| pushes.push((j, v * self.0.weights[j] / length)));
        Ok(Reason::strongest(pushes, top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    #[test]
    fn rows_go_to_the_nearer_prototype() {
        let x =
            Data::Dense(Arc::new(Dense::new(4, 2, vec![1.0, 0.0, 0.0, 1.0, 0.1, 1.0, 2.0, 0.3]).unwrap()));
        let train = PuData::new(x, vec![true, false, false, false]).unwrap();
        let scores = Rocchio::default().fit(&train, &Run::new(0)).unwrap().scores;
        assert!(scores[0] > 0.5 && scores[3] > 0.5 && scores[1] < 0.5 && scores[2] < 0.5, "{scores:?}");
    }
}
