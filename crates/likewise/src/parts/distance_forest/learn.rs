//! Growing the forest tree by tree, each on a sample of the pile (Figure 1 and section 3.3 of the paper).

use rand::RngExt;
use rand::seq::index::sample;
use rand_pcg::Pcg64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::weights::{Gradient, Weighted};
use crate::error::Result;
use crate::relations::Relational;
use crate::relations::grow::{Criterion, Shape, SplitChoice, grow};
use crate::relations::search::{Sums, Weights};
use crate::relations::tree::Tree;
use crate::run::Run;

/// At least this many unlabelled examples are used for a tree, where there are as many.
const FEWEST_UNLABELED: usize = 60;

/// Which unlabelled examples a tree is grown on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sampling {
    /// Any; the choice when many of the pile are positive
    Random,
    /// Those of the whole pool that look positive or nearly so
    Active,
    /// The same from a random part of the pool
    Mixed,
}

/// Which labelled example's P(x ∉ L) is the threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    Mean,
    Quantile(f64),
    Max,
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub trees: usize,
    pub shape: Shape,
    pub lambda: f64,
    pub gradient: Gradient,
    pub step: f64,
    pub rounds: usize,
    pub sampling: Sampling,
    /// Unlabelled examples a tree for each labelled one; none for all of the pool.
    pub unlabeled: Option<f64>,
    /// For `Mixed`: how many are drawn for each labelled one before the choice.
    pub drawn: f64,
    /// The most unlabelled examples that are ever looked at; none for all.
    pub pool: Option<usize>,
    pub threshold: Threshold,
    /// Tests are drawn instead of searched: none if they are searched, else the largest share of
    /// examples that may go one way.
    pub random_tests: Option<f64>,
}

/// What was learned, over the facts it was learned from.
pub struct Learned {
    pub trees: Vec<Tree>,
    pub weights: Weighted,
    /// P(x ∉ L) up to which an example is called positive.
    pub threshold: f64,
    /// How often the cap on bindings cut something off.
    pub capped: usize,
    /// The share of the last drawn unlabelled examples that were called positive.
    pub called_positive: f64,
}

/// Splitting x at depth n moves the pairs it parts from distance 0 to Δ = exp(-lambda n). With residuals
/// S = Σ [I(y) - P^t(y)], alpha sums A and counts n of each side, and b = beta_{t+1} Δ, the squared error
/// falls by 2 b (A_l S_r + A_r S_l) - b² (n_r A_l² + n_l A_r²).
pub struct LocalError {
    pub beta: f64,
    pub lambda: f64,
}

impl Criterion for LocalError {
    fn open(&self, node: &Sums) -> bool {
        node.second > 0.0
    }

    fn gain(&self, depth: usize, yes: &Sums, no: &Sums) -> f64 {
        let b = self.beta * (-self.lambda * depth as f64).exp();
        let cross = yes.second * no.first + no.second * yes.first;
        let square = no.count as f64 * yes.second.powi(2) + yes.count as f64 * no.second.powi(2);
        2.0 * b * cross - b * b * square
    }
}

/// Any test that does not send nearly everybody one way (RND of the paper).
struct AnySplit {
    largest_share: f64,
}

impl Criterion for AnySplit {
    fn open(&self, _: &Sums) -> bool {
        true
    }

    fn gain(&self, _: usize, yes: &Sums, no: &Sums) -> f64 {
        let larger = yes.count.max(no.count) as f64;
        f64::from(u8::from(larger <= self.largest_share * (yes.count + no.count) as f64))
    }
}

