//! Scores smoothed over the nearest neighbours: rows that are alike should be scored alike.
//!
//! z is the score standardised over the pile; a labelled positive counts as the pile's 99 % quantile, and a row known not
//! to be wanted as its median, which is what most rows are: one that was refused while reading the best first is a near
//! miss, and would as the least of all pull down the wanted rows beside it. The smoothed scores f are those with
//!
//! ```text
//! f = (1 - a) z + a W f,    W_ij = (cos_ij / d_j) / Σ_k (cos_ik / d_k),    d_j = Σ_i cos_ij
//! ```
//!
//! (Zhou et al. 2004 on the graph of Coifman & Lafon 2006): what the neighbours say is itself smoothed, and a row that
//! is everybody's neighbour does not speak for everybody. The amount a is a half unless somebody knows better: where
//! classes lie in threads and clusters more is better, where they are told by single words less.
//!
//! Two rows are joined if one is among the ten most like the other, so that likeness counts both ways: a row that many
//! take for a neighbour hears all of them. Common words are part of what a row is like ("flight", "oil") and are left out
//! only where the search would take too long with them. A row without neighbours keeps its score.

use std::sync::Arc;

use rayon::prelude::*;

use crate::data::{Csr, Data, PuData};
use crate::decide::ranking;
use crate::error::{Error, Result};
use crate::model_file::{Reader, Writer};
use crate::parts::balanced_fit::BalancedFit;
use crate::parts::knn_graph::{CosineIndex, EdgeRule, without_common_words};
use crate::run::{Key, Run};

/// The neighbours of the rows that are smoothed.
pub struct Smoother {
    index: CosineIndex,
    /// W: what each row hears of those that it is joined with.
    heard: Csr,
    /// d: how much each row is joined with others.
    joined: Vec<f32>,
    /// Which rows are joined, where that is not every row.
    among: Option<Vec<usize>>,
}

/// More rows than this are not all joined, only those that can matter.
pub const WHOLE_GRAPH: usize = 100_000;
const NEIGHBOURS: usize = 10;
/// Words in more than this share of the rows may be left out of likeness, …
const COMMON: f64 = 0.02;
/// … but none in fewer rows than this, …
const RARE_ENOUGH: f64 = 100.0;
/// … and none while the search for a row's neighbours passes no more rows than this, a row once for every word that it
/// shares: short texts keep all of their words.
const PASSED: f64 = 32768.0;
/// How much of a score the neighbours have where nobody says.
pub const USUAL: f64 = 0.5;
/// What is left of a first guess when the scores count as settled.
const SETTLED: f64 = 0.01;
const LABELLED_QUANTILE: f64 = 0.99;
const UNWANTED_QUANTILE: f64 = 0.5;

impl Smoother {
    /// Joins all rows.
    pub fn new(x: &Data, run: &Run) -> Result<Self> {
        Smoother::joining(x, None, run)
    }

    /// Joins the rows once for all fits of a run that shares: all of them, or where they are too many those that can
    /// matter by the labels of whoever asks first.
    pub fn of(x: &Data, train: &PuData, run: &Run) -> Result<Arc<Self>> {
        run.shared(Key::new("smoother", x.identity()), || match x.rows() {
            n if n <= WHOLE_GRAPH => Smoother::new(x, run),
            _ => Smoother::among(x, rows_that_matter(x, train, run)?, run),
        })
    }

    /// Joins only the given rows with each other; the others keep their scores.
    pub fn among(x: &Data, rows: Vec<usize>, run: &Run) -> Result<Self> {
        Smoother::joining(&x.select(&rows), Some(rows), run)
    }

    fn joining(x: &Data, among: Option<Vec<usize>>, run: &Run) -> Result<Self> {
        let index = index(x)?;
        let mut heard = edges(&index, run)?;
        let joined: Vec<f32> = heard.iter_rows().map(|row| row.values.iter().sum()).collect();
        for (value, j) in heard.values.iter_mut().zip(&heard.indices) {
            *value /= joined[*j as usize];
        }
        for i in 0..heard.rows() {
            let row = heard.indptr[i]..heard.indptr[i + 1];
            let sum: f32 = heard.values[row.clone()].iter().sum();
            heard.values[row].iter_mut().for_each(|value| *value /= sum);
        }
        Ok(Smoother { heard, joined, index, among })
    }

