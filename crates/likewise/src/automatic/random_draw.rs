//! Were the examples drawn at random from their class, or are they the typical ones?
//!
//! No test can tell from examples and pile alone which rows belong to the class. But rows that are much alike belong to it
//! with much the same chance, so under a random draw it is chance which of them is marked: an example i is as typical as
//! any row of the pile beside it, N(i), where typical means near to the other examples,
//!
//! ```text
//! t_i(x) = Σ_j cos(x, x_j),  j over the examples without i
//! ```
//!
//! and beside means that one is among the ten nearest neighbours of the other, which is the same seen from both. Who marks
//! typical rows first prefers the row of larger t: Pr(i is the marked one of i ∪ N(i)) ∝ exp(γ t_i). The score test of
//! γ = 0 in this conditional logistic model (McFadden 1974) adds up how far each example is above the mean of its set:
//!
//! ```text
//! z = Σ_i (t_i - mean_i) / √(Σ_i variance_i)
//! ```
//!
//! Rows of another class stand among the neighbours too, and are less typical: a random draw then looks preferred by
//! `ALLOWED` standard deviations of a set at most, and by more where the class is rare and most neighbours are not of it:
//! how many can be follows from how many of the neighbours are examples (`Drawn::class_beside`). An alarm is z beyond that
//! and beyond what chance explains. Ranges allow
//! for a preference as soon as examples are more typical at all: no alarm is no proof of a random draw, and the weaker a
//! preference can be, the less it moves them.
//!
//! What it cannot see: a preference for anything but typical rows (rare kinds that were never met, long texts, one source),
//! a preference that is the same for rows much alike, and examples without neighbours in the pile.

use std::collections::BTreeMap;

use crate::data::{Data, PuData};
use crate::error::Result;
use crate::method::{CHANCE, Drawn};
use crate::methods::prior::{PART_OF_PILE, part_of_pile};
use crate::parts::knn_graph::CosineIndex;
use crate::parts::linear::RowView;
use crate::parts::space::Space;
use crate::run::Run;

/// Neighbours of another class let an example stand above its set by this part of the set's deviation: the largest means of
/// classes whose examples were drawn at random (`benches/typical_first.rs`) are about 0.2, and most are near 0.
const ALLOWED: f64 = 0.2;
/// How many standard errors above the estimate a preference may lie: 1 % under the normal curve, since what is read from it
/// errs too.
const FAR: f64 = 2.326;
/// Rows beside an example are among its nearest, or it among theirs, …
const NEIGHBOURS: usize = 10;
/// … of which those are looked at that are not farther than its nearest of so many.
const REACH: usize = 50;
/// More examples than this add little to the test and much to its time.
const MOST: usize = 200;
/// With fewer comparisons the sum is far from normal, and how strong a preference is cannot be told: it might be anything.
const FEWEST: usize = 30;
/// A preference stronger than this marks the most typical rows and no others.
const STRONGEST: f64 = 3.0;

/// What the pile says of the draw; none where too few examples have neighbours in it, and for rows without a likeness.
pub fn of(train: &PuData, run: &Run) -> Result<Option<Drawn>> {
    if matches!(train.x, Data::Relational(_)) || train.positives().len() < FEWEST {
        return Ok(None);
    }
    // Neighbours of a large pile are sought in a part of it: the test asks how typical they are, not how many there are.
    let part = part_of_pile(train, PART_OF_PILE, run);
    let train = part.as_ref().unwrap_or(train);
    let placed = Space::of(&train.x, run)?;
    let beside = beside(&placed.x, train, run)?;
    let sets = sets(&placed.x, train, &beside.rows)?;
    let told = sets.len() >= FEWEST;
    Ok(told.then(|| Drawn { marked_beside: beside.marked, ..judge(&sets) }))
}

/// An example's own typicality, then that of the rows of the pile beside it.
type Set = Vec<f64>;

fn sets(x: &Data, train: &PuData, beside: &BTreeMap<usize, Vec<usize>>) -> Result<Vec<Set>> {
    let mut middle = Middle::of(x, &train.positives())?;
    let mut sets = Vec::new();
    for (&example, rows) in beside {
        middle.add(example, -1.0);
        sets.push(std::iter::once(&example).chain(rows).map(|row| middle.near(*row)).collect());
        middle.add(example, 1.0);
    }
    Ok(sets)
}

/// What stands beside the examples.
struct Beside {
    /// The rows of the pile that are neighbours of each example or have it for a neighbour, ascending.
    rows: BTreeMap<usize, Vec<usize>>,
    /// Among the nearest neighbours of examples, other examples for each row of the pile.
    marked: f64,
}

