//! Which of the known classes the new rows hold.
//!
//! New rows need not hold every known class. A cut that compares them with classes of which they hold none is wrong: where
//! the rows of one class are less alike than those of the others, most of them would seem unexpected.
//!
//! Every row is voted into a class by its nearest known rows, and is typical of it where it is at least as like these as
//! the median known row of the class is to its own. Rows of unknown classes hardly ever are. So typical rows are counted,
//! and since it is known how often a known row of one class is voted into another, the counts say by maximum likelihood
//! (EM) how many rows of each class there are. A class is taken to be absent if there are at most a fifth of the rows that
//! its share of the known lets expect, and if chance does not explain the low count: doubt leaves it where it is.

use std::collections::BTreeMap;

use super::known::members;
use crate::codes;
use crate::data::Data;
use crate::error::Result;
use crate::note::Note;
use crate::parts::knn_graph::{CosineIndex, Neighbours};
use crate::run::Run;

/// As many neighbours as `knn-novelty` asks.
const NEIGHBOURS: usize = 5;
/// Of the rows that are to be expected, so many at most where a class is absent.
const HARDLY_ANY: f64 = 0.2;
/// Of the known rows of a class, so many are voted into it as typical ones at least; half of them could be. Nobody misses
/// a class that is not known again.
const KNOWN_AGAIN: f64 = 0.3;
const CHANCE: f64 = 0.01;
const ROUNDS: usize = 200;

/// What the new rows hold of the known classes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Presence {
    /// Whether each known class seems to be absent.
    pub absent: Vec<bool>,
    /// The class that each new row is voted into; none where no known row is like it.
    pub votes: Vec<Option<usize>>,
    /// Which new rows are typical of a class that is absent as a whole: these few are expected nevertheless.
    stray: Vec<bool>,
}

impl Presence {
    /// Looks at rows of which the first are known, of these classes.
    pub fn look(x: &Data, classes: &[usize], run: &Run) -> Result<Self> {
        let known = classes.len();
        let index = CosineIndex::new(&x.select(&(0..known).collect::<Vec<_>>()))?;
        let k = NEIGHBOURS.min(known.saturating_sub(1)).max(1);
        let new = index.query(&x.select(&(known..x.rows()).collect::<Vec<_>>()), k, run)?;
        Ok(Presence::of(&Voted::of(&index.graph(k, run)?, classes), &Voted::of(&new, classes), classes))
    }

    fn of(known: &Voted, new: &Voted, classes: &[usize]) -> Self {
        let members = members(classes);
        let medians: Vec<f64> =
            members.iter().map(|rows| median(rows.iter().map(|&row| known.likeness[row]))).collect();
        let typical =
            |voted: &Voted, row: usize| voted.class[row].filter(|&c| voted.likeness[row] >= medians[c]);
        let mut taken: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (row, &class) in classes.iter().enumerate() {
            if let Some(as_if) = typical(known, row) {
                *taken.entry((class, as_if)).or_default() += 1.0 / members[class].len() as f64;
            }
        }
        let typical: Vec<Option<usize>> = (0..new.class.len()).map(|row| typical(new, row)).collect();
        let mut counts = vec![0.0; members.len()];
        typical.iter().flatten().for_each(|&class| counts[class] += 1.0);
        let expected = |class: usize| members[class].len() as f64 / classes.len() as f64;
        let rows = most_likely(&taken, &counts);
        let all: f64 = rows.iter().sum();
        // Each class is one more occasion for chance.
        let chance = CHANCE / members.iter().filter(|rows| !rows.is_empty()).count() as f64;
        let is_absent = |class: usize| {
            let taken = |from: usize| taken.get(&(from, class)).copied().unwrap_or(0.0);
            let others = (0..rows.len()).filter(|&other| other != class);
            let from_others: f64 = others.map(|other| rows[other] * taken(other)).sum();
            let usual = all * expected(class);
            taken(class) >= KNOWN_AGAIN
                && rows[class] <= HARDLY_ANY * usual
                && poisson_at_most(counts[class], from_others + usual * taken(class)) < chance
        };
        let absent: Vec<bool> =
            (0..members.len()).map(|class| !members[class].is_empty() && is_absent(class)).collect();
        let stray = typical.iter().map(|class| class.is_some_and(|class| absent[class])).collect();
        Presence { absent, votes: new.class.clone(), stray }
    }

    /// The known rows that new ones are compared with.
    pub fn compared(&self, classes: &[usize]) -> Vec<usize> {
        (0..classes.len()).filter(|&row| !self.absent[classes[row]]).collect()
    }

    /// Whether every class seems to be there.
    pub fn is_whole(&self) -> bool {
        !self.absent.contains(&true)
    }

