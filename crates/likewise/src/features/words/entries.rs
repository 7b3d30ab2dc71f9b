//! Terms and their counts, one document after the other, in five bytes an entry: few words stand more than a handful
//! of times in a document, and until the rows are made the entries are what takes most memory.

use std::ops::Range;

/// Grows at the end only.
#[derive(Default)]
pub struct Entries {
    terms: Vec<u32>,
    counts: Vec<u8>,
    /// Where the count did not fit: the entry's place and its count, by place.
    large: Vec<(usize, u32)>,
}

/// Stands for a count that is among the large ones.
const LARGE: u8 = u8::MAX;

impl Entries {
    pub fn push(&mut self, term: u32, count: u32) {
        let small = u8::try_from(count).ok().filter(|small| *small != LARGE);
        if small.is_none() {
            self.large.push((self.terms.len(), count));
        }
        self.terms.push(term);
        self.counts.push(small.unwrap_or(LARGE));
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn terms(&self) -> &[u32] {
        &self.terms
    }

    /// The entries at these places: term and count.
    pub fn range(&self, places: Range<usize>) -> impl Iterator<Item = (u32, u32)> {
        let from = self.large.partition_point(|(place, _)| *place < places.start);
        let mut large = self.large[from..].iter();
        let counts = self.counts[places.clone()].iter();
        self.terms[places].iter().zip(counts).map(move |(&term, &count)| match count {
            LARGE => (term, large.next().expect("a count for each that did not fit").1),
            small => (term, u32::from(small)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_any_size_come_back_from_any_place() {
        let given = [(3, 1), (0, 255), (7, 254), (2, 70_000), (9, 256), (1, 2)];
        let mut entries = Entries::default();
        given.iter().for_each(|&(term, count)| entries.push(term, count));
        for start in 0..given.len() {
            for end in start..=given.len() {
                assert_eq!(entries.range(start..end).collect::<Vec<_>>(), given[start..end]);
            }
        }
        assert_eq!(entries.len(), given.len());
    }
}
