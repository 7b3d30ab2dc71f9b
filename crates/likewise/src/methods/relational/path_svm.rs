//! Support vector machines on the paths of a distance forest (Khot, Natarajan & Shavlik 2014, section 3.4).
//!
//! Every path from the root of a tree to a leaf is a feature that is 1 for the examples that take it. O-Rel
//! and O-Rnd put a one-class SVM around the labelled examples there, S-Rel and S-Rnd an SVM between them
//! and the pile.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::negatives_first;
use super::relocc::RelOcc;
use crate::codes;
use crate::data::{Data, PuData};
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::method::{Fitted, Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::parts::distance_forest::{ForestModel, Learned};
use crate::parts::svm::{Kernel, KernelModel, Svm};
use crate::run::Run;

/// The parameters of O-Rel and O-Rnd.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AroundPaths {
    /// Trees whose paths are the features
    #[schemars(range(min = 1, max = 1000))]
    pub trees: usize,
    /// Tests one after the other in a tree, at most
    #[schemars(range(min = 1, max = 12))]
    pub depth: usize,
    /// Literals that one test may join
    #[schemars(range(min = 1, max = 2))]
    pub literals: usize,
    /// Largest share of the labelled examples left outside
    #[schemars(range(min = 1e-6, max = 1.0))]
    pub nu: f64,
    /// Width of the radial kernel; none means 1 / number of paths
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
    /// Bindings of new variables that are tried for one example, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub bindings: usize,
}

impl Default for AroundPaths {
    fn default() -> Self {
        let RelOcc { trees, depth, literals, bindings, .. } = RelOcc::default();
        AroundPaths { trees, depth, literals, nu: 0.5, gamma: None, bindings }
    }
}

impl AroundPaths {
    /// A one-class SVM on the paths of a forest, with what was noted while the forest grew.
    pub(super) fn fit(
        &self,
        (forest, notes): (Learned, Vec<Note>),
        train: &PuData,
        run: &Run,
    ) -> Result<Fitted<PathSvm>> {
        let machine = Machine::OneClass { nu: self.nu };
        let fitted = PathSvm::fit(&forest, train, self.bindings, &machine, self.gamma, run)?;
        Ok(fitted.with_notes(notes))
    }
}

/// The parameters of S-Rel and S-Rnd.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BetweenPaths {
    /// Trees whose paths are the features
    #[schemars(range(min = 1, max = 1000))]
    pub trees: usize,
    /// Tests one after the other in a tree, at most
    #[schemars(range(min = 1, max = 12))]
    pub depth: usize,
    /// Literals that one test may join
    #[schemars(range(min = 1, max = 2))]
    pub literals: usize,
    /// Price of an error
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub c: f64,
    /// Let the labelled examples weigh as much as the pile; the paper does not
    pub balanced: bool,
    /// Unlabelled examples that count as negative, at most
    #[schemars(range(min = 1, max = 1_000_000))]
    pub pile: usize,
    /// Width of the radial kernel; none means 1 / number of paths
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
    /// Bindings of new variables that are tried for one example, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub bindings: usize,
}

impl Default for BetweenPaths {
    fn default() -> Self {
        let AroundPaths { trees, depth, literals, gamma, bindings, .. } = AroundPaths::default();
        BetweenPaths { trees, depth, literals, c: 1.0, balanced: true, pile: 3000, gamma, bindings }
    }
}

impl BetweenPaths {
    /// An SVM of the labelled examples against the pile on the paths of a forest, with what was noted while the
    /// forest grew.
    pub(super) fn fit(
        &self,
        (forest, mut notes): (Learned, Vec<Note>),
        train: &PuData,
        run: &Run,
    ) -> Result<Fitted<PathSvm>> {
        let machine = Machine::TwoClass { c: self.c, pile: self.pile, balanced: self.balanced };
        let fitted = PathSvm::fit(&forest, train, self.bindings, &machine, self.gamma, run)?;
        notes.extend(skew_note(&fitted, train));
        Ok(fitted.with_notes(notes))
    }
}

