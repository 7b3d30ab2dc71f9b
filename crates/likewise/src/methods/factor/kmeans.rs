//! One-class k-means: how alike a row is to the nearest centre of the positives (Tan, Steinbach & Kumar 2005).
//!
//! The positives are divided into `k` groups by cosine, each with the mean of its rows as centre; a row is
//! positive if its cosine to the nearest centre reaches a threshold. The pile is used only for the threshold: left
//! out, it is the conformal cut (`parts::conformal`) from each positive's cosine to its centre without it. Use it
//! as the plain baseline of one-class learning; with one centre it is the likeness to the mean positive.
//!
//! ```text
//! f(x) = max_j cos(x, c_j),     c_j = mean of the positives that are nearest to c_j,     positive where f(x) ≥ t
//! ```

use std::sync::Arc;

use rand::seq::SliceRandom;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Csr, CsrBuilder, Data, Dense, Kind, PuData};
use crate::decide::recenter;
use crate::error::Result;
use crate::method::{Fitted, Method, Model, Reason, Scores, Spec, Weights};
use crate::model_file::{Reader, Writer};
use crate::parts::conformal::{Goal, cut};
use crate::parts::knn_graph::{CosineIndex, Neighbours};
use crate::run::Run;

/// Cosine to the nearest centre of the positives; the plain one-class baseline.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KMeans {
    /// How many groups the positives are divided into
    #[schemars(range(min = 1, max = 1000))]
    pub k: usize,
    /// The least cosine to a centre that is positive; left out: chosen from the positives and the pile
    #[schemars(range(min = 0, max = 1))]
    pub threshold: Option<f64>,
    /// Whose estimated F1 the chosen threshold makes best
    pub goal: Goal,
}

impl Default for KMeans {
    fn default() -> Self {
        KMeans { k: 1, threshold: None, goal: Goal::Rarer }
    }
}

impl Method for KMeans {
    const SPEC: Spec = Spec {
        name: "kmeans",
        family: "factor",
        title: "cosine to the nearest centre of the positives; the plain one-class baseline",
        paper: "Tan, Steinbach & Kumar 2005, Introduction to data mining, as used by Carnevali et al. 2021",
        assumes: "The class lies in `k` groups, each around its mean direction, and the examples are a random draw of it: a positive of the pile is as like its centre as an example left out is.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    type Model = CentreModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<CentreModel>> {
        let positives = train.x.select(&train.positives());
        let (centres, groups) = self.group(&positives, run)?;
        let likeness = nearest(&centres.query(&train.x, 1, run)?);
        let threshold = match self.threshold {
            Some(threshold) => threshold,
            None => {
                let left_out = without_itself(&positives, &groups);
                let pile: Vec<f64> = train.unlabeled().into_iter().map(|i| likeness[i]).collect();
                cut(&left_out, &pile, self.goal).map_or(0.0, |cut| cut.threshold)
            }
        };
        let model = CentreModel { centres, threshold: threshold.max(f64::MIN_POSITIVE) };
        let scores = likeness.into_iter().map(|s| recenter(s, model.threshold)).collect();
        Ok(Fitted::new(model, scores))
    }
}

impl KMeans {
    /// The centres and the group of each row, once no row changes its group.
    fn group(&self, rows: &Data, run: &Run) -> Result<(CosineIndex, Vec<usize>)> {
        const MOST_ROUNDS: u64 = 100;
        let n = rows.rows();
        let k = self.k.min(n);
        let mut order: Vec<usize> = (0..n).collect();
        order.shuffle(&mut run.rng("kmeans start", 0));
        let mut centres = CosineIndex::new(&rows.select(&order[..k]))?;
        let mut groups = vec![0; n];
        for round in 0..MOST_ROUNDS {
            run.step("kmeans", round, MOST_ROUNDS)?;
            let found = centres.query(rows, 1, run)?;
            let next: Vec<usize> = (0..n).map(|i| found.of(i).next().map_or(groups[i], |(g, _)| g)).collect();
            let settled = round > 0 && next == groups;
            groups = next;
            if settled {
                break;
            }
            centres = CosineIndex::new(&means(rows, &groups, k))?;
        }
        Ok((centres, groups))
    }
}

/// The mean row of each group; that of an empty group is empty and near to nothing.
fn means(rows: &Data, groups: &[usize], k: usize) -> Data {
    let members = |g: usize| (0..groups.len()).filter(move |&i| groups[i] == g);
    let size = |g: usize| members(g).count().max(1) as f64;
    match rows {
        Data::Dense(x) => {
            let mut values = vec![0.0; k * x.cols];
            for (g, out) in values.chunks_exact_mut(x.cols.max(1)).enumerate() {
                for (j, out) in out.iter_mut().enumerate() {
                    *out = (members(g).map(|i| f64::from(x.row(i)[j])).sum::<f64>() / size(g)) as f32;
                }
            }
            Data::Dense(Arc::new(Dense::new(k, x.cols, values).expect("means of finite numbers")))
        }
        other => {
            let x = other.sparse().expect("checked by the index");
            let mut out = CsrBuilder::with_capacity(x.cols, k, 0);
            for g in 0..k {
                let sums = x.column_sums(members(g));
                out.push_entries(sums.iter().enumerate().map(|(j, s)| (j as u32, (s / size(g)) as f32)));
            }
            Data::Sparse(Arc::new(out.finish()))
        }
    }
}

