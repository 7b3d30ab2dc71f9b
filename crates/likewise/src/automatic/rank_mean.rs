//! RANK-MEAN: several methods asked, and the mean of the logarithms of their ranks taken.
//!
//! Use it to join methods that err differently, such as one that compares with the pile and one that does not.
//!
//! ```text
//! f(x) = - 1/k Σ_j ln r_j(x)
//! ```
//!
//! where r_j(x) is the share of the pile that method j of k scores as high as x or higher. The best share π of the pile is
//! positive.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find;
use super::voices::{MeanOfRanks, Voice, Voices, sorted_pile};
use crate::data::{Data, Kind, PuData};
use crate::error::{Error, Result};
use crate::method::{Entry, Fitted, Method, Model, Negatives, Parameters, Reason, Scores, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::model_file::{Reader, Writer};
use crate::parts::cut::Cut;
use crate::run::Run;

/// Several methods by the mean of their logarithmic ranks.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RankMean {
    /// Names of the methods, joined by `+`; all must take words as tf-idf, or numbers
    pub of: String,
    /// Share of positives in the pile, at which the cut is placed; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
}

impl Default for RankMean {
    fn default() -> Self {
        RankMean { of: "pseudo-smooth+logistic".into(), prior: None }
    }
}

impl RankMean {
    fn entries(&self) -> Result<Vec<&'static dyn Entry>> {
        let entry = |name: &str| {
            let entry = find(name.trim()).map_err(|e| Error::parameter("of", e.to_string()))?;
            let spec = entry.spec();
            if spec.name == Self::SPEC.name || spec.weights != Weights::TfIdf {
                return Err(Error::parameter(
                    "of",
                    format!("`{}` cannot be a member: it does not take words as tf-idf", spec.name),
                ));
            }
            Ok(entry)
        };
        self.of.split('+').map(entry).collect()
    }
}

impl Method for RankMean {
    const SPEC: Spec = Spec {
        name: "rank-mean",
        family: "automatic",
        title: "the mean of the logarithmic ranks that several methods give; for methods that err differently",
        paper: "this project",
        assumes: "What its members assume, and that they err on different rows. The cut needs the share of positives in the pile, known or well estimated.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("up to 300 of the rows it learned from, where rows are numbers"),
    };
    const NEGATIVES: Negatives = Negatives::ByCandidates;
    type Model = RankMeanModel;

    fn check(&self) -> Result<()> {
        self.entries().map(|_| ())
    }

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<RankMeanModel>> {
        let (prior, mut notes) = given_or_estimated(self.prior, train, run)?;
        let pile = train.unlabeled();
        let mut voices = Vec::new();
        let entries = self.entries()?;
        let mut mean = MeanOfRanks::new(train.x.rows(), entries.len() as u32);
        for entry in &entries {
            let fitted = entry.fit(&Parameters::new(), train, run)?;
            notes.extend(fitted.notes);
            mean.add(&fitted.scores, &sorted_pile(&fitted.scores, &pile), 1);
            let of_new = fitted.model.score(&train.x, run)?;
            voices.push(Voice {
                method: *entry,
                weight: 1,
                model: fitted.model,
                pile: sorted_pile(&of_new, &pile),
            });
        }
        notes.dedup();
        let cut = |raw: &[f64]| Cut::at_share(&pile.iter().map(|&i| raw[i]).collect::<Vec<_>>(), prior);
        let raw = mean.sums;
        let of_training = cut(&raw);
        let scores = of_training.scores(&raw);
        let mut model = RankMeanModel { voices: Voices(voices), cut: of_training };
        model.cut = cut(&model.raw(&train.x, run)?);
        Ok(Fitted::new(model, scores).with_raw(Arc::new(raw)).with_notes(notes))
    }
}

/// The members and their joint cut.
pub struct RankMeanModel {
    voices: Voices,
    cut: Cut,
}

impl Model for RankMeanModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        Ok(self.cut.scores(&self.raw(x, run)?))
    }

    /// The members are ranked by their public scores: each has its own cut.
    fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        self.voices.mean(x.rows(), |voice| voice.model.score(x, run))
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.cut.save(out);
        self.voices.save(out)
    }

    fn load(file: &Reader) -> Result<Self> {
        Ok(RankMeanModel { voices: Voices::load(file)?, cut: Cut::load(file)? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        self.voices.first().map_or(Ok(Vec::new()), |model| model.explain(x, row, top))
    }
}