/// All words count, also the common ones that smoothing leaves out: where they tell the class, rows alike in the rare words
/// only differ in it.
fn beside(x: &Data, train: &PuData, run: &Run) -> Result<Beside> {
    let in_pile = |row: usize| !train.positive[row] && !train.unwanted[row];
    let index = CosineIndex::new(x)?;
    let positives = train.positives();
    let drawn = rand::seq::index::sample(
        &mut run.rng("examples compared", 0),
        positives.len(),
        positives.len().min(MOST),
    );
    let mut examples: Vec<usize> = drawn.into_iter().map(|at| positives[at]).collect();
    examples.sort_unstable();
    let around = index.query(&x.select(&examples), REACH + 1, run)?;
    let mut beside: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut candidates = Vec::new();
    let (mut marked, mut of_pile) = (0usize, 0usize);
    for (at, &example) in examples.iter().enumerate() {
        let near: Vec<usize> = around.of(at).map(|(row, _)| row).filter(|row| *row != example).collect();
        candidates.extend(near.iter().copied().filter(|row| in_pile(*row)));
        marked += near.iter().take(NEIGHBOURS).filter(|row| train.positive[**row]).count();
        let nearest = near.into_iter().take(NEIGHBOURS).filter(|row| in_pile(*row));
        let rows = beside.entry(example).or_default();
        rows.extend(nearest);
        of_pile += rows.len();
    }
    candidates.sort_unstable();
    candidates.dedup();
    let back = index.query(&x.select(&candidates), NEIGHBOURS + 1, run)?;
    for (at, &candidate) in candidates.iter().enumerate() {
        let near = back.of(at).map(|(row, _)| row).filter(|row| *row != candidate).take(NEIGHBOURS);
        for row in near {
            if let Some(rows) = beside.get_mut(&row) {
                rows.push(candidate);
            }
        }
    }
    for rows in beside.values_mut() {
        rows.sort_unstable();
        rows.dedup();
    }
    beside.retain(|_, rows| !rows.is_empty());
    Ok(Beside { rows: beside, marked: marked as f64 / of_pile.max(1) as f64 })
}

/// The sum of the examples at unit length.
struct Middle<'a> {
    x: RowView<'a>,
    sum: Vec<f64>,
}

impl<'a> Middle<'a> {
    fn of(x: &'a Data, examples: &[usize]) -> Result<Self> {
        let x = RowView::of(x)?;
        let mut middle = Middle { x, sum: vec![0.0; x.cols()] };
        examples.iter().for_each(|&row| middle.add(row, 1.0));
        Ok(middle)
    }

    fn add(&mut self, row: usize, times: f64) {
        self.x.add_scaled(row, times * self.scale(row), &mut self.sum);
    }

    /// The sum of the cosines with the examples.
    fn near(&self, row: usize) -> f64 {
        self.x.dot(row, &self.sum) * self.scale(row)
    }

    fn scale(&self, row: usize) -> f64 {
        let squares = self.x.squared_norm(row);
        if squares > 0.0 { squares.sqrt().recip() } else { 0.0 }
    }
}

fn judge(sets: &[Set]) -> Drawn {
    let (above, variance) = score_and_information(sets, 0.0);
    let n = sets.len() as f64;
    // An exponential preference moves a normal class and leaves its deviation as it is. A class that has many typical
    // members and few others looks narrower in the marked than in the rows beside them.
    let marked = deviation(sets.iter().map(|set| (set[0], 1.0)));
    let of_set = |set: &Set| set.iter().map(|t| (*t, 1.0 / set.len() as f64)).collect::<Vec<_>>();
    let compared = deviation(sets.iter().flat_map(of_set));
    let spread = marked.max(compared);
    let (strength, strength_high) = preference(sets, spread);
    let deviations = if variance > 0.0 { above / variance.sqrt() } else { 0.0 };
    let explained = ALLOWED * n.sqrt();
    // What neighbours of another class explain is no preference.
    let left = if deviations > explained { 1.0 - explained / deviations } else { 0.0 };
    Drawn {
        compared: sets.len(),
        deviations,
        limit: CHANCE + explained,
        strength: strength * left,
        strength_high,
        marked_beside: 0.0,
    }
}

/// The standard deviation of values with weights.
fn deviation(values: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let whole: f64 = values.clone().map(|(_, weight)| weight).sum();
    let mean = values.clone().map(|(t, weight)| t * weight).sum::<f64>() / whole;
    (values.map(|(t, weight)| (t - mean).powi(2) * weight).sum::<f64>() / whole).sqrt()
}

/// The derivative of the log-likelihood Σ_i (γ t_i - ln Σ_j exp(γ t_j)), and minus the second one.
fn score_and_information(sets: &[Set], gamma: f64) -> (f64, f64) {
    sets.iter().fold((0.0, 0.0), |(score, information), set| {
        let top = set.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = set.iter().map(|t| (gamma * (t - top)).exp()).collect();
        let whole: f64 = weights.iter().sum();
        let mean = set.iter().zip(&weights).map(|(t, w)| t * w).sum::<f64>() / whole;
        let variance = set.iter().zip(&weights).map(|(t, w)| (t - mean).powi(2) * w).sum::<f64>() / whole;
        (score + set[0] - mean, information + variance)
    })
}

