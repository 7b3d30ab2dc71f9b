//! One question to a row: is its number at most so much, or its level one of these?

use rand::RngExt;
use rand_pcg::Pcg64;

use super::bins::NONE;

/// Levels that go left, one bit a byte.
pub type Mask = [u64; 4];

/// What decides whether a byte goes left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// The byte plus `shift`, which turns the byte of what is missing into 0, is at most `most`.
    AtMost { shift: u8, most: u8 },
    /// The byte is among these.
    Among(Mask),
}

impl Split {
    /// Whether a byte goes left.
    #[inline]
    pub fn left(&self, byte: u8) -> bool {
        match self {
            Split::AtMost { shift, most } => byte.wrapping_add(*shift) <= *most,
            Split::Among(mask) => mask[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1,
        }
    }

    /// How many of the bytes go left.
    pub fn count(&self, bytes: &[u8]) -> usize {
        // Sums of a byte vectorise; 255 of them fit.
        match *self {
            Split::AtMost { shift, most } => (bytes.chunks(255))
                .map(|part| {
                    usize::from(
                        part.iter().map(|byte| u8::from(byte.wrapping_add(shift) <= most)).sum::<u8>(),
                    )
                })
                .sum(),
            Split::Among(_) => bytes.iter().filter(|byte| self.left(**byte)).count(),
        }
    }

    /// A threshold at random between the smallest and the largest of these bytes; what is missing goes to either side,
    /// or has one of its own. None where all bytes are the same.
    pub fn of_numbers(bytes: &[u8], rng: &mut Pcg64) -> Option<Split> {
        let (mut low, mut high, mut above) = (NONE, 0u8, 0u8);
        for byte in bytes {
            low = low.min(*byte);
            high = high.max(*byte);
            above = above.max(byte.wrapping_add(1));
        }
        let missing = high == NONE;
        // `above` is one more than the largest number; 0 where there is none.
        let places = if above > low { above - 1 - low } else { 0 };
        let all = usize::from(places) + usize::from(missing && above > 0);
        if all == 0 {
            return None;
        }
        let place = rng.random_range(0..all) as u8;
        if place == places {
            return Some(Split::AtMost { shift: 1, most: 0 });
        }
        let shift = u8::from(missing && rng.random_bool(0.5));
        Some(Split::AtMost { shift, most: low + place + shift })
    }

    /// Each level to either side at random; a level that is not among these bytes too. None where all are the same.
    pub fn of_levels(bytes: &[u8], rng: &mut Pcg64) -> Option<Split> {
        let mut held: Mask = [0; 4];
        for byte in bytes {
            held[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
        let levels = held.iter().map(|bits| bits.count_ones()).sum::<u32>();
        if levels < 2 {
            return None;
        }
        let mut mask: Mask = std::array::from_fn(|_| rng.random());
        let inside = (0..4).map(|k| (held[k] & mask[k]).count_ones()).sum::<u32>();
        if inside == 0 || inside == levels {
            let other = nth(&held, rng.random_range(0..levels));
            mask[usize::from(other >> 6)] ^= 1 << (other & 63);
        }
        Some(Split::Among(mask))
    }

    /// The same split of what was seen, with what is missing on the larger side, where nothing was missing.
    pub fn with_missing_on_the_left(self) -> Split {
        match self {
            Split::AtMost { shift: 0, most } if most < NONE => Split::AtMost { shift: 1, most: most + 1 },
            other => other,
        }
    }
}

/// The byte of the n-th bit that is set.
fn nth(mask: &Mask, n: u32) -> u8 {
    let mut set = (0..=NONE).filter(|byte| mask[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1);
    set.nth(n as usize).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use proptest::prelude::*;

    #[test]
    fn a_missing_number_has_either_side_or_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        let mut rng = Run::new(0).rng("splits", 0);
        for _ in 0..200 {
            let split = Split::of_numbers(&[3, 4, NONE], &mut rng).unwrap();
            seen.insert([3, 4, NONE].map(|byte| split.left(byte)));
        }
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            [[false, false, true], [true, false, false], [true, false, true]]
        );
        assert_eq!(Split::of_numbers(&[7, 7], &mut rng), None);
        assert_eq!(Split::of_numbers(&[NONE; 3], &mut rng), None);
        assert!(Split::of_numbers(&[7, NONE], &mut rng).is_some());
    }

    proptest! {
        #[test]
        fn both_sides_get_something(bytes in prop::collection::vec(any::<u8>(), 1..40), seed in 0u64..50) {
            let mut rng = Run::new(seed).rng("splits", 0);
            for split in [Split::of_numbers(&bytes, &mut rng), Split::of_levels(&bytes, &mut rng)] {
                let Some(split) = split else {
                    prop_assert!(bytes.iter().all(|byte| *byte == bytes[0]));
                    continue;
                };
                let left = bytes.iter().filter(|byte| split.left(**byte)).count();
                prop_assert_eq!(left, split.count(&bytes));
                prop_assert!(0 < left && left < bytes.len());
                let moved = split.with_missing_on_the_left();
                let known = bytes.iter().filter(|byte| **byte != NONE);
                prop_assert!(known.clone().all(|byte| moved.left(*byte) == split.left(*byte)));
            }
        }
    }
}
