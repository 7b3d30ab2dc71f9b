//! Known classes hidden in turn: what of a class nobody spoke of would be found?
//!
//! A rehearsal takes one class out of the known rows and puts some of its rows into a pile, beside rows of the other
//! classes that are held out from learning. Which of them are unexpected is known, so rankers can be measured. The pile
//! is to be like the one at hand: as large beside the known rows, with as many unexpected rows as there seem to be, within
//! bounds that leave something to measure, and without rows of the known classes that the new rows seem to lack. The new
//! rows themselves take no part: they hold rows of the hidden class, nobody knows how many.

use rand::seq::SliceRandom;

use super::known::members;
use super::present::Presence;
use super::rankers::{Ranker, View, rows_alone};
use crate::decide::is_positive;
use crate::error::Result;
use crate::measure::{Confusion, area_under_roc, average_precision};
use crate::run::Run;

/// How often a class is hidden; where there are fewer classes each is hidden several times, with other rows.
pub(super) const REHEARSALS: usize = 10;
/// So many rows of the other classes are enough for a rehearsal.
const ENOUGH: usize = 2000;
/// Of fewer rows a rank or a share says nothing.
const FEWEST: usize = 5;
/// Bounds of the share of unexpected rows, and of the share of rows that are held out.
const UNEXPECTED: (f64, f64) = (0.05, 0.5);
const HELD_OUT: (f64, f64) = (0.1, 0.5);

/// One class hidden: rows to learn from, and the pile, whose last rows are those of the class.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rehearsal {
    pub class: usize,
    pub taught: Vec<usize>,
    pub pile: Vec<usize>,
    pub hidden: usize,
}

/// The rehearsals for these known rows, of which some classes seem to be absent among the new ones, and so many new rows, of
/// which such a share seems unexpected; empty where no class can be hidden.
pub(super) fn rehearsals(
    (classes, absent): (&[usize], &[bool]),
    new: usize,
    share: f64,
    run: &Run,
) -> Vec<Rehearsal> {
    let known = classes.len();
    let members = members(classes);
    let can_be_hidden =
        |class: &usize| members[*class].len() >= FEWEST && known - members[*class].len() >= 2 * FEWEST;
    let mut hidden: Vec<usize> = (0..members.len()).filter(can_be_hidden).collect();
    if hidden.is_empty() {
        return Vec::new();
    }
    hidden.shuffle(&mut run.rng("classes that are hidden", 0));
    hidden.truncate(REHEARSALS);
    let share = share.clamp(UNEXPECTED.0, UNEXPECTED.1);
    let held_out = (new as f64 / (known + new) as f64).clamp(HELD_OUT.0, HELD_OUT.1);
    let rehearsal = |index: usize| {
        let class = hidden[index % hidden.len()];
        let mut rng = run.rng("rows that are hidden", index as u64);
        let mut strangers = members[class].clone();
        strangers.shuffle(&mut rng);
        let mut taught: Vec<usize> = (0..known).filter(|&row| classes[row] != class).collect();
        taught.shuffle(&mut rng);
        taught.truncate(ENOUGH);
        let expected = ((held_out * taught.len() as f64).round() as usize).max(FEWEST);
        let mut pile = hold_out(&mut taught, expected, (classes, absent));
        let expected = pile.len();
        let unexpected = (share / (1.0 - share) * expected as f64).round() as usize;
        strangers.truncate(unexpected.max(FEWEST));
        pile.extend_from_slice(&strangers);
        Rehearsal { class, taught, pile, hidden: strangers.len() }
    };
    (0..REHEARSALS).map(rehearsal).collect()
}