    /// New rows that are typical of an absent class are as expected as the median known row.
    pub fn keep_stray(&self, known: &[f64], new: &mut [f64]) {
        let usual = median(known.iter().copied());
        let stray = new.iter_mut().zip(&self.stray).filter(|(_, stray)| **stray);
        stray.for_each(|(score, _)| *score = score.max(usual));
    }

    /// What the user should know of it.
    pub fn note(&self, names: &[String]) -> Option<Note> {
        const SHOWN: usize = 5;
        let absent: Vec<&String> =
            names.iter().zip(&self.absent).filter(|(_, absent)| **absent).map(|(n, _)| n).collect();
        let shown: Vec<String> = absent.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
        let more =
            if absent.len() > SHOWN { format!(" and {} more", absent.len() - SHOWN) } else { String::new() };
        let text = format!(
            "the new rows seem to hold nothing, or next to nothing, of the known {} {}{more}; they were compared with the rows \
             of the other classes",
            if absent.len() == 1 { "class" } else { "classes" },
            shown.join(", "),
        );
        let note = || {
            Note::info(&codes::ABSENT_CLASSES, text)
                .field("classes", absent.into_iter().cloned().collect::<Vec<_>>())
        };
        (!self.is_whole()).then(note)
    }
}

/// The class that each row is voted into, and how like its neighbours it is.
struct Voted {
    class: Vec<Option<usize>>,
    likeness: Vec<f64>,
}

impl Voted {
    fn of(neighbours: &Neighbours, classes: &[usize]) -> Self {
        let vote = |row: usize| {
            let mut votes: BTreeMap<usize, f64> = BTreeMap::new();
            neighbours
                .of(row)
                .for_each(|(other, cosine)| *votes.entry(classes[other]).or_default() += f64::from(cosine));
            votes.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(class, _)| class)
        };
        let likeness = |row: usize| neighbours.of(row).map(|(_, cosine)| f64::from(cosine)).sum();
        let rows = 0..neighbours.len();
        Voted { class: rows.clone().map(vote).collect(), likeness: rows.map(likeness).collect() }
    }
}

/// How many rows of each class let such counts be expected, where a row of class a is counted as one of class b with
/// probability `taken[(a, b)]`: EM for a mixture of Poisson counts.
fn most_likely(taken: &BTreeMap<(usize, usize), f64>, counts: &[f64]) -> Vec<f64> {
    let mut counted = vec![0.0; counts.len()];
    taken.iter().for_each(|((class, _), share)| counted[*class] += share);
    let mut rows: Vec<f64> = counted.iter().map(|share| if *share > 0.0 { 1.0 } else { 0.0 }).collect();
    for _ in 0..ROUNDS {
        let mut expected = vec![0.0; counts.len()];
        taken.iter().for_each(|((class, as_if), share)| expected[*as_if] += rows[*class] * share);
        let mut more = vec![0.0; counts.len()];
        for ((class, as_if), share) in taken {
            if expected[*as_if] > 0.0 {
                more[*class] += share * counts[*as_if] / expected[*as_if];
            }
        }
        for class in 0..rows.len() {
            rows[class] *= if counted[class] > 0.0 { more[class] / counted[class] } else { 0.0 };
        }
    }
    rows
}

/// The probability of at most so many where so many are expected.
fn poisson_at_most(most: f64, expected: f64) -> f64 {
    let (mut term, mut sum) = ((-expected).exp(), 0.0);
    for n in 0..=most as usize {
        sum += term;
        term *= expected / (n + 1) as f64;
    }
    sum.min(1.0)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_put_right_by_the_votes_of_known_rows() {
        // Half of class 0 is typical, a tenth is taken for typical of class 1, of which half is typical too.
        let taken = BTreeMap::from([((0, 0), 0.5), ((0, 1), 0.1), ((1, 1), 0.5)]);
        let rows = most_likely(&taken, &[50.0, 10.0]);
        assert!((rows[0] - 100.0).abs() < 0.5 && rows[1] < 0.5, "{rows:?}");
        let rows = most_likely(&taken, &[50.0, 35.0]);
        assert!((rows[0] - 100.0).abs() < 0.1 && (rows[1] - 50.0).abs() < 0.1, "{rows:?}");
    }

    #[test]
    fn a_class_is_absent_only_beyond_chance() {
        let classes: Vec<usize> = (0..40).map(|row| row / 20).collect();
        let voted = |class: &[usize]| Voted {
            class: class.iter().map(|class| Some(*class)).collect(),
            likeness: (0..class.len()).map(|row| (row % 20) as f64).collect(),
        };
        let absent = |new: &[usize]| Presence::of(&voted(&classes), &voted(new), &classes).absent;
        assert_eq!(absent(&[0; 60]), [false, true]);
        assert_eq!(absent(&[0; 8]), [false, false], "too few to tell");
        assert_eq!(absent(&classes), [false, false]);
        assert!((poisson_at_most(1.0, 2.0) - 3.0 * (-2f64).exp()).abs() < 1e-12);
    }
}