    /// The rows that are joined, where these are not all.
    pub fn rows(&self) -> Option<&[usize]> {
        self.among.as_deref()
    }

    /// How many rows are joined.
    pub fn len(&self) -> usize {
        self.heard.rows()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smoothed scores, of which the neighbours have the share `amount`.
    pub fn smooth(&self, scores: &[f64], train: &PuData, amount: f64) -> Vec<f64> {
        let mut z = Standard::of(scores, train).apply(scores, train);
        match &self.among {
            None => self.settle(z, amount),
            Some(rows) => {
                let settled = self.settle(rows.iter().map(|&row| z[row]).collect(), amount);
                rows.iter().zip(settled).for_each(|(&row, value)| z[row] = value);
                z
            }
        }
    }

    /// f for these z. Each round leaves the share `amount` of what is missing.
    fn settle(&self, z: Vec<f64>, amount: f64) -> Vec<f64> {
        const ROWS: usize = 1024;
        if amount <= 0.0 {
            return z;
        }
        let rounds = (SETTLED.ln() / amount.ln()).ceil() as usize;
        let (mut f, mut next) = (z.clone(), vec![0.0; z.len()]);
        for _ in 0..rounds {
            next.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, next)| {
                for (k, value) in next.iter_mut().enumerate() {
                    let i = chunk * ROWS + k;
                    *value = mixed(self.heard.row(i).iter(), z[i], |j| f[j], amount);
                }
            });
            std::mem::swap(&mut f, &mut next);
        }
        f
    }

    /// Smooths rows not seen before over the rows joined here, whose unsmoothed scores are given.
    pub fn for_new_rows(&self, scores: &[f64], train: &PuData, amount: f64) -> Result<NewRowSmoother> {
        let standard = Standard::of(scores, train);
        let z = standard.apply(scores, train);
        let z = match &self.among {
            None => z,
            Some(rows) => rows.iter().map(|&row| z[row]).collect(),
        };
        let f = self.settle(z, amount);
        let (index, joined) = (CosineIndex::new(self.index.rows())?, self.joined.clone());
        Ok(NewRowSmoother { index, f, joined, amount, standard })
    }
}

/// What was marked, the best-ranked half of the room, and others drawn at random.
fn rows_that_matter(x: &Data, train: &PuData, run: &Run) -> Result<Vec<usize>> {
    let n = x.rows();
    let fit = BalancedFit::of(x, train, 1.0, run)?;
    let mut chosen: Vec<usize> = (0..n).filter(|&row| train.positive[row] || train.unwanted[row]).collect();
    chosen.truncate(WHOLE_GRAPH / 4);
    let mut taken = vec![false; n];
    chosen.iter().for_each(|&row| taken[row] = true);
    let best: Vec<usize> =
        ranking(&fit.margins).into_iter().filter(|&row| !taken[row]).take(WHOLE_GRAPH / 2).collect();
    best.iter().for_each(|&row| taken[row] = true);
    chosen.extend(best);
    let rest: Vec<usize> = (0..n).filter(|&row| !taken[row]).collect();
    let room = WHOLE_GRAPH.saturating_sub(chosen.len()).min(rest.len());
    let drawn = rand::seq::index::sample(&mut run.rng("rows of the graph", 0), rest.len(), room);
    chosen.extend(drawn.into_iter().map(|at| rest[at]));
    chosen.sort_unstable();
    Ok(chosen)
}

fn mixed(heard: impl Iterator<Item = (usize, f32)>, own: f64, f: impl Fn(usize) -> f64, amount: f64) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (j, share) in heard {
        sum += f64::from(share) * f(j);
        weight += f64::from(share);
    }
    if weight > 0.0 { (1.0 - amount) * own + amount * sum / weight } else { own }
}

