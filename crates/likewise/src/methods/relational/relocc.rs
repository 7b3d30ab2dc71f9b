//! RelOCC: relational one-class classification (Khot, Natarajan & Shavlik 2014).
//!
//! First-order trees measure how far apart two examples are: the earlier their paths part, the farther
//! (section 3.1). An example is outside the class by its weighted distance to the labelled examples,
//!
//! ```text
//! D(x_j, y) = Σ_i β_i d_i(x_j, y)   (1)     P(y ∉ L) = Σ_j α_j D(x_j, y)   (2)
//! min Σ_y (I(y ∉ L) - P(y ∉ L))²   (section 3.3)
//! ```
//!
//! where d_i is exp(-λ n) for two examples that part at depth n of tree i, and 0 for two in one leaf; each new tree is
//! grown, and the weights moved, so that the sum of squares falls. Use it when examples are rows that point at other rows;
//! its rules can be read.
//!
//! The mathematics is in `parts/distance_forest`. Where the paper can be read in several ways, the reading
//! is a parameter; defaults are those that came nearest to its tables. Unlabelled examples are drawn at random:
//! choosing the most telling ones is no better there and collapses when many of the pile are positive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cut, cap_note, check_forest, check_language, distances};
use crate::codes;
use crate::data::{Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Negatives, Spec, Weights};
use crate::note::Note;
use crate::parts::distance_forest::{self as forest, ForestModel, Gradient, Learned, Sampling, Settings};
use crate::prior::Ranker;
use crate::relations::grow::Shape;
use crate::run::Run;

/// Above this share of the pile called positive, the most telling unlabelled examples are mostly positives.
const CONTAMINATED: f64 = 0.3;

/// Distance forest over related tables, learned from the positives; the first choice when examples are rows
/// that point at other rows.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelOcc {
    /// Trees in the forest
    #[schemars(range(min = 1, max = 1000))]
    pub trees: usize,
    /// Tests one after the other in a tree, at most
    #[schemars(range(min = 1, max = 12))]
    pub depth: usize,
    /// Literals that one test may join; with 1, "both took part in some C" cannot be found
    #[schemars(range(min = 1, max = 2))]
    pub literals: usize,
    /// How fast distances shrink with the depth at which two paths part
    #[schemars(range(min = 0.0, max = 100.0))]
    pub lambda: f64,
    /// Which unlabelled examples a tree is grown on
    pub sampling: Sampling,
    /// Unlabelled examples a tree for each labelled one
    #[schemars(range(min = 0.1, max = 1e6))]
    pub unlabeled: f64,
    /// With sampling=mixed: unlabelled examples drawn for each labelled one, of which the most telling are used
    #[schemars(range(min = 0.1, max = 1e6))]
    pub drawn: f64,
    /// Unlabelled examples that are looked at in training, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub pool: usize,
    /// Whether weights follow the gradient of the mean or of the sum of squared errors
    pub gradient: Gradient,
    /// Step of the gradient descent on the weights
    #[schemars(range(min = 0.0, max = 1.0))]
    pub step: f64,
    /// Steps on the weights after each tree
    #[schemars(range(min = 0, max = 100_000))]
    pub rounds: usize,
    /// Where the cut between positive and not positive comes from
    pub cut: Cut,
    /// With cut=natural: how far out an example may be and still be called positive
    pub threshold: Threshold,
    /// With threshold=quantile: the share of labelled examples that are called positive
    #[schemars(range(min = 0.0, max = 1.0))]
    pub quantile: f64,
    /// Bindings of new variables that are tried for one example, at most
    #[schemars(range(min = 1, max = 1_000_000_000u64))]
    pub bindings: usize,
}

/// The threshold on P(y ∉ L).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Threshold {
    /// The mean of the labelled examples
    Mean,
    /// A quantile of the labelled examples
    Quantile,
    /// The farthest labelled example
    Max,
}

impl Threshold {
    pub(super) fn rule(self, quantile: f64) -> forest::Threshold {
        match self {
            Threshold::Mean => forest::Threshold::Mean,
            Threshold::Quantile => forest::Threshold::Quantile(quantile),
            Threshold::Max => forest::Threshold::Max,
        }
    }
}