/// Takes so many of these rows out, none of an absent class, and leaves half of the others to learn from. Where the only
/// class that is present is the hidden one, that of the last row stands for it.
fn hold_out(taught: &mut Vec<usize>, expected: usize, (classes, absent): (&[usize], &[bool])) -> Vec<usize> {
    let instead = classes[taught[taught.len() - 1]];
    let none = taught.iter().all(|&row| absent[classes[row]]);
    let stays = |row: &usize| if none { classes[*row] != instead } else { absent[classes[*row]] };
    let (mut learned, mut present): (Vec<usize>, Vec<usize>) = taught.iter().copied().partition(stays);
    if learned.is_empty() || present.len() < 2 * FEWEST {
        return taught.split_off(taught.len() - expected);
    }
    let pile = present.split_off(present.len() - expected.min(present.len() / 2));
    learned.extend(present);
    *taught = learned;
    pile
}

/// What a ranker made of one rehearsal.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub class: usize,
    pub area_under_roc: f64,
    pub average_precision: f64,
    /// At the ranker's own cut.
    pub own_f1: f64,
    /// What marking every row of the pile would have.
    pub all_f1: f64,
    /// The p-value of each row of the pile among the known rows: a cut that can be carried to other rows.
    pub p_values: Vec<f64>,
    /// Which rows of the pile are of the hidden class.
    pub truth: Vec<bool>,
}

impl Measured {
    /// F1 where rows of at most this p-value are marked.
    pub fn f1_at(&self, p_value: f64) -> f64 {
        let answers: Vec<bool> = self.p_values.iter().map(|p| *p <= p_value).collect();
        Confusion::count(&answers, &self.truth).f1()
    }
}

impl Rehearsal {
    /// Which known classes the pile seems to hold, as `view` lets rows be compared; `classes` are those of all known rows.
    pub fn present(&self, view: &View, classes: &[usize], run: &Run) -> Result<Presence> {
        Presence::look(&view.x.select(&self.rows()), &self.of_taught(classes), &run.without_progress())
    }

    /// Lets a ranker learn and measures it; `classes` are those of all known rows.
    pub fn measure(
        &self,
        ranker: &Ranker,
        view: &View,
        (classes, present): (&[usize], &Presence),
        run: &Run,
    ) -> Result<Measured> {
        let x = rows_alone(&view.x, self.rows());
        let ranked = ranker.scores(&x, &self.of_taught(classes), Some(present), run)?;
        let (known, pile) = (ranked.known, ranked.new);
        let truth: Vec<bool> = (0..pile.len()).map(|row| row >= pile.len() - self.hidden).collect();
        let strange: Vec<f64> = pile.iter().map(|score| 1.0 - score).collect();
        let own: Vec<bool> = pile.iter().map(|score| !is_positive(*score)).collect();
        Ok(Measured {
            class: self.class,
            area_under_roc: area_under_roc(&strange, &truth),
            average_precision: average_precision(&strange, &truth),
            own_f1: Confusion::count(&own, &truth).f1(),
            all_f1: Confusion::count(&vec![true; truth.len()], &truth).f1(),
            p_values: p_values(&known, &pile),
            truth,
        })
    }

    fn rows(&self) -> Vec<usize> {
        [self.taught.as_slice(), &self.pile].concat()
    }

    fn of_taught(&self, classes: &[usize]) -> Vec<usize> {
        self.taught.iter().map(|&row| classes[row]).collect()
    }
}

/// (1 + known rows that score no better) / (1 + known rows), for each score.
fn p_values(known: &[f64], scores: &[f64]) -> Vec<f64> {
    let mut sorted = known.to_vec();
    sorted.sort_by(f64::total_cmp);
    let below = |score: &f64| sorted.partition_point(|other| other <= score);
    scores.iter().map(|score| (1 + below(score)) as f64 / (1 + sorted.len()) as f64).collect()
}

