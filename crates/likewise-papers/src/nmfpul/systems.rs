//! The systems of the tables, and two plain ones that the paper leaves out.

use std::time::Instant;

use likewise::Run;
use likewise::data::{Data, PuData};
use likewise::decide::is_positive;
use likewise::method::{Method, Parameters, Scores};
use likewise::methods::factor::nmfpul::NmfPul;
use likewise::registry::find;

use super::collections::Collection;
use super::published::Published;
use crate::error::Result;

/// One row of every table.
pub struct System {
    /// As the paper writes it, where it is in the paper.
    pub title: &'static str,
    pub method: &'static str,
    kind: SystemKind,
}

enum SystemKind {
    /// At the configuration that did best on the test labels, separately for each cell, as the study chose it.
    Tuned,
    /// As it comes, on rows of unit length.
    Plain,
    /// A reading of NMFPUL, and how many topics it has.
    Factors(&'static str, Topics),
}

enum Topics {
    /// The paper never says how many topics; its numbers fit about ten.
    Ten,
    /// As many as the collection has classes: what a method that starts at the labelled documents does best with.
    Classes,
}

impl Topics {
    fn of(&self, collection: &Collection) -> usize {
        match self {
            Topics::Ten => 10,
            Topics::Classes => collection.all_classes().len(),
        }
    }
}

/// What calling every document negative gives; no system, but every table needs it.
pub const ALL_NEGATIVE: &str = "all negative";
pub const NMFPUL: &str = "NMFPUL";
pub const SEEDED: &str = "NMFPUL, started at the labelled";
pub const LP_PUL: &str = "LP-PUL";

pub const SYSTEMS: [System; 8] = [
    System { title: "K-Means", method: "kmeans", kind: SystemKind::Tuned },
    System { title: "PU-LP", method: "pu-lp", kind: SystemKind::Tuned },
    System { title: "RCSVM", method: "roc-svm", kind: SystemKind::Tuned },
    System { title: LP_PUL, method: "lp-pul", kind: SystemKind::Tuned },
    System { title: NMFPUL, method: "nmfpul", kind: SystemKind::Factors("printed", Topics::Ten) },
    System { title: SEEDED, method: "nmfpul", kind: SystemKind::Factors("centroid", Topics::Classes) },
    System { title: "Rocchio", method: "rocchio", kind: SystemKind::Plain },
    System { title: "prototype", method: "prototype", kind: SystemKind::Plain },
];

impl System {
    /// What is set, for the record.
    pub fn parameters(&self, published: &Published, collection: &Collection, labelled: usize) -> Parameters {
        match &self.kind {
            SystemKind::Tuned => published.settings(collection.name, self.title, labelled),
            SystemKind::Plain => Parameters::new(),
            SystemKind::Factors(reading, topics) => {
                let topics = topics.of(collection);
                [("reading".to_string(), (*reading).into()), ("topics".to_string(), topics.into())]
                    .into_iter()
                    .collect()
            }
        }
    }

    /// The answers for every document in each draw of labelled ones, and the seconds of a draw.
    pub fn classify(
        &self,
        collection: &Collection,
        draws: &[Vec<usize>],
        parameters: &Parameters,
        run: &Run,
    ) -> Result<(Vec<Vec<bool>>, f64)> {
        let started = Instant::now();
        let scores: Vec<Scores> = match &self.kind {
            SystemKind::Factors(reading, topics) => {
                let read = NmfPul::readings().into_iter().find(|known| known.name == *reading);
                let method = NmfPul {
                    topics: Some(topics.of(collection)),
                    ..read.map(|r| r.parameters).unwrap_or_default()
                };
                method.score_draws(collection.unit.sparse()?, draws, run)?
            }
            SystemKind::Tuned => self.one_by_one(&collection.plain, draws, parameters, run)?,
            SystemKind::Plain => self.one_by_one(&collection.unit, draws, parameters, run)?,
        };
        let seconds = started.elapsed().as_secs_f64() / draws.len().max(1) as f64;
        Ok((scores.into_iter().map(|s| s.into_iter().map(is_positive).collect()).collect(), seconds))
    }

    fn one_by_one(
        &self,
        x: &Data,
        draws: &[Vec<usize>],
        given: &Parameters,
        run: &Run,
    ) -> Result<Vec<Scores>> {
        let entry = find(self.method)?;
        let fit = |labelled: &Vec<usize>| {
            let mut positive = vec![false; x.rows()];
            labelled.iter().for_each(|&i| positive[i] = true);
            Ok(entry.fit(given, &PuData::new(x.clone(), positive)?, run)?.scores)
        };
        draws.iter().map(fit).collect()
    }
}
