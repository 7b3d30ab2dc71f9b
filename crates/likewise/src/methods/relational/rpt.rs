//! RPT: relational probability trees (Neville, Jensen, Friedland & Hay 2003).
//!
//! One tree whose tests sum up everything an example is related to: COUNT, the share and the MODE of a
//! value, the AVERAGE of a number. The test with the largest chi-square against the label is taken as long
//! as it stays significant after a Bonferroni correction for all that were tried; leaves hold smoothed
//! class shares. Positives are told from the pile as if it were negative, each weighing one half, so a leaf
//! says "positive" where it holds more than its share of positives.
//!
//! Use it as the discriminative baseline, and where how much of something counts rather than whether.
//!
//! ```text
//! χ² = n (p u' - p' u)² / ((p + u) (p' + u') (p + p') (u + u')),     taken where  k Pr(χ² or more) ≤ 0.05
//! score by  ln (p + r)/(P + s) - ln (u + r)/(U + s),  r = s (p + u)/(P + U)
//! ```
//!
//! for p of P positives and u of U pile rows on one side of a test, p' and u' on the other, n in all, k tests tried, and s
//! imagined examples in each leaf.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{cap_note, check_language, negatives_first};
use crate::data::{Data, Kind, PuData};
use crate::decide::logistic;
use crate::error::{Error, Result};
use crate::method::{Cause, Fitted, Method, Model, Negatives, Reason, Scores, Spec, Weights};
use crate::model_file::{Reader, Writer};
use crate::relations::Relational;
use crate::relations::aggregates::{self, Feature, FeatureColumn};
use crate::relations::bindings::Bindings;
use crate::relations::candidates::candidates;
use crate::relations::literal::{Variable, variable_name};
use crate::relations::saved::SavedTarget;
use crate::relations::saved_feature::SavedFeature;
use crate::run::Run;

/// Thresholds tried for one feature, at most.
const CUTS: usize = 9;

/// Relational probability tree over counts, modes and averages of what an example is related to; the
/// discriminative baseline.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rpt {
    /// Tests one after the other, at most
    #[schemars(range(min = 1, max = 30))]
    pub depth: usize,
    /// Literals on a path from an example to what is summed up
    #[schemars(range(min = 1, max = 2))]
    pub literals: usize,
    /// Chance of a wrong test that is put up with, over all tests tried together
    #[schemars(range(min = 0.0, max = 1.0))]
    pub significance: f64,
    /// Examples that each side of a test must have
    #[schemars(range(min = 1, max = 1_000_000))]
    pub smallest: usize,
    /// Examples that are imagined in each leaf, in the mixture of all
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub smoothing: f64,
    /// Unlabelled examples that are looked at in training, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub pool: usize,
    /// Bindings that are summed up for one example, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub bindings: usize,
}

