//! The learned forest by name: what scores, explains and is kept in a model file.

use super::learn::Learned;
use crate::data::{Csr, Data};
use crate::decide::recenter;
use crate::error::{Error, Result};
use crate::method::{Cause, Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::relations::saved::{SavedTarget, SavedTree};
use crate::relations::tree::Tree;
use crate::relations::{Relational, rules};
use crate::run::Run;

/// Labelled examples lie on the threshold by construction; rounding must not push them over it.
const ROUNDING: f64 = 1e-9;

pub struct ForestModel {
    target: SavedTarget,
    trees: Vec<SavedTree>,
    /// What each leaf of each tree adds to P(y ∉ L): beta_i (M_i a_i).
    outside: Vec<Vec<f64>>,
    /// The mean of that over the pile, by tree: what a push is measured from.
    usual: Vec<f64>,
    alpha: Vec<f64>,
    beta: Vec<f64>,
    threshold: f64,
    cap: usize,
}

impl ForestModel {
    /// The model, and the leaf of every row of `x` in every tree; `unlabeled` are those of the pile.
    pub fn new(
        learned: &Learned,
        x: &Relational,
        unlabeled: &[usize],
        cap: usize,
        run: &Run,
    ) -> Result<(Self, Vec<Vec<u32>>)> {
        let trees = learned.trees.iter().map(|t| SavedTree::new(t, x.facts())).collect();
        let mut model = ForestModel {
            target: SavedTarget::new(&x.background),
            trees,
            outside: (0..learned.trees.len()).map(|i| learned.weights.outside_by_leaf(i)).collect(),
            usual: vec![0.0; learned.trees.len()],
            alpha: learned.weights.alpha.clone(),
            beta: learned.weights.beta.clone(),
            threshold: learned.threshold,
            cap,
        };
        let leaves = model.leaves(x, run)?;
        for ((usual, leaves), outside) in model.usual.iter_mut().zip(&leaves).zip(&model.outside) {
            let sum: f64 = unlabeled.iter().map(|&y| outside[leaves[y] as usize]).sum();
            *usual = sum / unlabeled.len().max(1) as f64;
        }
        Ok((model, leaves))
    }

    /// P(y ∉ L) of rows with these leaves.
    fn outside(&self, leaves: &[Vec<u32>], rows: usize) -> Vec<f64> {
        let mut outside = vec![0.0; rows];
        for (leaves, by_leaf) in leaves.iter().zip(&self.outside) {
            outside.iter_mut().zip(leaves).for_each(|(p, leaf)| *p += by_leaf[*leaf as usize]);
        }
        outside
    }

    /// P(y ∉ L) of rows with these leaves as public scores: the threshold becomes 0.5.
    pub fn scores(&self, leaves: &[Vec<u32>], rows: usize) -> Scores {
        let threshold = 1.0 - (self.threshold + ROUNDING);
        self.outside(leaves, rows).iter().map(|p| recenter(1.0 - p, threshold)).collect()
    }

    /// Moves the threshold so that this share of the pile is called positive; with equals at the edge, those too.
    pub fn cut_at(&mut self, share: f64, leaves: &[Vec<u32>], rows: usize, unlabeled: &[usize]) {
        let outside = self.outside(leaves, rows);
        let mut of_pile: Vec<f64> = unlabeled.iter().map(|&y| outside[y]).collect();
        of_pile.sort_by(f64::total_cmp);
        let count = ((share * of_pile.len() as f64).round() as usize).clamp(1, of_pile.len());
        let (last, next) = (of_pile[count - 1], of_pile.get(count));
        self.threshold = next.map_or(last, |next| 0.5 * (last + next));
    }

    /// The leaf of every row in every tree.
    pub fn leaves(&self, x: &Relational, run: &Run) -> Result<Vec<Vec<u32>>> {
        let rows: Vec<usize> = (0..x.rows()).collect();
        let trees = self.trees(x)?;
        let total = trees.len() as u64;
        (trees.iter().enumerate())
            .map(|(i, tree)| {
                run.step("scoring", i as u64, total)?;
                tree.route(x, &rows, self.cap, run)
            })
            .collect()
    }

    /// How many paths the trees have together.
    pub fn paths(&self) -> usize {
        self.trees.iter().map(SavedTree::leaves).sum()
    }

    /// Every path of every tree as a column that is 1 for the rows that take it (section 3.4).
    pub fn path_features(&self, leaves: &[Vec<u32>], rows: usize) -> Csr {
        let starts: Vec<u32> = (self.trees.iter())
            .scan(0, |next, tree| {
                let start = *next;
                *next += tree.leaves() as u32;
                Some(start)
            })
            .collect();
        let indices =
            (0..rows).flat_map(|row| leaves.iter().zip(&starts).map(move |(l, s)| s + l[row])).collect();
        let indptr = (0..=rows).map(|row| row * self.trees.len()).collect();
        Csr { cols: self.paths(), indptr, indices, values: vec![1.0; rows * self.trees.len()].into() }
    }

    /// The clause of every path, in the order of `path_features`.
    pub fn path_clauses(&self, x: &Relational) -> Result<Vec<String>> {
        let trees = self.trees(x)?;
        Ok((trees.iter())
            .flat_map(|tree| {
                tree.paths().into_iter().map(|p| rules::clause(&p, &x.background)).collect::<Vec<_>>()
            })
            .collect())
    }

    /// The rules that one example satisfies, one a tree, as clause and as SQL, with the push that `pushes`
    /// gives each from its leaves. A rule of several trees is named once.
    pub fn reasons(
        &self,
        example: &Relational,
        top: usize,
        pushes: impl Fn(&[Vec<u32>]) -> Result<Vec<f64>>,
    ) -> Result<Vec<Reason>> {
        let leaves = self.leaves(example, &Run::new(0))?;
        let mut reasons: Vec<Reason> = Vec::new();
        for ((tree, leaf), push) in self.trees(example)?.iter().zip(&leaves).zip(pushes(&leaves)?) {
            let path = &tree.paths()[leaf[0] as usize];
            let clause = rules::clause(path, &example.background);
            let cause = Cause::Rule { clause, query: rules::sql(path, example, 0) };
            match reasons.iter_mut().find(|r| r.cause == cause) {
                Some(reason) => reason.push += push,
                None => reasons.push(Reason { cause, push }),
            }
        }
        reasons.sort_by(|a, b| b.push.abs().total_cmp(&a.push.abs()));
        reasons.truncate(top);
        Ok(reasons)
    }

    /// The trees over the facts of these examples.
    pub fn trees(&self, x: &Relational) -> Result<Vec<Tree>> {
        self.target.check(&x.background)?;
        self.trees.iter().map(|t| t.bind(&x.background)).collect()
    }
}

impl Model for ForestModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let x = x.relational()?;
        let leaves = self.leaves(x, run)?;
        Ok(self.scores(&leaves, x.rows()))
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.value("target", &self.target);
        out.value("trees", &self.trees);
        out.value("threshold", &self.threshold);
        out.value("bindings", &self.cap);
        out.f64s("alpha", &[self.alpha.len()], &self.alpha);
        out.f64s("beta", &[self.beta.len()], &self.beta);
        out.f64s("usual", &[self.usual.len()], &self.usual);
        let outside = self.outside.concat();
        out.f64s("outside", &[outside.len()], &outside);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let target: SavedTarget = file.value("target")?;
        let trees: Vec<SavedTree> = file.value("trees")?;
        trees.iter().try_for_each(|t| t.check(target.arity()))?;
        let mut rest = &file.read_f64s("outside")?[..];
        let mut outside = Vec::with_capacity(trees.len());
        for tree in &trees {
            let Some((own, after)) = rest.split_at_checked(tree.leaves()) else {
                return Err(Error::model_file("a tree in it is broken"));
            };
            outside.push(own.to_vec());
            rest = after;
        }
        let (usual, beta) = (file.read_f64s("usual")?, file.read_f64s("beta")?);
        let cap: usize = file.value("bindings")?;
        if usual.len() != trees.len() || beta.len() != trees.len() || !rest.is_empty() || cap == 0 {
            return Err(Error::model_file("its trees and their weights do not match"));
        }
        let threshold = file.value("threshold")?;
        Ok(ForestModel {
            target,
            trees,
            outside,
            usual,
            alpha: file.read_f64s("alpha")?,
            beta,
            threshold,
            cap,
        })
    }

    fn own_features(&self, x: &Data, run: &Run) -> Result<Option<(Csr, Vec<String>)>> {
        let x = x.relational()?;
        let leaves = self.leaves(x, run)?;
        Ok(Some((self.path_features(&leaves, x.rows()), self.path_clauses(x)?)))
    }

    /// The rules that the example satisfies, one a tree: how much nearer it is to the labelled ones by that
    /// tree than the pile is on average.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let pushes = |leaves: &[Vec<u32>]| {
            let trees = leaves.iter().zip(&self.outside).zip(&self.usual);
            Ok(trees.map(|((leaf, outside), usual)| usual - outside[leaf[0] as usize]).collect())
        };
        self.reasons(&x.relational()?.select(&[row]), top, pushes)
    }
}
