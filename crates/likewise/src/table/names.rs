//! The names of columns in their order, found without looking at them all.

use std::hash::BuildHasher;
use std::ops::Deref;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// A list of names. Of two equal ones the first is found.
#[derive(Clone, Debug, Default)]
pub struct Names {
    list: Vec<String>,
    places: HashTable<u32>,
}

fn hash(name: &str) -> u64 {
    FixedState::with_seed(0).hash_one(name)
}

impl Names {
    pub fn push(&mut self, name: String) {
        if self.find(&name).is_none() {
            let list = &self.list;
            let rehash = |place: &u32| hash(&list[*place as usize]);
            self.places.insert_unique(hash(&name), list.len() as u32, rehash);
        }
        self.list.push(name);
    }

    pub fn into_list(self) -> Vec<String> {
        self.list
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        let place = self.places.find(hash(name), |place| self.list[*place as usize] == name);
        place.map(|place| *place as usize)
    }
}

impl Deref for Names {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.list
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_name_is_found() {
        let mut names = Names::default();
        ["b", "a", "b"].into_iter().for_each(|name| names.push(name.into()));
        assert_eq!((names.find("a"), names.find("b"), names.find("c")), (Some(1), Some(0), None));
        assert_eq!(names.len(), 3);
    }
}