pub fn learn(
    x: &Relational,
    positives: &[usize],
    unwanted: &[usize],
    unlabeled: &[usize],
    settings: &Settings,
    run: &Run,
) -> Result<Learned> {
    let mut pool = Pool::new(positives, unwanted, unlabeled, settings.pool, run);
    let mut weights = Weighted::new(positives.len());
    let mut trees: Vec<Tree> = Vec::new();
    let mut capped = 0;
    let mut called_positive = 0.0;
    for round in 0..settings.trees {
        run.step("trees", round as u64, settings.trees as u64)?;
        let mut rng = run.rng("unlabeled examples of a tree", round as u64);
        let sample = pool.sample(x, &trees, &weights, settings, &mut rng, &mut called_positive, run)?;
        let rows: Vec<usize> = sample.iter().map(|&slot| pool.rows[slot]).collect();
        weights.announce_tree();
        let beta = *weights.beta.last().expect("announced");
        let labelled = positives.len();
        let residuals: Vec<f64> = (sample.iter().enumerate())
            .map(|(i, &slot)| f64::from(u8::from(i >= labelled)) - weights.outside(|t| pool.leaves[t][slot]))
            .collect();
        let alpha: Vec<f64> =
            (0..sample.len()).map(|i| weights.alpha.get(i).copied().unwrap_or(0.0)).collect();
        let sums = Weights { first: &residuals, second: &alpha };
        let grown = match settings.random_tests {
            None => {
                let criterion = LocalError { beta, lambda: settings.lambda };
                grow(x, &rows, sums, settings.shape, &criterion, &mut SplitChoice::Best, run)?
            }
            Some(largest_share) => {
                let mut choice = SplitChoice::Random(run.rng("tests of a tree", round as u64));
                grow(x, &rows, sums, settings.shape, &AnySplit { largest_share }, &mut choice, run)?
            }
        };
        capped += grown.capped;
        if grown.tree.leaves() == 1 {
            weights.withdraw_tree();
            continue;
        }
        pool.add_tree(&sample, &grown.leaves);
        weights.add_tree(grown.tree.distances(settings.lambda), &grown.leaves[..labelled]);
        trees.push(grown.tree);
        let leaves: Vec<Vec<u32>> =
            pool.leaves.iter().map(|of_tree| sample.iter().map(|&slot| of_tree[slot]).collect()).collect();
        weights.learn(&leaves, settings.gradient, settings.step, settings.rounds);
    }
    let threshold = pool.threshold(&weights, settings.threshold);
    Ok(Learned { trees, weights, threshold, capped, called_positive })
}

const UNROUTED: u32 = u32::MAX;

/// The labelled examples, those known not to be wanted and the part of the pile that is looked at. An example is routed
/// when it is drawn.
struct Pool {
    labelled: usize,
    /// How many are known not to be wanted.
    unwanted: usize,
    /// By slot: the row of the data. Labelled examples come first, then the unwanted ones.
    rows: Vec<usize>,
    /// By tree and slot.
    leaves: Vec<Vec<u32>>,
}

impl Pool {
    fn new(
        positives: &[usize],
        unwanted: &[usize],
        unlabeled: &[usize],
        limit: Option<usize>,
        run: &Run,
    ) -> Self {
        let unwanted = &unwanted[..unwanted.len().min(limit.unwrap_or(usize::MAX))];
        let mut rows = [positives, unwanted].concat();
        match limit.map(|limit| limit - unwanted.len()) {
            Some(limit) if limit < unlabeled.len() => {
                let mut rng = run.rng("pool of unlabeled examples", 0);
                let mut drawn = sample(&mut rng, unlabeled.len(), limit).into_vec();
                drawn.sort_unstable();
                rows.extend(drawn.into_iter().map(|i| unlabeled[i]));
            }
            _ => rows.extend(unlabeled),
        }
        Pool { labelled: positives.len(), unwanted: unwanted.len(), rows, leaves: Vec::new() }
    }

    fn add_tree(&mut self, sample: &[usize], leaves: &[u32]) {
        let mut all = vec![UNROUTED; self.rows.len()];
        sample.iter().zip(leaves).for_each(|(&slot, &leaf)| all[slot] = leaf);
        self.leaves.push(all);
    }

    fn route(
        &mut self,
        x: &Relational,
        trees: &[Tree],
        slots: &[usize],
        cap: usize,
        run: &Run,
    ) -> Result<()> {
        for (tree, leaves) in trees.iter().zip(&mut self.leaves) {
            let missing: Vec<usize> = slots.iter().copied().filter(|&s| leaves[s] == UNROUTED).collect();
            let rows: Vec<usize> = missing.iter().map(|&s| self.rows[s]).collect();
            let found = tree.route(x, &rows, cap, run)?;
            missing.iter().zip(found).for_each(|(&slot, leaf)| leaves[slot] = leaf);
        }
        Ok(())
    }

