//! How many of new rows are positive, from where they stand among the rows that were learned from.
//!
//! Let G(q), G₊(q) and H(q) be the shares of rows like the pile, of positives and of the new rows that reach the step q.
//! The pile is a mixture, G = π G₊ + (1 − π) G₋, which gives the background G₋ = (G − π G₊) / (1 − π). If the new rows are
//! another mixture of the same two, H = π' G₊ + (1 − π') G₋, then at every step
//!
//!   π' = (H − G₋) / (G₊ − G₋)
//!
//! (the adjusted count). Steps differ in how much chance has a say in them: where positives hardly stand out it has most
//! of it, and where few rows of any kind reach, at the top, it has least in telling a share that is small. So the answer is
//! the median over the steps (median sweep: Forman 2008), in which each weighs
//!
//!   (G₊ − G₋)² / (v(H, m) + v(G, n)),    v(p, n) = p (1 − p) / n
//!
//! for m new rows and n of the pile. New rows that are like the pile give π' = π whatever G₊ is.

use rand_distr::{Binomial, Distribution, Normal};
use serde::{Deserialize, Serialize};

use super::standing::{LadderCounts, reached};
use crate::method::Range;
use crate::run::Run;

/// A believed share of positives and its range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// What is believed.
    pub share: f64,
    /// Where the range begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// What the estimate rests on: where positives and rows like the pile stand, none of which was learned from.
pub struct Known<'a> {
    /// Rows like the pile.
    pub pile: &'a LadderCounts,
    /// Positives.
    pub positives: &'a LadderCounts,
    /// The share of positives in the pile.
    pub prior: Share,
}

/// Draws that make the range, of which a fortieth lies beyond either end.
const DRAWS: usize = 400;
const BEYOND: f64 = 0.025;
/// Deviations between the middle and either end of a range that was given.
const DEVIATIONS: f64 = 1.96;

/// New rows: where they stand, and at which step the best of them are marked.
pub struct New<'a> {
    /// Where they stand.
    pub rows: &'a LadderCounts,
    /// The step down to which they are marked.
    pub cut: usize,
    /// How many are.
    pub marked: usize,
}

/// What is believed of new rows.
pub struct Believed {
    /// The share of positives among them.
    pub positives: Share,
    /// Whether that is another share than the pile had, beyond chance: what is unsure of the pile is unsure of both.
    pub changed: bool,
    /// The share of positives among the marked: of those that reach the cut the positives stand beside the background that
    /// the pile had there. None where nothing is marked.
    pub precision: Option<Share>,
}

/// The share of positives among new rows, and among those of them that are marked.
pub fn estimate(known: &Known<'_>, new: &New<'_>, run: &Run) -> Believed {
    let (pile, positives, rows) = (known.pile.parts(), known.positives.parts(), new.rows.parts());
    let mut rng = run.rng("share of positives in new rows", 0);
    let sizes = [known.pile.rows, new.rows.rows];
    let normal = Normal::new(0.0, 1.0).expect("a deviation of 1");
    let draw = |_| {
        let mut again = |parts: &[f64], rows: u64| reached(&redrawn(parts, rows, &mut rng));
        let pile = again(&pile, known.pile.rows);
        let positives = again(&positives, known.positives.rows);
        let rows = again(&rows, new.rows.rows);
        let prior = around(known.prior, normal.sample(&mut rng));
        let share = adjusted(&pile, &positives, &rows, prior, sizes);
        let at_cut = |reached: &[f64]| reached.get(new.cut).copied().unwrap_or(1.0);
        let (recall, pile) = (at_cut(&positives), at_cut(&pile));
        let (right, wrong) = (share * recall, (1.0 - share) * background(pile, recall, prior));
        (share, share - prior, if right > 0.0 { right / (right + wrong) } else { 0.0 })
    };
    let (mut shares, mut changes, mut precisions) = (Vec::new(), Vec::new(), Vec::new());
    for (share, change, precision) in (0..DRAWS).map(draw) {
        shares.push(share);
        changes.push(change);
        precisions.push(precision);
    }
    let precision = (new.marked > 0).then(|| {
        // So many rows have that share of positives by chance only about.
        let mut rng = run.rng("positives among the marked", 0);
        let mut right = |&chance: &f64| {
            let right = Binomial::new(new.marked as u64, chance.clamp(0.0, 1.0)).expect("a probability");
            right.sample(&mut rng) as f64 / new.marked as f64
        };
        let drawn = precisions.iter().map(&mut right).collect();
        Share::of(precisions.iter().sum::<f64>() / DRAWS as f64, drawn)
    });
    let (least, most) = ends(&mut changes);
    let changed = least > 0.0 || most < 0.0;
    // The mean and not the count of the rows as they are: where few are positive that is 0 in half of the cases.
    Believed { positives: Share::of(shares.iter().sum::<f64>() / DRAWS as f64, shares), changed, precision }
}

impl Share {
    /// What is believed, and where draws of it lie.
    fn of(share: f64, mut drawn: Vec<f64>) -> Self {
        let (low, high) = ends(&mut drawn);
        Share { share, low: low.min(share), high: high.max(share) }
    }

    /// The ends.
    pub fn range(&self) -> Range {
        Range { low: self.low, high: self.high }
    }
}

/// Where all but the outermost draws lie.
fn ends(drawn: &mut [f64]) -> (f64, f64) {
    drawn.sort_by(f64::total_cmp);
    let end = |quantile: f64| drawn[((quantile * DRAWS as f64) as usize).min(DRAWS - 1)];
    (end(BEYOND), end(1.0 - BEYOND))
}