/// The most likely γ ≥ 0 in standard deviations of the class, and its upper end.
fn preference(sets: &[Set], spread: f64) -> (f64, f64) {
    if spread <= 0.0 {
        return (0.0, STRONGEST);
    }
    // The score falls as γ grows.
    let (mut low, mut high) = (0.0, STRONGEST);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if score_and_information(sets, middle / spread).0 > 0.0 { low = middle } else { high = middle }
    }
    // Of γ · spread, which is what is estimated here.
    let information = score_and_information(sets, low / spread).1 / (spread * spread);
    let above = if information > 0.0 { FAR / information.sqrt() } else { STRONGEST };
    (low, (low + above).min(STRONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use rand::RngExt;

    #[test]
    fn the_score_test_by_hand() {
        // Each example is one above two rows that are alike: mean 1/3, variance 2/9.
        let sets = vec![vec![1.0, 0.0, 0.0]; 18];
        let drawn = judge(&sets);
        assert!((drawn.deviations - 18.0 * (2.0 / 3.0) / 2.0).abs() < 1e-9, "{drawn:?}");
        assert!((drawn.limit - (1.645 + 0.2 * 18f64.sqrt())).abs() < 1e-9 && drawn.alarm());
        let as_often_below = [vec![vec![1.0, 0.0]; 10], vec![vec![0.0, 1.0]; 10]].concat();
        let drawn = judge(&as_often_below);
        assert!(drawn.deviations == 0.0 && drawn.strength < 1e-9 && !drawn.alarm(), "{drawn:?}");
        assert!(!judge(&vec![vec![0.0, 0.0]; 20]).alarm());
    }

    #[test]
    fn a_preference_is_estimated_whatever_the_unit() {
        // Of two rows one apart, three in four of the marked are the upper one: γ = ln 3, with 40 · 3/16 for information.
        let sets: Vec<Set> =
            (0..40).map(|i| if i % 4 == 0 { vec![0.0, 1.0] } else { vec![1.0, 0.0] }).collect();
        let scaled =
            |unit: f64| sets.iter().map(|set| set.iter().map(|t| t * unit).collect()).collect::<Vec<Set>>();
        let (strength, high) = preference(&sets, 1.0);
        assert!((strength - 3f64.ln()).abs() < 1e-6, "{strength}");
        assert!((high - strength - 2.326 / (40.0 * 3.0 / 16.0f64).sqrt()).abs() < 1e-6, "{high}");
        let again = preference(&scaled(100.0), 100.0);
        assert!((again.0 - strength).abs() < 1e-6 && (again.1 - high).abs() < 1e-6, "{again:?}");
    }

    /// The first 400 rows are the class, around one place; the others lie far away. Ten columns keep neighbours apart.
    fn rows(run: &Run) -> (Data, Vec<f64>) {
        let mut rng = run.rng("test", 0);
        let mut normal = || (0..12).map(|_| rng.random_range(0.0..1.0f64)).sum::<f64>() - 6.0;
        let (mut values, mut out) = (Vec::new(), Vec::new());
        for row in 0..1200 {
            let place = if row < 400 { 0.0 } else { 7.0 };
            let at: [f64; 10] = std::array::from_fn(|_| normal());
            out.push(at.iter().map(|v| v * v).sum::<f64>().sqrt());
            values.extend(at.map(|v| (place + v) as f32));
        }
        (Data::Dense(std::sync::Arc::new(Dense::new(1200, 10, values).unwrap())), out)
    }

    #[test]
    fn typical_ones_first_are_noticed_and_a_random_draw_is_not() {
        let drawn = |strength: f64, seed: u64| {
            let run = Run::new(seed);
            let (x, out) = rows(&run);
            let mut rng = run.rng("marked", 0);
            // Least keys first are a draw without replacement by weights exp(-strength × distance).
            let mut keys: Vec<(f64, usize)> = (0..400)
                .map(|row| (-rng.random_range(1e-12..1.0f64).ln() * (strength * out[row]).exp(), row))
                .collect();
            keys.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut positive = vec![false; 1200];
            keys[..60].iter().for_each(|(_, row)| positive[*row] = true);
            of(&PuData::new(x, positive).unwrap(), &run.sharing()).unwrap().unwrap()
        };
        for seed in 0..3 {
            assert!(!drawn(0.0, seed).alarm(), "{:?}", drawn(0.0, seed));
            let preferred = drawn(4.0, seed);
            assert!(preferred.alarm() && preferred.strength > drawn(0.0, seed).strength, "{preferred:?}");
        }
    }

    #[test]
    fn few_examples_and_lonely_ones_are_not_judged() {
        let x = Data::Dense(std::sync::Arc::new(Dense::zeros(40, 2)));
        for marked in [4, 20] {
            let train = PuData::new(x.clone(), (0..40).map(|row| row < marked).collect()).unwrap();
            let drawn = of(&train, &Run::new(0).sharing()).unwrap();
            assert!(drawn.is_none_or(|drawn| !drawn.alarm()), "{drawn:?}");
        }
    }
}