/// The cosine of any two of these rows that are joined.
pub fn joined(x: &Data, run: &Run) -> Result<Csr> {
    edges(&index(x)?, run)
}

fn edges(index: &CosineIndex, run: &Run) -> Result<Csr> {
    Ok(index.graph(NEIGHBOURS, run)?.edges(EdgeRule::Either))
}

fn index(x: &Data) -> Result<CosineIndex> {
    match x {
        Data::Sparse(x) => {
            let share = COMMON.max(RARE_ENOUGH / x.rows().max(1) as f64).max(affordable(x));
            CosineIndex::new(&Data::Sparse(without_common_words(x, share).into()))
        }
        other => CosineIndex::new(other),
    }
}

/// The largest share of the rows that a word may stand in while the search with all rarer ones stays short.
fn affordable(x: &Csr) -> f64 {
    let mut frequencies = x.document_frequencies();
    frequencies.sort_unstable();
    let rows = x.rows().max(1) as f64;
    let passed = frequencies.iter().scan(0.0, |sum, df| {
        *sum += f64::from(*df) * f64::from(*df);
        Some((*sum, *df))
    });
    let most = passed.take_while(|(sum, _)| *sum <= PASSED * rows).last();
    most.map_or(0.0, |(_, df)| f64::from(df) / rows)
}

/// Mean 0 and deviation 1 over the pile, labelled rows at the pile's upper end.
#[derive(Clone, Copy, Debug)]
struct Standard {
    mean: f64,
    deviation: f64,
    labelled: f64,
}

impl Standard {
    fn of(scores: &[f64], train: &PuData) -> Self {
        let mut pile = of_pile(scores, train);
        let n = pile.len().max(1) as f64;
        let mean = pile.iter().sum::<f64>() / n;
        let deviation = (pile.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n).sqrt();
        let labelled = quantile(&mut pile, LABELLED_QUANTILE);
        Standard { mean, deviation: if deviation > 0.0 { deviation } else { 1.0 }, labelled }
    }

    fn z(&self, score: f64) -> f64 {
        (score - self.mean) / self.deviation
    }

    fn apply(&self, scores: &[f64], train: &PuData) -> Vec<f64> {
        let value = |(score, labelled): (&f64, &bool)| self.z(if *labelled { self.labelled } else { *score });
        let mut z: Vec<f64> = scores.iter().zip(&train.positive).map(value).collect();
        let known = train.known_negatives();
        if !known.is_empty() {
            let middle = self.z(quantile(&mut of_pile(scores, train), UNWANTED_QUANTILE));
            known.into_iter().for_each(|row| z[row] = middle);
        }
        z
    }
}

fn of_pile(scores: &[f64], train: &PuData) -> Vec<f64> {
    train.unlabeled().into_iter().map(|row| scores[row]).collect()
}

fn quantile(values: &mut [f64], share: f64) -> f64 {
    let at = ((share * values.len().max(1) as f64) as usize).min(values.len().saturating_sub(1));
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(at, f64::total_cmp).1 }
}

/// Smooths the scores of new rows over the training rows most like them.
pub struct NewRowSmoother {
    index: CosineIndex,
    /// The smoothed scores of the index's rows.
    f: Vec<f64>,
    /// How much each of them is joined with others.
    joined: Vec<f32>,
    amount: f64,
    standard: Standard,
}

const F: &str = "f";
const JOINED: &str = "joined";
const STANDARD: &str = "standard";

impl NewRowSmoother {
    pub fn smooth(&self, x: &Data, scores: &[f64], run: &Run) -> Result<Vec<f64>> {
        let neighbours = self.index.query(x, NEIGHBOURS, run)?;
        // A row of the index that is joined with none is like no other but the new one, and counts in full.
        let joined = |j: usize| if self.joined[j] > 0.0 { self.joined[j] } else { 1.0 };
        let one = |i: usize| {
            let heard = neighbours.of(i).map(|(j, cosine)| (j, cosine / joined(j)));
            mixed(heard, self.standard.z(scores[i]), |j| self.f[j], self.amount)
        };
        Ok((0..x.rows()).into_par_iter().map(one).collect())
    }