/// Trees and the SVM on their paths.
pub struct PathSvm {
    forest: ForestModel,
    svm: KernelModel,
    /// What a margin is measured in.
    unit: f64,
}

/// The SVM of a method, over path features.
enum Machine {
    /// Around the labelled examples, of which at most a share `nu` is left outside.
    OneClass { nu: f64 },
    /// Between the labelled examples and at most `pile` of the others, errors at the price `c`; balanced, the
    /// errors on all labelled examples cost together what those on the others do.
    TwoClass { c: f64, pile: usize, balanced: bool },
}

impl PathSvm {
    /// Without a gamma it is 1 / number of paths.
    fn fit(
        learned: &Learned,
        train: &PuData,
        bindings: usize,
        machine: &Machine,
        gamma: Option<f64>,
        run: &Run,
    ) -> Result<Fitted<PathSvm>> {
        let x = train.x.relational()?;
        let (forest, leaves) = ForestModel::new(learned, x, &train.unlabeled(), bindings, run)?;
        let paths = Data::Sparse(Arc::new(forest.path_features(&leaves, x.rows())));
        let gamma = gamma.unwrap_or_else(|| 1.0 / paths.cols().unwrap_or(1).max(1) as f64);
        let svm = Svm::new(Kernel::Rbf { gamma });
        let positives = train.positives();
        let (svm, unit) = match *machine {
            Machine::OneClass { nu } => {
                let mut model = svm.one_class(&paths.select(&positives), nu, None, run)?.model;
                // Many examples take the same paths as a labelled one on the boundary. They are inside, as far
                // as the solver knows where the boundary is.
                model.rho -= svm.options.tolerance;
                let unit = model.rho.abs();
                (model, unit)
            }
            Machine::TwoClass { c, pile, balanced } => {
                let pile = negatives_first(train, pile, "unlabeled examples of the SVM", run);
                let rows = [&positives[..], &pile].concat();
                let positive: Vec<bool> = rows.iter().map(|&row| train.positive[row]).collect();
                let more = if balanced { pile.len() as f64 / positives.len() as f64 } else { 1.0 };
                let costs: Vec<f64> = positive.iter().map(|p| if *p { c * more } else { c }).collect();
                (svm.classify(&paths.select(&rows), &positive, &costs, None, run)?.model, 1.0)
            }
        };
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let model = PathSvm { forest, svm, unit };
        let scores = model.margins(&paths)?.into_iter().map(squash).collect();
        Ok(Fitted::new(model, scores))
    }

    fn margins(&self, paths: &Data) -> Result<Vec<f64>> {
        Ok(self.svm.margins(paths)?.into_iter().map(|margin| margin / self.unit).collect())
    }
}

/// What the methods say where the SVM cannot do what its user expects.
fn skew_note(fitted: &Fitted<PathSvm>, train: &PuData) -> Option<Note> {
    let found = train.positives().iter().any(|&row| fitted.scores[row] >= 0.5);
    let text = "even the marked examples are called negative: the pile outweighs them; set balanced=true, or use the ranking alone";
    (!found).then(|| Note::warning(&codes::POORLY_LEARNED, text))
}

impl Model for PathSvm {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        let x = x.relational()?;
        let leaves = self.forest.leaves(x, run)?;
        let paths = Data::Sparse(Arc::new(self.forest.path_features(&leaves, x.rows())));
        Ok(self.margins(&paths)?.into_iter().map(squash).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.number("unit", self.unit);
        self.svm.save(out);
        self.forest.save(out)
    }

    fn load(file: &Reader) -> Result<Self> {
        let unit = file.number("unit")?;
        let (forest, svm) = (ForestModel::load(file)?, KernelModel::load(file)?);
        if unit.is_nan() || unit <= 0.0 || svm.support.cols() != Some(forest.paths()) {
            return Err(Error::model_file("its SVM and its trees do not match"));
        }
        Ok(PathSvm { forest, svm, unit })
    }

    fn own_features(&self, x: &Data, run: &Run) -> Result<Option<(crate::data::Csr, Vec<String>)>> {
        self.forest.own_features(x, run)
    }