/// Each row's cosine to the centre of the rest of its group; 0 for a group of one.
fn without_itself(rows: &Data, groups: &[usize]) -> Vec<f64> {
    let sparse = match rows {
        Data::Dense(x) => {
            let mut out = CsrBuilder::with_capacity(x.cols, x.rows(), 0);
            x.iter_rows()
                .for_each(|row| out.push_entries(row.iter().enumerate().map(|(j, v)| (j as u32, *v))));
            Arc::new(out.finish())
        }
        other => other.sparse().expect("checked by the index").clone(),
    };
    let x: &Csr = &sparse;
    let mut out = vec![0.0; groups.len()];
    for g in 0..groups.iter().max().map_or(0, |g| g + 1) {
        let members: Vec<usize> = (0..groups.len()).filter(|&i| groups[i] == g).collect();
        let sums = x.column_sums(members.iter().copied());
        let squares: f64 = sums.iter().map(|s| s * s).sum();
        for i in members {
            // The rest r = s - x has x·r = x·s - x·x and r·r = s·s - 2 x·s + x·x.
            let (product, own) = (x.row(i).dot(&sums), x.row(i).squared_norm());
            let rest = squares - 2.0 * product + own;
            if rest > 1e-12 * squares && own > 0.0 {
                out[i] = ((product - own) / (own * rest).sqrt()).clamp(0.0, 1.0);
            }
        }
    }
    out
}

/// The cosine to the nearest centre; 0 where none is alike.
fn nearest(found: &Neighbours) -> Vec<f64> {
    (0..found.len()).map(|i| found.of(i).next().map_or(0.0, |(_, cosine)| f64::from(cosine))).collect()
}

/// The centre of the positives and the cut.
pub struct CentreModel {
    centres: CosineIndex,
    threshold: f64,
}

impl Model for CentreModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let likeness = nearest(&self.centres.query(x, 1, run)?);
        Ok(likeness.into_iter().map(|s| recenter(s, self.threshold)).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.centres.save(out);
        out.number("threshold", self.threshold);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        Ok(CentreModel { centres: CosineIndex::load(file)?, threshold: file.number("threshold")? })
    }

    /// What each feature adds to the cosine.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let found = self.centres.query(&x.select(&[row]), 1, &Run::new(0))?;
        let centre = found.of(0).next();
        let parts = centre.map_or(Vec::new(), |(centre, _)| self.centres.shared_features(x, row, centre));
        Ok(Reason::strongest(parts, top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positives around (1, 0) and (0, 1); then rows near one, near the other, between, opposite, and empty.
    fn train() -> PuData {
        let rows = [
            [1.0, 0.1, 0.0],
            [1.0, -0.1, 0.0],
            [0.1, 1.0, 0.0],
            [-0.1, 1.0, 0.0],
            [2.0, 0.0, 0.0],
            [0.0, 0.5, 0.0],
            [1.0, 1.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
        ];
        let x = Dense::new(9, 3, rows.concat()).unwrap();
        PuData::new(Data::Dense(Arc::new(x)), (0..9).map(|i| i < 4).collect()).unwrap()
    }

    #[test]
    fn two_groups_find_their_centres() {
        let method = KMeans { k: 2, threshold: Some(0.9), goal: Goal::Rarer };
        let found = (0..5).map(|seed| method.fit(&train(), &Run::new(seed)).unwrap().scores);
        let answers = |scores: Vec<f64>| scores.iter().map(|s| *s >= 0.5).collect::<Vec<_>>();
        let wanted = [true, true, true, true, true, true, false, false, false];
        assert!(found.map(answers).any(|found| found == wanted), "some start separates the groups");
    }

    #[test]
    fn one_centre_lies_between() {
        let method = KMeans { k: 1, threshold: Some(0.9), goal: Goal::Rarer };
        let scores = method.fit(&train(), &Run::new(0)).unwrap().scores;
        assert!(scores[6] > 0.99 && scores[4] < 0.5 && scores[7] == 0.0 && scores[8] == 0.0, "{scores:?}");
    }

    #[test]
    fn left_out_rows_meet_the_mean_of_the_others() {
        let x = Csr::new(2, vec![0, 1, 2, 4], vec![0, 1, 0, 1], vec![1.0, 1.0, 1.0, 1.0]).unwrap();
        let found = without_itself(&Data::Sparse(Arc::new(x)), &[0, 0, 0]);
        // The first against (1, 2) / 2: 1 / sqrt 5; the last against (1, 1): 1.
        assert!((found[0] - 0.2f64.sqrt()).abs() < 1e-12 && (found[2] - 1.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn the_threshold_is_chosen_where_none_is_given() {
        let scores = KMeans::default().fit(&train(), &Run::new(0)).unwrap().scores;
        assert!(scores[6] >= 0.5 && scores[7] < 0.5 && scores[8] < 0.5, "{scores:?}");
    }
}