    pub fn save(&self, out: &mut Writer) {
        self.index.save_training_rows(out);
        out.f64s(F, &[self.f.len()], &self.f);
        out.f32s(JOINED, &[self.joined.len()], &self.joined);
        let Standard { mean, deviation, labelled } = self.standard;
        out.f64s(STANDARD, &[4], &[mean, deviation, labelled, self.amount]);
    }

    pub fn load(file: &Reader) -> Result<Self> {
        let standard = file.read_f64s(STANDARD)?;
        let [mean, deviation, labelled, amount] = standard[..] else {
            return Err(Error::model_file("it was kept by an older version of likewise; train again"));
        };
        if !(0.0..1.0).contains(&amount) {
            return Err(Error::model_file("`standard` is damaged"));
        }
        let (index, f, joined) = (CosineIndex::load(file)?, file.read_f64s(F)?, file.read_f32s(JOINED)?);
        if [f.len(), joined.len()] != [index.rows().rows(); 2] {
            return Err(Error::model_file("its graph and its scores differ in length"));
        }
        Ok(NewRowSmoother { index, f, joined, amount, standard: Standard { mean, deviation, labelled } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    fn unread(x: &Data) -> PuData {
        let none = vec![false; x.rows()];
        PuData { x: x.clone(), positive: none.clone(), unwanted: none, truth: None, parts: Vec::new() }
    }

    #[test]
    fn what_is_not_wanted_counts_as_a_common_row_beside_its_neighbours() {
        // Rows 0 and 1 point the same way and so do 2 and 3; row 1 is known not to be wanted.
        let values = vec![1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 2.0];
        let x = Data::Dense(Arc::new(Dense::new(4, 2, values).unwrap()));
        let scores = [1.0, 1.0, 0.0, 0.0];
        let smoother = Smoother::new(&x, &Run::new(0)).unwrap();
        let before = smoother.smooth(&scores, &unread(&x), USUAL);
        let refused = PuData { unwanted: vec![false, true, false, false], ..unread(&x) };
        let after = smoother.smooth(&scores, &refused, USUAL);
        // 1, 0 and 0 have the mean 1/3 and the deviation √2/3, so z is √2 for the first and -1/√2 for the pile's median. Of
        // two that hear each other, f = ½ z + ½ (½ z' + ½ f): two thirds of its own and a third of the other's.
        let expected = (2.0 * 2f64.sqrt() - 0.5f64.sqrt()) / 3.0;
        assert!((after[0] - expected).abs() < 0.02, "{after:?}");
        assert!(before[0] > after[0] && after[0] > after[2], "{before:?} {after:?}");
    }

    #[test]
    fn like_rows_pull_each_other_and_lone_ones_stay() {
        // Rows 0 and 1 point the same way, row 2 the other way: it has no neighbour with a positive cosine.
        let x = Data::Dense(Arc::new(Dense::new(3, 1, vec![1.0, 2.0, -1.0]).unwrap()));
        let smoothed = Smoother::new(&x, &Run::new(0)).unwrap().smooth(&[3.0, 1.0, 2.0], &unread(&x), USUAL);
        let deviation = (2.0f64 / 3.0).sqrt();
        // Two thirds of its own 1 and a third of the other's -1, as far as seven rounds bring it; the third stays at 0.
        for (value, expected) in smoothed.iter().zip([1.0 / 3.0, -1.0 / 3.0, 0.0]) {
            assert!((value - expected / deviation).abs() < 0.01, "{smoothed:?}");
        }
    }

    #[test]
    fn a_row_hears_those_that_take_it_for_a_neighbour() {
        // Eleven rows that point the same way have no room for the twelfth, which chooses ten of them.
        let values = (0..12).flat_map(|i| [1.0, if i == 11 { 1.0 } else { 0.0 }]).collect();
        let x = Data::Dense(Arc::new(Dense::new(12, 2, values).unwrap()));
        let scores: Vec<f64> = (0..12).map(|i| f64::from(i == 11)).collect();
        let smoothed = Smoother::new(&x, &Run::new(0)).unwrap().smooth(&scores, &unread(&x), 0.001);
        let heard = smoothed.iter().filter(|z| **z > smoothed[10]).count();
        // The ten that were chosen, and the row itself; the eleventh was not.
        assert_eq!(heard, 11, "{smoothed:?}");
    }

    #[test]
    fn a_hub_does_not_speak_for_everybody() {
        // Row 0 has both columns and is like all others; rows 1 and 2 are like each other too, row 3 like row 0 alone.
        let x = Dense::new(4, 2, vec![1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0]).unwrap();
        let smoother = Smoother::new(&Data::Dense(Arc::new(x)), &Run::new(0)).unwrap();
        let half = 0.5f64.sqrt();
        let (hub, twin) = (half / (3.0 * half), 1.0 / (1.0 + half));
        let heard: Vec<(usize, f32)> = smoother.heard.row(1).iter().collect();
        assert!((f64::from(heard[0].1) - hub / (hub + twin)).abs() < 1e-6, "{heard:?}");
        let alone: Vec<(usize, f32)> = smoother.heard.row(3).iter().collect();
        assert!(alone.len() == 1 && (alone[0].1 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn rows_of_the_pile_are_smoothed_as_new_ones_would_be() {
        let values = (0..60).map(|i| (i * 37 % 41) as f32 / 20.0 - 1.0).collect();
        let x = Data::Dense(Arc::new(Dense::new(30, 2, values).unwrap()));
        let (run, train) = (Run::new(0), unread(&x));
        let scores: Vec<f64> = (0..30).map(|i| f64::from(i * 11 % 13)).collect();
        let smoother = Smoother::new(&x, &run).unwrap();
        let kept = smoother.for_new_rows(&scores, &train, 0.7).unwrap();
        let mut out = Writer::default();
        kept.save(&mut out);
        let loaded = NewRowSmoother::load(&Reader::new(out.finish().unwrap()).unwrap()).unwrap();
        let new = x.select(&[3, 4, 5]);
        let smoothed = kept.smooth(&new, &scores[3..6], &run).unwrap();
        assert_eq!(loaded.smooth(&new, &scores[3..6], &run).unwrap(), smoothed);
        // As new rows they hear themselves too, and not those that chose them.
        let of_pile = smoother.smooth(&scores, &train, 0.7);
        for (new, old) in smoothed.iter().zip(&of_pile[3..6]) {
            assert!((new - old).abs() < 0.5, "{smoothed:?} {of_pile:?}");
        }
    }

    #[test]
    fn common_words_count_while_the_search_is_short() {
        // Every row has word 0 and one of its own: r² + r · 1 rows are passed on the way to all neighbours.
        let of_rows = |rows: u32| {
            let mut x = crate::data::CsrBuilder::with_capacity(1 + rows as usize, rows as usize, 0);
            (0..rows).for_each(|i| x.push_entries([(0, 1.0), (1 + i, 1.0)]));
            x.finish()
        };
        assert_eq!(affordable(&of_rows(32_767)), 1.0);
        assert_eq!(affordable(&of_rows(32_768)), 1.0 / 32_768.0);
        let x = Data::Sparse(Arc::new(of_rows(300)));
        let smoother = Smoother::new(&x, &Run::new(0)).unwrap();
        assert!((0..300).all(|i| smoother.heard.row(i).len() >= NEIGHBOURS));
    }

    #[test]
    fn a_subset_leaves_the_others_alone() {
        let x = Data::Dense(Arc::new(Dense::new(4, 1, vec![1.0, 2.0, 1.0, 3.0]).unwrap()));
        let scores = [0.0, 1.0, 2.0, 5.0];
        let train = unread(&x);
        let all = Standard::of(&scores, &train).apply(&scores, &train);
        let some = Smoother::among(&x, vec![1, 3], &Run::new(0)).unwrap().smooth(&scores, &train, USUAL);
        assert_eq!((some[0], some[2]), (all[0], all[2]));
        assert!((some[1] - (2.0 * all[1] + all[3]) / 3.0).abs() < 0.02);
    }
}