    /// The slots of the next tree's examples: all labelled ones, then those known not to be wanted, and unlabelled ones
    /// for what these leave open; each of them routed through the trees so far.
    #[allow(clippy::too_many_arguments)]
    fn sample(
        &mut self,
        x: &Relational,
        trees: &[Tree],
        weights: &Weighted,
        settings: &Settings,
        rng: &mut Pcg64,
        called_positive: &mut f64,
        run: &Run,
    ) -> Result<Vec<usize>> {
        let (labelled, marked) = (self.labelled, self.labelled + self.unwanted);
        let available = self.rows.len() - marked;
        let ratio_of = |ratio: f64| ((ratio * labelled as f64).ceil() as usize).max(FEWEST_UNLABELED);
        let room = settings.unlabeled.map_or(self.rows.len() - labelled, ratio_of);
        let mut unwanted: Vec<usize> = (labelled..marked).collect();
        if room < unwanted.len() {
            unwanted = sample(rng, unwanted.len(), room).into_iter().map(|i| labelled + i).collect();
        }
        let taken = unwanted.len();
        let wanted = |ratio: f64| (ratio_of(ratio) - taken.min(ratio_of(ratio))).min(available);
        let size = settings.unlabeled.map_or(available, wanted);
        let chooses = settings.sampling != Sampling::Random && !trees.is_empty();
        let drawn = match settings.sampling {
            _ if !chooses => size,
            Sampling::Mixed => wanted(settings.drawn).max(size),
            _ => available,
        };
        let mut slots: Vec<usize> = if drawn == available {
            (marked..self.rows.len()).collect()
        } else {
            sample(rng, available, drawn).into_iter().map(|i| marked + i).collect()
        };
        let mut all: Vec<usize> =
            (0..labelled).chain(unwanted.iter().copied()).chain(slots.iter().copied()).collect();
        self.route(x, trees, &all, settings.shape.cap, run)?;
        if !trees.is_empty() {
            let threshold = self.threshold(weights, settings.threshold);
            let outside = |slot: usize| weights.outside(|t| self.leaves[t][slot]);
            let looks_positive = slots.iter().filter(|&&s| outside(s) <= threshold).count();
            *called_positive = looks_positive as f64 / slots.len().max(1) as f64;
            if chooses && size < slots.len() {
                slots = most_telling(slots, size, threshold, outside, rng);
            }
        }
        slots.extend(unwanted);
        slots.sort_unstable();
        all.truncate(labelled);
        all.extend(slots);
        Ok(all)
    }

    fn threshold(&self, weights: &Weighted, rule: Threshold) -> f64 {
        let mut outside: Vec<f64> =
            (0..self.labelled).map(|slot| weights.outside(|t| self.leaves[t][slot])).collect();
        outside.sort_by(f64::total_cmp);
        match rule {
            Threshold::Mean => outside.iter().sum::<f64>() / outside.len() as f64,
            Threshold::Quantile(share) => {
                let at = share * (outside.len() - 1) as f64;
                let (below, part) = (at.floor() as usize, at.fract());
                let above = (below + 1).min(outside.len() - 1);
                outside[below] * (1.0 - part) + outside[above] * part
            }
            Threshold::Max => outside[outside.len() - 1],
        }
    }
}