/// The median of the adjusted counts of `sizes` rows of the pile and new ones. It is the prior where the new rows are the
/// pile.
fn adjusted(pile: &[f64], positives: &[f64], new: &[f64], prior: f64, sizes: [u64; 2]) -> f64 {
    let mut told: Vec<(f64, f64)> = (pile.iter().zip(positives).zip(new))
        .filter_map(|((&pile, &positives), &new)| {
            let background = background(pile, positives, prior);
            let stand_out = positives - background;
            let chance = variance(pile, sizes[0]) + variance(new, sizes[1]);
            let count = (new - background) / stand_out;
            (stand_out > 0.0).then_some((count, stand_out * stand_out / chance))
        })
        .collect();
    told.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * told.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut below = 0.0;
    let middle = told.iter().find(|(_, weight)| {
        below += weight;
        below >= half
    });
    middle.map_or(prior, |(count, _)| count.clamp(0.0, 1.0))
}

/// The variance of a share of so many rows. One row more on either side keeps chance where none or all have reached.
fn variance(share: f64, rows: u64) -> f64 {
    let rows = rows as f64;
    let share = (share * rows + 1.0) / (rows + 2.0);
    share * (1.0 - share) / rows.max(1.0)
}

/// The share of negatives that reach a step.
fn background(pile: f64, positives: f64, prior: f64) -> f64 {
    if prior >= 1.0 { 0.0 } else { ((pile - prior * positives) / (1.0 - prior)).clamp(0.0, 1.0) }
}

/// A share drawn around its middle; its ends lie at the usual deviations.
fn around(share: Share, deviations: f64) -> f64 {
    let side = if deviations < 0.0 { share.share - share.low } else { share.high - share.share };
    (share.share + deviations * side.max(0.0) / DEVIATIONS).clamp(0.0, 1.0)
}

/// As many rows drawn again: a multinomial, one binomial a bin.
fn redrawn(parts: &[f64], rows: u64, rng: &mut impl rand::Rng) -> Vec<f64> {
    let (mut left, mut rest) = (rows, 1.0f64);
    let draw = |part: &f64| {
        let chance = if rest > 0.0 { (part / rest).clamp(0.0, 1.0) } else { 1.0 };
        let drawn = Binomial::new(left, chance).expect("a probability").sample(rng);
        left -= drawn.min(left);
        rest -= part;
        drawn as f64 / rows.max(1) as f64
    };
    parts.iter().map(draw).collect()
}

#[cfg(test)]
mod tests {
    use super::super::standing::{Ladder, shares};
    use super::*;

    /// Positives lie around 2, others around 0, both with deviation 1.
    fn rows(positives: usize, others: usize, seed: u64) -> Vec<f64> {
        let mut rng = Run::new(seed).rng("rows", 0);
        let normal = Normal::new(0.0, 1.0).unwrap();
        let at = |k: usize| if k < positives { 2.0 } else { 0.0 };
        (0..positives + others).map(|k| at(k) + normal.sample(&mut rng)).collect()
    }

    fn estimated(new: &[f64]) -> Share {
        believed(new).positives
    }

    fn believed(new: &[f64]) -> Believed {
        let pile = rows(400, 3600, 1);
        let ladder = Ladder::of(&pile, &shares(pile.len(), 0.1));
        let counted = |scores: &[f64]| {
            let mut counts = ladder.counts();
            ladder.add(&mut counts, scores);
            counts
        };
        let prior = Share { share: 0.1, low: 0.08, high: 0.13 };
        let known =
            Known { pile: &counted(&rows(400, 3600, 2)), positives: &counted(&rows(200, 0, 3)), prior };
        estimate(&known, &New { rows: &counted(new), cut: 0, marked: 0 }, &Run::new(0))
    }

    #[test]
    fn another_share_is_told_and_the_same_is_not() {
        let changed = |positives, others, seed| believed(&rows(positives, others, seed)).changed;
        assert!(changed(10, 1990, 7) && changed(800, 1200, 7));
        assert!(!changed(400, 3600, 2), "these are the rows of the pile");
    }

    #[test]
    fn shares_of_another_size_are_found() {
        for (positives, others) in [(10, 1990), (200, 1800), (800, 1200)] {
            let truth = positives as f64 / 2000.0;
            let found = estimated(&rows(positives, others, 7));
            assert!((found.share - truth).abs() < 0.05, "{truth}: {found:?}");
            assert!(found.low <= truth && truth <= found.high, "{truth}: {found:?}");
        }
    }

    #[test]
    fn rows_like_the_pile_keep_its_share_and_odd_ones_stay_within_bounds() {
        let same = estimated(&rows(400, 3600, 2));
        assert!((same.share - 0.1).abs() < 0.01, "{same:?}");
        for odd in [vec![], vec![9.0; 50], vec![-9.0; 50], vec![0.0]] {
            let found = estimated(&odd);
            assert!(
                (0.0..=1.0).contains(&found.low) && found.high <= 1.0 && found.share >= found.low,
                "{found:?}"
            );
        }
    }

    #[test]
    fn the_adjusted_count_by_hand() {
        // G₋ = (0.17 − 0.1 · 0.8) / 0.9 = 0.1, and (0.38 − 0.1) / (0.8 − 0.1) = 0.4.
        let sizes = [1000, 1000];
        assert!((adjusted(&[0.17], &[0.8], &[0.38], 0.1, sizes) - 0.4).abs() < 1e-12);
        assert_eq!(adjusted(&[0.5], &[0.5], &[0.9], 0.1, sizes), 0.1);
        // The second step says 0.4 too, the third .01, and weighs most: few rows of either kind reach it.
        let (pile, positives) = ([0.17, 0.17, 0.05], [0.8, 0.8, 0.5]);
        assert!(adjusted(&pile, &positives, &[0.38, 0.38, 0.005], 0.1, sizes) < 0.02);
    }
}