    /// The rules that the example satisfies; each pushes by what the margin would lose without it.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let pushes = |leaves: &[Vec<u32>]| {
            let all = self.forest.path_features(leaves, 1);
            let without = (0..leaves.len()).map(|tree| {
                let mut lacking = all.clone();
                lacking.values[tree] = 0.0;
                let paths = [&all, &lacking].map(|rows| Data::Sparse(Arc::new(rows.clone())));
                Ok(self.margins(&paths[0])?[0] - self.margins(&paths[1])?[0])
            });
            without.collect()
        };
        self.forest.reasons(&x.relational()?.select(&[row]), top, pushes)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::method::{Cause, Method};
    use crate::relations::{Background, FactsBuilder, Relational, Target, modes};

    /// Forty items of which every fourth is red; seven of the ten red ones are marked.
    fn train() -> PuData {
        let mut builder = FactsBuilder::new();
        let text = "colour(+item,#colour)\nsize(+item,#size)";
        let modes = modes::declare(&modes::parse(text).unwrap().declarations, &mut builder).unwrap();
        let [colour, size] = ["colour", "size"].map(|name| builder.find(name).unwrap());
        for item in 0..40 {
            let name = if is_red(item) { "red" } else { ["blue", "green"][item % 2] };
            builder.push(colour, &[format!("i{item}"), name.into()]).unwrap();
            builder.push(size, &[format!("i{item}"), ["small", "large"][item / 8 % 2].into()]).unwrap();
        }
        let target = Target { name: "wanted".into(), types: vec![builder.type_named("item")] };
        let background = Background::new(builder.finish(), modes, target);
        let x = Relational::new(Arc::new(background), vec![(0..40).collect()]).unwrap();
        PuData::new(Data::Relational(Arc::new(x)), (0..40).map(|i| is_red(i) && i < 28).collect()).unwrap()
    }

    fn is_red(item: usize) -> bool {
        item.is_multiple_of(4)
    }

    /// Red items are above all others, and a rule about colour is the first reason of one that nobody marked.
    pub(in crate::methods::relational) fn finds_the_red<M: Method<Model = PathSvm>>(method: M) {
        let train = train();
        let fitted = method.fit(&train, &Run::new(0)).unwrap();
        let of = |red: bool| (0..40).filter(move |i| is_red(*i) == red).map(|i| fitted.scores[i]);
        let (lowest, highest) = (of(true).fold(1.0, f64::min), of(false).fold(0.0, f64::max));
        assert!(lowest > highest, "{lowest} {highest}");
        let again = fitted.model.score(&train.x, &Run::new(0)).unwrap();
        assert_eq!(again, fitted.scores);
        let reasons = fitted.model.explain(&train.x, 32, 3).unwrap();
        let Cause::Rule { clause, query } = &reasons[0].cause else { panic!("{reasons:?}") };
        assert!(clause.contains("colour(A,") && query.contains("FROM colour"), "{clause} {query}");
        assert!(reasons[0].push > 0.0, "{reasons:?}");
    }

    #[test]
    fn margins_by_hand() {
        // One tree of one test: paths red and not red. Seven marked items on the path red, so a one-class SVM
        // with nu = 1 puts all its weight there: f = 7 K - rho, rho = 7, and margins are in units of rho:
        // 0 for red, exp(-gamma 2) - 1 for others, with gamma = 1/2; the boundary is known to 1e-3.
        let train = train();
        let relocc = RelOcc { trees: 1, depth: 1, rounds: 0, ..RelOcc::default() };
        let (learned, _) = relocc.forest(&train, &Run::new(0)).unwrap();
        let machine = Machine::OneClass { nu: 1.0 };
        let fitted = PathSvm::fit(&learned, &train, 1000, &machine, None, &Run::new(0)).unwrap();
        for (item, score) in fitted.scores.iter().enumerate() {
            let margin = if is_red(item) { 0.0 } else { (-1.0f64).exp() - 1.0 };
            assert!(
                (score - squash(margin)).abs() < 1e-3 && (*score >= 0.5) == is_red(item),
                "{item}: {score} {}",
                squash(margin)
            );
        }
    }
}