/// Half of them misclassified (unlabeled, but called positive), the rest nearest to the threshold; equals
/// are drawn.
fn most_telling(
    mut slots: Vec<usize>,
    size: usize,
    threshold: f64,
    outside: impl Fn(usize) -> f64,
    rng: &mut Pcg64,
) -> Vec<usize> {
    for i in (1..slots.len()).rev() {
        slots.swap(i, rng.random_range(0..=i));
    }
    let scored: Vec<(f64, usize)> = slots.into_iter().map(|s| (outside(s), s)).collect();
    let (misclassified, others): (Vec<_>, Vec<_>) = scored.into_iter().partition(|(p, _)| *p <= threshold);
    let half = misclassified.len().min(size / 2);
    let mut chosen: Vec<usize> = misclassified[..half].iter().map(|(_, s)| *s).collect();
    let mut rest: Vec<(f64, usize)> =
        misclassified[half..].iter().chain(&others).map(|(p, s)| ((p - threshold).abs(), *s)).collect();
    rest.sort_by(|a, b| a.0.total_cmp(&b.0));
    chosen.extend(rest.into_iter().take(size - half).map(|(_, s)| s));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gain_is_the_drop_of_the_error_over_pairs() {
        // Two labelled (alpha .6, .4) and two unlabeled; the split puts one of each on a side.
        let (beta, lambda, depth) = (0.5, 0.5, 1);
        let residuals = [-0.1, 0.0, 0.9, 0.7];
        let alpha = [0.6, 0.4, 0.0, 0.0];
        let yes = [true, false, true, false];
        let apart = beta * (-lambda * f64::from(depth)).exp();
        let before: f64 = residuals.iter().map(|r| r * r).sum();
        let after: f64 = (0..4)
            .map(|y| {
                let moved: f64 = (0..4).filter(|&j| yes[j] != yes[y]).map(|j| alpha[j] * apart).sum();
                (residuals[y] - moved).powi(2)
            })
            .sum();
        let sums = |side: bool| {
            let of: Vec<usize> = (0..4).filter(|&i| yes[i] == side).collect();
            Sums {
                count: of.len(),
                first: of.iter().map(|&i| residuals[i]).sum(),
                second: of.iter().map(|&i| alpha[i]).sum(),
            }
        };
        let gain = LocalError { beta, lambda }.gain(1, &sums(true), &sums(false));
        assert!((gain - (before - after)).abs() < 1e-12, "{gain} {}", before - after);
    }

    #[test]
    fn known_negatives_are_drawn_first_and_the_pile_fills_up() {
        use crate::relations::{Background, FactsBuilder, Target};
        use std::sync::Arc;
        let mut builder = FactsBuilder::new();
        let item = builder.type_named("item");
        (0..400).for_each(|i| {
            builder.intern(item, &format!("i{i}"));
        });
        let target = Target { name: "wanted".into(), types: vec![item] };
        let background = Arc::new(Background::new(builder.finish(), Vec::new(), target));
        let x = Relational::new(background, vec![(0..400).collect()]).unwrap();
        let run = Run::new(0);
        let drawn = |unwanted: usize, limit: Option<usize>| {
            let rows: Vec<usize> = (0..400).collect();
            let (marked, pile) = rows.split_at(2 + unwanted);
            let mut pool = Pool::new(&marked[..2], &marked[2..], pile, limit, &run);
            let settings = Settings {
                trees: 1,
                shape: Shape { depth: 1, literals: 1, cap: 10 },
                lambda: 0.5,
                gradient: super::Gradient::Mean,
                step: 0.0,
                rounds: 0,
                sampling: Sampling::Random,
                unlabeled: Some(30.0),
                drawn: 60.0,
                pool: limit,
                threshold: Threshold::Mean,
                random_tests: None,
            };
            let (mut rng, mut called) = (run.rng("test", 0), 0.0);
            let slots =
                pool.sample(&x, &[], &Weighted::new(2), &settings, &mut rng, &mut called, &run).unwrap();
            slots.into_iter().map(|slot| pool.rows[slot]).collect::<Vec<usize>>()
        };
        // Two labelled ones ask for sixty others.
        let some = drawn(10, None);
        assert_eq!((some.len(), &some[..12]), (62, &(0..12).collect::<Vec<_>>()[..]));
        let many = drawn(100, None);
        assert!(many.len() == 62 && many.iter().all(|&row| row < 102), "{many:?}");
        let few = drawn(10, Some(15));
        assert_eq!((few.len(), few.iter().filter(|&&row| row >= 12).count()), (17, 5));
    }

    #[test]
    fn half_of_the_chosen_are_misclassified() {
        let outside = |slot: usize| slot as f64 / 10.0;
        let mut rng = Run::new(0).rng("test", 0);
        let mut chosen = most_telling((0..10).collect(), 6, 0.45, outside, &mut rng);
        chosen.sort_unstable();
        // Three of 0..=4 are called positive and drawn; the rest are the nearest to 0.45 of what is left.
        assert_eq!(chosen.len(), 6);
        assert!(chosen.iter().filter(|s| **s <= 4).count() >= 3, "{chosen:?}");
        assert!(chosen.contains(&5), "{chosen:?}");
    }
}
