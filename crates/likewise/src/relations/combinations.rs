//! The unlabeled examples where none are given: every combination of constants of the target's types that
//! is not marked.
//!
//! Up to [`MOST_LISTED`] they are all listed. Beyond that they are drawn, each with equal chances, and
//! never enumerated.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::symbols::TupleSet;
use super::{Facts, Target};

/// More combinations than this are drawn instead of listed.
pub const MOST_LISTED: u128 = 1_000_000;

/// The combinations, one column for each argument, and how many there are in all.
pub struct Combinations {
    pub arguments: Vec<Vec<u32>>,
    /// Without the marked ones.
    pub available: u128,
}

/// All unmarked combinations, or `most` of them drawn where there are more than can be listed.
pub fn unmarked(
    facts: &Facts,
    target: &Target,
    marked: &[Vec<u32>],
    most: usize,
    rng: &mut Pcg64,
) -> Combinations {
    let sizes: Vec<u32> = target.types.iter().map(|t| facts.constants(*t).len() as u32).collect();
    let total = sizes.iter().try_fold(1u128, |product, size| product.checked_mul(u128::from(*size)));
    let total = total.unwrap_or(u128::MAX);
    let mut known = TupleSet::new(sizes.len());
    let count = marked.first().map_or(0, Vec::len);
    let mut tuple = vec![0; sizes.len()];
    for row in 0..count {
        tuple.iter_mut().zip(marked).for_each(|(t, column)| *t = column[row]);
        known.insert(&tuple);
    }
    let available = total.saturating_sub(known.len() as u128);
    let mut arguments = vec![Vec::new(); sizes.len()];
    let mut push = |tuple: &[u32]| arguments.iter_mut().zip(tuple).for_each(|(column, t)| column.push(*t));
    if available == 0 {
        return Combinations { arguments, available };
    }
    if total <= MOST_LISTED {
        for number in 0..total {
            let mut rest = number;
            for (value, size) in tuple.iter_mut().zip(&sizes).rev() {
                *value = (rest % u128::from(*size)) as u32;
                rest /= u128::from(*size);
            }
            if !known.contains(&tuple) {
                push(&tuple);
            }
        }
    } else {
        // Draws that were seen are refused, so each unmarked combination has the same chance.
        let most = (most as u128).min(available / 2);
        let mut drawn = 0;
        while drawn < most {
            tuple.iter_mut().zip(&sizes).for_each(|(value, size)| *value = rng.random_range(0..*size));
            let before = known.len();
            known.insert(&tuple);
            if known.len() > before {
                push(&tuple);
                drawn += 1;
            }
        }
    }
    Combinations { arguments, available }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relations::FactsBuilder;
    use crate::run::Run;

    fn people(count: usize) -> (Facts, Target) {
        let mut builder = FactsBuilder::new();
        let person = builder.type_named("person");
        (0..count).for_each(|i| {
            builder.intern(person, &format!("p{i}"));
        });
        (builder.finish(), Target { name: "knows".into(), types: vec![person, person] })
    }

    #[test]
    fn few_are_listed_without_the_marked() {
        let (facts, target) = people(3);
        let all = unmarked(&facts, &target, &[vec![0, 2], vec![1, 2]], 10, &mut Run::new(0).rng("test", 0));
        let pairs: Vec<(u32, u32)> =
            all.arguments[0].iter().copied().zip(all.arguments[1].iter().copied()).collect();
        assert_eq!(pairs, [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]);
        assert_eq!(all.available, 7);
    }

    #[test]
    fn many_are_drawn_once_each_and_never_the_marked() {
        let (facts, target) = people(2000);
        let marked: Vec<Vec<u32>> = vec![(0..1000).collect(), (0..1000).collect()];
        let drawn = unmarked(&facts, &target, &marked, 5000, &mut Run::new(0).rng("test", 0));
        assert_eq!((drawn.available, drawn.arguments[0].len()), (3_999_000, 5000));
        let mut pairs: Vec<(u32, u32)> =
            drawn.arguments[0].iter().copied().zip(drawn.arguments[1].iter().copied()).collect();
        assert!(pairs.iter().all(|(a, b)| a != b || *a >= 1000));
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), 5000);
    }
}