impl Default for RelOcc {
    fn default() -> Self {
        RelOcc {
            trees: 10,
            depth: 3,
            literals: 2,
            lambda: 0.5,
            sampling: Sampling::Random,
            unlabeled: 30.0,
            drawn: 60.0,
            pool: 10_000,
            gradient: Gradient::Mean,
            step: 0.001,
            rounds: 20,
            cut: Cut::Hidden,
            threshold: Threshold::Mean,
            quantile: 0.9,
            bindings: 1000,
        }
    }
}

impl RelOcc {
    fn settings(&self) -> Settings {
        Settings {
            trees: self.trees,
            shape: Shape { depth: self.depth, literals: self.literals, cap: self.bindings },
            lambda: self.lambda,
            gradient: self.gradient,
            step: self.step,
            rounds: self.rounds,
            sampling: self.sampling,
            unlabeled: Some(self.unlabeled),
            drawn: self.drawn,
            pool: Some(self.pool),
            threshold: self.threshold.rule(self.quantile),
            random_tests: None,
        }
    }

    fn notes(&self, learned: &Learned) -> Vec<Note> {
        let mut notes: Vec<Note> = cap_note(learned.capped, self.bindings).into_iter().collect();
        if self.sampling != Sampling::Random && learned.called_positive > CONTAMINATED {
            notes.push(Note::warning(&codes::POORLY_LEARNED, format!(
                "{:.0} % of the drawn pile is called positive: choosing the most telling unlabelled examples then mostly finds hidden positives; compare with sampling=random",
                100.0 * learned.called_positive
            )));
        }
        notes
    }

    /// The forest alone, for methods that use its paths as features.
    pub(super) fn forest(&self, train: &PuData, run: &Run) -> Result<(Learned, Vec<Note>)> {
        let x = train.x.relational()?;
        check_language(x)?;
        let learned = forest::learn(
            x,
            &train.positives(),
            &train.known_negatives(),
            &train.unlabeled(),
            &self.settings(),
            run,
        )?;
        check_forest(&learned)?;
        let notes = self.notes(&learned);
        Ok((learned, notes))
    }
}

