//! Constants as dense numbers: one list for each type, so that an index is an array and not a search.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::table::Texts;

/// A constant that no fact mentions; it joins with nothing.
pub const UNKNOWN: u32 = u32::MAX;

/// A whole number without what stands behind its point: `7` for `7.0`. Everything else is left as it is.
pub fn whole(text: &str) -> &str {
    let Some((before, behind)) = text.split_once('.') else { return text };
    let digits = before.strip_prefix('-').unwrap_or(before);
    let is_whole = !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !behind.is_empty()
        && behind.bytes().all(|b| b == b'0');
    if is_whole { before } else { text }
}

/// The constants of one type, numbered in the order in which they were first seen.
#[derive(Clone, Debug)]
pub struct Constants {
    names: Texts,
    numbers: HashTable<u32>,
    hasher: FixedState,
}

impl Default for Constants {
    fn default() -> Self {
        Constants { names: Texts::new(), numbers: HashTable::new(), hasher: FixedState::with_seed(0) }
    }
}

impl Constants {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub fn intern(&mut self, name: &str) -> u32 {
        let (names, hasher) = (&mut self.names, &self.hasher);
        let hash = hasher.hash_one(name);
        if let Some(&number) = self.numbers.find(hash, |&n| names.get(n as usize) == name) {
            return number;
        }
        let number = names.len() as u32;
        names.push(name);
        self.numbers.insert_unique(hash, number, |&n| hasher.hash_one(names.get(n as usize)));
        number
    }

    pub fn find(&self, name: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(name);
        self.numbers.find(hash, |&n| self.names.get(n as usize) == name).copied()
    }

    pub fn name(&self, number: u32) -> &str {
        if (number as usize) < self.names.len() { self.names.get(number as usize) } else { "?" }
    }
}

/// Distinct tuples of one width, numbered in the order of insertion.
#[derive(Clone, Debug)]
pub struct TupleSet {
    width: usize,
    values: Vec<u32>,
    numbers: HashTable<u32>,
}

impl TupleSet {
    pub fn new(width: usize) -> Self {
        TupleSet { width, values: Vec::new(), numbers: HashTable::new() }
    }

    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    pub fn insert(&mut self, tuple: &[u32]) -> u32 {
        debug_assert_eq!(tuple.len(), self.width);
        let (values, width) = (&mut self.values, self.width);
        let at = |values: &Vec<u32>, n: u32| n as usize * width..values.len().min((n as usize + 1) * width);
        let hash = mix(tuple);
        if let Some(&number) = self.numbers.find(hash, |&n| values[at(values, n)] == *tuple) {
            return number;
        }
        let number = self.numbers.len() as u32;
        values.extend_from_slice(tuple);
        self.numbers.insert_unique(hash, number, |&n| mix(&values[at(values, n)]));
        number
    }

    pub fn contains(&self, tuple: &[u32]) -> bool {
        self.numbers.find(mix(tuple), |&n| self.get(n) == tuple).is_some()
    }

    pub fn get(&self, number: u32) -> &[u32] {
        &self.values[number as usize * self.width..(number as usize + 1) * self.width]
    }

    pub fn clear(&mut self) {
        self.values.clear();
        self.numbers.clear();
    }
}

/// Multiply and fold: ids are small and dense, so a hash for texts would be wasted on them.
fn mix(tuple: &[u32]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for &value in tuple {
        let product = u128::from(hash ^ u64::from(value)) * 0xd6e8_feb8_6659_fd93_u128;
        hash = (product as u64) ^ ((product >> 64) as u64).rotate_left(32);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number_and_a_number_one_name() {
        let mut people = Constants::default();
        let numbers: Vec<u32> = (0..1000).map(|i| people.intern(&format!("p{i}"))).collect();
        assert_eq!(people.intern("p500"), numbers[500]);
        assert_eq!((people.find("p7"), people.find("x"), people.len()), (Some(7), None, 1000));
        assert_eq!((people.name(999), people.name(UNKNOWN)), ("p999", "?"));
    }

    #[test]
    fn a_point_behind_a_whole_number_says_nothing() {
        let written = ["7.0", "-12.000", "7", "7.5", "1.", ".0", "a.0", "1.0.0", "", "0.0"].map(whole);
        assert_eq!(written, ["7", "-12", "7", "7.5", "1.", ".0", "a.0", "1.0.0", "", "0"]);
    }

    #[test]
    fn tuples_are_kept_once() {
        let mut set = TupleSet::new(2);
        for i in 0..5000u32 {
            assert_eq!(set.insert(&[i % 70, i % 50]), i % 350);
        }
        assert_eq!((set.len(), set.get(71)), (350, &[1, 21][..]));
        assert!(set.contains(&[3, 3]) && !set.contains(&[0, 1]));
        let mut none = TupleSet::new(0);
        assert_eq!((none.insert(&[]), none.insert(&[]), none.len()), (0, 0, 1));
    }
}
