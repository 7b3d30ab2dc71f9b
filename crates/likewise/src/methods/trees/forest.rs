//! FOREST: extra trees split by PU risk (Wilton, Koay, Ko, Xu & Ye 2022).
//!
//! Each node tries a few columns with one random split each and keeps the split that leaves the least non-negative PU
//! risk under the share π of positives in the pile; a row's score is the mean share of positives in the leaves it ends
//! in. Columns are taken as they are: a number by its order alone, a category by its levels, and what is missing goes to
//! a side of its own. A tree learns from all positives and from a part of the pile, and scores the rest of the pile, so
//! that no row speaks against itself; rows of the pile with equal content share one score. Use it for tables, above all
//! with categories, gaps and columns of any scale.
//!
//! ```text
//! W₊ = π p/P    W₋ = max(0, u/U - W₊)    v = W₊ / (W₊ + W₋)    min over splits of Σ (W₊ + W₋) v (1 - v)
//! ```
//!
//! for a node with p of P positives and u of U rows of the pile (Equations 9 and 12 with the quadratic loss).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Data, Kind, PuData};
use crate::error::Result;
use crate::method::{Candidacy, Effort, Fitted, Method, Model, Negatives, Reason, Scores, Spec, Weights};
use crate::methods::prior::given_or_estimated;
use crate::model_file::{Reader, Writer};
use crate::parts::trees::Forest as Trees;
use crate::parts::trees::forest::Planting;
use crate::run::Run;

/// Extra trees split by PU risk on the columns as they are; for tables.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Forest {
    /// Trees grown
    #[schemars(range(min = 1, max = 10_000))]
    pub trees: u32,
    /// Share of positives in the pile; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// Columns tried in a node; none means the square root of their number
    #[schemars(range(min = 1))]
    pub columns: Option<u32>,
    /// Share of the pile that each tree learns from; it scores the rest
    #[schemars(range(min = 0.01, max = 0.99))]
    pub bag: f64,
    /// Questions asked of a row at most; none means until nothing is left to tell apart
    #[schemars(range(min = 1, max = 100_000))]
    pub depth: Option<u32>,
}

impl Default for Forest {
    fn default() -> Self {
        Forest { trees: 200, prior: None, columns: None, bag: 0.3, depth: None }
    }
}

impl Method for Forest {
    const SPEC: Spec = Spec {
        name: "forest",
        family: "trees",
        title: "extra trees split by PU risk, on columns as they are: numbers, categories and gaps; for tables",
        paper: "Wilton, Koay, Ko, Xu & Ye 2022, Positive-unlabeled learning using random forests via recursive greedy risk minimization",
        assumes: "The examples are a random draw of their class, and the share of positives in the pile is known or well estimated. A few columns, by thresholds and levels, tell the class.",
        inputs: &[Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    const POOL: &'static [Candidacy] =
        &[Candidacy { place: 5, kinds: &[Kind::Dense], from: Effort::Normal, parameters: &[] }];
    const AS_GIVEN: bool = true;
    const HIDDEN_CUT: bool = true;
    const NEGATIVES: Negatives = Negatives::Counted;
    type Model = ForestModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<ForestModel>> {
        let x = train.x.dense()?;
        let (prior, notes) = given_or_estimated(self.prior, train, run)?;
        let root = (x.fields().len() as f64).sqrt() as usize;
        let planting = Planting {
            trees: self.trees as usize,
            tried: self.columns.map_or(root, |columns| columns as usize).max(1),
            bag: self.bag,
            prior,
            depth: self.depth.map_or(usize::MAX, |depth| depth as usize),
        };
        let (trees, scores) = planting.grow(x, &train.positive, &train.unwanted, run)?;
        Ok(Fitted::new(ForestModel { trees }, scores).with_notes(notes))
    }
}

/// The trees.
pub struct ForestModel {
    trees: Trees,
}

impl Model for ForestModel {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        self.trees.score(x.dense()?)
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.trees.save(out);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        Ok(ForestModel { trees: Trees::load(file)? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        self.trees.explain(x.dense()?, row, top)
    }

    fn portrait(&self, top: usize) -> Vec<Reason> {
        self.trees.portrait(top)
    }
}
