//! RANK-MEAN: several methods asked, and the mean of the logarithms of their ranks taken.
//!
//! Ranks are comparable where scores are not, and logarithms let a row near the top of one ranking stand out.
//! Use it to join methods that err differently, such as one that compares with the pile and one that does not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find;
use crate::data::{Data, Kind, PuData};
use crate::error::{Error, Result};
use crate::method::{Entry, Fitted, Method, Model, Parameters, Reason, Scores, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::model_file::{Reader, Writer};
use crate::parts::scorer::{Cut, log_rank};
use crate::run::Run;

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
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
    };
    type Model = RankMeanModel;

    fn check(&self) -> Result<()> {
        self.entries().map(|_| ())
    }

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<RankMeanModel>> {
        let (prior, mut notes) = given_or_estimated(self.prior, train, run)?;
        let pile = train.unlabeled();
        let mut members = Vec::new();
        let mut means = vec![0.0; train.x.rows()];
        let entries = self.entries()?;
        for entry in &entries {
            let fitted = entry.fit(&Parameters::new(), train, run)?;
            notes.extend(fitted.notes);
            let ranks = log_rank(&fitted.scores, &sorted(&fitted.scores, &pile));
            means.iter_mut().zip(ranks).for_each(|(mean, rank)| *mean += rank / entries.len() as f64);
            let of_new = fitted.model.score(&train.x, run)?;
            members.push(Voice {
                method: entry.spec().name,
                model: fitted.model,
                pile: sorted(&of_new, &pile),
            });
        }
        notes.dedup();
        let count = ((prior * pile.len() as f64).round() as usize).clamp(1, pile.len());
        let cut = |scores: &[f64]| Cut::after(&pile.iter().map(|&i| scores[i]).collect::<Vec<_>>(), count);
        let scores = means.iter().map(|mean| cut(&means).score(*mean));
        let scores: Scores = scores.collect();
        let mut model = RankMeanModel { members, cut: cut(&means) };
        model.cut = cut(&model.raw(&train.x, run)?);
        Ok(Fitted::new(model, scores).with_notes(notes))
    }
}

fn sorted(scores: &[f64], pile: &[usize]) -> Vec<f64> {
    let mut of_pile: Vec<f64> = pile.iter().map(|&i| scores[i]).collect();
    of_pile.sort_unstable_by(f64::total_cmp);
    of_pile
}

/// A member's model and its scores of the pile in ascending order.
struct Voice {
    method: &'static str,
    model: Box<dyn Model>,
    pile: Vec<f64>,
}

pub struct RankMeanModel {
    members: Vec<Voice>,
    cut: Cut,
}

impl RankMeanModel {
    fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        let mut means = vec![0.0; x.rows()];
        for voice in &self.members {
            let ranks = log_rank(&voice.model.score(x, run)?, &voice.pile);
            means.iter_mut().zip(ranks).for_each(|(mean, rank)| *mean += rank / self.members.len() as f64);
        }
        Ok(means)
    }
}

impl Model for RankMeanModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        Ok(self.raw(x, run)?.into_iter().map(|raw| self.cut.score(raw)).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.cut.save(out);
        out.value("members", &self.members.iter().map(|v| v.method).collect::<Vec<_>>());
        for (at, voice) in self.members.iter().enumerate() {
            out.nested(&at.to_string(), |out| {
                out.f64s("pile", &[voice.pile.len()], &voice.pile);
                out.nested("model", |out| voice.model.save(out))
            })?;
        }
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let names: Vec<String> = file.value("members")?;
        let voice = |(at, name): (usize, &String)| {
            let part = file.nested(&at.to_string());
            let entry = find(name).map_err(|e| Error::model_file(e.to_string()))?;
            Ok(Voice {
                method: entry.spec().name,
                model: entry.load(&part.nested("model"))?,
                pile: part.read_f64s("pile")?,
            })
        };
        let members = names.iter().enumerate().map(voice).collect::<Result<_>>()?;
        Ok(RankMeanModel { members, cut: Cut::load(file)? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        match self.members.first() {
            Some(voice) => voice.model.explain(x, row, top),
            None => Ok(Vec::new()),
        }
    }
}