impl Default for Rpt {
    fn default() -> Self {
        Rpt {
            depth: 8,
            literals: 2,
            significance: 0.05,
            smallest: 2,
            smoothing: 1.0,
            pool: 10_000,
            bindings: 1000,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Node {
    /// Log of how much larger the share of positives here is than that of the pile.
    Leaf(f64),
    Split {
        feature: usize,
        threshold: f64,
        yes: usize,
        no: usize,
    },
}

impl Method for Rpt {
    const SPEC: Spec = Spec {
        name: "rpt",
        family: "relational",
        title: "relational probability tree over counts, modes and averages of what an example is related to; the discriminative baseline",
        paper: "Neville, Jensen, Friedland & Hay 2003, Learning relational probability trees",
        assumes: "How many, how much and of which kind a row's relations are tells the class, one test after the other. The examples are a random draw of their class: then a leaf that holds more than its share of them holds more than its share of the class.",
        inputs: &[Kind::Relational],
        weights: Weights::Count,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::First;
    type Model = RptModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<RptModel>> {
        let x = train.x.relational()?;
        check_language(x)?;
        let positives = train.positives();
        let others = negatives_first(train, self.pool, "pool of unlabeled examples", run);
        let rows = [&positives[..], &others].concat();
        run.step("features", 0, 2)?;
        let examples = Bindings::of_examples(x.arguments(), &rows);
        let head = x.background.head();
        let tests = candidates(x.facts(), &x.background.modes, &head, head.len() as Variable, self.literals);
        let (columns, capped) = aggregates::columns(x.facts(), &tests, &examples, self.bindings);
        let binned: Vec<Binned> = columns.par_iter().map(Binned::new).collect();
        run.step("features", 1, 2)?;
        let mut grower = Grower {
            method: self,
            binned: &binned,
            labelled: positives.len(),
            total: rows.len(),
            nodes: Vec::new(),
        };
        grower.node((0..rows.len()).collect(), 0, run)?;
        let nodes = grower.nodes;
        if nodes.len() == 1 {
            return Err(Error::data(
                "no test on the facts tells the positives from the pile significantly; mark more positives, or raise `significance`",
            ));
        }
        let model = RptModel::new(x, nodes, &columns, self.bindings);
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(cap_note(capped, self.bindings).into_iter().collect()))
    }
}

/// A feature's values as the number of cuts they reach; NaN reaches none.
struct Binned {
    cuts: Vec<f64>,
    reached: Vec<u8>,
}

impl Binned {
    fn new(column: &FeatureColumn) -> Self {
        let mut sorted: Vec<f64> = column.values.iter().copied().filter(|v| !v.is_nan()).collect();
        sorted.sort_by(f64::total_cmp);
        let mut cuts = sorted.clone();
        cuts.dedup();
        if cuts.len() > CUTS + 1 {
            // Rare values matter most in counts: the smallest that says anything is always a cut.
            let second = cuts[1];
            cuts = (1..=CUTS).map(|q| sorted[q * (sorted.len() - 1) / CUTS]).collect();
            cuts.push(second);
        }
        if column.values.iter().any(|v| v.is_nan()) {
            cuts.push(sorted[0]);
        } else {
            cuts.retain(|c| *c > sorted[0]);
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        let reached = column.values.iter().map(|v| cuts.partition_point(|c| c <= v) as u8);
        let reached = reached.zip(&column.values).map(|(r, v)| if v.is_nan() { 0 } else { r }).collect();
        Binned { cuts, reached }
    }
}

struct Grower<'a> {
    method: &'a Rpt,
    binned: &'a [Binned],
    /// Examples before this are labelled.
    labelled: usize,
    total: usize,
    nodes: Vec<Node>,
}

impl Grower<'_> {
    fn node(&mut self, examples: Vec<usize>, depth: usize, run: &Run) -> Result<usize> {
        run.step("growing a tree", 0, 0)?;
        let number = self.nodes.len();
        let positives = examples.iter().filter(|&&e| e < self.labelled).count();
        self.nodes.push(Node::Leaf(self.log_ratio(positives, examples.len() - positives)));
        if depth == self.method.depth || positives == 0 || positives == examples.len() {
            return Ok(number);
        }
        let Some((feature, cut)) = self.best_split(&examples) else { return Ok(number) };
        let binned = &self.binned[feature];
        let (held, failed): (Vec<usize>, Vec<usize>) =
            examples.into_iter().partition(|&e| usize::from(binned.reached[e]) > cut);
        let threshold = binned.cuts[cut];
        let yes = self.node(held, depth + 1, run)?;
        let no = self.node(failed, depth + 1, run)?;
        self.nodes[number] = Node::Split { feature, threshold, yes, no };
        Ok(number)
    }

    /// The feature and cut with the largest chi-square, if it is significant among all that are tried.
    fn best_split(&self, examples: &[usize]) -> Option<(usize, usize)> {
        let best_of = |binned: &Binned| {
            let mut counts = [[0usize; 2]; CUTS + 4];
            for &e in examples {
                counts[usize::from(binned.reached[e])][usize::from(e < self.labelled)] += 1;
            }
            let mut above = [0, 0];
            let mut all = [0, 0];
            counts.iter().for_each(|[u, p]| all = [all[0] + u, all[1] + p]);
            let mut best = (0.0, 0);
            for cut in (0..binned.cuts.len()).rev() {
                above = [above[0] + counts[cut + 1][0], above[1] + counts[cut + 1][1]];
                let below = [all[0] - above[0], all[1] - above[1]];
                if above[0] + above[1] >= self.method.smallest && below[0] + below[1] >= self.method.smallest
                {
                    let found = chi_square(above, below);
                    if found >= best.0 {
                        best = (found, cut);
                    }
                }
            }
            best
        };
        let found: Vec<(f64, usize)> = self.binned.par_iter().map(best_of).collect();
        let mut best = (0.0, 0, 0);
        for (feature, (chi, cut)) in found.into_iter().enumerate() {
            if chi > best.0 * (1.0 + 1e-12) {
                best = (chi, feature, cut);
            }
        }
        let tried: usize = self.binned.iter().map(|binned| binned.cuts.len()).sum();
        let chance = tail(best.0) * tried as f64;
        (best.0 > 0.0 && chance <= self.method.significance).then_some((best.1, best.2))
    }

    fn log_ratio(&self, positives: usize, unlabeled: usize) -> f64 {
        let imagined = self.method.smoothing * (positives + unlabeled) as f64 / self.total as f64;
        let share = |here: usize, all: usize| (here as f64 + imagined) / (all as f64 + self.method.smoothing);
        (share(positives, self.labelled) / share(unlabeled, self.total - self.labelled)).ln()
    }
}

/// Pearson's chi-square of a table of two by two.
fn chi_square(a: [usize; 2], b: [usize; 2]) -> f64 {
    let [a0, a1, b0, b1] = [a[0], a[1], b[0], b[1]].map(|n| n as f64);
    let product = (a0 + a1) * (b0 + b1) * (a0 + b0) * (a1 + b1);
    let total = a0 + a1 + b0 + b1;
    if product == 0.0 { 0.0 } else { total * (a0 * b1 - a1 * b0).powi(2) / product }
}

/// The chance of a chi-square with one degree of freedom above this (Abramowitz & Stegun 7.1.26).
fn tail(chi_square: f64) -> f64 {
    let x = (chi_square / 2.0).sqrt();
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let polynomial = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    polynomial.iter().fold(0.0, |sum, c| sum * t + c) * t * (-x * x).exp()
}

/// The tree and its probabilities.
pub struct RptModel {
    target: SavedTarget,
    nodes: Vec<Node>,
    features: Vec<SavedFeature>,
    cap: usize,
}

impl RptModel {
    /// Keeps the features that the tree asks about, each once.
    fn new(x: &Relational, mut nodes: Vec<Node>, columns: &[FeatureColumn], cap: usize) -> Self {
        let mut used: Vec<usize> = Vec::new();
        for node in &mut nodes {
            if let Node::Split { feature, .. } = node {
                let at = used.iter().position(|u| u == feature).unwrap_or_else(|| {
                    used.push(*feature);
                    used.len() - 1
                });
                *feature = at;
            }
        }
        let features = used.into_iter().map(|u| SavedFeature::new(&columns[u].feature, x.facts())).collect();
        RptModel { target: SavedTarget::new(&x.background), nodes, features, cap }
    }

    fn bind(&self, x: &Relational) -> Result<Vec<Feature>> {
        self.target.check(&x.background)?;
        self.features.iter().map(|f| f.bind(&x.background)).collect()
    }

    /// The log-ratio of every row, and the last node on its way.
    fn route(&self, x: &Relational, run: &Run) -> Result<Vec<usize>> {
        let features = self.bind(x)?;
        let mut leaves = vec![0; x.rows()];
        let mut open = vec![(0, (0..x.rows()).collect::<Vec<usize>>())];
        while let Some((number, rows)) = open.pop() {
            run.step("scoring", 0, 0)?;
            match &self.nodes[number] {
                Node::Leaf(_) => rows.iter().for_each(|&row| leaves[row] = number),
                Node::Split { feature, threshold, yes, no } => {
                    let examples = Bindings::of_examples(x.arguments(), &rows);
                    let values = aggregates::column(x.facts(), &features[*feature], &examples, self.cap);
                    let (mut held, mut failed) = (Vec::new(), Vec::new());
                    for (row, value) in rows.into_iter().zip(values) {
                        if value >= *threshold { held.push(row) } else { failed.push(row) }
                    }
                    open.extend([(*no, failed), (*yes, held)]);
                }
            }
        }
        Ok(leaves)
    }

    fn ratio(&self, leaf: usize) -> f64 {
        match self.nodes[leaf] {
            Node::Leaf(ratio) => ratio,
            Node::Split { .. } => 0.0,
        }
    }
}

impl Model for RptModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let leaves = self.route(x.relational()?, run)?;
        Ok(leaves.into_iter().map(|leaf| logistic(self.ratio(leaf))).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.value("target", &self.target);
        out.value("nodes", &self.nodes);
        out.value("features", &self.features);
        out.value("bindings", &self.cap);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let target: SavedTarget = file.value("target")?;
        let features: Vec<SavedFeature> = file.value("features")?;
        features.iter().try_for_each(|f| f.check(target.arity()))?;
        let nodes: Vec<Node> = file.value("nodes")?;
        let sound = |(number, node): (usize, &Node)| match node {
            Node::Leaf(ratio) => ratio.is_finite(),
            Node::Split { feature, threshold, yes, no } => {
                *feature < features.len()
                    && !threshold.is_nan()
                    && number < *yes
                    && yes < no
                    && *no < nodes.len()
            }
        };
        let cap: usize = file.value("bindings")?;
        if nodes.is_empty() || cap == 0 || !nodes.iter().enumerate().all(sound) {
            return Err(Error::model_file("the tree in it is broken"));
        }
        Ok(RptModel { target, nodes, features, cap })
    }

    /// The way of the example through the tree as one rule.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let x = x.relational()?.select(&[row]);
        let features = self.bind(&x)?;
        let leaf = self.route(&x, &Run::new(0))?[0];
        let (mut clause, mut sql) = (Vec::new(), Vec::new());
        let mut number = 0;
        while let Node::Split { feature, threshold, yes, no } = &self.nodes[number] {
            let held = leaf < *no;
            let not = if held { "" } else { "not " };
            clause.push(format!("{not}{}", features[*feature].text(*threshold, &x.background)));
            let condition = format!("coalesce({}, FALSE)", features[*feature].sql(*threshold, &x, 0));
            sql.push(if held { condition } else { format!("NOT {condition}") });
            number = if held { *yes } else { *no };
        }
        let target = &x.background.target;
        let variables: Vec<String> = (0..target.types.len() as Variable).map(variable_name).collect();
        let clause = format!("{}({}) :- {}.", target.name, variables.join(","), clause.join(", "));
        let cause = Cause::Rule { clause, query: format!("SELECT {}", sql.join(" AND ")) };
        let reason = Reason { cause, push: self.ratio(leaf) };
        Ok([reason].into_iter().take(top).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::{Background, FactsBuilder, Target, modes};
    use std::sync::Arc;

    #[test]
    fn chi_square_and_its_tail_by_the_book() {
        // 20 of 30 against 5 of 45: 75 (20·40 - 10·5)² / (30·45·25·50) = 25.
        assert!((chi_square([20, 10], [5, 40]) - 25.0).abs() < 1e-12);
        assert_eq!(chi_square([3, 0], [4, 0]), 0.0);
        for (chi, chance) in [(3.841_459, 0.05), (6.634_897, 0.01), (10.827_566, 0.001)] {
            assert!((tail(chi) - chance).abs() < 1e-6, "{chi}: {}", tail(chi));
        }
    }

    #[test]
    fn every_cut_of_a_feature_is_a_test_tried() {
        // 5 of 6 against 5 of 14: chi-square 3.81, chance .051.
        let splits = |cuts: usize, significance: f64| {
            let reached = (0..20).map(|e| if (5..10).contains(&e) || e == 19 { cuts as u8 } else { 0 });
            let binned = [Binned { cuts: (0..cuts).map(|c| c as f64).collect(), reached: reached.collect() }];
            let method = Rpt { significance, ..Rpt::default() };
            let grower =
                Grower { method: &method, binned: &binned, labelled: 10, total: 20, nodes: Vec::new() };
            grower.best_split(&(0..20).collect::<Vec<usize>>()).is_some()
        };
        assert!(splits(1, 0.06) && !splits(1, 0.04));
        assert!(splits(4, 0.24) && !splits(4, 0.06));
    }

    #[test]
    fn how_many_counts_where_whether_does_not() {
        // Everybody has written something; the wanted have written five and more.
        let mut builder = FactsBuilder::new();
        let modes =
            modes::declare(&modes::parse("wrote(+person,-paper)").unwrap().declarations, &mut builder)
                .unwrap();
        let wrote = builder.find("wrote").unwrap();
        let many = |p: usize| p.is_multiple_of(3);
        for p in 0..60 {
            for paper in 0..if many(p) { 5 + p % 4 } else { 1 + p % 4 } {
                builder.push(wrote, &[format!("p{p}"), format!("{p}/{paper}")]).unwrap();
            }
        }
        let target = Target { name: "wanted".into(), types: vec![builder.type_named("person")] };
        let background = Arc::new(Background::new(builder.finish(), modes, target));
        let x = Data::Relational(Arc::new(Relational::new(background, vec![(0..60).collect()]).unwrap()));
        let train = PuData::new(x.clone(), (0..60).map(|p| many(p) && p < 40).collect()).unwrap();
        let fitted = Rpt::default().fit(&train, &Run::new(0)).unwrap();
        for (p, score) in fitted.scores.iter().enumerate() {
            assert_eq!(*score >= 0.5, many(p), "p{p}: {score}");
        }
        let reasons = fitted.model.explain(&x, 0, 5).unwrap();
        let clause = "wanted(A) :- count(wrote(A,B)) >= 5.".into();
        let query =
            "SELECT coalesce((SELECT count(*) FROM (SELECT DISTINCT t1.argument2 AS v1 FROM wrote AS t1 \
                     WHERE t1.argument1 = 'p0') AS b) >= 5, FALSE)"
                .into();
        assert_eq!((reasons.len(), &reasons[0].cause), (1, &Cause::Rule { clause, query }));
    }
}