/// The score that exactly the rows above this p-value reach.
pub(super) fn score_at(known: &[f64], p_value: f64) -> f64 {
    let mut sorted = known.to_vec();
    sorted.sort_by(f64::total_cmp);
    // A hair is added, since (n + 1) p is a whole number that the product may fall short of.
    let rank = (p_value * (1 + sorted.len()) as f64 + 1e-9).floor() as usize;
    match rank.checked_sub(1) {
        Some(last) => sorted[last.min(sorted.len() - 1)],
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_class_is_not_learned_from() {
        let classes: Vec<usize> = (0..300).map(|row| row % 3).collect();
        let plan = rehearsals((&classes, &[false; 50]), 100, 0.0, &Run::new(1));
        assert_eq!(plan.len(), REHEARSALS);
        for rehearsal in &plan {
            assert!(rehearsal.taught.iter().all(|&row| classes[row] != rehearsal.class));
            let (expected, strangers) = rehearsal.pile.split_at(rehearsal.pile.len() - rehearsal.hidden);
            assert!(expected.iter().all(|&row| classes[row] != rehearsal.class));
            assert!(strangers.iter().all(|&row| classes[row] == rehearsal.class));
            // A quarter of the other 200 rows is held out, as new rows are a quarter of all; a twentieth but at least five.
            assert_eq!((rehearsal.taught.len(), expected.len(), strangers.len()), (150, 50, 5));
        }
        assert!((0..3).all(|class| plan.iter().filter(|r| r.class == class).count() >= 3));
        assert_eq!(plan, rehearsals((&classes, &[false; 50]), 100, 0.0, &Run::new(1)));
        assert_ne!(plan, rehearsals((&classes, &[false; 50]), 100, 0.0, &Run::new(2)));
    }

    #[test]
    fn a_pile_lacks_the_classes_that_the_new_rows_lack() {
        let classes: Vec<usize> = (0..400).map(|row| row % 4).collect();
        let absent = [true, true, false, true];
        for rehearsal in rehearsals((&classes, &absent), 200, 0.3, &Run::new(1)) {
            let (expected, _) = rehearsal.pile.split_at(rehearsal.pile.len() - rehearsal.hidden);
            let mut held: Vec<usize> = expected.iter().map(|&row| classes[row]).collect();
            held.dedup();
            assert_eq!((held.len(), expected.len(), rehearsal.taught.len()), (1, 50, 250));
            assert!(held[0] == 2 || rehearsal.class == 2);
        }
    }

    #[test]
    fn many_classes_and_rows_are_bounded() {
        let classes: Vec<usize> = (0..30_000).map(|row| row % 50).collect();
        let plan = rehearsals((&classes, &[false; 50]), 90_000, 0.9, &Run::new(0));
        let mut hidden: Vec<usize> = plan.iter().map(|rehearsal| rehearsal.class).collect();
        hidden.sort_unstable();
        hidden.dedup();
        assert_eq!((plan.len(), hidden.len()), (REHEARSALS, REHEARSALS));
        assert!(plan.iter().all(|r| r.taught.len() == 1000 && r.pile.len() == 1600 && r.hidden == 600));
    }

    #[test]
    fn one_class_cannot_be_hidden() {
        assert!(rehearsals((&[0; 50], &[false]), 50, 0.1, &Run::new(0)).is_empty());
        assert!(rehearsals((&[0, 0, 1, 1], &[false; 2]), 50, 0.1, &Run::new(0)).is_empty());
    }

    #[test]
    fn a_p_value_is_carried_to_other_rows() {
        let known = [0.4, 0.2, 0.9, 0.6];
        let pile = [0.1, 0.2, 0.3, 0.5, 1.0];
        assert_eq!(p_values(&known, &pile), [0.2, 0.4, 0.4, 0.6, 1.0]);
        for p in [0.1, 0.2, 0.4, 0.5, 0.6, 0.8] {
            let threshold = score_at(&known, p);
            let marked: Vec<bool> = pile.iter().map(|score| *score < threshold).collect();
            let wanted: Vec<bool> = p_values(&known, &pile).iter().map(|own| *own <= p).collect();
            assert_eq!(marked, wanted, "{p}");
        }
    }
}