impl Method for RelOcc {
    const SPEC: Spec = Spec {
        name: "relocc",
        family: "relational",
        title: "distance forest over related tables, learned from the positives; the first choice when examples are rows that point at other rows",
        paper: "Khot, Natarajan & Shavlik 2014, Relational one-class classification: a non-parametric approach",
        assumes: "Rows of the class have relations in common that few other rows have, and short paths of tests can say them. For the cut the examples must be a random draw of their class.",
        inputs: &[Kind::Relational],
        weights: Weights::Count,
        keeps: None,
    };
    const NEGATIVES: Negatives = Negatives::First;
    type Model = ForestModel;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<ForestModel>> {
        let ranker = (self.cut == Cut::Hidden).then(|| {
            let natural = RelOcc { cut: Cut::Natural, ..self.clone() };
            let rank = move |train: &PuData, run: &Run| Ok(natural.fit(train, run)?.scores);
            Ranker::new(Self::SPEC.name, Self::SPEC, rank)
        });
        distances(self.forest(train, run)?, train, self.bindings, ranker.as_ref(), run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use crate::method::{Cause, Model};
    use crate::relations::{Background, FactsBuilder, Relational, Target, modes};
    use std::sync::Arc;

    /// Items i0 … i5, of which i0, i1 and i2 are red.
    fn items() -> Relational {
        let mut builder = FactsBuilder::new();
        let modes =
            modes::declare(&modes::parse("colour(+item,#colour)").unwrap().declarations, &mut builder)
                .unwrap();
        let colour = builder.find("colour").unwrap();
        for (item, name) in ["red", "red", "red", "blue", "blue", "green"].iter().enumerate() {
            builder.push(colour, &[format!("i{item}"), name.to_string()]).unwrap();
        }
        let target = Target { name: "wanted".into(), types: vec![builder.type_named("item")] };
        let background = Background::new(builder.finish(), modes, target);
        Relational::new(Arc::new(background), vec![(0..6).collect()]).unwrap()
    }

    #[test]
    fn one_tree_by_hand() {
        // i0 and i1 are marked. The pile has residual 1 each, the marked alpha 1/2 each and residual 0. Red
        // puts A = 1, S = 1 (i2) on one side and A = 0, S = 3 on the other: the gain is 2·3 - 3 = 3, which no
        // other colour reaches (blue: 2·2 - 2 = 2). Then P = 0 for red, 1 for all others; the threshold is 0.
        let x = Data::Relational(Arc::new(items()));
        let train = PuData::new(x.clone(), vec![true, true, false, false, false, false]).unwrap();
        let method = RelOcc { trees: 1, depth: 1, rounds: 0, cut: Cut::Natural, ..RelOcc::default() };
        let fitted = method.fit(&train, &Run::new(0)).unwrap();
        assert_eq!(fitted.scores, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        let reasons = fitted.model.explain(&x, 2, 3).unwrap();
        let clause = "wanted(A) :- colour(A,red).".into();
        let query =
            "SELECT EXISTS (SELECT 1 FROM colour AS t1 WHERE t1.argument1 = 'i2' AND t1.argument2 = 'red')"
                .into();
        assert_eq!(reasons[0].cause, Cause::Rule { clause, query });
        // Three of the four of the pile are at distance 1.
        assert_eq!((reasons.len(), reasons[0].push), (1, 0.75));
    }

    #[test]
    fn hidden_examples_place_the_cut() {
        // Forty of two hundred items are red, half of them marked. By the paper's threshold, the mean distance of the
        // marked, nothing but red is called positive either; a hidden example shows that all of it is.
        let mut builder = FactsBuilder::new();
        let text = "colour(+item,#colour)\nsize(+item,#size)";
        let modes = modes::declare(&modes::parse(text).unwrap().declarations, &mut builder).unwrap();
        let (colour, size) = (builder.find("colour").unwrap(), builder.find("size").unwrap());
        for item in 0..200 {
            let name = if item % 5 == 0 { "red" } else { ["blue", "green", "grey"][item % 3] };
            builder.push(colour, &[format!("i{item}"), name.to_string()]).unwrap();
            builder.push(size, &[format!("i{item}"), format!("s{}", (item / 7) % 4)]).unwrap();
        }
        let target = Target { name: "wanted".into(), types: vec![builder.type_named("item")] };
        let background = Background::new(builder.finish(), modes, target);
        let x = Relational::new(Arc::new(background), vec![(0..200).collect()]).unwrap();
        let positive: Vec<bool> = (0..200).map(|item| item % 10 == 0).collect();
        let train = PuData::new(Data::Relational(Arc::new(x)), positive.clone()).unwrap();
        let fitted = RelOcc::default().fit(&train, &Run::new(0)).unwrap();
        let found: Vec<usize> =
            (0..200).filter(|&item| !positive[item] && fitted.scores[item] >= 0.5).collect();
        assert_eq!(found, (0..200).filter(|item| item % 10 == 5).collect::<Vec<_>>());
        let natural = RelOcc { cut: Cut::Natural, ..RelOcc::default() }.fit(&train, &Run::new(0)).unwrap();
        let order = |scores: &[f64]| crate::decide::ranking(scores);
        assert_eq!(order(&fitted.scores), order(&natural.scores), "the cut leaves the ranking as it is");
        assert!(fitted.notes.iter().any(|note| note.message.fields.contains_key("cut")));
    }

    #[test]
    fn facts_that_say_nothing_are_refused() {
        let x = items();
        let message = |x: Relational| {
            let train = PuData::new(Data::Relational(Arc::new(x)), vec![true, true, false]).unwrap();
            RelOcc::default().fit(&train, &Run::new(0)).err().unwrap().to_string()
        };
        assert!(
            message(x.select(&[0, 1, 2])).contains("no test on the facts tells the positives from the pile")
        );
        let bare = Background { modes: Vec::new(), ..(*x.background).clone() };
        let bare = Relational::new(Arc::new(bare), vec![vec![0, 1, 4]]).unwrap();
        assert!(message(bare).contains("no relation besides the target"));
    }
}
