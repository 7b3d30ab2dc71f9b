//! The systems of the comparison: a method of the registry, its parameters, and what it is told.

use std::sync::Arc;

use likewise::Run;
use likewise::data::Data;
use likewise::decide::is_positive;
use likewise::method::{Method, Parameters, Weights};
use likewise::methods::bayes::onb::{Onb, OnbAsw, OnbLsn, Quality};
use likewise::parts::naive_bayes::Smoothing;
use likewise::registry::find;
use serde_json::{Value, json};

use super::split::Split;
use crate::error::Result;

/// One row of the table.
#[derive(Clone, Debug)]
pub struct System {
    pub title: &'static str,
    pub method: &'static str,
    pub parameters: Parameters,
    told: Told,
}

/// What a system learns from beside training positives and pile.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Told {
    Nothing,
    /// The default estimate of the prior.
    Estimate,
    /// The true share of positives in the pile, which nobody knows: for scale.
    Truth,
    /// The target itself, which ONB looks at.
    Target(Quality),
}

/// All systems whose method is registered, in the order of the table.
pub fn systems() -> Vec<System> {
    let row = |title, method, told, settings: &[(&str, Value)]| System {
        title,
        method,
        told,
        parameters: settings.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
    };
    // The papers' smoothing, whatever the defaults are.
    let laplace: &[(&str, Value)] = &[("smoothing", json!("laplace"))];
    let held_out: &[(&str, Value)] = &[("choice", json!("held-out")), ("smoothing", json!("laplace"))];
    let literal: &[(&str, Value)] = &[("reading", json!("literal"))];
    let lsn = Told::Target(Quality::LargestSeparation);
    let asw = Told::Target(Quality::AverageSilhouetteWidth);
    let all = vec![
        row("prototype", "prototype", Told::Nothing, &[]),
        row("nearest", "nearest", Told::Nothing, &[]),
        row("one-class SVM", "ocsvm", Told::Nothing, &[]),
        row("spy, naive Bayes", "spy-nb", Told::Nothing, laplace),
        row("spy, EM (S-EM)", "spy-em", Told::Nothing, laplace),
        row("spy, SVM", "spy-svm", Told::Nothing, laplace),
        row("Rocchio, SVM", "roc-svm", Told::Nothing, &[]),
        row("Rocchio", "rocchio", Told::Nothing, &[]),
        row("aPNB", "apnb", Told::Nothing, laplace),
        row("PNB, p by held-out positives", "pnb", Told::Nothing, held_out),
        row("PNB, p estimated", "pnb", Told::Estimate, laplace),
        row("PNB, true p", "pnb", Told::Truth, laplace),
        row("ONB-ASW", "onb-asw", asw, &[]),
        row("ONB-ASW, literal", "onb-asw", asw, literal),
        row("ONB-LSN", "onb-lsn", lsn, &[]),
        row("ONB-LSN, literal", "onb-lsn", lsn, literal),
    ];
    all.into_iter().filter(|system| find(system.method).is_ok()).collect()
}

impl System {
    /// Which target rows the system calls positive.
    pub fn classify(&self, split: &Split, estimated_prior: f64, run: &Run) -> Result<Vec<bool>> {
        let entry = find(self.method)?;
        // The paper has binary rows; only the SVMs get weights, without which they are no match.
        let weights = match entry.spec().family {
            "margin" => entry.spec().weights,
            _ => Weights::Binary,
        };
        let train = split.train(weights)?;
        let target = split.target(weights);
        let given = match self.told {
            Told::Target(quality) => {
                let (model, _) = self.onb(quality).fit_for(quality, &train, Some(&target), run)?;
                let rows: Vec<usize> = (0..target.rows()).collect();
                return Ok(model.margins(&target, &rows).iter().map(|margin| *margin > 0.0).collect());
            }
            Told::Nothing => self.parameters.clone(),
            Told::Estimate => self.with_prior(estimated_prior),
            Told::Truth => self.with_prior(split.prior()),
        };
        let model = entry.fit(&given, &train, run)?.model;
        let scores = model.score(&Data::Sparse(Arc::new(target)), run)?;
        Ok(scores.into_iter().map(is_positive).collect())
    }

    fn with_prior(&self, prior: f64) -> Parameters {
        let mut parameters = self.parameters.clone();
        parameters.insert("prior".into(), prior.into());
        parameters
    }

    fn onb(&self, quality: Quality) -> Onb {
        let reading = self.parameters.get("reading").and_then(Value::as_str);
        fn read<M: Method>(reading: Option<&str>) -> M {
            let named = |name: &str| M::readings().into_iter().find(|r| r.name == name).map(|r| r.parameters);
            reading.and_then(named).unwrap_or_default()
        }
        let onb = match quality {
            Quality::AverageSilhouetteWidth => read::<OnbAsw>(reading).0,
            Quality::LargestSeparation => read::<OnbLsn>(reading).0,
        };
        Onb { smoothing: Smoothing::Laplace, ..onb }
    }
}
